"""JSON as people and programs really write it: what is odd is noted, not lost, and never fatal."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from relgraph.corpora._base import Notes, shown
from relgraph.errors import DataError
from relgraph.files import open_text

PEEKED_LINES = 200
LONGEST_INTEGER = 4000
NESTED_AT_MOST = 100


def parse(text: str, notes: Notes) -> Any:
    """Returns the value of a JSON text; `...` where it cannot be read, with the defect noted.

    Numbers that JSON or a float cannot hold (NaN, Infinity, 1e999, integers of thousands of
    digits) come back as the string that stood there, so that a reader takes them for what they
    are: of the wrong type. Of a key that stands twice the last value counts, as is usual.
    """

    def odd_number(word: str) -> str:
        notes.error(
            "not-a-number",
            "a number that JSON does not have",
            got=word,
            wanted="a finite number, or null when unknown",
        )
        return word

    def decimal(word: str) -> float | str:
        value = float(word)
        return value if math.isfinite(value) else odd_number(word)

    def integer(word: str) -> int | str:
        return int(word) if len(word) <= LONGEST_INTEGER else odd_number(word)

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(items)
        if len(value) < len(items):
            seen: set[str] = set()
            for key, _ in items:
                if key in seen:
                    notes.error(
                        "duplicate-key",
                        f"the key {shown(key)} stands more than once; the last value is kept",
                        field=key,
                        got=[v for k, v in items if k == key],
                        wanted="each key once",
                    )
                seen.add(key)
        return value

    def load(*, strict: bool) -> Any:
        return json.loads(
            text,
            strict=strict,
            parse_constant=odd_number,
            parse_float=decimal,
            parse_int=integer,
            object_pairs_hook=pairs,
        )

    before = len(notes.defects)
    try:
        try:
            value = load(strict=True)
        except json.JSONDecodeError as error:
            if not error.msg.startswith("Invalid control character"):
                raise
            del notes.defects[before:]
            value = load(strict=False)
            notes.error(
                "control-character",
                f"a control character stands unescaped in a string (column {error.colno})",
                wanted=r"\t, \n, \u0000 and the like",
            )
    except json.JSONDecodeError as error:
        del notes.defects[before:]
        if notes.line is None:
            notes.line = error.lineno
        notes.error(
            "unreadable",
            f"not JSON: {error.msg} at column {error.colno}",
            got=text[max(0, error.pos - 20) : error.pos + 20],
            wanted="one JSON object",
            hint="Mend or take out this line.",
        )
        return ...
    except RecursionError:
        value = ...
    if value is ... or _depth_exceeds(value, NESTED_AT_MOST):
        del notes.defects[before:]
        notes.error(
            "unreadable",
            f"nested more than {NESTED_AT_MOST} levels deep",
            wanted="one conversation",
            hint="Mend or take out this line.",
        )
        return ...
    return value


def dump(value: Any) -> str:
    """Returns `value` as one line of JSON; lone surrogates, which UTF-8 cannot hold, escaped.

    Raises:
        DataError: it holds what JSON does not have, such as NaN or an object.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        name = value.get("id", value.get("sample_id", "")) if isinstance(value, dict) else ""
        raise DataError(
            f"conversation {shown(name)}: holds a value that JSON does not have ({error}). "
            "Look into `extra` of it and its turns."
        ) from None
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True, allow_nan=False)
    return text


def same(one: Any, other: Any) -> bool:
    """Returns whether two JSON values are equal; unlike in Python, true is not 1."""
    if isinstance(one, str):
        return bool(one == other)
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def objects(path: Path) -> Iterator[tuple[int, str]]:
    """Yields the line number and text of every line of a JSON-lines file that is not blank."""
    with open_text(path, errors="surrogateescape") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield number, line


def peek(path: Path) -> dict[str, Any] | None:
    """Returns the first line of a file that is a JSON object by itself; None without one."""
    for number, line in objects(path):
        if number > PEEKED_LINES:
            return None
        if line.lstrip()[:1] == "{":
            try:
                value = json.loads(line, strict=False, parse_int=str)
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                return value
    return None


def document(path: Path, notes: Notes) -> Any:
    """Returns the value of a file that is one JSON text; `...` where it cannot be read."""
    try:
        with open_text(path, errors="surrogateescape") as stream:
            text = stream.read()
    except DataError as error:
        notes.error("unreadable", str(error).removeprefix(f"{path}: ").rstrip("."))
        return ...
    return parse(text, notes)


def _depth_exceeds(value: Any, limit: int) -> bool:
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limit):
        level = [
            child
            for item in level
            for child in (item.values() if isinstance(item, dict) else item)
            if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return True
