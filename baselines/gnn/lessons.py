"""What is learnt where: the gold of the stretches that instances lie along, as arrays.

Training reads the tasks' own cases; denser signs of the same turns (who speaks next, the kind of
utterance, every boundary) are learnt on the side, as are texts (`hints.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from relgraph import registry
from relgraph.baselines._channels import Vectors
from relgraph.baselines._findings import RuleReader
from relgraph.baselines._stretches import stretches
from relgraph.baselines._structure import SUPPORTER
from relgraph.baselines.gnn.hints import Guesses, guesses, phrases_of
from relgraph.baselines.gnn.tensors import Encoded, encode
from relgraph.labels import UTTERANCE_TYPES, YES, patterns, strategies
from relgraph.records import Annotation, Case, Conversation, View
from relgraph.tasks.rpp import FIELD

TASKS = ("er", "itp", "rpp", "ssp", "stp", "vp")
HEADS = (
    "pattern", "strategy", "target", "time", "about", "intensity",
    "utterance", "next", "pattern_now", "strategy_now",
)  # fmt: skip
"""What is trained: one head a task (ER: intensity, VP: about), and four auxiliary ones."""


@dataclass(slots=True)
class Answers:
    """What one head is to say in one stretch: parallel lists, one entry a place.

    Attributes:
        cut: turns seen.
        slot: whom it is about, -1 for nobody.
        label: class, slot or value.
        also: VP: further slots, beside `label`.
        weight: how much it counts.
    """

    cut: list[int] = field(default_factory=list)
    slot: list[int] = field(default_factory=list)
    label: list[float] = field(default_factory=list)
    also: list[tuple[int, ...]] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)

    def add(
        self,
        cut: int,
        label: float,
        *,
        slot: int = -1,
        also: tuple[int, ...] = (),
        weight: float = 1.0,
    ) -> None:
        """Adds one place."""
        self.cut.append(cut)
        self.slot.append(slot)
        self.label.append(label)
        self.also.append(also)
        self.weight.append(weight)

    def __len__(self) -> int:
        return len(self.cut)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One stretch as arrays, and what each head is to say there."""

    encoded: Encoded
    scenario: str
    answers: dict[str, Answers]
    words: Mapping[str, Guesses] = field(default_factory=dict)

    def labels(self, head: str) -> NDArray[np.int64]:
        """Returns the classes that `head` is to say here."""
        return np.asarray(self.answers[head].label, np.int64)


def cases_of(conversation: Conversation, view: View) -> Iterator[Case]:
    """Yields the cases of all six tasks in one conversation."""
    for name in TASKS:
        yield from registry.load("task", name).cases(conversation, view)


def seen_in(conversations: Sequence[Conversation], view: View) -> list[Conversation]:
    """Returns what the view shows of the conversations, as far as their cases reach."""
    return [
        stretch.conversation
        for conversation in conversations
        for stretch in stretches([c.instance for c in cases_of(conversation, view)])
    ]


def texts_in(conversations: Sequence[Conversation], view: View) -> list[str]:
    """Returns every gold text of the conversations that a head is to guess."""
    return [
        phrase.text
        for conversation in conversations
        for stretch in stretches([c.instance for c in cases_of(conversation, view)])
        for phrase in phrases_of(conversation, stretch.conversation)
    ]


def lessons(
    conversation: Conversation,
    view: View,
    vectors: Vectors,
    dim: int,
    *,
    reader: RuleReader | None = None,
) -> list[Lesson]:
    """Returns what is to be learnt from one conversation with gold; empty without any case."""
    cases = list(cases_of(conversation, view))
    found = []
    for stretch in stretches([case.instance for case in cases]):
        encoded = encode(stretch.conversation, vectors, dim, reader=reader)
        answers = {head: Answers() for head in HEADS}
        for position in stretch.instances:
            _ask(answers, cases[position], encoded)
        _watch(answers, conversation, stretch.conversation, encoded, whole=view.context_turns < 0)
        phrases = list(phrases_of(conversation, stretch.conversation))
        words = guesses(phrases, encoded, vectors, dim)
        found.append(Lesson(encoded, conversation.scenario, answers, words))
    return found


