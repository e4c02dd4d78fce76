"""Rules that a clinician can read, and proofs that a reviewer can check."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from relgraph.reasoning.engine import Reasoning, evaluate
from relgraph.reasoning.explain import Proof, because, prove
from relgraph.reasoning.facts import facts_of
from relgraph.reasoning.records import Atom, Checked, Fact, Firing
from relgraph.reasoning.ruleset import RuleSet

if TYPE_CHECKING:
    from relgraph.cues.records import Cue
    from relgraph.cues.roles import RoleSign
    from relgraph.records import Conversation

__all__ = [
    "Atom",
    "Checked",
    "Fact",
    "Firing",
    "Proof",
    "Reasoning",
    "RuleSet",
    "because",
    "evaluate",
    "facts_of",
    "prove",
    "reason",
]


def reason(
    conversation: Conversation,
    rules: RuleSet | None = None,
    *,
    cues: Iterable[Cue] | None = None,
    roles: Iterable[RoleSign] | None = None,
) -> Reasoning:
    """Returns what follows from a conversation by the rules that apply in its scenario.

    Args:
        conversation: the turns that may be seen; gold is not read.
        rules: None for all shipped packs.
        cues: None to find them, which needs the English pipeline of spaCy.
        roles: who is a parent or a child; None to infer it.

    Raises:
        MissingPackageError: the English pipeline is not installed, and no cues are given.
        UnknownNameError: a cue is not in the codebook.
    """
    if cues is None:
        from relgraph.cues import find_cues

        cues = find_cues(conversation)
    if roles is None:
        from relgraph.cues import infer_roles

        roles = infer_roles(conversation)
    chosen = (RuleSet.read() if rules is None else rules).for_scenario(conversation.scenario)
    times = None
    if conversation.timing == "recorded":
        times = {turn.index: (turn.start_s, turn.end_s) for turn in conversation.turns}
    return evaluate(
        chosen,
        facts_of(conversation, cues, roles=roles),
        last_turn=conversation.turns[-1].index if conversation.turns else 0,
        times=times,
    )
