"""What `scores.json` holds: metrics, intervals, coverage and comparisons, task by task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isfinite
from typing import Any

import numpy as np

from relgraph.evaluation._text import Similarity
from relgraph.evaluation.intervals import RESAMPLES, compare, holm, interval, resamples
from relgraph.evaluation.metrics import (
    CLASSIFIED,
    LOWER_IS_BETTER,
    Floats,
    Item,
    Measure,
    Sums,
    classes_of,
    measures,
)
from relgraph.records import Case, Prediction
from relgraph.registry import load
from relgraph.tasks import Task

DESCRIPTIVE_BELOW = 10
"""Figures over fewer relationships than this describe the sample and prove nothing beyond it."""
MOST_CAUSES = 20

Answers = Mapping[str, Mapping[str, Prediction]]
"""Approach -> instance id -> its prediction; every tested instance has one."""


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
    cases: Mapping[str, Sequence[Case]], answers: Answers, scoring: Scoring
) -> dict[str, Any]:
    """Returns the scores of all approaches on all tasks as a JSON object.

    Shares are in [0, 1]; a figure that is not defined is null. Metrics are over answered
    instances, with the coverage beside them; where an item failed, `failures_as_wrong` has them
    over all instances with each failure counted as the worst answer.
    """
    return {
        "format": 1,
        "intervals": f"95%, {RESAMPLES} bootstrap resamples of relationships, seed {scoring.seed}",
        "similarities": {name: of.identity for name, of in scoring.texts.items()},
        "unavailable": dict(scoring.lacking),
        "tasks": {
            name: _task(load("task", name), tuple(of), answers, scoring)
            for name, of in cases.items()
            if of
        },
    }


def _task(task: Task, cases: Sequence[Case], answers: Answers, scoring: Scoring) -> dict[str, Any]:
    names = sorted({_relationship(c) for c in cases})
    row = {name: k for k, name in enumerate(names)}
    drawn = resamples(len(names), seed=scoring.seed) if len(names) > 1 else np.ones((0, len(names)))
    items = {
        name: [Item(c, of[c.instance.id], row[_relationship(c)]) for c in cases]
        for name, of in answers.items()
        if cases[0].instance.id in of
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


def _scenario(name: str, n: int, cases: Sequence[Case]) -> dict[str, Any]:
    of = {_relationship(c) for c in cases if c.instance.conversation.scenario == name}
    return {"n": n, "relationships": len(of), "descriptive": len(of) < DESCRIPTIVE_BELOW}


def _approach(
    task: Task,
    items: Sequence[Item],
    scoring: Scoring,
    drawn: Floats,
    scenarios: Sequence[str],
) -> dict[str, Any]:
    failed = [i for i in items if i.prediction.failure]
    clusters = drawn.shape[1]
    found = measures(items, answer=task.answer, clusters=clusters, texts=scoring.texts)
    row: dict[str, Any] = {
        "n": len(items),
        "failed": len(failed),
        "coverage": 1 - len(failed) / len(items),
        "metrics": {name: _figures(m, drawn) for name, m in found.items()},
        "by_scenario": {},
    }
    for scenario in scenarios:
        inside = [i for i in items if i.case.instance.conversation.scenario == scenario]
        of = measures(inside, answer=task.answer, clusters=clusters)
        row["by_scenario"][scenario] = {name: _value(m, clusters) for name, m in of.items()}
    if failed:
        worst = measures(
            items,
            answer=task.answer,
            clusters=clusters,
            texts=scoring.texts,
            failures_wrong=True,
        )
        row["failures_as_wrong"] = {name: _value(m, clusters) for name, m in worst.items()}
        causes = Counter(i.prediction.failure for i in failed)
        row["causes"] = dict(causes.most_common(MOST_CAUSES))
    row["cost"] = _cost(items)
    return row


def _figures(measure: Measure, drawn: Floats) -> dict[str, float | None]:
    clusters = drawn.shape[1]
    each = measure.at(np.eye(clusters))
    ends = interval(measure, drawn) if len(drawn) else None
    low, high = ends or (None, None)
    over = float(each[np.isfinite(each)].mean()) if np.isfinite(each).any() else None
    value = _value(measure, clusters)
    return {"value": value, "low": low, "high": high, "over_relationships": over}


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
    }


def _without_gold(cases: Sequence[Case]) -> list[str]:
    gold = {(c.instance.conversation.scenario, c.gold.label) for c in cases}
    return [
        f"{scenario}: {label}"
        for scenario, label in classes_of(cases)
        if (scenario, label) not in gold
    ]


def _comparisons(
    task: Task, items: Mapping[str, Sequence[Item]], scoring: Scoring, clusters: int
) -> list[dict[str, Any]]:
    """Each approach against the best floor and against each other, on what both answered."""
    found: list[dict[str, Any]] = []
    for a, b in _pairings(task, items, scoring, clusters):
        both = [
            (x, y)
            for x, y in zip(items[a], items[b], strict=True)
            if not x.prediction.failure and not y.prediction.failure
        ]
        first, second = (
            next(iter(measures(of, answer=task.answer, clusters=clusters).items()), None)
            for of in ([x for x, _ in both], [y for _, y in both])
        )
        if first is None or second is None:
            continue
        (metric, left), (_, right) = first, second
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
                "n": len(both),
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


def _pairings(
    task: Task, items: Mapping[str, Sequence[Item]], scoring: Scoring, clusters: int
) -> Iterator[tuple[str, str]]:
    others = [name for name in items if name not in scoring.floors]
    best, best_value = "", float("-inf")
    for name in (n for n in items if n in scoring.floors):
        for metric, m in measures(items[name], answer=task.answer, clusters=clusters).items():
            value = _value(m, clusters)
            signed = None if value is None else -value if metric in LOWER_IS_BETTER else value
            if signed is not None and signed > best_value:
                best, best_value = name, signed
            break
    if best:
        yield from ((name, best) for name in others)
    yield from combinations(others, 2)


def _relationship(case: Case) -> str:
    return case.relationship or case.conversation_id
