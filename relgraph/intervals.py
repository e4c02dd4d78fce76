"""How sure a figure is: intervals and comparisons that resample whole relationships.

Instances of one couple or family are not independent; with a few dozen relationships the interval
over instances would be far too narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from relgraph.sums import Floats, Measure, Sums, means, over_seeds

RESAMPLES = 2000
FLIPS = 9999
EXACT_UP_TO = 12
"""With so many relationships or fewer, all 2^n sign patterns are tried instead of a sample."""
TIE = 1e-12


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two approaches on the same instances.

    Attributes:
        difference: first minus second.
        low: lower end of the 95% bootstrap interval of the difference, None for one relationship.
        high: its upper end.
        p: two-sided sign-flip p-value before correction, None for one relationship.
    """

    difference: float
    low: float | None
    high: float | None
    p: float | None


def resamples(relationships: int, *, seed: int, count: int = RESAMPLES) -> Floats:
    """Returns how often each relationship is drawn, `[resample, relationship]`.

    Each resample draws as many relationships as there are, with replacement (the cluster
    bootstrap of Field and Welsh, 2007).
    """
    share = np.full(relationships, 1 / relationships)
    drawn = np.random.default_rng(seed).multinomial(relationships, share, size=count)
    return drawn.astype(float)


def interval(measure: Measure, drawn: Floats) -> tuple[float, float] | None:
    """Returns the 95% percentile interval of a metric over resamples of relationships.

    Resamples in which the metric is not defined are left out; None when there is one relationship
    or when fewer than half of the resamples define it.
    """
    return _middle(measure.at(drawn))


def mean(values: Sequence[float], units: Sequence[str], *, seed: int) -> dict[str, float | None]:
    """Returns the mean as `value`, and `low` and `high` of its interval over units.

    Args:
        values: one or more.
        units: the relationship of each; of one alone there is no interval.
        seed: of the resamples.
    """
    of, count = means(values, units), len(set(units))
    ends = interval(of, resamples(count, seed=seed)) if count > 1 else None
    low, high = ends or (None, None)
    return {"value": float(of.at(np.ones(count))), "low": low, "high": high}


def _middle(values: Floats) -> tuple[float, float] | None:
    defined = values[np.isfinite(values)]
    if len(defined) * 2 < len(values) or not len(defined):
        return None
    low, high = np.percentile(defined, [2.5, 97.5])
    return float(low), float(high)


def compare(first: Sums, second: Sums, *, seed: int) -> Comparison:
    """Returns the paired comparison of two approaches whose tables hold the same instances.

    The null hypothesis is that, within a relationship, it is chance which approach gave which
    answers: signs are flipped by swapping both tables' rows of a relationship (for a mean that is
    the sign-flip test on sums of differences, for F1 its generalisation). All patterns are tried
    for up to 12 relationships, else 9,999 random ones and the observed one.

    With several training seeds a relationship is swapped in all of them at once, and what is
    compared is the mean over the seeds: an approach that has one table has it at every seed.
    """
    n = first.table.shape[-2]
    ones = np.ones(n)
    difference = float(first.at(ones) - second.at(ones))
    present = np.flatnonzero(_answered(first.table) | _answered(second.table))
    if len(present) < 2:
        return Comparison(difference, None, None, None)
    a = Sums(first.table[..., present, :], first.value)
    b = Sums(second.table[..., present, :], second.value)
    drawn = resamples(len(present), seed=seed)
    ends = _middle(a.at(drawn) - b.at(drawn))
    flips = _flips(len(present), seed=seed)
    one, other = flips @ a.table + (1 - flips) @ b.table, flips @ b.table + (1 - flips) @ a.table
    swapped = over_seeds(a.value(one) - a.value(other), one)
    as_far = np.abs(swapped[np.isfinite(swapped)]) >= abs(difference) - TIE
    low, high = ends or (None, None)
    return Comparison(difference, low, high, float(as_far.mean()))


def _answered(table: Floats) -> NDArray[np.bool_]:
    """Returns whether a table says something of each relationship, at any seed."""
    said = np.abs(table).sum(axis=-1).reshape(-1, table.shape[-2]).sum(axis=0)
    return np.asarray(said > 0)


def _flips(n: int, *, seed: int) -> Floats:
    """Returns which relationships are swapped, `[pattern, relationship]`, the first none."""
    if n <= EXACT_UP_TO:
        return np.array(list(product((1.0, 0.0), repeat=n)))
    drawn = np.random.default_rng(seed).integers(0, 2, size=(FLIPS, n)).astype(float)
    return np.vstack([np.ones((1, n)), drawn])


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Returns the p-values corrected for their number (Holm, 1979), in the order given."""
    order = sorted(range(len(p_values)), key=lambda k: p_values[k])
    corrected, floor = [0.0] * len(p_values), 0.0
    for place, k in enumerate(order):
        floor = max(floor, min(1.0, p_values[k] * (len(p_values) - place)))
        corrected[k] = floor
    return tuple(corrected)
