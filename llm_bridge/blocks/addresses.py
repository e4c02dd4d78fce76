"""Who addresses whom: how often, as what share of a speaker's turns, when last, how mutually."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from relgraph.graph import InteractionGraph
from relgraph.graph.measures import address_matrix, reciprocity
from relgraph.llm_bridge.blocks._base import Said, Source, mention

HEAD = "Who speaks to whom (turns, last turn):"
UNKNOWN = "not known"


@dataclass(frozen=True, slots=True)
class Addresses:
    """Counted in turns; an inferred addressee counts with its confidence."""

    name: str = "addresses"
    needs: tuple[str, ...] = ()
    learns: bool = False

    def say(self, source: Source) -> Said:
        """Returns the ordered pairs, the most frequent first, and how mutual address is."""
        graph = source.graph
        if not graph.turns:
            return Said(HEAD, (), inline=True)
        return Said(HEAD, tuple(_pairs(graph)) or (UNKNOWN,), inline=True)


def _pairs(graph: InteractionGraph) -> Iterator[str]:
    matrix = address_matrix(graph)
    speaker_of = {edge.turn: str(edge.source.key) for edge in graph.of("said")}
    last = {
        (speaker_of[edge.turn], str(edge.target.key)): edge.turn
        for edge in graph.of("addressed")
        if edge.turn in speaker_of
    }
    counted = [
        (count, source, target, sum(row))
        for source, row in zip(matrix.sources, matrix.counts, strict=True)
        for target, count in zip(matrix.targets, row, strict=True)
        if count > 0
    ]
    for count, source, target, _ in sorted(counted, key=lambda pair: -pair[0]):
        pair = f"{mention(source)} -> {mention(target)}"
        yield f"{pair} {round(count, 1):g}, [{last[source, target]}]"
    mutual = reciprocity(graph).value
    if mutual is not None:
        yield f"{100 * mutual:.0f}% of address between two people is returned"


BLOCK = Addresses()
