"""Blocks to text: what a prompt may say of the interaction so far, inside a token budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from relgraph.approach import Settings
from relgraph.llm_bridge.blocks._base import Block, Said, Source, unmarked
from relgraph.llm_bridge.placebo import permuted
from relgraph.registry import load

LEFT_OUT = "Left out for want of room: {left}."
"""With the number of entries of each block."""
UNCHANGED = "the placebo is the summary itself: its names are all of one person"


@dataclass(frozen=True, slots=True)
class Summary:
    """The graph in words.

    Attributes:
        text: what the prompt shows; "" for nothing.
        dropped: what the budget left out, in words.
        remarks: what else a reader of the answer has to know, in words.
    """

    text: str
    dropped: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class Summariser:
    """Puts blocks together within a budget of tokens.

    Args:
        blocks: their names, in the order shown; a name given again counts once.
        settings: the budget, `summary_tokens`.
        count: how many tokens a text has.
        permuted: whether the names in the text are permuted among the places where names stand.

    Raises:
        UnknownNameError: there is no block of that name.
    """

    def __init__(
        self,
        blocks: Sequence[str],
        settings: Settings,
        count: Callable[[str], int],
        *,
        permuted: bool = False,
    ) -> None:
        self.blocks: tuple[Block, ...] = tuple(
            load("block", name) for name in dict.fromkeys(blocks)
        )
        self._settings, self._count, self._permuted = settings, count, permuted

    @property
    def needs(self) -> tuple[str, ...]:
        """The approaches whose findings the blocks show."""
        return tuple(dict.fromkeys(name for block in self.blocks for name in block.needs))

    def of(self, source: Source) -> Summary:
        """Returns the summary for one instance.

        Each block gives its entries, the most important first. They are taken in turn: the first
        of every block in the order of naming, then the second ones, and so on, as many as fit. So
        what is cut first are the least important entries of the blocks that say most. What is
        left out is said on the last line, and counted as part of the text.

        Raises:
            RelgraphError: a block cannot say anything of this instance.
        """
        said = [block.say(source) for block in self.blocks]
        order = list(_in_turn(said))
        kept = self._most(said, order)
        if order and not kept:
            return Summary("", ("the whole summary",))
        text = self._compose(said, order, kept)
        remarks: tuple[str, ...] = ()
        if self._permuted:
            marked, text = text, permuted(text, seed=self._settings.seed)
            remarks = (UNCHANGED,) if text == marked else ()
        cut = Counter(order[kept:])
        dropped = (
            f"{cut[place]} of {len(said[place].entries)} entries of {block.name}"
            for place, block in enumerate(self.blocks)
            if cut[place]
        )
        return Summary(unmarked(text), tuple(dropped), remarks)

    def _most(self, said: Sequence[Said], order: Sequence[int]) -> int:
        """How many entries fit into the budget, in the order in which they are taken."""

        def fits(size: int) -> bool:
            text = unmarked(self._compose(said, order, size))
            return self._count(text) <= self._settings.summary_tokens

        if fits(len(order)):
            return len(order)
        low, high = 0, len(order) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if fits(middle):
                low = middle
            else:
                high = middle - 1
        return low

    def _compose(self, said: Sequence[Said], order: Sequence[int], size: int) -> str:
        kept, cut = Counter(order[:size]), Counter(order[size:])
        lines = [line for place, s in enumerate(said) for line in _lines(s, kept[place])]
        left = [f"{block.name} {cut[k]}" for k, block in enumerate(self.blocks) if cut[k]]
        if left:
            lines.append(LEFT_OUT.format(left=", ".join(left)))
        return "\n".join(lines)


def _in_turn(said: Sequence[Said]) -> Iterator[int]:
    """Yields the place of the block whose next entry is taken."""
    longest = max((len(s.entries) for s in said), default=0)
    for size in range(longest):
        yield from (place for place, s in enumerate(said) if size < len(s.entries))


def _lines(said: Said, size: int) -> Iterator[str]:
    shown = said.entries[:size]
    if said.chronological:
        shown = shown[::-1]
    if shown and said.inline:
        yield f"{said.head} {'; '.join(shown)}."
    elif shown:
        yield from (said.head,) if said.head else ()
        yield from (f"- {entry}" if said.head else entry for entry in shown)
