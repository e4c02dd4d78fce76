"""Conversations as tensors: what one forward pass reads.

A batch is padded, never packed by what is present: every channel and every edge kind has its
place, so no type is lost because the first conversation lacks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relgraph.baselines._channels import CHANNELS, Vectors, channels_of
from relgraph.baselines._findings import EDGE, Findings, RuleReader
from relgraph.baselines._links import EDGES, links
from relgraph.baselines._structure import Structure, encode_structure
from relgraph.records import Conversation


@dataclass(frozen=True, slots=True)
class Encoded:
    """One conversation, ready for the model.

    Attributes:
        structure: its features by turn, slot and cut.
        channels: channel -> `[turn, dim]`; only those that some turn has.
        edges: edge kind -> `[2, edge]`, positions of the earlier and the later turn.
        findings: what the rules found, where the network reads it; else None.
    """

    structure: Structure
    channels: dict[str, NDArray[np.float32]]
    edges: dict[str, NDArray[np.int64]]
    findings: Findings | None = None

    @property
    def turns(self) -> int:
        """Returns the number of turns."""
        return len(self.structure.turn)


@dataclass(frozen=True, slots=True)
class Batch:
    """Several conversations, padded to the longest and to the one with most people.

    Attributes:
        turn: `[conversation, turn, feature]`.
        role: `[conversation, slot, turn, role]`.
        cut: `[conversation, turn + 1, feature]`.
        person: `[conversation, slot, turn + 1, feature]`.
        present: `[conversation, slot, turn + 1]`.
        last_client: `[conversation, turn + 1]`, a slot, -1 for none.
        pause_s: `[conversation, turn]`, seconds from the end of the turn before.
        away: `[conversation, slot, turn, 2]`, turns and seconds since each spoke, -1 for never.
        channels: channel -> `[conversation, turn, dim]`; a channel that nobody has is left out.
        edges: edge kind -> `[2, edge]`, numbers of turns as `conversation * turns + turn`.
        found: `[conversation, turn, feature]`, what the rules found; None where they are not read.
        found_role: `[conversation, slot, turn, feature]`, likewise.
    """

    turn: Tensor
    role: Tensor
    cut: Tensor
    person: Tensor
    present: Tensor
    last_client: Tensor
    pause_s: Tensor
    away: Tensor
    channels: dict[str, Tensor]
    edges: dict[str, Tensor]
    found: Tensor | None = None
    found_role: Tensor | None = None


def encode(
    conversation: Conversation, vectors: Vectors, dim: int, *, reader: RuleReader | None = None
) -> Encoded:
    """Returns the conversation as arrays.

    Args:
        conversation: whole or cut.
        vectors: embeddings `[dim]` of its texts.
        dim: length of an embedding.
        reader: reads it with rules, for a network that takes what they find.
    """
    found = links(conversation)
    structure = encode_structure(conversation, found.mentions)
    findings = reader.read(conversation, structure.slots) if reader else None
    return Encoded(
        structure=structure,
        channels=channels_of(conversation, vectors, dim),
        edges={**found.edges, EDGE: findings.edges} if findings else found.edges,
        findings=findings,
    )


def collate(parts: Sequence[Encoded], *, device: torch.device | None = None) -> Batch:
    """Returns the conversations as one padded batch on `device`."""
    turns = max((p.turns for p in parts), default=0)
    slots = max((len(p.structure.names) for p in parts), default=0)
    held = {c: p.channels[c].shape[1] for p in parts for c in p.channels}

    def pad(arrays: Sequence[NDArray[Any]], shape: tuple[int, ...], fill: float = 0) -> Tensor:
        out = np.full((len(arrays), *shape), fill, arrays[0].dtype)
        for place, array in zip(out, arrays, strict=True):
            place[tuple(slice(n) for n in array.shape)] = array
        return torch.from_numpy(out).to(device)

    s = [p.structure for p in parts]
    none = np.zeros((0, 0), np.float32)
    f = [p.findings for p in parts if p.findings]
    return Batch(
        turn=pad([x.turn for x in s], (turns, s[0].turn.shape[-1])),
        role=pad([x.role for x in s], (slots, turns, s[0].role.shape[-1])),
        cut=pad([x.cut for x in s], (turns + 1, s[0].cut.shape[-1])),
        person=pad([x.person for x in s], (slots, turns + 1, s[0].person.shape[-1])),
        present=pad([x.present for x in s], (slots, turns + 1)),
        last_client=pad([x.last_client for x in s], (turns + 1,), -1),
        pause_s=pad([x.pause_s for x in s], (turns,)),
        away=pad([x.away for x in s], (slots, turns, 2), -1),
        channels={
            channel: pad([p.channels.get(channel, none) for p in parts], (turns, held[channel]))
            for channel in CHANNELS
            if channel in held
        },
        edges={
            kind: torch.from_numpy(
                np.concatenate([p.edges[kind] + k * turns for k, p in enumerate(parts)], axis=1)
            ).to(device)
            for kind in ((*EDGES, EDGE) if f else EDGES)
        },
        found=pad([x.turn for x in f], (turns, f[0].turn.shape[-1])) if f else None,
        found_role=pad([x.role for x in f], (slots, turns, f[0].role.shape[-1])) if f else None,
    )
