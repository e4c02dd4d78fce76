"""How large a difference this data could show, and how much data the one seen would need."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from relgraph.intervals import EXACT_UP_TO, FLIPS, TIE
from relgraph.sums import Measure

LEVEL = 0.05
POWER = 0.8
MOST_RELATIONSHIPS = 1_000_000


def spread(first: Measure, second: Measure, clusters: int) -> float | None:
    """Returns the standard error of a paired difference when relationships are drawn anew.

    The jackknife over relationships (Efron and Tibshirani, 1993, ch. 11):
    sqrt((R - 1) / R * sum((D_r - mean D_r)^2)) with D_r the difference without relationship r. For
    a mean over equally many instances each it is s / sqrt(R), s the standard deviation of the
    relationships' own differences. None for one relationship or where it is not defined.
    """
    present = _present(first, second, clusters)
    count = int(present.sum())
    if count < 2:
        return None
    weights = (present - np.eye(clusters))[present > 0]
    without = first.at(weights) - second.at(weights)
    if not np.isfinite(without).all():
        return None
    return float(sqrt((count - 1) / count * np.square(without - without.mean()).sum()))


def _present(first: Measure, second: Measure, clusters: int) -> np.ndarray[Any, Any]:
    """Returns 1.0 for each relationship that has instances, else 0.0."""
    alone = np.eye(clusters)
    return np.asarray(np.isfinite(first.at(alone)) | np.isfinite(second.at(alone)), dtype=float)


def detectable(error: float, relationships: int, *, level: float = LEVEL) -> float:
    """Returns the least difference that a two-sided test at `level` finds with 80% power.

    (t(1 - level / 2) + t(0.8)) * error with R - 1 degrees of freedom: the minimum detectable effect
    of Bloom (1995), Evaluation Review 19(5), for a paired design whose units are relationships.
    """
    from scipy.special import stdtrit  # the quantiles alone: scipy.stats takes seconds to import

    free = relationships - 1
    return float((stdtrit(free, 1 - level / 2) + stdtrit(free, POWER)) * error)


def needed(
    difference: float, error: float, relationships: int, *, level: float = LEVEL
) -> int | None:
    """Returns how many relationships like these would show a difference of this size.

    The least R for which `detectable` is no more than the difference, the standard error shrinking
    with the root of R. None where no number up to a million would do.
    """
    one = error * sqrt(relationships)
    size = abs(difference)

    def enough(count: int) -> bool:
        return detectable(one / sqrt(count), count, level=level) <= size

    low, high = 1, 2
    while not enough(high):
        low, high = high, 2 * high
        if high > MOST_RELATIONSHIPS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def least_p(relationships: int) -> float:
    """Returns the smallest p-value that the sign-flip test can give with so many relationships."""
    if relationships <= EXACT_UP_TO:
        return float(2.0 ** (1 - relationships))
    return 1 / (FLIPS + 1)


def power_of(
    first: Measure, second: Measure, clusters: int, *, difference: float, tests: int
) -> dict[str, Any] | None:
    """Returns the power line of a difference; None where its spread is not known.

    It is not known either where all relationships have the same difference, such as none at all: so
    few answers differ then that nothing is learnt of how far others would.

    Args:
        first: a metric of the first arm.
        second: of the second.
        clusters: number of relationships that the measures count.
        difference: what was seen.
        tests: how many tests share the level; Holm asks the smallest p-value for level / tests.
    """
    error = spread(first, second, clusters)
    count = int(_present(first, second, clusters).sum())
    if error is None or error < TIE:
        return None
    return {
        "standard_error": error,
        "relationships": count,
        "level": LEVEL,
        "power": POWER,
        "detectable": detectable(error, count),
        "detectable_of_all_tests": detectable(error, count, level=LEVEL / max(1, tests)),
        "tests": tests,
        "needed_relationships": needed(difference, error, count),
        "least_p": least_p(count),
    }
