"""What the members say at every asked cut: one pass a conversation, all its instances read off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relgraph.baselines._channels import Vectors
from relgraph.baselines._findings import RuleReader
from relgraph.baselines._stretches import Stretch
from relgraph.baselines.gnn.heads import Network, Places
from relgraph.baselines.gnn.tensors import Batch, collate, encode
from relgraph.records import Instance

BATCH_CELLS = 20_000
"""Padded turns times slots in one pass, at most, unless one conversation alone has more."""

LABEL_HEADS = {"rpp": "pattern", "ssp": "strategy"}
WORD_HEADS = {"er": "feeling", "vp": "view"}


@dataclass(frozen=True, slots=True)
class Ask:
    """One instance as a place in a batch.

    Attributes:
        instance: what is asked.
        row: its conversation's number in the batch.
        cut: number of turns seen.
        slot: whom it is about: SSP the target, VP and ER the last speaker, else the group.
        slots: name -> slot of everybody known of by the cut.
        words: `[dim]`, embedding of the last turn's words; zeros where nothing is said.
    """

    instance: Instance
    row: int
    cut: int
    slot: int
    slots: Mapping[str, int]
    words: NDArray[np.float32]


def groups(found: Sequence[Stretch]) -> Iterator[list[Stretch]]:
    """Yields stretches batch by batch, in their order."""
    group: list[Stretch] = []
    longest = widest = 0
    for stretch in found:
        turns = len(stretch.conversation.turns) + 1
        people = len(stretch.conversation.roster) + 2
        longest, widest = max(longest, turns), max(widest, people)
        if group and (len(group) + 1) * longest * widest > BATCH_CELLS:
            yield group
            group, longest, widest = [], turns, people
        group.append(stretch)
    if group:
        yield group


def place(
    group: Sequence[Stretch],
    instances: Sequence[Instance],
    vectors: Vectors,
    dim: int,
    *,
    device: torch.device,
    reader: RuleReader | None = None,
) -> tuple[Batch, dict[int, Ask]]:
    """Returns the stretches as a batch, and where in it each of their instances is."""
    parts = [encode(stretch.conversation, vectors, dim, reader=reader) for stretch in group]
    asks = {}
    nothing = np.zeros(dim, np.float32)
    for row, (stretch, encoded) in enumerate(zip(group, parts, strict=True)):
        everybody, present = encoded.structure.slots, encoded.structure.present
        for k in stretch.instances:
            turns = instances[k].conversation.turns
            about = instances[k].target
            if instances[k].task in ("er", "vp") and turns:
                about = turns[-1].speaker
            said = encoded.channels.get("text")
            words = said[len(turns) - 1] if said is not None and turns else nothing
            slot = encoded.structure.slot_at(about, len(turns))
            # An option that names somebody who appears only later is as unknown as any other.
            slots = {name: s for name, s in everybody.items() if present[s, len(turns)]}
            asks[k] = Ask(instances[k], row, len(turns), slot, slots, words)
    return collate(parts, device=device), asks


@dataclass(frozen=True, slots=True)
class Said:
    """What one member says of one instance.

    Attributes:
        logits: before any softmax. RPP and SSP: `[label]`. STP and VP: `[slot]`, -inf for slots
            not known of. ITP: `[1]`, of yes. ER: `[level]`, to be added to the prior of the
            training intensities.
        guess: `[dim]`, ER and VP: the guessed embedding of the phrase; else `[0]`.
    """

    logits: Tensor
    guess: Tensor


def logits(net: Network, batch: Batch, asks: Sequence[Ask]) -> list[Said]:
    """Returns what one member says of each instance, in order."""
    states = net.encoder(batch)
    out: list[Said] = [Said(torch.empty(0), torch.empty(0))] * len(asks)
    by_head: dict[tuple[str, str], list[int]] = {}
    for k, ask in enumerate(asks):
        by_head.setdefault((ask.instance.task, ask.instance.conversation.scenario), []).append(k)
    for (task, scenario), chosen in by_head.items():
        at = places([asks[k] for k in chosen], batch.turn.device)
        if task in LABEL_HEADS:
            rows = net.read_labels(LABEL_HEADS[task], states, at, scenario)
        elif task in ("stp", "vp"):
            rows = net.read_people("target" if task == "stp" else "about", states, at)
        elif task == "itp":
            rows = net.read_time(states, at).unsqueeze(1)
        else:
            rows = net.read_intensity(states, at)
        guesses = rows.new_zeros(len(chosen), 0)
        if task in WORD_HEADS:
            guesses = net.read_words(WORD_HEADS[task], states, at)
        for k, row, guess in zip(chosen, rows, guesses, strict=True):
            out[k] = Said(row, guess)
    return out


def places(asks: Sequence[Ask], device: torch.device) -> Places:
    """Returns where the asks are in their batch."""
    return Places(
        row=torch.tensor([ask.row for ask in asks], device=device),
        cut=torch.tensor([ask.cut for ask in asks], device=device),
        slot=torch.tensor([ask.slot for ask in asks], device=device),
    )
