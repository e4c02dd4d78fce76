"""Reading and writing conversations: `read`, `scan` and `write`; one format a file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import overload

from relgraph import registry
from relgraph.corpora._base import Defect, Found, Reader
from relgraph.corpora._relationships import read_map, related
from relgraph.errors import DataError
from relgraph.records import Conversation

__all__ = ["Corpus", "Defect", "Found", "Reader", "read", "scan", "write"]

SAMPLE = "sample"
MARK = "SENSITIVE"
"""A file of this name beside data, or in its folder, marks all of it sensitive."""


@dataclass(frozen=True)
class Corpus(Sequence[Conversation]):
    """Conversations as they were read, and what was wrong with them.

    Attributes:
        conversations: in the order of the source, each with a relationship.
        defects: everything that `relgraph data validate` lists.
        source: what was read.
    """

    conversations: tuple[Conversation, ...]
    defects: tuple[Defect, ...] = ()
    source: str = ""

    def __len__(self) -> int:
        return len(self.conversations)

    def __iter__(self) -> Iterator[Conversation]:
        return iter(self.conversations)

    @overload
    def __getitem__(self, key: int | str) -> Conversation: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Conversation, ...]: ...
    def __getitem__(self, key: int | str | slice) -> Conversation | tuple[Conversation, ...]:
        """Returns the conversation at a position or of an id, or those of a slice.

        Raises:
            KeyError: no conversation has that id.
            IndexError: there is none at that position.
        """
        if isinstance(key, str):
            return self._by_id[key]
        return self.conversations[key]

    @property
    def errors(self) -> tuple[Defect, ...]:
        """The defects that are errors."""
        return tuple(d for d in self.defects if d.severity == "error")

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content as read: equal for equal data in whatever format or file."""
        from relgraph.corpora.jsonl import line

        digest = sha256()
        for conversation in self.conversations:
            # Whether it may leave the machine is no content.
            extra = {k: v for k, v in conversation.extra.items() if k != "sensitive"}
            content = replace(conversation, sensitive=False, extra=extra)
            digest.update(f"{line(content)}\n".encode())
        return digest.hexdigest()

    @cached_property
    def _by_id(self) -> dict[str, Conversation]:
        return {c.id: c for c in self.conversations}


def read(
    path: str | os.PathLike[str],
    *,
    format: str = "",
    strict: bool = False,
    relationships: str | os.PathLike[str] | None = None,
) -> Corpus:
    """Returns the conversations of a file or folder, with every defect found on the way.

    Args:
        path: a file, a folder, or the word `sample` for the corpus that comes with relgraph.
        format: name of a reader; "" tells it by the content.
        strict: stop at the first error instead of keeping what can be kept.
        relationships: a JSON file, conversation id to relationship. What it does not name keeps
            its own relationship or has it derived: from the folder in the id, or for families
            from shared participants.

    Raises:
        DataError: nothing can be read there, or `strict` and there is an error.
        UnknownNameError: no reader has that name.
    """
    given = read_map(Path(relationships)) if relationships is not None else {}
    conversations: list[Conversation] = []
    defects: list[Defect] = []
    for found in scan(path, format=format):
        for defect in found.defects:
            if strict and defect.severity == "error":
                raise DataError(str(defect))
            defects.append(defect)
        if found.conversation is not None:
            conversations.append(found.conversation)
    if not conversations:
        first = f" First defect: {defects[0]}" if defects else ""
        raise DataError(f"{path}: holds no conversation that can be read.{first}")
    return Corpus(related(conversations, given), tuple(defects), source=str(path))


def scan(path: str | os.PathLike[str], *, format: str = "") -> Iterator[Found]:
    """Yields what a file or folder holds, one conversation at a time, each with its defects.

    Raises:
        DataError: it is not there or of no known format.
        UnknownNameError: no reader has that name.
    """
    from relgraph.corpora._validate import check

    seen: Counter[str] = Counter()
    with _located(path) as place:
        reader = _reader(place, format)
        marked = ((place if place.is_dir() else place.parent) / MARK).exists()
        for found in reader.read(place):
            if found.conversation is None:
                yield found
                continue
            seen[found.conversation.id] += 1
            yield _unique(check(_marked(found, marked), reader.fields), seen)


def write(
    path: str | os.PathLike[str], conversations: Sequence[Conversation], *, format: str
) -> tuple[str, ...]:
    """Writes conversations whole in a format; returns what it could not hold, in words.

    Raises:
        DataError: the format is only read, or cannot hold a conversation.
        RunError: the file cannot be written.
        UnknownNameError: no reader has that name.
    """
    reader: Reader = registry.load("reader", format)
    if reader.write is None:
        raise DataError(f"format {format!r} is only read, not written. Choose another one.")
    return reader.write(Path(path), conversations)


@contextmanager
def _located(path: str | os.PathLike[str]) -> Iterator[Path]:
    if path != SAMPLE:
        yield Path(path)
        return
    from importlib.resources import as_file, files

    with as_file(files("relgraph.corpora") / "sample" / "conversations.jsonl") as place:
        yield place


def _reader(path: Path, format: str) -> Reader:
    """Returns the reader named, or the first one that knows the path by its content or is near."""
    if not path.exists():
        raise DataError(
            f"{path}: no such file or folder. Check the path; `sample` names the corpus that "
            "comes with relgraph."
        )
    if format:
        chosen: Reader = registry.load("reader", format)
        return chosen
    readers: list[Reader] = [registry.load("reader", name) for name in registry.names("reader")]
    for reader in readers:
        if reader.sniff(path):
            return reader
    if path.is_file() and not path.stat().st_size:
        raise DataError(f"{path}: is empty. Check the path, or fetch the file again.")
    for reader in readers:
        if reader.near is not None and reader.near(path):
            return reader
    wanted = "; ".join(f"{r.name} ({r.title})" for r in readers)
    raise DataError(f"{path}: of no known format. Wanted one of: {wanted}. Name it with --format.")


def _marked(found: Found, marked: bool) -> Found:
    conversation = found.conversation
    if not marked or conversation is None:
        return found
    return replace(found, conversation=replace(conversation, sensitive=True))


def _unique(found: Found, seen: Counter[str]) -> Found:
    """Returns the find with an id of its own; a second conversation of one id is renamed."""
    conversation = found.conversation
    assert conversation is not None
    count = seen[conversation.id]
    if count == 1:
        return found
    own = f"{conversation.id}#{count}"
    defect = Defect(
        severity="error",
        code="duplicate-conversation",
        message=f"another conversation has this id; this one is kept as {own!r}",
        file=found.file,
        line=found.line,
        conversation=conversation.id,
        wanted="an id of its own",
    )
    return replace(
        found,
        conversation=replace(conversation, id=own),
        defects=(*found.defects, defect),
    )
