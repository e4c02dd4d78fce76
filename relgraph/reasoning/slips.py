"""What somebody who writes a first rule may have meant, for the messages about it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from relgraph.reasoning.tokens import Token

DIGITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_JOINED = "Conditions are joined by `and`"
_GOES_ON = {
    **dict.fromkeys(("when", "if", "then", ",", "&"), _JOINED),
    "or": "`any of blame, demand T: A -> B` says or",
    "pack": "`pack` stands at the beginning of the file",
}


def meant(tokens: Sequence[Token], position: int, wanted: str, words: Sequence[str]) -> str:
    """Returns what to write instead of a token, as a sentence without its full stop, or "".

    Args:
        tokens: of the file.
        position: of the token that should not stand here.
        wanted: what should, in the words of the message.
        words: those of the language.
    """
    now = tokens[position]
    before = tokens[position - 1] if position else now
    after = tokens[min(position + 1, len(tokens) - 1)]
    if now.kind == "variable":
        return _capital(now.value, wanted)
    if now.kind == "name" and wanted.startswith("a turn variable") and now.value not in words:
        return f"Variables begin with a capital letter: `{now.value[0].upper()}{now.value[1:]}`"
    if now.kind == "name" and wanted.startswith("a number") and now.value in DIGITS:
        return f"In digits: `{DIGITS.index(now.value) + 1}`"
    if now.kind == "number" and wanted.startswith("a weight"):
        return _weight(now, tokens[position + 1 : position + 3])
    if now.value == "-" and before.kind == after.kind == "name" and before.end == now.start:
        return f"Names are joined by `_`: `{before.value}_{after.value}`"
    if now.value == "<" and after.value == "-" and "`->`" in wanted:
        return "`A <- B` is written `B -> A`"
    if wanted.startswith("`and`"):
        return _GOES_ON.get(now.value, "")
    if now.kind == "name" and now.value not in words:
        near = get_close_matches(now.value, [w for w in words if f"`{w}`" in wanted], 1, 0.7)
        return f"Did you mean `{near[0]}`?" if near else ""
    return ""


def _capital(value: str, wanted: str) -> str:
    small = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", value).lower()
    if f"`{small}`" in wanted:
        return f"Did you mean `{small}`?"
    if wanted.startswith(("a name", "the name", "a task", "a scenario", "a condition")):
        return f"Names have small letters: `{small}`"
    return 'The reading stands in quotes, `"..."`' if wanted.startswith("`when`") else ""


def _weight(now: Token, following: Sequence[Token]) -> str:
    if [t.value for t in following[:1]] == [","] and following[1].start == now.end + 1:
        return f"A number has a point: `{now.value}.{following[1].value}`"
    value = float(now.value)
    return f"As a share of 1: `{value / 100:g}`" if 10 <= value <= 100 else ""


def instead_of(character: str) -> str:
    """Returns what a character that no rule has stands for, as what was expected, or ""."""
    if character in "'`\u00b4" or unicodedata.category(character) in ("Pi", "Pf"):
        return 'a straight quote `"`'
    if character == "\u201e":
        return 'a straight quote `"`'
    if unicodedata.category(character) == "Zs":
        return "a plain space"
    name = unicodedata.name(character, "")
    if unicodedata.category(character) == "Pd" or "RIGHTWARDS" in name or character == "\u2212":
        return "the arrow `->`"
    if "LEFT RIGHT" in name and "ARROW" in name:
        return "the arrow `<->`"
    if "LEFTWARDS" in name:
        return "the arrow `->`, from right to left: `A <- B` is written `B -> A`"
    return ""
