"""How many requests run at a time: fewer while a server turns many down, then more again.

Additive increase, multiplicative decrease (Chiu and Jain 1989, "Analysis of the increase and
decrease algorithms for congestion avoidance in computer networks"), at most one change a round
of requests, as in TCP (Jacobson 1988, "Congestion avoidance and control"). Unlike TCP, where any
loss means a full queue, a server may turn down a few requests at random, and going slower would
not help against that: only a round in which more than a quarter is turned down counts.
"""

from __future__ import annotations

FEWEST_SEEN = 8
"""A round is at least so long, so that a few requests are no pattern."""

TOLERATED = 0.25
LEAST_LEFT = 0.25
"""What one decrease leaves at least: a server that has just begun to refuse may refuse all."""


class Pace:
    """The number of requests that may run at a time, between 1 and `most`.

    Times are seconds of any one clock. Not safe for threads: its user holds a lock.

    Attributes:
        limit: so many may run now.
        paused_until: before then none may begin.
        round: number of the round; a request belongs to the one in which it began.
    """

    def __init__(self, most: int) -> None:
        self.limit = self.most = most
        self.paused_until = 0.0
        self.round = 0
        self._seen = self._turned_down = 0

    def taken(self, began_in: int) -> None:
        """Counts a request that the server did not turn down, whatever it made of it."""
        if began_in == self.round:
            self._seen += 1
            self._end_full_round()

    def turned_down(self, began_in: int, *, now: float, wait_s: float | None = None) -> None:
        """Counts a request that was one too many for the server.

        Args:
            began_in: the round in which it began; what began before a decrease says nothing of
                the pace after it.
            now: the time.
            wait_s: how long the server asks to wait. Where it turns many down all of them wait,
                else this request alone.
        """
        if began_in != self.round:
            return
        self._seen += 1
        self._turned_down += 1
        if self._turned_down > TOLERATED * self._length:
            left = max(LEAST_LEFT, 1 - self._turned_down / self._seen)
            self.limit = max(1, int(self.limit * left))
            self.paused_until = max(self.paused_until, now + (wait_s or 0.0))
            self._begin_round()
        else:
            self._end_full_round()

    @property
    def _length(self) -> int:
        return max(FEWEST_SEEN, self.limit)

    def _end_full_round(self) -> None:
        if self._seen >= self._length:
            self.limit = min(self.most, self.limit + 1)
            self._seen = self._turned_down = 0

    def _begin_round(self) -> None:
        self.round += 1
        self._seen = self._turned_down = 0
