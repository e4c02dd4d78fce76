"""RESCUE-Bench: the JSON-lines file, and the folder of `{"rows": [...]}` files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from relgraph.corpora._base import Found, Notes, Reader, write_lines
from relgraph.corpora._fields import (
    ABSENT,
    Field,
    names,
    one,
    read_fields,
    text,
    truth,
    word,
    write_fields,
)
from relgraph.corpora._json import document, dump, objects, parse, peek
from relgraph.corpora._relationships import derive
from relgraph.corpora._rescue_rows import read_row, write_row
from relgraph.errors import DataError
from relgraph.files import open_text
from relgraph.records import SUPPORTER, Annotation, Conversation, Turn

SUFFIXES = (".json", ".json.gz")
UNREAD = "relgraph:unread_rows"
"""Key in `extra`: [position, value] of what stood among the rows and is none."""
SNIFFED_FILES = 20

FIELDS: tuple[Field, ...] = (
    one("sample_id", text, lambda v: v),
    one("scenario", text, lambda v: v),
    one("participants", names, list),
    one("supporter", lambda raw, name, notes: text(raw, name, notes) or SUPPORTER, lambda v: v,
        omit=lambda v: v == SUPPORTER),
    one("relationship", text, lambda v: v, omit=lambda v: not v),
    one(
        "timing",
        lambda raw, name, notes: word(
            raw, name, notes, ("recorded", "edited", "unknown"), "edited"
        ),
        lambda v: v,
        omit=lambda v: v == "edited",
    ),
    # Transcripts of real people, for research: sensitive where nothing else is said.
    one(
        "sensitive",
        lambda raw, name, notes: truth(raw, name, notes, True),
        lambda v: v,
        omit=lambda v: v,
    ),
)  # fmt: skip


def sniff(path: Path) -> bool:
    """Returns whether a file or folder holds conversations with `rows`."""
    if path.is_dir():
        return any(_has_rows(file) for file in _files(path)[:SNIFFED_FILES])
    return _has_rows(path)


def read(path: Path) -> Iterator[Found]:
    """Yields the conversations of a JSON-lines file, a folder, or a single `{"rows"}` file."""
    if path.is_dir():
        for file in _files(path):
            name = file.relative_to(path).as_posix()
            yield _read_document(file, name, derived=f"{path.name}/{name}")
    elif peek(path) is None:
        yield _read_document(path, path.name, derived=path.name)
    else:
        for line, raw in objects(path):
            notes = Notes(file=str(path), line=line)
            value = parse(raw, notes)
            fallback = _stem(path.name) if path.suffix == ".json" else f"{_stem(path.name)}:{line}"
            yield _conversation(value, notes, path, fallback, derived="")


def write(path: Path, conversations: Sequence[Conversation]) -> tuple[str, ...]:
    """Writes a JSON-lines file; conversations read from RESCUE come out equal as JSON."""
    derived = derive([replace(c, relationship="") for c in conversations])
    write_lines(path, (dump(_record(c, derived[c.id])) for c in conversations))
    return ()


NAMES: Mapping[str, str] = {
    "speaker": "primary_speaker",
    "addressees": "target",
    "text": "dialogue_cleaned",
    "start_s": "start_time",
    "end_s": "end_time",
    "background[].speaker": "background_dialogue[].speaker",
    "background[].addressees": "background_dialogue[].target",
    "body_posture[].person": "body_posture[].person",
    "facial_expressions[].person": "facial_expressions[].person",
    "self_directed_behavior[].person": "self_directed_behavior[].person",
    "interaction_behavior[].person": "interaction_behavior[].initiator",
    "interaction_behavior[].addressees": "interaction_behavior[].target",
    "emotions[].person": "internal_emotion[].person",
    "emotions[].intensity": "internal_emotion[].intensity",
    "viewpoints[].source": "viewpoints_attitudes[].source",
    "viewpoints[].target": "viewpoints_attitudes[].target",
    "strategies[].provider": "support_strategy[].provider",
    "strategies[].targets": "support_strategy[].target",
    "strategies[].type": "support_strategy[].strategy_type",
    "relations[].evidence_turns": "relation_pattern_evidence_rows",
    "relation_pattern.evidence_turns": "relation_pattern_evidence_rows",
    "relation_cycle_state.evidence_turns": "relation_cycle_evidence_rows",
}
"""What RESCUE calls the fields of our records."""

READER = Reader(
    name="rescue",
    title='RESCUE-Bench: JSON-lines with `rows`, or a folder of {"rows": [...]} files',
    sniff=sniff,
    read=read,
    write=write,
    fields=NAMES,
)


def _files(folder: Path) -> list[Path]:
    return sorted(f for f in folder.rglob("*.json*") if f.name.endswith(SUFFIXES) and f.is_file())


def _has_rows(path: Path) -> bool:
    try:
        first = peek(path)
        if first is not None:
            return "rows" in first
        with open_text(path, errors="surrogateescape") as stream:
            head = stream.read(4096)
    except DataError:
        return False
    return head.lstrip()[:1] == "{" and '"rows"' in head


def _read_document(path: Path, name: str, *, derived: str) -> Found:
    notes = Notes(file=str(path))
    return _conversation(document(path, notes), notes, path, _stem(name), derived=derived)


def _conversation(value: Any, notes: Notes, path: Path, fallback: str, *, derived: str) -> Found:
    """Returns what a JSON value holds.

    `fallback` is the id where there is none; a missing scenario is derived from a `derived` path.
    A missing roster stays missing: one made of all rows, as the benchmark's own evaluator makes
    it, would tell at every cut who is still to come.
    """
    conversation = None
    if value is not ...:
        conversation = _read_conversation(value, notes, path, fallback, derived=derived)
    return Found(conversation, tuple(notes.defects), file=notes.file, line=notes.line)


def _read_conversation(
    raw: Any, notes: Notes, path: Path, fallback: str, *, derived: str
) -> Conversation | None:
    if not isinstance(raw, dict) or not isinstance(raw.get("rows"), list):
        notes.error(
            "no-rows",
            "no conversation: it has no list `rows`; it is left out",
            got=raw.get("rows") if isinstance(raw, dict) else raw,
            wanted='{"sample_id": ..., "rows": [...]}',
            hint="Mend it, or take it out.",
        )
        return None
    about = {key: value for key, value in raw.items() if key != "rows"}
    notes.conversation = raw["sample_id"] if isinstance(raw.get("sample_id"), str) else fallback
    values, extra = read_fields(about, FIELDS, notes, exact=True)
    if values["relationship"]:
        # said, though it may be what we would derive: to be written again
        extra["relationship"] = values["relationship"]
    turns, gold, unread = _rows(raw["rows"], notes)
    if unread:
        extra[UNREAD] = unread
    if not turns:
        notes.error("no-turns", "the conversation has no turn; it is left out", field="rows")
        return None
    if not derived:
        for key in ("sample_id", "scenario", "participants"):
            if key not in raw:
                notes.warning("missing-field", "the field is missing", field=key)
    return Conversation(
        id=values["sample_id"] or fallback,
        turns=turns,
        gold=gold,
        scenario=values["scenario"] or (_scenario(derived) if derived else ""),
        participants=values["participants"],
        supporter=values["supporter"],
        relationship=values["relationship"],
        timing=values["timing"],
        source=str(path),
        sensitive=values["sensitive"],
        extra=extra,
    )


def _rows(
    rows: Sequence[Any], notes: Notes
) -> tuple[tuple[Turn, ...], tuple[Annotation, ...], list[list[Any]]]:
    turns: list[Turn] = []
    gold: list[Annotation] = []
    unread: list[list[Any]] = []
    for position, row in enumerate(rows, start=1):
        notes.row = position
        if isinstance(row, dict):
            turn, annotation = read_row(row, len(turns) + 1, notes)
            turns.append(turn)
            gold.append(annotation)
        else:
            unread.append([position, row])
            notes.error("unreadable-row", "not a row; it is no turn", got=row, wanted="an object")
    notes.row = None
    _check_indexes(rows, notes)
    return tuple(turns), tuple(gold), unread


def _check_indexes(rows: Sequence[Any], notes: Notes) -> None:
    """Notes row numbers that stand twice, and those that do not count the rows from 1."""
    given = [row["row_index"] for row in rows if isinstance(row, dict) and "row_index" in row]
    numbers = [n for n in given if isinstance(n, int) and not isinstance(n, bool)]
    twice = [n for n, times in Counter(numbers).items() if times > 1]
    if twice:
        notes.error("duplicate-row", "row numbers that stand twice", field="row_index", got=twice)
    elif numbers != list(range(1, len(given) + 1)):
        notes.warning(
            "row-numbers",
            "the row numbers do not count the rows from 1; evidence rows are read as positions",
            field="row_index",
            got=given,
            wanted=f"1 to {len(given)} in order",
        )


def _record(conversation: Conversation, derived: str) -> dict[str, Any]:
    own = "" if conversation.relationship == derived else conversation.relationship
    values = {
        "sample_id": conversation.id,
        "scenario": conversation.scenario,
        "participants": conversation.participants,
        "supporter": conversation.supporter,
        "relationship": own,
        "timing": conversation.timing,
        "sensitive": conversation.sensitive,
    }
    record, rest = write_fields(values, FIELDS, conversation.extra, exact=True)
    known = {key for field in FIELDS for key in field.keys}
    apart = known | {ABSENT, UNREAD, "rows"}
    record |= {key: value for key, value in rest.items() if key not in apart}
    if rest.get("relationship") == conversation.relationship:
        record["relationship"] = conversation.relationship
    rows: list[Any] = [write_row(t, conversation.annotation(t.index)) for t in conversation.turns]
    for position, row in _unread(conversation.extra):
        rows.insert(position - 1, row)
    return record | {"rows": rows}


def _unread(extra: Mapping[str, Any]) -> Sequence[tuple[int, Any]]:
    return [(position, row) for position, row in extra.get(UNREAD, ())]


def _stem(name: str) -> str:
    for suffix in (".gz", ".jsonl", ".json"):
        name = name.removesuffix(suffix)
    return name


def _scenario(path: str) -> str:
    """Returns `family` or `couple`: what the innermost telling part of a path says, else couple."""
    for part in reversed(path.casefold().split("/")):
        for scenario in ("family", "couple"):
            if scenario in part:
                return scenario
    return "couple"
