"""The network's body: turns along typed edges, and states of people and pairs after every turn.

One pass over a conversation gives the states at every cut. Nothing flows backwards: edges run
from earlier to later turns, states of people and of ordered pairs are recurrent (`state[t]` comes
from `state[t - 1]` and turn `t`), and normalisation is within a turn. Before the first turn the
states are learned, or zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch_geometric.nn import HeteroConv, PositionalEncoding, SAGEConv, TemporalEncoding

from relgraph.baselines._channels import CHANNELS
from relgraph.baselines._findings import EDGE
from relgraph.baselines._links import EDGES
from relgraph.baselines._structure import (
    CUT_FEATURES,
    GROUP,
    PERSON_FEATURES,
    ROLES,
    SUPPORTER,
    TURN_FEATURES,
)
from relgraph.baselines.gnn.recipe import Recipe
from relgraph.baselines.gnn.relations import Relations
from relgraph.baselines.gnn.tensors import Batch

KINDS = ("supporter", "group", "client")
"""What a slot can be; each has a start state of its own. The group's state is the
conversation's: it hears every turn."""

CLOCK = 8
"""Dimensions of each encoding of a lapse, in turns and in seconds."""

TIMED = frozenset(
    {"duration", "gap", "overlap", "times_known", "seconds", "last_duration", "last_gap",
     "last_overlap"}
)  # fmt: skip
"""Features that come from the clock."""

OF_WORDS = frozenset({"words", "question", "background", "tone", "nonverbal", "last_words",
                      "last_question"})  # fmt: skip
"""Features of a turn by itself: what is left where nobody is to know who speaks to whom."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What the data decides about the network's sizes.

    Attributes:
        dim: of the text embeddings.
        found: features of a turn that come from rules; 0 for a network that reads none.
        found_role: features of a person in a turn that come from rules.
    """

    dim: int
    found: int = 0
    found_role: int = 0


@dataclass(frozen=True, slots=True)
class States:
    """What the heads read; every tensor at `[..., cut, ...]` comes from the turns before the cut.

    Attributes:
        turn: `[conversation, turn + 1, hidden]`, the last turn as it stands among its
            predecessors; place 0 is learned.
        person: `[conversation, slot, turn + 1, hidden]`, each person, and the group.
        relation: `[conversation, from, to, turn + 1, size]`, of ordered pairs; size may be 0.
        cut: `[conversation, turn + 1, feature]`, structure at the cut.
        standing: `[conversation, slot, turn + 1, feature]`, structure of each person there.
        present: `[conversation, slot, turn + 1]`, who is known of.
        last_client: `[conversation, turn + 1]`, slot of who spoke last, -1 for none.
    """

    turn: Tensor
    person: Tensor
    relation: Tensor
    cut: Tensor
    standing: Tensor
    present: Tensor
    last_client: Tensor


class Turns(nn.Module):
    """Turn states: words and structure, then messages along the typed edges."""

    def __init__(self, shape: Shape, recipe: Recipe) -> None:
        super().__init__()
        hidden = recipe.hidden
        self.words = nn.ModuleDict(
            {channel: nn.Linear(shape.dim, hidden, bias=False) for channel in CHANNELS}
            if recipe.words
            else {}
        )
        for channel in CHANNELS[1:] if recipe.words else ():
            # A channel that training never shows has to say nothing later on.
            for weight in self.words[channel].parameters():
                nn.init.zeros_(weight)
        self.structure = nn.Linear(len(TURN_FEATURES), hidden)
        self.pause = nn.Linear(CLOCK, hidden, bias=False) if recipe.timing else None
        self.clock = TemporalEncoding(CLOCK)
        self.found = nn.Linear(shape.found, hidden, bias=False) if shape.found else None
        kinds = [*EDGES, *([EDGE] if shape.found else [])] if recipe.structure else ["next"]
        self.first = nn.LayerNorm(hidden)
        self.layers = nn.ModuleList(
            HeteroConv(
                {
                    ("turn", kind, "turn"): SAGEConv(hidden, hidden, root_weight=False)
                    for kind in kinds
                },
                aggr="sum",
            )
            for _ in range(recipe.layers)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(hidden) for _ in range(recipe.layers))
        self.drop = nn.Dropout(recipe.dropout)
        # whole dimensions at once, alike for all turns of a conversation: one that leaks who
        # they are, or what they speak of, is then missing throughout
        self.drop_words = nn.Dropout1d(recipe.word_dropout)

    def forward(self, batch: Batch, features: Tensor) -> Tensor:
        """Returns `[conversation, turn, hidden]`; `features` are the turns' structure."""
        x = self.structure(features)
        if self.pause is not None:
            known = (batch.pause_s > 0).unsqueeze(-1)
            x = x + self.pause(self.clock(batch.pause_s).view(*batch.pause_s.shape, CLOCK) * known)
        if self.found is not None and batch.found is not None:
            x = x + self.found(batch.found)
        for channel, vectors in batch.channels.items():
            if channel in self.words and vectors.shape[1]:
                seen = self.drop_words(vectors.transpose(1, 2)).transpose(1, 2)
                x = x + self.words[channel](seen * vectors.shape[-1] ** 0.5)
        x = self.drop(torch.nn.functional.gelu(self.first(x)))
        flat = x.flatten(0, 1)
        edges = {("turn", kind, "turn"): index for kind, index in batch.edges.items()}
        for layer, norm in zip(self.layers, self.norms, strict=True):
            message = layer({"turn": flat}, edges)["turn"]
            flat = flat + self.drop(torch.nn.functional.gelu(norm(message)))
        out: Tensor = flat.view_as(x)
        return out


