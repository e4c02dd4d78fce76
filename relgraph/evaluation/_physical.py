"""A description without its words of feeling and judgement."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from relgraph.evaluation._affect_words import (
    ARTICLES,
    CARRIERS,
    FOLLOWERS,
    LINKS,
    MODIFIERS,
    OPENERS,
    SMALL,
    is_affect,
)

WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
# what parts a description into pieces that say something each
_AND = r"(?:and|but|or|yet)\b\s*"
_PARTS = re.compile(
    rf"(\s*[,;:.!?\u2026\u2014\u2013/]+\s*(?:{_AND})?|\s+{_AND})",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.!?\u2026]")


def physical(text: str, *, names: Collection[str] = ()) -> str:
    """Returns a description without words of feeling and judgement, "" where nothing is left.

    With such a word go the words that say how much of it ("slightly annoyed"), and those that are
    nothing without it ("seems", "with", "a hint of"). A piece between commas or "and" that is left
    with small words only goes as a whole; one that had no such word stays as it was.

    Args:
        text: the description.
        names: of people, in small letters: a word with a capital that is one of them stays.
    """
    if not any(is_affect(m.group()) for m in WORD.finditer(text)):
        return text
    pieces = _PARTS.split(text)
    kept = ""
    for place in range(0, len(pieces), 2):
        piece = _stripped(pieces[place], names)
        # the end of the text is an empty piece after its full stop
        closes = place == len(pieces) - 1 and not pieces[place].strip()
        if not piece and not closes:
            continue
        parted = pieces[place - 1] if place else ""
        if closes:
            kept += parted.rstrip() if kept and _ENDS.search(parted) else ""
        else:
            kept += (parted if kept else "") + piece
    return kept.strip()


def _stripped(piece: str, names: Collection[str]) -> str:
    """Returns one piece without such words; "" where only small words are left."""
    found = list(WORD.finditer(piece))
    words = [m.group() for m in found]
    gone = [is_affect(w) and not _is_name(w, names) for w in words]
    if not any(gone):
        return piece
    low = [w.casefold() for w in words]
    for last in range(len(low)):
        if gone[last] and not (last + 1 < len(low) and gone[last + 1]):
            _take_along(low, gone, last)
    left = [w for w, g in zip(low, gone, strict=True) if not g]
    if all(w in SMALL for w in left):
        return ""
    text = piece
    for m, g in reversed(list(zip(found, gone, strict=True))):
        if g:
            text = text[: m.start()] + text[m.end() :]
    return _with_articles(" ".join(text.split()), piece)


def _take_along(low: Sequence[str], gone: list[bool], last: int) -> None:
    """Marks the words before a stretch that ends at `last` which go with it."""
    follows = low[last + 1] if last + 1 < len(low) else ""
    alone = not low[last].endswith("ly") and (not follows or follows in FOLLOWERS | OPENERS)
    along = MODIFIERS | ARTICLES | OPENERS | LINKS | CARRIERS if alone else MODIFIERS
    first = last
    while first and (gone[first - 1] or low[first - 1] in along):
        if low[first - 1] == "her" and first > 1 and low[first - 2] not in OPENERS:
            break  # "turns to her angry": she is somebody, and not whose anger it is
        first -= 1
    gone[first : last + 1] = [True] * (last + 1 - first)


def _is_name(word: str, names: Collection[str]) -> bool:
    bare = word.removesuffix("'s").removesuffix("\u2019s")
    return bare[:1].isupper() and bare.casefold() in names


def _with_articles(text: str, before: str) -> str:
    """Returns the text with `a` and `an` as the words after them want it, where that changed."""
    if not re.search(r"\ban?\b", before, re.IGNORECASE):
        return text

    def mend(m: re.Match[str]) -> str:
        article = "an" if m.group(2).casefold() in "aeiou" else "a"
        return (article.capitalize() if m.group(1)[0].isupper() else article) + " " + m.group(2)

    return re.sub(r"\b([Aa]n?)\s+(\w)", mend, text)


def count_words(text: str) -> int:
    """Returns how many words a description has."""
    return len(WORD.findall(text))
