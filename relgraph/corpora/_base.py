"""What all readers share: the form of a reader, and how a defect is told."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from relgraph.errors import DataError
from relgraph.files import whole
from relgraph.records import Conversation

Severity = Literal["error", "warning"]
SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Defect:
    """Something in the data that is not as it should be, and where.

    Attributes:
        severity: `error` when a value could not be used as it stands, `warning` when it can and
            somebody should look at it.
        code: the kind of defect, fixed words for machines (`reversed-times`).
        message: what is wrong, in words.
        file: the file as it was named.
        line: line in the file, from 1; None where a line says nothing.
        conversation: id of the conversation, "" outside of one.
        row: position of the row in its conversation, from 1.
        field: name of the field, with the position of an item (`support_strategy[0].target`).
        got: the value found, shortened.
        wanted: what would have been right.
        hint: what to do next.
    """

    severity: Severity
    code: str
    message: str
    file: str = ""
    line: int | None = None
    conversation: str = ""
    row: int | None = None
    field: str = ""
    got: str = ""
    wanted: str = ""
    hint: str = ""

    @property
    def where(self) -> str:
        """The place in one phrase: file, line, conversation, row, field."""
        file = self.file + (f":{self.line}" if self.line is not None else "")
        parts = (
            file,
            f"conversation {shown(self.conversation)}" if self.conversation else "",
            f"row {self.row}" if self.row is not None else "",
            self.field,
        )
        return ", ".join(part for part in parts if part)

    def __str__(self) -> str:
        both = (("got", self.got), ("wanted", self.wanted))
        found = "; ".join(f"{word} {value}" for word, value in both if value)
        tail = f" ({found})" if found else ""
        return f"{self.where}: {self.message}{tail}." + (f" {self.hint}" if self.hint else "")


@dataclass(slots=True)
class Notes:
    """Collects the defects of one place; `row` and `conversation` follow the reading."""

    file: str = ""
    line: int | None = None
    conversation: str = ""
    row: int | None = None
    defects: list[Defect] = field(default_factory=list)

    def add(
        self,
        severity: Severity,
        code: str,
        message: str,
        *,
        field: str = "",
        got: Any = ...,
        wanted: str = "",
        hint: str = "",
    ) -> None:
        """Notes a defect here; `got` is shortened and made printable."""
        self.defects.append(
            Defect(
                severity=severity,
                code=code,
                message=message,
                file=self.file,
                line=self.line,
                conversation=self.conversation,
                row=self.row,
                field=field,
                got="" if got is ... else shown(got),
                wanted=wanted,
                hint=hint,
            )
        )

    def error(self, code: str, message: str, **details: Any) -> None:
        """Notes an error here; `details` as in `add`."""
        self.add("error", code, message, **details)

    def warning(self, code: str, message: str, **details: Any) -> None:
        """Notes a warning here; `details` as in `add`."""
        self.add("warning", code, message, **details)


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that a reader came upon: a conversation, or only the defects of what was none.

    `lines` holds the line of each turn where a turn has one of its own (csv), else nothing.
    """

    conversation: Conversation | None
    defects: tuple[Defect, ...] = ()
    file: str = ""
    line: int | None = None
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reader:
    """A format of conversations: the registry entry `READER`.

    Attributes:
        name: as its file.
        title: what it is, in words; shown where a format has to be chosen.
        sniff: tells by content whether a path (file or folder) is of this format.
        read: yields what is found, conversation by conversation.
        write: writes conversations whole to a file, and returns what the format could not hold,
            in words; None for formats that are only read.
        fields: what the format calls fields of our records (`emotions[].person`), where it has
            another name for them; used to say where a defect is.
        near: tells a path that no reader knows but that was likely meant for this one: reading
            it says what is missing.
    """

    name: str
    title: str
    sniff: Callable[[Path], bool]
    read: Callable[[Path], Iterator[Found]]
    write: Callable[[Path, Sequence[Conversation]], tuple[str, ...]] | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    near: Callable[[Path], bool] | None = None


def shown(value: Any) -> str:
    """Returns a short printable form of any value, for messages."""
    text = repr(value).encode("ascii", "backslashreplace").decode() if _odd(value) else repr(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[: SHOWN_CHARACTERS - 3]}..."


def _odd(value: Any) -> bool:
    try:
        repr(value).encode()
    except UnicodeEncodeError:
        return True
    return False


def write_lines(path: Path, lines: Iterable[str], *, end: str = "\n") -> None:
    """Writes lines of text whole to a UTF-8 file, packed where its name ends in `.gz`.

    Raises:
        DataError: a line holds half a character, which UTF-8 cannot.
    """
    with whole(path) as part, part.open("wb") as file:
        packed = path.suffix == ".gz"
        # no name and no time inside, so that equal data gives equal files
        stream = gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) if packed else file
        for number, line in enumerate(lines, start=1):
            try:
                stream.write(f"{line}{end}".encode())
            except UnicodeEncodeError as error:
                raise DataError(
                    f"{path}:{number}: half a character (a lone surrogate) at position "
                    f"{error.start} cannot be written in this format. Take it out, or write jsonl."
                ) from None
        if packed:
            stream.close()
