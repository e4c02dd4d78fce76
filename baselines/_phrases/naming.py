"""Annotated phrases without anybody's name: whole names, their parts, and short forms of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from relgraph.baselines._names import SOMEONE
from relgraph.cues._lexicon import words
from relgraph.graph._mentions import ALSO_WORDS, PRONOUNS, UNSPACED
from relgraph.records import GROUPS, SUPPORTER, Annotation, Conversation

PLACEHOLDER = re.compile(r"\[\w+\]")
_PART = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)*")
_LOWER = re.compile(r"(?<![^\W\d_])[^\W\d_A-Z][^\W\d_]*")
_INSIDE = re.compile(r"(?<=[a-z,;] )[A-Z][^\W\d_]+")
NICKNAME_END = re.compile(r"(?:ie|ey|y|i)$")
TITLES = words("dr doctor mr mrs ms miss prof sir van von de der den la le el the of and")
KIN = words(
    "mom mum mommy mummy mama mother dad daddy papa pop father gran granny grandma grandpa "
    "grandmother grandfather nana auntie aunt uncle sister brother"
)
CAPITALISED = words(
    "i god english christmas easter thanksgiving monday tuesday wednesday thursday friday saturday "
    "sunday january february april july august september october november december"
)
"""Words that are written with a capital letter and are nobody's name."""
GROUPS_LOW = frozenset({*(g.lower() for g in GROUPS), SUPPORTER.lower()})
SHORTEST_NICKNAME = 3
SHORTEST_PART = 2


@dataclass(frozen=True, slots=True)
class People:
    """Whose names may occur in the phrases of a conversation.

    Attributes:
        names: full names.
        words: words that are no name at the start of a phrase; None where people do not speak
            English, and a capital letter may begin any noun.
    """

    names: tuple[str, ...]
    words: Collection[str] | None = frozenset()

    @property
    def is_english(self) -> bool:
        """Returns whether they speak English."""
        return self.words is not None


def words_in(conversations: Sequence[Conversation]) -> frozenset[str]:
    """Returns the words, in lower case, that are no name where a phrase begins with them.

    These occur in lower case in a phrase; or, where most phrases begin with a capital letter,
    nobody speaks of them with one in the middle of a sentence.
    """
    phrases = [text for c in conversations for gold in c.gold for text in _phrases(gold)]
    found = {word for text in phrases for word in _LOWER.findall(text)}
    begun = [begin.group() for text in phrases if (begin := _WORD.match(text.strip()))]
    if 2 * sum(word[0].isupper() for word in begun) > len(begun):
        said = (t.text for c in conversations for t in c.turns)
        named = {word for text in (*phrases, *said) for word in _INSIDE.findall(text)}
        found |= {word.lower() for word in begun if word not in named}
    return frozenset(found)


def _phrases(gold: Annotation) -> Iterator[str]:
    yield from (e.phrase for e in gold.emotions)
    yield from (v.viewpoint for v in gold.viewpoints)


def people_of(conversation: Conversation) -> tuple[str, ...]:
    """Returns everybody named in a conversation's fields: those present, and those spoken of.

    Not the group's name, nor the supporter where it is a role and not a name.
    """
    names = dict.fromkeys(conversation.participants)
    names[conversation.supporter] = None
    for turn in conversation.turns:
        names.update(dict.fromkeys((turn.speaker, *turn.addressees)))
        for behind in turn.background:
            names.update(dict.fromkeys((behind.speaker, *behind.addressees)))
        for shown in turn.nonverbal:
            names.update(dict.fromkeys((shown.person, *shown.addressees)))
    for gold in conversation.gold:
        names.update(dict.fromkeys(_annotated(gold)))
    apart = {*GROUPS, SUPPORTER, conversation.group}
    return tuple(name for name in names if name.strip() and name not in apart)


def _annotated(gold: Annotation) -> Iterable[str]:
    yield from (e.person for e in gold.emotions)
    yield from (name for v in gold.viewpoints for name in (v.source, v.target))
    yield from (name for s in gold.strategies for name in (s.provider, *s.targets))


