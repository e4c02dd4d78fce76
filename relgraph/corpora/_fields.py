"""Fields of a JSON record: read without loss, written back as they were.

A format is a list of `Field`s. Reading gives each field's value and puts aside, as `extra`, what
the value does not say: unknown fields, and the original of what could not be used as it stood.
Writing renders the values; an original that was put aside is written in its place for as long as
it still reads as the value that the record holds now.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from relgraph.corpora._base import Notes
from relgraph.corpora._json import same

T = TypeVar("T")
ABSENT = "relgraph:absent"
"""Key in `extra`: names of fields that the source left out and a writer would write."""
Missing = Literal["", "warning", "error"]
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
EMPTY: tuple[Any, ...] = (None, "", [], {})


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a record and the JSON keys (mostly one) that hold it.

    Attributes:
        name: of the value.
        keys: the JSON keys that make it up.
        parse: reads the value from those keys that are present, noting defects.
        render: gives the keys for a value; a key it leaves out is not written.
        missing: how grave it is when a record has none of the keys; "" for not at all.
    """

    name: str
    keys: tuple[str, ...]
    parse: Callable[[Mapping[str, Any], Notes], Any]
    render: Callable[[Any], dict[str, Any]]
    missing: Missing = ""


def read_fields(
    raw: Mapping[str, Any], fields: Sequence[Field], notes: Notes, *, exact: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the values by field name, and what they leave unsaid, by key.

    With `exact`, fields that are present though empty, or absent though usual, are kept in mind
    too, so that the record is written back equal as JSON.
    """
    values: dict[str, Any] = {}
    known = {key for field in fields for key in field.keys}
    extra = {key: value for key, value in raw.items() if key not in known}
    absent: list[str] = []
    for field in fields:
        present = {key: raw[key] for key in field.keys if key in raw}
        if field.missing and not present:
            notes.add(
                field.missing,
                "missing-field",
                "the field is missing",
                field=field.keys[0],
                hint="It is taken as unknown.",
            )
        values[field.name] = value = field.parse(present, notes)
        aside, lacking = _aside(field, present, value, exact=exact)
        extra |= aside
        absent += lacking
    if exact and absent:
        extra[ABSENT] = absent
    return values, extra


def write_fields(
    values: Mapping[str, Any],
    fields: Sequence[Field],
    extra: Mapping[str, Any],
    *,
    exact: bool,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the known keys of a record, and what of `extra` has no place among them."""
    out: dict[str, Any] = {}
    rest = dict(extra)
    left_out = extra.get(ABSENT) if exact else None
    absent = frozenset(map(str, left_out)) if isinstance(left_out, list | tuple) else frozenset()
    for field in fields:
        value = values[field.name]
        rendered = field.render(value)
        kept = {key: extra[key] for key in field.keys if key in extra}
        gone = {key for key in field.keys if key in absent and key not in kept}
        if kept or gone:
            original = {key: v for key, v in (rendered | kept).items() if key not in gone}
            aside, lacking = _aside(field, original, value, exact=exact)
            # only an original that would be read and put aside just so takes its place again
            if field.parse(original, Notes()) == value and same(aside, kept) and gone == {*lacking}:
                rendered = original
                for key in kept:
                    del rest[key]
        out |= rendered
    return out, rest


def _aside(
    field: Field, present: Mapping[str, Any], value: Any, *, exact: bool
) -> tuple[dict[str, Any], list[str]]:
    """Returns what of the present keys the value does not say, and which usual keys are absent."""
    rendered = field.render(value)
    aside = {}
    for key, given in present.items():
        if key in rendered and same(given, rendered[key]):
            continue
        if exact or key in rendered or not any(same(given, empty) for empty in EMPTY):
            aside[key] = given
    return aside, [key for key in rendered if key not in present] if exact else []


def one(
    key: str,
    parse: Callable[[Any, str, Notes], Any],
    render: Callable[[Any], Any],
    *,
    name: str = "",
    omit: Callable[[Any], bool] = lambda _: False,
    missing: Missing = "",
) -> Field:
    """Returns the field of a value that one key holds; `omit` says when it is not written."""
    return Field(
        name=name or key,
        keys=(key,),
        parse=lambda raw, notes: parse(raw.get(key), key, notes),
        render=lambda value: {} if omit(value) else {key: render(value)},
        missing=missing,
    )


def wrong_type(raw: Any, name: str, notes: Notes, wanted: str) -> None:
    """Notes that a field is of the wrong type."""
    notes.error(
        "wrong-type",
        "the field is of the wrong type and taken as unknown",
        field=name,
        got=raw,
        wanted=wanted,
    )


def text(raw: Any, name: str, notes: Notes) -> str:
    """Returns a string, "" for null; characters that no text has come back as U+FFFD."""
    if raw is None:
        return ""
    if not isinstance(raw, str):
        wrong_type(raw, name, notes, "a string")
        return ""
    if raw.isascii() and "\0" not in raw:
        return raw
    clean = "".join(REPLACEMENT if c == "\0" or "\ud800" <= c <= "\udfff" else c for c in raw)
    if clean != raw:
        bytes_lost = any("\udc80" <= c <= "\udcff" for c in raw)
        notes.error(
            "not-text",
            "bytes that are not UTF-8" if bytes_lost else "a NUL character or half a character",
            field=name,
            got=raw,
            wanted="text",
            hint="They are read as U+FFFD.",
        )
    return clean


def number(raw: Any, name: str, notes: Notes) -> float | None:
    """Returns a finite number as float, None for null."""
    if raw is None:
        return None
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        try:
            value = float(raw)
        except OverflowError:
            value = math.inf
        if math.isfinite(value):
            return value
    wrong_type(raw, name, notes, "a number")
    return None


def names(raw: Any, name: str, notes: Notes) -> tuple[str, ...]:
    """Returns a list of strings, () for null; a single string counts as a list of it, noted."""
    if raw is None:
        return ()
    if isinstance(raw, str):
        notes.warning(
            "wrong-type", "one name where a list belongs", field=name, got=raw, wanted="a list"
        )
        return (text(raw, name, notes),) if raw else ()
    if not isinstance(raw, list):
        wrong_type(raw, name, notes, "a list of names")
        return ()
    read = (text(item, f"{name}[{i}]", notes) for i, item in enumerate(raw))
    return tuple(item for item in read if item)


def indexes(raw: Any, name: str, notes: Notes) -> tuple[int, ...]:
    """Returns a list of whole numbers, () for null."""
    if raw is None:
        return ()
    if not isinstance(raw, list):
        wrong_type(raw, name, notes, "a list of row numbers")
        return ()
    found = []
    for i, item in enumerate(raw):
        value = number(item, f"{name}[{i}]", notes)
        if value is None:
            if item is None:
                wrong_type(item, f"{name}[{i}]", notes, "a row number")
        elif value.is_integer():
            found.append(int(value))
        else:
            wrong_type(item, f"{name}[{i}]", notes, "a row number")
    return tuple(found)


def items(
    raw: Any, name: str, notes: Notes, make: Callable[[Mapping[str, Any], str, Notes], T]
) -> tuple[T, ...]:
    """Returns a list of records, () for null; what is no record is noted and left out."""
    if raw is None:
        return ()
    if not isinstance(raw, list):
        wrong_type(raw, name, notes, "a list of objects")
        return ()
    found = []
    for i, item in enumerate(raw):
        place = f"{name}[{i}]"
        if isinstance(item, dict):
            found.append(make(item, place, notes))
        else:
            wrong_type(item, place, notes, "an object")
    return tuple(found)


def needs(item: Mapping[str, Any], place: str, notes: Notes, keys: Iterable[str]) -> None:
    """Notes which of the keys an item of a list lacks."""
    for key in keys:
        if key not in item:
            notes.warning(
                "missing-field",
                "the field is missing",
                field=f"{place}.{key}",
                hint="It is taken as unknown.",
            )


def word(raw: Any, name: str, notes: Notes, allowed: Sequence[str], default: str = "") -> str:
    """Returns one of the allowed words, `default` for null and, with a note, for any other."""
    if raw is None:
        return default
    if isinstance(raw, str) and raw in allowed:
        return raw
    notes.error(
        "unknown-word",
        "not one of the words that may stand here",
        field=name,
        got=raw,
        wanted=" | ".join(allowed),
    )
    return default


def truth(raw: Any, name: str, notes: Notes, default: bool) -> bool:
    """Returns true or false, `default` for null; what is neither is noted and counts as true."""
    if raw is None:
        return default
    if isinstance(raw, bool):
        return raw
    notes.error(
        "wrong-type",
        "the field is of the wrong type and taken as true",
        field=name,
        got=raw,
        wanted="true or false",
    )
    return True


def plain(value: float | None) -> float | int | None:
    """Returns a number as a person writes it: 8, not 8.0."""
    return int(value) if value is not None and value.is_integer() else value
