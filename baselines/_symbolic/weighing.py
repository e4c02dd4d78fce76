"""Weights learnt for the rules of each task, and answers that weigh what the rules said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from relgraph.baselines._symbolic.answers import SHOWN, proofs, ranked
from relgraph.baselines._symbolic.firings import Said, Stand, left, speaks_for
from relgraph.baselines._symbolic.learning import (
    Candidates,
    Labelled,
    Learnt,
    Plan,
    choose,
    choose_balance,
    learn,
)
from relgraph.baselines._symbolic.table import (
    POOLED,
    Columns,
    columns_for,
    kind_of,
    row,
    table,
)
from relgraph.reasoning import RuleSet
from relgraph.reasoning.weights import Weighing
from relgraph.records import Instance, Prediction

Floats = NDArray[np.float64]

BALANCED = frozenset({"rpp"})
"""Tasks that are scored by macro-F1 too: their rare labels may count more in training."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A training instance with its answer.

    Attributes:
        instance: the instance.
        gold: its answer.
        stand: what the rules said along it.
        part: which inner part its relationship is in.
    """

    instance: Instance
    gold: str
    stand: Stand
    part: int


@dataclass(frozen=True, slots=True)
class Scale:
    """The weights of one task and scenario.

    Attributes:
        columns: what they belong to.
        kinds: of instances, in the order of the biases.
        learnt: bias and weights.
        plan: how they were learnt, as chosen on held-out relationships.
    """

    columns: Columns
    kinds: tuple[str, ...]
    learnt: Learnt
    plan: Plan | None = None


def key_of(instance: Instance) -> tuple[str, str]:
    """Returns which weights an instance is weighed by: its task, and its scenario or ""."""
    task = instance.task
    return task, "" if task in POOLED else instance.conversation.scenario


def weigh(asked: Sequence[Asked], rules: RuleSet) -> dict[tuple[str, str], Scale]:
    """Returns weights for every task and scenario that the training instances have."""
    groups: dict[tuple[str, str], list[Asked]] = {}
    for one in asked:
        if one.gold in one.instance.options:
            groups.setdefault(key_of(one.instance), []).append(one)
    lessons = {key: _lesson(columns_for(*key, rules), groups[key]) for key in sorted(groups)}
    for task in BALANCED:
        own = [key for key in lessons if key[0] == task]
        made = [(of, lessons[k].parts, lessons[k].plan) for k in own
                if isinstance(of := lessons[k].of, Labelled)]  # fmt: skip
        balance = choose_balance(made)
        for key in own:
            lessons[key] = replace(lessons[key], plan=replace(lessons[key].plan, balance=balance))
    return {
        key: Scale(x.columns, x.kinds, learn(x.of, x.plan), x.plan) for key, x in lessons.items()
    }


@dataclass(frozen=True, slots=True)
class _Lesson:
    columns: Columns
    kinds: tuple[str, ...]
    of: Labelled | Candidates
    parts: NDArray[np.intp]
    plan: Plan


def _lesson(columns: Columns, asked: Sequence[Asked]) -> _Lesson:
    kinds = tuple(sorted({k for one in asked for k in _kinds(one.instance)}))
    stands, instances = [a.stand for a in asked], [a.instance for a in asked]
    of = table(columns, stands, instances, [a.gold for a in asked], kinds)
    parts = np.array([a.part for a in asked], np.intp)
    return _Lesson(columns, kinds, of, parts, choose(of, parts))


def _kinds(instance: Instance) -> Iterator[str]:
    if instance.task == "stp":
        yield from (kind_of(instance, option) for option in instance.options)
    else:
        yield kind_of(instance)


def rank(scale: Scale, stand: Stand, instance: Instance) -> Prediction:
    """Returns the options by what the rules said, weighed; with the proofs that decided."""
    inputs = row(scale.columns, stand, instance)
    people = scale.columns.task == "stp"
    options = instance.options if people else scale.columns.options
    if people:
        bias = [_bias(scale, kind_of(instance, o)) for o in options]
        scores = inputs @ scale.learnt.weights + np.array(bias)
    else:
        scores = scale.learnt.weights @ inputs + _bias(scale, kind_of(instance))
    raised = np.exp(scores - scores.max())
    said = dict(zip(options, (raised / raised.sum()).tolist(), strict=True))
    ranking = ranked(instance, said)
    return Prediction(
        instance.id,
        ranking=ranking,
        probabilities=tuple(said[o] for o in ranking),
        because=tuple(_because(scale, stand, instance, inputs, ranking)),
    )


def _bias(scale: Scale, kind: str) -> Floats:
    """Returns the bias of a kind; 0 for a kind that training did not have."""
    if kind in scale.kinds:
        found: Floats = scale.learnt.bias[scale.kinds.index(kind)]
        return found
    return np.zeros(scale.learnt.bias.shape[1:])


def _because(
    scale: Scale, stand: Stand, instance: Instance, inputs: Floats, ranking: Sequence[str]
) -> Iterator[str]:
    """Yields what put the first answer before the second: rule, weight, proof."""
    columns, weights = scale.columns, scale.learnt.weights
    first, second = ranking[0], ranking[min(1, len(ranking) - 1)]
    if columns.task == "stp":
        a, b = (instance.options.index(o) for o in (first, second))
        worth = weights * (inputs[a] - inputs[b])
    else:
        a, b = (columns.options.index(o) for o in (first, second))
        worth = (weights[a] - weights[b]) * inputs
    by_rule = worth.reshape(len(columns.rules), -1).sum(axis=1)
    best = [k for k in np.argsort(-by_rule, kind="stable")[:SHOWN] if by_rule[k] > 0]
    for k in best:
        rule = columns.rules[k]
        parts = zip(_apart(scale, int(k), a, b), columns.half_lives, strict=True)
        learnt = " and ".join(f"{w:.2f} (half-life {h:g})" for w, h in parts)
        yield f"{by_rule[k]:+.2f} for {first} over {second}: {rule}, learnt weight {learnt}"
        person = first if columns.task == "stp" else ""
        yield from proofs(stand, _latest(stand, instance, rule, person))
    if not best:
        yield f"no rule speaks for {first} over {second}: how often it is right in training"


def _apart(scale: Scale, rule: int, first: int, second: int) -> Floats:
    """Returns a rule's weights for one label over another, or for a person over another."""
    mine = _weights(scale, rule, first)
    alone = scale.learnt.weights.ndim == 1 or first == second
    return mine if alone else mine - _weights(scale, rule, second)


