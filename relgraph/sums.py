"""Figures as sums over relationships: one formula for all of them, one of them, or a resample."""

from __future__ import annotations

from collections.abc import Callable
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


def over_seeds(values: Floats, table: Floats) -> Floats:
    """Returns the mean over the seeds, the first axis of `values` where `table` has one."""
    return values.mean(axis=0) if table.ndim > TABLE_AXES else values
