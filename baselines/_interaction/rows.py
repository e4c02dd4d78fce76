"""One row of features for each decision point: blocks of columns, each with its names."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from relgraph.baselines._interaction.aspects import Guess, inputs_of
from relgraph.baselines._interaction.reading import (
    ALL,
    HALF_LIVES,
    Floats,
    Reading,
    fading,
    people_at,
)
from relgraph.baselines._structure import (
    CUT_FEATURES,
    GROUP,
    PERSON_FEATURES,
)

ROLES = ("the last client", "the other clients", "the supporter", "the group")
SPANS = tuple("ever" if h == float("inf") else f"half-life {h:g}" for h in HALF_LIVES)
BLOCKS: dict[str, dict[str, float]] = {
    "rpp": {"cut": 0.5, "people": 0.5, "guessed all": 1.5},
    "ssp": {"cut": 0.5, "people": 0.5, "target": 2.0, "guessed all": 1.0, "guessed target": 1.0},
    "itp": {"cut": 1.0, "people": 1.0},
}
"""Task -> block -> how much it counts, as chosen on inner folds (docs/interaction.md)."""


@dataclass(slots=True)
class Memories:
    """The fading memories of one stretch, each made when it is first asked for.

    Attributes:
        reading: the stretch.
        guessed: `[turn, aspect]`.
    """

    reading: Reading
    guessed: Floats
    _made: dict[int, Floats] = field(default_factory=dict)

    def at(self, who: int, cut: int) -> Floats:
        """Returns `[HALF_LIVES * aspect]`, what is remembered of a slot's turns (`ALL`: of all)."""
        if who not in self._made:
            self._made[who] = fading(self.guessed, self.reading.said_by(who))
        found: Floats = self._made[who][cut].ravel()
        return found


def remember(reading: Reading, guess: Guess, guessed: Floats | None = None) -> Memories:
    """Returns the memories of a stretch.

    Args:
        reading: the stretch.
        guess: guesses the aspects of its turns.
        guessed: `[turn, aspect]`, guesses made elsewhere: training conversations are guessed by
            regressions that have not seen them.
    """
    return Memories(reading, guess.of(inputs_of(reading)) if guessed is None else guessed)


def blocks_at(memories: Memories, task: str, cut: int, slot: int) -> dict[str, Floats]:
    """Returns block -> its columns, for one decision point.

    Args:
        memories: of the stretch.
        task: decides which blocks.
        cut: turns seen.
        slot: SSP: whom the support is for; else not read.
    """
    structure = memories.reading.structure
    found: dict[str, Floats] = {}
    for block in BLOCKS[task]:
        if block == "cut":
            found[block] = structure.cut[cut]
        elif block == "people":
            found[block] = people_at(structure, cut)
        elif block == "target":
            found[block] = structure.person[slot, cut]
        else:
            found[block] = memories.at(ALL if block == "guessed all" else slot, cut)
    return found


def names_of(block: str, aspects: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the names of a block's columns, in words."""
    if block == "cut":
        return tuple(name.replace("_", " ") for name in CUT_FEATURES)
    if block == "people":
        return tuple(f"{who}: {x.replace('_', ' ')}" for who in ROLES for x in PERSON_FEATURES)
    if block == "target":
        return tuple(f"the target: {x.replace('_', ' ')}" for x in PERSON_FEATURES)
    whose = "everybody's turns" if block == "guessed all" else "the target's turns"
    return tuple(f"{x} in {whose} ({span})" for span in SPANS for x in aspects)


def candidates_at(reading: Reading, cut: int, slots: tuple[int, ...]) -> Floats:
    """Returns `[candidate, CANDIDATE_FEATURES]`, how each person or the group stands to the turns.

    What holds of the group alone is apart, and so is the state of the conversation for it.
    """
    structure = reading.structure
    person = structure.person[list(slots), cut]
    group = (np.array(slots) == GROUP).astype(np.float32)[:, None]
    return np.concatenate([person, group * person, group * structure.cut[cut]], axis=1)


CANDIDATE_FEATURES = (
    *(name.replace("_", " ") for name in PERSON_FEATURES),
    *(f"as the group, {name.replace('_', ' ')}" for name in (*PERSON_FEATURES, *CUT_FEATURES)),
)
