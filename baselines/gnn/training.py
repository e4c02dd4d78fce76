"""Training an ensemble: each member is stopped by relationships that it has not learnt from.

The training relationships are dealt into as many parts as there are members; a member learns from
all parts but one and is stopped when that one gets no better. Every conversation so trains all
members but one, and the ensemble's answer is their mean. What a member keeps is the running
average of its weights. Every epoch draws from a seed of its own, so a resumed training goes on
exactly as an undisturbed one would have.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from relgraph.baselines.gnn.course import Course, Epoch, Plan
from relgraph.baselines.gnn.lessons import Lesson
from relgraph.baselines.gnn.losses import balance
from relgraph.baselines.gnn.model import Shape
from relgraph.baselines.gnn.state import Keeper, Running
from relgraph.errors import DataError
from relgraph.records import Conversation
from relgraph.splits import folds, relationships

HELD_RELATIONSHIPS = 4
"""About so many relationships are held out at least: fewer say little about when to stop."""


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


@dataclass(frozen=True, slots=True)
class Trained:
    """What training gives.

    Attributes:
        members: weights of each member at its best epoch.
        intensity: median emotion intensity of the training turns, in [0, 10].
        epochs: which epoch was each member's best, from 1.
        losses: head -> held-out loss there, a member each.
    """

    members: tuple[dict[str, Tensor], ...]
    intensity: float
    epochs: tuple[int, ...]
    losses: tuple[Mapping[str, float], ...]


def train(
    school: School,
    *,
    shape: Shape,
    plan: Plan,
    device: torch.device,
    keeper: Keeper | None = None,
    report: Callable[[Epoch], None] = lambda _: None,
) -> Trained:
    """Returns the trained members; on the CPU two runs with one seed give equal bits.

    Args:
        school: what to learn from.
        shape: sizes of the network.
        plan: how to train.
        device: where to compute.
        keeper: keeps the state of training after every epoch, and may hold one to go on from.
        report: is told of every finished epoch.

    Raises:
        DataError: there is nothing to learn from.
        RunError: the loss is no number any more.
    """
    parts = divide(school, plan)
    counted = balance(school.of(school.conversations))
    kept = keeper.resume() if keeper else None
    done = list(kept.done) if kept else []
    for member in range(len(done), len(parts)):
        learn, held = parts[member]
        course = Course(
            member, learn=learn, held=held, counted=counted, shape=shape, plan=plan, device=device
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
        intensity=counted.intensity,
        epochs=tuple(d.epoch for d in done),
        losses=tuple(d.losses for d in done),
    )


def divide(school: School, plan: Plan) -> list[tuple[list[Lesson], list[Lesson]]]:
    """Returns for each member what it learns from and what stops it (empty: nothing does).

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
    if known < 2:
        return [(everything, [])]
    count = min(plan.members, max(2, math.ceil(known / HELD_RELATIONSHIPS)))
    split = folds(school.conversations, count=count, seed=plan.seed)
    parts = [(school.of(fold.train), school.of(fold.test)) for fold in split]
    return [(learn, held) for learn, held in parts if learn]
