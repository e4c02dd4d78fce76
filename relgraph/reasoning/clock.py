"""Seconds between turns, as they can be told when the later one begins."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from math import inf

from relgraph.reasoning.language import Window

Times = Mapping[int, tuple[float | None, float | None]]
"""Turn -> start and end in seconds, of a recording."""
Range = tuple[int, int, int]
"""First and last turn of a window, and the turn at which it is known to have closed."""


class Clock:
    """The latest start and the latest end up to each turn: both only ever go forward.

    Whoever speaks across a short turn of somebody else has not ended with it; and a row that
    stands late but began early does not turn time back.
    """

    def __init__(self, times: Times, last_turn: int) -> None:
        self.last_turn = last_turn
        self.starts, self.ends = [-inf], [-inf]
        start, end = -inf, -inf
        for turn in range(1, last_turn + 1):
            began, ended = times.get(turn, (None, None))
            start = start if began is None else max(start, began)
            end = end if ended is None else max(end, ended)
            self.starts.append(start)
            self.ends.append(end)

    def window(self, kind: str, turn: int, seconds: float) -> Range | None:
        """Returns the turns within so many seconds after, before or up to `turn`.

        Of a window after a turn it is known that it has closed when a turn is seen that begins
        too late; until then, that turn is the one after the last. None where no time is known.
        """
        if kind == "after":
            if self.ends[turn] == -inf:
                return None
            last = bisect_right(self.starts, self.ends[turn] + seconds) - 1
            last = min(max(last, turn), self.last_turn)
            return turn + 1, last, last + 1
        if self.starts[turn] == -inf:
            return None
        first = bisect_left(self.ends, self.starts[turn] - seconds)
        last = turn if kind == "up to" else turn - 1
        return min(first, last + 1), last, last

    def holds(self, window: Window, turn: int, other: int) -> bool:
        """Says whether `turn` lies in a window that counts seconds from turn `other`."""
        found = self.window(window.kind, other, window.limit or 0.0)
        return found is not None and found[0] <= turn <= found[1]
