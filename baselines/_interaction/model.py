"""The learnt model: probabilities for instances, and what spoke for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relgraph.baselines._channels import Vectors
from relgraph.baselines._findings import RuleReader
from relgraph.baselines._interaction.aspects import (
    INTENSITY,
    INTENSITY_UNIT,
    Guess,
    inputs_of,
)
from relgraph.baselines._interaction.labels import LABELS, scenario_of
from relgraph.baselines._interaction.linear import Scale, chances
from relgraph.baselines._interaction.reading import Floats, Reading, read
from relgraph.baselines._interaction.rows import (
    BLOCKS,
    CANDIDATE_FEATURES,
    Memories,
    blocks_at,
    candidates_at,
    names_of,
    remember,
)
from relgraph.baselines._stretches import stretches
from relgraph.records import Instance

SHOWN = 3
"""Features that are named in an answer's `because`."""


@dataclass(frozen=True, slots=True)
class Heads:
    """The linear heads of a task, one a scenario.

    Attributes:
        scale: of the columns.
        weights: `[scenario, column + 1, label]`, the bias last.
        scenarios: in the order of `weights`.
        taught: scenarios that training had cases of.
    """

    scale: Scale
    weights: Floats
    scenarios: tuple[str, ...]
    taught: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """The linear scorer of candidates: `weights` is `[column]`."""

    scale: Scale
    weights: Floats


@dataclass(frozen=True, slots=True)
class Said:
    """What the model says of one instance.

    Attributes:
        chances: option -> probability; they sum to 1. Empty where there is no answer.
        because: the strongest features for the first option over the second, in words.
        failure: why there is no answer.
    """

    chances: dict[str, float]
    because: tuple[str, ...] = ()
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Model:
    """All that was learnt.

    Attributes:
        guess: guesses aspects of turns; it knows none where nothing was annotated.
        heads: task -> heads.
        choice: of STP; None where training had no case of it.
        channels: which are read.
        dim: length of an embedding.
        reader: reads conversations with rules, where it was trained so.
    """

    guess: Guess
    heads: dict[str, Heads]
    choice: Choice | None
    channels: tuple[str, ...]
    dim: int
    reader: RuleReader | None = None

    def say(self, instances: Sequence[Instance], vectors: Vectors) -> list[Said]:
        """Returns what is said of each instance, in order.

        Args:
            instances: of the model's tasks.
            vectors: the embeddings of all their texts (`texts_of_all`).
        """
        found: dict[int, Said] = {}
        for stretch in stretches(instances):
            reading = read(
                stretch.conversation, vectors, self.dim, self.channels, reader=self.reader
            )
            memories = remember(reading, self.guess)
            for k in stretch.instances:
                found[k] = self._say(memories, instances[k])
        return [found[k] for k in range(len(instances))]

    def felt(self, instances: Sequence[Instance], vectors: Vectors) -> list[float | None]:
        """Returns how strongly the last speaker of each instance feels, in order.

        A guess on the scale of the training intensities, not held to it; None where no
        intensity was annotated, or nobody has spoken.

        Args:
            instances: of any task.
            vectors: the embeddings of all their texts (`texts_of_all`).
        """
        found: dict[int, float | None] = dict.fromkeys(range(len(instances)))
        if INTENSITY in self.guess.names:
            column = self.guess.names.index(INTENSITY)
            for stretch in stretches(instances):
                reading = read(
                    stretch.conversation, vectors, self.dim, self.channels, reader=self.reader
                )
                guessed = self.guess.of(inputs_of(reading))[:, column] * INTENSITY_UNIT
                for k in stretch.instances:
                    cut = len(instances[k].conversation.turns)
                    found[k] = float(guessed[cut - 1]) if cut else None
        return [found[k] for k in range(len(instances))]

    def _say(self, memories: Memories, instance: Instance) -> Said:
        if cause := self._unable(memories, instance):
            return Said({}, failure=cause)
        if instance.task == "stp":
            return self._choose(memories, instance)
        return self._label(memories, instance)

    def _unable(self, memories: Memories, instance: Instance) -> str:
        """Returns why an instance cannot be answered, "" where it can."""
        task = instance.task
        if task == "stp":
            if not _known(memories.reading, instance):
                return "none of the options is known in the conversation"
            return "" if self.choice else "no training conversation has cases of stp"
        scenario = scenario_of(instance)
        labels = LABELS[task].places.get(scenario)
        if labels is None:
            return f"scenario {scenario!r} has no label set for {task}"
        if task not in self.heads or scenario not in self.heads[task].taught:
            of = f" of scenario {scenario!r}" if scenario else ""
            return f"no training conversation{of} has labels for {task}"
        if not set(instance.options) & set(labels):
            return f"none of the options is a label of scenario {scenario!r}"
        return ""

    def _label(self, memories: Memories, instance: Instance) -> Said:
        task, scenario = instance.task, scenario_of(instance)
        heads, places = self.heads[task], LABELS[task].places[scenario]
        cut = len(instance.conversation.turns)
        slot = memories.reading.structure.slot_at(instance.target, cut)
        blocks = blocks_at(memories, task, cut, slot)
        inputs = heads.scale.of(np.concatenate(list(blocks.values())))
        options = tuple(o for o in instance.options if o in places)
        weights = heads.weights[heads.scenarios.index(scenario)][:, [places[o] for o in options]]
        said = chances(inputs @ weights[:-1] + weights[-1])
        worth = inputs[:, None] * weights[:-1]
        columns = tuple(
            name for block in BLOCKS[task] for name in names_of(block, self.guess.names)
        )
        return _said(options, said, worth.T, columns)

    def _choose(self, memories: Memories, instance: Instance) -> Said:
        assert self.choice is not None
        reading = memories.reading
        known = _known(reading, instance)
        options = tuple(known)
        rows = candidates_at(reading, len(instance.conversation.turns), tuple(known.values()))
        worth = self.choice.scale.of(rows) * self.choice.weights
        return _said(options, chances(worth.sum(axis=1)), worth, CANDIDATE_FEATURES)


def _known(reading: Reading, instance: Instance) -> dict[str, int]:
    """Returns option -> slot of those known of by the cut, in the order of the options.

    One that names somebody who appears only later is as unknown as any other.
    """
    slots, present = reading.structure.slots, reading.structure.present
    cut = len(instance.conversation.turns)
    return {o: slots[o] for o in instance.options if o in slots and present[slots[o], cut]}


def _said(
    options: Sequence[str],
    said: NDArray[np.float64],
    worth: Floats,
    columns: Sequence[str],
) -> Said:
    """Returns the answer; `worth` is `[option, column]`, what each column adds to an option."""
    found = dict(zip(options, said.tolist(), strict=True))
    return Said(found, tuple(_because(options, said, worth, columns)))


def _because(
    options: Sequence[str], said: NDArray[np.float64], worth: Floats, columns: Sequence[str]
) -> Iterator[str]:
    order = np.argsort(-said, kind="stable")
    if len(order) < 2:
        yield "the only option"
        return
    first, second = int(order[0]), int(order[1])
    more = worth[first] - worth[second]
    strongest = [int(k) for k in np.argsort(-more, kind="stable")[:SHOWN] if more[k] > 0]
    for k in strongest:
        yield f"{more[k]:+.2f} for {options[first]} over {options[second]}: {columns[k]}"
    if not strongest:
        yield f"{options[first]} is more frequent than {options[second]} in training"
