"""Weights of rules, learnt: logistic models whose signs are those that the rules claim.

Two forms. Where options are labels, each has weights of its own: a rule speaks for the label it
concludes (weight 0 or more) and against others (0 or less). Where options are people, all
candidates share the weights, and a rule speaks for whom it concludes (0 or more). A wrong sign
cannot be learnt: the bounds of the search exclude it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

FREE = 1e-4
"""Regularisation of the bias: just enough to make it one answer of many equal ones."""

ROUNDS = 400


@dataclass(frozen=True, slots=True)
class Labelled:
    """Instances whose options are labels.

    Attributes:
        inputs: `[instance, feature]`, what each rule says of each instance.
        kinds: `[instance]`, which bias an instance has.
        gold: `[instance]`, the right label.
        own: `[feature]`, the label that each feature speaks for, -1 for none.
        labels: how many there are.
        kind_count: how many kinds there are.
    """

    inputs: Floats
    kinds: Ints
    gold: Ints
    own: Ints
    labels: int
    kind_count: int = 1

    def part(self, rows: Ints | NDArray[np.bool_]) -> Labelled:
        """Returns some of the instances."""
        return Labelled(
            self.inputs[rows],
            self.kinds[rows],
            self.gold[rows],
            self.own,
            self.labels,
            self.kind_count,
        )


@dataclass(frozen=True, slots=True)
class Candidates:
    """Instances whose options are people.

    Attributes:
        inputs: `[instance, candidate, feature]`.
        kinds: `[instance, candidate]`, which bias a candidate has; -1 where there is none.
        gold: `[instance]`, the right candidate.
        kind_count: how many kinds there are.
    """

    inputs: Floats
    kinds: Ints
    gold: Ints
    kind_count: int

    def part(self, rows: Ints | NDArray[np.bool_]) -> Candidates:
        """Returns some of the instances."""
        return Candidates(self.inputs[rows], self.kinds[rows], self.gold[rows], self.kind_count)


@dataclass(frozen=True, slots=True)
class Plan:
    """How to learn.

    Attributes:
        shrinking: how strongly weights are drawn to where they start.
        start: where a rule's own weight starts, before anything is learnt.
        against: whether rules may speak against labels that are not their own.
        balance: how far rare labels count more: the power of their rarity, 0 for not at all, 1 for
            all labels alike. People are never balanced.
    """

    shrinking: float
    start: float = 0.0
    against: bool = True
    balance: float = 0.0


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt.

    Attributes:
        bias: `[kind, label]`, or `[kind]` for candidates.
        weights: `[label, feature]`, or `[feature]` for candidates.
    """

    bias: Floats
    weights: Floats


PLANS = tuple(
    Plan(shrinking, start, against)
    for shrinking in (0.001, 0.004, 0.016, 0.064, 0.256)
    for start in (0.0, 1.0)
    for against in (True, False)
)
"""What inner folds choose among."""

BALANCES = (0.0, 0.2, 0.4, 0.6)
"""What inner folds choose among for a task that is scored by macro-F1 too."""


def chances(learnt: Learnt, of: Labelled | Candidates) -> Floats:
    """Returns the probability of each label or candidate, `[instance, option]`."""
    if isinstance(of, Labelled):
        scores = of.inputs @ learnt.weights.T + learnt.bias[of.kinds]
    else:
        scores = of.inputs @ learnt.weights + learnt.bias[of.kinds]
        scores = np.where(of.kinds >= 0, scores, -np.inf)
    return _softmax(scores)


def learn(of: Labelled | Candidates, plan: Plan) -> Learnt:
    """Returns the weights that make the right answers most probable, within their bounds."""
    return _learn_labels(of, plan) if isinstance(of, Labelled) else _learn_people(of, plan)


def choose(of: Labelled | Candidates, parts: Ints, plans: Sequence[Plan] = PLANS) -> Plan:
    """Returns the plan under which held-out instances are least surprising.

    Args:
        of: the training instances.
        parts: `[instance]`, which are held out together.
        plans: to choose from; without at least two parts the first is taken.
    """
    folds = np.unique(parts)
    if len(folds) < 2:
        return plans[0]
    tried = [plan for plan in plans if isinstance(of, Labelled) or plan.against]
    held = [of.gold[parts == k] for k in folds]
    losses = [
        sum(_surprise(*pair) for pair in zip(_held_out(of, parts, plan), held, strict=True))
        for plan in tried
    ]
    return tried[int(np.argmin(losses))]


def choose_balance(
    groups: Sequence[tuple[Labelled, Ints, Plan]], balances: Sequence[float] = BALANCES
) -> float:
    """Returns one balance for all groups: of the largest sum of accuracy and macro-F1, held out.

    The smaller one where two are equal. Equal labels of two groups are two classes.

    Args:
        groups: training instances, which are held out together, and the plan chosen for them.
        balances: to choose from.
    """
    groups = [g for g in groups if len(np.unique(g[1])) > 1]
    if not groups:
        return balances[0]
    gold = _joined([[of.gold[parts == k] for k in np.unique(parts)] for of, parts, _ in groups])
    worth = []
    for balance in balances:
        held = [_held_out(of, p, replace(plan, balance=balance)) for of, p, plan in groups]
        worth.append(_worth(_joined([[c.argmax(1) for c in own] for own in held]), gold))
    return balances[int(np.argmax(worth))]