def unnamed(text: str, people: People, places: Mapping[str, str]) -> str:
    """Returns the text with everybody's name replaced.

    A name counts in any case, as a whole word and by each of its parts (`Edda Reed`, `edda`,
    `REED's`); one that is an English word (`Will`) only with a capital letter. A word with a
    capital letter that no sentence begins with may be the name of somebody who is only spoken of,
    or a short form: it is replaced too.

    Args:
        text: an annotated phrase.
        people: whose names may occur.
        places: name -> placeholder to put there; anybody else becomes `someone`.
    """
    text = unicodedata.normalize("NFC", text)
    parts = _parts(people.names, tuple(places.items()))
    pattern = _pattern(tuple(parts))
    if pattern:
        text = pattern.sub(lambda found: _known(found.group(), parts), text)
    if people.words is not None:
        words = people.words
        text = _WORD.sub(lambda found: _unknown(found, parts, words), text)
    # `Silas'` was a possessive
    return re.sub(r"(\[\w+\]|\bsomeone)'(?=\s\w)", r"\1's", text)


@lru_cache(maxsize=4096)
def _parts(names: tuple[str, ...], places: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Returns what stands for each name and part of a name, in lower case.

    A part that several people share, such as a family's name, is nobody's.
    """
    of = dict(places)
    found: dict[str, str] = {}
    whole = {_low(name): of.get(name, SOMEONE) for name in (*names, *of)}
    for name in (*names, *of):
        for part in {_low(p) for p in _PART.findall(unicodedata.normalize("NFC", name))}:
            if len(part) < SHORTEST_PART or part in TITLES:
                continue
            place = of.get(name, SOMEONE)
            found[part] = place if found.get(part, place) == place else SOMEONE
    return {**found, **whole}


@lru_cache(maxsize=4096)
def _pattern(parts: tuple[str, ...]) -> re.Pattern[str] | None:
    given = sorted((p for p in parts if p.strip()), key=lambda p: (-len(p), p))
    if not given:
        return None
    bounded = [rf"(?<!\w){re.escape(p)}(?!\w)" for p in given if not UNSPACED.search(p)]
    anywhere = [re.escape(p) for p in given if UNSPACED.search(p)]
    return re.compile("|".join([*anywhere, *bounded]), re.IGNORECASE)


def _known(found: str, parts: Mapping[str, str]) -> str:
    low = _low(found)
    is_word = low in ALSO_WORDS or low in PRONOUNS or low in KIN
    if found.islower() and is_word:
        return found
    return parts.get(low, SOMEONE)


def _unknown(found: re.Match[str], parts: Mapping[str, str], known: Collection[str]) -> str:
    word, text = found.group(), found.string
    low = _low(word)
    if not word[0].isupper() or low in CAPITALISED or (word.isupper() and len(word) > 1):
        return word
    if text[: found.start()].endswith("[") or low in GROUPS_LOW:
        return word
    if low in KIN:
        return low
    before = text[: found.start()].rstrip()
    begins = not before or before[-1] in ".?!:;\"'\u201c\u2018("
    owner = re.match(r"['\u2019]s?\b", text[found.end() :])
    is_short = _short_for(low, parts)
    if begins and not owner and not is_short and low in known:
        return word
    return is_short or SOMEONE


def _short_for(word: str, parts: Mapping[str, str]) -> str:
    """Returns the placeholder of whom a word is a short form of (`Lizzy`, `Alex`), else ""."""
    stem = NICKNAME_END.sub("", word)
    stem = stem[:-1] if len(stem) > SHORTEST_NICKNAME and stem[-1] == stem[-2] else stem
    for part, place in parts.items():
        if min(len(stem), len(part)) >= SHORTEST_NICKNAME and (
            part.startswith(stem) or stem.startswith(part)
        ):
            return place
    return ""


def _low(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
