"""Compiles rules: in which order to look at literals, by which arguments, and what to check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf

from relgraph.reasoning.bounds import Distances, distances, limits, window_pairs
from relgraph.reasoning.index import Source
from relgraph.reasoning.language import (
    BLOCKS_AT,
    Aggregate,
    Comparison,
    Event,
    Rule,
    Static,
    Term,
    Window,
)
from relgraph.reasoning.steps import (
    Compare,
    Counted,
    Look,
    Seconds,
    Span,
    Step,
    comparison,
    emission,
    event_step,
)
from relgraph.reasoning.strata import components, uses
from relgraph.reasoning.vocabulary import EVERYWHERE, SAFETY

Order = Callable[[Rule], list[int]]


@dataclass(slots=True)
class Plan:
    """One rule, ready to run.

    Attributes:
        rule: what it was made from.
        names: the variables in order of the text; their values stand first in `env`.
        template: an `env` with the constants put in.
        therapist: places of `env` that take the supporter's name.
        positives: which literals leave evidence, in order of the text.
        needs: for each positive literal, the predicates of which one must have facts.
        first: the first step; None if the rule can never hold.
        counted: its aggregates.
        looks: its absences, denied statics and the check of a mutual rule.
        seconds: whether it needs recorded times.
        inside: the predicates of its own component that it uses.
    """

    rule: Rule
    names: tuple[str, ...]
    template: list[str | int]
    therapist: tuple[int, ...]
    positives: tuple[int, ...]
    needs: tuple[tuple[str, ...], ...]
    first: Step | None
    counted: tuple[Counted, ...]
    looks: tuple[Look, ...]
    seconds: bool
    inside: frozenset[str]


@dataclass(slots=True)
class Program:
    """A rule set, ready to run.

    Attributes:
        plans: one a rule, in the order of the rules.
        groups: heads that rest on one another with the positions of their plans, in an order in
            which each rests on earlier ones.
        sources: what the plans look at; their positions are the slots of tables.
    """

    plans: list[Plan]
    groups: list[tuple[frozenset[str], list[int]]]
    sources: list[Source] = field(default_factory=list)
    slots: dict[Source, int] = field(default_factory=dict)

    def slot(self, source: Source) -> int:
        """Returns the slot of a source; literals that look alike share one."""
        if source not in self.slots:
            self.slots[source] = len(self.sources)
            self.sources.append(source)
        return self.slots[source]


def compile_rules(rules: Sequence[Rule]) -> Program:
    """Returns the program of rules that the linter finds no error in."""
    program = Program([], components(rules))
    own = {position: group for group, positions in program.groups for position in positions}
    for position, rule in enumerate(rules):
        inside = own[position] & {name for name, _, _ in uses(rule)}
        program.plans.append(compile_rule(rule, position, program, inside))
    return program


def compile_rule(
    rule: Rule, position: int, program: Program, inside: frozenset[str] = frozenset()
) -> Plan:
    """Returns the plan of one rule; what it looks at is added to the program's sources."""
    return _Compiler(rule, program).plan(position, inside)


