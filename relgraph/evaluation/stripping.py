"""What is taken from the descriptions of tone and behaviour, to see what their worth rests on.

The annotators who described how something was said also wrote the labels. Where descriptions help,
it may be what was there to see and hear, or what the annotator thought of it. Two transforms tell:
one leaves words for what can be seen and heard, one keeps a person's descriptions and loses the
moment they belong to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from random import Random
from types import MappingProxyType

from relgraph.evaluation._physical import WORD, count_words, physical
from relgraph.records import NONVERBAL_KINDS, Conversation, Nonverbal, Turn

Transform = Callable[[Conversation, int], Conversation]
"""A conversation and a seed give another conversation; the one given stays as it is."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a transform did to the descriptions of conversations.

    Attributes:
        words: in all descriptions before.
        words_removed: how many of them are gone.
        descriptions: before, tones and behaviours.
        descriptions_removed: how many of them are gone.
        descriptions_changed: of what there is afterwards, how many stand in a turn that did not
            have just that one before: they were rewritten, or moved.
        digest: of all descriptions afterwards and where they stand.
    """

    words: int
    words_removed: int
    descriptions: int
    descriptions_removed: int
    descriptions_changed: int
    digest: str


def physical_words_only(conversation: Conversation, seed: int = 0) -> Conversation:
    """Returns the conversation without words of feeling and judgement in its descriptions.

    A description of which nothing is left is dropped. What is said, and gold, stay as they are.
    `seed` is not used: nothing is drawn.
    """
    del seed
    clean = partial(physical, names=_names(conversation))

    def turn(t: Turn) -> Turn:
        kept = (replace(n, description=clean(n.description)) for n in t.nonverbal)
        behaviour = tuple(n for n in kept if n.description)
        return replace(t, tone=clean(t.tone), nonverbal=behaviour)

    return replace(conversation, turns=tuple(map(turn, conversation.turns)))


def shuffled_within_speaker(conversation: Conversation, seed: int) -> Conversation:
    """Returns the conversation with every person's descriptions at other turns of the same kind.

    The tone and the speaker's own behaviour move together, from turn to turn of that speaker. What
    a person does while others speak moves, as a whole, among the turns of others. Turns without a
    description take part. So it stays who is how, and how often, and it is lost when.

    Descriptions of later turns come to stand at earlier ones: whatever reads the result has seen
    the future, and how well it does is not to be reported as a performance.

    Args:
        conversation: any; what is said, and gold, stay as they are.
        seed: with the conversation's id and the person it decides on the order.
    """
    turns = conversation.turns
    tones = [t.tone for t in turns]
    behaviour: list[dict[str, tuple[Nonverbal, ...]]] = [{} for _ in turns]
    people = _people(turns)
    for person in people:
        for speaks in (True, False):
            places = [k for k, t in enumerate(turns) if (t.speaker == person) == speaks]
            draw = Random(f"{seed}|{conversation.id}|{person}|{speaks}")
            for to, source in zip(places, draw.sample(places, len(places)), strict=True):
                behaviour[to][person] = _of(turns[source], person)
                if speaks:
                    tones[to] = turns[source].tone
    # the order within a turn is one for all, so that it tells nothing of where they come from
    moved = (
        tuple(n for kind in NONVERBAL_KINDS for p in people for n in of[p] if n.kind == kind)
        for of in behaviour
    )
    changed = (
        replace(t, tone=tone, nonverbal=nonverbal)
        for t, tone, nonverbal in zip(turns, tones, moved, strict=True)
    )
    return replace(conversation, turns=tuple(changed))


TRANSFORMS: Mapping[str, Transform] = MappingProxyType(
    {"physical": physical_words_only, "shuffled": shuffled_within_speaker}
)


def change(before: Sequence[Conversation], after: Sequence[Conversation]) -> Change:
    """Returns what became of the descriptions of `before`, conversation by conversation."""
    words = [sum(map(count_words, _texts(of))) for of in (before, after)]
    counts = [sum(1 for _ in _texts(of)) for of in (before, after)]
    turns = ((t for c in of for t in c.turns) for of in (before, after))
    changed = sum(
        text not in set(_described(old))
        for old, new in zip(*turns, strict=True)
        for text in _described(new)
    )
    digest = sha256()
    for c in after:
        for t in c.turns:
            digest.update(repr((c.id, t.index, t.tone, t.nonverbal)).encode())
    return Change(
        words=words[0],
        words_removed=words[0] - words[1],
        descriptions=counts[0],
        descriptions_removed=counts[0] - counts[1],
        descriptions_changed=changed,
        digest=digest.hexdigest()[:16],
    )


def _of(turn: Turn, person: str) -> tuple[Nonverbal, ...]:
    return tuple(n for n in turn.nonverbal if n.person == person)


def _people(turns: Iterable[Turn]) -> tuple[str, ...]:
    """Returns who speaks or is described, in the order in which they come."""
    named = (p for t in turns for p in (t.speaker, *(n.person for n in t.nonverbal)))
    return tuple(dict.fromkeys(named))


def _names(conversation: Conversation) -> frozenset[str]:
    """Returns the words of people's names, in small letters."""
    people = (*conversation.participants, *_people(conversation.turns))
    return frozenset(m.group().casefold() for p in people for m in WORD.finditer(p))


def _described(turn: Turn) -> Iterator[str]:
    return (text for text in (turn.tone, *(n.description for n in turn.nonverbal)) if text)


def _texts(conversations: Iterable[Conversation]) -> Iterator[str]:
    return (text for c in conversations for t in c.turns for text in _described(t))
