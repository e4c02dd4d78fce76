"""Names and texts of a conversation made safe to stand in a prompt: data stays data."""

from __future__ import annotations

import json
import re
import unicodedata

PLAIN_NAME = re.compile(r"[^\W_](?:[\w .'-]{0,38}[\w.])?")
SWAPPED = str.maketrans({"<": "\u2039", ">": "\u203a", "[": "(", "]": ")"})
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def plain(text: str) -> str:
    """Returns the text on one line, without anything that a prompt gives a meaning to.

    Line breaks, control and invisible characters become spaces. `<` and `>` become single angle
    quotes and square brackets become round ones, so that no text holds a turn number in its
    brackets or a chat template's special token (engines read those in user text too).
    """
    if text.isascii() and text.isprintable():
        seen = text
    else:
        # U+200D joins emoji and several scripts' letters: without it words would break.
        seen = "".join(
            c if c == "\u200d" or unicodedata.category(c) not in UNSEEN else " " for c in text
        )
    return " ".join(seen.translate(SWAPPED).split())


def quote(text: str) -> str:
    """Returns the text as a JSON string on one line: its end cannot be forged from inside."""
    return json.dumps(plain(text), ensure_ascii=False)


def name(person: str) -> str:
    """Returns a person's name as shown: as it is where it is only a name, else quoted."""
    shown = plain(person)
    if not shown:
        return "(unknown)"
    return shown if PLAIN_NAME.fullmatch(shown) else json.dumps(shown, ensure_ascii=False)
