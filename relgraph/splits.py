"""Folds by relationship: all conversations of one couple, family or team stay together."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from relgraph.errors import RelgraphError
from relgraph.records import Conversation


@dataclass(frozen=True, slots=True)
class Fold:
    """One split: what may be learnt from, and what is tested."""

    train: tuple[Conversation, ...]
    test: tuple[Conversation, ...]


def relationships(conversations: Sequence[Conversation]) -> dict[str, tuple[Conversation, ...]]:
    """Returns the conversations of each relationship, sorted by its name.

    A conversation without a relationship is one of its own.
    """
    groups: dict[str, list[Conversation]] = defaultdict(list)
    for conversation in conversations:
        groups[conversation.relationship or conversation.id].append(conversation)
    return {name: tuple(groups[name]) for name in sorted(groups)}


def folds(conversations: Sequence[Conversation], *, count: int, seed: int) -> tuple[Fold, ...]:
    """Returns `count` folds; every conversation is tested once, each relationship in one fold.

    Stratified by scenario and balanced by turns: within a scenario the relationships are ranked by
    their turns and taken `count` at a time, so that each fold gets one of about the same length;
    which of these goes where is drawn from `seed`. What is left over goes where least is.

    Raises:
        RelgraphError: fewer relationships than folds, or fewer than two folds.
    """
    groups = relationships(conversations)
    if not 2 <= count <= len(groups):
        enough = len(groups) > 1
        hint = (
            f"choose --folds between 2 and {len(groups)}."
            if enough
            else "add other relationships, or tell those in the data apart with --relationships."
        )
        raise RelgraphError(
            f"{count} folds asked for, and the data has {len(groups)} "
            f"relationship{'s' if enough else ''}. A fold holds whole relationships: {hint}"
        )
    by_scenario: dict[str, list[str]] = defaultdict(list)
    for name, members in groups.items():
        by_scenario[members[0].scenario].append(name)
    home: dict[str, int] = {}
    load = [0] * count
    for scenario in sorted(by_scenario):
        draw = random.Random(f"{seed}|{scenario}")
        names = sorted(by_scenario[scenario], key=lambda n: (-_turns(groups[n]), n))
        for first in range(0, len(names), count):
            block = names[first : first + count]
            draw.shuffle(block)
            places = list(range(count))
            if len(block) < count:
                places.sort(key=lambda k: load[k])
            for name, place in zip(block, places, strict=False):
                home[name] = place
                load[place] += _turns(groups[name])
    fold_of = {c: home[name] for name, members in groups.items() for c in _ids(members)}
    return tuple(
        Fold(
            train=tuple(c for c in conversations if fold_of[id(c)] != k),
            test=tuple(c for c in conversations if fold_of[id(c)] == k),
        )
        for k in range(count)
    )


def _ids(members: Sequence[Conversation]) -> tuple[int, ...]:
    return tuple(id(c) for c in members)


def _turns(members: Sequence[Conversation]) -> int:
    return sum(len(c.turns) for c in members)
