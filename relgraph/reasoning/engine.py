"""The engine: from facts and rules to conclusions, one evaluation for every cut."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from relgraph.reasoning.clock import Clock, Times
from relgraph.reasoning.index import Facts
from relgraph.reasoning.near import Blocked, Miss, blocked, closest
from relgraph.reasoning.plan import Plan, Program
from relgraph.reasoning.records import Atom, Fact, Firing
from relgraph.reasoning.rounds import Firings, conclude, repeat, start
from relgraph.reasoning.ruleset import RuleSet
from relgraph.reasoning.steps import Conclusion, Match, Run
from relgraph.reasoning.told import Teller


def evaluate(
    rules: RuleSet, facts: Iterable[Fact], *, last_turn: int, times: Times | None = None
) -> Reasoning:
    """Returns all that follows from facts by rules up to a turn.

    What is known at or before a turn is what the facts known by then alone would give, so that
    one evaluation serves every cut.

    Args:
        rules: what follows from what; all of them are applied (see `RuleSet.for_scenario`).
        facts: given facts, in any order; those known after `last_turn` are left out.
        last_turn: index of the last turn that was seen.
        times: start and end of turns in seconds, of a recording; None where there is none.

    Raises:
        DataError: a fact is known before its turn, or its strength is outside of (0, 1].
        RunError: a rule without windows looks at too many facts.
    """
    program = rules.program
    held = Facts(facts, program.sources, last_turn)
    clock = Clock(times, last_turn) if times is not None else None
    run = Run(held, clock, last_turn)
    given = len(held.all)
    firings: Firings = {}
    there, plans = held.rows, program.plans

    def go(plan: Plan) -> None:
        if plan.first is None or (plan.seconds and clock is None):
            return
        for names in plan.needs:
            if len(names) == 1:
                if names[0] not in there:
                    return
            elif not any(name in there for name in names):
                return
        start(run, plan)

    for group, positions in program.groups:
        run.concluded = {}
        run.round = 0
        for position in positions:
            go(plans[position])
        if not run.concluded:
            continue
        own = [plans[position] for position in positions]
        if any(plan.inside for plan in own):
            run.rounds = {}
            repeat(run, group, plans, own, go, firings)
            run.rounds = {}
        else:
            conclude(run, plans, firings)
    return Reasoning(rules, run, given, firings)


class Reasoning:
    """What follows from the facts of one conversation; records are made when they are asked for.

    Attributes:
        rules: that were applied.
        last_turn: how far the conversation was seen.
    """

    def __init__(self, rules: RuleSet, run: Run, given: int, firings: Firings) -> None:
        self.rules, self.last_turn = rules, run.last_turn
        self._run, self._given, self._matches = run, given, firings
        self._teller = Teller(rules.program, run)

    @cached_property
    def given(self) -> tuple[Fact, ...]:
        """The facts that it starts from, in order of turns."""
        return tuple(self._run.facts.fact(number) for number in range(self._given))

    @cached_property
    def _numbers(self) -> list[int]:
        rows = sorted([(r[2], r[0], r[5], r[1], r[4]) for r in self._run.facts.all[self._given :]])
        return [row[4] for row in rows]

    @cached_property
    def conclusions(self) -> tuple[Fact, ...]:
        """What rules concluded, known at or before the last turn: the earliest known first."""
        return tuple([self._run.facts.fact(number) for number in self._numbers])

    @cached_property
    def _known(self) -> list[int]:
        return [fact.known_at for fact in self.conclusions]

    def at(self, turn: int) -> tuple[Fact, ...]:
        """Returns the conclusions known at or before a turn."""
        return self.conclusions[: bisect_right(self._known, turn)]

    @cached_property
    def firings(self) -> tuple[Firing, ...]:
        """All ways in which rules came true, in order of their conclusions."""
        return tuple(f for fact in self.conclusions for f in self.firings_for(fact))

    @cached_property
    def _by_atom(self) -> dict[tuple[Atom, int], int]:
        return {
            (Atom(row[5], row[0], row[1]), row[2]): row[4]
            for row in self._run.facts.all[self._given :]
        }

    def firings_for(self, fact: Fact) -> tuple[Firing, ...]:
        """Returns the ways in which a conclusion came true, the strongest first; () for others.

        The first one never rests on the conclusion itself.
        """
        number = self._by_atom.get((fact.atom, fact.known_at))
        if number is None:
            return ()
        conclusion = (fact.atom.predicate, fact.atom.turn, fact.atom.args, fact.known_at)
        return tuple(self._firing(conclusion, match) for match in self._matches[number])

    @cached_property
    def unconfirmed(self) -> tuple[Firing, ...]:
        """What would be concluded if the conversation ended here: windows that have not closed.

        `known_at` is the turn at which the window ends, after the last one.
        """
        pending = sorted(
            self._run.pending, key=lambda p: (p[0][3], p[0][1], p[0][0], p[0][2], p[1][0], p[1][2])
        )
        return tuple(self._firing(conclusion, match) for conclusion, match in pending)

    @cached_property
    def unavailable(self) -> tuple[str, ...]:
        """Ids of rules that could not be looked at: they need the times of a recording."""
        if self._run.clock is not None:
            return ()
        return tuple(plan.rule.id for plan in self._program.plans if plan.seconds)

    @cached_property
    def blocked(self) -> tuple[Blocked, ...]:
        """Firings that something stopped which must not be: an `unless`, a `not`, a safety cue."""
        return blocked(self._program, self._run, self._teller)

    def closest(self, head: str, *, until: int | None = None) -> Miss | None:
        """Returns the rule for `head` that came nearest by a turn, and what it lacked.

        Args:
            head: what a rule would conclude.
            until: the turn by which; the last one if it is None.

        Returns:
            None where there is no such rule, where it was concluded by then, or where nothing at
            all spoke for it.
        """
        by = self.last_turn if until is None else min(until, self.last_turn)
        return closest(self.rules.rules, self._run, (*self.given, *self.conclusions), head, by)

    @property
    def _program(self) -> Program:
        return self.rules.program

    def _firing(self, conclusion: Conclusion, match: Match) -> Firing:
        return self._teller.firing(conclusion, match)
