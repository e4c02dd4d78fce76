"""Finding phrases in a turn, and telling who is meant in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from relgraph.cues._lexicon import words
from relgraph.cues._parse import PLACEHOLDER, Parse
from relgraph.cues._seen import Seen

NAME = PLACEHOLDER.lower()
"""What a name reads as in the parsed text."""
ASIDE = words(
    "um uh er ah eh hm hmm mm mmm oh ooh like well so just actually basically honestly literally "
    "really kinda sorta mean know you i ugh wow"
)
"""Fillers; `you` and `i` only within "you know" and "I mean"."""
ASSENT = words(
    "yes yeah yep yup yea yah right ok okay sure mhm mm mmm hmm mm-hm mm-hmm mhmm uh-huh uhuh huh "
    "exactly absolutely definitely correct true totally agreed course certainly indeed alright "
    "understood good great cool amen"
)
# "she was like", "and he says": what follows is somebody's words told again.
TOLD_BEFORE = re.compile(
    rf"\b(?:he|she|they|you|we|i|it|{NAME}|who|and|just)(?:'s|'re|'m| is| was| were| are| am)?"
    r"(?: just| always| all| kind of| sort of)? ?"
    r"(?:(?:be|being|been) like|(?<=s) like|(?<=re) like|like|say|says|said|saying|goes|went|told"
    r" (?:me|him|her|you|them)|tells (?:me|him|her)|thinks?|thought|think)"
    r"(?:,| that|:|,? like,?| oh,?| well,?)* ?[\"'\u201c]?$",
    re.I,
)

# Single quotation marks, told from apostrophes: a mark opens before a word and closes after one.
SINGLE_QUOTED = re.compile(
    r"(?<!\w)'(?!cause|til|em\b|bout|s\b)(?=\w)(?:[^']|(?<=\w)'(?=\w))*'(?!\w)", re.I
)


class Hit(NamedTuple):
    """A place where a pattern matched: its match in the parsed text, and its tokens."""

    match: re.Match[str]
    first: int
    last: int
    words: str

    def __getitem__(self, key: str) -> str:  # type: ignore[override]
        """Returns what a named group of the pattern matched, "" for nothing."""
        return self.match[key] or ""


def hits(seen: Seen, pattern: re.Pattern[str]) -> Iterator[Hit]:
    """Yields where a pattern matches in the parsed text of a turn, in order."""
    for match in pattern.finditer(seen.parse.plain):
        begin, end = match.span()
        if begin < end:
            first, last = token_at(seen.parse, begin), token_at(seen.parse, end - 1)
            if first is not None and last is not None:
                yield Hit(match, first, last, seen.parse.words(begin, end))


def token_at(parse: Parse, place: int) -> int | None:
    """Returns the position of the token at an offset of the parsed text, None before the first."""
    i = bisect_right(parse.begins, place) - 1
    return i if i >= 0 else None


def span(seen: Seen, hit: Hit, group: str) -> range:
    """Returns the positions of the tokens that a named group matched; empty for none."""
    if not hit.match[group]:
        return range(0)
    begin, end = hit.match.span(group)
    first, last = token_at(seen.parse, begin), token_at(seen.parse, end - 1)
    return range(0) if first is None or last is None else range(first, last + 1)


def people(seen: Seen, hit: Hit, group: str) -> tuple[str, ...]:
    """Returns who is meant by what a named group matched: `I` and `me` are the speaker."""
    found: dict[str, None] = {}
    place = span(seen, hit, group)
    for i in place:
        text = seen.tokens[i].text
        # "my" is the speaker's only by itself: "my husband" is not the speaker.
        if text in {"i", "me", "us", "we"} or (text == "my" and len(place) == 1):
            found.setdefault(seen.speaker)
        for mention in seen.meant(i):
            found.setdefault(mention.person)
    return tuple(found)


def asked(seen: Seen, token: int) -> bool:
    """Returns whether the sentence of a token is a question."""
    return seen.parse.sentences[seen.tokens[token].sentence].question


def told(seen: Seen, token: int) -> bool:
    """Returns whether the words are somebody's, told again: quoted, or after `she was like`."""
    if seen.tokens[token].reported:
        return True
    place = seen.parse.begins[token]
    if any(m.start() < place < m.end() for m in SINGLE_QUOTED.finditer(seen.parse.plain)):
        return True
    first = seen.parse.sentences[seen.tokens[token].sentence].first
    if first >= token:
        return False
    before = seen.parse.said(first, token - 1).replace("\u2019", "'")
    return bool(TOLD_BEFORE.search(before + " ")) or bool(TOLD_BEFORE.search(before))


def bare(seen: Seen, first: int = 0, stop: int | None = None) -> list[str]:
    """Returns the words between two tokens without fillers and signs, in lower case."""
    texts = [t.text for t in seen.tokens[first:stop]]
    kept = []
    for comes, text, follows in zip(["", *texts], texts, [*texts[1:], ""], strict=False):
        if text in {"you", "i"}:
            filler = follows in {"know", "mean"}
        elif text in {"know", "mean"}:
            filler = comes in {"you", "i"}
        else:
            filler = text in ASIDE or not any(c.isalnum() for c in text)
        if not filler:
            kept.append(text)
    return kept
