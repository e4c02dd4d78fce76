"""What calls to language models cost: a ledger that is exact under threads and outlives a kill.

Before a call its highest cost is reserved, afterwards what it did cost is settled. Both are lines
of the ledger's file, written at once; a call that a kill has left unsettled counts as its highest
cost. So no run spends more than it was allowed, however often it was stopped and gone on with.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from threading import Condition
from typing import IO, Any

from relgraph.errors import RunError

FILE = "spending.jsonl"


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an approach's questions may cost, at most.

    Attributes:
        model: backend and model, as for `--model`.
        questions: how many calls.
        prompt_tokens: of all of them together.
        answer_tokens: the same, if each answer were as long as it may be.
        cost_usd: in US dollars; None where the model's price is not known.
    """

    model: str
    questions: int
    prompt_tokens: int
    answer_tokens: int
    cost_usd: float | None


class Ledger:
    """What has been spent, and what calls under way may still cost; threads may share it.

    Args:
        file: where it is written down, and read from if it is there; None for nowhere.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._path = file
        self._log: IO[bytes] | None = None
        self._settled = Condition()
        self._torn = False
        self._next = 0
        self._open: dict[int, float] = {}
        self.spent_usd = 0.0
        if file is not None and file.is_file():
            self._read(file)

    @property
    def reserved_usd(self) -> float:
        """The highest cost of the calls under way together."""
        return sum(self._open.values())

    def reserve(self, most_usd: float, *, limit_usd: float = 0.0) -> int:
        """Returns a number for a call that may cost `most_usd`, to be settled by.

        Waits for calls under way where their highest costs alone stand before the limit.

        Args:
            most_usd: the highest cost of the call.
            limit_usd: most that may be spent; 0 for no limit.

        Raises:
            RunError: the call could pass the limit.
            OSError: it cannot be written down.
        """
        with self._settled:
            while limit_usd and self.spent_usd + self.reserved_usd + most_usd > limit_usd:
                if not self._open:
                    raise _stopped(self.spent_usd, most_usd, limit_usd)
                self._settled.wait()
            number = self._next
            self._next += 1
            # What cannot be written is not begun, and nobody is to wait for it.
            self._write({"call": number, "most_usd": most_usd})
            self._open[number] = most_usd
            return number

    def settle(self, number: int, cost_usd: float) -> None:
        """Puts what a call did cost in the place of what was reserved for it."""
        with self._settled:
            del self._open[number]
            self.spent_usd += cost_usd
            self._settled.notify_all()
            self._write({"call": number, "cost_usd": cost_usd})

    def close(self) -> None:
        """Closes the file."""
        if self._log is not None:
            self._log.close()
            self._log = None

    def _write(self, row: dict[str, Any]) -> None:
        if self._path is None:
            return
        if self._log is None:
            self._log = self._path.open("ab", buffering=0)
        if self._torn:
            # A torn line must not take the next one with it.
            self._log.write(b"\n")
        data = f"{json.dumps(row)}\n".encode()
        while data:  # a disk that is nearly full takes a part, and refuses the rest
            self._torn = True
            data = data[self._log.write(data) :]
        self._torn = False

    def _read(self, file: Path) -> None:
        reserved: dict[int, float] = {}
        data = file.read_bytes()
        self._torn = bool(data) and not data.endswith(b"\n")
        for line in data.split(b"\n"):
            try:
                row = json.loads(line)
                number = int(row["call"])
                if "cost_usd" in row:
                    self.spent_usd += _dollars(row["cost_usd"])
                    reserved.pop(number, None)
                else:
                    reserved[number] = _dollars(row["most_usd"])
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
                continue
            self._next = max(self._next, number + 1)
        self.spent_usd += sum(reserved.values())


_ledgers = [Ledger()]


def ledger() -> Ledger:
    """Returns the ledger of this process: that of its run, else one that is written nowhere."""
    return _ledgers[-1]


@contextmanager
def recorded(folder: Path) -> Iterator[Ledger]:
    """Makes the ledger in `folder` that of this process; what was spent there before counts.

    A folder is not made, nor the file before the first call that costs something.
    """
    opened = Ledger(folder / FILE)
    _ledgers.append(opened)
    try:
        yield opened
    finally:
        _ledgers.remove(opened)
        opened.close()


def _dollars(said: Any) -> float:
    """An amount as a line has it; a damaged one must not lift the limit."""
    amount = float(said)
    if not 0 <= amount < inf:
        raise ValueError(said)
    return amount


def _stopped(spent_usd: float, most_usd: float, limit_usd: float) -> RunError:
    return RunError(
        f"--max-cost {limit_usd:g}: {spent_usd:.4f} USD are spent, and the next call may cost up "
        f"to {most_usd:.4f}. Give the same command with a higher --max-cost to go on from here."
    )
