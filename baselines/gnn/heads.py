"""The heads: what each task reads from the states at its cuts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from relgraph.baselines.gnn.model import Encoder, Shape, States
from relgraph.baselines.gnn.structure import (
    CUT_FEATURES,
    GROUP,
    PERSON_FEATURES,
    SUPPORTER,
)
from relgraph.baselines.gnn.tensors import Batch
from relgraph.labels import PATTERNS, STRATEGIES, UTTERANCE_TYPES

SCENARIOS = tuple(PATTERNS)
BOTTLENECK = 8
"""Dimensions of the states that a candidate's score may use: structure decides, words nudge."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where instances are in a batch: `[instance]` each.

    Attributes:
        row: number of the conversation.
        cut: number of turns seen.
        slot: the person that the question is about (SSP: the target), else -1.
    """

    row: Tensor
    cut: Tensor
    slot: Tensor


class Network(nn.Module):
    """Encoder and heads in one module: what a checkpoint holds."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.encoder = Encoder(shape)
        h, cut, person = shape.hidden, len(CUT_FEATURES), len(PERSON_FEATURES)
        self.pattern = _by_scenario(PATTERNS, 4 * h + cut, shape)
        self.strategy = _by_scenario(STRATEGIES, 3 * h + cut + person, shape)
        self.time = _Structural(cut, shape)
        self.target = _Candidates(shape, context=0)
        self.next = _Candidates(shape, context=0)
        self.about = _Candidates(shape, context=h)
        self.intensity = nn.Sequential(nn.Dropout(shape.dropout), nn.Linear(2 * h, 1))
        self.utterance = nn.Linear(h, len(UTTERANCE_TYPES))
        self.pattern_now = _by_scenario(PATTERNS, 4 * h + cut, shape)

    def read_patterns(self, batch: Batch, states: States, at: Places, scenario: str) -> Tensor:
        """Returns logits `[instance, pattern]` of the next turn's pattern."""
        out: Tensor = self.pattern[scenario](_around(batch, states, at))
        return out

    def read_patterns_now(self, batch: Batch, states: States, at: Places, scenario: str) -> Tensor:
        """Returns logits `[instance, pattern]` of the last seen turn's pattern (auxiliary)."""
        out: Tensor = self.pattern_now[scenario](_around(batch, states, at))
        return out

    def read_strategies(self, batch: Batch, states: States, at: Places, scenario: str) -> Tensor:
        """Returns logits `[instance, strategy]`, given the target in `at.slot`."""
        r, c, s = at.row, at.cut, at.slot
        parts = [
            states.person[r, GROUP, c],
            states.person[r, s, c],
            states.turn[r, c],
            batch.cut[r, c],
            batch.person[r, s, c],
        ]
        out: Tensor = self.strategy[scenario](torch.cat(parts, dim=-1))
        return out

    def read_time(self, batch: Batch, at: Places) -> Tensor:
        """Returns logits `[instance]` that the supporter speaks next; structure only."""
        out: Tensor = self.time(batch.cut[at.row, at.cut])
        return out

    def read_targets(self, batch: Batch, states: States, at: Places) -> Tensor:
        """Returns scores `[instance, slot]` of being supported next."""
        out: Tensor = self.target(batch, states, at)
        return out

    def read_next(self, batch: Batch, states: States, at: Places) -> Tensor:
        """Returns scores `[instance, slot]` of speaking next (auxiliary)."""
        out: Tensor = self.next(batch, states, at)
        return out

    def read_about(self, batch: Batch, states: States, at: Places) -> Tensor:
        """Returns logits `[instance, slot]` that the last speaker holds a view of the slot."""
        out: Tensor = self.about(batch, states, at)
        return out

    def read_intensity(self, states: States, at: Places) -> Tensor:
        """Returns `[instance]`, how far the last speaker's intensity is from the usual one."""
        r, c, s = at.row, at.cut, at.slot
        both = torch.cat([states.turn[r, c], states.person[r, s, c]], dim=-1)
        out: Tensor = self.intensity(both).squeeze(-1)
        return out

    def read_utterance(self, states: States, at: Places) -> Tensor:
        """Returns logits `[instance, utterance type]` of the last turn (auxiliary)."""
        out: Tensor = self.utterance(states.turn[at.row, at.cut])
        return out


