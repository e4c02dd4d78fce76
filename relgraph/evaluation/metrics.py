"""The metrics of the six tasks, as sums over relationships that a value is computed from.

A metric is kept as a table with a row a relationship, so that one formula gives the value on all
instances, on one relationship, and on every bootstrap resample of relationships at once.
Definitions follow RESCUE-Bench (arXiv 2609.09657); where we depart from it, the function says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relgraph.evaluation._text import Similarity, viewpoint_text
from relgraph.labels import YES
from relgraph.records import Case, Prediction, Viewpoint
from relgraph.sums import Floats, Measure, Sums, over_seeds, ratio

Rows = NDArray[np.intp]
Classes = tuple[tuple[str, str], ...]
"""Scenario and label of each class."""
WORST_MATCH, BEST_MATCH = 1.0, 5.0
RANKS = (1, 2, 3)
CLASSIFIED = frozenset({"rpp"})
"""Tasks that RESCUE-Bench reports as classification: recall@1 is called accuracy."""
LOWER_IS_BETTER = frozenset({"intensity_mae"})
PERCENT = frozenset(
    {"accuracy", "balanced_accuracy", "precision", "recall", "f1", "auc", "macro_f1", "mrr"}
    | {f"recall@{k}" for k in RANKS}
    | {"source_target_f1"}
)
"""Shares in [0, 1] that tables show as percent."""


@dataclass(frozen=True, slots=True)
class Item:
    """A case with what an approach said of it; `cluster` is the row of its relationship."""

    case: Case
    prediction: Prediction
    cluster: int


@dataclass(frozen=True, slots=True)
class PairSums:
    """AUC: `wins[r, s]` counts how often a yes of r is scored above a no of s, ties half.

    With several training seeds all three have a first axis for them, as in `Sums`.
    """

    wins: Floats
    positives: Floats
    negatives: Floats

    def at(self, weights: Floats) -> Floats:
        """Returns the area under the ROC curve at weights of relationships."""
        first = weights @ self.wins
        won = (first * weights).sum(-1)
        yes, no = (weights @ count[..., None] for count in (self.positives, self.negatives))
        return over_seeds(ratio(won, (yes * no)[..., 0]), self.wins)


def stacked(of: Sequence[Measure]) -> Measure:
    """Returns the mean of one metric over training seeds, from its tables of each seed."""
    first = of[0]
    if len(of) == 1:
        return first
    if isinstance(first, Sums):
        return Sums(np.stack([m.table for m in of if isinstance(m, Sums)]), first.value)
    pairs = [m for m in of if isinstance(m, PairSums)]
    wins, yes, no = ([getattr(m, name) for m in pairs] for name in PairSums.__slots__)
    return PairSums(np.stack(wins), np.stack(yes), np.stack(no))


def measures(
    items: Sequence[Item],
    *,
    answer: str,
    clusters: int,
    texts: Mapping[str, Similarity] | None = None,
    failures_wrong: bool = False,
) -> dict[str, Measure]:
    """Returns the metrics of one task on `items`, by name; the first is what is compared on.

    Args:
        items: of one task and approach; failed ones are left out unless `failures_wrong`.
        answer: the kind of the task's answer, `choice`, `emotion` or `viewpoints`.
        clusters: number of relationships.
        texts: similarities of phrases by name, for ER and VP.
        failures_wrong: counts a failed item as the worst answer; metrics without a worst value
            (`intensity_mae`, `auc`) are left out then.
    """
    kept = [i for i in items if failures_wrong or not i.prediction.failure]
    if not kept:
        return {}
    rows = np.array([i.cluster for i in kept], dtype=np.intp)
    if answer == "choice":
        return _choice(kept, rows, clusters, failures_wrong, classes_of([i.case for i in items]))
    similar = {
        name: _mean(_similarities(kept, of), rows, clusters) for name, of in (texts or {}).items()
    }
    if answer == "emotion":
        return {**_intensity(kept, rows, clusters, failures_wrong), **similar}
    return {"source_target_f1": _pairs(kept, rows, clusters), **similar}


def _choice(
    items: Sequence[Item], rows: Rows, n: int, wrong: bool, classes: Classes
) -> dict[str, Measure]:
    if YES in items[0].case.instance.options:
        return _binary(items, rows, n, wrong)
    rank = np.array([_rank(i) for i in items])
    found = {f"recall@{k}": _mean(rank <= k, rows, n) for k in RANKS}
    classified = items[0].case.instance.task in CLASSIFIED
    # The benchmark cuts the reciprocal rank of STP and SSP at rank 3, and not that of RPP.
    counted = np.inf if classified else RANKS[-1]
    mrr = _mean(np.where(rank <= counted, 1 / rank, 0.0), rows, n)
    if classified:
        accuracy = {"accuracy": found.pop("recall@1")}
        return {**accuracy, **found, "mrr": mrr, "macro_f1": _macro_f1(items, rows, n, classes)}
    return {**found, "mrr": mrr}


def _rank(item: Item) -> float:
    """Returns the place of the gold answer in the ranking, from 1; infinite where it is not."""
    ranking, gold = item.prediction.ranking, item.case.gold.label
    return ranking.index(gold) + 1 if gold in ranking else np.inf


def _binary(items: Sequence[Item], rows: Rows, n: int, wrong: bool) -> dict[str, Measure]:
    gold = np.array([i.case.gold.label == YES for i in items])
    right = np.array([i.prediction.ranking[:1] == (i.case.gold.label,) for i in items])
    said = np.where(right, gold, ~gold)
    parts = np.stack([gold & said, ~gold & said, gold & ~said, ~gold & ~said], axis=1)
    table = _sum(parts, rows, n)
    found: dict[str, Measure] = {
        "accuracy": Sums(table, lambda t: ratio(t[..., 0] + t[..., 3], t.sum(-1))),
        "balanced_accuracy": Sums(table, _balanced),
        "precision": Sums(table, lambda t: ratio(t[..., 0], t[..., 0] + t[..., 1])),
        "recall": Sums(table, lambda t: ratio(t[..., 0], t[..., 0] + t[..., 2])),
        "f1": Sums(table, lambda t: _f1(t[..., 0], t[..., 1], t[..., 2])),
    }
    if not wrong and all(i.prediction.probabilities for i in items):
        found["auc"] = _auc(np.array([_p_yes(i.prediction) for i in items]), gold, rows, n)
    return found


def _balanced(t: Floats) -> Floats:
    recalls = (ratio(t[..., 0], t[..., 0] + t[..., 2]), ratio(t[..., 3], t[..., 1] + t[..., 3]))
    return (recalls[0] + recalls[1]) / 2


def _p_yes(prediction: Prediction) -> float:
    return dict(zip(prediction.ranking, prediction.probabilities, strict=True)).get(YES, 0.0)


def _auc(score: Floats, gold: NDArray[np.bool_], rows: Rows, n: int) -> PairSums:
    wins = np.zeros((n, n))
    for s in range(n):
        no = np.sort(score[~gold & (rows == s)])
        below = np.searchsorted(no, score[gold], side="left")
        upto = np.searchsorted(no, score[gold], side="right")
        wins[:, s] = np.bincount(rows[gold], weights=(below + upto) / 2, minlength=n)
    count = np.bincount(rows[gold], minlength=n), np.bincount(rows[~gold], minlength=n)
    return PairSums(wins, count[0].astype(float), count[1].astype(float))


def _macro_f1(items: Sequence[Item], rows: Rows, n: int, of: Classes) -> Sums:
    """Macro-F1 over the classes of each scenario's taxonomy that have a gold instance.

    A class without one is left out, in the sample and in each resample alike; equal labels of two
    scenarios are two classes. A wrong answer costs its class precision also where it is left out.
    """
    classes = {pair: k for k, pair in enumerate(of)}
    parts = np.zeros((len(items), 3, len(classes)))
    for row, item in enumerate(items):
        scenario, gold = item.case.instance.conversation.scenario, item.case.gold.label
        said = item.prediction.ranking[0] if item.prediction.ranking else ""
        if said == gold:
            parts[row, 0, classes[scenario, gold]] = 1
            continue
        parts[row, 2, classes[scenario, gold]] = 1
        if (scenario, said) in classes:
            parts[row, 1, classes[scenario, said]] = 1
    table = _sum(parts.reshape(len(items), -1), rows, n)

    def value(t: Floats) -> Floats:
        hit, false, missed = np.moveaxis(t.reshape(*t.shape[:-1], 3, -1), -2, 0)
        present = hit + missed > 0
        score = np.where(present, _f1(hit, false, missed), 0.0)
        return ratio(score.sum(-1), present.sum(-1))

    return Sums(table, value)


def classes_of(cases: Sequence[Case]) -> Classes:
    """Returns the classes, as (scenario, label), of all options of `cases`, in taxonomy order."""
    found = ((c.instance.conversation.scenario, o) for c in cases for o in c.instance.options)
    return tuple(dict.fromkeys(found))


def _intensity(items: Sequence[Item], rows: Rows, n: int, wrong: bool) -> dict[str, Measure]:
    off = np.array([_off(i) for i in items])
    match = np.maximum(WORST_MATCH, BEST_MATCH - off)
    found: dict[str, Measure] = {} if wrong else {"intensity_mae": _mean(off, rows, n)}
    return {**found, "intensity_match": _mean(match, rows, n)}


def _off(item: Item) -> float:
    said, gold = item.prediction.emotion, item.case.gold.emotion
    if said is None or gold is None or said.intensity is None or gold.intensity is None:
        return np.inf
    return abs(said.intensity - gold.intensity)


def _pairs(items: Sequence[Item], rows: Rows, n: int) -> Sums:
    """F1 of the set of (source, target) pairs; hits, false and missed pairs of all items added."""
    parts = np.zeros((len(items), 3))
    for row, item in enumerate(items):
        said, gold = _who(item.prediction.viewpoints), _who(item.case.gold.viewpoints)
        parts[row] = len(said & gold), len(said - gold), len(gold - said)
    return Sums(_sum(parts, rows, n), lambda t: _f1(t[..., 0], t[..., 1], t[..., 2]))


def _who(viewpoints: Sequence[Viewpoint]) -> set[tuple[str, str]]:
    return {(v.source.strip().casefold(), v.target.strip().casefold()) for v in viewpoints}


def _similarities(items: Sequence[Item], similarity: Similarity) -> Floats:
    """Returns the similarity of each answer's words to the gold ones; 0 without an answer."""
    said, gold = [], []
    for item in items:
        emotion, of = item.prediction.emotion, item.case.gold.emotion
        said.append(emotion.phrase if emotion else viewpoint_text(item.prediction.viewpoints))
        gold.append(of.phrase if of else viewpoint_text(item.case.gold.viewpoints))
    return similarity.of(said, gold)


def _sum(parts: NDArray[np.generic], rows: Rows, n: int) -> Floats:
    table = np.zeros((n, parts.shape[1]))
    np.add.at(table, rows, parts.astype(float))
    return table


def _mean(values: NDArray[np.generic], rows: Rows, n: int) -> Sums:
    parts = np.stack([values.astype(float), np.ones(len(values))], axis=1)
    return Sums(_sum(parts, rows, n), lambda t: ratio(t[..., 0], t[..., 1]))


def _f1(hit: Floats, false: Floats, missed: Floats) -> Floats:
    return ratio(2 * hit, 2 * hit + false + missed)
