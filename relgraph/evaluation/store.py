"""The run folder: `run.json`, `items.jsonl`, `scores.json`; it survives being killed.

While a run goes on, `items.jsonl` is a log that only grows: one line an answer, written at once.
When all is answered it is rewritten whole, one line an instance and approach in a fixed order, so
that a run that was killed and resumed leaves the file of an undisturbed one (but for costs). Lines
that were superseded (a failed try that was repeated, a broken unit) move to `attempts.jsonl`.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from relgraph.errors import DataError, RelgraphError, RunError
from relgraph.evaluation._codec import from_json, to_json
from relgraph.files import exclusive, write_json, write_text
from relgraph.records import Prediction
from relgraph.terminal import tell

RUN, ITEMS, SCORES, ATTEMPTS, LOCK = (
    "run.json",
    "items.jsonl",
    "scores.json",
    "attempts.jsonl",
    ".lock",
)
SYNC_EVERY_S = 1.0


@dataclass(frozen=True, slots=True)
class Key:
    """One item: what an approach says of one instance, and where that instance is."""

    approach: str
    task: str
    conversation: str
    turn: int
    relationship: str
    fold: int


@dataclass(frozen=True, slots=True)
class Answer:
    """An item's prediction."""

    key: Key
    prediction: Prediction


CODE = "code_sha256:"
AGAIN = (
    "relgraph has changed since, and answers of two states do not mix. Choose another folder with "
    "--run: what a model has said to the same prompts comes from the call cache."
)
ELSE = "ask for the same again, or choose another folder with --run."


class Store:
    """The items of one run folder; a context that holds the folder's lock.

    `answers` maps (approach, instance) to the last answer that counts.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.answers: dict[tuple[str, str], Answer] = {}
        self._superseded: list[str] = []
        self._line_of: dict[tuple[str, str], str] = {}
        self._lock: IO[str] | None = None
        self._log: IO[bytes] | None = None
        self._synced = 0.0

    def __enter__(self) -> Store:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._refuse_foreign()
        self._lock = _locked(self.folder)
        try:
            self._read()
            self._log = (self.folder / ITEMS).open("ab", buffering=0)
        except BaseException:
            self._lock.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._log is not None:
            os.fsync(self._log.fileno())
            self._log.close()
        if self._lock is not None:
            self._lock.close()

    @classmethod
    def look(cls, folder: Path) -> tuple[dict[str, Any], Store]:
        """Returns the content of `run.json` and the items as they stand; nothing is locked.

        For those who only read: a run that goes on may write the while. A last line that is not
        whole yet is passed over.

        Raises:
            DataError: it is no run folder.
        """
        if not (folder / RUN).is_file():
            raise DataError(
                f"{folder}: holds no {RUN}, so it is no run folder. `relgraph eval` makes one, and "
                "tells on stderr where it is."
            )
        store = cls(folder)
        run = _json(folder / RUN)
        if (folder / ITEMS).is_file():
            store._recall_all(folder / ITEMS, whole_only=True)
        return run, store

    def begin(self, what: Mapping[str, Any], notes: Mapping[str, Any]) -> None:
        """Writes `run.json`, or checks that the folder's run is of the same `what`.

        Args:
            what: all that decides on the answers; a run is resumed only with an equal one.
            notes: what is good to know and may change, such as versions of packages.

        Raises:
            RelgraphError: the folder holds another run; the message lists the differences.
        """
        path = self.folder / RUN
        if not path.exists():
            if self.answers:
                raise DataError(f"{self.folder}: has {ITEMS} and no {RUN}: choose another --run.")
            write_json(path, {"format": 1, "what": what, **notes, "approaches": {}})
            return
        there = _json(path)
        differences = list(_differences(there.get("what"), json.loads(json.dumps(what))))
        if differences:
            raise RelgraphError(
                f"{self.folder}: holds another run; it cannot be resumed as this one.\n"
                + "\n".join(f"  {line}" for line in differences)
                + f"\nhint: {AGAIN if any(d.startswith(CODE) for d in differences) else ELSE}"
            )
        versions = there.get("versions")
        known = versions if isinstance(versions, dict) else {}
        for name, version in notes.get("versions", {}).items():
            before = known.get(name)
            if before != version:
                tell(f"note: the run began with {name} {before}, now {version}")

    def note(self, approach: str, facts: Mapping[str, str]) -> None:
        """Keeps what a fitted approach says of itself; a resumed one has to say the same.

        Raises:
            RelgraphError: it says something else now, such as another prompt.
        """
        path = self.folder / RUN
        run = _json(path)
        before = run["approaches"].get(approach)
        if before is None:
            run["approaches"][approach] = dict(facts)
            write_json(path, run)
        elif before != facts:
            lines = "\n".join(f"  {line}" for line in _differences(before, dict(facts)))
            raise RelgraphError(
                f"{self.folder}: approach {approach} is not what it was when the run began.\n"
                f"{lines}\nhint: choose another folder with --run."
            )

    def keep_only(self, fits: Callable[[Answer], bool]) -> None:
        """Lets go of answers that do not fit, as a damaged or edited log may hold; says so."""
        strange = [place for place, answer in self.answers.items() if not fits(answer)]
        for place in strange:
            self._superseded.append(self._line_of.pop(place))
            del self.answers[place]
        if strange:
            tell(
                f"note: {self.folder / ITEMS}: {len(strange)} answers are none to what this run "
                "asks; such items run again"
            )

    def add(self, answer: Answer) -> None:
        """Appends one answer to the log; it is on disk when this returns (power loss: 1 s)."""
        self._append(_line(answer))
        self._take(answer, _line(answer))

    def restart(self, approach: str, conversation: str, task: str) -> None:
        """Marks all answers of a broken unit as superseded."""
        mark = {"approach": approach, "conversation": conversation, "task": task}
        self._append(_dump({"superseded": mark}))
        self._drop(mark)

    def finish(
        self, order: Sequence[tuple[str, str]], scores: Mapping[str, Any] | None = None
    ) -> None:
        """Writes the finished files: items in the given order, superseded ones apart, scores."""
        attempts = self.folder / ATTEMPTS
        if self._superseded:
            there = attempts.read_text("utf-8", errors="replace") if attempts.is_file() else ""
            lines = dict.fromkeys([*there.split("\n"), *self._superseded])
            write_text(attempts, "".join(f"{line}\n" for line in lines if line))
        text = "".join(f"{_line(self.answers[key])}\n" for key in order)
        if self._log is not None:
            self._log.close()
        write_text(self.folder / ITEMS, text)
        self._log = (self.folder / ITEMS).open("ab", buffering=0)
        if scores is not None:
            self.keep_scores(scores)

    def keep_scores(self, scores: Mapping[str, Any]) -> None:
        """Writes the scores alone: those over more than this folder's own items."""
        write_json(self.folder / SCORES, scores)

    def _append(self, line: str) -> None:
        if self._log is None:
            raise RunError(f"{self.folder}: the run folder is not open")
        data = f"{line}\n".encode()
        while data:
            data = data[self._log.write(data) :]
        if time.monotonic() - self._synced > SYNC_EVERY_S:
            os.fsync(self._log.fileno())
            self._synced = time.monotonic()

    def _refuse_foreign(self) -> None:
        """Refuses a folder of something else, whose files a run would mix with and write over."""
        names = sorted(path.name for path in self.folder.iterdir())
        foreign = [name for name in names if name != ITEMS and not name.startswith(".")]
        if foreign and RUN not in names:
            raise DataError(
                f"{self.folder}: holds {foreign[0]!r} and no {RUN}, so it is no run folder. "
                "Choose another --run."
            )

    def _read(self) -> None:
        path = self.folder / ITEMS
        if not path.exists():
            return
        _mend_end(path)
        self._recall_all(path)

    def _recall_all(self, path: Path, *, whole_only: bool = False) -> None:
        with path.open("rb") as file:
            for number, data in enumerate(file, start=1):
                if whole_only and not data.endswith(b"\n"):
                    return
                try:
                    self._recall(data.decode().rstrip("\n"))
                except (DataError, ValueError, KeyError, TypeError, RecursionError):
                    tell(f"note: {path}:{number} is damaged; its item runs again")

    def _recall(self, line: str) -> None:
        row = json.loads(line)
        if "superseded" in row:
            self._drop(row["superseded"])
            return
        places = ("approach", "task", "conversation", "turn", "relationship", "fold")
        key = Key(**{name: row[name] for name in places})
        self._take(Answer(key, from_json(row["prediction"])), line)

    def _take(self, answer: Answer, line: str) -> None:
        place = (answer.key.approach, answer.prediction.instance)
        if place in self._line_of:
            self._superseded.append(self._line_of[place])
        self.answers[place], self._line_of[place] = answer, line

    def _drop(self, mark: Mapping[str, str]) -> None:
        unit = (mark["approach"], mark["conversation"], mark["task"])
        for place, a in list(self.answers.items()):
            if (a.key.approach, a.key.conversation, a.key.task) == unit:
                self._superseded.append(self._line_of.pop(place))
                del self.answers[place]


