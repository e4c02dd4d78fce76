"""Whether a rule can be evaluated: its variables bound, its windows closed, its search short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import inf

from relgraph.reasoning.bounds import distances
from relgraph.reasoning.language import (
    Aggregate,
    Comparison,
    Event,
    Place,
    Problem,
    Rule,
    Static,
    Term,
    Window,
)
from relgraph.reasoning.vocabulary import NOT_PEOPLE


def unsafe(rule: Rule) -> Iterator[Problem]:
    """Yields what keeps a rule from being evaluated; if nothing does, what is slow or odd in it."""
    errors = list(_errors(rule))
    yield from errors
    if errors:
        return
    here = Place(rule.line, rule.column)
    events = [c for c in rule.conditions if isinstance(c, Event)]
    yield from _lonely(rule, here)
    yield from _apart(rule, here, events)


def _errors(rule: Rule) -> Iterator[Problem]:
    events = [c for c in rule.conditions if isinstance(c, Event)]
    here = Place(rule.line, rule.column)
    turns = {e.turn for e in events}
    people = {t.name for e in events for t in e.people or () if t.kind == "variable"}
    for literal in rule.conditions:
        if isinstance(literal, Static) and not literal.negated:
            people |= {t.name for t in literal.args if t.kind == "variable"}
    if not events:
        yield rule.problem(here, "no event among the conditions; expected one, to stand at")
        return
    for name in sorted(people & turns):
        yield rule.problem(here, f"`{name}` is a turn and a person; expected two names")
    yield from _head(rule, here, people, turns)
    if rule.at and rule.at not in turns:
        yield rule.problem(here, _unbound(rule.at, "`at`", turn=True))
    for literal in rule.literals:
        if isinstance(literal, Comparison):
            yield from _comparison(rule, literal, people, turns)
        elif isinstance(literal, Static) and literal.negated:
            yield from _people(rule, literal.args, literal.place, people, "`not`")
        elif isinstance(literal, Aggregate):
            what = f"`{literal.kind} of`"
            yield from _people(rule, literal.event.people or (), literal.place, people, what)
            yield from _closed(rule, literal.event, turns, what)
            yield from _bound_of(rule, literal)
    for absence in rule.absences:
        yield from _people(rule, absence.people or (), absence.place, people, "`unless`")
        yield from _closed(rule, absence, turns, "`unless`")
        yield from _strength(rule, absence)
    for event in events:
        yield from _strength(rule, event)
        for window in event.windows:
            yield from _window(rule, window, event, turns)


def _unbound(name: str, where: str, *, turn: bool) -> str:
    what = "turn" if turn else "person"
    return (
        f"unsafe variable `{name}` in {where}: no event of the conditions says which {what} "
        "it is; expected a variable that one binds" + ("" if turn else ", or `_` for anybody")
    )


def _head(rule: Rule, here: Place, people: set[str], turns: set[str]) -> Iterator[Problem]:
    for term in rule.params:
        if term.kind == "any":
            yield rule.problem(here, "`_` in the head; expected a variable or a name")
        elif term.kind == "variable" and term.name in turns - people:
            yield rule.problem(
                here,
                f"the turn `{term.name}` among the people of the head; expected `at {term.name}`",
            )
        elif term.kind == "variable" and term.name not in people:
            yield rule.problem(here, _unbound(term.name, "the head", turn=False))
    pair = rule.params[:2]
    if rule.mutual and (
        len(pair) < 2 or any(t.kind != "variable" for t in pair) or pair[0] == pair[1]
    ):
        yield rule.problem(
            here,
            "`mutual`, but the head does not begin with two different variables; "
            "expected the two people who keep the cycle going",
        )


def _people(
    rule: Rule, terms: tuple[Term, ...], place: Place, people: set[str], where: str
) -> Iterator[Problem]:
    for term in terms:
        if term.kind == "variable" and term.name not in people:
            yield rule.problem(place, _unbound(term.name, where, turn=False))


def _comparison(
    rule: Rule, literal: Comparison, people: set[str], turns: set[str]
) -> Iterator[Problem]:
    bound = turns if literal.of_turns else people
    for term in (literal.left, literal.right):
        if literal.of_turns and term.kind != "variable":
            yield rule.problem(
                literal.place, f"`{term}` is compared like a turn; expected a turn variable"
            )
        elif term.kind == "any":
            yield rule.problem(literal.place, "`_` is compared; expected a variable or a name")
        elif term.kind == "variable" and term.name not in bound:
            yield rule.problem(
                literal.place, _unbound(term.name, "a comparison", turn=literal.of_turns)
            )


def _window(rule: Rule, window: Window, event: Event, turns: set[str]) -> Iterator[Problem]:
    for name in (window.turn, window.until):
        if name and name == event.turn:
            yield rule.problem(window.place, f"the window of `{name}` counts from `{name}`")
        elif name and name not in turns:
            yield rule.problem(window.place, _unbound(name, "a window", turn=True))


def _closed(rule: Rule, event: Event, turns: set[str], where: str) -> Iterator[Problem]:
    """Yields the windows that no event bounds, and one that is open towards the future."""
    for window in event.windows:
        yield from _window(rule, window, event, turns)
    ends = any(w.kind != "after" or w.limit is not None for w in event.windows)
    if event.turn not in turns and not ends:
        yield rule.problem(
            event.place,
            f"{where} looks into an open future; expected a window that ends, as `before T`, "
            "`up to T`, `between T1 and T2` or `within 3 turns after T`",
        )


def _strength(rule: Rule, event: Event) -> Iterator[Problem]:
    if event.at_least is not None and event.at_least > 1:
        yield rule.problem(event.place, f"`at least {event.at_least:g}`; a strength is at most 1")


def _bound_of(rule: Rule, literal: Aggregate) -> Iterator[Problem]:
    bound = literal.at_least
    if literal.kind == "count" and bound != int(bound):
        yield rule.problem(
            literal.place, f"`count of` at least {bound:g}; expected a whole number of turns"
        )
    if literal.kind != "count" and bound > 1:
        yield rule.problem(
            literal.place, f"`{literal.kind} of` at least {bound:g}; it is at most 1"
        )


def _lonely(rule: Rule, here: Place) -> Iterator[Problem]:
    """Yields variables for people that stand in one place only: perhaps a slip of the pen."""
    terms: list[Term] = list(rule.params)
    for literal in rule.literals:
        if isinstance(literal, Static):
            terms += literal.args
        elif isinstance(literal, Comparison):
            terms += () if literal.of_turns else (literal.left, literal.right)
        else:
            event = literal.event if isinstance(literal, Aggregate) else literal
            terms += event.people or ()
    counted = Counter(t.name for t in terms if t.kind == "variable")
    for name, times in counted.items():
        if times == 1:
            wanted = "`_`"
            if name.lower() in ("therapist", *NOT_PEOPLE):
                wanted = f"`{name.lower()}`"
            elif len(name) > 2 and name[1:].islower():
                wanted = f'`_`, or `"{name}"` for the person of that name'
            yield rule.problem(
                here,
                f"the variable `{name}` stands in one place only; expected {wanted}",
                "warning",
            )


def _apart(rule: Rule, here: Place, events: list[Event]) -> Iterator[Problem]:
    """Yields events whose turn no window ties to an earlier one: time grows with the square."""
    found = distances(rule)
    if found is None:
        yield rule.problem(here, "its windows contradict each other: the rule can never hold")
        return
    pairs = [(late, early) for late, early in found if found[late, early] < inf]
    tied = {frozenset(pair) for pair in pairs if pair[::-1] in pairs}
    tied |= {frozenset((e.turn, w.turn)) for e in events for w in e.windows if w.unit == "seconds"}
    reached = {events[0].turn}
    for event in events:
        for _ in events:
            reached |= {turn for pair in tied if pair & reached for turn in pair}
        if event.turn not in reached:
            reached.add(event.turn)
            yield rule.problem(
                event.place,
                f"no window ties `{event.turn}` to the other turns: any turn will do, however far "
                "off, and time grows with the square of the conversation; expected `within N turns "
                "after T`",
                "warning",
            )
