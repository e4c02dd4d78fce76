"""What is learnt on the side: gold of turns that are already seen, and what comes next.

A task has few answers a conversation. The other layers of the annotation, and the talk itself,
say more about the same turns: they shape the states, and are not asked for afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relgraph.baselines._channels import Vectors
from relgraph.baselines._names import SOMEONE, names_known, with_names
from relgraph.baselines.gnn.tensors import Encoded
from relgraph.labels import patterns
from relgraph.records import Annotation, Conversation, Turn
from relgraph.tasks.rpp import FIELD

WORD_HEADS = ("feeling", "view", "reason", "next_words")
"""Heads that guess the embedding of a text."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A gold text of a turn, without names, and which head is to guess it, where.

    Attributes:
        head: one of `WORD_HEADS`.
        cut: turns seen.
        speaker: who spoke last.
        text: what is to be guessed.
    """

    head: str
    cut: int
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Guesses:
    """Texts that a head is to guess in one stretch.

    Attributes:
        cut: `[text]`, turns seen.
        slot: `[text]`, the speaker.
        vectors: `[text, dim]`.
    """

    cut: tuple[int, ...]
    slot: tuple[int, ...]
    vectors: NDArray[np.float32]


def phrases_of(conversation: Conversation, seen: Conversation) -> Iterator[Phrase]:
    """Yields the gold texts of the turns that `seen` shows of a conversation."""
    field = FIELD.get(conversation.scenario)
    first = conversation.turns[0].index if conversation.turns else 1
    start = seen.turns[0].index - first if seen.turns else 0
    for cut, (turn, people) in enumerate(names_known(seen), start=1):
        here = conversation.annotation(turn.index)
        names = dict.fromkeys((*people, *conversation.roster), SOMEONE)
        speaker = turn.speaker
        for head, text in _own(here, turn):
            yield Phrase(head, cut, speaker, with_names(text, names))
        position = start + cut
        if not field or position >= len(conversation.gold):
            continue
        # The reason belongs to the pattern of the next turn, which is what is asked at this cut.
        for relation in conversation.gold[position].relations:
            known = relation.label in patterns(conversation.scenario)
            if relation.field == field and known and relation.reason:
                yield Phrase("reason", cut, speaker, with_names(relation.reason, names))


def _own(here: Annotation, turn: Turn) -> Iterator[tuple[str, str]]:
    for emotion in here.emotions[:1]:
        if emotion.person == turn.speaker and emotion.phrase.strip():
            yield "feeling", emotion.phrase
    views = [v.viewpoint for v in here.viewpoints if v.source == turn.speaker]
    if views and views[0].strip():
        yield "view", views[0]


def guesses(
    phrases: Sequence[Phrase], encoded: Encoded, vectors: Vectors, dim: int
) -> Mapping[str, Guesses]:
    """Returns head -> what it is to guess in a stretch, the words of next turns among it."""
    slots = encoded.structure.slots
    found: dict[str, Guesses] = {}
    for head in WORD_HEADS[:-1]:
        own = [p for p in phrases if p.head == head]
        found[head] = Guesses(
            cut=tuple(p.cut for p in own),
            slot=tuple(slots.get(p.speaker, -1) for p in own),
            vectors=np.array([vectors[p.text] for p in own], np.float32).reshape(-1, dim),
        )
    said = encoded.channels.get("text", np.zeros((0, dim), np.float32))
    # A turn without words has a zero vector: there is nothing to guess.
    cuts = [cut for cut in range(1, len(said)) if said[cut].any()]
    found["next_words"] = Guesses(tuple(cuts), (-1,) * len(cuts), said[cuts].reshape(-1, dim))
    return found
