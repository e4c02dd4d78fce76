"""RPP, relation pattern: which interaction pattern holds at a turn, seen from before it."""

from __future__ import annotations

from collections.abc import Iterable

from relgraph.labels import PATTERNS, SCORED_FIELD, patterns
from relgraph.records import Conversation, Gold
from relgraph.tasks._base import Decision, Task

FIELD = SCORED_FIELD


def decisions(conversation: Conversation) -> Iterable[Decision]:
    """Turns whose label is in the scenario's set; an empty or missing label is no instance."""
    field, known = FIELD.get(conversation.scenario), patterns(conversation.scenario)
    if field is None:
        return
    for turn in conversation.turns:
        label = conversation.annotation(turn.index).relation(field)
        if label in known:
            yield Decision(turn=turn.index, cut=turn.index - 1, gold=Gold(label=label))


TASK = Task(
    name="rpp",
    title="relation pattern",
    answer="choice",
    question="Which interaction pattern holds between these people at the next turn?",
    decisions=decisions,
    options=lambda conversation: patterns(conversation.scenario),
    definitions=lambda scenario: dict(PATTERNS.get(scenario, {})),
    paper_context_turns=-1,
)
