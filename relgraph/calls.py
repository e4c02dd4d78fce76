"""What language models were asked and what they answered, kept on disk and shared by all runs.

One SQLite file. A key is a SHA-256 of all that decides on an answer, so that the same question to
the same model is found, and no other. A row holds the reply, what it cost, and the messages. Rows
carry a checksum: a damaged one is asked again and never used. Several threads and processes may
read and write at once, and one may be killed at any moment: the write-ahead log keeps the file
whole. It holds transcripts, so it is private to its user; keys of endpoints never get into it.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from relgraph.errors import DataError
from relgraph.kept import default_folder
from relgraph.terminal import tell

T = TypeVar("T")
FILE = "calls-1.sqlite3"
SWITCH = "RELGRAPH_CALLS"
"""Environment variable: the file of the call cache where no option names one; `none` for none."""

NONE = "none"
WAIT_S = 10.0
MAGIC = b"SQLite format 3\0"
APPLICATION = 0x72674361
VERSION = 1
DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
TABLE = """
CREATE TABLE IF NOT EXISTS calls (
    key BLOB PRIMARY KEY, model TEXT NOT NULL, asked_at REAL NOT NULL, cost_usd REAL NOT NULL,
    tokens INTEGER NOT NULL, reply TEXT NOT NULL, checksum BLOB NOT NULL, messages BLOB NOT NULL
)"""


@dataclass(frozen=True, slots=True)
class Call:
    """One question to a model and its reply.

    Attributes:
        model: which one exactly.
        messages: what was sent, as (role, text).
        reply: the reply's fields, as `text`, `finish`, `prompt_tokens`, `answer_tokens`.
        cost_usd: what it cost when it was asked, in US dollars; 0 where that is not known.
        asked_at: when, in seconds since 1970.
    """

    model: str
    messages: tuple[tuple[str, str], ...]
    reply: Mapping[str, Any]
    cost_usd: float = 0.0
    asked_at: float = 0.0

    @property
    def text(self) -> str:
        """What the model wrote."""
        return str(self.reply.get("text", ""))


@dataclass(frozen=True, slots=True)
class ModelCalls:
    """How many calls to one model are kept, their tokens, and what they cost in US dollars."""

    calls: int
    tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True)
class CallsInfo:
    """What a call cache holds, by model, and its bytes on disk."""

    path: Path
    models: Mapping[str, ModelCalls]
    size_bytes: int


class CallStore:
    """The call cache of one file; threads may share it.

    It never stops a run: where the file cannot be used (no permission, full disk, locked for ten
    seconds) it says so once on stderr, finds nothing from then on and keeps nothing. A damaged
    file is moved aside, with a message, and begun again.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = RLock()
        self._db: sqlite3.Connection | None = None
        self._file = 0
        self._unusable = self._full = False

    def __del__(self) -> None:
        self.close()

    @classmethod
    def at(cls, place: str = "") -> CallStore | None:
        """Returns the cache in the file `place`, for "" the user's own, for `none` no cache.

        Raises:
            DataError: a file was named that is something else, or a folder.
        """
        place = place or os.environ.get(SWITCH, "")
        if place == NONE:
            return None
        if not place:
            return cls(default_folder() / FILE)
        path = Path(place).expanduser()
        _refuse_foreign(path)
        return cls(path)

    def find(self, key: str) -> Mapping[str, Any] | None:
        """Returns the fields of the reply that is kept under a key, if one is."""
        query = "SELECT reply, checksum FROM calls WHERE key = ?"
        row = self._use(lambda db: db.execute(query, (_bytes(key),)).fetchone(), writes=False)
        return _reply(key, *row) if row else None

    def recall(self, key: str) -> Call | None:
        """Returns the call that is kept under a key, its messages too, if one is."""
        query = "SELECT reply, checksum, model, messages, cost_usd, asked_at FROM calls WHERE key=?"
        row = self._use(lambda db: db.execute(query, (_bytes(key),)).fetchone(), writes=False)
        reply = _reply(key, *row[:2]) if row else None
        if row is None or reply is None:
            return None
        try:
            messages = json.loads(zlib.decompress(row[3]))
            pairs = tuple((str(role), str(text)) for role, text in messages)
        except (zlib.error, ValueError, TypeError):
            return None
        return Call(row[2], pairs, reply, cost_usd=row[4], asked_at=row[5])

    def keep(self, key: str, call: Call) -> None:
        """Keeps a call; it is there for every process when this returns, or not at all.

        What is kept already stays: who asked first has paid first. A damaged row is replaced.
        """
        reply = json.dumps(dict(call.reply), separators=(",", ":"))
        messages = zlib.compress(json.dumps(call.messages).encode(), 6)
        tokens = sum(int(call.reply.get(f"{of}_tokens", 0)) for of in ("prompt", "answer"))
        row = (
            _bytes(key),
            call.model,
            call.asked_at or time.time(),
            call.cost_usd,
            tokens,
            reply,
            _checksum(key, reply),
            messages,
        )

        def write(db: sqlite3.Connection) -> None:
            if self.find(key) is None:
                with db:
                    db.execute("INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

        self._use(write, writes=True)

    def info(self) -> CallsInfo:
        """Returns what is kept."""
        query = (
            "SELECT model, COUNT(*), SUM(tokens), SUM(cost_usd) FROM calls GROUP BY 1 ORDER BY 1"
        )
        rows = self._use(lambda db: db.execute(query).fetchall(), writes=False) or []
        size = sum(f.stat().st_size for f in self._files() if f.exists())
        return CallsInfo(self.path, {name: ModelCalls(*of) for name, *of in rows}, size)

    def clear(self) -> None:
        """Deletes the cache; a process that is using it goes on and keeps nothing more here."""
        with self._lock:
            self.close()
            for file in self._files():
                with suppress(FileNotFoundError):
                    file.unlink()

    def close(self) -> None:
        """Closes the file; the next use opens it again."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def _use(self, work: Callable[[sqlite3.Connection], T], *, writes: bool) -> T | None:
        with self._lock:
            if self._unusable or (writes and self._full):
                return None
            try:
                if self._db is None:
                    if not writes and not self.path.exists():
                        return None
                    self._db = self._connect()
                return work(self._db)
            except sqlite3.Error as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGE:
                    self._set_aside(error)
                else:
                    self._give_up(str(error), writes=writes and self._db is not None)
            except OSError as error:
                self._give_up(error.strerror or str(error), writes=False)
        return None

    def _give_up(self, cause: str, *, writes: bool) -> None:
        """What cannot be written may still be read: a full disk makes no kept reply worse."""
        if writes:
            self._full = True
            tell(f"calls: {self.path}: {cause}; new answers are not kept there")
        else:
            self._unusable = True
            tell(f"calls: {self.path}: {cause}; going on without the call cache")

    def _set_aside(self, error: sqlite3.Error) -> None:
        self.close()
        with suppress(FileNotFoundError):
            # Another process may have begun a new file already; that one is not to be moved.
            if self._file != self.path.stat().st_ino:
                return
        place = _free_name(self.path)
        try:
            self.path.rename(place)
            for file in self._files()[1:]:
                file.unlink(missing_ok=True)
        except OSError as refused:
            self._give_up(f"damaged, and cannot be moved ({refused.strerror})", writes=False)
        else:
            tell(f"calls: {self.path}: damaged ({error}); moved to {place.name}, begun again")

    def _connect(self) -> sqlite3.Connection:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # SQLite gives its log and index files the mode of the file they belong to.
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        self._file = os.fstat(handle).st_ino
        os.close(handle)
        db = sqlite3.connect(self.path, timeout=WAIT_S, check_same_thread=False)
        try:
            _begin(db)
        except BaseException:
            db.close()
            raise
        return db

    def _files(self) -> tuple[Path, ...]:
        return tuple(self.path.with_name(f"{self.path.name}{end}") for end in ("", "-wal", "-shm"))


def recall(key: str, place: str = "") -> Call | None:
    """Returns a call by its key, as `Prediction.calls` has it; None where it is not kept.

    Args:
        key: 64 hex digits.
        place: file of the call cache; "" for the user's own, `none` for no cache.

    Raises:
        DataError: `place` is no call cache.
    """
    store = _shared(place or os.environ.get(SWITCH, ""))
    return store.recall(key) if store else None


@lru_cache(maxsize=4)
def _shared(place: str) -> CallStore | None:
    return CallStore.at(place)


def _begin(db: sqlite3.Connection) -> None:
    """Prepares a file, or makes sure that it is one of ours."""
    deadline = time.monotonic() + WAIT_S
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            # SQLite does not wait here for others who do the same.
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            break
    db.execute("PRAGMA synchronous = NORMAL")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version not in (0, VERSION):
        raise OSError(0, f"is of version {version}, wanted {VERSION}")
    if version == 0:
        if db.execute("SELECT name FROM sqlite_master WHERE name != 'calls'").fetchone():
            raise OSError(0, "is a database of something else")
        with db:
            db.execute(TABLE)
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            db.execute(f"PRAGMA user_version = {VERSION}")


def _refuse_foreign(path: Path) -> None:
    """Refuses a file that a user named by mistake: it must be neither written nor moved."""
    wanted = f"Name a call cache, a new file, or `{NONE}` with --calls (or {SWITCH})."
    if path.is_dir():
        raise DataError(f"{path}: is a folder. {wanted}")
    try:
        with path.open("rb") as file:
            head = file.read(72)
    except FileNotFoundError:
        return
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or error}. {wanted}") from None
    # Bytes 68 to 71 of a SQLite file are its application id.
    own = head.startswith(MAGIC) and int.from_bytes(head[68:72]) in (0, APPLICATION)
    if head and not own:
        raise DataError(f"{path}: is not a call cache. {wanted}")


def _free_name(path: Path) -> Path:
    names = (path.with_name(f"{path.name}.damaged-{n}") for n in range(1, 1000))
    return next((place for place in names if not place.exists()), path)


def _reply(key: str, reply: Any, checksum: Any) -> Mapping[str, Any] | None:
    if not isinstance(reply, str) or checksum != _checksum(key, reply):
        return None
    try:
        found = json.loads(reply)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _checksum(key: str, reply: str) -> bytes:
    return blake2b(reply.encode(), digest_size=16, key=_bytes(key)[:64]).digest()


def _bytes(key: str) -> bytes:
    """The key as it is stored; what is no key is found nowhere."""
    try:
        return bytes.fromhex(key)
    except ValueError:
        return key.encode()
