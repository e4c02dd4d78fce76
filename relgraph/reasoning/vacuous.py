"""Rules that can never hold, and denials that do nothing or too much."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from math import inf

from relgraph.labels import PATTERNS
from relgraph.reasoning.bounds import Distances, distances, window_pairs
from relgraph.reasoning.language import (
    BLOCKS_AT,
    Aggregate,
    Comparison,
    Event,
    Place,
    Problem,
    Rule,
    Static,
    Term,
)
from relgraph.reasoning.vocabulary import GROUP, NOBODY

NEVER = "the rule can never hold"
WORDS = ("therapist", GROUP, NOBODY)


def vacuous(rule: Rule) -> Iterator[Problem]:
    """Yields why a rule can never hold, what it denies for nothing, and names that look mistaken.

    The rule must be one in which `relgraph.reasoning.safety.unsafe` finds no error.
    """
    found = distances(rule) or {}
    yield from _people(rule)
    for literal in rule.conditions:
        if isinstance(literal, Comparison) and literal.of_turns and literal.operator == "!=":
            if _apart(literal, found):
                yield rule.problem(literal.place, f"`{literal}` is never so: {NEVER}")
        elif isinstance(literal, Aggregate):
            turns = _turns(rule, literal.event, found)
            wanted = literal.at_least if literal.kind == "count" else 1
            if turns < wanted:
                yield rule.problem(
                    literal.place,
                    f"`{literal.kind} of` wants {wanted:g} turns of a window that has at most "
                    f"{max(turns, 0):g}: {NEVER}",
                )
    for absence in rule.absences:
        if _turns(rule, absence, found) < 1:
            yield rule.problem(
                absence.place,
                "the window of this `unless` has no turn: it blocks nothing",
                "warning",
            )
    yield from _alone(rule)
    yield from _denied(rule)
    yield from _mistaken(rule)


def _people(rule: Rule) -> Iterator[Problem]:
    """Yields where two people must be the same and different at once."""
    same = _Same(rule)
    for one, other in same.constants():
        place = Place(rule.line, rule.column)
        yield rule.problem(place, f"`{one}` would have to be `{other}`: {NEVER}")
    supporters = {
        same.of(literal.args[0]) for literal in _held(rule) if literal.name == "therapist"
    }
    for literal in rule.conditions:
        if isinstance(literal, Event) and literal.people and literal.arrow:
            if same.one(*literal.people):
                yield rule.problem(
                    literal.place, f"`{literal.arrow}` from one person to the same: {NEVER}"
                )
        elif isinstance(literal, Static) and not literal.negated:
            pair = literal.name in ("partner", "older") and len(literal.args) == 2
            if pair and same.one(*literal.args):
                yield rule.problem(literal.place, f"`{literal}` of one person: {NEVER}")
            if literal.name == "client" and same.of(literal.args[0]) in supporters:
                yield rule.problem(literal.place, f"a client is never the therapist: {NEVER}")
        elif (
            isinstance(literal, Comparison)
            and (literal.operator, literal.of_turns) == ("!=", False)
            and same.one(literal.left, literal.right)
        ):
            yield rule.problem(literal.place, f"`{literal}` is never so: {NEVER}")


class _Same:
    """Which terms of a rule stand for one person, by its `A = B`."""

    def __init__(self, rule: Rule) -> None:
        self.parent: dict[Term, Term] = {}
        for literal in rule.conditions:
            if isinstance(literal, Comparison) and literal.operator == "=" and not literal.of_turns:
                self.parent[self.of(literal.left)] = self.of(literal.right)

    def of(self, term: Term) -> Term:
        """Returns the term that speaks for all that are the same."""
        while term in self.parent and self.parent[term] != term:
            term = self.parent[term]
        self.parent.setdefault(term, term)
        return term

    def one(self, left: Term, right: Term) -> bool:
        """Says whether two terms are the same person; `_` is anybody."""
        return "any" not in (left.kind, right.kind) and self.of(left) == self.of(right)

    def constants(self) -> Iterator[tuple[Term, Term]]:
        """Yields pairs of different names that would have to be one."""
        first: dict[Term, Term] = {}
        for term in [t for t in self.parent if t.kind == "constant"]:
            other = first.setdefault(self.of(term), term)
            if other != term:
                yield other, term


def _alone(rule: Rule) -> Iterator[Problem]:
    """Yields that the two people of a mutual rule may be one."""
    if not rule.mutual:
        return
    pair = set(rule.params[:2])
    for literal in rule.conditions:
        if isinstance(literal, Event):
            two = bool(literal.arrow) and pair == set(literal.people or ())
        elif isinstance(literal, Static):
            known = literal.name in ("partner", "older") and not literal.negated
            two = known and pair == set(literal.args)
        else:
            two = (
                isinstance(literal, Comparison)
                and literal.operator == "!="
                and pair == {literal.left, literal.right}
            )
        if two:
            return
    one, other = rule.params[:2]
    yield rule.problem(
        Place(rule.line, rule.column),
        f"`mutual`, but `{one}` and `{other}` may be one person; expected an arrow between them, "
        f"or `{one} != {other}`",
    )


def _held(rule: Rule) -> list[Static]:
    return [c for c in rule.conditions if isinstance(c, Static) and not c.negated]


def _apart(literal: Comparison, found: Distances) -> bool:
    """Says whether two turns are always exactly as far apart as they must not be."""
    left, right = literal.left.name, literal.right.name
    if left == right:
        return literal.offset == 0
    most, least = found.get((left, right), inf), -found.get((right, left), inf)
    return most == least == literal.offset


def _turns(rule: Rule, event: Event, found: Distances) -> float:
    """Returns the most turns that the window of what is denied or counted can have."""
    bound = any(isinstance(c, Event) and c.turn == event.turn for c in rule.conditions)
    lows: list[tuple[str, float]] = [(event.turn, 0)] if bound else []
    highs = lows[:]
    for window in event.windows:
        for late, early, most in window_pairs(event.turn, window):
            if most < inf and late == event.turn:
                highs.append((early, most))
            elif most < inf:
                lows.append((late, -most))
    return min(
        (
            (0 if high == low else found.get((high, low), inf)) + later - earlier + 1
            for low, earlier in lows
            for high, later in highs
        ),
        default=inf,
    )


def _denied(rule: Rule) -> Iterator[Problem]:
    """Yields denials of what the rule itself needs."""
    held = {(c.name, c.args) for c in _held(rule)}
    for literal in rule.conditions:
        if isinstance(literal, Static) and literal.negated and (literal.name, literal.args) in held:
            yield rule.problem(literal.place, _blocks_itself(BLOCKS_AT), "warning")
    for absence in rule.absences:
        least = BLOCKS_AT if absence.at_least is None else absence.at_least
        for event in rule.conditions:
            if (
                isinstance(event, Event)
                and (event.turn == absence.turn or _at(absence, event.turn))
                and set(event.predicates) <= set(absence.predicates)
                and (absence.people is None or _wider(absence, event))
            ):
                yield rule.problem(absence.place, _blocks_itself(least), "warning")
                break


def _at(absence: Event, turn: str) -> bool:
    return [(w.kind, w.turn) for w in absence.windows] == [("at", turn)]


def _wider(absence: Event, event: Event) -> bool:
    """Says whether whatever an event matches is what an absence denies."""
    people, denied = event.people or (), absence.people or ()
    pairs = zip(denied, people, strict=False)
    return (absence.arrow, len(denied)) == (event.arrow, len(people)) and all(
        one.kind == "any" or one == other for one, other in pairs
    )


def _blocks_itself(least: float) -> str:
    return (
        "the rule denies what it needs: it holds only where that is weaker than "
        f"{least:g}; expected something else, or another turn"
    )


def _mistaken(rule: Rule) -> Iterator[Problem]:
    """Yields names that differ little from those that have a meaning."""
    here = Place(rule.line, rule.column)
    for name in rule.scenarios:
        for meant in get_close_matches(name, PATTERNS, 1, 0.7):
            if meant != name:
                yield rule.problem(
                    here, f"applies in the scenario `{name}`; did you mean `{meant}`?", "warning"
                )
    for literal in rule.literals:
        event = literal.event if isinstance(literal, Aggregate) else literal
        terms = event.people or () if isinstance(event, Event) else ()
        for term in terms:
            if term.kind == "constant" and term.name not in WORDS:
                for meant in get_close_matches(term.name, WORDS, 1, 0.75):
                    yield rule.problem(
                        literal.place,
                        f"`{term.name}` is read as a name; did you mean `{meant}`?",
                        "warning",
                    )
