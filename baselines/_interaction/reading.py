"""A conversation as arrays: who speaks to whom, and what is said and shown turn by turn.

All is causal: what stands at turn `t` or cut `t` comes from the turns up to `t` only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relgraph.baselines._channels import Vectors, channels_of
from relgraph.baselines._findings import RuleReader
from relgraph.baselines._links import links
from relgraph.baselines._structure import SUPPORTER, Structure, encode_structure
from relgraph.records import Conversation, Mode

Floats = NDArray[np.float32]

HALF_LIVES = (1.0, 3.0, 10.0, float("inf"))
"""Turns after which what was said counts half; the last memory forgets nothing."""

DOUBT = 0.3
"""How much of a turn stands for knowing nothing: memories of silent people fade towards zero."""

ALL = -1
"""The stream of all turns, whoever speaks."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A stretch of a conversation.

    Attributes:
        structure: who speaks to whom.
        channels: channel -> `[turn, dim]`, one for each channel that is read, zeros where nothing
            is said or shown.
        found: `[turn, feature]`, what the rules found, where that is read; else None.
    """

    structure: Structure
    channels: dict[str, Floats]
    found: Floats | None = None

    @property
    def turns(self) -> int:
        """Returns the number of turns."""
        return len(self.structure.turn)

    def said_by(self, who: int) -> NDArray[np.bool_]:
        """Returns `[turn]`, whether the slot speaks; `ALL` always does."""
        if who == ALL:
            return np.ones(self.turns, np.bool_)
        return self.structure.role[who, :, 0] > 0


def shown(mode: Mode) -> tuple[str, ...]:
    """Returns the channels that are read in a mode."""
    found = ["text"]
    found += ["tone"] * (mode in ("audio", "audiovisual"))
    found += ["own_nonverbal", "others_nonverbal"] * (mode in ("visual", "audiovisual"))
    return tuple(found)


def read(
    conversation: Conversation,
    vectors: Vectors,
    dim: int,
    channels: tuple[str, ...],
    *,
    reader: RuleReader | None = None,
) -> Reading:
    """Returns the conversation, whole or cut, as arrays.

    Args:
        conversation: its turns may start later than turn 1.
        vectors: the embeddings `[dim]` of all its texts.
        dim: length of an embedding.
        channels: which to read.
        reader: reads it with rules too.
    """
    found = channels_of(conversation, vectors, dim)
    nothing = np.zeros((len(conversation.turns), dim), np.float32)
    structure = encode_structure(conversation, links(conversation).mentions)
    return Reading(
        structure=structure,
        channels={channel: found.get(channel, nothing) for channel in channels},
        found=reader.read(conversation, structure.slots).turn if reader else None,
    )


def fading(stream: Floats, heard: NDArray[np.bool_]) -> Floats:
    """Returns `[turn + 1, HALF_LIVES, dim]`: fading means of a stream after so many turns.

    Args:
        stream: `[turn, dim]`.
        heard: `[turn]`, which turns count; the others only let the memories fade.
    """
    keep = 0.5 ** (1 / np.array(HALF_LIVES))[:, None]
    total = np.zeros((len(HALF_LIVES), stream.shape[1]))
    weight = np.zeros((len(HALF_LIVES), 1))
    out = np.zeros((len(stream) + 1, *total.shape), np.float32)
    for t, (row, counts) in enumerate(zip(stream, heard, strict=True), start=1):
        total, weight = total * keep, weight * keep
        if counts:
            total, weight = total + row, weight + 1
        out[t] = total / (weight + DOUBT)
    return out


def people_at(structure: Structure, cut: int) -> Floats:
    """Returns `[4 * PERSON_FEATURES]`: last client, mean of the others, supporter, group."""
    person, last = structure.person[:, cut], structure.last_client[cut]
    nobody = np.zeros(person.shape[1], np.float32)
    others = [k for k in range(2, len(person)) if structure.present[k, cut] and k != last]
    return np.concatenate(
        [
            person[last] if last >= 0 else nobody,
            person[others].mean(axis=0) if others else nobody,
            person[SUPPORTER],
            person[1],
        ]
    )
