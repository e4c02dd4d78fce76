"""Rounds of recursion, and how strong conclusions are that rest on one another."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from relgraph.reasoning.index import NUMBER, STRENGTH, Row
from relgraph.reasoning.plan import Plan
from relgraph.reasoning.steps import Conclusion, Match, Run

Firings = dict[int, list[Match]]
"""Number of a concluded fact -> its firings, the strongest first."""


def start(run: Run, plan: Plan) -> None:
    """Runs one plan over the facts as they are now."""
    env = plan.template[:]
    for place in plan.therapist:
        env[place] = run.facts.therapist
    if run.round == 0:
        run.work = run.matches = 0
    worked, matched = run.work, run.matches
    assert plan.first is not None
    plan.first(run, env, [(0, (), 0, 0.0, 0, "")] * len(plan.positives))
    run.spend(run.work - worked, run.matches - matched)


def conclude(run: Run, plans: list[Plan], firings: Firings) -> None:
    """Adds what the rules of one component conclude that does not rest on itself."""
    rows: dict[str, list[Row]] = {}
    everything = run.facts.all
    number = len(everything)
    for (predicate, turn, args, known_at), matches in run.concluded.items():
        if len(matches) == 1:
            match = matches[0]
            strength = plans[match[0]].rule.weight * match[4]
        else:
            scored = sorted(
                [(-plans[m[0]].rule.weight * m[4], m[0], m[2], m[1], m) for m in matches]
            )
            strength = -scored[0][0]
            matches = [scored_match[4] for scored_match in scored]
        row = (turn, args, known_at, strength, number, predicate)
        rows.setdefault(predicate, []).append(row)
        firings[number] = matches
        number += 1
    for predicate, found in rows.items():
        run.facts.add(predicate, found)


def repeat(
    run: Run, group: frozenset[str], plans: list[Plan], own: list[Plan], go: Callable[[Plan], None],
    firings: Firings,
) -> None:  # fmt: skip
    """Adds what the rules of a component conclude that rests on itself, round by round.

    In round 0 nothing of the component is known; a round's firings rest on at least one
    conclusion of the round before. A rule takes part in as many rounds as it allows.
    """
    numbers: dict[Conclusion, int] = {}
    noted: dict[int, list[Match]] = {}
    run.work = run.matches = 0  # from here on: of all rounds together
    most = max(plan.rule.repeat for plan in own)
    first = len(run.facts.all)
    while run.concluded:
        fresh: dict[str, list[Row]] = {}
        number = len(run.facts.all)
        for conclusion, matches in run.concluded.items():
            if conclusion not in numbers:
                predicate, turn, args, known_at = conclusion
                numbers[conclusion] = number
                run.rounds[number] = run.round
                fresh.setdefault(predicate, []).append(
                    (turn, args, known_at, 1.0, number, predicate)
                )
                number += 1
            noted.setdefault(numbers[conclusion], []).extend(matches)
        run.concluded.clear()
        for predicate in sorted(fresh):
            run.facts.add(predicate, fresh[predicate])
        run.facts.all[first:] = sorted(run.facts.all[first:], key=lambda row: row[NUMBER])
        run.facts.forget(group)
        run.round += 1
        if not fresh or run.round > most:
            break
        for plan in own:
            if plan.inside and plan.rule.repeat >= run.round:
                go(plan)
    _strengthen(run, group, plans, noted, firings, first)


def _strengthen(
    run: Run, group: frozenset[str], plans: list[Plan], noted: Firings, firings: Firings, first: int
) -> None:
    """Gives each conclusion the strength of its strongest proof, the strongest conclusion first.

    A conclusion is settled by a firing whose evidence is settled (Knuth 1977, a generalisation of
    Dijkstra's algorithm), so that no proof goes in a circle: a weight is never over 1.
    """
    waiting: dict[int, list[tuple[int, int]]] = {}
    missing: dict[tuple[int, int], set[int]] = {}
    heap: list[tuple[float, int, int]] = []
    strength: dict[int, float] = {}
    settled: dict[int, int] = {}

    def ready(number: int, nth: int) -> None:
        match = noted[number][nth]
        inner = [strength[n] for n in match[2] if n >= first]
        heappush(heap, (-plans[match[0]].rule.weight * min([match[4], *inner]), number, nth))

    for number, matches in noted.items():
        for nth, match in enumerate(matches):
            inner = {n for n in match[2] if n >= first}
            missing[number, nth] = inner
            for n in inner:
                waiting.setdefault(n, []).append((number, nth))
            if not inner:
                ready(number, nth)
    while heap:
        negative, number, _ = heappop(heap)
        if number in strength:
            continue
        strength[number] = -negative
        settled[number] = len(settled)
        for other in waiting.get(number, ()):
            missing[other].discard(number)
            if not missing[other]:
                ready(*other)
    for number, matches in noted.items():
        mine = settled[number]

        def order(match: Match, mine: int = mine) -> tuple[float, bool, int, tuple[int, ...]]:
            inner = [n for n in match[2] if n >= first]
            value = plans[match[0]].rule.weight * min([match[4], *(strength[n] for n in inner)])
            circular = any(settled[n] >= mine for n in inner)
            return (-value, circular, match[0], match[2])

        firings[number] = sorted(matches, key=order)
    changed = {
        row[NUMBER]: (*row[:STRENGTH], strength[row[NUMBER]], *row[NUMBER:])
        for row in run.facts.all[first:]
    }
    run.facts.all[first:] = list(changed.values())
    for predicate in group:
        rows = run.facts.rows.get(predicate, [])
        rows[:] = [changed.get(row[NUMBER], row) for row in rows]
    run.facts.forget(group)
