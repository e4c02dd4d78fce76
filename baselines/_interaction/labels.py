"""Labels as scenarios share them: what couples and families call alike, or nearly so, is one."""

from __future__ import annotations

from dataclasses import dataclass

from relgraph.labels import NO, YES, patterns, strategies
from relgraph.records import Instance

SCENARIOS = ("couple", "family")
ALIKE = {
    "escalation_conflict": "attack_attack",
    "mutual_disengagement": "withdraw_withdraw",
    "cooperative_family_alliance": "constructive_alignment",
}
"""Patterns of families that are a pattern of couples under another name.

Few families can be learnt from, so what couples teach about conflict or distance is kept for them.
"""


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of a task over all scenarios.

    Attributes:
        names: of the labels that scenarios share.
        places: scenario -> label of that scenario -> which of `names` it is.
    """

    names: tuple[str, ...]
    places: dict[str, dict[str, int]]


def _joined(sets: dict[str, tuple[str, ...]]) -> Labels:
    names = tuple(dict.fromkeys(ALIKE.get(x, x) for labels in sets.values() for x in labels))
    return Labels(
        names, {s: {x: names.index(ALIKE.get(x, x)) for x in labels} for s, labels in sets.items()}
    )


LABELS = {
    "rpp": _joined({s: patterns(s) for s in SCENARIOS}),
    "ssp": _joined({s: strategies(s) for s in SCENARIOS}),
    "itp": _joined({"": (YES, NO)}),
}
"""Task -> its labels. ITP has one set for all scenarios, known or not."""


def scenario_of(instance: Instance) -> str:
    """Returns which of a task's label sets an instance has."""
    return "" if instance.task == "itp" else instance.conversation.scenario
