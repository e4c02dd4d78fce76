"""Shares and differences with intervals that draw whole relationships."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from relgraph import intervals
from relgraph.sums import means

Rows = Sequence[tuple[str, float]]
"""(relationship, value) of each item."""


def mean(rows: Rows, *, seed: int) -> dict[str, Any]:
    """Returns the mean with its 95% interval; `value` is None where there is no item."""
    if not rows:
        return {"value": None, "low": None, "high": None, "n": 0, "relationships": 0}
    names, values = zip(*rows, strict=True)
    found = intervals.mean(values, names, seed=seed)
    return {**found, "n": len(rows), "relationships": len(set(names))}


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
    one, other = (means([v for _, v in rows], [n for n, _ in rows]) for rows in (first, second))
    found = intervals.compare(one, other, seed=seed)
    return {"value": found.difference, "low": found.low, "high": found.high, "p": found.p}
