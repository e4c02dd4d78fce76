"""Linear models with strong shrinkage, learnt by L-BFGS: labels of scenarios, and candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relgraph.baselines._interaction.reading import Floats

FREE = 1e-3
"""Shrinkage of what is left nearly free: how frequent a label is."""

BIAS = 3.0
FARTHEST = 5.0
"""Standard deviations from the training mean at which an input is cut off."""

LEAST_SPREAD = 0.05
FORBIDDEN = -1e9


@dataclass(frozen=True, slots=True)
class Scale:
    """How raw columns become inputs: each block has the same say, times its weight.

    Attributes:
        mean: `[column]`.
        spread: `[column]`, standard deviations, 1 for a constant column.
        weight: `[column]`, 0 for a constant column.
    """

    mean: Floats
    spread: Floats
    weight: Floats

    def of(self, rows: Floats) -> Floats:
        """Returns the rows `[..., column]` as inputs."""
        raw = np.clip((rows - self.mean) / self.spread, -FARTHEST, FARTHEST)
        scaled: Floats = (raw * self.weight).astype(np.float32)
        return scaled


def scale_of(rows: Floats, widths: Sequence[int], weights: Sequence[float]) -> Scale:
    """Returns the scale of training rows `[row, column]` whose blocks are `widths` columns wide."""
    spread = rows.std(axis=0)
    varies = spread > 1e-6
    weight = np.zeros(rows.shape[1], np.float32)
    first = 0
    for width, counts in zip(widths, weights, strict=True):
        here = slice(first, first + width)
        weight[here] = varies[here] * counts / np.sqrt(max(1, int(varies[here].sum())))
        first += width
    return Scale(
        mean=rows.mean(axis=0).astype(np.float32),
        spread=np.where(varies, np.maximum(spread, LEAST_SPREAD), 1).astype(np.float32),
        weight=weight,
    )


@dataclass(frozen=True, slots=True)
class Shrinking:
    """How strongly weights are held small.

    Attributes:
        shared: of the weights that scenarios share.
        own: how many times stronger of what is added to them for one scenario.
        balance: power of a label's frequency that its rows are divided by; 0 leaves them.
    """

    shared: float
    own: float = 3.0
    balance: float = 0.0


def by_scenario(inputs: Floats, scenario: NDArray[np.intp], count: int) -> Floats:
    """Returns the inputs, then the same for each scenario alone, then one column a scenario."""
    alone = [inputs * (scenario == k)[:, None] for k in range(count)]
    bias = BIAS * np.eye(count, dtype=np.float32)[scenario]
    return np.concatenate([inputs, *alone, bias], axis=1).astype(np.float32)


def fit_labels(
    inputs: Floats,
    scenario: NDArray[np.intp],
    gold: NDArray[np.intp],
    allowed: NDArray[np.bool_],
    shrinking: Shrinking,
) -> Floats:
    """Returns `[scenario, column + 1, label]`: weights, and the bias in the last row.

    A label that scenarios share has weights that they share, and a smaller part of their own.

    Args:
        inputs: `[row, column]`.
        scenario: `[row]`.
        gold: `[row]`, a label.
        allowed: `[scenario, label]`.
        shrinking: how strongly.
    """
    count, labels = allowed.shape
    columns = inputs.shape[1]
    x = by_scenario(inputs, scenario, count)
    own = np.full(columns * count, shrinking.shared * shrinking.own)
    held = np.concatenate([np.full(columns, shrinking.shared), own, np.full(count, FREE)])
    share = _balance(gold, scenario, shrinking.balance)
    share = (share / share.sum()).astype(np.float32)
    barred = np.where(allowed, 0, FORBIDDEN).astype(np.float32)[scenario]
    wanted = np.eye(labels, dtype=np.float32)[gold]
    row = np.arange(len(gold))

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        w = flat.reshape(-1, labels).astype(np.float32)
        log = _log_softmax(x @ w + barred)
        value = -float((share * log[row, gold]).sum()) + 0.5 * float((held[:, None] * w * w).sum())
        slope = x.T @ ((np.exp(log) - wanted) * share[:, None]) + held[:, None] * w
        return value, slope.ravel().astype(np.float64)

    found = _least(loss, x.shape[1] * labels).reshape(-1, labels)
    shared, rest = found[:columns], found[columns:]
    alone, bias = rest[: columns * count].reshape(count, columns, labels), rest[columns * count :]
    return np.concatenate([shared + alone, BIAS * bias[:, None]], axis=1).astype(np.float32)


def fit_candidates(
    inputs: Floats, there: NDArray[np.bool_], gold: NDArray[np.intp], shrinking: float
) -> Floats:
    """Returns `[column]`: weights by which one of several candidates is chosen.

    Args:
        inputs: `[row, candidate, column]`, padded.
        there: `[row, candidate]`, whether there is such a candidate.
        gold: `[row]`, the right one.
        shrinking: of all weights.
    """
    rows, most, columns = inputs.shape
    flat_inputs = inputs.reshape(rows * most, columns)
    barred = np.where(there, 0, FORBIDDEN).astype(np.float32)
    row = np.arange(rows)

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = (flat_inputs @ flat.astype(np.float32)).reshape(rows, most) + barred
        log = _log_softmax(scores)
        value = -float(log[row, gold].mean()) + 0.5 * shrinking * float(flat @ flat)
        off = np.exp(log)
        off[row, gold] -= 1
        slope = flat_inputs.T @ (off.ravel() / rows).astype(np.float32)
        return value, slope.astype(np.float64) + shrinking * flat

    return _least(loss, columns).astype(np.float32)


def chances(scores: Floats) -> NDArray[np.float64]:
    """Returns probabilities `[..., label]` for scores, summing to 1."""
    raised = np.exp(scores.astype(np.float64) - scores.max(axis=-1, keepdims=True))
    found: NDArray[np.float64] = raised / raised.sum(axis=-1, keepdims=True)
    return found


def _balance(
    gold: NDArray[np.intp], scenario: NDArray[np.intp], power: float
) -> NDArray[np.float64]:
    """Returns weights by how rare a label is in its scenario; their mean in a scenario is 1."""
    out = np.ones(len(gold))
    for k in set(scenario.tolist()):
        here = scenario == k
        own = np.bincount(gold[here])[gold[here]] ** -float(power)
        out[here] = own / own.mean()
    return out


def _log_softmax(scores: Floats) -> Floats:
    off = scores - scores.max(axis=1, keepdims=True)
    found: Floats = off - np.log(np.exp(off).sum(axis=1, keepdims=True))
    return found


def _least(loss: object, size: int) -> NDArray[np.float64]:
    from scipy.optimize import minimize

    found = minimize(
        loss, np.zeros(size), jac=True, method="L-BFGS-B",
        options={"maxiter": 300, "ftol": 1e-8, "gtol": 1e-6},
    )  # fmt: skip
    least: NDArray[np.float64] = found.x
    return least
