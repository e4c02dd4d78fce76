"""What a finished search says: its choice, how far that differs, and how sure it can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np

from relgraph.baselines.gnn.trials import Merit, Trial, merit
from relgraph.errors import RunError
from relgraph.records import Conversation
from relgraph.splits import relationships

CRITERION = "log-likelihood of the right answers on inner folds, mean of RPP, SSP, STP and ITP"
FEWEST_RANKED = 4
"""Of fewer configurations, ranks say nothing about how far two inner folds agree."""


@dataclass(frozen=True, slots=True)
class Found:
    """A finished search.

    Attributes:
        name: for people.
        train: what it was allowed to read.
        configurations: the trainings of each, one an inner fold; the first is the recipe as it is.
    """

    name: str
    train: tuple[Conversation, ...]
    configurations: Sequence[Sequence[Trial]]

    @property
    def best(self) -> int:
        """The number of the best configuration, of equal ones the earliest.

        Raises:
            RunError: none could be trained.
        """
        merits = [merit(trials) for trials in self.configurations]
        values = [m.log_likelihood if m else float("-inf") for m in merits]
        if not any(merits):
            failure = next(t.failure for t in self.configurations[0] if t.failure)
            raise RunError(f"{self.name}: no configuration could be trained: {failure}")
        return values.index(max(values))

    @property
    def recipe(self) -> Mapping[str, Any]:
        """All that the best configuration says."""
        return self.configurations[self.best][0].recipe


def summary(found: Sequence[Found]) -> dict[str, Any]:
    """Returns the searches as JSON values: choices, merits, agreement, CPU time."""
    return {
        "criterion": CRITERION,
        "searches": [_described(search) for search in found],
        "cpu_s": sum(t.cpu_s for search in found for t in _trials(search)),
    }


def _described(search: Found) -> dict[str, Any]:
    start, chosen = search.configurations[0][0].recipe, search.recipe
    return {
        "name": search.name,
        "conversations": len(search.train),
        "relationships": len(relationships(search.train)),
        "chosen": search.best,
        "changed": {k: [start[k], chosen[k]] for k in start if start[k] != chosen[k]},
        "agreement": {
            "log_likelihood": agreement(search.configurations, "log_likelihood"),
            "accuracy": agreement(search.configurations, "accuracy"),
        },
        "configurations": [
            {
                "recipe": dict(trials[0].recipe),
                "merit": _values(merit(trials)),
                "inner": [_values(merit([t])) for t in trials],
                "failures": [t.failure for t in trials if t.failure],
            }
            for trials in search.configurations
        ],
        "cpu_s": sum(t.cpu_s for t in _trials(search)),
    }


def agreement(configurations: Sequence[Sequence[Trial]], of: str) -> float | None:
    """Returns how alike inner folds rank configurations by a merit, -1 to 1, 0 for chance.

    Spearman's correlation, in the mean over pairs of inner folds; None where there are too few
    configurations, or one inner fold makes no difference between them.
    """
    judged = [[merit([t]) for t in trials] for trials in configurations]
    kept = [merits for merits in judged if all(merits)]
    if len(kept) < FEWEST_RANKED:
        return None
    from scipy.stats import rankdata

    columns = [rankdata([getattr(m, of) for m in fold]) for fold in zip(*kept, strict=True)]
    if any(np.ptp(ranks) == 0 for ranks in columns):
        return None
    return fmean(float(np.corrcoef(a, b)[0, 1]) for a, b in combinations(columns, 2))


def _trials(search: Found) -> Iterator[Trial]:
    for trials in search.configurations:
        yield from trials


def _values(found: Merit | None) -> dict[str, float] | None:
    return None if found is None else asdict(found)