def _weights(scale: Scale, rule: int, option: int) -> Floats:
    width = len(scale.columns.half_lives)
    part = slice(rule * width, (rule + 1) * width)
    weights = scale.learnt.weights
    found: Floats = weights[part] if weights.ndim == 1 else weights[option, part]
    return found


def _latest(stand: Stand, instance: Instance, rule: str, option: str) -> list[Said]:
    """Returns the firing of a rule that counts most at the cut."""
    turns = instance.conversation.turns
    cut = turns[-1].index if turns else 0
    known = [s for s in stand.known(instance.task, cut) if s.rule == rule]
    meant = ((s, speaks_for(s, instance)) for s in known)
    found = [s for s, whom in meant if whom and option in ("", whom)]
    return sorted(found, key=lambda s: -left([s], cut=cut, half_life=3.0))[:1]


def as_weighing(scale: Scale) -> Weighing:
    """Returns the weights as they stand in a file."""
    columns, learnt = scale.columns, scale.learnt
    options = columns.options or ("",)
    return Weighing(
        task=columns.task,
        scenario=columns.scenario,
        half_lives=columns.half_lives,
        options=columns.options,
        bias={
            kind: tuple(np.atleast_1d(learnt.bias[k]).tolist())
            for k, kind in enumerate(scale.kinds)
        },
        weights={
            rule: {
                option: tuple(_weights(scale, k, j).tolist()) for j, option in enumerate(options)
            }
            for k, rule in enumerate(columns.rules)
        },
    )


def of_weighing(weighing: Weighing, rules: RuleSet) -> Scale:
    """Returns the scale that `as_weighing` wrote.

    Raises:
        ValueError: rules, labels or half-lives are not those in use.
    """
    columns = columns_for(weighing.task, weighing.scenario, rules)
    if (columns.options, columns.half_lives) != (weighing.options, weighing.half_lives):
        raise ValueError(f"task {weighing.task}: its labels or half-lives are others")
    if set(columns.rules) != set(weighing.weights):
        raise ValueError(f"task {weighing.task}: it weighs other rules than answer the task")
    kinds = tuple(weighing.bias)
    options = columns.options or ("",)
    bias = np.array([weighing.bias[kind] for kind in kinds])
    weights = np.array(
        [
            [x for rule in columns.rules for x in weighing.weights[rule].get(option, ())]
            for option in options
        ]
    )
    _refuse_wrong_signs(columns, weights)
    if not columns.options:
        return Scale(columns, kinds, Learnt(bias[:, 0], weights[0]))
    return Scale(columns, kinds, Learnt(bias, weights))


def _refuse_wrong_signs(columns: Columns, weights: Floats) -> None:
    if columns.options:
        mine = np.arange(len(columns.options))[:, None] == np.array(columns.own)[None]
        wrong = np.where(mine, weights < 0, weights > 0)
    else:
        wrong = weights < 0
    if wrong.any():
        column = int(np.argwhere(wrong)[0][1])
        rule = columns.rules[column // len(columns.half_lives)]
        raise ValueError(f"task {columns.task}: rule {rule} has a weight of the wrong sign")
