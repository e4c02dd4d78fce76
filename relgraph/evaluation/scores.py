"""What `scores.json` holds: metrics, intervals, coverage and comparisons, task by task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isfinite
from statistics import stdev
from typing import Any

import numpy as np

from relgraph.evaluation._text import Similarity
from relgraph.evaluation.choices import choice_details
from relgraph.evaluation.metrics import (
    CLASSIFIED,
    LOWER_IS_BETTER,
    Item,
    classes_of,
    measures,
    stacked,
)
from relgraph.intervals import RESAMPLES, compare, holm, interval, resamples
from relgraph.records import Case, Prediction
from relgraph.registry import load
from relgraph.sums import Floats, Measure, Sums
from relgraph.tasks import Task

DESCRIPTIVE_BELOW = 10
"""Figures over fewer relationships than this describe the sample and prove nothing beyond it."""
MOST_CAUSES = 20

Answers = Mapping[str, Mapping[str, Prediction]]
"""Approach -> instance id -> its prediction; every tested instance has one."""
Seeds = Sequence[Sequence[Item]]
"""The items of an approach for each training seed, in the same order; one where it learns not."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """How to score.

    Attributes:
        floors: names of the approaches that are floors.
        seed: of the bootstrap and the sign flips.
        texts: similarities of phrases by name.
        lacking: similarities that cannot be had, with the reason.
    """

    floors: Collection[str] = ()
    seed: int = 0
    texts: Mapping[str, Similarity] = field(default_factory=dict)
    lacking: Mapping[str, str] = field(default_factory=dict)


def score(
    cases: Mapping[str, Sequence[Case]],
    answers: Answers,
    scoring: Scoring,
    *,
    repeats: Sequence[Answers] = (),
) -> dict[str, Any]:
    """Returns the scores of all approaches on all tasks as a JSON object.

    Shares are in [0, 1]; a figure that is not defined is null. Metrics are over answered
    instances, with the coverage beside them; where an item failed, `failures_as_wrong` has them
    over all instances with each failure counted as the worst answer.

    With `repeats` a figure is the mean over the training seeds, with their spread beside it; its
    interval is that of the mean when relationships are drawn anew, and knows no training noise.

    Args:
        cases: the instances with their gold, by task.
        answers: what was said of them.
        scoring: how to score.
        repeats: what those that learn said after training with each further seed.
    """
    return {
        "format": 1,
        **({"seeds": 1 + len(repeats)} if repeats else {}),
        "intervals": f"95%, {RESAMPLES} bootstrap resamples of relationships, seed {scoring.seed}",
        "similarities": {name: of.identity for name, of in scoring.texts.items()},
        "unavailable": dict(scoring.lacking),
        "tasks": {
            name: _task(load("task", name), tuple(of), (answers, *repeats), scoring)
            for name, of in cases.items()
            if of
        },
    }


def _task(
    task: Task, cases: Sequence[Case], answers: Sequence[Answers], scoring: Scoring
) -> dict[str, Any]:
    names = relationships_of(cases)
    drawn = resamples(len(names), seed=scoring.seed) if len(names) > 1 else np.ones((0, len(names)))
    items = {
        name: [items_of(cases, of[name]) for of in answers if name in of]
        for name, said in answers[0].items()
        if cases[0].instance.id in said
    }
    by_scenario = Counter(c.instance.conversation.scenario for c in cases)
    found: dict[str, Any] = {
        "title": task.title,
        "n": len(cases),
        "relationships": len(names),
        "conversations": len({c.conversation_id for c in cases}),
        "scenarios": {name: _scenario(name, n, cases) for name, n in sorted(by_scenario.items())},
    }
    if task.name in CLASSIFIED and (absent := _without_gold(cases)):
        found["classes_without_gold"] = absent
    found["approaches"] = {
        name: {
            "floor": name in scoring.floors,
            **_approach(task, of, scoring, drawn, sorted(by_scenario)),
        }
        for name, of in items.items()
    }
    found["primary"] = next(
        (next(iter(a["metrics"])) for a in found["approaches"].values() if a["metrics"]), ""
    )
    found["comparisons"] = _comparisons(task, items, scoring, len(names))
    return found


def relationships_of(cases: Sequence[Case]) -> list[str]:
    """Returns the relationships of the cases, sorted: the clusters of every table of them."""
    return sorted({_relationship(c) for c in cases})


def items_of(cases: Sequence[Case], said: Mapping[str, Prediction]) -> list[Item]:
    """Returns the cases with what was said of each, by instance, and their relationships' rows."""
    row = {name: k for k, name in enumerate(relationships_of(cases))}
    return [Item(c, said[c.instance.id], row[_relationship(c)]) for c in cases]