def build(shape: Shape, weights: Mapping[str, Tensor], device: torch.device) -> Network:
    """Returns a network of the given weights, ready to answer; draws no random number.

    Raises:
        RuntimeError: the weights are not those of such a network.
    """
    # Without memory of its own: sizes that the weights do not have are told before any is taken.
    with torch.device("meta"):
        net = Network(shape)
    # Copied: sums over weights that lie askew in a file's memory differ in their last bits.
    own = {name: w.to(device, torch.float32, copy=True) for name, w in weights.items()}
    net.load_state_dict(own, assign=True)
    return net.to(device).eval()


class _Structural(nn.Module):
    """A linear and a small curved reading of structural features."""

    def __init__(self, size: int, shape: Shape) -> None:
        super().__init__()
        self.straight = nn.Linear(size, 1)
        self.curved = nn.Sequential(
            nn.Linear(size, shape.hidden // 2),
            nn.GELU(),
            nn.Dropout(shape.dropout),
            nn.Linear(shape.hidden // 2, 1),
        )

    def forward(self, features: Tensor) -> Tensor:
        out: Tensor = (self.straight(features) + self.curved(features)).squeeze(-1)
        return out


class _Candidates(nn.Module):
    """A score for each slot; the same weights for all, so any number of people will do."""

    def __init__(self, shape: Shape, *, context: int) -> None:
        super().__init__()
        self.state = nn.Linear(shape.hidden, BOTTLENECK)
        self.context = nn.Linear(context, BOTTLENECK) if context else None
        size = len(PERSON_FEATURES) + len(CUT_FEATURES) + BOTTLENECK * (1 + bool(context))
        self.score = _Structural(size, shape)

    def forward(self, batch: Batch, states: States, at: Places) -> Tensor:
        """Returns `[instance, slot]`; slots not known of by the cut score -inf."""
        r, c = at.row, at.cut
        person = batch.person[r, :, c]
        slots = person.shape[1]
        parts = [
            person,
            batch.cut[r, c].unsqueeze(1).expand(-1, slots, -1),
            torch.tanh(self.state(states.person[r, :, c])),
        ]
        if self.context is not None:
            said = torch.tanh(self.context(states.turn[r, c]))
            parts.append(said.unsqueeze(1).expand(-1, slots, -1))
        scores: Tensor = self.score(torch.cat(parts, dim=-1))
        return scores.masked_fill(~batch.present[r, :, c], float("-inf"))


def _by_scenario(labels: object, size: int, shape: Shape) -> nn.ModuleDict:
    sets = PATTERNS if labels is PATTERNS else STRATEGIES
    return nn.ModuleDict(
        {
            scenario: nn.Sequential(
                nn.Linear(size, shape.hidden),
                nn.GELU(),
                nn.Dropout(shape.dropout),
                nn.Linear(shape.hidden, len(members)),
            )
            for scenario, members in sets.items()
        }
    )


def _around(batch: Batch, states: States, at: Places) -> Tensor:
    """Returns `[instance, 4 hidden + cut features]`: flow, supporter, last client, the others."""
    r, c = at.row, at.cut
    people = states.person[r, :, c]
    last = batch.last_client[r, c]
    slots = torch.arange(people.shape[1], device=people.device)
    client = batch.present[r, :, c] & (slots > GROUP)
    is_last = slots == last.unsqueeze(1)
    parts = [
        states.person[r, GROUP, c],
        people[:, SUPPORTER],
        _mean(people, is_last),
        _mean(people, client & ~is_last),
        batch.cut[r, c],
    ]
    return torch.cat(parts, dim=-1)


def _mean(people: Tensor, chosen: Tensor) -> Tensor:
    """Returns `[instance, hidden]`: the mean over the chosen slots, zero for none."""
    weight = chosen.to(people.dtype)
    total = (people * weight.unsqueeze(-1)).sum(1)
    return total / weight.sum(1, keepdim=True).clamp(min=1)
