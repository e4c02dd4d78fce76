"""Requests with an end: one thread carries them all and gives each up at its deadline.

A socket's own timeout begins again with every byte, so a server that drips holds a request for
as long as it likes. Here the whole of it counts: name, connection, request, reply.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError, Future
from functools import cache
from threading import Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")
LONGEST_SEND_OFF_S = 5.0
LONGEST_LATE_S = 10.0
"""How late a deadline may be noticed on a busy machine, before it is not waited for any more."""


class Line:
    """What one backend has under way."""

    def __init__(self) -> None:
        self._under_way: set[Future[Any]] = set()
        self._lock = Lock()

    def run(self, start: Callable[[], Awaitable[T]], *, timeout_s: float) -> T:
        """Returns what comes back; called from any thread but the one that carries requests.

        Raises:
            TimeoutError: it did not end in time, or was given up by `drop`.
        """
        if sys.is_finalizing():
            raise TimeoutError("given up")  # the thread that carries requests has ended
        coming = asyncio.run_coroutine_threadsafe(_within(start, timeout_s), _loop())
        with self._lock:
            self._under_way.add(coming)
        try:
            return coming.result(timeout_s + LONGEST_LATE_S)
        except CancelledError:
            raise TimeoutError("given up") from None
        finally:
            coming.cancel()  # where the waiting itself was interrupted; else it has ended
            with self._lock:
                self._under_way.discard(coming)

    def drop(self) -> None:
        """Gives up all that is under way."""
        with self._lock:
            waiting = tuple(self._under_way)
        for coming in waiting:
            coming.cancel()


def send_off(start: Callable[[], Awaitable[object]]) -> None:
    """Starts something that nobody waits for; may be called by the garbage collector."""
    asyncio.run_coroutine_threadsafe(_within(start, LONGEST_SEND_OFF_S), _loop())


async def _within(start: Callable[[], Awaitable[T]], timeout_s: float) -> T:
    async with asyncio.timeout(timeout_s):
        return await start()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Returns the loop of all requests of this process; its thread ends with the process."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="requests", daemon=True).start()
    return loop
