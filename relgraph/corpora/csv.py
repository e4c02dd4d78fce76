"""Tables with a row a turn: CSV, TSV and the like. Speaker and text suffice."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relgraph.corpora._base import Found, Notes, Reader, shown, write_lines
from relgraph.corpora._columns import columns_of, note_slips, require
from relgraph.corpora._fields import plain, text
from relgraph.errors import DataError
from relgraph.files import open_text
from relgraph.records import SUPPORTER, Conversation, Turn, renumber

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "conversation", "scenario", "relationship", "participants", "supporter",
    "speaker", "addressees", "text", "start_s", "end_s", "tone",
)  # fmt: skip
ABOUT = ("scenario", "relationship", "participants", "supporter")
DELIMITERS = ",;\t|"
PEEKED_CHARACTERS = 8192
LONGEST_CELL = 10_000_000
LONGEST_NAME = 40
CLOCK_PARTS = 3


def sniff(path: Path) -> bool:
    """Returns whether a file begins with a header that names a speaker and a text column."""
    if path.is_dir():
        return False
    try:
        header, _ = _head(path)
    except DataError:
        return False
    return {"speaker", "text"} <= columns_of(header).keys()


def near(path: Path) -> bool:
    """Returns whether a file begins like a table, whatever its columns; no JSON and no prose."""
    if path.is_dir():
        return False
    try:
        header, _ = _head(path)
    except DataError:
        return False
    names = [name.strip() for name in header if name.strip()]
    return len(names) > 1 and names[0][0] not in "{[" and all(map(_is_name, names))


def read(path: Path) -> Iterator[Found]:
    """Yields the conversations of a table in the order in which each first appears.

    Raises:
        DataError: no header with a speaker and a text column, or not a table.
    """
    header, delimiter = _head(path)
    columns = columns_of(header)
    require(columns, header, str(path))
    taken = set(columns.values())
    more = {name: i for i, name in enumerate(header) if i not in taken and name}
    tables: dict[str, _Table] = {}
    file = str(path)
    slips = Notes(file=file, line=1)
    note_slips(columns, header, slips)
    for line, cells, swallowed in _rows(path, delimiter):
        notes = Notes(file=file, line=line)
        if not any(cells):
            notes.warning("empty-row", "a row of empty cells; it is no turn")
            yield Found(None, tuple(notes.defects), file, line)
            continue
        if swallowed:
            notes.error(
                "open-quote",
                f"a quotation mark is not closed; the row runs on for {swallowed} more lines",
                hint='Close it, or double a mark that belongs to the text ("").',
            )
        if len(cells) != len(header):
            notes.error(
                "wrong-width",
                f"{len(cells)} cells where the header has {len(header)}",
                got=cells,
                hint="Quote cells that hold the delimiter; missing cells are taken as empty.",
            )
        padded = [*cells, *[""] * len(header)]
        row: dict[str, Any] = {name: padded[i] for name, i in columns.items()}
        extra: dict[str, Any] = {name: padded[i] for name, i in more.items() if padded[i] != ""}
        if len(cells) > len(header):
            extra["relgraph:more_cells"] = cells[len(header) :]
        name = row.get("conversation", "").strip() or path.name.split(".")[0]
        table = tables.setdefault(name, _Table(name, file, line))
        table.add(row, extra, notes)
    # after the rows, so that an unreadable row is what a table without a turn is refused for
    if slips.defects:
        yield Found(None, tuple(slips.defects), file, 1)
    for table in tables.values():
        yield table.found()


def write(path: Path, conversations: Sequence[Conversation]) -> tuple[str, ...]:
    """Writes a table with a row a turn, comma-separated, or tab-separated for `.tsv`."""
    out = StringIO()
    # RFC 4180 ends rows with CR LF; the writer then quotes cells that hold either
    writer = csv.writer(out, delimiter="\t" if ".tsv" in path.suffixes else ",")

    def line(*cells: str) -> str:
        out.seek(0)
        out.truncate()
        writer.writerow(cells)
        return out.getvalue().removesuffix("\r\n")

    def lines() -> Iterator[str]:
        yield line(*COLUMNS)
        for c in conversations:
            about = (c.id, c.scenario, c.relationship, _joined(c.participants), c.supporter)
            for t in c.turns:
                times = ("" if s is None else repr(s) for s in (t.start_s, t.end_s))
                yield line(*about, t.speaker, _joined(t.addressees), t.text, *times, t.tone)

    write_lines(path, lines(), end="\r\n")
    return _lost(conversations)


def from_table(
    table: pd.DataFrame,
    *,
    id: str = "conversation",
    scenario: str = "",
    participants: tuple[str, ...] = (),
    supporter: str = SUPPORTER,
) -> Conversation:
    """Returns one conversation from a table with a row a turn; see `Conversation.from_pandas`.

    Raises:
        DataError: a needed column is missing, there is no row, or a value cannot be read.
    """
    header = [str(name) for name in table.columns]
    columns = columns_of(header)
    require(columns, header, f"table of conversation {id!r}")
    taken = set(columns.values())
    turns = []
    cells = table.astype(object).where(table.notna(), None)
    for position, values in enumerate(cells.itertuples(index=False, name=None), start=1):
        notes = Notes(file=f"table of conversation {id!r}", row=position)
        row = {name: values[i] for name, i in columns.items()}
        extra = {
            name: _plain(values[i])
            for i, name in enumerate(header)
            if i not in taken and values[i] is not None
        }
        turns.append(_turn(row, extra, notes))
        if not turns[-1].speaker:
            notes.error("no-speaker", "a turn without a speaker", field="speaker")
        if notes.defects:
            raise DataError(str(notes.defects[0]))
    if not turns:
        raise DataError(f"table of conversation {id!r}: has no row, so there is no turn.")
    return Conversation(
        id=id,
        turns=renumber(turns),
        scenario=scenario,
        participants=participants,
        supporter=supporter,
        timing="recorded" if any(t.start_s is not None for t in turns) else "unknown",
        source="table",
    )


READER = Reader(
    name="csv",
    title="a CSV or TSV table with columns speaker and text",
    sniff=sniff,
    read=read,
    write=write,
    near=near,
)


class _Table:
    """The rows of one conversation as they come in."""

    def __init__(self, id: str, file: str, line: int) -> None:
        self.id, self.file, self.line = id, file, line
        self.about: dict[str, str] = {}
        self.turns: list[Turn] = []
        self.lines: list[int] = []
        self.notes: list[Notes] = []

    def add(self, row: Mapping[str, Any], extra: dict[str, Any], notes: Notes) -> None:
        notes.conversation, notes.row = self.id, len(self.turns) + 1
        for key in ABOUT:
            value = str(row.get(key, "")).strip()
            if value and self.about.setdefault(key, value) != value:
                notes.error(
                    "changing-value",
                    "the column changes inside a conversation; the first value counts",
                    field=key,
                    got=value,
                    wanted=shown(self.about[key]),
                )
                extra[key] = value
        self.turns.append(_turn(row, extra, notes))
        self.lines.append(notes.line or 0)
        self.notes.append(notes)

    def found(self) -> Found:
        timed = any(t.start_s is not None for t in self.turns)
        conversation = Conversation(
            id=self.id,
            turns=renumber(self.turns),
            scenario=self.about.get("scenario", ""),
            participants=_people(self.about.get("participants", "")),
            supporter=self.about.get("supporter", SUPPORTER),
            relationship=self.about.get("relationship", ""),
            timing="recorded" if timed else "unknown",
            source=self.file,
        )
        defects = tuple(d for notes in self.notes for d in notes.defects)
        return Found(conversation, defects, self.file, self.line, tuple(self.lines))


def _turn(row: Mapping[str, Any], extra: dict[str, Any], notes: Notes) -> Turn:
    """Returns the turn of a row; what cannot be read is noted and kept in `extra`."""
    said = {key: text(_worded(row.get(key)), key, notes) for key in ("speaker", "text", "tone")}
    times: dict[str, float | None] = {}
    for key in ("start_s", "end_s"):
        times[key] = _seconds(row.get(key), key, notes)
        if times[key] is None and row.get(key) not in (None, ""):
            extra[key] = row[key]
    people = _people(row.get("addressees"))
    return Turn(
        index=1,
        speaker=said["speaker"].strip(),
        text=said["text"],
        addressees=people,
        addressee_source="given" if people else "none",
        start_s=times["start_s"],
        end_s=times["end_s"],
        tone=said["tone"],
        extra=extra,
    )


def _worded(value: Any) -> Any:
    """Returns a number as the word that it stands for, as where speakers are numbered."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(plain(float(value)))
    return value


