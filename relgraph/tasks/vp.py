"""VP, viewpoints: what does the speaker of the last turn think, and of whom?"""

from __future__ import annotations

from collections.abc import Iterable

from relgraph.records import Conversation, Gold
from relgraph.tasks._base import Decision, Task, evenly, is_one_client

AT_MOST = 5


def decisions(conversation: Conversation) -> Iterable[Decision]:
    """Client turns with at least one viewpoint whose source is the speaker."""
    found = []
    for turn in conversation.turns:
        held = conversation.annotation(turn.index).viewpoints
        if is_one_client(conversation, turn) and any(v.source == turn.speaker for v in held):
            found.append(Decision(turn=turn.index, cut=turn.index, gold=Gold(viewpoints=held)))
    yield from evenly(found, AT_MOST)


TASK = Task(
    name="vp",
    title="viewpoints",
    answer="viewpoints",
    question="Which viewpoints does the speaker of the last turn express, and about whom?",
    decisions=decisions,
    shows_turn=True,
)
