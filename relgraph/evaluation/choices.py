"""What lies behind the metrics of a closed choice: calibration, per-class figures, confusions.

All of it is over answered instances; with several training seeds the answers of all seeds are
taken together, and counts are counts of answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from relgraph.evaluation.metrics import Item
from relgraph.records import Case, Conversation
from relgraph.sums import Floats

BINS = 10
SMALLEST = float(np.finfo(float).eps)
"""A probability below this counts as this in the log likelihood, as in scikit-learn."""
GROUP, LAST, ANOTHER = "group", "last client speaker", "another person"


def choice_details(items: Sequence[Item]) -> dict[str, Any]:
    """Returns `calibration`, `by_class` and `confusion` of closed-choice items, ready for JSON.

    `calibration` is None where no answer has probabilities; `confusion` is left out where the
    options are people.
    """
    kept = [i for i in items if not i.prediction.failure]
    found = {"calibration": calibration(kept), "by_class": by_class(kept)}
    named = all(role_of(i.case, i.case.gold.label) == i.case.gold.label for i in kept)
    return {**found, "confusion": confusion(kept)} if kept and named else found


def calibration(items: Sequence[Item], *, bins: int = BINS) -> dict[str, Any] | None:
    """Returns how far the probabilities hold, over the answers that have some.

    - `log_loss`: mean of -ln p(gold), p at least 2.2e-16.
    - `brier`: mean over instances of the sum over all options of (p - 1 for the gold one)^2, in
      [0, 2] (Brier, 1950); of two options it is twice the halved form.
    - `ece`: expected calibration error, the mean over bins, weighted by their counts, of
      |share right - mean confidence|. The confidence is the probability of the first answer. Bins
      are of equal mass (`bins` of them); answers of equal confidence are in one bin, so that
      there may be fewer, and less equal ones.
    - `reliability`: the bins, from the least sure: mean confidence, share right, count.

    Options that a ranking leaves out share what its probabilities leave of 1.
    """
    items = [i for i in items if i.prediction.probabilities]
    if not items:
        return None
    chances = [_chances(i) for i in items]
    gold = [i.case.gold.label for i in items]
    told = np.array([p.get(g, 0.0) for p, g in zip(chances, gold, strict=True)])
    away = [
        sum((p - (option == g)) ** 2 for option, p in of.items())
        for of, g in zip(chances, gold, strict=True)
    ]
    sure = np.array([i.prediction.probabilities[0] for i in items])
    right = np.array([i.prediction.ranking[0] == g for i, g in zip(items, gold, strict=True)])
    table = _reliability(sure, right.astype(float), bins)
    gaps = [b["count"] * abs(b["share_right"] - b["mean_confidence"]) for b in table]
    return {
        "n": len(items),
        "log_loss": float(-np.log(np.clip(told, SMALLEST, 1.0)).mean()),
        "brier": float(np.mean(away)),
        "ece": sum(gaps) / len(items),
        "bins": bins,
        "reliability": table,
    }


def _chances(item: Item) -> dict[str, float]:
    """Returns option -> probability, of all options of the item."""
    said = dict(zip(item.prediction.ranking, item.prediction.probabilities, strict=True))
    silent = [o for o in item.case.instance.options if o not in said]
    left = max(0.0, 1.0 - sum(said.values()))
    return {**said, **{o: left / len(silent) for o in silent}}


def _reliability(sure: Floats, right: Floats, bins: int) -> list[dict[str, Any]]:
    # the place of the first equal one: equal confidences are never torn apart
    place = np.searchsorted(np.sort(sure), sure, side="left")
    home = place * bins // len(sure)
    return [
        {
            "mean_confidence": float(sure[home == b].mean()),
            "share_right": float(right[home == b].mean()),
            "count": int((home == b).sum()),
        }
        for b in np.unique(home)
    ]


def by_class(items: Sequence[Item]) -> dict[str, dict[str, dict[str, Any]]]:
    """Returns scenario -> class -> precision, recall, F1, support, and how often it is said.

    Where options are people, the classes are `group`, `last client speaker` and `another person`;
    an answer is right only where it names the right one. What is not defined is None: a precision
    where the class is never said, a recall where it is never meant, an F1 where neither is so.
    """
    meant: Counter[tuple[str, str]] = Counter()
    said: Counter[tuple[str, str]] = Counter()
    hits: Counter[tuple[str, str]] = Counter()
    known: dict[tuple[str, str], None] = {}
    for i in items:
        scenario, gold = i.case.instance.conversation.scenario, i.case.gold.label
        first = i.prediction.ranking[0]
        known |= dict.fromkeys((scenario, role_of(i.case, o)) for o in i.case.instance.options)
        meant[scenario, role_of(i.case, gold)] += 1
        said[scenario, role_of(i.case, first)] += 1
        hits[scenario, role_of(i.case, gold)] += first == gold
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for key in known:
        scenario, label = key
        found.setdefault(scenario, {})[label] = {
            "precision": _share(hits[key], said[key]),
            "recall": _share(hits[key], meant[key]),
            "f1": _share(2 * hits[key], said[key] + meant[key]),
            "support": meant[key],
            "said": said[key],
        }
    return dict(sorted(found.items()))


def confusion(items: Sequence[Item]) -> dict[str, Mapping[str, Any]]:
    """Returns scenario -> `labels` and `counts[gold][said]`, both in the order of the options."""
    found: dict[str, dict[str, Any]] = {}
    for i in items:
        labels = list(i.case.instance.options)
        empty = {"labels": labels, "counts": [[0] * len(labels) for _ in labels]}
        own = found.setdefault(i.case.instance.conversation.scenario, empty)
        row, column = (own["labels"].index(o) for o in (i.case.gold.label, i.prediction.ranking[0]))
        own["counts"][row][column] += 1
    return dict(sorted(found.items()))


def role_of(case: Case, option: str) -> str:
    """Returns the option, or the part of a person or group in the conversation so far."""
    of = case.instance.conversation
    if option == of.group:
        return GROUP
    if option not in of.roster:
        return option
    return LAST if option == _last_client(of) else ANOTHER


def _last_client(of: Conversation) -> str:
    return next((t.speaker for t in reversed(of.turns) if t.speaker in of.roster), "")


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
