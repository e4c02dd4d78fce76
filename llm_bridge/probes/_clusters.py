"""Shares and differences with intervals that draw whole relationships."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from relgraph.intervals import compare, interval, resamples
from relgraph.sums import Floats, Sums

Rows = Sequence[tuple[str, float]]
"""(relationship, value) of each item."""


def mean(rows: Rows, *, seed: int) -> dict[str, Any]:
    """Returns the mean with its 95% interval; `value` is None where there is no item."""
    if not rows:
        return {"value": None, "low": None, "high": None, "n": 0, "relationships": 0}
    names = sorted({name for name, _ in rows})
    sums = _sums(rows, names)
    ends = interval(sums, resamples(len(names), seed=seed)) if len(names) > 1 else None
    low, high = ends or (None, None)
    value = float(sums.at(np.ones(len(names))))
    return {
        "value": value,
        "low": low,
        "high": high,
        "n": len(rows),
        "relationships": len(names),
    }


def rare(rows: Rows, *, seed: int) -> dict[str, Any]:
    """Returns a share as `mean` does, and how large it may be where no item has it.

    The bootstrap of a share of 0 is [0, 0], which says nothing. `upper` is the largest share of
    relationships of which none would be met with a chance of 5%: 1 - 0.05^(1/relationships); None
    where an item has it.
    """
    found, met = mean(rows, seed=seed), {name for name, _ in rows}
    hidden = bool(rows) and not any(value for _, value in rows)
    return found | {"upper": 1 - 0.05 ** (1 / len(met)) if hidden else None}


def difference(first: Rows, second: Rows, *, seed: int) -> dict[str, Any]:
    """Returns the paired difference of two means over the same items, with interval and p."""
    if not first:
        return {"value": None, "low": None, "high": None, "p": None}
    names = sorted({name for name, _ in first})
    found = compare(_sums(first, names), _sums(second, names), seed=seed)
    return {"value": found.difference, "low": found.low, "high": found.high, "p": found.p}


def _sums(rows: Rows, names: Sequence[str]) -> Sums:
    place = {name: k for k, name in enumerate(names)}
    table = np.zeros((len(names), 2))
    for name, value in rows:
        table[place[name]] += (value, 1.0)
    return Sums(table, _ratio)


def _ratio(sums: Floats) -> Floats:
    count = sums[..., 1]
    shares: Floats = np.divide(
        sums[..., 0], count, out=np.full(np.shape(count), np.nan), where=count > 0
    )
    return shares
