"""Proofs: why a conclusion holds, down to the words it was read from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from relgraph.reasoning.language import Aggregate, Rule
from relgraph.reasoning.records import Checked, Fact, Firing
from relgraph.reasoning.wording import fact_words, put_in
from relgraph.terminal import one_line

if TYPE_CHECKING:
    from relgraph.reasoning.engine import Reasoning


@dataclass(frozen=True, slots=True)
class Step:
    """A fact that a proof leans on; `proof` says why it holds where rules concluded it."""

    fact: Fact
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """A condition that is no single fact, with what was found when it was looked at.

    `counted` says that `steps` hold what an aggregate took; of an absence they hold what was
    there and too weak to block.
    """

    checked: Checked
    counted: bool = False
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Proof:
    """Why a conclusion holds: its strongest firing, laid out.

    Attributes:
        conclusion: what holds.
        rule: the rule that gave it its strength.
        firing: how the rule came true.
        reading: the rule's reading with the names put in.
        steps: what its conditions matched, in the order of the rule's text.
        checks: absences, aggregates, comparisons and the safety check, in that order too.
        others: the other firings for the same conclusion, the strongest first.
    """

    conclusion: Fact
    rule: Rule
    firing: Firing
    reading: str
    steps: tuple[Step, ...]
    checks: tuple[Check, ...]
    others: tuple[Firing, ...] = ()

    @property
    def weakest(self) -> float:
        """The strength of the weakest thing matched, by which the rule's weight is multiplied."""
        return self.conclusion.strength / self.firing.weight if self.firing.weight else 0.0

    @property
    def arithmetic(self) -> str:
        """How the strength comes about: `0.69 = 0.90 (rule) x 0.77 (weakest)`."""
        return (
            f"{self.conclusion.strength:.2f} = {self.firing.weight:.2f} (rule) "
            f"x {self.weakest:.2f} (weakest)"
        )

    @property
    def turns(self) -> tuple[int, ...]:
        """The turns of the cues and turn-taking facts that it comes down to, rising."""
        return tuple(sorted({fact.atom.turn for fact in self.leaves() if fact.atom.turn}))

    def leaves(self) -> Iterator[Fact]:
        """Yields the given facts that the proof comes down to, in order, some more than once."""
        parts = [*self.steps, *(s for c in self.checks if c.counted for s in c.steps)]
        for step in parts:
            if step.proof is None:
                yield step.fact
            else:
                yield from step.proof.leaves()


def prove(reasoning: Reasoning, fact: Fact) -> Proof:
    """Returns the proof of a conclusion; derived evidence has its own proof in it.

    Raises:
        KeyError: no rule concluded `fact`.
    """
    return _Prover(reasoning).proof(fact)


def prove_all(reasoning: Reasoning, facts: tuple[Fact, ...] | None = None) -> tuple[Proof, ...]:
    """Returns a proof each of `facts`, or of all conclusions; what they share is built once."""
    prover = _Prover(reasoning)
    return tuple(prover.proof(f) for f in (reasoning.conclusions if facts is None else facts))


def because(reasoning: Reasoning, fact: Fact) -> tuple[str, ...]:
    """Returns the proof of a conclusion in a few short lines: for predictions and prompts.

    First what was concluded, by which rule and how strongly; then what it was read from, one line
    a fact, `turn 12: Ana -> Ben  demand 0.79  "will you answer me"`; then what was found absent
    or counted. Lines below the first are indented by two spaces a level.
    """
    return tuple(_because(prove(reasoning, fact), 0))


def _because(proof: Proof, level: int) -> Iterator[str]:
    pad = "  " * level
    if not level:
        yield f"{proof.reading} ({proof.rule.id} {proof.conclusion.strength:.2f})"
    for step in proof.steps:
        if not step.fact.atom.turn:
            continue
        yield f"{pad}turn {step.fact.atom.turn}: {fact_words(step.fact)}"
        if step.proof is not None:
            yield from _because(step.proof, level + 1)
    for check in proof.checks:
        said = check.checked.condition
        if check.counted:
            turns = ", ".join(str(step.fact.atom.turn) for step in check.steps)
            said = f"{said} = {check.checked.value:.4g} (turns {turns})"
        yield pad + one_line(said)


class _Prover:
    """Builds proofs, each conclusion's once."""

    def __init__(self, reasoning: Reasoning) -> None:
        self._reasoning = reasoning
        self._proofs: dict[Fact, Proof] = {}
        self._rules = {rule.id: rule for rule in reasoning.rules.rules}
        self._derived = frozenset(reasoning.conclusions)

    def proof(self, fact: Fact) -> Proof:
        if fact not in self._proofs:
            # the strongest first, and that one does not rest on the conclusion itself
            firings = self._reasoning.firings_for(fact)
            if not firings:
                raise KeyError(f"no rule concluded {fact_words(fact)}")
            self._proofs[fact] = self._of(fact, firings[0], firings[1:])
        return self._proofs[fact]

    def _of(self, fact: Fact, firing: Firing, others: tuple[Firing, ...]) -> Proof:
        rule = self._rules[firing.rule]
        return Proof(
            conclusion=fact,
            rule=rule,
            firing=firing,
            reading=put_in(rule.reading or rule.head, dict(firing.bindings)),
            steps=tuple(map(self._step, firing.evidence)),
            checks=tuple(self._check(rule, checked) for checked in firing.checked),
            others=others,
        )

    def _check(self, rule: Rule, checked: Checked) -> Check:
        literals = rule.literals
        counted = checked.literal < len(literals) and isinstance(
            literals[checked.literal], Aggregate
        )
        weak = () if counted else tuple(Step(fact) for fact in checked.facts)
        return Check(checked, counted, tuple(map(self._step, checked.facts)) if counted else weak)

    def _step(self, fact: Fact) -> Step:
        return Step(fact, self.proof(fact) if fact in self._derived else None)
