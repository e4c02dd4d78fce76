"""Which predicates rest on which, and the order in which rules can be evaluated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from relgraph.reasoning.language import Aggregate, Event, Rule


def uses(rule: Rule) -> Iterator[tuple[str, Event, bool]]:
    """Yields every predicate that a rule looks at, where, and whether that must be settled first.

    Settled first must be what is denied or counted, and what has to reach a strength: these can
    be judged only when all that could be concluded is known.
    """
    for condition in rule.conditions:
        if isinstance(condition, Event):
            for name in condition.predicates:
                yield name, condition, condition.at_least is not None
        elif isinstance(condition, Aggregate):
            for name in condition.event.predicates:
                yield name, condition.event, True
    for absence in rule.absences:
        for name in absence.predicates:
            yield name, absence, True


def components(rules: Sequence[Rule]) -> list[tuple[frozenset[str], list[int]]]:
    """Returns groups of heads that rest on one another, with positions of their rules.

    They come in an order in which each group rests on itself and on earlier ones only. The order
    depends on the rules alone.
    """
    by_head: dict[str, list[int]] = {}
    for position, rule in enumerate(rules):
        by_head.setdefault(rule.head, []).append(position)
    needs = {
        head: [n for p in positions for n, _, _ in uses(rules[p]) if n in by_head]
        for head, positions in by_head.items()
    }
    return [
        (frozenset(group), sorted(p for head in group for p in by_head[head]))
        for group in _tarjan(needs)
    ]


def _tarjan(needs: dict[str, list[str]]) -> list[list[str]]:
    """Returns the strongly connected components, what is needed first (Tarjan 1972, as a loop)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    open_heads: set[str] = set()
    found: list[list[str]] = []
    for root in needs:
        if root in order:
            continue
        work: list[tuple[str, Iterator[str]]] = [(root, iter(needs[root]))]
        while work:
            head, rest = work[-1]
            if head not in order:
                order[head] = low[head] = len(order)
                stack.append(head)
                open_heads.add(head)
            for needed in rest:
                if needed not in order:
                    work.append((needed, iter(needs[needed])))
                    break
                if needed in open_heads:
                    low[head] = min(low[head], order[needed])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[head])
                if low[head] == order[head]:
                    at = stack.index(head)
                    found.append(stack[at:])
                    open_heads.difference_update(stack[at:])
                    del stack[at:]
    return found
