"""The heads: what each task, and each auxiliary question, reads from the states at its cuts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from relgraph.baselines._structure import (
    CUT_FEATURES,
    GROUP,
    PERSON_FEATURES,
    SUPPORTER,
)
from relgraph.baselines.gnn.model import Encoder, Shape, States, between, taken
from relgraph.baselines.gnn.recipe import Recipe
from relgraph.labels import PATTERNS, STRATEGIES, UTTERANCE_TYPES

SCENARIOS = tuple(PATTERNS)
LABELS = {"pattern": PATTERNS, "pattern_now": PATTERNS, "strategy": STRATEGIES,
          "strategy_now": STRATEGIES}  # fmt: skip
"""Heads with a label set a scenario, and these sets."""

BOTTLENECK = 8
"""Dimensions of the states that a candidate's score may use: structure decides, words nudge."""

INTENSITIES = 11
"""Levels of an emotion's intensity, 0 to 10."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where instances are in a batch: `[instance]` each.

    Attributes:
        row: number of the conversation.
        cut: number of turns seen.
        slot: the person that the question is about (SSP: the target; ER, VP and phrases: the
            speaker), else -1.
    """

    row: Tensor
    cut: Tensor
    slot: Tensor

    def at(self, chosen: Tensor) -> Places:
        """Returns the chosen places."""
        return Places(self.row[chosen], self.cut[chosen], self.slot[chosen])


class Network(nn.Module):
    """Encoder and heads in one module: what a checkpoint holds."""

    def __init__(self, shape: Shape, recipe: Recipe) -> None:
        super().__init__()
        self.encoder = Encoder(shape, recipe)
        h, related = recipe.hidden, self.encoder.related
        cut, standing = len(CUT_FEATURES), len(PERSON_FEATURES)
        around, support = 4 * h + cut + 4 * related, 3 * h + cut + standing + 2 * related
        self.pattern = _by_scenario("pattern", around, recipe)
        self.pattern_now = _by_scenario("pattern_now", around, recipe)
        self.strategy = _by_scenario("strategy", support, recipe)
        self.strategy_now = nn.ModuleDict(
            {scenario: nn.Linear(h, len(labels)) for scenario, labels in STRATEGIES.items()}
        )
        self.time = _Structural(cut, recipe)
        self.target = _Candidates(recipe, related, said=False)
        self.next = _Candidates(recipe, related, said=False)
        self.about = _Candidates(recipe, related, said=True)
        self.intensity = nn.Sequential(nn.Dropout(recipe.dropout), nn.Linear(2 * h, INTENSITIES))
        self.utterance = nn.Linear(h, len(UTTERANCE_TYPES))
        self.feeling = nn.Linear(2 * h, shape.dim)
        self.view = nn.Linear(2 * h, shape.dim)
        self.reason = nn.Linear(around, shape.dim)
        self.next_words = nn.Linear(around, shape.dim)

    def read_labels(self, head: str, states: States, at: Places, scenario: str) -> Tensor:
        """Returns logits `[instance, label]` of a head in `LABELS`.

        `pattern` is of the next turn and `pattern_now` of the last one; `strategy` is of the
        supporter's next turn, given its target in `at.slot`, and `strategy_now` of the last one.
        """
        out: Tensor
        if head == "strategy_now":
            out = self.strategy_now[scenario](states.turn[at.row, at.cut])
        elif head == "strategy":
            out = self.strategy[scenario](_support(states, at))
        else:
            out = getattr(self, head)[scenario](_around(states, at))
        return out

    def read_time(self, states: States, at: Places) -> Tensor:
        """Returns logits `[instance]` that the supporter speaks next; structure only."""
        out: Tensor = self.time(states.cut[at.row, at.cut])
        return out

    def read_people(self, head: str, states: States, at: Places) -> Tensor:
        """Returns scores `[instance, slot]`; -inf for slots not known of by the cut.

        `target`: of being supported next; `next`: of speaking next; `about`: logits that the last
        speaker, in `at.slot`, holds a view of the slot.
        """
        out: Tensor = getattr(self, head)(states, at)
        return out

    def read_intensity(self, states: States, at: Places) -> Tensor:
        """Returns logits `[instance, level]` over 0 to 10, to be added to the training prior's."""
        out: Tensor = self.intensity(_speaker(states, at))
        return out

    def read_utterance(self, states: States, at: Places) -> Tensor:
        """Returns logits `[instance, utterance type]` of the last turn (auxiliary)."""
        out: Tensor = self.utterance(states.turn[at.row, at.cut])
        return out

    def read_words(self, head: str, states: States, at: Places) -> Tensor:
        """Returns `[instance, dim]` of unit length, the guessed embedding of a text.

        `feeling`: the last speaker's emotion phrase; `view`: their viewpoint; `reason`: why the
        next turn's pattern is what it is; `next_words`: what is said next.
        """
        inputs = _speaker(states, at) if head in ("feeling", "view") else _around(states, at)
        return functional.normalize(getattr(self, head)(inputs), dim=-1)