class Encoder(nn.Module):
    """All states of a batch of conversations."""

    def __init__(self, shape: Shape, recipe: Recipe) -> None:
        super().__init__()
        hidden = recipe.hidden
        self.recipe = recipe
        self.turns = Turns(shape, recipe)
        self.before = nn.Parameter(torch.zeros(hidden))
        self.start = nn.Parameter(torch.zeros(len(KINDS), hidden))
        heard = hidden + len(ROLES) + len(KINDS) + shape.found_role + 2 * CLOCK
        self.person = nn.GRU(heard, hidden, batch_first=True)
        self.lapse_turns = PositionalEncoding(CLOCK)
        self.lapse_s = TemporalEncoding(CLOCK)
        self.relations = Relations(hidden, recipe.relation) if recipe.relation else None
        self.drop = nn.Dropout(recipe.dropout)
        for name, features in _FEATURES.items():
            mask = torch.tensor([_shown(f, recipe) for f in features], dtype=torch.float32)
            self.register_buffer(f"shown_{name}", mask)

    @property
    def related(self) -> int:
        """Returns the size of a pair's state."""
        return self.relations.size if self.relations is not None else 0

    def forward(self, batch: Batch) -> States:
        """Returns the states at every cut."""
        shown = {name: getattr(self, f"shown_{name}") for name in _FEATURES}
        x = self.turns(batch, batch.turn * shown["turn"])
        count, turns, hidden = x.shape
        role = batch.role * float(self.recipe.structure)
        start = (_kinds(role.shape[1], x) @ self.start).expand(count, -1, hidden)
        person = start.unsqueeze(2).expand(-1, -1, turns + 1, -1)
        if turns:
            lives = self._lives(batch, x, role, start)
            # the flow of the conversation is nobody's memory: it is kept without any
            kept = torch.arange(role.shape[1], device=x.device) == GROUP
            person = lives if self.recipe.memory else person.where(~kept[:, None, None], lives)
        if self.relations is not None:
            # The group's people are those known of by then: who appears later has heard nothing.
            heard = (role[..., 1] + 0.5 * role[..., 2]).clamp(max=1) * batch.present[..., 1:]
            relation = self.relations(x, role[..., 0], heard)
        else:
            relation = x.new_zeros(count, role.shape[1], role.shape[1], turns + 1, 0)
        return States(
            turn=torch.cat([self.before.expand(count, 1, hidden), x], dim=1),
            person=self.drop(person),
            relation=self.drop(relation),
            cut=batch.cut * shown["cut"],
            standing=batch.person * shown["person"],
            present=batch.present,
            last_client=batch.last_client,
        )

    def _lives(self, batch: Batch, x: Tensor, role: Tensor, start: Tensor) -> Tensor:
        """Returns `[conversation, slot, turn + 1, hidden]`, one recurrent cell for everybody."""
        count, slots, turns = role.shape[:3]
        heard = [
            x.unsqueeze(1).expand(-1, slots, -1, -1),
            role,
            _kinds(slots, x)[:, None].expand(count, -1, turns, -1),
            self._lapses(batch.away),
        ]
        if batch.found_role is not None:
            heard.append(batch.found_role)
        seen = torch.cat(heard, dim=-1).flatten(0, 1)
        first = start.reshape(1, count * slots, -1).contiguous()
        lives, _ = self.person(seen, first)
        return torch.cat([start.unsqueeze(2), lives.view(count, slots, turns, -1)], dim=2)

    def _lapses(self, away: Tensor) -> Tensor:
        """Returns how long each person has been silent, in turns and in seconds, encoded."""
        place = away.shape[:-1]
        known = (away >= 0).to(away.dtype)
        by_turn = self.lapse_turns(away[..., 0].clamp(min=0)).view(*place, CLOCK)
        by_second = self.lapse_s(away[..., 1].clamp(min=0)).view(*place, CLOCK)
        by_turn = by_turn * known[..., :1] * float(self.recipe.structure)
        timed = float(self.recipe.structure and self.recipe.timing)
        return torch.cat([by_turn, by_second * known[..., 1:] * timed], dim=-1)


_FEATURES = {"turn": TURN_FEATURES, "cut": CUT_FEATURES, "person": PERSON_FEATURES}
"""What of the structure goes into turns, into cuts, and into people."""


def _shown(feature: str, recipe: Recipe) -> bool:
    if feature in TIMED and not recipe.timing:
        return False
    return recipe.structure or feature in OF_WORDS or feature in TIMED


def _kinds(slots: int, like: Tensor) -> Tensor:
    """Returns `[slot, kind]`, one-hot."""
    kinds = torch.zeros(slots, len(KINDS), dtype=like.dtype, device=like.device)
    kinds[GROUP + 1 :, 2] = 1
    kinds[SUPPORTER, 0] = kinds[GROUP, 1] = 1
    return kinds


def taken(states: Tensor, chosen: Tensor) -> Tensor:
    """Returns `[instance, hidden]`: the mean of `[instance, slot, hidden]` over chosen slots.

    Zero where none is chosen.
    """
    weight = chosen.to(states.dtype)
    total = (states * weight.unsqueeze(-1)).sum(1)
    return total / weight.sum(1, keepdim=True).clamp(min=1)


def between(relation: Tensor, source: Tensor, target: Tensor) -> Tensor:
    """Returns `[instance, size]`: what is kept of pairs from source slots to target slots, summed.

    Args:
        relation: `[instance, from, to, size]`.
        source: `[instance, slot]`, which count as from.
        target: `[instance, slot]`, which count as to.
    """
    pairs = source.unsqueeze(2) & target.unsqueeze(1)
    return (relation * pairs.unsqueeze(-1)).sum((1, 2))
