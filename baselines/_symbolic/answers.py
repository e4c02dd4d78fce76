"""From what the rules said to answers, without any learning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from relgraph.baselines._symbolic import phrases
from relgraph.baselines._symbolic.firings import Said, Stand, left, speaks_for
from relgraph.labels import NO, YES
from relgraph.reasoning.explain import because
from relgraph.reasoning.records import Atom
from relgraph.records import Emotion, Instance, Prediction, Viewpoint

HALF_LIFE = {"rpp": 8.0, "ssp": 3.0, "stp": 2.0, "itp": 1.0}
"""Turns after which what a rule said counts half: a pattern outlasts a need, a need the moment."""

FLOOR = 0.02
"""What every option has without any rule: unlikely, not impossible."""

ORDER = {"itp": (NO, YES)}
"""Without a reason to take the floor, a supporter listens."""

SHOWN = 3
LINES = 12
"""At most so many conclusions, and so many lines of their proofs, stand in `because`."""


def rank(stand: Stand, instance: Instance) -> Prediction:
    """Returns the options by the noisy-or of what the rules said for them, faded since.

    Equal options keep the order of the label set (of people: the roster, then the group); ITP's
    `no` stands before `yes`. Probabilities are the shares of the scores.
    """
    cut = _cut(instance)
    said: dict[str, list[Said]] = {option: [] for option in instance.options}
    for one in stand.known(instance.task, cut):
        option = speaks_for(one, instance)
        if option:
            said[option].append(one)
    half_life = HALF_LIFE[instance.task]
    scores = {o: left(own, cut=cut, half_life=half_life) + FLOOR for o, own in said.items()}
    ranking = ranked(instance, scores)
    total = sum(scores.values())
    best = ranking[0]
    return Prediction(
        instance.id,
        ranking=ranking,
        probabilities=tuple(scores[o] / total for o in ranking),
        because=proofs(stand, _strongest(said[best], cut, half_life))
        or (f"no rule speaks for any answer by turn {cut}: the first of the fixed order",),
    )


def ranked(instance: Instance, scores: Mapping[str, float]) -> tuple[str, ...]:
    """Returns the options by score, equal ones in the documented order."""
    order = ORDER.get(instance.task, instance.options)
    return tuple(sorted(order, key=lambda option: -scores[option]))


def feel(stand: Stand, instance: Instance, intensity: float, *, by: str) -> Prediction:
    """Returns the speaker's feeling in the last turn, in a phrase made of its cues.

    Args:
        stand: what was found along the conversation.
        instance: of ER.
        intensity: in [0, 10].
        by: what gave the intensity.
    """
    turns = instance.conversation.turns
    if not turns:
        return Prediction(instance.id, failure="rules: no turn to read a feeling from")
    turn = turns[-1]
    phrase, cues = phrases.feeling(stand, turn.index, turn.speaker)
    why = phrases.quoted(cues) or (f"turn {turn.index} shows no cue of a feeling: {phrase}",)
    return Prediction(
        instance.id,
        emotion=Emotion(turn.speaker, phrase, intensity),
        because=(*why, f"intensity {intensity:.1f} {by}"),
    )


def view(stand: Stand, instance: Instance) -> Prediction:
    """Returns the views that the last turn's speaker voices, in the readings of the rules."""
    turns = instance.conversation.turns
    if not turns:
        return Prediction(instance.id, failure="rules: no turn to read a view from")
    turn = turns[-1]
    found = phrases.views(stand, instance)
    if found:
        strongest = [said for _, said in found]
        return Prediction(
            instance.id,
            viewpoints=tuple(_with_topic(v, stand, turn.index, turn.speaker) for v, _ in found),
            because=proofs(stand, strongest),
        )
    target = phrases.spoken_of(instance)
    about = phrases.topic(stand, turn.index, turn.speaker)
    text = f"{turn.speaker} has something to say about {target}" + (f" and {about}" * bool(about))
    return Prediction(
        instance.id,
        viewpoints=(Viewpoint(turn.speaker, target, text),),
        because=(f"no rule concludes a view in turn {turn.index}: whom it is said to",),
    )


def proofs(stand: Stand, said: Iterable[Said]) -> tuple[str, ...]:
    """Returns the proofs of some conclusions, in a few lines."""
    lines: list[str] = []
    for fact in dict.fromkeys(s.fact for s in said):
        lines += because(stand.reasoning, fact)
    if len(lines) > LINES:
        lines = [*lines[:LINES], f"... {len(lines) - LINES} lines more: relgraph explain"]
    return tuple(lines)


def _strongest(said: Iterable[Said], cut: int, half_life: float) -> list[Said]:
    """Returns the firings that count most, one a conclusion."""
    found: dict[Atom, Said] = {}
    for one in sorted(said, key=lambda s: -left([s], cut=cut, half_life=half_life)):
        found.setdefault(one.fact.atom, one)
    return list(found.values())[:SHOWN]


def _with_topic(view: Viewpoint, stand: Stand, turn: int, speaker: str) -> Viewpoint:
    about = phrases.topic(stand, turn, speaker)
    if not about or about in view.viewpoint:
        return view
    return Viewpoint(view.source, view.target, f"{view.viewpoint} ({about})")


def _cut(instance: Instance) -> int:
    turns = instance.conversation.turns
    return turns[-1].index if turns else 0
