"""Which invented name stands for which name in one instance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from relgraph.llm_bridge.privacy._found import PATTERNS, Spot, patterns
from relgraph.llm_bridge.privacy._invented import digits, first_name, other_name
from relgraph.llm_bridge.privacy._words import (
    FEWEST_LETTERS,
    ROLES,
    RUN,
    WORDS_TOO,
    cased,
    composed,
    is_joined,
    key,
    keys_of,
)

PET_ENDINGS = ("y", "ie", "i", "ey", "ny", "nie", "ji")
NOWHERE = Spot(frozenset(), frozenset())


@dataclass(frozen=True)
class Names:
    """What stands for what in one instance.

    Attributes:
        people: word of a person's name, as `key` gives it -> the invented word.
        others: the same for other names found in the texts.
        written: invented word, as `key` gives it -> the word it stands for, as first written.
        whole: address, number or date as written -> what stands for it.
        persons: name of a person -> what stands for all of it.
        joined: words of names in scripts that write words together; longer ones first.
    """

    people: Mapping[str, str]
    others: Mapping[str, str]
    written: Mapping[str, str]
    whole: Mapping[str, str]
    persons: Mapping[str, str]
    joined: tuple[str, ...]

    def text(self, text: str, spot: Spot = NOWHERE) -> str:
        """Returns a text with all names replaced; `spot` says which of its words are names."""
        said = composed(text)
        out: list[str] = []
        place, small = 0, said.islower()
        for found in PATTERNS.finditer(said):
            out += (self._plain(said, place, found.start(), spot, small), self.whole[found[0]])
            place = found.end()
        out.append(self._plain(said, place, len(said), spot, small))
        return "".join(out)

    def person(self, name: str) -> str:
        """Returns what stands for a person's name; roles and names of everybody stay."""
        return self.persons.get(name, name)

    def back(self, text: str) -> str:
        """Returns a text with the invented names turned into those they stand for."""
        for real, invented in self.whole.items():
            text = text.replace(invented, real)
        found = self.written
        return RUN.sub(lambda m: cased(found.get(key(m[0]), m[0]), m[0]), text)

    def more(self, texts: Iterable[str], found: Mapping[str, Spot], *, draw: str) -> Names:
        """Returns these names and those that only the texts have; `found` says where they are."""
        taken = {*self.written}
        others, whole = dict(self.others), dict(self.whole)
        for text in map(composed, texts):
            for word in _named(text, found[text]):
                if key(word) not in self.people and key(word) not in others:
                    invented = self.people.get(_short_for(key(word), self.people))
                    others[key(word)] = invented or other_name(key(word), taken, draw=draw)
            whole |= {r: _instead(k, r, draw) for k, r in patterns(text) if r not in whole}
        return replace(self, others=others, whole=whole)

    def _plain(self, said: str, begin: int, end: int, spot: Spot, small: bool) -> str:
        """A part of a text without addresses, numbers and dates."""
        out: list[str] = []
        for run in RUN.finditer(said, begin, end):
            out += (said[begin : run.start()], self._word(run[0], run.start(), spot, small))
            begin = run.end()
        out.append(said[begin:end])
        return "".join(out)

    def _word(self, word: str, place: int, spot: Spot, small: bool) -> str:
        of = key(word)
        person = self.people.get(of)
        if person is not None:
            is_word = of in WORDS_TOO and (word.islower() or place in spot.words)
            return word if is_word else cased(person, word)
        other = self.others.get(of)
        if other is not None:
            is_name = place in spot.names or (
                of not in WORDS_TOO and (small or word[0].isupper()) and place not in spot.words
            )
            return cased(other, word) if is_name else word
        for name in self.joined:
            word = word.replace(name, self.people[key(name)])
        return word


def names_of(
    roster: Sequence[str],
    others: Iterable[str],
    texts: Sequence[str],
    found: Mapping[str, Spot],
    *,
    draw: str,
) -> Names:
    """Returns what stands for the names of people and for those in the texts.

    Args:
        roster: known beforehand, or in the order in which people appear.
        others: who else is named as a person.
        texts: in form NFC, in order.
        found: where in them names are.
        draw: conversation and seed: what the invented names are drawn from.
    """
    known = list(dict.fromkeys((*roster, *others)))
    taken = set(chain.from_iterable(map(keys_of, (*known, *texts))))
    people: dict[str, str] = {}
    beside: dict[str, str] = {}
    written: dict[str, str] = {}

    def give(into: dict[str, str], word: str, invented: str) -> None:
        into[key(word)] = invented
        written[key(invented)] = word
        taken.add(key(invented))

    for name in known:
        for word in name_words(name):
            if key(word) not in people and name in roster:
                give(people, word, first_name(len(people), taken, draw=draw))
            elif key(word) not in people:
                give(people, word, other_name(key(word), taken, draw=draw))
    for word in chain.from_iterable(_named(text, found[text]) for text in texts):
        if key(word) in people or key(word) in beside:
            continue
        if full := _short_for(key(word), people):
            beside[key(word)] = people[full]
        else:
            give(beside, word, other_name(key(word), taken, draw=draw))
    whole = {r: _instead(k, r, draw) for text in texts for k, r in patterns(text)}
    joined = sorted((w for n in known for w in name_words(n) if is_joined(w)), key=len)
    persons = _persons(known, people)
    return Names(people, beside, written, whole, persons, tuple(reversed(joined)))


def name_words(name: str) -> Iterator[str]:
    """Yields the words of a person's name that tell who it is."""
    for word in RUN.findall(composed(name)):
        if is_joined(word) or (len(word) >= FEWEST_LETTERS and key(word) not in ROLES):
            yield word


def _named(text: str, spot: Spot) -> Iterator[str]:
    """Yields the words of a text that are names, in order."""
    if spot.names:
        yield from (run[0] for run in RUN.finditer(text) if run.start() in spot.names)


def _short_for(word: str, people: Mapping[str, str]) -> str:
    """Returns whose name a word is a short or pet form of, "" for nobody's."""
    for full in people:
        begun = full.startswith(word) or (
            word.startswith(full) and word[len(full) :] in PET_ENDINGS
        )
        if begun and not is_joined(full):
            return full
    return ""


def _persons(known: Iterable[str], people: Mapping[str, str]) -> dict[str, str]:
    """Returns what stands for each person's name; no two have the same."""
    given: dict[str, str] = {}
    used: set[str] = set()
    for name in known:
        apart = {word: cased(people[key(word)], word) for word in name_words(name)}
        instead = _each(composed(name), apart) if apart else name
        shown, number = instead, 2
        while shown in used:
            shown, number = f"{instead} {number}", number + 1
        used.add(shown)
        given[name] = shown
    return given


def _each(name: str, apart: Mapping[str, str]) -> str:
    return RUN.sub(lambda m: apart.get(m[0], m[0]), name)


def _instead(kind: str, real: str, draw: str) -> str:
    word = other_name(real, (), draw=draw).lower()
    if kind == "url":
        return f"https://example.org/{word}"
    if kind == "mail":
        return f"{word}@example.org"
    if kind == "handle":
        return f"@{word}"
    return digits(real, draw=draw)
