"""What the rules said, as numbers to learn weights from: one row an instance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relgraph.baselines._symbolic.firings import Said, Stand, left, share, speaks_for
from relgraph.baselines._symbolic.learning import Candidates, Floats, Labelled
from relgraph.labels import NO, YES, patterns, strategies
from relgraph.reasoning import RuleSet
from relgraph.records import Instance

HALF_LIVES: dict[str, tuple[float, float]] = {
    "rpp": (3.0, 12.0),
    "ssp": (1.0, 6.0),
    "stp": (0.5, 6.0),
    "itp": (0.5, 6.0),
}
"""Turns after which what a rule said counts half, short and long; each has a weight of its own.

The short one asks whether it was said just now (`left`), the long one how much of late (`share`).
"""

MEASURES = (left, share)
"""What goes with the short and with the long half-life."""

TASKS = tuple(HALF_LIVES)
POOLED = frozenset({"stp", "itp"})
"""Tasks whose rules are the same in all scenarios, and so are their weights."""


@dataclass(frozen=True, slots=True)
class Columns:
    """What the numbers of a row stand for.

    Attributes:
        task: name of the task.
        scenario: of the instances; "" for all.
        options: the labels; () where options are people.
        rules: ids; each has one column a half-life, side by side.
        heads: of the rules.
        half_lives: in turns.
    """

    task: str
    scenario: str
    options: tuple[str, ...]
    rules: tuple[str, ...]
    heads: tuple[str, ...]
    half_lives: tuple[float, ...]

    @property
    def count(self) -> int:
        """Returns how many columns there are."""
        return len(self.rules) * len(self.half_lives)

    @property
    def own(self) -> list[int]:
        """Returns which option each column speaks for; -1 for none."""
        options = {option: k for k, option in enumerate(self.options)}
        return [options.get(head, -1) for head in self.heads for _ in self.half_lives]


def columns_for(task: str, scenario: str, rules: RuleSet) -> Columns:
    """Returns the columns of the rules that answer a task in a scenario ("" for all)."""
    options = {"rpp": patterns(scenario), "ssp": strategies(scenario), "itp": (YES, NO)}
    own = rules.for_scenario(scenario) if scenario else rules
    found = [r for pack in own.packs if task in pack.answers for r in pack.rules]
    return Columns(
        task=task,
        scenario=scenario,
        options=options.get(task, ()),
        rules=tuple(r.id for r in found),
        heads=tuple(r.head for r in found),
        half_lives=HALF_LIVES[task],
    )


def kind_of(instance: Instance, option: str = "") -> str:
    """Returns which bias an instance (STP: one of its people) has."""
    conversation = instance.conversation
    if instance.task == "stp":
        who = "group" if option == conversation.group else "person"
        return f"{conversation.scenario} {who}".strip()
    if instance.task == "ssp":
        return "group" if instance.target == conversation.group else "person"
    return conversation.scenario if instance.task in POOLED else ""


def row(columns: Columns, stand: Stand, instance: Instance) -> Floats:
    """Returns what is left of each rule at the cut: `[column]`, for STP `[candidate, column]`."""
    turns = instance.conversation.turns
    cut = turns[-1].index if turns else 0
    said: dict[tuple[str, str], list[Said]] = defaultdict(list)
    for one in stand.known(columns.task, cut):
        option = speaks_for(one, instance)
        if option:
            said[option, one.rule].append(one)
    people = columns.task == "stp"
    found = np.zeros((len(instance.options) if people else 1, columns.count))
    place = {option: k for k, option in enumerate(instance.options)}
    at = {rule: k * len(columns.half_lives) for k, rule in enumerate(columns.rules)}
    for (option, rule), firings in said.items():
        if rule not in at:
            continue
        line = place[option] if people else 0
        for j, (measure, half_life) in enumerate(zip(MEASURES, columns.half_lives, strict=True)):
            found[line, at[rule] + j] = measure(firings, cut=cut, half_life=half_life)
    return found if people else found[0]


def table(
    columns: Columns,
    stands: Sequence[Stand],
    instances: Sequence[Instance],
    gold: Sequence[str],
    kinds: Sequence[str],
) -> Labelled | Candidates:
    """Returns the rows of instances with their right answers, which are among their options.

    Args:
        columns: what the numbers stand for.
        stands: one an instance.
        instances: of the columns' task.
        gold: one an instance.
        kinds: all that there are, in the order of the biases.
    """
    rows = [row(columns, s, i) for s, i in zip(stands, instances, strict=True)]
    number = {kind: k for k, kind in enumerate(kinds)}
    if columns.task != "stp":
        return Labelled(
            inputs=np.array(rows).reshape(len(rows), columns.count),
            kinds=np.array([number[kind_of(i)] for i in instances], np.intp),
            gold=np.array([columns.options.index(g) for g in gold], np.intp),
            own=np.array(columns.own, np.intp),
            labels=len(columns.options),
            kind_count=len(kinds),
        )
    most = max(len(i.options) for i in instances)
    inputs = np.zeros((len(rows), most, columns.count))
    there = np.full((len(rows), most), -1, np.intp)
    for k, (instance, one) in enumerate(zip(instances, rows, strict=True)):
        inputs[k, : len(one)] = one
        there[k, : len(one)] = [number[kind_of(instance, o)] for o in instance.options]
    right = [i.options.index(g) for i, g in zip(instances, gold, strict=True)]
    return Candidates(inputs, there, np.array(right, np.intp), len(kinds))
