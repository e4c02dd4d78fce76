"""Signals that end a command: what has been done is kept, and what is under way may still come.

A command that keeps answers as they come runs inside `ended_by_signals`. The first Ctrl-C (SIGINT)
or SIGTERM then interrupts it, unless work that pays for answers is under way: that runs inside
`patient`, is told, and ends by itself after a short grace. A second signal interrupts in any case.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

from relgraph.terminal import tell

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupted(KeyboardInterrupt):
    """A signal that ends the command; `number` is that of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class _Signals:
    """What has come so far, and who wants to be told instead of interrupted."""

    def __init__(self) -> None:
        self.came = 0
        self.number = int(signal.SIGINT)
        self.told: list[Callable[[], None]] = []

    def handle(self, number: int, frame: FrameType | None) -> None:
        """The first signal tells the patient work that goes on, if any; others interrupt."""
        del frame
        self.came += 1
        self.number = number
        if self.told and self.came == 1:
            self.told[-1]()
        else:
            raise Interrupted(number)


_signals = _Signals()


@contextmanager
def ended_by_signals(resume: str) -> Iterator[None]:
    """Ends the command cleanly on SIGINT or SIGTERM, with exit code 130 or 143.

    Args:
        resume: how to go on later, for the person who stopped it.
    """
    if current_thread() is not main_thread():
        yield
        return
    _signals.came = 0
    before = {number: signal.signal(number, _signals.handle) for number in SIGNALS}
    try:
        yield
    except KeyboardInterrupt as error:
        number = error.number if isinstance(error, Interrupted) else int(signal.SIGINT)
        tell(f"stopped: {resume}")
        raise SystemExit(128 + number) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def patient(told: Callable[[], None]) -> Iterator[None]:
    """Has the first signal call `told` instead of interrupting; see `interrupt`.

    Args:
        told: called in the main thread, between any two steps of it: it must not block.
    """
    _signals.told.append(told)
    try:
        yield
    finally:
        _signals.told.remove(told)


def interrupt() -> None:
    """Ends the command, as the signal that came would have done.

    Raises:
        Interrupted: always.
    """
    raise Interrupted(_signals.number)
