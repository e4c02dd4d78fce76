"""Who holds the floor: shares, the longest run, who has it now, and time where it was recorded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from relgraph.graph import InteractionGraph
from relgraph.graph.measures import latencies, overlaps, silence, talk_shares
from relgraph.llm_bridge.blocks._base import Said, Source, mention

HEAD = "Floor (share of words, turns{times}):"
UNTIMED = {
    "recorded": "",
    "unknown": "; no times",
    "edited": "; pauses edited",
}
LONG_RUN_TURNS = 3
"""Shorter runs of turns of one speaker are not worth a word."""


@dataclass(frozen=True, slots=True)
class Floor:
    """Turns in a row are runs of rows of one speaker, however the rows were cut."""

    name: str = "floor"
    needs: tuple[str, ...] = ()
    learns: bool = False

    def say(self, source: Source) -> Said:
        """Returns each speaker's share, the most talkative first, then runs, then times."""
        graph = source.graph
        head = HEAD.format(times=UNTIMED[graph.timing])
        if not graph.turns:
            return Said(head, (), inline=True)
        return Said(head, (*_shares(graph), *_runs(graph), *_times(graph)), inline=True)


def _shares(graph: InteractionGraph) -> Iterator[str]:
    for share in sorted(talk_shares(graph), key=lambda s: -s.words):
        if share.turns:
            yield f"{mention(share.speaker)} {100 * share.word_share:.0f}%, {share.turns}"


def _runs(graph: InteractionGraph) -> Iterator[str]:
    runs = [list(run) for _, run in groupby(graph.turns, key=lambda t: t.speaker)]
    here, longest = runs[-1], max(runs, key=len)
    if len(here) > 1:
        yield f"now {mention(here[0].speaker)}, {len(here)} turns in a row"
    if longest is not here and len(longest) >= LONG_RUN_TURNS:
        first, last = longest[0], longest[-1]
        yield f"longest run {mention(first.speaker)} [{first.index}-{last.index}]"


def _times(graph: InteractionGraph) -> Iterator[str]:
    for late in sorted(latencies(graph) or (), key=lambda m: -m.count):
        pair = f"{mention(late.speaker)} after {mention(late.after)}"
        yield f"{pair} {late.median_s:.1f} s (median, {late.count}x)"
    for over in overlaps(graph) or ():
        pair = f"{mention(over.speaker)} over {mention(over.over)}"
        yield f"{pair} {over.count}x, {over.seconds:.1f} s"
    still = silence(graph)
    if still and still.count:
        yield f"silence {100 * still.share:.0f}% of the time, longest {still.longest_s:.1f} s"


BLOCK = Floor()
