"""Cues that somebody read in conversations and wrote down, to hold what is found against."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relgraph.cues.codebook import CODEBOOK, Entry
from relgraph.errors import DataError, UnknownNameError, unknown_name
from relgraph.files import open_text
from relgraph.records import Conversation, Turn
from relgraph.terminal import one_line

FIELDS = ("conversation", "turn", "cue", "source", "target", "detail", "words")
NEEDED = ("turn", "cue", "source")
FIRST, SECOND = "cues.jsonl", "cues_second.jsonl"
"""The two codings that come with the sample corpus."""


@dataclass(frozen=True, slots=True)
class Annotated:
    """A cue as somebody noted it.

    Attributes:
        conversation: id of the conversation.
        turn: index of the turn.
        cue: as in the codebook, without `type_*`.
        source: who gives it.
        target: whom it is directed at, "" for nobody in particular.
        detail: which emotion or topic, for cues that have kinds; else "".
        words: the words of the turn that show it, "" for what shows in the order of turns.
    """

    conversation: str
    turn: int
    cue: str
    source: str
    target: str = ""
    detail: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Coding:
    """What one coder noted, and what the coder read: there, what is not noted is not there.

    Attributes:
        conversations: ids of the conversations that were read, in the order of the file.
        cues: what was noted in them.
    """

    conversations: tuple[str, ...]
    cues: tuple[Annotated, ...]


def read_coding(path: str | os.PathLike[str], conversations: Iterable[Conversation]) -> Coding:
    """Returns the cues that a JSON-lines file notes in `conversations`.

    A line is an object with `conversation`, `turn`, `cue`, `source`, and where they apply
    `target`, `detail` and `words`. A conversation counts as read where the file names it; one in
    which nothing was found has a line of `conversation` alone.

    Raises:
        DataError: a line is no such object, says a thing twice, or names a conversation, turn,
            cue, person, kind or words that are not there; the message tells file and line.
    """
    known = {c.id: c for c in conversations}
    file = Path(path)
    ids: dict[str, None] = {}
    found: dict[Annotated, int] = {}
    with open_text(file) as lines:
        for number, text in enumerate(lines, start=1):
            if not text.strip():
                continue
            place = f"{file}:{number}"
            value = _object(text, place)
            conversation = _conversation(value, known, place)
            ids.setdefault(conversation.id)
            if set(value) == {"conversation"}:
                continue
            cue = _cue(value, conversation, place)
            if cue in found:
                raise DataError(
                    f"{place}: {_named(cue)} is noted twice, first in line {found[cue]}. "
                    "Take one of the lines out."
                )
            found[cue] = number
    if not ids:
        raise DataError(f"{file}: notes no cue. Wanted: one JSON object a line.")
    return Coding(tuple(ids), tuple(found))


def sample_coding(conversations: Iterable[Conversation], *, file: str = FIRST) -> Coding:
    """Returns a coding of the sample corpus: of all of it, or (`SECOND`) of what was read twice."""
    from importlib.resources import as_file, files

    with as_file(files("relgraph.corpora") / "sample" / file) as place:
        return read_coding(place, conversations)


def _object(text: str, place: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{place}: not JSON ({error}). Wanted: one object a line.") from None
    if not isinstance(value, dict):
        raise DataError(f"{place}: got {one_line(text.strip())[:60]}, wanted an object.")
    for name in value:
        if name not in FIELDS:
            raise DataError(f"{place}: {unknown_name('field', name, FIELDS)}")
    for name in FIELDS:
        wanted = int if name == "turn" else str
        if name in value and (not isinstance(value[name], wanted) or value[name] is True):
            what = "a whole number" if name == "turn" else "text"
            raise DataError(f"{place}: {name} is {value[name]!r}, wanted {what}.")
    return value


def _conversation(
    value: Mapping[str, Any], known: Mapping[str, Conversation], place: str
) -> Conversation:
    name = value.get("conversation", "")
    if name in known:
        return known[name]
    near = unknown_name("conversation", name, list(known)[:20])
    raise DataError(f"{place}: {near} Name one of the conversations that are measured.")


def _cue(value: Mapping[str, Any], conversation: Conversation, place: str) -> Annotated:
    where = f"{place}, conversation {conversation.id!r}"
    for name in NEEDED:
        if name not in value:
            raise DataError(f"{where}: has no {name}. Wanted: {', '.join(FIELDS)}.")
    turns = {t.index: t for t in conversation.turns}
    turn = turns.get(value["turn"])
    if turn is None:
        raise DataError(
            f"{where}: turn is {value['turn']}, but it has the turns {min(turns, default=0)} to "
            f"{max(turns, default=0)}."
        )
    where = f"{where}, turn {turn.index}"
    cue = Annotated(**{name: value[name] for name in FIELDS if name in value})
    _check_name(cue, where)
    people = _people(conversation, turn)
    for field, name in (("source", cue.source), ("target", cue.target)):
        if name not in people and not (field == "target" and not name):
            raise DataError(
                f"{where}: {unknown_name(field, name, sorted(people))} "
                "A cue towards several people is one line a person."
            )
    if cue.source == cue.target:
        raise DataError(f"{where}: source and target are both {cue.source!r}; give another target.")
    said = (turn.text, *(b.text for b in turn.background))
    if not any(cue.words in text for text in said):
        raise DataError(
            f"{where}: the words {one_line(cue.words)!r} do not stand in the turn. "
            "Copy them from it, or leave them out."
        )
    return cue


def _check_name(cue: Annotated, where: str) -> None:
    entry = CODEBOOK.get(cue.cue)
    noted = [e.name for e in CODEBOOK.values() if e.family != "type"]
    if entry is None or entry.name not in noted:
        raise DataError(f"{where}: {unknown_name('cue', cue.cue, noted)}")
    if cue.detail not in (entry.details or ("",)):
        raise DataError(f"{where}: {_kind(cue, entry)}")


def _kind(cue: Annotated, entry: Entry) -> str | UnknownNameError:
    if entry.details:
        return unknown_name(f"detail of {entry.name}", cue.detail, entry.details)
    return f"{entry.name} has no kinds, got the detail {cue.detail!r}. Leave it out."


def _people(conversation: Conversation, turn: Turn) -> frozenset[str]:
    heard = {name for b in turn.background for name in (b.speaker, *b.addressees)}
    every = {*conversation.roster, conversation.supporter, turn.speaker, *heard}
    return frozenset((every - {conversation.group, ""}) | {*conversation.listed, turn.speaker})


def _named(cue: Annotated) -> str:
    arrow = f" -> {cue.target}" if cue.target else ""
    kind = f" ({cue.detail})" if cue.detail else ""
    return one_line(f"{cue.cue}{kind} {cue.source}{arrow}")
