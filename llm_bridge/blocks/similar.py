"""Training moments like the one at hand, with what the graph network had said of them."""

from __future__ import annotations

from dataclasses import dataclass

from relgraph.llm_bridge.blocks._base import Said, Source
from relgraph.llm_bridge.blocks._moments import entries

HEAD = (
    "Similar moments in other relationships (the last turns before the question => the right "
    "answer; what a model trained on others had said):"
)


@dataclass(frozen=True, slots=True)
class Similar:
    """The moments of `examples`, each with the chance that the network gave the right answer.

    The network that said it was trained without the moment's relationship, as the one whose
    word is shown for the question was trained without the question's.
    """

    name: str = "similar"
    needs: tuple[str, ...] = ("gnn",)
    learns: bool = True

    def say(self, source: Source) -> Said:
        """Returns the moments, the most alike first.

        Raises:
            RelgraphError: there is no training case of the task and scenario.
        """
        return Said(HEAD, tuple(entries(source, model="gnn")))


BLOCK = Similar()
