"""Training moments like the one at hand with their right answers: few-shot examples."""

from __future__ import annotations

from dataclasses import dataclass

from relgraph.llm_bridge.blocks._base import Said, Source
from relgraph.llm_bridge.blocks._moments import entries

HEAD = (
    "Similar moments in other relationships (the last turns before the question => the right "
    "answer):"
)


@dataclass(frozen=True, slots=True)
class Examples:
    """The training moments that are most alike, each of another conversation, and no model."""

    name: str = "examples"
    needs: tuple[str, ...] = ()
    learns: bool = True

    def say(self, source: Source) -> Said:
        """Returns the moments, the most alike first.

        Raises:
            RelgraphError: there is no training case of the task and scenario.
        """
        return Said(HEAD, tuple(entries(source)))


BLOCK = Examples()