def _joined(groups: Sequence[Sequence[Ints]]) -> Ints:
    """Returns the labels of all groups, those of each group with numbers of their own."""
    return np.concatenate([np.concatenate(own) + 1000 * k for k, own in enumerate(groups)])


def _held_out(of: Labelled | Candidates, parts: Ints, plan: Plan) -> list[Floats]:
    """Returns what is said of each held-out part by what the others taught."""
    return [
        chances(learn(of.part(parts != k), plan), of.part(parts == k)) for k in np.unique(parts)
    ]


def _worth(said: Ints, gold: Ints) -> float:
    """Returns accuracy plus macro-F1 over the labels that are right somewhere."""
    f1 = []
    for label in np.unique(gold):
        hit = int(((said == label) & (gold == label)).sum())
        f1.append(2 * hit / (int((said == label).sum()) + int((gold == label).sum())))
    return float((said == gold).mean() + np.mean(f1))


def _surprise(said: Floats, gold: Ints) -> float:
    return float(-np.log(np.maximum(said[np.arange(len(gold)), gold], 1e-6)).sum())


def _learn_labels(of: Labelled, plan: Plan) -> Learnt:
    n, features = of.inputs.shape
    shape, kinds = (of.labels, features), np.eye(of.kind_count)[of.kinds]
    mine = np.arange(of.labels)[:, None] == of.own[None]
    start = np.where(mine, plan.start, 0.0)
    low = np.where(mine, 0.0, -np.inf if plan.against else 0.0)
    high = np.where(mine, np.inf, 0.0)
    size = of.kind_count * of.labels
    often = np.bincount(of.gold, minlength=of.labels).astype(np.float64)
    count = (1.0 / np.maximum(often, 1.0) ** plan.balance)[of.gold]
    count /= count.sum()

    def loss(theta: Floats) -> tuple[float, Floats]:
        bias, weights = theta[:size].reshape(-1, of.labels), theta[size:].reshape(shape)
        said = _softmax(of.inputs @ weights.T + bias[of.kinds])
        value = -(count * np.log(np.maximum(said[np.arange(n), of.gold], 1e-12))).sum()
        said[np.arange(n), of.gold] -= 1
        said *= count[:, None]
        off = weights - start
        value += plan.shrinking * (off**2).sum() + FREE * (bias**2).sum()
        to_weights = said.T @ of.inputs + 2 * plan.shrinking * off
        to_bias = kinds.T @ said + 2 * FREE * bias
        return float(value), np.concatenate([to_bias.ravel(), to_weights.ravel()])

    theta = _search(
        loss,
        np.concatenate([np.zeros(size), start.ravel()]),
        _bounds(size, low.ravel(), high.ravel()),
    )
    return Learnt(theta[:size].reshape(-1, of.labels), theta[size:].reshape(shape))


def _learn_people(of: Candidates, plan: Plan) -> Learnt:
    n, features = len(of.gold), of.inputs.shape[2]
    there = of.kinds >= 0
    kinds = np.eye(of.kind_count)[np.maximum(of.kinds, 0)] * there[..., None]
    size = of.kind_count

    def loss(theta: Floats) -> tuple[float, Floats]:
        bias, weights = theta[:size], theta[size:]
        said = _softmax(np.where(there, of.inputs @ weights + kinds @ bias, -np.inf))
        value = -np.log(np.maximum(said[np.arange(n), of.gold], 1e-12)).mean()
        said[np.arange(n), of.gold] -= 1
        off = weights - plan.start
        value += plan.shrinking * (off**2).sum() + FREE * (bias**2).sum()
        to_weights = np.einsum("no,nof->f", said, of.inputs) / n + 2 * plan.shrinking * off
        to_bias = np.einsum("no,nok->k", said, kinds) / n + 2 * FREE * bias
        return float(value), np.concatenate([to_bias, to_weights])

    start = np.concatenate([np.zeros(size), np.full(features, plan.start)])
    theta = _search(loss, start, _bounds(size, np.zeros(features), np.full(features, np.inf)))
    return Learnt(theta[:size], theta[size:])


def _bounds(free: int, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    return (
        np.concatenate([np.full(free, -np.inf), low]),
        np.concatenate([np.full(free, np.inf), high]),
    )


def _search(
    loss: Callable[[Floats], tuple[float, Floats]], start: Floats, bounds: tuple[Floats, Floats]
) -> Floats:
    from scipy.optimize import Bounds, minimize

    found = minimize(
        loss,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=Bounds(*bounds),
        options={"maxiter": ROUNDS, "ftol": 1e-9},
    )
    # the search may step over a bound by the last digit
    return np.clip(np.asarray(found.x, np.float64), *bounds)


def _softmax(scores: Floats) -> Floats:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    found: Floats = raised / raised.sum(axis=1, keepdims=True)
    return found
