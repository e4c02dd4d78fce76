"""Acts and stances for a graph, from annotations or from what an approach says."""

from __future__ import annotations

from collections.abc import Iterable

from relgraph.graph.schema import Claim
from relgraph.records import Conversation, Viewpoint


def from_gold(conversation: Conversation) -> tuple[Claim, ...]:
    """Returns what the annotators say: strategies as acts, viewpoints as stances, by `gold`.

    For looking at annotated data only. A graph with gold in it must not reach an approach that is
    tested on that conversation.
    """
    claims: list[Claim] = []
    for turn in conversation.turns:
        gold = conversation.annotation(turn.index)
        for strategy in gold.strategies:
            for target in strategy.targets or turn.addressees:
                if strategy.provider and target:
                    provider, kind = strategy.provider, strategy.type
                    claims.append(Claim("act", provider, target, turn.index, kind, by="gold"))
        claims += from_viewpoints(gold.viewpoints, turn=turn.index, by="gold")
    return tuple(claims)


def from_viewpoints(
    viewpoints: Iterable[Viewpoint], *, turn: int, by: str, weight: float = 1.0
) -> tuple[Claim, ...]:
    """Returns viewpoints as stances; the label is the attitude, or without one the viewpoint.

    Args:
        viewpoints: those of one turn, such as `Prediction.viewpoints`.
        turn: index of that turn.
        by: who says so: the approach's name.
        weight: how sure it is, in [0, 1].
    """
    return tuple(
        Claim("stance", v.source, v.target, turn, v.attitude or v.viewpoint, weight, by)
        for v in viewpoints
        if v.source and v.target
    )
