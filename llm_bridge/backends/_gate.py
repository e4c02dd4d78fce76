"""The gate that requests to an endpoint pass: as many at once as it bears, none while down."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import count
from threading import Condition, Lock

from relgraph.errors import RunError
from relgraph.llm_bridge.backends._breaker import Breaker
from relgraph.llm_bridge.backends._pace import Pace


class Stopped(RunError):  # noqa: N818 (asked for, not a fault)
    """A question that was given up because asking was stopped; it is no failed item."""


class GivenUp(Exception):  # noqa: N818 (of the endpoint, not of ours)
    """Nothing has succeeded for long: how long, after how many tries, and the last cause."""

    def __init__(self, cause: str, seconds: float) -> None:
        super().__init__(cause)
        self.cause = cause
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Entry:
    """One try under way: which request's, the round of the pace it began in, if it is a probe."""

    request: int
    round: int
    is_probe: bool


class Gate:
    """Lets requests through; threads share it.

    Who waits here, for another try or for an endpoint to come back, holds no place, so that the
    others go on at full rate.
    """

    def __init__(self, most: int) -> None:
        self._pace = Pace(most)
        self._breaker = Breaker()
        self._inside = 0
        self._probing = self._stopped = False
        self._given_up: GivenUp | None = None
        self._numbers = count()
        lock = Lock()
        self._places = Condition(lock)
        self._verdict = Condition(lock)

    @property
    def is_stopped(self) -> bool:
        """Whether nothing passes any more."""
        return self._stopped

    def number(self) -> int:
        """Returns a number for a new request."""
        return next(self._numbers)

    def enter(self, request: int) -> Entry:
        """Returns when the request may be sent; to be left again.

        Raises:
            Stopped: asking was stopped.
            GivenUp: the endpoint is down.
        """
        with self._places:
            while True:
                self._raise_if_over()
                now = time.monotonic()
                opens_at = self._opens_at()
                if self._has_place() and opens_at <= now:
                    break
                # Without a place it is woken by whoever leaves; else by the clock.
                self._places.wait(max(0.001, opens_at - now) if self._has_place() else None)
            self._inside += 1
            self._probing = self._breaker.is_open
            return Entry(request, self._pace.round, self._breaker.is_open)

    def _has_place(self) -> bool:
        if self._breaker.is_open and self._probing:
            return False
        return self._inside < self._pace.limit or (self._breaker.is_open and not self._probing)

    def _opens_at(self) -> float:
        opens_at = self._pace.paused_until
        return max(opens_at, self._breaker.next_probe) if self._breaker.is_open else opens_at

    def answered(self, entry: Entry) -> None:
        """The endpoint answered, be it that it does not like the request."""
        with self._places:
            if self._breaker.is_suspect:
                self._wake_all()
            self._breaker.succeeded()
            self._pace.taken(entry.round)
            self._leave(entry)

    def turned_down(self, entry: Entry, cause: str, wait_s: float | None) -> None:
        """The endpoint has too much to do."""
        with self._places:
            now = time.monotonic()
            self._breaker.failed(
                entry.request, cause, now=now, is_down=False, is_probe=entry.is_probe
            )
            self._pace.turned_down(entry.round, now=now, wait_s=wait_s)
            self._leave(entry)

    def failed(self, entry: Entry, cause: str) -> None:
        """No answer came, or none that is one."""
        with self._places:
            now = time.monotonic()
            self._breaker.failed(
                entry.request, cause, now=now, is_down=True, is_probe=entry.is_probe
            )
            self._pace.taken(entry.round)
            if entry.is_probe and now >= self._breaker.gives_up_at:
                self._give_up(now)
            self._leave(entry)

    def left(self, entry: Entry) -> None:
        """The try was broken off from here; it says nothing of the endpoint."""
        with self._places:
            self._leave(entry)

    def wait(self, seconds: float) -> None:
        """Waits before another try.

        Raises:
            Stopped: asking was stopped.
            GivenUp: the endpoint is down.
        """
        until = time.monotonic() + seconds
        with self._verdict:
            while (left := until - time.monotonic()) > 0:
                self._raise_if_over()
                self._verdict.wait(left)
            self._raise_if_over()

    def wait_for_verdict(self) -> None:
        """Returns when failures are known to be those of single requests, not of the endpoint.

        For a request whose tries are used up: while nothing else succeeds either, its item must
        not be marked as failed.

        Raises:
            Stopped: asking was stopped.
            GivenUp: the endpoint is down.
        """
        with self._verdict:
            while True:
                self._raise_if_over()
                if not self._breaker.is_suspect:
                    return
                now = time.monotonic()
                left = self._breaker.gives_up_at - now
                if left <= 0:
                    self._give_up(now)
                else:
                    self._verdict.wait(left)

    def stop(self) -> None:
        """Lets nothing pass any more; all that wait are told."""
        with self._places:
            self._stopped = True
            self._wake_all()

    def _leave(self, entry: Entry) -> None:
        self._inside -= 1
        if entry.is_probe:
            self._probing = False
            self._wake_all()
        elif self._inside + 1 < self._pace.limit:
            self._places.notify(2)  # the limit may have grown by one
        else:
            self._places.notify()

    def _give_up(self, now: float) -> None:
        self._given_up = GivenUp(self._breaker.cause, self._breaker.failing_for_s(now))
        self._wake_all()

    def _raise_if_over(self) -> None:
        if self._given_up is not None:
            raise GivenUp(self._given_up.cause, self._given_up.seconds)
        if self._stopped:
            raise Stopped("stopped before an answer came")

    def _wake_all(self) -> None:
        self._places.notify_all()
        self._verdict.notify_all()
