"""Questions in a turn: found by the question mark or by the order of words, and their kinds."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from relgraph.cues._lexicon import words
from relgraph.cues._phrases import NAME
from relgraph.cues._seen import Seen

Kind = Literal["open", "closed", "polar", "prompt"]

PUT = 0.5
"""A question of this strength or more expects an answer."""
ALIKE = 0.6
"""Two questions are alike if they share so much of the shorter one's content words."""

WH = words("what why how when where who whom whose which")
CLOSED = words("when where who whom whose which")
AMOUNT = words("many much long old often far soon late big")
AUX = words(
    "do does did is are was were am have has had can could will would should shall may might "
    "'s 're 'd 've don't doesn't didn't"
)
SUBJECT = words(f"i you he she it we they there this that {NAME} anyone anybody someone")
LEADING = words(
    f"and but so or then now okay ok well um uh oh like yeah yes no right all because {NAME} "
    "hey look listen actually just i mean see"
)
TAGS = words(
    "you know right ok okay yeah yes no huh hm hmm mm really see eh alright correct true oh is it "
    "isn't n't"
)
EMPTY = words(
    "be do have go get know think say tell feel mean want make let like see come take give will "
    "would can could should may might shall need try look talk guess thing something anything "
    "kind sort way bit lot much many"
)


class Question(NamedTuple):
    """A question in a turn: which sentence, how sure it asks for an answer, and of which kind.

    `open` asks what, how or why; `closed` who, when, where or how many; `polar` yes or no;
    `prompt` is a word or two ("Really?"). `turned`: its words are in the order of a question.
    """

    sentence: int
    strength: float
    kind: Kind
    words: str
    content: frozenset[str]
    turned: bool


@lru_cache(maxsize=64)
def questions(seen: Seen) -> tuple[Question, ...]:
    """Returns the questions of a turn, by sentence.

    A question mark makes one, but for tags ("you know?"); without it, the order of words does.
    Talk that goes on for long after a question makes it weaker.
    """
    found = []
    count = len(seen.parse.sentences)
    for number, sentence in enumerate(seen.parse.sentences):
        tokens = seen.tokens[sentence.first : sentence.stop]
        texts = [t.text for t in tokens if any(c.isalnum() for c in t.text)]
        if not texts:
            continue
        lead = 0
        while lead < len(texts) - 1 and texts[lead] in LEADING:
            lead += 1
        order = _order(texts[lead:], marked=sentence.question)
        strength = _strength(texts, order, asks=sentence.question, alone=count == 1)
        if not strength:
            continue
        kind: Kind = order or ("polar" if len(texts) > 2 else "prompt")
        found.append(
            Question(
                number,
                round(strength * (0.6 if count - number > 3 else 1.0), 3),
                kind,
                seen.parse.said(sentence.first, sentence.stop - 1),
                content(seen, sentence.first, sentence.stop),
                order is not None,
            )
        )
    return tuple(found)


def _strength(texts: list[str], order: Kind | None, *, asks: bool, alone: bool) -> float:
    if not asks:
        return 0.6 if order and len(texts) > 2 else 0.0
    if all(t in TAGS for t in texts):
        return 0.35 if alone else 0.0
    if order:
        return 0.9
    if texts[-2:] == ["you", "know"]:
        return 0.0
    return 0.5 if len(texts) <= 2 else 0.75


def _order(texts: list[str], *, marked: bool) -> Kind | None:
    """Returns the kind of question that the order of words shows, None for none."""
    first, second, third = (*texts, "", "")[:3]
    if first in WH:
        inverted = marked or second in AUX or third in AUX
        if texts[1:] and not inverted and texts[:2] not in (["what", "happened"], ["how", "come"]):
            return None
        closed = first in CLOSED or (first == "how" and second in AMOUNT)
        return "closed" if closed else "open"
    if first in AUX and (second in SUBJECT or (second in {"n't", "not"} and third in SUBJECT)):
        return "polar"
    return None


def content(seen: Seen, first: int = 0, stop: int | None = None) -> frozenset[str]:
    """Returns the lemmas that carry content: nouns, verbs, adjectives, without the empty ones."""
    return frozenset(
        t.lemma
        for t in seen.tokens[first:stop]
        if t.pos in {"NOUN", "VERB", "ADJ", "NUM"}
        and t.lemma not in EMPTY
        and t.text not in WH
        and len(t.lemma) > 2
    )


def put_to(seen: Seen) -> tuple[Seen, Question] | None:
    """Returns the turn before with the question it puts to this turn's speaker, None for none."""
    before = seen.before
    if before is None or before.speaker == seen.speaker or seen.speaker not in before.addressees:
        return None
    asked = [q for q in questions(before) if q.strength >= PUT]
    return (before, asked[-1]) if asked else None


def alike(old: Question, new: Question) -> bool:
    """Returns whether two questions ask the same: by content words, without any by every word."""
    if not old.content or not new.content:
        return _plain(old.words) == _plain(new.words)
    return len(old.content & new.content) >= ALIKE * min(len(old.content), len(new.content))


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().casefold()
