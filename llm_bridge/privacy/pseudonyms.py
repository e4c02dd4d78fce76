"""Names and places replaced in all that a model sees, and put back into what it answers.

What stands for a name depends on the name, the conversation and the seed; nothing that is said
later changes it. Within what is shown a name is replaced wherever it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain

from relgraph.llm_bridge.privacy import Disguise
from relgraph.llm_bridge.privacy._found import PATTERNS, Spot, patterns, spots
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
from relgraph.records import (
    GROUPS,
    SUPPORTER,
    Conversation,
    Emotion,
    Instance,
    Prediction,
    Turn,
    Viewpoint,
)

KEPT = 512
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
    persons: Mapping[str, str] = field(default_factory=dict)
    joined: tuple[str, ...] = ()

    def text(self, text: str, spot: Spot = NOWHERE) -> str:
        """Returns a text with all names replaced; `spot` says which of its words are names."""
        said = composed(text)
        out: list[str] = []
        place, small = 0, said.islower()
        for found in PATTERNS.finditer(said):
            out += (self._words(said, place, found.start(), spot, small), self.whole[found[0]])
            place = found.end()
        out.append(self._words(said, place, len(said), spot, small))
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

    def _words(self, said: str, begin: int, end: int, spot: Spot, small: bool) -> str:
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


class Pseudonyms(Disguise):
    """Replaces names of people and places, addresses, long numbers and dates.

    Args:
        seed: of the draw of invented names.
    """

    def __init__(self, *, seed: int = 0) -> None:
        self._seed = seed
        # Kept by instance: a prompt and its answer, and all approaches, meet the same one.
        self._names = lru_cache(maxsize=KEPT)(self._of)

    def instance(self, instance: Instance) -> Instance:
        """Returns the instance with all names replaced in all that a prompt may show."""
        names, found = self._names(instance)
        of = instance.conversation

        def text(said: str) -> str:
            return names.text(said, found.get(composed(said), NOWHERE)) if said else said

        seen = replace(
            of,
            turns=tuple(_turn(t, names.person, text) for t in of.turns),
            participants=tuple(map(names.person, of.participants)),
            supporter=names.person(of.supporter),
        )
        return replace(
            instance,
            conversation=seen,
            options=tuple(map(names.person, instance.options)),
            target=names.person(instance.target),
            next_speaker=names.person(instance.next_speaker),
            hints={field: text(said) for field, said in instance.hints.items()},
        )

    def finding(self, prediction: Prediction, instance: Instance) -> Prediction:
        """Returns a finding with the names in it replaced as in the instance."""
        names, _ = self._names(instance)
        said = [*prediction.because, prediction.raw, *(v.viewpoint for v in prediction.viewpoints)]
        said += [v.attitude for v in prediction.viewpoints]
        said += [prediction.emotion.phrase] if prediction.emotion else []
        found = spots(composed(s) for s in said if s)
        more = self._more(names, said, found, instance)

        def text(one: str) -> str:
            return more.text(one, found.get(composed(one), NOWHERE))

        return _said(prediction, names.person, text)

    def reveal(self, prediction: Prediction, instance: Instance) -> Prediction:
        """Returns an answer, or what came in its place, with the real names in it."""
        names, _ = self._names(instance)
        real = {invented: name for name, invented in reversed(names.persons.items())}
        return _said(prediction, lambda name: real.get(name, name), names.back)

    def _of(self, instance: Instance) -> tuple[Names, Mapping[str, Spot]]:
        conversation = instance.conversation
        texts = [composed(text) for text in dict.fromkeys(_texts(instance)) if text]
        return self._drawn(instance, texts, found := spots(texts), conversation), found

    def _drawn(
        self,
        instance: Instance,
        texts: list[str],
        found: Mapping[str, Spot],
        conversation: Conversation,
    ) -> Names:
        draw = f"{self._seed}\x1f{conversation.id}"
        known = list(dict.fromkeys((*conversation.roster, *_people(instance))))
        taken = set(chain.from_iterable(map(keys_of, (*known, *texts))))
        people: dict[str, str] = {}
        written: dict[str, str] = {}

        def give(into: dict[str, str], word: str, invented: str) -> None:
            into[key(word)] = invented
            written[key(invented)] = word
            taken.add(key(invented))

        in_roster = frozenset(conversation.roster)
        for name in known:
            for word in _words(name):
                if key(word) in people:
                    continue
                drawn = (
                    first_name(len(people), taken, draw=draw)
                    if name in in_roster
                    else other_name(key(word), taken, draw=draw)
                )
                give(people, word, drawn)
        others: dict[str, str] = {}
        for word in _named(texts, found):
            if key(word) in people or key(word) in others:
                continue
            full = _short_for(key(word), people)
            if full:
                others[key(word)] = people[full]
            else:
                give(others, word, other_name(key(word), taken, draw=draw))
        whole = {r: _instead(k, r, draw) for text in texts for k, r in patterns(text)}
        joined = sorted((w for n in known for w in _words(n) if is_joined(w)), key=len)
        persons = _persons(known, people)
        return Names(people, others, written, whole, persons, tuple(reversed(joined)))

    def _more(
        self, names: Names, said: Iterable[str], found: Mapping[str, Spot], instance: Instance
    ) -> Names:
        """The names with those added that only a finding holds."""
        draw = f"{self._seed}\x1f{instance.conversation.id}"
        texts = [composed(text) for text in said if text]
        taken = {*names.written}
        others, whole = dict(names.others), dict(names.whole)
        for word in _named(texts, found):
            if key(word) not in names.people and key(word) not in others:
                full = _short_for(key(word), names.people)
                others[key(word)] = (
                    names.people[full] if full else other_name(key(word), taken, draw=draw)
                )
        for text in texts:
            whole |= {r: _instead(k, r, draw) for k, r in patterns(text) if r not in whole}
        return replace(names, others=others, whole=whole)


def _turn(turn: Turn, person: Callable[[str], str], text: Callable[[str], str]) -> Turn:
    return replace(
        turn,
        speaker=person(turn.speaker),
        addressees=tuple(map(person, turn.addressees)),
        text=text(turn.text),
        background=tuple(
            replace(
                b,
                speaker=person(b.speaker),
                addressees=tuple(map(person, b.addressees)),
                text=text(b.text),
            )
            for b in turn.background
        ),
        tone=text(turn.tone),
        nonverbal=tuple(
            replace(
                n,
                person=person(n.person),
                addressees=tuple(map(person, n.addressees)),
                description=text(n.description),
            )
            for n in turn.nonverbal
        ),
        extra={},
    )


def _said(
    prediction: Prediction, person: Callable[[str], str], text: Callable[[str], str]
) -> Prediction:
    felt = prediction.emotion
    return replace(
        prediction,
        ranking=tuple(map(person, prediction.ranking)),
        emotion=felt and Emotion(person(felt.person), text(felt.phrase), felt.intensity),
        viewpoints=tuple(
            Viewpoint(person(v.source), person(v.target), text(v.viewpoint), text(v.attitude))
            for v in prediction.viewpoints
        ),
        because=tuple(map(text, prediction.because)),
        failure=text(prediction.failure),
        raw=text(prediction.raw),
    )


def _people(instance: Instance) -> Iterator[str]:
    """Yields everybody who is named as a person, in the order of the turns."""
    of = instance.conversation
    yield from (*of.participants, of.supporter)
    for turn in of.turns:
        yield from (turn.speaker, *turn.addressees)
        for behind in turn.background:
            yield from (behind.speaker, *behind.addressees)
        for seen in turn.nonverbal:
            yield from (seen.person, *seen.addressees)
    yield from (instance.target, instance.next_speaker)


def _texts(instance: Instance) -> Iterator[str]:
    """Yields every text of an instance, in the order of the turns."""
    for turn in instance.conversation.turns:
        yield turn.text
        yield turn.tone
        yield from (behind.text for behind in turn.background)
        yield from (seen.description for seen in turn.nonverbal)
    yield from instance.hints.values()


def _words(name: str) -> Iterator[str]:
    """Yields the words of a person's name that tell who it is."""
    if name in GROUPS or name == SUPPORTER:
        return
    for word in RUN.findall(composed(name)):
        if is_joined(word) or (len(word) >= FEWEST_LETTERS and key(word) not in ROLES):
            yield word


def _named(texts: Iterable[str], found: Mapping[str, Spot]) -> Iterator[str]:
    """Yields the words of texts that are names, in order."""
    for text in texts:
        places = found[text].names
        if places:
            yield from (run[0] for run in RUN.finditer(text) if run.start() in places)


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
        apart = set(_words(name))
        instead = shown = RUN.sub(
            lambda m, apart=apart: cased(people[key(m[0])], m[0]) if m[0] in apart else m[0],
            composed(name) if apart else name,
        )
        number = 2
        while shown in used:
            shown, number = f"{instead} {number}", number + 1
        used.add(shown)
        given[name] = shown
    return given


def _instead(kind: str, real: str, draw: str) -> str:
    word = other_name(real, (), draw=draw).lower()
    if kind == "url":
        return f"https://example.org/{word}"
    if kind == "mail":
        return f"{word}@example.org"
    if kind == "handle":
        return f"@{word}"
    return digits(real, draw=draw)
