"""The network: turns along typed edges, and a state of each person after every turn.

One pass over a conversation gives the states at every cut. Nothing flows backwards: edges run
from earlier to later turns, people's states are recurrent (`state[person, t]` comes from
`state[person, t - 1]` and turn `t`), and normalisation is within a turn. Before the first turn
the states are learned.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch_geometric.nn import HeteroConv, SAGEConv

from relgraph.baselines._channels import CHANNELS
from relgraph.baselines.gnn.findings import EDGE
from relgraph.baselines.gnn.links import EDGES
from relgraph.baselines.gnn.structure import GROUP, ROLES, SUPPORTER, TURN_FEATURES
from relgraph.baselines.gnn.tensors import Batch

KINDS = ("supporter", "group", "client")
"""What a slot can be; each has a start state of its own. The group's state is the
conversation's: it hears every turn."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of the network.

    Attributes:
        dim: of the text embeddings.
        hidden: of all states.
        layers: of message passing between turns.
        dropout: share of units dropped in training.
        word_dropout: share of embedding dimensions dropped in training.
        found: features of a turn that come from rules; 0 for a network that reads none.
        found_role: features of a person in a turn that come from rules.
    """

    dim: int
    hidden: int = 64
    layers: int = 1
    dropout: float = 0.5
    word_dropout: float = 0.5
    found: int = 0
    found_role: int = 0


@dataclass(frozen=True, slots=True)
class States:
    """What the heads read.

    Attributes:
        turn: `[conversation, turn + 1, hidden]`, the last turn as it stands among its
            predecessors; place 0 is learned.
        person: `[conversation, slot, turn + 1, hidden]`, each person, and the group, after so
            many turns.
    """

    turn: Tensor
    person: Tensor


class Turns(nn.Module):
    """Turn states: words and structure, then messages along the typed edges."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        hidden = shape.hidden
        self.words = nn.ModuleDict(
            {channel: nn.Linear(shape.dim, hidden, bias=False) for channel in CHANNELS}
        )
        for channel in CHANNELS[1:]:
            # A channel that training never shows has to say nothing later on.
            for weight in self.words[channel].parameters():
                nn.init.zeros_(weight)
        self.structure = nn.Linear(len(TURN_FEATURES), hidden)
        self.found = nn.Linear(shape.found, hidden, bias=False) if shape.found else None
        kinds = (*EDGES, EDGE) if shape.found else EDGES
        self.first = nn.LayerNorm(hidden)
        self.layers = nn.ModuleList(
            HeteroConv(
                {
                    ("turn", kind, "turn"): SAGEConv(hidden, hidden, root_weight=False)
                    for kind in kinds
                },
                aggr="sum",
            )
            for _ in range(shape.layers)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(hidden) for _ in range(shape.layers))
        self.drop = nn.Dropout(shape.dropout)
        self.drop_words = nn.Dropout(shape.word_dropout)

    def forward(self, batch: Batch) -> Tensor:
        """Returns `[conversation, turn, hidden]`."""
        x = self.structure(batch.turn)
        if self.found is not None and batch.found is not None:
            x = x + self.found(batch.found)
        for channel, vectors in batch.channels.items():
            x = x + self.words[channel](self.drop_words(vectors) * vectors.shape[-1] ** 0.5)
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

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        hidden = shape.hidden
        self.turns = Turns(shape)
        self.before = nn.Parameter(torch.zeros(hidden))
        heard = hidden + len(ROLES) + len(KINDS) + shape.found_role
        self.person = nn.GRU(heard, hidden, batch_first=True)
        self.start = nn.Parameter(torch.zeros(len(KINDS), hidden))
        self.drop = nn.Dropout(shape.dropout)

    def forward(self, batch: Batch) -> States:
        """Returns the states at every cut."""
        x = self.turns(batch)
        count, turns, hidden = x.shape
        slots = batch.role.shape[1]
        kinds = _kinds(slots, x)
        start = (kinds @ self.start).expand(count, slots, hidden)
        person = start.unsqueeze(2)
        if turns:
            heard = [
                x.unsqueeze(1).expand(-1, slots, -1, -1),
                batch.role,
                kinds[:, None].expand(count, -1, turns, -1),
            ]
            if batch.found_role is not None:
                heard.append(batch.found_role)
            seen = torch.cat(heard, dim=-1)
            first = start.reshape(1, count * slots, hidden).contiguous()
            lives, _ = self.person(seen.flatten(0, 1), first)
            person = torch.cat([person, lives.view(count, slots, turns, hidden)], dim=2)
        return States(
            turn=torch.cat([self.before.expand(count, 1, hidden), x], dim=1),
            person=self.drop(person),
        )


def _kinds(slots: int, like: Tensor) -> Tensor:
    """Returns `[slot, kind]`, one-hot."""
    kinds = torch.zeros(slots, len(KINDS), dtype=like.dtype, device=like.device)
    kinds[GROUP + 1 :, 2] = 1
    kinds[SUPPORTER, 0] = kinds[GROUP, 1] = 1
    return kinds