def _plain(value: Any) -> Any:
    """Returns a value of a table as JSON can hold it."""
    if isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return str(value)


def _seconds(value: Any, name: str, notes: Notes) -> float | None:
    """Returns seconds from a number, `12.5`, `1:02.5` or `01:01:02.5`; None when not given."""
    if value is None or value == "":
        return None
    try:
        if isinstance(value, str):
            parts = value.strip().replace(",", ".").split(":")
            seconds = 0.0
            for part in parts if len(parts) <= CLOCK_PARTS else ("",):
                seconds = seconds * 60 + float(part)
        else:
            seconds = float(value) if not isinstance(value, bool) else math.nan
    except (ValueError, TypeError, OverflowError):
        seconds = math.nan
    if math.isfinite(seconds):
        return seconds
    notes.error(
        "wrong-type",
        "not a time; taken as unknown",
        field=name,
        got=value,
        wanted="seconds (12.5) or a clock time (0:12.5)",
    )
    return None


def _people(value: Any) -> tuple[str, ...]:
    """Returns names from a cell: parted by `;`, or a JSON list, or already a list."""
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return tuple(str(name).strip() for name in value if str(name).strip())
    cell = str(value).strip()
    if cell.startswith("["):
        try:
            return _people(json.loads(cell))
        except (ValueError, RecursionError):
            pass
    return tuple(name.strip() for name in cell.split(";") if name.strip())


