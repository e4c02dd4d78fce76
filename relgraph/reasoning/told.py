"""Makes records of what the engine keeps as numbers: firings, and what they checked, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from relgraph.reasoning.index import KNOWN_AT, NUMBER, STRENGTH
from relgraph.reasoning.language import (
    Aggregate,
    Comparison,
    Event,
    Static,
    Term,
    Window,
)
from relgraph.reasoning.plan import Plan, Program
from relgraph.reasoning.records import Atom, Checked, Fact, Firing
from relgraph.reasoning.steps import (
    Conclusion,
    Look,
    Match,
    Run,
    aggregate,
    rows_in,
    window_of,
)
from relgraph.reasoning.vocabulary import SAFETY


class Teller:
    """Tells of firings of one evaluation."""

    def __init__(self, program: Program, run: Run) -> None:
        self.program, self.run = program, run

    def firing(self, conclusion: Conclusion, match: Match) -> Firing:
        """Returns a firing as a record; its strength is computed from its evidence."""
        plan = self.program.plans[match[0]]
        evidence = self.evidence(match)
        checked, strengths = self._checked(plan, match, conclusion[3])
        strength = plan.rule.weight * min([*(f.strength for f in evidence), *strengths])
        predicate, turn, args, known_at = conclusion
        return Firing(
            rule=plan.rule.id,
            conclusion=Fact(Atom(predicate, turn, args), known_at, strength),
            weight=plan.rule.weight,
            bindings=tuple(zip(plan.names, match[1], strict=True)),
            evidence=evidence,
            checked=checked,
        )

    def evidence(self, match: Match) -> tuple[Fact, ...]:
        """Returns the facts that a match rests on."""
        return tuple([self.run.facts.fact(number) for number in match[2]])

    def _checked(
        self, plan: Plan, match: Match, known_at: int
    ) -> tuple[tuple[Checked, ...], list[float]]:
        """Returns what was checked, in order of the text, and the strengths of aggregates."""
        env = env_of(plan, match, self.run)
        values = dict(zip(plan.names, match[1], strict=True))
        checked: list[Checked] = []
        strengths: list[float] = []
        for counted in plan.counted:
            literal = plan.rule.conditions[counted.literal]
            window = window_of(counted, self.run, env)
            if window is None:
                continue
            value, strength, rows = aggregate(counted, self.run, env, window, known_at)
            facts = tuple(self.run.facts.fact(row[NUMBER]) for row in rows)
            strengths.append(strength)
            words = literal_words(literal, values, self.run.facts.therapist)
            checked.append(Checked(words, counted.literal, facts, value))
        for index, literal in enumerate(plan.rule.conditions):
            if isinstance(literal, Comparison):
                words = literal_words(literal, values, self.run.facts.therapist)
                checked.append(Checked(words, index))
        checked += [self.look(plan, look, env, values, known_at) for look in plan.looks]
        return tuple(sorted(checked, key=lambda c: c.literal)), strengths

    def look(
        self, plan: Plan, look: Look, env: list[Any], values: Mapping[str, str | int], known_at: int
    ) -> Checked:
        """Returns the record of an absence, with the facts that were too weak to block."""
        window = window_of(look, self.run, env)
        rows = rows_in(look.weak, look, self.run, env, window) if window is not None else []
        rows = [row for row in rows if row[KNOWN_AT] <= known_at]
        facts = tuple(dict.fromkeys(self.run.facts.fact(row[NUMBER]) for row in rows))
        value = max([row[STRENGTH] for row in rows], default=0.0)
        return Checked(self.look_words(plan, look, values), look.literal, facts, value)

    def look_words(self, plan: Plan, look: Look, values: Mapping[str, str | int]) -> str:
        """Returns what must not be, in words."""
        literals = plan.rule.literals
        if look.literal == len(literals):
            one, other = (str(values[t.name]) for t in plan.rule.params[:2])
            return f"no safety cue ({', '.join(SAFETY)}) between {one} and {other}"
        words = literal_words(literals[look.literal], values, self.run.facts.therapist)
        return words if isinstance(literals[look.literal], Static) else f"no {words}"


def env_of(plan: Plan, match: Match, run: Run) -> list[Any]:
    """Returns the values of a match with the constants of its rule."""
    env: list[Any] = plan.template[:]
    env[: len(match[1])] = match[1]
    for place in plan.therapist:
        env[place] = run.facts.therapist
    return env


def literal_words(
    literal: Event | Aggregate | Static | Comparison,
    values: Mapping[str, str | int],
    therapist: str,
) -> str:
    """Returns a literal as rules write it, with people and turns put in."""

    def who(term: Term) -> str:
        if term.kind == "therapist":
            return therapist
        if term.kind == "any":
            return "anybody"
        return str(values.get(term.name, term.name)) if term.kind == "variable" else term.name

    def turn(name: str) -> str:
        return f"turn {values[name]}" if name in values else name

    def side(term: Term, *, of_turns: bool) -> str:
        return turn(term.name) if of_turns else who(term)

    if isinstance(literal, Static):
        return f"{'not ' * literal.negated}{literal.name}({', '.join(map(who, literal.args))})"
    if isinstance(literal, Comparison):
        more = (
            f" {'+' if literal.offset > 0 else '-'} {abs(literal.offset)}" if literal.offset else ""
        )
        left = side(literal.left, of_turns=literal.of_turns)
        right = side(literal.right, of_turns=literal.of_turns)
        return f"{left} {literal.operator} {right}{more}"
    if isinstance(literal, Aggregate):
        inner = literal_words(literal.event, values, therapist)
        return f"{literal.kind} of {inner}"
    parts = [" or ".join(literal.predicates)]
    if literal.people is not None:
        between = f" {literal.arrow} " if literal.arrow else ", "
        parts.append(between.join(map(who, literal.people)))
    if literal.turn in values:
        parts.append(f"at {turn(literal.turn)}")
    parts += [_window_words(window, turn) for window in literal.windows]
    if literal.at_least is not None:
        parts.append(f"at least {literal.at_least:g}")
    return " ".join(parts)


def _window_words(window: Window, turn: Any) -> str:
    if window.kind == "between":
        return f"between {turn(window.turn)} and {turn(window.until)}"
    near = f"within {window.limit:g} {window.unit} " if window.limit is not None else ""
    return f"{near}{window.kind} {turn(window.turn)}"
