"""SSP, support strategy: how does the supporter's next turn support its target?"""

from __future__ import annotations

from collections.abc import Iterable

from relgraph.labels import STRATEGIES, strategies
from relgraph.records import Conversation, Gold
from relgraph.tasks._base import Decision, Task
from relgraph.tasks._support import supported


def decisions(conversation: Conversation) -> Iterable[Decision]:
    """The supporter's turns whose first strategy is in the scenario's set; the target is given."""
    known = strategies(conversation.scenario)
    for turn, strategy, target in supported(conversation):
        if strategy.type in known:
            yield Decision(
                turn=turn.index,
                cut=turn.index - 1,
                gold=Gold(label=strategy.type),
                target=target,
            )


TASK = Task(
    name="ssp",
    title="support strategy",
    answer="choice",
    question="Which support strategy does the therapist's next turn use?",
    decisions=decisions,
    options=lambda conversation: strategies(conversation.scenario),
    definitions=lambda scenario: dict(STRATEGIES.get(scenario, {})),
    supporter_next=True,
)