class _Compiler:
    """Where each variable and constant of a rule stands in `env`, and what is bound so far."""

    def __init__(self, rule: Rule, program: Program) -> None:
        self.rule, self.program = rule, program
        self.events = [c for c in rule.conditions if isinstance(c, Event)]
        self.turns = {e.turn for e in self.events}
        self.names = _names(rule)
        self.places: dict[Term, int] = {}
        self.template: list[str | int] = [""] * len(self.names)
        self.at = {name: place for place, name in enumerate(self.names)}

    def plan(self, position: int, inside: frozenset[str]) -> Plan:
        """Returns the plan."""
        rule = self.rule
        found = distances(rule)
        positives = tuple(
            i
            for i, c in enumerate(rule.conditions)
            if isinstance(c, Event) or (isinstance(c, Static) and not c.negated)
        )
        counted = tuple(
            self.counted(i, c) for i, c in enumerate(rule.conditions) if isinstance(c, Aggregate)
        )
        looks = [
            self.denied(i, c)
            for i, c in enumerate(rule.conditions)
            if isinstance(c, Static) and c.negated
        ]
        looks += [self.look(len(rule.conditions) + i, a) for i, a in enumerate(rule.absences)]
        looks += self.mutual() if rule.mutual else []
        head = [self.place(t) for t in rule.params]
        last = emission(
            position=position,
            rule=rule,
            head=head,
            anchor=[self.at[rule.at]] if rule.at else [self.at[t] for t in self.turns_in_order()],
            width=len(self.names),
            counted=counted,
            looks=tuple(looks),
            inside=inside,
        )
        first = self.steps(positives, found or {}, last)
        return Plan(
            rule=rule,
            names=self.names,
            template=self.template,
            therapist=tuple(p for t, p in self.places.items() if t.kind == "therapist"),
            positives=positives,
            needs=tuple(
                c.predicates if isinstance(c, Event) else (c.name,)
                for c in (rule.conditions[i] for i in positives)
                if isinstance(c, Event | Static)
            ),
            first=None if found is None else first,
            counted=counted,
            looks=tuple(looks),
            seconds=needs_seconds(rule),
            inside=inside,
        )

    def turns_in_order(self) -> list[str]:
        return list(dict.fromkeys(e.turn for e in self.events))

    # --- the join

    def steps(self, positives: tuple[int, ...], found: Distances, last: Step) -> Step:
        """Returns the chain of steps over the positive literals, in the order found best."""
        order = self.order(positives, found)
        waiting: list[Comparison | tuple[str, Window]] = [
            c for c in self.rule.conditions if isinstance(c, Comparison)
            and (c.operator == "!=" or not c.of_turns)
        ]  # fmt: skip
        waiting += [(e.turn, w) for e in self.events for w in e.windows if w.unit == "seconds"]
        bound: set[str] = set()
        placed: list[str] = []
        made: list[Callable[[Step], Step]] = []
        for index in order:
            literal = self.rule.conditions[index]
            evidence = positives.index(index)
            if isinstance(literal, Event):
                span, fresh = self.span(literal.turn, placed, found)
                if literal.turn not in placed:
                    placed.append(literal.turn)
            else:
                span, fresh = Span(()), False
            source, binds = self.source(literal, bound)
            bound |= {name for name, _ in binds}
            known = bound | set(placed)
            ready = [w for w in waiting if _variables(w) <= known]
            waiting = [w for w in waiting if w not in ready]
            made.append(
                event_step(
                    slot=self.program.slot(source),
                    keys=self.key_places(literal, source),
                    span=span,
                    turn=self.at[literal.turn] if isinstance(literal, Event) and fresh else -1,
                    timeless=not isinstance(literal, Event),
                    binds=tuple((self.at[name], position) for name, position in binds),
                    tests=tuple(self.test(w) for w in ready),
                    evidence=evidence,
                    rule=self.rule,
                )
            )
        step = last
        for make in reversed(made):
            step = make(step)
        return step

    def order(self, positives: tuple[int, ...], found: Distances) -> list[int]:
        """Returns the positive literals, each time the one that promises fewest facts."""
        rest, order = list(positives), []
        bound: set[str] = set()
        placed: list[str] = []
        while rest:
            best = min(rest, key=lambda i: (self.promise(i, bound, placed, found), i))
            rest.remove(best)
            order.append(best)
            literal = self.rule.conditions[best]
            if isinstance(literal, Event):
                placed.append(literal.turn)
                bound |= {t.name for t in literal.people or () if t.kind == "variable"}
            elif isinstance(literal, Static):
                bound |= {t.name for t in literal.args if t.kind == "variable"}
        return order

    def promise(self, index: int, bound: set[str], placed: list[str], found: Distances) -> float:
        """Returns roughly how many facts a literal will offer, a turn."""
        literal = self.rule.conditions[index]
        terms = _terms(literal)
        known = sum(t.kind in ("constant", "therapist") or t.name in bound for t in terms)
        if isinstance(literal, Static):
            return 0.0 if known == len(terms) else 2.0 * 0.5**known
        assert isinstance(literal, Event)
        facts = sum(1.0 if p in EVERYWHERE else 0.06 for p in literal.predicates) * 0.5**known
        if literal.turn in placed:
            return facts * 0.03
        lows, highs = limits(literal.turn, placed, found)
        return facts * (0.1 if lows and highs else 0.5 if lows or highs else 1.0)

    def span(self, turn: str, placed: list[str], found: Distances) -> tuple[Span, bool]:
        """Returns what bounds the turn of an event, and whether the event binds it."""
        if turn in placed:
            return Span(((self.at[turn], 0),), ((self.at[turn], 0),)), False
        lows, highs = limits(turn, placed, found)
        return Span(
            tuple((self.at[t], by) for t, by in lows), tuple((self.at[t], by) for t, by in highs)
        ), True

    def source(
        self, literal: Event | Static | Aggregate | Comparison, bound: set[str]
    ) -> tuple[Source, list[tuple[str, int]]]:
        """Returns what an event or static looks at, and the variables it binds, by position."""
        terms = _terms(literal)
        keys: list[int] = []
        binds: list[tuple[str, int]] = []
        equal: list[tuple[int, int]] = []
        first: dict[str, int] = {}
        for position, term in enumerate(terms):
            if term.kind == "any":
                continue
            if term.kind != "variable" or term.name in bound:
                keys.append(position)
            elif term.name in first:
                equal.append((first[term.name], position))
            else:
                first[term.name] = position
                binds.append((term.name, position))
        event = literal if isinstance(literal, Event) else None
        arrow = event.arrow if event else ""
        return Source(
            predicates=event.predicates if event else (literal.name,),  # type: ignore[union-attr]
            arity=len(terms) if event is None or event.people is not None else -1,
            arrow=arrow,
            people=tuple(p for p, t in enumerate(terms) if arrow and t.kind == "variable"),
            equal=tuple(equal),
            at_least=(event.at_least or 0.0) if event else 0.0,
            keys=tuple(keys),
        ), binds

    def key_places(self, literal: object, source: Source) -> tuple[int, ...]:
        """Returns where in `env` the values stand by which a source is looked up."""
        terms = _terms(literal)
        return tuple(self.place(terms[k]) for k in source.keys)

    def place(self, term: Term) -> int:
        """Returns where in `env` a term stands; a constant is given a place."""
        if term.kind == "variable":
            return self.at[term.name]
        if term not in self.places:
            self.places[term] = len(self.template)
            self.template.append(term.name)
        return self.places[term]

    def test(self, waiting: Comparison | tuple[str, Window]) -> Compare:
        """Returns the test of a comparison, or of a window in seconds."""
        if isinstance(waiting, Comparison):
            return comparison(waiting, self.place(waiting.left), self.place(waiting.right))
        turn, window = waiting
        at, other = self.at[turn], self.at[window.turn]
        return lambda run, env: (
            run.clock is not None and run.clock.holds(window, env[at], env[other])
        )

    # --- what is denied or counted

    def aside(self, event: Event) -> tuple[int, tuple[int, ...], Span, tuple[Seconds, ...]]:
        """Returns slot, key places, turns and seconds of an event that leaves no evidence."""
        source, binds = self.source(event, set(self.names))
        assert not binds
        lows: list[tuple[int, int]] = []
        highs: list[tuple[int, int]] = []
        if event.turn in self.turns:
            lows, highs = [(self.at[event.turn], 0)], [(self.at[event.turn], 0)]
        seconds: list[Seconds] = []
        for window in event.windows:
            if window.unit == "seconds":
                seconds.append(Seconds(window.kind, self.at[window.turn], window.limit or 0.0))
            for late, early, most in window_pairs(event.turn, window):
                if most < inf and late == event.turn:
                    highs.append((self.at[early], int(most)))
                elif most < inf:
                    lows.append((self.at[late], -int(most)))
        slot = self.program.slot(source)
        places = self.key_places(event, source)
        return slot, places, Span(tuple(lows), tuple(highs)), tuple(seconds)

    def look(self, index: int, event: Event) -> Look:
        """Returns the check of `unless`."""
        at_least = BLOCKS_AT if event.at_least is None else event.at_least
        strong = _with_strength(event, at_least)
        slot, keys, span, seconds = self.aside(strong)
        weak = self.aside(_with_strength(event, None))[0]
        return Look(index, slot, weak, keys, span, seconds)

    def denied(self, index: int, static: Static) -> Look:
        """Returns the check of `not parent(A)`."""
        source, _ = self.source(static, set(self.names))
        strong = source._replace(at_least=BLOCKS_AT)
        keys = self.key_places(static, source)
        slot, weak = self.program.slot(strong), self.program.slot(source)
        return Look(index, slot, weak, keys, None)

    def mutual(self) -> list[Look]:
        """Returns the check that no safety cue stands between the two people."""
        source = Source(SAFETY, 2, "<->", (0, 1), (), BLOCKS_AT, (0, 1))
        keys = tuple(self.place(t) for t in self.rule.params[:2])
        slot, weak = self.program.slot(source), self.program.slot(source._replace(at_least=0.0))
        return [Look(len(self.rule.literals), slot, weak, keys, None)]

    def counted(self, index: int, literal: Aggregate) -> Counted:
        """Returns the evaluation of `count of ...`."""
        slot, keys, span, seconds = self.aside(_with_strength(literal.event, None))
        return Counted(index, literal.kind, literal.at_least, slot, keys, span, seconds)


