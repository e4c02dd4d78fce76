"""Training an ensemble: every member leaves out a part of the relationships, each another.

What a member says of the part that it has not learnt from is what temperatures are fitted on
(`calibration.py`). Every conversation so trains all members but those that leave its part out, and
the ensemble's answer is their mean. What a member keeps is the running average of its weights.
Every epoch draws from a seed of its own, so a resumed training goes on exactly as an undisturbed
one would have.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from relgraph.baselines.gnn.course import Course, Epoch
from relgraph.baselines.gnn.lessons import Lesson
from relgraph.baselines.gnn.losses import Balance, balance
from relgraph.baselines.gnn.model import Shape
from relgraph.baselines.gnn.recipe import Recipe
from relgraph.baselines.gnn.state import Keeper, Running
from relgraph.errors import DataError
from relgraph.records import Conversation
from relgraph.splits import folds, relationships

HELD_RELATIONSHIPS = 4
"""About so many relationships are left out at least: fewer say little about the others."""


@dataclass(frozen=True, slots=True)
class School:
    """What there is to learn from: conversations and, beside each, its lessons."""

    conversations: tuple[Conversation, ...]
    lessons: tuple[tuple[Lesson, ...], ...]

    def of(self, chosen: Sequence[Conversation]) -> list[Lesson]:
        """Returns the lessons of the chosen conversations."""
        wanted = {id(c) for c in chosen}
        pairs = zip(self.conversations, self.lessons, strict=True)
        return [lesson for c, own in pairs if id(c) in wanted for lesson in own]

    def beside(self, lessons: Sequence[Lesson]) -> tuple[Conversation, ...]:
        """Returns the conversations that some lessons are of."""
        wanted = {id(lesson) for lesson in lessons}
        pairs = zip(self.conversations, self.lessons, strict=True)
        return tuple(c for c, own in pairs if any(id(lesson) in wanted for lesson in own))

    def only(self, chosen: Sequence[Conversation]) -> School:
        """Returns a school of the chosen conversations, in this one's order."""
        wanted = {id(c) for c in chosen}
        pairs = zip(self.conversations, self.lessons, strict=True)
        kept = [(c, own) for c, own in pairs if id(c) in wanted]
        return School(tuple(c for c, _ in kept), tuple(own for _, own in kept))


@dataclass(frozen=True, slots=True)
class Trained:
    """What training gives.

    Attributes:
        members: averaged weights of each member.
        held: what each member has not learnt from; empty where nothing was left out.
        counted: frequencies of labels and intensities.
        losses: head -> mean loss in the last epoch, a member each.
    """

    members: tuple[dict[str, Tensor], ...]
    held: tuple[tuple[Lesson, ...], ...]
    counted: Balance
    losses: tuple[Mapping[str, float], ...]


def train(
    school: School,
    *,
    shape: Shape,
    recipe: Recipe,
    seed: int,
    device: torch.device,
    keeper: Keeper | None = None,
    report: Callable[[Epoch], None] = lambda _: None,
) -> Trained:
    """Returns the trained members; on the CPU two runs with one seed give equal bits.

    Args:
        school: what to learn from.
        shape: sizes that the data decides.
        recipe: how to train.
        seed: of all draws.
        device: where to compute.
        keeper: keeps the state of training after every epoch, and may hold one to go on from.
        report: is told of every finished epoch.

    Raises:
        DataError: there is nothing to learn from.
        RunError: the loss is no number any more.
    """
    parts = divide(school, recipe, seed)
    counted = balance(school.of(school.conversations), recipe)
    kept = keeper.resume() if keeper else None
    done = list(kept.done) if kept else []
    for member in range(len(done), len(parts)):
        course = Course(
            member,
            learn=parts[member][0],
            counted=counted,
            shape=shape,
            recipe=recipe,
            seed=seed,
            device=device,
        )
        if kept and not kept.between_members:
            course.restore(kept)
        kept = None
        for epoch in course.run(len(parts)):
            if keeper:
                keeper.keep(course.state(done))
            report(epoch)
        done.append(course.result())
        if keeper:
            keeper.keep(Running(tuple(done)))
    return Trained(
        members=tuple(d.weights for d in done),
        held=tuple(tuple(held) for _, held in parts),
        counted=counted,
        losses=tuple(d.losses for d in done),
    )


def divide(school: School, recipe: Recipe, seed: int) -> list[tuple[list[Lesson], list[Lesson]]]:
    """Returns for each member what it learns from and what it leaves out.

    A single member learns from everything, as does each where there is only one relationship.

    Raises:
        DataError: there is nothing to learn from.
    """
    everything = school.of(school.conversations)
    if not everything:
        raise DataError(
            "gnn: the training conversations hold no case of any task. They need annotations; "
            "see `relgraph data stats`."
        )
    known = len(relationships(school.conversations))
    if known < 2 or recipe.members == 1:
        return [(everything, [])] * recipe.members
    count = max(2, math.ceil(known / HELD_RELATIONSHIPS))
    split = folds(school.conversations, count=count, seed=seed)
    parts = [(school.of(fold.train), school.of(fold.test)) for fold in split]
    parts = [(learn, held) for learn, held in parts if learn]
    return [parts[k % len(parts)] for k in range(recipe.members)]