def _scenario(name: str, n: int, cases: Sequence[Case]) -> dict[str, Any]:
    of = {_relationship(c) for c in cases if c.instance.conversation.scenario == name}
    return {"n": n, "relationships": len(of), "descriptive": len(of) < DESCRIPTIVE_BELOW}


def _approach(
    task: Task,
    seeds: Seeds,
    scoring: Scoring,
    drawn: Floats,
    scenarios: Sequence[str],
) -> dict[str, Any]:
    n, clusters = len(seeds[0]), drawn.shape[1]
    failed = [i for items in seeds for i in items if i.prediction.failure]
    found = _measures(task, seeds, clusters, texts=scoring.texts)
    row: dict[str, Any] = {
        "n": n,
        **({"seeds": len(seeds)} if len(seeds) > 1 else {}),
        "failed": len(failed),
        "coverage": 1 - len(failed) / (n * len(seeds)),
        "metrics": {name: _figures(of, drawn) for name, of in found.items()},
        "by_scenario": {},
    }
    for scenario in scenarios:
        inside = [_of_scenario(items, scenario) for items in seeds]
        row["by_scenario"][scenario] = _values(_measures(task, inside, clusters), clusters)
    if failed:
        worst = _measures(task, seeds, clusters, texts=scoring.texts, failures_wrong=True)
        row["failures_as_wrong"] = _values(worst, clusters)
        causes = Counter(i.prediction.failure for i in failed)
        row["causes"] = dict(causes.most_common(MOST_CAUSES))
    if task.answer == "choice":
        row |= choice_details([i for items in seeds for i in items])
    row["cost"] = _cost([i for items in seeds for i in items])
    return row


def _of_scenario(items: Sequence[Item], scenario: str) -> list[Item]:
    return [i for i in items if i.case.instance.conversation.scenario == scenario]


def _measures(
    task: Task,
    seeds: Seeds,
    clusters: int,
    *,
    texts: Mapping[str, Similarity] | None = None,
    failures_wrong: bool = False,
) -> dict[str, list[Measure]]:
    """Returns each metric's measure at every seed; what one seed does not have is left out."""
    found = [
        measures(
            items,
            answer=task.answer,
            clusters=clusters,
            texts=texts,
            failures_wrong=failures_wrong,
        )
        for items in seeds
    ]
    shared = [name for name in found[0] if all(name in of for of in found)]
    return {name: [of[name] for of in found] for name in shared}


def _values(found: Mapping[str, Sequence[Measure]], clusters: int) -> dict[str, float | None]:
    return {name: _value(stacked(of), clusters) for name, of in found.items()}


def _figures(seeds: Sequence[Measure], drawn: Floats) -> dict[str, Any]:
    measure, clusters = stacked(seeds), drawn.shape[1]
    each = measure.at(np.eye(clusters))
    ends = interval(measure, drawn) if len(drawn) else None
    low, high = ends or (None, None)
    over = float(each[np.isfinite(each)].mean()) if np.isfinite(each).any() else None
    value = _value(measure, clusters)
    figures = {"value": value, "low": low, "high": high, "over_relationships": over}
    return {**figures, **_spread([_value(m, clusters) for m in seeds])}