def needs_seconds(rule: Rule) -> bool:
    """Says whether a rule has a window in seconds."""
    events = (c.event if isinstance(c, Aggregate) else c for c in rule.literals)
    return any(w.unit == "seconds" for e in events if isinstance(e, Event) for w in e.windows)


def _with_strength(event: Event, at_least: float | None) -> Event:
    return Event(event.predicates, event.turn, event.people, event.arrow, event.windows, at_least)


def _terms(literal: object) -> tuple[Term, ...]:
    if isinstance(literal, Static):
        return literal.args
    return (literal.people or ()) if isinstance(literal, Event) else ()


def _variables(waiting: Comparison | tuple[str, Window]) -> set[str]:
    if isinstance(waiting, Comparison):
        return {t.name for t in (waiting.left, waiting.right) if t.kind == "variable"}
    return {waiting[0], waiting[1].turn}


def _names(rule: Rule) -> tuple[str, ...]:
    """Returns the bound variables in order of the text; turns of absences are not bound."""
    found: list[str] = [t.name for t in rule.params if t.kind == "variable"]
    for condition in rule.conditions:
        if isinstance(condition, Event):
            found.append(condition.turn)
        found += [t.name for t in _terms(condition) if t.kind == "variable"]
    return tuple(dict.fromkeys(found))