def build(
    shape: Shape, recipe: Recipe, weights: Mapping[str, Tensor], device: torch.device
) -> Network:
    """Returns a network of the given weights, ready to answer; draws no random number.

    Raises:
        RuntimeError: the weights are not those of such a network.
    """
    # Without memory of its own: sizes that the weights do not have are told before any is taken.
    with torch.device("meta"):
        net = Network(shape, recipe)
    # Copied: sums over weights that lie askew in a file's memory differ in their last bits.
    own = {name: w.to(device, torch.float32, copy=True) for name, w in weights.items()}
    net.load_state_dict(own, assign=True)
    return net.to(device).eval()


class _Structural(nn.Module):
    """A linear and a small curved reading of structural features."""

    def __init__(self, size: int, recipe: Recipe) -> None:
        super().__init__()
        self.straight = nn.Linear(size, 1)
        self.curved = nn.Sequential(
            nn.Linear(size, recipe.hidden // 2),
            nn.GELU(),
            nn.Dropout(recipe.dropout),
            nn.Linear(recipe.hidden // 2, 1),
        )

    def forward(self, features: Tensor) -> Tensor:
        out: Tensor = (self.straight(features) + self.curved(features)).squeeze(-1)
        return out


class _Candidates(nn.Module):
    """A score for each slot; the same weights for all, so any number of people will do."""

    def __init__(self, recipe: Recipe, related: int, *, said: bool) -> None:
        super().__init__()
        self.said = said
        sources = {"state": recipe.hidden}
        if said:
            sources["turn"] = recipe.hidden
        if related:
            sources["relation"] = 2 * related
        self.narrow = nn.ModuleDict({n: nn.Linear(k, BOTTLENECK) for n, k in sources.items()})
        size = len(PERSON_FEATURES) + len(CUT_FEATURES) + BOTTLENECK * len(sources)
        self.score = _Structural(size, recipe)

    def forward(self, states: States, at: Places) -> Tensor:
        """Returns `[instance, slot]`; slots not known of by the cut score -inf."""
        r, c = at.row, at.cut
        standing = states.standing[r, :, c]
        slots = standing.shape[1]
        seen = {"state": states.person[r, :, c]}
        if "turn" in self.narrow:
            seen["turn"] = states.turn[r, c].unsqueeze(1).expand(-1, slots, -1)
        if "relation" in self.narrow:
            seen["relation"] = self._related(states, at)
        parts = [standing, states.cut[r, c].unsqueeze(1).expand(-1, slots, -1)]
        parts += [torch.tanh(layer(seen[name])) for name, layer in self.narrow.items()]
        scores: Tensor = self.score(torch.cat(parts, dim=-1))
        return scores.masked_fill(~states.present[r, :, c], float("-inf"))

    def _related(self, states: States, at: Places) -> Tensor:
        """Returns `[instance, slot, 2 size]`: what came to each slot, and what went from it.

        From and to the last speaker for views; for who is next, all people but the supporter
        together.
        """
        pairs = states.relation[at.row, :, :, at.cut]
        if self.said:
            one = torch.arange(len(at.row), device=pairs.device)
            return torch.cat([pairs[one, at.slot], pairs[one, :, at.slot]], dim=-1)
        others = pairs[:, GROUP + 1 :], pairs[:, :, GROUP + 1 :]
        return torch.cat([others[0].sum(1), others[1].sum(2)], dim=-1)


def _by_scenario(head: str, size: int, recipe: Recipe) -> nn.ModuleDict:
    return nn.ModuleDict(
        {
            scenario: nn.Sequential(
                nn.Linear(size, recipe.hidden),
                nn.GELU(),
                nn.Dropout(recipe.dropout),
                nn.Linear(recipe.hidden, len(labels)),
            )
            for scenario, labels in LABELS[head].items()
        }
    )


def _around(states: States, at: Places) -> Tensor:
    """Returns `[instance, ...]`: flow, supporter, last client, the others, and what is between."""
    r, c = at.row, at.cut
    people = states.person[r, :, c]
    slots = torch.arange(people.shape[1], device=people.device)
    client = states.present[r, :, c] & (slots > GROUP)
    last = slots == states.last_client[r, c].unsqueeze(1)
    others, supporter = client & ~last, (slots == SUPPORTER).expand_as(client)
    pairs = states.relation[r, :, :, c]
    parts = [
        people[:, GROUP],
        people[:, SUPPORTER],
        taken(people, last),
        taken(people, others),
        states.cut[r, c],
        between(pairs, last, others),
        between(pairs, others, last),
        between(pairs, last, supporter),
        between(pairs, supporter, client),
    ]
    return torch.cat(parts, dim=-1)


def _support(states: States, at: Places) -> Tensor:
    """Returns `[instance, ...]`: flow, the target's state, the last turn, and their structure."""
    r, c, s = at.row, at.cut, at.slot
    one = torch.arange(len(r), device=r.device)
    pairs = states.relation[r, :, :, c]
    parts = [
        states.person[r, GROUP, c],
        states.person[r, s, c],
        states.turn[r, c],
        states.cut[r, c],
        states.standing[r, s, c],
        pairs[one, s].sum(1),
        pairs[one, :, s].sum(1),
    ]
    return torch.cat(parts, dim=-1)


def _speaker(states: States, at: Places) -> Tensor:
    """Returns `[instance, 2 hidden]`: the last turn, and its speaker's state."""
    r, c = at.row, at.cut
    return torch.cat([states.turn[r, c], states.person[r, at.slot, c]], dim=-1)
