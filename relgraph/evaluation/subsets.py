"""Fewer training relationships than a fold has, each larger choice holding the smaller ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from relgraph.errors import RelgraphError
from relgraph.records import Conversation
from relgraph.splits import Fold, relationships


def nested_order(conversations: Sequence[Conversation], *, key: str) -> tuple[str, ...]:
    """Returns the relationships in the order in which they are taken.

    Every beginning of it has the scenarios in about the shares that the whole has: next comes the
    scenario that lacks most of its share, and of it a relationship drawn by `key`.
    """
    waiting: dict[str, list[str]] = {}
    for name, members in relationships(conversations).items():
        waiting.setdefault(members[0].scenario, []).append(name)
    total = {scenario: len(names) for scenario, names in sorted(waiting.items())}
    for scenario in total:
        Random(f"{key}|{scenario}").shuffle(waiting[scenario])
    order: list[str] = []
    taken: Counter[str] = Counter()
    for count in range(1, 1 + sum(total.values())):
        share = count / sum(total.values())
        scenario = max(total, key=lambda s: (round(total[s] * share - taken[s], 9), total[s]))
        order.append(waiting[scenario][taken[scenario]])
        taken[scenario] += 1
    return tuple(order)


def smaller(folds: Sequence[Fold], size: int | None, *, seed: int, draw: int) -> tuple[Fold, ...]:
    """Returns the folds with `size` training relationships each, None for all; tests stay.

    With one seed and draw a larger size holds the relationships of a smaller one.

    Raises:
        RelgraphError: a fold has fewer training relationships.
    """
    if size is None:
        return tuple(folds)
    found = []
    for number, fold in enumerate(folds):
        order = nested_order(fold.train, key=f"{seed}|{draw}|{number}")
        if size > len(order):
            least = min(len(relationships(f.train)) for f in folds)
            raise RelgraphError(
                f"{size} training relationships asked for, and fold {number + 1} trains on "
                f"{len(order)}. Choose --sizes up to {least}, `all`, or more --folds."
            )
        chosen = set(order[:size])
        train = tuple(c for c in fold.train if (c.relationship or c.id) in chosen)
        found.append(Fold(train, fold.test))
    return tuple(found)