def _spread(values: Sequence[float | None]) -> dict[str, Any]:
    """Returns how far the seeds differ: standard deviation (n - 1), least, most, and each value."""
    if len(values) == 1:
        return {}
    known = [v for v in values if v is not None]
    if len(known) < len(values):
        return {"sd": None, "min": None, "max": None, "by_seed": list(values)}
    return {"sd": stdev(known), "min": min(known), "max": max(known), "by_seed": known}


def _value(measure: Measure, clusters: int) -> float | None:
    value = float(measure.at(np.ones(clusters)))
    return value if isfinite(value) else None


def _cost(items: Sequence[Item]) -> dict[str, float]:
    costs = [i.prediction.cost for i in items]
    return {
        "prompt_tokens": sum(c.prompt_tokens for c in costs),
        "answer_tokens": sum(c.answer_tokens for c in costs),
        "time_s": round(sum(c.time_s for c in costs), 3),
        "cost_usd": round(sum(c.cost_usd for c in costs), 6),
        "calls": sum(len(i.prediction.calls) for i in items),
        "kept_calls": sum(c.kept_calls for c in costs),
    }


def _without_gold(cases: Sequence[Case]) -> list[str]:
    gold = {(c.instance.conversation.scenario, c.gold.label) for c in cases}
    return [
        f"{scenario}: {label}"
        for scenario, label in classes_of(cases)
        if (scenario, label) not in gold
    ]


def _comparisons(
    task: Task, items: Mapping[str, Seeds], scoring: Scoring, clusters: int
) -> list[dict[str, Any]]:
    """Each approach against the best floor and against each other, on what both answered."""
    found: list[dict[str, Any]] = []
    for a, b in _pairings(task, items, scoring, clusters):
        kept = _answered_by_both(items[a], items[b])
        first, second = (
            next(iter(_measures(task, _at(of, kept), clusters).items()), None)
            for of in (items[a], items[b])
        )
        if first is None or second is None:
            continue
        (metric, left), (_, right) = ((name, stacked(of)) for name, of in (first, second))
        assert isinstance(left, Sums)
        assert isinstance(right, Sums)
        c = compare(left, right, seed=scoring.seed)
        if not isfinite(c.difference):
            continue
        found.append(
            {
                "first": a,
                "second": b,
                "metric": metric,
                "n": len(kept),
                "difference": c.difference,
                "low": c.low,
                "high": c.high,
                "p": c.p,
            }
        )
    corrected = iter(holm([row["p"] for row in found if row["p"] is not None]))
    for row in found:
        row["p_holm"] = next(corrected) if row["p"] is not None else None
    return found


def _answered_by_both(first: Seeds, second: Seeds) -> list[int]:
    """Returns the places of the items that both approaches answered, at every seed."""
    seeds = (*first, *second)
    return [k for k in range(len(first[0])) if not any(of[k].prediction.failure for of in seeds)]


def _at(seeds: Seeds, places: Sequence[int]) -> Seeds:
    return [[items[k] for k in places] for items in seeds]


def _pairings(
    task: Task, items: Mapping[str, Seeds], scoring: Scoring, clusters: int
) -> Iterator[tuple[str, str]]:
    others = [name for name in items if name not in scoring.floors]
    best, best_value = "", float("-inf")
    for name in (n for n in items if n in scoring.floors):
        for metric, of in _measures(task, items[name], clusters).items():
            value = _value(stacked(of), clusters)
            signed = None if value is None else -value if metric in LOWER_IS_BETTER else value
            if signed is not None and signed > best_value:
                best, best_value = name, signed
            break
    if best:
        yield from ((name, best) for name in others)
    yield from combinations(others, 2)


def _relationship(case: Case) -> str:
    return case.relationship or case.conversation_id
