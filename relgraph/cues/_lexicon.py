"""Word lists and phrase tables as text, and how they are matched.

A table is written so that a psychologist can read and mend it:

    # blame
    0.9 YOUR fault
    0.6 because of YOU

A heading names the cue; a line is a strength and a phrase. In a phrase `a/b` is either word
(`_` joins words within one: `i'm/i_am`), `word?` may be missing, `*` is any one word, `...` are up
to four words, `^` is the beginning of the turn, `$` the end of the sentence. Words in capitals
stand for the forms of `CLASSES`; those of `WHO` say whom the cue is directed at: `you` is the
addressee, `he`, `she` and a name are who is spoken of.

Strengths mean the same in all tables and detectors:

| strength | means |
|---|---|
| 0.3 | weak: as often as not it means something else |
| 0.6 | plain: most people would hear it so |
| 0.9 | unmistakable: hard to say with another meaning |
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from relgraph.cues._parse import PLACEHOLDER, Parse

WHO = frozenset({"YOU", "YOUR", "YOU'RE", "YOU'VE", "YOU'D", "YOU'LL"})
_NAME = PLACEHOLDER.lower()
CLASSES = {
    "YOU": f"you/he/she/him/her/{_NAME}",
    "YOUR": f"your/his/her/{_NAME}'s",
    "YOU'RE": f"you're/you_are/you_were/he's/he_is/he_was/she's/she_is/she_was/{_NAME}'s"
    f"/{_NAME}_is/{_NAME}_was",
    "YOU'VE": f"you've/you_have/he's/he_has/she's/she_has/{_NAME}'s/{_NAME}_has/you_had",
    "YOU'D": f"you'd/you_would/you_could/he'd/he_would/she'd/she_would/{_NAME}_would",
    "YOU'LL": f"you'll/you_will/he'll/he_will/she'll/she_will/{_NAME}_will",
    "ME": "me/us",
    "I'M": "i'm/i_am/im",
    "I'VE": "i've/i_have",
    "I'D": "i'd/i_would",
    "I'LL": "i'll/i_will",
    "IT'S": "it's/its/it_is/it_was/that's/that_is/that_was/this_is/thats",
    "DO": "do/does/did",
    "DON'T": "don't/do_not/doesn't/does_not/didn't/did_not/dont",
    "CAN'T": "can't/cannot/can_not/couldn't/could_not",
    "ISN'T": "isn't/is_not/'s_not/wasn't/was_not/aren't/are_not/'re_not",
    "GONNA": "going_to/gonna",
}
OWN_NEGATION = re.compile(r"\b(?:not|never|no|nothing|nobody|without)\b|n't\b|\bcannot\b")
_START = re.compile(r"(?<![\w'])\w+")
# "I'm not saying you never ...": what is denied to be said is not said.
_UNSAID = re.compile(
    r"(?:\bnot|n't|\bnever)(?:\s+\w+)?\s+(?:say|saying|said|think|thinking|mean)\b"
)


def words(text: str) -> frozenset[str]:
    """Returns the words of a list written as text."""
    return frozenset(text.split())


class Match(NamedTuple):
    """A phrase found in a turn.

    Attributes:
        cue: whose phrase it is.
        strength: of the table.
        first: position of its first token.
        last: position of its last token.
        who: position of the word that says whom it is directed at, -1 for the addressee.
        words: as given.
        unsaid: it is denied, or said not to be said.
    """

    cue: str
    strength: float
    first: int
    last: int
    who: int
    words: str
    unsaid: bool


class _Phrase(NamedTuple):
    cue: str
    strength: float
    pattern: re.Pattern[str]
    denies: bool
    opens: bool


class Phrases:
    """A phrase table, looked up by the first word."""

    def __init__(self, table: str) -> None:
        self._by_first: dict[str, list[_Phrase]] = defaultdict(list)
        cue = ""
        for number, line in enumerate(table.splitlines(), start=1):
            text = line.strip()
            if text.startswith("#"):
                cue = text[1:].strip()
            elif text:
                strength, _, phrase = text.partition(" ")
                if not cue or not phrase:
                    raise ValueError(f"line {number} of a phrase table: {line!r}")
                self._add(cue, float(strength), phrase)

    def _add(self, cue: str, strength: float, phrase: str) -> None:
        elements = phrase.split()
        opens = elements[0] == "^"
        elements = elements[opens:]
        entry = _Phrase(
            cue,
            strength,
            re.compile(_regex(elements)),
            bool(OWN_NEGATION.search(_regex(elements).replace(r"\s+", " "))),
            opens,
        )
        for alternative in _choices(elements[0]):
            begin = _START.match(alternative)
            assert begin, phrase
            if entry not in self._by_first[begin.group()]:
                self._by_first[begin.group()].append(entry)

    def find(self, parse: Parse) -> Iterator[Match]:
        """Yields the phrases of the table in a turn, by place."""
        plain, at = parse.plain, parse.at
        first_word = True
        for start in _START.finditer(plain):
            for phrase in self._by_first.get(start.group(), ()):
                if phrase.opens and not first_word:
                    continue
                m = phrase.pattern.match(plain, start.start())
                if m:
                    first = at.get(m.start(), -1)
                    if first < 0:
                        continue
                    last = first
                    while last + 1 < len(parse.begins) and parse.begins[last + 1] < m.end():
                        last += 1
                    who = at.get(m.start("who"), -1) if "who" in m.re.groupindex else -1
                    yield Match(
                        phrase.cue,
                        phrase.strength,
                        first,
                        last,
                        who,
                        parse.words(m.start(), m.end()),
                        _is_unsaid(parse, first, last, phrase.denies),
                    )
            first_word = False


def _is_unsaid(parse: Parse, first: int, last: int, denies: bool) -> bool:
    sentence = parse.sentences[parse.tokens[first].sentence]
    before = parse.plain[parse.begins[sentence.first] : parse.begins[first]]
    if _UNSAID.search(before):
        return True
    if denies:
        return False
    return any(t.negated for t in (parse.tokens[first], parse.tokens[last]) if t.pos != "PUNCT")


def _choices(element: str) -> list[str]:
    """Returns the words that an element of a phrase stands for."""
    found: list[str] = []
    for part in element.split("/"):
        if part != part.lower() and part not in CLASSES:
            raise ValueError(f"{part!r} in a phrase; wanted small letters or one of {[*CLASSES]}")
        found += CLASSES.get(part, part).split("/")
    return found


def _regex(elements: list[str]) -> str:
    out = ""
    named = False
    for place, element in enumerate(elements):
        gap = r"\s+" if place else ""
        if element == "...":
            out += r"(?:\s+[\w']+){0,4}?"
            continue
        if element == "*":
            out += gap + r"[\w']+"
            continue
        if element == "$":
            out += r"(?=\s*(?:[.?!\u2026,;-]|$))"
            continue
        optional = element.endswith("?")
        element = element.removesuffix("?")
        choices = "|".join(re.escape(choice).replace("_", r"\s+") for choice in _choices(element))
        group = f"(?:{choices})"
        if element in WHO and not named:
            named = True
            group = f"(?P<who>{choices})"
        glued = choices.startswith("'") or element == "ISN'T"
        gap = r"\s*" if glued and place else gap
        out += f"(?:{gap}{group})?" if optional else gap + group
    return out + r"(?![\w'])"
