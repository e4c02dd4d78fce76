"""Embedding vectors on disk, found by what was embedded and by what.

One SQLite file. A key is the SHA-256 of the embedder's identity and the text; texts themselves are
not stored. Rows carry a checksum, so that a damaged vector is computed again and never used.
Several processes may read and write at once, and one may be killed at any moment: SQLite's
write-ahead log keeps the file whole.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b, sha256
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from relgraph.errors import DataError
from relgraph.kept import default_folder
from relgraph.terminal import tell

if TYPE_CHECKING:
    from relgraph.embed._base import Vectors

T = TypeVar("T")
FILE = "embeddings-1.sqlite3"
WAIT_S = 60.0
KEYS_A_QUERY = 500
TABLE = """
CREATE TABLE IF NOT EXISTS vectors (
    key BLOB PRIMARY KEY, embedder TEXT NOT NULL, truncated INTEGER NOT NULL,
    vector BLOB NOT NULL, checksum BLOB NOT NULL
) WITHOUT ROWID"""


@dataclass(frozen=True, slots=True)
class Stored:
    """A vector `[dim]`, and whether its text was longer than the embedder reads."""

    vector: Vectors
    truncated: bool


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What a cache holds: vectors by embedder identity, and bytes on disk."""

    path: Path
    vectors: Mapping[str, int]
    size_bytes: int


class VectorStore:
    """The cache of one folder. The file is private to its user: vectors tell about texts.

    A store whose file cannot be used (full disk, no permission, locked for a minute) says so once
    on stderr and is then empty; a damaged file is deleted, with a message, and begun again.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._broken = False

    @classmethod
    def at(cls, folder: str) -> VectorStore:
        """Returns the store in `folder`, or for "" in the user's cache folder.

        Raises:
            DataError: a folder was given, and it cannot be made or written.
        """
        if not folder:
            return cls(default_folder())
        place = Path(folder).expanduser()
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(
                f"{place}: cannot be the cache folder ({error.strerror}). Give another one."
            ) from None
        if not os.access(place, os.W_OK | os.X_OK):
            raise DataError(f"{place}: the cache folder may not be written. Give another one.")
        return cls(place)

    def find(self, identity: str, texts: Sequence[str], dim: int) -> dict[str, Stored]:
        """Returns what is stored for `texts` under an embedder's identity; the rest is absent."""
        texts_by_key = {_key(identity, text): text for text in texts}
        found: dict[str, Stored] = {}
        damaged = 0
        for key, truncated, blob, checksum in self._use(partial(_rows, list(texts_by_key))) or []:
            whole = isinstance(blob, bytes) and len(blob) == 4 * dim and truncated in (0, 1)
            if whole and checksum == _checksum(key, truncated, blob):
                vector = np.frombuffer(blob, dtype="<f4").astype(np.float32)
                found[texts_by_key[key]] = Stored(vector, bool(truncated))
            else:
                damaged += 1
        if damaged:
            _say(f"{self.path}: {damaged} damaged vectors, which are computed again")
        return found

    def keep(self, identity: str, items: Mapping[str, Stored]) -> None:
        """Stores vectors by text, all of them or, when killed, none."""
        rows = []
        for text, item in items.items():
            key, blob = _key(identity, text), item.vector.astype("<f4").tobytes()
            truncated = int(item.truncated)
            rows.append((key, identity, truncated, blob, _checksum(key, truncated, blob)))

        def write(db: sqlite3.Connection) -> None:
            with db:
                db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?)", rows)

        if rows:
            self._use(write, create=True)

    def info(self) -> CacheInfo:
        """Returns what is stored."""
        query = "SELECT embedder, COUNT(*) FROM vectors GROUP BY embedder ORDER BY embedder"
        counts = self._use(lambda db: dict(db.execute(query).fetchall())) or {}
        size = sum(f.stat().st_size for f in self._files() if f.exists())
        return CacheInfo(self.path, counts, size)

    def clear(self) -> None:
        """Deletes the cache; a process that is using it goes on and stores nothing more here."""
        for file in self._files():
            with suppress(FileNotFoundError):
                file.unlink()

    def _use(self, work: Callable[[sqlite3.Connection], T], *, create: bool = False) -> T | None:
        if self._broken or not (create or self.path.exists()):
            return None
        try:
            db = self._connect()
            try:
                return work(db)
            finally:
                db.close()
        except sqlite3.OperationalError as error:
            self._broken = True
            _say(f"{self.path}: {error}; going on without the cache")
        except sqlite3.DatabaseError as error:
            self.clear()
            _say(f"{self.path}: damaged ({error}); deleted, its vectors are computed again")
        except OSError as error:
            self._broken = True
            _say(f"{self.path}: {error.strerror}; going on without the cache")
        return None

    def _connect(self) -> sqlite3.Connection:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # SQLite gives its log and index files the mode of the file they belong to.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        db = sqlite3.connect(self.path, timeout=WAIT_S)
        try:
            _begin_log(db)
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute(TABLE)
        except sqlite3.Error:
            db.close()
            raise
        return db

    def _files(self) -> tuple[Path, ...]:
        return tuple(self.path.with_name(f"{FILE}{end}") for end in ("", "-wal", "-shm"))


def _begin_log(db: sqlite3.Connection) -> None:
    """Turns the write-ahead log on; SQLite does not wait here for others who do the same."""
    deadline = time.monotonic() + WAIT_S
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


def _rows(keys: Sequence[bytes], db: sqlite3.Connection) -> list[tuple[bytes, int, bytes, bytes]]:
    rows: list[tuple[bytes, int, bytes, bytes]] = []
    for begin in range(0, len(keys), KEYS_A_QUERY):
        some = keys[begin : begin + KEYS_A_QUERY]
        marks = ",".join("?" * len(some))
        query = f"SELECT key, truncated, vector, checksum FROM vectors WHERE key IN ({marks})"  # noqa: S608
        rows += db.execute(query, some)
    return rows


def _key(identity: str, text: str) -> bytes:
    return sha256(f"{identity}\x00{text}".encode()).digest()


def _checksum(key: bytes, truncated: int, blob: bytes) -> bytes:
    return blake2b(blob, digest_size=8, key=key, salt=bytes([truncated])).digest()


def _say(message: str) -> None:
    tell(f"cache: {message}")
