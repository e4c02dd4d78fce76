"""ER, emotion: what does the speaker of the last turn feel, and how strongly?"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from relgraph.records import Conversation, Gold
from relgraph.tasks._base import Decision, Task, evenly, is_one_client

AT_MOST = 5
LEAST_WORDS = 5
SKIPPED_SHARE = 0.3


def decisions(conversation: Conversation) -> Iterable[Decision]:
    """Client turns of the last 70% with five words or more and the speaker's own emotion."""
    skipped = ceil(SKIPPED_SHARE * len(conversation.turns))
    found = []
    for turn in conversation.turns:
        own = [
            e
            for e in conversation.annotation(turn.index).emotions
            if e.person == turn.speaker and e.intensity is not None and e.phrase
        ]
        long = len(turn.text.split()) >= LEAST_WORDS
        if own and long and is_one_client(conversation, turn) and turn.index > skipped:
            found.append(Decision(turn=turn.index, cut=turn.index, gold=Gold(emotion=own[0])))
    yield from evenly(found, AT_MOST)


TASK = Task(
    name="er",
    title="emotion",
    answer="emotion",
    question="What does the speaker of the last turn feel there, and how strongly (0 to 10)?",
    decisions=decisions,
    shows_turn=True,
)
