"""What nearly held: firings that something stopped, and the rule that came closest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from relgraph.errors import RunError
from relgraph.reasoning.index import NUMBER, Facts
from relgraph.reasoning.language import Condition, Event, Rule, Static
from relgraph.reasoning.plan import Plan, Program, compile_rule
from relgraph.reasoning.records import Fact
from relgraph.reasoning.rounds import start
from relgraph.reasoning.steps import Run
from relgraph.reasoning.told import Teller, literal_words


@dataclass(frozen=True, slots=True)
class Blocked:
    """A firing that something stopped.

    Attributes:
        rule: id of the rule.
        head: what it would have concluded.
        args: about whom.
        known_at: the turn by which it was stopped.
        bindings: variable -> person, constant or turn.
        evidence: the facts that its positive literals matched.
        condition: what must not be, in words.
        literal: which literal of the rule, from 0; one after the last for the safety check.
        by: the fact that stopped it.
    """

    rule: str
    head: str
    args: tuple[str, ...]
    known_at: int
    bindings: tuple[tuple[str, str | int], ...]
    evidence: tuple[Fact, ...]
    condition: str
    literal: int
    by: Fact


@dataclass(frozen=True, slots=True)
class Miss:
    """The rule for a head that came nearest, and what it lacked.

    Attributes:
        rule: id of the rule.
        head: what it would have concluded.
        evidence: the facts that were there, in order of the text.
        bindings: what they bind.
        unmet: the first condition that did not hold, in words.
        literal: which literal that is, from 0.
        by: the fact that stopped it, where something must not be.
        matched: how many of its literals held.
        wanted: how many it has.
    """

    rule: str
    head: str
    evidence: tuple[Fact, ...]
    bindings: tuple[tuple[str, str | int], ...]
    unmet: str
    literal: int
    by: Fact | None
    matched: int
    wanted: int


def blocked(program: Program, run: Run, teller: Teller) -> tuple[Blocked, ...]:
    """Returns the firings that something stopped, in order of the rules."""
    found: list[Blocked] = []
    for plan in program.plans:
        if not plan.looks:
            continue
        traced = _traced(plan, run)
        for match, literal, row in (traced.trace or ()) if traced else ():
            if row is None:
                continue
            look = next(k for k in plan.looks if k.literal == literal)
            values = dict(zip(plan.names, match[1], strict=True))
            found.append(
                Blocked(
                    rule=plan.rule.id,
                    head=plan.rule.head,
                    args=_args(plan, values, run),
                    known_at=min(match[3], run.last_turn),
                    bindings=tuple(values.items()),
                    evidence=teller.evidence(match),
                    condition=teller.look_words(plan, look, values),
                    literal=literal,
                    by=run.facts.fact(row[NUMBER]),
                )
            )
    return tuple(dict.fromkeys(found))


def closest(
    rules: Iterable[Rule], run: Run, facts: Iterable[Fact], head: str, until: int
) -> Miss | None:
    """Returns the rule for `head` that came nearest to holding by turn `until`, or None."""
    known = [fact for fact in facts if fact.known_at <= until]
    if any(fact.atom.predicate == head for fact in known):
        return None
    misses = [m for r in rules if r.head == head if (m := _miss(r, run, known, until))]
    return max(misses, key=lambda m: (m.matched / m.wanted, m.matched, m.evidence[-1].known_at),
               default=None)  # fmt: skip


def _miss(rule: Rule, run: Run, known: list[Fact], until: int) -> Miss | None:
    """Returns how far one rule came: as many of its positive literals as hold together."""
    conditions = list(enumerate(rule.conditions))
    # who people are goes first: what the wrong people did is no near miss
    positives = [i for i, c in conditions if isinstance(c, Static) and not c.negated]
    positives += [i for i, c in conditions if isinstance(c, Event)]
    wanted = len(rule.literals) + rule.mutual
    for number in range(len(positives), 0, -1):
        whole = number == len(positives)
        part = rule if whole else _first(rule, positives[:number])
        if not any(isinstance(c, Event) for c in part.conditions):
            break  # that two are partners, say, speaks for nothing yet
        program = Program([], [])
        plan = compile_rule(part, 0, program)
        program.plans.append(plan)
        held = Facts(known, program.sources, until)
        inner = _traced(plan, Run(held, run.clock, until))
        if inner is None:
            continue
        stopped = inner.trace or []
        teller = Teller(program, inner)
        if whole and stopped:
            match, literal, row = max(stopped, key=lambda s: (s[1], s[0][3]))
            values = dict(zip(plan.names, match[1], strict=True))
            look = next((k for k in plan.looks if k.literal == literal), None)
            unmet = (
                teller.look_words(plan, look, values)
                if look is not None
                else literal_words(rule.literals[literal], values, held.therapist)
            )
            by = held.fact(row[NUMBER]) if row is not None else None
        elif whole and inner.pending:
            match = max((m for _, m in inner.pending), key=lambda m: (-m[3], m[2]))
            values = dict(zip(plan.names, match[1], strict=True))
            literal, by = len(rule.literals) - 1, None
            unmet = f"a window that ends at turn {match[3]} has not closed"
        elif not whole and inner.concluded:
            literal, by = positives[number], None
            matches = [
                m
                for found in inner.concluded.values()
                for m in found
                if _may_hold(rule.conditions[literal], dict(zip(plan.names, m[1], strict=True)))
            ]
            if not matches:
                continue
            match = max(matches, key=lambda m: (m[3], m[2]))
            values = dict(zip(plan.names, match[1], strict=True))
            unmet = literal_words(rule.conditions[literal], values, held.therapist)
        else:
            continue
        matched = literal if whole else number
        return Miss(
            rule.id, rule.head, teller.evidence(match), tuple(values.items()), unmet, literal, by,
            min(matched, wanted - 1), wanted,
        )  # fmt: skip
    return None


def _may_hold(missing: Condition, values: Mapping[str, str | int]) -> bool:
    """Returns whether a condition could hold of these people: an arrow is between two."""
    if not isinstance(missing, Event) or not missing.arrow or missing.people is None:
        return True
    one, other = (values.get(t.name) for t in missing.people)
    return one is None or one != other


def _first(rule: Rule, kept: list[int]) -> Rule:
    """Returns a rule of these positive literals only, with the windows that they allow."""
    literals = [rule.conditions[i] for i in kept]
    turns = {c.turn for c in literals if isinstance(c, Event)}
    conditions = tuple(
        replace(
            c,
            windows=tuple(
                w for w in c.windows if w.turn in turns and (not w.until or w.until in turns)
            ),
        )
        if isinstance(c, Event)
        else c
        for c in literals
    )
    return replace(
        rule, conditions=conditions, absences=(), params=(), at="", mutual=False, repeat=0
    )


def _traced(plan: Plan, run: Run) -> Run | None:
    """Returns a run of its own over the same facts, with a trace of what was stopped.

    None where the plan cannot hold, or needs times that there are not.
    """
    if plan.first is None or (plan.seconds and run.clock is None):
        return None
    inner = Run(run.facts, run.clock, run.last_turn)
    inner.trace = []
    with suppress(RunError):  # too many to look at: what was found so far will do
        start(inner, plan)
    return inner


def _args(plan: Plan, values: dict[str, str | int], run: Run) -> tuple[str, ...]:
    def value(kind: str, name: str) -> str:
        if kind == "therapist":
            return run.facts.therapist
        return str(values[name]) if kind == "variable" else name

    return tuple(value(t.kind, t.name) for t in plan.rule.params)