def _joined(people: Sequence[str]) -> str:
    simple = all(";" not in p and not p.startswith("[") and p == p.strip() and p for p in people)
    return ";".join(people) if simple else json.dumps(list(people), ensure_ascii=False)


def _is_name(name: str) -> bool:
    """Returns whether a cell could be the name of a column: short, and no piece of talk."""
    talk = ": " in name or name.endswith((".", "?", "!"))
    return len(name) <= LONGEST_NAME and name.isprintable() and not talk


def _head(path: Path) -> tuple[list[str], str]:
    """Returns the header and the delimiter: the one that parts the first line most often."""
    # bytes that are no text are for `_rows` to refuse, with a message about them
    with open_text(path, errors="surrogateescape") as stream:
        first = stream.readline(PEEKED_CHARACTERS)
    if "\0" in first:
        raise DataError(f"{path}: not a table (it holds NUL characters). Save it as UTF-8 text.")
    delimiter = max(DELIMITERS, key=first.count)
    header = next(csv.reader([first], delimiter=delimiter), [])
    return header, delimiter


def _rows(path: Path, delimiter: str) -> Iterator[tuple[int, list[str], int]]:
    """Yields each row after the header: the line it begins on, its cells, and lines swallowed.

    Lines count as swallowed where a row runs over several and its quotation marks do not pair.
    Blank lines are no rows.
    """
    csv.field_size_limit(LONGEST_CELL)
    with open_text(path) as stream:
        marks: list[int] = []

        def counted() -> Iterator[str]:
            for line in stream:
                marks.append(line.count('"'))
                yield line

        reader = csv.reader(counted(), delimiter=delimiter)
        begins = 1
        try:
            for cells in reader:
                odd = sum(marks) % 2 == 1
                if begins > 1 and cells:
                    yield begins, cells, len(marks) - 1 if odd else 0
                marks.clear()
                begins = reader.line_num + 1
        except csv.Error as error:
            raise DataError(
                f"{path}:{begins}: not a row of a table ({error}). "
                "Look for a quotation mark that is not closed."
            ) from None


def _lost(conversations: Sequence[Conversation]) -> tuple[str, ...]:
    turns = [t for c in conversations for t in c.turns]
    counts = {
        "annotations (gold)": sum(len(c.gold) for c in conversations),
        "background remarks": sum(len(t.background) for t in turns),
        "nonverbal descriptions": sum(len(t.nonverbal) for t in turns),
        "turns with further fields": sum(bool(t.extra) for t in turns),
        "conversations marked sensitive, now not": sum(c.sensitive for c in conversations),
        "inferred addressees, now unmarked": sum(t.addressee_source == "inferred" for t in turns),
    }
    return tuple(f"{n} {what}" for what, n in counts.items() if n)
