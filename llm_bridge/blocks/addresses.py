"""Who addresses whom, how often, and how mutually."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from relgraph.graph import InteractionGraph
from relgraph.graph.measures import reciprocity
from relgraph.llm_bridge.blocks._base import Said, Source, mention

HEAD = "Who speaks to whom (turns, the latest first):"
UNKNOWN = "not known"


@dataclass(frozen=True, slots=True)
class Addresses:
    """Counted in turns; an inferred addressee counts with its confidence."""

    name: str = "addresses"
    needs: tuple[str, ...] = ()
    learns: bool = False

    def say(self, source: Source) -> Said:
        """Returns one entry a speaker, who spoke last first, then how mutual address is."""
        graph = source.graph
        if not graph.turns:
            return Said(HEAD, (), inline=True)
        return Said(HEAD, tuple(_pairs(graph)) or (UNKNOWN,), inline=True)


def _pairs(graph: InteractionGraph) -> Iterator[str]:
    speaker_of = {edge.turn: str(edge.source.key) for edge in graph.of("said")}
    counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for edge in reversed(graph.of("addressed")):
        if edge.turn in speaker_of:
            counts[speaker_of[edge.turn]][str(edge.target.key)] += edge.weight
    for speaker, to in counts.items():
        told = ", ".join(f"{mention(who)} {round(turns, 1):g}" for who, turns in to.items())
        yield f"{mention(speaker)} -> {told}"
    mutual = reciprocity(graph).value
    if mutual is not None:
        yield f"{100 * mutual:.0f}% between two people is returned"


BLOCK = Addresses()
