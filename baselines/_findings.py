"""What the rules found, as inputs of the network: features of turns and people, and edges.

A conclusion enters at the turn at which it is known, never earlier; a cue at its own turn. The
rules are read once a conversation, and what a prefix gives is the prefix of what the whole gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from relgraph.records import Conversation

if TYPE_CHECKING:
    from relgraph.reasoning import RuleSet

Floats = NDArray[np.float32]
EDGE = "rule"
"""Kind of the edges: from a turn that a conclusion rests on to the turn at which it is known."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What the rules found in a conversation.

    Attributes:
        turn: `[turn, feature]`, the strongest cue of each name in the turn, and the strongest
            conclusion of each head that becomes known there.
        role: `[slot, turn, 2 * head]`, who does what a head says there, then to whom it is done.
        edges: `[2, edge]`, positions of the earlier and the later turn.
    """

    turn: Floats
    role: Floats
    edges: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RuleReader:
    """Reads conversations with rules, into features in a fixed order.

    Attributes:
        rules: shipped packs and the user's own.
        cues: names of cues, in the codebook's order.
        heads: names of conclusions, sorted.
    """

    rules: RuleSet
    cues: tuple[str, ...]
    heads: tuple[str, ...]

    @property
    def turn_features(self) -> int:
        """Returns how many features a turn has."""
        return len(self.cues) + len(self.heads)

    @property
    def role_features(self) -> int:
        """Returns how many features a person has in a turn."""
        return 2 * len(self.heads)

    def described(self) -> dict[str, Any]:
        """Returns what has to be equal for two readers to give the same features."""
        return {"rules": self.rules.hash, "cues": list(self.cues), "heads": list(self.heads)}

    def read(self, conversation: Conversation, slots: dict[str, int]) -> Findings:
        """Returns what the rules find in a conversation, whole or cut.

        Args:
            conversation: its turns may start later than turn 1.
            slots: name -> slot of its people.
        """
        from relgraph.cues import find_cues
        from relgraph.reasoning import reason

        place = {turn.index: position for position, turn in enumerate(conversation.turns)}
        column = {name: k for k, name in enumerate((*self.cues, *self.heads))}
        turn = np.zeros((len(place), self.turn_features), np.float32)
        role = np.zeros((len(slots), len(place), self.role_features), np.float32)
        pairs: dict[tuple[int, int], None] = {}
        cues = find_cues(conversation)
        for cue in cues:
            at, k = place[cue.turn], column[cue.name]
            turn[at, k] = max(turn[at, k], cue.strength)
        found = reason(conversation, self.rules.for_scenario(conversation.scenario), cues=cues)
        for fact in found.conclusions:
            if fact.known_at not in place:
                continue
            at, head = place[fact.known_at], fact.atom.predicate
            k = column[head]
            turn[at, k] = max(turn[at, k], fact.strength)
            for position, name in enumerate(fact.atom.args):
                if name in slots:
                    column_of = k - len(self.cues) + (position > 0) * len(self.heads)
                    known = role[slots[name], at, column_of]
                    role[slots[name], at, column_of] = max(known, fact.strength)
        for firing in found.firings:
            here = place.get(firing.conclusion.known_at)
            if here is None:
                continue
            for fact in firing.evidence:
                before = place.get(fact.atom.turn)
                if before is not None and before < here:
                    pairs[before, here] = None
        edges = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
        return Findings(turn, role, edges)


def rule_reader(own: Sequence[str] = ()) -> RuleReader:
    """Returns the reader of the shipped packs and of the rule files `own`.

    Raises:
        RelgraphError: a file of rules cannot be read.
    """
    from relgraph.cues import CODEBOOK
    from relgraph.reasoning import RuleSet

    rules = RuleSet.shipped(*own)
    return RuleReader(
        rules=rules,
        cues=tuple(name for name, entry in CODEBOOK.items() if entry.family != "type"),
        heads=tuple(sorted({rule.head for rule in rules.rules})),
    )
