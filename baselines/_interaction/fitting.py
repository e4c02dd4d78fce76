"""Learning the interaction-feature model from conversations with gold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relgraph import registry
from relgraph.baselines._channels import Vectors
from relgraph.baselines._findings import RuleReader
from relgraph.baselines._interaction import aspects
from relgraph.baselines._interaction.aspects import Guess
from relgraph.baselines._interaction.labels import LABELS, scenario_of
from relgraph.baselines._interaction.linear import (
    Shrinking,
    fit_candidates,
    fit_labels,
    scale_of,
)
from relgraph.baselines._interaction.model import Choice, Heads, Model
from relgraph.baselines._interaction.reading import Floats, Reading, read
from relgraph.baselines._interaction.rows import (
    BLOCKS,
    Memories,
    blocks_at,
    candidates_at,
    remember,
)
from relgraph.baselines._stretches import stretches
from relgraph.errors import DataError
from relgraph.records import Case, Conversation, View
from relgraph.splits import folds, relationships

TASKS = ("itp", "rpp", "ssp", "stp")
SHRINKING = {
    "rpp": Shrinking(0.01, own=3.0, balance=0.25),
    "ssp": Shrinking(0.01, own=3.0, balance=0.25),
    "itp": Shrinking(0.02),
}
CANDIDATES = 0.005
"""Chosen on inner folds of training relationships (docs/interaction.md)."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One stretch with gold.

    Attributes:
        reading: the stretch as arrays.
        cases: that lie along it.
        notes: what coders noted of its turns.
        part: which part its relationship is in.
    """

    reading: Reading
    cases: tuple[Case, ...]
    notes: dict[str, Floats]
    part: int


def cases_of(conversation: Conversation, view: View) -> Iterator[Case]:
    """Yields the cases that the model learns from in one conversation."""
    for name in TASKS:
        yield from registry.load("task", name).cases(conversation, view)


def texts_of_coders(train: Sequence[Conversation]) -> list[str]:
    """Returns every phrase of the coders that has to be embedded, each once."""
    found: dict[str, None] = {}
    for conversation in train:
        for phrases in aspects.phrases_of(conversation):
            for texts in phrases.values():
                found.update(dict.fromkeys(texts))
    return list(found)


def fit(
    train: Sequence[Conversation],
    view: View,
    vectors: Vectors,
    dim: int,
    channels: tuple[str, ...],
    *,
    seed: int,
    reader: RuleReader | None = None,
) -> Model:
    """Returns the model that the training conversations teach.

    Args:
        train: with gold.
        view: what is seen of them.
        vectors: embeddings `[dim]` of all texts, the coders' phrases among them.
        dim: length of an embedding.
        channels: which are read.
        seed: deals relationships into parts.
        reader: reads conversations with rules too.

    Raises:
        DataError: `train` holds no case of any task.
    """
    lessons = _lessons(train, view, vectors, dim, channels, seed=seed, reader=reader)
    if not lessons:
        raise DataError(
            f"interaction: none of the {len(train)} training conversations has a labelled "
            f"decision of {', '.join(TASKS)}. Give conversations with gold annotations."
        )
    guess, guessed = _guess(lessons)
    memories = [
        remember(x.reading, guess, known)
        for x, known in zip(lessons, guessed, strict=True)
    ]  # fmt: skip
    heads = {}
    for task in BLOCKS:
        made = _heads(task, lessons, memories)
        if made:
            heads[task] = made
    return Model(
        guess=guess, heads=heads, choice=_choice(lessons), channels=channels, dim=dim, reader=reader
    )


def _lessons(
    train: Sequence[Conversation],
    view: View,
    vectors: Vectors,
    dim: int,
    channels: tuple[str, ...],
    *,
    seed: int,
    reader: RuleReader | None,
) -> list[Lesson]:
    found = []
    for conversation, part in zip(train, _parts(train, seed), strict=True):
        cases = list(cases_of(conversation, view))
        if not cases:
            continue
        notes = aspects.noted(conversation, vectors, dim)
        for stretch in stretches([c.instance for c in cases]):
            seen = stretch.conversation
            first = conversation.turns[0].index
            turns = [t.index - first for t in seen.turns]
            found.append(
                Lesson(
                    read(seen, vectors, dim, channels, reader=reader),
                    tuple(cases[k] for k in stretch.instances),
                    {k: v[turns] for k, v in notes.items()},
                    part,
                )
            )
    return found


def _parts(train: Sequence[Conversation], seed: int) -> list[int]:
    """Returns which part each conversation is in; all in one where there is one relationship."""
    count = min(aspects.PARTS, len(relationships(train)))
    if count < 2:
        return [0] * len(train)
    split = folds(train, count=count, seed=seed)
    home = {id(c): k for k, fold in enumerate(split) for c in fold.test}
    return [home[id(c)] for c in train]


def _guess(lessons: Sequence[Lesson]) -> tuple[Guess, list[Floats]]:
    return aspects.learn(
        [aspects.inputs_of(x.reading) for x in lessons],
        [x.notes for x in lessons],
        [x.part for x in lessons],
    )


def _heads(task: str, lessons: Sequence[Lesson], memories: Sequence[Memories]) -> Heads | None:
    labels = LABELS[task]
    scenarios = tuple(labels.places)
    rows, where, gold = [], [], []
    widths: list[int] = []
    for lesson, memory in zip(lessons, memories, strict=True):
        for case in lesson.cases:
            instance = case.instance
            scenario = scenario_of(instance)
            place = labels.places.get(scenario, {}).get(case.gold.label, -1)
            if instance.task != task or place < 0:
                continue
            cut = len(instance.conversation.turns)
            slot = lesson.reading.structure.slot_at(instance.target, cut)
            blocks = blocks_at(memory, task, cut, slot)
            widths = [len(block) for block in blocks.values()]
            rows.append(np.concatenate(list(blocks.values())))
            where.append(scenarios.index(scenario))
            gold.append(place)
    if not rows:
        return None
    table = np.array(rows, np.float32)
    scale = scale_of(table, widths, list(BLOCKS[task].values()))
    allowed = np.zeros((len(scenarios), len(labels.names)), np.bool_)
    for k, scenario in enumerate(scenarios):
        allowed[k, list(labels.places[scenario].values())] = True
    weights = fit_labels(scale.of(table), _ints(where), _ints(gold), allowed, SHRINKING[task])
    taught = tuple(scenarios[k] for k in sorted(set(where)))
    return Heads(scale, weights, scenarios=scenarios, taught=taught)


def _choice(lessons: Sequence[Lesson]) -> Choice | None:
    rows, gold = [], []
    for lesson in lessons:
        slots = lesson.reading.structure.slots
        for case in lesson.cases:
            options = tuple(o for o in case.instance.options if o in slots)
            if case.instance.task == "stp" and case.gold.label in options:
                cut = len(case.instance.conversation.turns)
                own = tuple(slots[o] for o in options)
                rows.append(candidates_at(lesson.reading, cut, own))
                gold.append(options.index(case.gold.label))
    if not rows:
        return None
    most = max(map(len, rows))
    there = np.array([[k < len(row) for k in range(most)] for row in rows])
    inputs = np.zeros((len(rows), most, rows[0].shape[1]), np.float32)
    scale = scale_of(np.concatenate(rows), *_candidate_blocks())
    for line, row in zip(inputs, rows, strict=True):
        line[: len(row)] = scale.of(row)
    return Choice(scale, fit_candidates(inputs, there, _ints(gold), CANDIDATES))


def _candidate_blocks() -> tuple[list[int], list[float]]:
    from relgraph.baselines._structure import CUT_FEATURES, PERSON_FEATURES

    return [len(PERSON_FEATURES), len(PERSON_FEATURES), len(CUT_FEATURES)], [1.0, 1.0, 1.0]


def _ints(values: Sequence[int]) -> NDArray[np.intp]:
    return np.array(values, np.intp)
