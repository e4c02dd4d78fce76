"""Figures as sums over relationships: one formula for all of them, one of them, or a resample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
TABLE_AXES = 2
"""Of a metric's table; with one more, the first is that of training seeds."""


class Measure(Protocol):
    """A metric on given items."""

    def at(self, weights: Floats) -> Floats:
        """Returns the metric where relationship r counts `weights[..., r]` times; NaN if none."""
        ...


@dataclass(frozen=True, slots=True)
class Sums:
    """A metric that is a function of sums: `table[relationship, part]`.

    With several training seeds it is `table[seed, relationship, part]`, and the metric is the mean
    over the seeds; where one of them does not define it, it is not defined.
    """

    table: Floats
    value: Callable[[Floats], Floats]

    def at(self, weights: Floats) -> Floats:
        """Returns the metric at weights of relationships, `[..., relationship] -> [...]`."""
        return over_seeds(self.value(weights @ self.table), self.table)


def means(values: Sequence[float], units: Sequence[str]) -> Sums:
    """Returns the mean of values; a row for each unit that one belongs to, in order of name."""
    names, rows = np.unique(units, return_inverse=True)
    table = np.zeros((len(names), 2))
    np.add.at(table, rows, [(value, 1.0) for value in values])
    return Sums(table, lambda t: ratio(t[..., 0], t[..., 1]))


def ratio(above: Floats, below: Floats) -> Floats:
    """Returns the quotient, NaN where there is nothing to divide by."""
    above, below = np.asarray(above, dtype=float), np.asarray(below, dtype=float)
    quotient: Floats = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    return quotient


def over_seeds(values: Floats, table: Floats) -> Floats:
    """Returns the mean over the seeds, the first axis of `values` where `table` has one."""
    return values.mean(axis=0) if table.ndim > TABLE_AXES else values
