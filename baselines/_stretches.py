"""Instances that can be answered in one pass: those that lie along one conversation.

All instances of one conversation lie along its longest seen prefix, so one pass answers them all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from relgraph.records import Conversation, Instance


@dataclass(frozen=True, slots=True)
class Stretch:
    """The longest seen prefix of a conversation, and which instances lie along it."""

    conversation: Conversation
    instances: tuple[int, ...]


AT_ONCE = 16
"""Conversations whose instances are answered together."""


def portions(instances: Sequence[Instance]) -> Iterator[Sequence[Instance]]:
    """Yields all instances in order, those of a few conversations at a time.

    So that what is known of a conversation can be let go, and answers are there before all are.
    """
    first = 0
    met: set[str] = set()
    for position, instance in enumerate(instances):
        if len(met) == AT_ONCE and instance.conversation.id not in met:
            yield instances[first:position]
            first, met = position, set()
        met.add(instance.conversation.id)
    if met:
        yield instances[first:]


def stretches(instances: Sequence[Instance]) -> list[Stretch]:
    """Returns the instances grouped by conversation and first turn, in order of appearance.

    Instances share a stretch only if the shorter one's turns are the beginning of the longer's:
    equal ids alone do not join two conversations.
    """
    groups: dict[object, list[int]] = defaultdict(list)
    for position, instance in enumerate(instances):
        seen = instance.conversation
        first = seen.turns[0].index if seen.turns else 1
        groups[seen.id, first, seen.scenario, seen.participants, seen.supporter].append(position)
    found = []
    for members in groups.values():
        waiting = members
        while waiting:
            longest = max(waiting, key=lambda p: len(instances[p].conversation.turns))
            turns = instances[longest].conversation.turns
            inside: list[int] = []
            outside: list[int] = []
            for p in waiting:
                own = instances[p].conversation.turns
                (inside if turns[: len(own)] == own else outside).append(p)
            found.append(Stretch(instances[longest].conversation, tuple(inside)))
            waiting = outside
    return found
