"""How the last turns went: who to whom, how many words, whether it asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from relgraph.graph import Node, TurnNode
from relgraph.llm_bridge.blocks._base import Said, Source, mention
from relgraph.llm_bridge.observations import addressees, is_question

HEAD = "Last turns (words):"
FLOW_TURNS = 4


@dataclass(frozen=True, slots=True)
class Flow:
    """The last four turns at most."""

    name: str = "flow"
    needs: tuple[str, ...] = ()
    learns: bool = False

    def say(self, source: Source) -> Said:
        """Returns one entry a turn, the newest first to be kept, shown oldest first."""
        to = addressees(source.graph)
        last = source.graph.turns[-FLOW_TURNS:]
        entries = tuple(_turn(turn, to.get(turn.index, ())) for turn in reversed(last))
        return Said(HEAD, entries, chronological=True, inline=True)


def _turn(turn: TurnNode, to: Sequence[Node]) -> str:
    whom = f" -> {', '.join(mention(str(node.key)) for node in to)}" if to else ""
    asks = ", asks" if is_question(turn) else ""
    return f"[{turn.index}] {mention(turn.speaker)}{whom} {turn.words}{asks}"


BLOCK = Flow()
