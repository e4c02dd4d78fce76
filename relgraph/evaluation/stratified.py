"""Which instances stand for the whole data where only some are tested.

As many relationships as possible take part, each about equally; scenarios and gold answers come in
the proportions of the data; and all tasks look to the same conversations first, so that prompts
share their beginnings. Nothing is drawn from a seed: ids decide, and the tasks that are asked for
have no say in which conversations of the data come first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TypeVar

from relgraph.evaluation.choices import role_of
from relgraph.records import Case, Conversation
from relgraph.registry import load, names
from relgraph.splits import relationships

Name = TypeVar("Name", bound=Hashable)
SPARE = 2
"""A relationship's conversations are opened until they hold so many times what is taken of it."""


def preferred(conversations: Sequence[Conversation]) -> tuple[Conversation, ...]:
    """Returns the conversations in the order in which they are tested.

    One of each scenario comes first, then the scenarios in the proportion of their instances of
    all tasks; within one its relationships take turns, each with the conversation first that has
    instances of the most tasks.
    """
    tasks = [load("task", name) for name in names("task")]
    count = {c.id: [sum(1 for _ in task.decisions(c)) for task in tasks] for c in conversations}
    members = relationships(conversations)
    waiting: dict[str, list[tuple[int, bytes, Conversation]]] = defaultdict(list)
    for name, of in members.items():
        best = sorted(of, key=lambda c: (-sum(n > 0 for n in count[c.id]), _draw(c.id)))
        for place, c in enumerate(best):
            waiting[c.scenario].append((place, _draw(name), c))
    queues = {
        scenario: iter([c for *_, c in sorted(of, key=lambda row: row[:2])])
        for scenario, of in waiting.items()
    }
    total = {scenario: len(of) for scenario, of in waiting.items()}
    share = Counter(dict.fromkeys(total, 0))
    for c in conversations:
        share[c.scenario] += sum(count[c.id])
    return tuple(next(queues[scenario]) for scenario in _in_turn(share, total))


def _in_turn(share: Mapping[str, int], total: Mapping[str, int]) -> Iterator[str]:
    """Yields each scenario as often as `total` has it, every beginning in about the shares."""
    taken: Counter[str] = Counter()
    whole = sum(share.values()) or 1
    by_size = sorted(total, key=lambda s: (-share[s], s))
    for step in range(1, 1 + sum(total.values())):
        open_ = [s for s in by_size if taken[s] < total[s]]
        fresh = [s for s in open_ if not taken[s] and share[s]]
        lacks = {s: share[s] / whole * step - taken[s] for s in open_}
        chosen = fresh[0] if fresh else max(open_, key=lambda s: round(lacks[s], 9))
        taken[chosen] += 1
        yield chosen


def stratify(
    cases: Mapping[str, Sequence[Case]], order: Sequence[str], limit: int
) -> dict[str, Sequence[Case]]:
    """Returns at most `limit` cases of a task, by conversation, in turn order.

    Args:
        cases: all of the data, by conversation: it gives the proportions.
        order: ids of the conversations to choose from, those to prefer first.
        limit: how many, 0 for all.
    """
    if not limit:
        return {name: tuple(cases[name]) for name in order}
    data: dict[str, Counter[str]] = defaultdict(Counter)
    for case in (case for of in cases.values() for case in of):
        data[_scenario(case)][_class(case)] += 1
    homes: dict[str, dict[str, list[Sequence[Case]]]] = defaultdict(lambda: defaultdict(list))
    for of in (cases[name] for name in order if cases[name]):
        homes[_scenario(of[0])][of[0].relationship or of[0].conversation_id].append(of)
    room = {s: sum(len(of) for talks in homes[s].values() for of in talks) for s in homes}
    quotas = apportion(limit, {s: data[s].total() for s in sorted(homes)}, room, least=1)
    chosen: dict[str, list[Case]] = defaultdict(list)
    for scenario, quota in quotas.items():
        for case in _of_scenario(homes[scenario], data[scenario], quota):
            chosen[case.conversation_id].append(case)
    return {name: tuple(sorted(of, key=lambda case: case.turn)) for name, of in chosen.items()}


