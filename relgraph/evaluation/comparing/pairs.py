"""Two arms on the instances that both answered, and how far apart they are there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import numpy as np

from relgraph.evaluation.comparing.arms import Arm
from relgraph.evaluation.metrics import LOWER_IS_BETTER, Item, measures, stacked
from relgraph.evaluation.scores import Seeds, items_of, relationships_of
from relgraph.intervals import compare
from relgraph.records import Case
from relgraph.sums import Measure, Sums
from relgraph.tasks import Task


@dataclass(frozen=True, slots=True)
class Pair:
    """Two arms on common instances of a task; items that either failed are still among them.

    Attributes:
        task: the task.
        clusters: number of relationships, which the items' `cluster` counts from 0.
        first: items of the first arm, for each training seed.
        second: of the second one, in the same order.
        only_first: number of instances that only the first arm was asked.
        only_second: that only the second one was asked.
    """

    task: Task
    clusters: int
    first: Seeds
    second: Seeds
    only_first: int = 0
    only_second: int = 0

    @property
    def answered(self) -> Pair:
        """The pair on the instances that both arms answered, at every seed."""
        seeds = (*self.first, *self.second)
        return self._at(
            [k for k in range(len(self)) if not any(of[k].prediction.failure for of in seeds)]
        )

    def where(self, keep: Callable[[Case], bool]) -> Pair:
        """Returns the pair on the instances that `keep` says yes to."""
        return self._at([k for k, item in enumerate(self.first[0]) if keep(item.case)])

    def failed(self) -> tuple[int, int]:
        """Returns how many instances each arm failed on, at any seed."""
        first, second = (
            sum(any(of[k].prediction.failure for of in seeds) for k in range(len(self)))
            for seeds in (self.first, self.second)
        )
        return first, second

    def __len__(self) -> int:
        return len(self.first[0])

    def _at(self, places: Sequence[int]) -> Pair:
        first, second = ([[of[k] for k in places] for of in s] for s in (self.first, self.second))
        return replace(self, first=first, second=second)


def pair(task: Task, cases: Mapping[str, Case], first: Arm, second: Arm) -> Pair:
    """Returns two arms on the instances of a task that both were asked.

    Where the arms have different numbers of training seeds, only the first of the longer one's
    are taken; an arm of one seed stands against each seed of the other.
    """
    seeds = min((len(arm.seeds) for arm in (first, second) if len(arm.seeds) > 1), default=1)
    asked = [
        {i for i in cases if all(i in said for said in arm.seeds[:seeds])}
        for arm in (first, second)
    ]
    common = [case for i, case in cases.items() if i in asked[0] and i in asked[1]]
    sides = [[items_of(common, said) for said in arm.seeds[:seeds]] for arm in (first, second)]
    return Pair(
        task,
        len(relationships_of(common)),
        sides[0],
        sides[1],
        only_first=len(asked[0] - asked[1]),
        only_second=len(asked[1] - asked[0]),
    )


def measured(of: Pair, *, failures_wrong: bool = False) -> dict[str, tuple[Measure, Measure]]:
    """Returns metric -> its measure of both arms; the first metric is what is compared on."""
    one, other = (
        _over_seeds(of.task, seeds, of.clusters, failures_wrong) for seeds in (of.first, of.second)
    )
    return {name: (one[name], other[name]) for name in one if name in other}


def _over_seeds(
    task: Task, seeds: Seeds, clusters: int, failures_wrong: bool
) -> dict[str, Measure]:
    each = [
        measures(items, answer=task.answer, clusters=clusters, failures_wrong=failures_wrong)
        for items in seeds
    ]
    return {
        name: stacked([of[name] for of in each])
        for name in each[0]
        if all(name in of for of in each)
    }


def difference(of: Pair, *, seed: int, failures_wrong: bool = False) -> dict[str, Any] | None:
    """Returns the first metric of both arms and how far apart they are; None without a value.

    `low` and `high` are the 95% bootstrap interval of the difference over relationships, `p` the
    two-sided sign-flip test that swaps whole relationships; both None for one relationship.

    Args:
        of: the pair.
        seed: of the resamples and the flips.
        failures_wrong: counts a failed item as the worst answer; else they have to be left out.
    """
    found = measured(of, failures_wrong=failures_wrong)
    if not found:
        return None
    metric, (one, other) = next(iter(found.items()))
    assert isinstance(one, Sums)
    assert isinstance(other, Sums)
    ones = np.ones(of.clusters)
    compared = compare(one, other, seed=seed)
    if not isfinite(compared.difference):
        return None
    return {
        "metric": metric,
        "n": len(of),
        "relationships": len({item.cluster for item in of.first[0]}),
        "first_value": float(one.at(ones)),
        "second_value": float(other.at(ones)),
        "difference": compared.difference,
        "low": compared.low,
        "high": compared.high,
        "p": compared.p,
    }


def quality(item: Item) -> float | None:
    """Returns how good one answer is, the greater the better; None where it failed.

    For a closed choice 1 if the first answer is right, else 0; for an intensity how far it is
    off, below 0; for viewpoints the F1 of their (source, target) pairs.
    """
    said, gold = item.prediction, item.case.gold
    if said.failure:
        return None
    if gold.label:
        return float(said.ranking[:1] == (gold.label,))
    answer = "emotion" if gold.emotion else "viewpoints"
    found = measures([Item(item.case, said, 0)], answer=answer, clusters=1)
    metric, measure = next(iter(found.items()))
    value = float(measure.at(np.ones(1)))
    return -value if metric in LOWER_IS_BETTER else value