def _ask(answers: dict[str, Answers], case: Case, encoded: Encoded) -> None:
    instance, gold = case.instance, case.gold
    seen, slots = instance.conversation, encoded.structure.slots
    cut = len(seen.turns)
    known = encoded.structure.present[:, cut]
    if instance.task == "rpp" and gold.label in patterns(seen.scenario):
        answers["pattern"].add(cut, patterns(seen.scenario).index(gold.label))
    elif instance.task == "ssp" and gold.label in strategies(seen.scenario):
        slot = encoded.structure.slot_at(instance.target, cut)
        answers["strategy"].add(cut, strategies(seen.scenario).index(gold.label), slot=slot)
    elif instance.task == "stp" and gold.label in slots and known[slots[gold.label]]:
        answers["target"].add(cut, slots[gold.label])
    elif instance.task == "itp":
        answers["time"].add(cut, gold.label == YES)
    elif instance.task == "vp":
        speaker = seen.turns[-1].speaker
        about = (slots.get(v.target, -1) for v in gold.viewpoints if v.source == speaker)
        named = tuple(dict.fromkeys(s for s in about if s >= 0 and known[s]))
        if named:
            answers["about"].add(cut, named[0], slot=slots[speaker], also=named[1:])


def _watch(
    answers: dict[str, Answers],
    conversation: Conversation,
    seen: Conversation,
    encoded: Encoded,
    *,
    whole: bool,
) -> None:
    """Adds what can be learnt beside the tasks' own cases: at every turn of a whole prefix."""
    slots, present = encoded.structure.slots, encoded.structure.present
    cuts = range(1, len(seen.turns) + 1) if whole else [len(seen.turns)] if seen.turns else []
    boundaries = Answers()
    for cut in cuts:
        turn = seen.turns[cut - 1]
        gold = conversation.annotation(turn.index)
        _notice(answers, conversation.scenario, gold, cut, turn.speaker, slots)
        following = turn.index - conversation.turns[0].index + 1
        if following >= len(conversation.turns):
            continue
        speaker = slots.get(conversation.turns[following].speaker, -1)
        if speaker >= 0 and present[speaker, cut]:
            answers["next"].add(cut, speaker)
        if turn.speaker != conversation.supporter:
            boundaries.add(cut, speaker == SUPPORTER)
    if whole and boundaries.cut:
        answers["time"] = _balanced(boundaries)


def _notice(
    answers: dict[str, Answers],
    scenario: str,
    gold: Annotation,
    cut: int,
    speaker: str,
    slots: dict[str, int],
) -> None:
    if gold.utterance_type in UTTERANCE_TYPES:
        answers["utterance"].add(cut, UTTERANCE_TYPES.index(gold.utterance_type))
    for emotion in gold.emotions[:1]:
        if emotion.person == speaker and emotion.intensity is not None:
            answers["intensity"].add(cut, emotion.intensity, slot=slots[speaker])
    for strategy in gold.strategies[:1]:
        if strategy.type in strategies(scenario):
            answers["strategy_now"].add(cut, strategies(scenario).index(strategy.type))
    field = FIELD.get(scenario)
    label = gold.relation(field) if field else None
    if label and label in patterns(scenario):
        answers["pattern_now"].add(cut, patterns(scenario).index(label))


def _balanced(boundaries: Answers) -> Answers:
    """Returns the boundaries with yes and no weighing the same, as in the task's balanced cases."""
    total = len(boundaries)
    positive = sum(boundaries.label)
    if positive in (0, total):
        return Answers()
    weight = {1: total / (2 * positive), 0: total / (2 * (total - positive))}
    boundaries.weight = [weight[int(label)] for label in boundaries.label]
    return boundaries
