"""What reasoning starts from and ends with: facts, firings, and what a firing checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from relgraph.cues.records import Cue


class Atom(NamedTuple):
    """What is said to hold: `blame T12: Ana -> Ben` is `Atom("blame", 12, ("Ana", "Ben"))`.

    Attributes:
        predicate: a cue, a turn-taking or a static predicate, or the head of a rule.
        turn: the turn it stands at; 0 for what holds always (`partner(Ana, Ben)`).
        args: people by name, `nobody`, `group`, or other constants.
    """

    predicate: str
    turn: int
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """An atom that holds, from the turn on at which it is known.

    Attributes:
        atom: what holds.
        known_at: index of the last turn that had to be seen to know it. One atom may be known
            twice, from different evidence, at different turns: those are two facts.
        strength: in (0, 1]; over several firings with the same `known_at`, the largest.
        cue: where it is a cue: the cue itself; None for what rules concluded and for statics.
    """

    atom: Atom
    known_at: int
    strength: float
    cue: Cue | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """A condition that is no single fact: an absence, an aggregate, a comparison.

    Attributes:
        condition: in words, with the people and turns put in: `no soften Ana -> Ben between
            turn 12 and turn 13`.
        literal: which literal of the rule, from 0, in the order of the text.
        facts: an absence: facts in the window that were too weak to block; an aggregate: the
            facts that it took, the strongest one a turn.
        value: an aggregate's value; the strongest of `facts` for an absence; else 0.
    """

    condition: str
    literal: int
    facts: tuple[Fact, ...] = ()
    value: float = 0.0


@dataclass(frozen=True, slots=True)
class Firing:
    """One way a rule came true.

    Attributes:
        rule: id of the rule, `pack:head/variant`.
        conclusion: the fact that it supports, with this firing's own strength.
        weight: the rule's weight.
        bindings: variable -> person, constant or turn, in order of the rule's text.
        evidence: the facts that its positive literals matched, in order of the text.
        checked: absences, aggregates and comparisons, in order of the text.
    """

    rule: str
    conclusion: Fact
    weight: float
    bindings: tuple[tuple[str, str | int], ...]
    evidence: tuple[Fact, ...]
    checked: tuple[Checked, ...]
