"""What can be counted at single turns: questions left open, short answers, silences."""

from __future__ import annotations

from dataclasses import dataclass

from relgraph.llm_bridge.blocks._base import Said, Source
from relgraph.llm_bridge.observations import find_observations

HEAD = "Seen at single turns:"


@dataclass(frozen=True, slots=True)
class Observations:
    """See `relgraph.llm_bridge.observations`."""

    name: str = "observations"
    needs: tuple[str, ...] = ()
    learns: bool = False

    def say(self, source: Source) -> Said:
        """Returns the observations, the newest first to be kept, shown oldest first."""
        found = find_observations(source.graph)
        return Said(HEAD, tuple(map(str, reversed(found))), chronological=True)


BLOCK = Observations()
