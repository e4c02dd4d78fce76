"""ITP, intervention timing: does the supporter take the floor now?"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from relgraph.labels import NO, YES
from relgraph.records import Conversation, Gold
from relgraph.tasks._base import Decision, Task, evenly, is_client


def decisions(conversation: Conversation) -> Iterable[Decision]:
    """Boundaries after a client turn: `yes` before the supporter, `no` before another client turn.

    The larger class is thinned evenly inside the conversation until both are equal.
    """
    turns = conversation.turns
    after: dict[str, list[int]] = {YES: [], NO: []}
    for here, following in itertools.pairwise(turns):
        if is_client(conversation, here):
            after[NO if is_client(conversation, following) else YES].append(here.index)
    size = min(len(after[YES]), len(after[NO]))
    kept = [(i, label) for label, places in after.items() for i in evenly(places, size)]
    for index, label in sorted(kept):
        entry = label == YES
        yield Decision(
            turn=index,
            cut=index,
            gold=Gold(label=label),
            hints={
                "candidate_type": "actual_therapist_entry" if entry else "continue_listening",
                "boundary_type": "client_to_therapist" if entry else "client_to_client",
                "candidate_id": f"{'pos' if entry else 'neg'}_{index}",
            },
        )


TASK = Task(
    name="itp",
    title="intervention timing",
    answer="choice",
    question="Should the therapist speak next, rather than go on listening?",
    decisions=decisions,
    options=lambda _: (YES, NO),
    definitions=lambda _: {
        YES: "the therapist takes the floor now",
        NO: "a client goes on and the therapist listens",
    },
)
