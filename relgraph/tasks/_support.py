"""The supporting turns that STP and SSP share."""

from __future__ import annotations

from collections.abc import Iterable

from relgraph.records import Conversation, Strategy, Turn
from relgraph.tasks._base import is_client, resolve_target


def supported(conversation: Conversation) -> Iterable[tuple[Turn, Strategy, str]]:
    """Yields the supporter's turns with their first strategy and whom it is meant for.

    The strategy's own target counts, else the turn's addressees; unclear targets are left out.
    """
    for turn in conversation.turns:
        strategies = conversation.annotation(turn.index).strategies
        if is_client(conversation, turn) or not strategies:
            continue
        first = strategies[0]
        target = resolve_target(conversation, first.targets or turn.addressees)
        if target:
            yield turn, first, target
