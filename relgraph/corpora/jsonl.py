"""relgraph's own format: one conversation a line, everything that the records hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from relgraph.corpora._base import Found, Notes, Reader, write_lines
from relgraph.corpora._fields import Field, names, one, read_fields, text, truth, word, write_fields
from relgraph.corpora._json import dump, objects, parse, peek
from relgraph.corpora._turns import TURN_FIELDS, read_turn, write_turn
from relgraph.errors import DataError
from relgraph.records import SUPPORTER, Annotation, Conversation, Timing, Turn

UNREAD = "relgraph:unread_turns"
"""Key in `extra`: [position, value] of what stood among the turns and is none."""

FIELDS: tuple[Field, ...] = (
    one("id", text, lambda v: v, missing="error"),
    one("scenario", text, lambda v: v, omit=lambda v: not v),
    one("participants", names, list, omit=lambda v: not v),
    one(
        "supporter",
        lambda raw, name, notes: SUPPORTER if raw is None else text(raw, name, notes),
        lambda v: v,
        omit=lambda v: v == SUPPORTER,
    ),
    one("relationship", text, lambda v: v, omit=lambda v: not v),
    one(
        "timing",
        lambda raw, name, notes: word(raw, name, notes, get_args(Timing), "unknown"),
        lambda v: v,
        omit=lambda v: v == "unknown",
    ),
    one(
        "sensitive",
        lambda raw, name, notes: truth(raw, name, notes, False),
        lambda v: v,
        omit=lambda v: not v,
    ),
)
KNOWN = frozenset(key for field in FIELDS for key in field.keys) | {"turns", "extra"}
KNOWN_IN_TURN = frozenset(key for field in TURN_FIELDS for key in field.keys) | {"extra"}


def sniff(path: Path) -> bool:
    """Returns whether a file holds conversations with `turns`."""
    if path.is_dir():
        return False
    try:
        return "turns" in (peek(path) or ())
    except DataError:
        return False


def read(path: Path) -> Iterator[Found]:
    """Yields the conversations of a file, line by line."""
    for number, raw in objects(path):
        notes = Notes(file=str(path), line=number)
        value = parse(raw, notes)
        conversation = None
        if value is not ...:
            conversation = _conversation(value, notes, fallback=f"{path.stem}:{number}")
        yield Found(conversation, tuple(notes.defects), file=notes.file, line=number)


def write(path: Path, conversations: Sequence[Conversation]) -> tuple[str, ...]:
    """Writes a file that reads back as equal conversations (`source` becomes the file's)."""
    write_lines(path, map(line, conversations))
    return ()


def line(conversation: Conversation) -> str:
    """Returns the line that holds a conversation.

    Raises:
        DataError: it has annotations for some of its turns only.
    """
    turns, gold = conversation.turns, conversation.gold
    if gold and len(gold) != len(turns):
        raise DataError(
            f"conversation {conversation.id!r}: {len(gold)} annotations for {len(turns)} turns. "
            "Wanted one for each turn, or none at all."
        )
    values = {
        "id": conversation.id,
        "scenario": conversation.scenario,
        "participants": conversation.participants,
        "supporter": conversation.supporter,
        "relationship": conversation.relationship,
        "timing": conversation.timing,
        "sensitive": conversation.sensitive,
    }
    record, rest = write_fields(values, FIELDS, conversation.extra, exact=False)
    unread = rest.pop(UNREAD, ())
    written: list[Any] = [
        _with_extra(*write_turn(turn, gold[i] if gold else None), KNOWN_IN_TURN)
        for i, turn in enumerate(turns)
    ]
    for position, value in unread:
        written.insert(position - 1, value)
    return dump(_with_extra(record, rest, KNOWN) | {"turns": written})


READER = Reader(
    name="jsonl",
    title="relgraph's own JSON-lines with `turns`, see docs/formats.md",
    sniff=sniff,
    read=read,
    write=write,
)


def _conversation(raw: Any, notes: Notes, *, fallback: str) -> Conversation | None:
    if not isinstance(raw, dict) or not isinstance(raw.get("turns"), list):
        notes.error(
            "no-turns",
            "no conversation: it has no list `turns`; it is left out",
            got=raw.get("turns") if isinstance(raw, dict) else raw,
            wanted='{"id": ..., "turns": [...]}',
            hint="Mend it, or take it out.",
        )
        return None
    about, more = _without_extra(raw, "turns")
    notes.conversation = raw["id"] if isinstance(raw.get("id"), str) else fallback
    values, extra = read_fields(about, FIELDS, notes, exact=False)
    turns: list[Turn] = []
    gold: list[Annotation | None] = []
    unread: list[list[Any]] = []
    for position, item in enumerate(raw["turns"], start=1):
        notes.row = position
        if isinstance(item, dict):
            known, beside = _without_extra(item)
            turn, annotation = read_turn(known, beside, len(turns) + 1, notes)
            turns.append(turn)
            gold.append(annotation)
        else:
            unread.append([position, item])
            notes.error("unreadable-row", "not a turn", got=item, wanted="an object")
    notes.row = None
    if not turns:
        notes.error("no-turns", "the conversation has no turn; it is left out", field="turns")
        return None
    annotated = any(a is not None for a in gold)
    return Conversation(
        id=values["id"] or fallback,
        turns=tuple(turns),
        gold=tuple(a or Annotation() for a in gold) if annotated else (),
        scenario=values["scenario"],
        participants=values["participants"],
        supporter=values["supporter"],
        relationship=values["relationship"],
        timing=values["timing"],
        source=notes.file,
        sensitive=values["sensitive"],
        extra=extra | more | ({UNREAD: unread} if unread else {}),
    )


def _without_extra(raw: Mapping[str, Any], *apart: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the keys of a record and those of its `extra` object, which is not a field."""
    known = {key: value for key, value in raw.items() if key not in apart}
    more = known.get("extra")
    if not isinstance(more, dict):
        return known, {}
    del known["extra"]
    return known, more


def _with_extra(
    record: dict[str, Any], rest: Mapping[str, Any], known: frozenset[str]
) -> dict[str, Any]:
    """Returns the record with unknown fields beside the known ones, and namesakes in `extra`."""
    namesakes = {key: value for key, value in rest.items() if key in known}
    beside = {key: value for key, value in rest.items() if key not in known}
    return record | beside | ({"extra": namesakes} if namesakes else {})
