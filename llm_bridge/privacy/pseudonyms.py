"""Names and places replaced in all that a model sees, and put back into what it answers.

What stands for a name depends on the name, the conversation and the seed; nothing that is said
later changes it. Within what is shown a name is replaced wherever it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from relgraph.llm_bridge.privacy import Disguise
from relgraph.llm_bridge.privacy._found import Spot, spots
from relgraph.llm_bridge.privacy._names import NOWHERE, Names, names_of
from relgraph.llm_bridge.privacy._words import composed
from relgraph.records import Emotion, Instance, Prediction, Turn, Viewpoint

KEPT = 512
"""Instances whose names are kept in memory."""


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
        said = list(_told(prediction))
        found = spots(map(composed, said))
        more = names.more(said, found, draw=self._draw(instance))

        def text(one: str) -> str:
            return more.text(one, found.get(composed(one), NOWHERE))

        return _said(prediction, names.person, text)

    def reveal(self, prediction: Prediction, instance: Instance) -> Prediction:
        """Returns an answer, or what came in its place, with the real names in it."""
        names, _ = self._names(instance)
        real = {invented: name for name, invented in names.persons.items()}
        return _said(prediction, lambda name: real.get(name, name), names.back)

    def _of(self, instance: Instance) -> tuple[Names, Mapping[str, Spot]]:
        texts = [composed(text) for text in dict.fromkeys(_texts(instance)) if text]
        found = spots(texts)
        roster = instance.conversation.roster
        draw = self._draw(instance)
        return names_of(roster, _people(instance), texts, found, draw=draw), found

    def _draw(self, instance: Instance) -> str:
        return f"{self._seed}\x1f{instance.conversation.id}"


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


def _told(prediction: Prediction) -> Iterator[str]:
    """Yields every text of a prediction."""
    yield from (*prediction.because, prediction.failure, prediction.raw)
    for view in prediction.viewpoints:
        yield from (view.viewpoint, view.attitude)
    if prediction.emotion:
        yield prediction.emotion.phrase
