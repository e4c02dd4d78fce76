"""The label sets of the taxonomy, each label with what it means, in a fixed order.

The labels are those of RESCUE-Bench (arXiv 2609.09657); the definitions are in our words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

COUPLE_PATTERNS: Mapping[str, str] = {
    "pursue_withdraw": "one presses for contact or answers while the other avoids or shuts down",
    "attack_attack": "both blame, criticise and counterattack",
    "withdraw_withdraw": "both disengage, go silent or flat",
    "repair_softening": "a negative cycle begins to loosen (openness, apology, validation), "
    "still fragile",
    "constructive_alignment": "a stable shared stance on the problem",
    "mixed_transition": "two strong patterns at once or a visible pivot between them",
}

FAMILY_PATTERNS: Mapping[str, str] = {
    "escalation_conflict": "open conflict among several members",
    "pursue_withdraw": "one presses for contact or answers while another avoids or shuts down",
    "mutual_disengagement": "key members withdraw together",
    "cross_generational_coalition": "members of two generations ally against or around another",
    "boundary_hierarchy_strain": "unclear roles, role reversal, or a child drawn into adult "
    "conflict",
    "repair_softening": "a negative cycle begins to loosen, still fragile",
    "cooperative_family_alliance": "several members in a stable constructive stance",
    "mixed_transition": "two strong patterns at once or a visible pivot between them",
}

COUPLE_STRATEGIES: Mapping[str, str] = {
    "track": "follow or name the live sequence or cycle",
    "reframe": "change its meaning from blame to a shared pattern",
    "evoke": "deepen one person's primary emotion",
    "enact": "have one person speak directly to the other",
    "join": "make an emotion receivable between them",
    "detach": "step back and look at the pattern together",
    "repair": "apology, clarified intent, reconnection",
    "counterbalance": "give voice back to the less heard",
    "safeguard": "protect someone from being overwhelmed now",
    "goal_align": "bring them back to the shared task",
}

FAMILY_STRATEGIES: Mapping[str, str] = {
    "join": "build alliance with the family",
    "track": "follow or name the live sequence",
    "counterbalance": "give voice back to the less heard",
    "enact": "have members speak directly to each other",
    "boundary": "mark roles, hierarchy and subsystems",
    "reframe": "change its meaning from blame to a shared pattern",
    "repair": "apology, clarified intent, reconnection",
    "safeguard": "protect someone from being overwhelmed now",
}

PATTERNS: Mapping[str, Mapping[str, str]] = {"couple": COUPLE_PATTERNS, "family": FAMILY_PATTERNS}
STRATEGIES: Mapping[str, Mapping[str, str]] = {
    "couple": COUPLE_STRATEGIES,
    "family": FAMILY_STRATEGIES,
}
SCORED_FIELD: Mapping[str, Literal["relation_pattern", "relation_cycle_state"]] = {
    "couple": "relation_cycle_state",
    "family": "relation_pattern",
}
"""The one field that holds a scenario's gold pattern; the other is shifted or not its gold."""
UTTERANCE_TYPES: tuple[str, ...] = (
    "disclosure",
    "defense",
    "recollection",
    "reflection",
    "validation",
    "accusation",
    "request",
    "withdrawal",
    "repair",
    "other",
)
YES, NO = "yes", "no"


def patterns(scenario: str) -> tuple[str, ...]:
    """Returns the relation patterns of a scenario in taxonomy order; empty for other scenarios."""
    return tuple(PATTERNS.get(scenario, {}))


def strategies(scenario: str) -> tuple[str, ...]:
    """Returns the support strategies of a scenario in taxonomy order; empty for others."""
    return tuple(STRATEGIES.get(scenario, {}))
