"""STP, support target: whom does the supporter's next turn support?"""

from __future__ import annotations

from collections.abc import Iterable

from relgraph.records import Conversation, Gold
from relgraph.tasks._base import Decision, Task
from relgraph.tasks._support import supported


def decisions(conversation: Conversation) -> Iterable[Decision]:
    """The supporter's turns with a strategy whose target is one person or the group."""
    for turn, _, target in supported(conversation):
        yield Decision(turn=turn.index, cut=turn.index - 1, gold=Gold(label=target))


TASK = Task(
    name="stp",
    title="support target",
    answer="choice",
    question="Whom does the therapist's next turn support?",
    decisions=decisions,
    options=lambda conversation: (*conversation.roster, conversation.group),
    supporter_next=True,
)
