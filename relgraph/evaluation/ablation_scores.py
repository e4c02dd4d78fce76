"""What an ablation says of one task: the variants' first metric and their differences, paired."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from relgraph.errors import RunError
from relgraph.evaluation.ablations import Variant
from relgraph.evaluation.metrics import LOWER_IS_BETTER, PERCENT, measures, stacked
from relgraph.evaluation.plan import Request
from relgraph.evaluation.scores import items_of, relationships_of
from relgraph.evaluation.stripping import Change
from relgraph.intervals import compare, holm
from relgraph.records import Case, Prediction
from relgraph.registry import load
from relgraph.sums import Sums

Said = Mapping[str, Prediction]
"""Instance -> what the approach said of it."""


@dataclass(frozen=True, slots=True)
class Done:
    """A variant whose run is finished.

    Attributes:
        variant: which.
        cases: what was tested, by task; the same instances for every variant.
        scores: what `scores.json` of its run holds.
        said: what the approach said of them, by training seed.
        failed: number of items without an answer.
        change: what its transform did to the data; None without one.
    """

    variant: Variant
    cases: Mapping[str, tuple[Case, ...]]
    scores: Mapping[str, Any]
    said: tuple[Said, ...]
    failed: int
    change: Change | None


def task_scores(name: str, done: Sequence[Done], request: Request) -> dict[str, Any]:
    """Returns the first metric of each variant on one task, and its difference to another's.

    Args:
        name: of the task.
        done: the variants, in order; one is compared with what it is meant to be if that is here.
        request: the reference, with the approach.

    The result is empty where the approach does not answer the task.
    """
    approach = request.approaches[0]
    scored = {
        d.variant.name: d.scores["tasks"][name]
        for d in done
        if approach in d.scores["tasks"].get(name, {"approaches": {}})["approaches"]
    }
    if not scored:
        return {}
    by_name = {d.variant.name: d for d in done}
    first = next(iter(scored.values()))
    metric = first["primary"]
    rows = {}
    for variant, task in scored.items():
        row = task["approaches"][approach]
        other = by_name.get(by_name[variant].variant.against)
        rows[variant] = {
            "answered": row["n"] * len(by_name[variant].said) - row["failed"],
            "coverage": row["coverage"],
            **row["metrics"].get(metric, {"value": None, "low": None, "high": None}),
            "compared": _compared(name, by_name[variant], other, request) if other else None,
        }
    _correct([row["compared"] for row in rows.values() if row["compared"]])
    return {
        "title": first["title"],
        "metric": metric,
        "percent": metric in PERCENT,
        "lower_is_better": metric in LOWER_IS_BETTER,
        "n": first["n"],
        "relationships": first["relationships"],
        "floor": _best_floor(first, metric),
        "variants": rows,
    }


def _correct(rows: Sequence[dict[str, Any]]) -> None:
    """Adds `p_holm`: corrected for all comparisons of the task."""
    corrected = iter(holm([row["p"] for row in rows if row["p"] is not None]))
    for row in rows:
        row["p_holm"] = next(corrected) if row["p"] is not None else None


def _best_floor(task: Mapping[str, Any], metric: str) -> dict[str, Any] | None:
    """Returns the best floor as the first variant met it: name and value."""
    values = {
        name: row["metrics"][metric]["value"]
        for name, row in task["approaches"].items()
        if row["floor"] and row["metrics"].get(metric, {"value": None})["value"] is not None
    }
    if not values:
        return None
    best = (min if metric in LOWER_IS_BETTER else max)(values, key=lambda name: values[name])
    return {"name": best, "value": values[best]}


def _compared(task: str, one: Done, other: Done, request: Request) -> dict[str, Any] | None:
    """Returns the paired difference of two variants on what both answered at every seed."""
    cases = one.cases[task]
    if [c.instance.id for c in cases] != [c.instance.id for c in other.cases[task]]:
        raise RunError(
            f"variants {one.variant.name} and {other.variant.name} were tested on different "
            f"instances of {task}, so they cannot be compared."
        )
    ids = [c.instance.id for c in cases]
    kept = [k for k, i in enumerate(ids) if not any(s[i].failure for s in (*one.said, *other.said))]
    left, right = (_sums(task, of, kept) for of in (one, other))
    if left is None or right is None:
        return None
    found = compare(left, right, seed=request.settings.seed)
    if not isfinite(found.difference):
        return None
    return {
        "against": other.variant.name,
        "n": len(kept),
        "difference": found.difference,
        "low": found.low,
        "high": found.high,
        "p": found.p,
        "same_answers": all(
            _answer(a[i]) == _answer(b[i])
            for a, b in zip(one.said, other.said, strict=True)
            for i in ids
        ),
    }


def _sums(name: str, of: Done, kept: Sequence[int]) -> Sums | None:
    """Returns the first metric over the cases at the places `kept`, over all seeds."""
    cases, answer = of.cases[name], load("task", name).answer
    clusters = len(relationships_of(cases))
    found = []
    for said in of.said:
        items = items_of(cases, said)
        of_seed = measures([items[k] for k in kept], answer=answer, clusters=clusters)
        found += [m for m in list(of_seed.values())[:1] if isinstance(m, Sums)]
    whole = stacked(found) if len(found) == len(of.said) else None
    return whole if isinstance(whole, Sums) else None


def _answer(prediction: Prediction) -> tuple[object, ...]:
    p = prediction
    return p.ranking, p.probabilities, p.emotion, p.viewpoints, p.failure
