"""Cuts the text of a rule file into words, and refuses what is no text."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, NamedTuple

from relgraph.reasoning.language import Problem
from relgraph.reasoning.slips import instead_of

Kind = Literal["name", "variable", "number", "text", "any", "symbol", "bad", "end"]
MOST_CHARACTERS = 1_000_000
MOST_PROBLEMS = 100
LONGEST_WORD = 100
LONGEST_TEXT = 1000

# each alternative begins with characters of its own: no text makes this look twice
_PIECE = re.compile(
    r"(?P<space>[ \t\r\n]+)|(?P<comment>#[^\n]*)|(?P<word>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<text>\"[^\"\n]*\")"
    r"|(?P<symbol><->|->|!=|<=|>=|[=<>+\-(),:/])"
)
_FORBIDDEN = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}


class Token(NamedTuple):
    """A word of the text; `value` is without quotes, `begins_line` where nothing stands before."""

    kind: Kind
    value: str
    line: int
    column: int
    start: int
    end: int
    begins_line: bool

    @property
    def shown(self) -> str:
        """How an error names it."""
        if self.kind == "end":
            return "the end of the file"
        return f'"{self.value[:40]}"' if self.kind == "text" else f"`{self.value[:40]}`"


def tokens_of(text: str, source: str) -> tuple[list[Token], list[Problem]]:
    """Returns the tokens of a file, the last one of kind `end`, and what could not be read.

    A character that no rule has becomes a token of kind `bad`, so that reading can go on behind
    it. Of a file that is no text at all, there are no tokens and one problem.
    """
    refused = _refusal(text, source)
    if refused:
        return [Token("end", "", 1, 1, 0, 0, begins_line=True)], [refused]
    tokens: list[Token] = []
    problems: list[Problem] = []
    position, line, line_start, fresh = 0, 1, 0, True
    while position < len(text) and len(problems) < MOST_PROBLEMS:
        found = _PIECE.match(text, position)
        column = position - line_start + 1
        group = found.lastgroup if found else None
        value, end = (found[0], found.end()) if found else (text[position], position + 1)
        if group == "space":
            breaks = value.count("\n")
            if breaks:
                line, line_start, fresh = line + breaks, position + value.rfind("\n") + 1, True
        elif group != "comment":
            kind, wrong = _kind(group, value, text[end : end + 1])
            if group is None:
                wrong = _strange(text, position)
            if wrong:
                problems.append(Problem("error", source, line, column, wrong))
                # the rest of the line is skipped: one strange word gives one error
                end = text.find("\n", position)
                end = len(text) if end < 0 else end
            value = value[1:-1] if kind == "text" else value
            tokens.append(Token(kind, value, line, column, position, end, fresh))
            fresh = False
        position = end
    tokens.append(Token("end", "", line, position - line_start + 1, position, position, fresh))
    return tokens, problems


def _kind(group: str | None, value: str, following: str) -> tuple[Kind, str]:
    """Returns what a piece is, and what is wrong with it or ""."""
    if group is None:
        return "bad", ""
    if group == "word":
        if len(value) > LONGEST_WORD:
            return "bad", f"a word of {len(value)} letters; expected at most {LONGEST_WORD}"
        if value == "_":
            return "any", ""
        if value[0].isupper():
            return "variable", ""
        if value[0] == "_" or not value.islower():
            return "bad", (
                f"`{value}` is neither a name nor a variable; expected a name in lower case "
                "(`fear_of`) or a variable that begins with a capital (`A`, `T1`)"
            )
        return "name", ""
    if group == "number":
        if following.isalnum() or following in {"_", "."}:
            return "bad", f"`{value}{following}` is no number; expected digits, as in 3 or 0.5"
        if len(value) > 12:
            return "bad", f"a number of {len(value)} digits; expected at most 12"
        return "number", ""
    if group == "text" and len(value) > LONGEST_TEXT:
        return "bad", f"a text of {len(value)} characters; expected at most {LONGEST_TEXT}"
    return ("text" if group == "text" else "symbol"), ""


def _strange(text: str, position: int) -> str:
    """Returns what is wrong with a character that begins no piece."""
    character = text[position]
    if character == '"':
        return 'a text that does not end on its line; expected a second `"`'
    meant = instead_of(character)
    if character in ".;":
        return f"`{character}` has no meaning in a rule; nothing marks its end"
    if character.isascii():
        wanted = meant or "a name, a variable or a sign"
        return f"`{character}` has no meaning in a rule; expected {wanted}"
    name = unicodedata.name(character, "a character without a name")
    wanted = meant or "plain letters a to z, digits and `_`"
    return f"U+{ord(character):04X} ({name}) outside of a quoted text; expected {wanted}"


def _refusal(text: str, source: str) -> Problem | None:
    """Returns why a text is not read at all, or None."""
    if len(text) > MOST_CHARACTERS:
        return Problem(
            "error", source, 1, 1,
            f"the file has {len(text)} characters; expected at most {MOST_CHARACTERS}. "
            "Part it into several packs",
        )  # fmt: skip
    for position, character in enumerate(text):
        if character.isascii() and (character >= " " or character in "\t\r\n"):
            continue
        if unicodedata.category(character) in _FORBIDDEN:
            line = text.count("\n", 0, position) + 1
            column = position - text.rfind("\n", 0, position)
            return Problem(
                "error", source, line, column,
                f"control character U+{ord(character):04X}; expected a text file that a person "
                "can read as it is",
            )  # fmt: skip
    return None
