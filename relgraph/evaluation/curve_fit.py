"""A learning curve as a power law, and what it says of more training relationships.

Learning curves are often near value = a - b n^-c (Viering and Loog, The shape of learning curves,
2022). Three numbers from a handful of points: an extrapolation is a guess with an interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relgraph.sums import Floats

FEWEST_SIZES = 3
"""Three numbers are fitted."""
EXPONENTS = np.linspace(0.1, 2.0, 381)
"""All that are tried for c, 0.005 apart; a and b are then solved exactly."""


@dataclass(frozen=True, slots=True)
class Law:
    """value = a - b n^-c, or a + b n^-c where lower values are better; b is 0 or more.

    Each is `[curve]`: one law for each of several curves over the same sizes.
    """

    a: Floats
    b: Floats
    c: Floats
    sign: float

    def at(self, size: float) -> Floats:
        """Returns the values at so many training relationships, `[curve]`."""
        values: Floats = self.a - self.sign * self.b * size**-self.c
        return values


def fit(sizes: Sequence[float], values: Floats, *, lower_is_better: bool = False) -> Law:
    """Returns the least-squares power law of each curve, `values[curve, size]`.

    c is in [0.1, 2]; where b is 0 the curve does not rise, a is its mean, and c says nothing.

    Raises:
        ValueError: there are fewer than three different sizes.
    """
    if len(set(sizes)) < FEWEST_SIZES:
        raise ValueError(f"{len(set(sizes))} sizes, at least {FEWEST_SIZES} are needed")
    sign = -1.0 if lower_is_better else 1.0
    curves = sign * np.asarray(values, dtype=float)
    mean = curves.mean(axis=1, keepdims=True)
    away = curves - mean  # [curve, size]
    powers = np.asarray(sizes, dtype=float)[None, :] ** -EXPONENTS[:, None]  # [exponent, size]
    middle = powers.mean(axis=1)
    spread = powers - middle[:, None]
    along = away @ spread.T  # [curve, exponent]
    square = (spread**2).sum(axis=1)
    b = np.maximum(0.0, -along / square)
    error = 2 * b * along + b**2 * square  # less the same sum of squares for every exponent
    best = error.argmin(axis=1)
    rows = np.arange(len(curves))
    chosen = b[rows, best]
    a = mean[:, 0] + chosen * middle[best]
    return Law(sign * a, chosen, EXPONENTS[best], sign)
