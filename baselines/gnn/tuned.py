"""What a finished search says: its choice, how far that differs, and how sure it can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from statistics import fmean
from typing import Any

import numpy as np

from relgraph.baselines.gnn.trials import Merit, Trial, merit
from relgraph.errors import RunError
from relgraph.records import Conversation
from relgraph.splits import relationships

CRITERION = "log-likelihood of the right answers on inner folds, mean of RPP, SSP, STP and ITP"
AGREEMENTS = (
    ("log_likelihood", "log_likelihood"),
    ("log_likelihood", "accuracy"),
    ("accuracy", "accuracy"),
)
"""What a search tells of how far it can be trusted."""

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
            f"{of}_to_{to}": agreement(search.configurations, of, to) for of, to in AGREEMENTS
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


def agreement(configurations: Sequence[Sequence[Trial]], of: str, to: str) -> float | None:
    """Returns how alike inner folds rank configurations, -1 to 1, 0 for chance.

    That is Spearman's correlation of the merit `of` on one inner fold with the merit `to` on
    another, in the mean over pairs; None where there are too few configurations, or an inner fold
    makes no difference between them.
    """
    judged = [[merit([t]) for t in trials] for trials in configurations]
    kept = [merits for merits in judged if all(merits)]
    if len(kept) < FEWEST_RANKED:
        return None
    from scipy.stats import rankdata

    ranks = {
        name: [rankdata([getattr(m, name) for m in fold]) for fold in zip(*kept, strict=True)]
        for name in (of, to)
    }
    if any(np.ptp(column) == 0 for columns in ranks.values() for column in columns):
        return None
    pairs = permutations(range(len(ranks[of])), 2)
    return fmean(float(np.corrcoef(ranks[of][a], ranks[to][b])[0, 1]) for a, b in pairs)


def _trials(search: Found) -> Iterator[Trial]:
    for trials in search.configurations:
        yield from trials


def _values(found: Merit | None) -> dict[str, float] | None:
    return None if found is None else asdict(found)