def _line(answer: Answer) -> str:
    k = answer.key
    row = {
        "approach": k.approach,
        "task": k.task,
        "conversation": k.conversation,
        "turn": k.turn,
        "relationship": k.relationship,
        "fold": k.fold,
        "prediction": to_json(answer.prediction),
    }
    return _dump(row)


def _dump(row: Mapping[str, Any]) -> str:
    text = json.dumps(row, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, as a cut-off answer may hold
        return json.dumps(row, allow_nan=False)
    return text


def _mend_end(path: Path) -> None:
    """Cuts off a last line that was torn by a kill; ends a whole one that lacks its newline."""
    with path.open("r+b") as file:
        data = file.read()
        end = data.rfind(b"\n") + 1
        if end == len(data):
            return
        try:
            json.loads(data[end:].decode())
        except (ValueError, RecursionError):
            file.truncate(end)
        else:
            file.write(b"\n")


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError, RecursionError) as error:
        raise DataError(f"{path}: cannot be read ({error}). Choose another --run.") from None
    if not isinstance(value, dict) or not isinstance(value.get("approaches"), dict):
        raise DataError(f"{path}: is not a run of relgraph. Choose another --run.")
    return value


def _differences(before: Any, now: Any, path: str = "") -> Iterator[str]:
    if isinstance(before, dict) and isinstance(now, dict):
        for name in sorted({*before, *now}):
            where = f"{path}.{name}" if path else name
            yield from _differences(before.get(name), now.get(name), where)
    elif before != now:
        yield f"{path}: the run has {json.dumps(before)}, asked for is {json.dumps(now)}"


def _locked(folder: Path) -> IO[str]:
    """Returns the open lock file; the lock goes with the process, however that ends."""
    file = (folder / LOCK).open("a+", encoding="utf-8")
    try:
        with _busy(folder):
            exclusive(file)
    except BaseException:
        file.close()
        raise
    return file


@contextmanager
def _busy(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError:
        raise RelgraphError(
            f"{folder}: another process works in this run folder. Wait for it, or choose another "
            "folder with --run."
        ) from None
