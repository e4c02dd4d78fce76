"""The learning curve: how well approaches do after fewer training relationships.

Each size and draw is a run of its own in a folder of the curve, on the same tested instances; so a
curve that was killed goes on, and further sizes are added to those that are there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from relgraph.errors import RelgraphError
from relgraph.evaluation import plan
from relgraph.evaluation.curve_fit import FEWEST_SIZES, Law, fit
from relgraph.evaluation.metrics import LOWER_IS_BETTER, PERCENT, measures, stacked
from relgraph.evaluation.plan import Request, Team
from relgraph.evaluation.runner import Data, Plan, prepare, run
from relgraph.evaluation.scores import items_of, relationships_of
from relgraph.evaluation.subsets import smaller
from relgraph.intervals import RESAMPLES, interval, resamples
from relgraph.records import Case, Prediction
from relgraph.registry import load
from relgraph.splits import Fold, relationships
from relgraph.sums import Floats, Measure
from relgraph.terminal import tell

TIMES = (2, 4)
"""The largest size is extrapolated to so many times itself."""
Sizes = tuple[int | None, ...]
"""Training relationships a fold, ascending; None, for all, comes last."""


@dataclass(frozen=True, slots=True)
class Step:
    """One size and draw: its plan, and the folder of its run within that of the curve."""

    size: int | None
    todo: Plan
    folder: str


@dataclass(frozen=True, slots=True)
class CurvePlan:
    """A learning curve that nothing is done of yet.

    Attributes:
        base: the run with all training relationships, of the approaches asked for.
        approaches: those asked for.
        sizes: as asked for.
        draws: how many choices of each size but all.
        steps: all runs.
    """

    base: Plan
    approaches: tuple[str, ...]
    sizes: Sizes
    draws: int
    steps: tuple[Step, ...]


def prepare_curve(request: Request, data: Data, *, sizes: Sizes, draws: int) -> CurvePlan:
    """Returns the plan of a learning curve.

    Raises:
        RelgraphError: an approach does not learn, or a fold has too few relationships for a size.
        DataError: there is nothing to test.
    """
    whole = prepare(request, data)
    for name in request.approaches:
        if not whole.team.members[name].learns:
            raise RelgraphError(
                f"approach {name!r} does not learn, so it has no learning curve. "
                "`relgraph eval` shows how well it does."
            )
    members = {
        name: approach
        for name, approach in whole.team.members.items()
        if name in _needed(request.approaches, whole.team)
    }
    base = replace(whole, team=Team(members, (), {}))
    steps = [
        _step(base, request, data, size, draw)
        for size in sizes
        for draw in range(1 if size is None else draws)
    ]
    return CurvePlan(base, request.approaches, sizes, draws, tuple(steps))


def _needed(names: Sequence[str], team: Team) -> set[str]:
    found = set(names)
    for name in names:
        found |= _needed(team.members[name].needs, team)
    return found


def _step(base: Plan, request: Request, data: Data, size: int | None, draw: int) -> Step:
    folds = smaller(base.folds, size, seed=base.seed, draw=draw)
    what = plan.describe(
        request,
        data={name: base.what["data"][name] for name in ("source", "digest")},
        conversations=data.conversations,
        team=base.team,
        split_into=folds,
    )
    what["training"] = [sorted(relationships(fold.train)) for fold in folds]
    folder = f"size-{size or 'all'}" + (f"-draw-{draw + 1}" if draw else "")
    return Step(size, replace(base, what=what, folds=folds), folder)


def run_curve(todo: CurvePlan, folder: Path) -> dict[str, Any]:
    """Returns the finished curve, ready for JSON; what `folder` holds of it is not done again.

    Raises:
        RelgraphError: the folder holds a curve of other data or options, or is in use.
        RunError: an approach gave something that is no answer to what it was asked.
    """
    said: dict[int | None, list[Mapping[str, Mapping[str, Prediction]]]] = {}
    for step in todo.steps:
        tell(f"{step.folder}: {', '.join(todo.approaches)}")
        said.setdefault(step.size, []).append(run(step.todo, folder / step.folder).answers)
    seed = todo.base.seed
    return {
        "format": 1,
        "protocol": todo.base.what["protocol"],
        "data": dict(todo.base.what["data"]),
        "seed": seed,
        "folds": len(todo.base.folds),
        "draws": todo.draws,
        "intervals": f"95%, {RESAMPLES} bootstrap resamples of relationships, seed {seed}",
        "sizes": [_size(size, todo) for size in todo.sizes],
        "tasks": {
            name: {
                "title": load("task", name).title,
                "n": len(cases),
                "relationships": len(relationships_of(cases)),
                "approaches": {
                    approach: _curve(name, cases, approach, said, todo)
                    for approach in todo.approaches
                    if name in todo.base.team.members[approach].tasks
                },
            }
            for name, cases in todo.base.cases.items()
            if cases
        },
    }


def _size(size: int | None, todo: CurvePlan) -> dict[str, Any]:
    """Returns what is learnt from at a size: means over folds and draws."""
    folds: list[Fold] = [f for s in todo.steps if s.size == size for f in s.todo.folds]
    return {
        "asked": "all" if size is None else size,
        "relationships": fmean(len(relationships(f.train)) for f in folds),
        "conversations": fmean(len(f.train) for f in folds),
        "turns": fmean(sum(len(c.turns) for c in f.train) for f in folds),
    }


def _curve(
    task: str,
    cases: Sequence[Case],
    approach: str,
    said: Mapping[int | None, Sequence[Mapping[str, Mapping[str, Prediction]]]],
    todo: CurvePlan,
) -> dict[str, Any]:
    """Returns the points of one approach on one task, the fitted law, and where it leads."""
    clusters = len(relationships_of(cases))
    drawn = resamples(clusters, seed=todo.base.seed) if clusters > 1 else np.ones((0, clusters))
    answer = load("task", task).answer
    metric, points, found = "", [], []
    for size in todo.sizes:
        draws = [items_of(cases, of[approach]) for of in said[size]]
        firsts = [measures(items, answer=answer, clusters=clusters) for items in draws]
        failed = sum(bool(i.prediction.failure) for items in draws for i in items)
        point: dict[str, Any] = {"coverage": 1 - failed / (len(cases) * len(draws))}
        if all(firsts):
            metric = next(iter(firsts[0]))
            measure = stacked([of[metric] for of in firsts])
            found.append(measure)
            point |= _figures(measure, drawn)
        else:
            point |= {"value": None, "low": None, "high": None}
        points.append({**_size(size, todo), **point})
    law = _law(points, found, drawn, metric)
    return {
        "metric": metric,
        "percent": metric in PERCENT,
        "lower_is_better": metric in LOWER_IS_BETTER,
        "points": points,
        **law,
    }


def _figures(measure: Measure, drawn: Floats) -> dict[str, float | None]:
    value = float(measure.at(np.ones(drawn.shape[1])))
    ends = interval(measure, drawn) if len(drawn) else None
    low, high = ends or (None, None)
    return {"value": value if isfinite(value) else None, "low": low, "high": high}


def _law(
    points: Sequence[Mapping[str, Any]], found: Sequence[Measure], drawn: Floats, metric: str
) -> dict[str, Any]:
    """Returns `fit` and `extrapolations`, or None and none of them, and why."""
    sizes = [p["relationships"] for p in points]
    if len(set(sizes)) < FEWEST_SIZES:
        why = f"{len(set(sizes))} sizes; a fit of three numbers needs at least {FEWEST_SIZES}"
        return {"fit": None, "no_fit": why, "extrapolations": []}
    if any(p["value"] is None for p in points):
        why = "a size at which nothing was answered has no value"
        return {"fit": None, "no_fit": why, "extrapolations": []}
    lower = metric in LOWER_IS_BETTER
    law = fit(sizes, np.array([[p["value"] for p in points]]), lower_is_better=lower)
    again = np.stack([m.at(drawn) for m in found], axis=1)  # [resample, size]
    kept = again[np.isfinite(again).all(axis=1)]
    enough = len(kept) and 2 * len(kept) >= len(again)
    refitted = fit(sizes, kept, lower_is_better=lower) if enough else None
    return {
        "fit": {name: float(getattr(law, name)[0]) for name in ("a", "b", "c")},
        "no_fit": "",
        "extrapolations": [
            _extrapolated(law, refitted, metric, times=times, largest=max(sizes)) for times in TIMES
        ],
    }


def _extrapolated(
    law: Law, refitted: Law | None, metric: str, *, times: int, largest: float
) -> dict[str, float | None]:
    size = times * largest
    low, high = None, None
    if refitted is not None:
        low, high = np.percentile(_possible(refitted.at(size), metric), [2.5, 97.5]).tolist()
    value = float(_possible(law.at(size), metric)[0])
    return {"times": times, "relationships": size, "value": value, "low": low, "high": high}


def _possible(values: Floats, metric: str) -> Floats:
    """Returns the values within what the metric can be: a law knows no bounds."""
    return np.clip(values, 0.0, 1.0 if metric in PERCENT else np.inf)
