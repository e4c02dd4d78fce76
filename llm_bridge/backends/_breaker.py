"""A circuit breaker (Nygard 2007, "Release it!"): an endpoint that is down is left alone.

Closed, all requests pass. It opens when many in a row failed and none succeeded in between; then
one request at a time passes now and then, to probe. A success closes it. When nothing succeeded
for long enough the endpoint is given up.
"""

from __future__ import annotations

TRIES_IN_A_ROW = 10
REQUESTS_IN_A_ROW = 3
"""It opens after so many failed tries of so many requests: one bad prompt opens nothing."""

PATIENCE_S = 30.0
"""An endpoint is given up when it has been failing for so long."""

FIRST_PROBE_S = 0.5
LONGEST_PROBE_S = 8.0


class Breaker:
    """What the last requests to one endpoint came to.

    Times are seconds of any one clock. Not safe for threads: its user holds a lock.

    Attributes:
        is_open: whether only probes may pass.
        next_probe: when the next may; meaningful while it is open.
        cause: of the last failure.
    """

    def __init__(self) -> None:
        self.is_open = False
        self.next_probe = 0.0
        self.cause = ""
        self._tries = self._probes = 0
        self._requests: set[int] = set()
        self._since = 0.0

    def succeeded(self) -> None:
        """Counts an answer; it closes the breaker."""
        if self._tries:
            self._tries = self._probes = 0
            self._requests.clear()
            self.is_open = False

    def failed(
        self, request: int, cause: str, *, now: float, is_down: bool, is_probe: bool = False
    ) -> None:
        """Counts a failed try.

        Args:
            request: number of the request whose try it was.
            is_probe: whether it was let through to see if the endpoint is there again.
            cause: what went wrong.
            now: the time.
            is_down: whether it speaks of an endpoint that is down; one that turns requests down
                is there, and the pace answers to that.
        """
        if not self._tries:
            self._since = now
        self.cause = cause
        self._tries += 1
        self._requests.add(request)
        opens = is_down and not self.is_open and self.is_suspect
        self.is_open = self.is_open or opens
        self._probes += is_probe
        if opens or is_probe:
            wait_s = FIRST_PROBE_S * 2.0 ** min(self._probes, 8)
            self.next_probe = now + min(LONGEST_PROBE_S, wait_s)

    @property
    def is_suspect(self) -> bool:
        """Whether the failures are too many in a row to be those of single requests."""
        return self._tries >= TRIES_IN_A_ROW and len(self._requests) >= REQUESTS_IN_A_ROW

    @property
    def gives_up_at(self) -> float:
        """When the endpoint is given up, unless it answers before; it has to be suspect."""
        return self._since + PATIENCE_S

    def failing_for_s(self, now: float) -> float:
        """Returns how long nothing has succeeded."""
        return now - self._since if self._tries else 0.0
