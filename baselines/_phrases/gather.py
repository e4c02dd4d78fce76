"""From training conversations to phrases that can be said of anybody."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from relgraph.baselines._names import names_known, without_names
from relgraph.baselines._phrases.naming import People, people_of, unnamed, words_in
from relgraph.baselines._phrases.neutral import called, neutral
from relgraph.baselines._phrases.records import SPEAKER, TARGET, Felt, Held, Role
from relgraph.baselines._phrases.stance import stance_of
from relgraph.cues.english import seems_english
from relgraph.records import Annotation, Conversation, Turn, Viewpoint

FEWEST_WORDS = 3
"""Shorter turns ("Yeah.") say too little to be anybody's nearest."""

FEWEST_CALLS, LARGEST_DOUBT = 3, 0.2
"""How often somebody must be called `he` or `she`, and the share that may say otherwise."""


@dataclass(frozen=True, slots=True)
class _Told:
    """A client's turn with what is annotated of it."""

    place: tuple[int, int]
    conversation: Conversation
    turn: Turn
    text: str
    gold: Annotation
    people: People


def gather(conversations: Iterable[Conversation]) -> tuple[tuple[Felt, ...], tuple[Held, ...]]:
    """Returns the emotion phrases and viewpoints that the speakers themselves had.

    No name is left in them and no `he` or `she`, so that they may be said of anybody.
    """
    given = tuple(conversations)
    told = tuple(_told(given))
    gender = _genders(given)
    felt = [(t, e.phrase, e.intensity) for t in told for e in t.gold.emotions
            if e.person == t.turn.speaker and e.phrase.strip()]  # fmt: skip
    held = [(t, v) for t in told for v in t.gold.viewpoints
            if v.source == t.turn.speaker and v.viewpoint.strip()]  # fmt: skip
    bare = [_felt_by(t, phrase) for t, phrase, _ in felt]
    views = [_held_by(t, v) for t, v in held]
    met = [_other_is(t, gender) for t, _, _ in felt]
    is_called = [_target_is(t, v, gender) for t, v in held]
    pairs = [(t, (phrase, who)) for (t, _, _), phrase, who in zip(felt, bare, met, strict=True)]
    for (t, _), parts, who in zip(held, views, is_called, strict=True):
        pairs += [(t, (part, who)) for part in parts]
    fit = {pair: pair[0] for _, pair in pairs}
    fit |= neutral(
        (pair for t, pair in pairs if t.people.is_english), target=TARGET, names=(SPEAKER,)
    )
    return (
        tuple(
            Felt(
                text=t.text,
                phrase=fit[own, who],
                intensity=intensity,
                plain=fit[own, who] == phrase,
                relationship=_relationship(t.conversation),
                place=t.place,
            )
            for (t, phrase, intensity), own, who in zip(felt, bare, met, strict=True)
        ),
        tuple(
            Held(
                text=t.text,
                role=role_of(v.target, v.source, t.conversation),
                viewpoint=fit[view, who],
                attitude=fit[attitude, who],
                stance=stance_of(v.attitude, v.viewpoint),
                plain=fit[view, who] == v.viewpoint,
                relationship=_relationship(t.conversation),
                place=t.place,
            )
            for (t, v), (view, attitude), who in zip(held, views, is_called, strict=True)
        ),
    )


def role_of(name: str, speaker: str, conversation: Conversation) -> Role:
    """Returns what `name` is to `speaker`."""
    if name == conversation.supporter:
        return "supporter"
    if name == speaker:
        return "self"
    return "group" if name == conversation.group else "client"


def _told(conversations: Sequence[Conversation]) -> Iterator[_Told]:
    words = words_in(conversations)
    for position, conversation in enumerate(conversations):
        english = seems_english(t.text for t in conversation.turns)
        people = People(people_of(conversation), words if english else None)
        for turn, known in names_known(conversation):
            if turn.speaker == conversation.supporter or len(turn.text.split()) < FEWEST_WORDS:
                continue
            yield _Told(
                place=(position, turn.index),
                conversation=conversation,
                turn=turn,
                text=without_names(turn.text, known),
                gold=conversation.annotation(turn.index),
                people=people,
            )


def _felt_by(told: _Told, phrase: str) -> str:
    """Returns an emotion phrase with placeholders for the speaker and for the other of two."""
    others = [name for name in told.conversation.roster if name != told.turn.speaker]
    places = {told.turn.speaker: SPEAKER} | ({others[0]: TARGET} if len(others) == 1 else {})
    return _placed(told, phrase, places)


def _held_by(told: _Told, view: Viewpoint) -> tuple[str, str]:
    """Returns viewpoint and attitude with placeholders for those meant."""
    places = {view.target: TARGET, view.source: SPEAKER}
    return _placed(told, view.viewpoint, places), _placed(told, view.attitude, places)


def _other_is(told: _Told, gender: Mapping[tuple[str, str], str]) -> str:
    """Returns how the other of two is called, "" unless the speaker is called otherwise."""
    others = [name for name in told.conversation.roster if name != told.turn.speaker]
    if len(others) != 1:
        return ""
    where = _relationship(told.conversation)
    own, other = (gender.get((where, name), "") for name in (told.turn.speaker, others[0]))
    return other if own and own != other else ""


def _target_is(told: _Told, view: Viewpoint, gender: Mapping[tuple[str, str], str]) -> str:
    """Returns how the target of a viewpoint is called there, "" where that is not clear.

    It is where nobody else can be meant: the speaker is called otherwise, or the viewpoint
    begins with it.
    """
    if view.target not in told.people.names:
        return ""
    where = _relationship(told.conversation)
    own, target = (gender.get((where, name), "") for name in (view.source, view.target))
    if target and own and own != target:
        return target
    begun = called(view.viewpoint)
    return begun if begun == target or (not target and begun != own) else ""


def _placed(told: _Told, text: str, places: Mapping[str, str]) -> str:
    """Returns the text without names; `the family` and `the therapist` are words, not names."""
    people = told.people
    return unnamed(text, people, {n: p for n, p in places.items() if n in people.names})


def _genders(conversations: Iterable[Conversation]) -> dict[tuple[str, str], str]:
    """Returns how people are called in the viewpoints about them, where these agree.

    It only tells who of two is meant in a training phrase: an answer has neither `he` nor `she`.
    """
    calls: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for conversation in conversations:
        for gold in conversation.gold:
            for view in gold.viewpoints:
                if word := called(view.viewpoint):
                    calls[_relationship(conversation), view.target][word] += 1
    found = {}
    for person, counts in calls.items():
        (word, count), total = counts.most_common(1)[0], counts.total()
        if total >= FEWEST_CALLS and count >= (1 - LARGEST_DOUBT) * total:
            found[person] = word
    return found


def _relationship(conversation: Conversation) -> str:
    return conversation.relationship or conversation.id