def apportion(
    total: int, weights: Mapping[Name, float], room: Mapping[Name, int], *, least: int = 0
) -> dict[Name, int]:
    """Returns how many of `total` each name gets, in proportion to its weight and within its room.

    By largest remainder (Hamilton's method); what does not fit into a name's room goes on to the
    others. Each name with a weight gets at least `least`, the heaviest first, while there are any.
    """
    whole = sum(weights.values()) or 1
    given = dict.fromkeys(weights, 0)
    for name in sorted(weights, key=lambda n: -weights[n]):
        if weights[name]:
            given[name] = min(least, room[name], total - sum(given.values()))
    for _ in range(total - sum(given.values())):
        lacks = {n: total * weights[n] / whole - given[n] for n in weights if given[n] < room[n]}
        if not lacks:
            break
        given[max(lacks, key=lambda n: round(lacks[n], 9))] += 1
    return given


def _of_scenario(
    homes: Mapping[str, Sequence[Sequence[Case]]], data: Mapping[str, int], quota: int
) -> Iterator[Case]:
    """Yields `quota` cases of relationship -> its conversations' cases, classes as in `data`."""
    room = {name: sum(map(len, talks)) for name, talks in homes.items()}
    left = apportion(quota, dict.fromkeys(homes, 1), room)
    pool: dict[str, dict[str, list[Case]]] = {name: defaultdict(list) for name in homes}
    for name, talks in homes.items():
        for case in _opened(talks, SPARE * left[name]):
            pool[name][_class(case)].append(case)
    supply = {label: sum(len(of[label]) for of in pool.values()) for label in sorted(data)}
    wanted = apportion(quota, {label: data[label] for label in sorted(data)}, supply)
    for (name, label), count in _dealt(left, wanted, pool).items():
        left[name] -= count
        wanted[label] -= count
        yield from (pool[name][label].pop() for _ in range(count))
    for name in homes:
        while left[name]:
            label = max((k for k in wanted if pool[name][k]), key=lambda k: wanted[k])
            left[name], wanted[label] = left[name] - 1, wanted[label] - 1
            yield pool[name][label].pop()


def _dealt(
    left: Mapping[str, int],
    wanted: Mapping[str, int],
    pool: Mapping[str, Mapping[str, Sequence[Case]]],
) -> dict[tuple[str, str], int]:
    """Returns how many cases of each class each relationship gives: as many wanted ones as can be.

    A maximum flow from relationships, by what they have of a class, to classes.
    """
    import numpy as np
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_flow

    first = 1 + len(left)
    graph = np.zeros((first + len(wanted) + 1,) * 2, dtype=np.int32)
    graph[0, 1:first] = list(left.values())
    graph[first:-1, -1] = list(wanted.values())
    graph[1:first, first:-1] = [[len(pool[name][label]) for label in wanted] for name in left]
    flow = maximum_flow(csr_matrix(graph), 0, len(graph) - 1).flow.toarray()
    return {
        (name, label): int(flow[1 + row, first + column])
        for row, name in enumerate(left)
        for column, label in enumerate(wanted)
    }


def _opened(talks: Sequence[Sequence[Case]], enough: int) -> Iterator[Case]:
    """Yields the cases of the first conversations that hold `enough`, the preferred one last."""
    opened: list[Sequence[Case]] = []
    while sum(map(len, opened)) < enough and len(opened) < len(talks):
        opened.append(talks[len(opened)])
    for of in reversed(opened):
        # the same turns are preferred by every task: then whole prompts begin alike
        yield from sorted(of, key=lambda case: _draw(f"{case.conversation_id}|{case.turn}"))


def _scenario(case: Case) -> str:
    return case.instance.conversation.scenario


def _class(case: Case) -> str:
    """Returns the gold label, or the part of a person in the talk so far; "" of an open answer."""
    return role_of(case, case.gold.label) if case.gold.label else ""


def _draw(text: str) -> bytes:
    return sha256(text.encode()).digest()
