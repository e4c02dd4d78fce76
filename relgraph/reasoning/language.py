"""What a rule file says, as records: packs, rules, and the literals that rules are made of.

`docs/rules.md` describes the language. `relgraph.reasoning.parse` reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

TermKind = Literal["variable", "constant", "therapist", "any"]
WindowKind = Literal["after", "before", "up to", "at", "between"]
Unit = Literal["", "turns", "seconds"]
Arrow = Literal["", "->", "<->"]
AggregateKind = Literal["count", "max", "noisy_or"]
Operator = Literal["=", "!=", "<", "<=", ">", ">="]
Severity = Literal["error", "warning"]

BLOCKS_AT = 0.5
"""How strong a fact must be to block where the rule does not say `at least`."""


class Place(NamedTuple):
    """Where something stands in a file; both count from 1."""

    line: int
    column: int


NOWHERE = Place(0, 0)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, or doubtful, in a rule file."""

    severity: Severity
    source: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        mark = "" if self.severity == "error" else "warning: "
        return f"{self.source}:{self.line}:{self.column}: {mark}{self.message}"


@dataclass(frozen=True, slots=True)
class Term:
    """Who or what stands in a place of a literal.

    Attributes:
        kind: `variable`; `constant`, to which `group` and `nobody` belong; `therapist`, which is
            the supporter whatever their name; `any` for `_`.
        name: the variable's name, or the constant's value.
    """

    kind: TermKind
    name: str

    def __str__(self) -> str:
        plain = self.kind != "constant" or self.name.replace("_", "").isalnum()
        return (
            self.name
            if plain and (self.kind != "constant" or self.name.islower())
            else (f'"{self.name}"')
        )


@dataclass(frozen=True, slots=True)
class Window:
    """Where the turn of an event may lie, from another turn.

    Attributes:
        kind: on which side of `turn`; `between` is strictly after `turn` and before `until`.
        turn: the turn variable that it counts from.
        until: the later turn variable of `between`, else "".
        limit: at most so many turns or seconds away; None where there is no `within`.
        unit: of `limit`; "" without one.
    """

    kind: WindowKind
    turn: str
    until: str = ""
    limit: float | None = None
    unit: Unit = ""
    place: Place = NOWHERE

    def __str__(self) -> str:
        if self.kind == "between":
            return f"between {self.turn} and {self.until}"
        near = f"within {self.limit:g} {self.unit} " if self.limit is not None else ""
        return f"{near}{self.kind} {self.turn}"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens in a turn: `any of blame, contempt T1: A -> B within ...`.

    Attributes:
        predicates: one name, or the several of `any of`.
        turn: the turn variable.
        people: the terms; None where the rule names none, so that anybody will do.
        arrow: `->`, `<->` for either direction, "" for terms parted by commas.
        windows: all of them must hold.
        at_least: the strength that is wanted; None where the rule does not say.
        place: of its first predicate.
    """

    predicates: tuple[str, ...]
    turn: str
    people: tuple[Term, ...] | None = None
    arrow: Arrow = ""
    windows: tuple[Window, ...] = ()
    at_least: float | None = None
    place: Place = NOWHERE

    def __str__(self) -> str:
        names = ", ".join(self.predicates)
        parts = [f"any of {names}" if len(self.predicates) > 1 else names]
        parts.append(self.turn if self.people is None else f"{self.turn}:")
        if self.people is not None:
            between = f" {self.arrow} " if self.arrow else ", "
            parts.append(between.join(map(str, self.people)))
        parts += map(str, self.windows)
        if self.at_least is not None:
            parts.append(f"at least {self.at_least:g}")
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`count of EVENT at least 3`: over turns, of which each gives its strongest fact."""

    kind: AggregateKind
    event: Event
    place: Place = NOWHERE

    @property
    def at_least(self) -> float:
        """The bound that the value must reach."""
        return self.event.at_least if self.event.at_least is not None else 1.0

    def __str__(self) -> str:
        return f"{self.kind} of {self.event}"


@dataclass(frozen=True, slots=True)
class Static:
    """What holds of people in the whole conversation: `partner(A, B)`, `not child(A)`."""

    name: str
    args: tuple[Term, ...]
    negated: bool = False
    place: Place = NOWHERE

    def __str__(self) -> str:
        return f"{'not ' * self.negated}{self.name}({', '.join(map(str, self.args))})"


@dataclass(frozen=True, slots=True)
class Comparison:
    """`A != B`, or of turns `T2 <= T1 + 3`, where `offset` is the 3."""

    left: Term
    operator: Operator
    right: Term
    offset: int = 0
    of_turns: bool = False
    place: Place = NOWHERE

    def __str__(self) -> str:
        more = f" {'+' if self.offset > 0 else '-'} {abs(self.offset)}" if self.offset else ""
        return f"{self.left} {self.operator} {self.right}{more}"


Condition = Event | Aggregate | Static | Comparison


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        id: `pack:head` or `pack:head/variant`.
        head: the predicate that it concludes.
        params: the head's terms.
        at: the turn variable that is the anchor; "" for the latest turn matched.
        reading: what the head means in words.
        weight: in (0, 1].
        repeat: most rounds of recursion; 0 for none.
        mutual: whether a safety cue between the first two of `params` forbids it.
        scenarios: where it applies, those of its pack if it names none; () for everywhere.
        cites: where it leans on.
        conditions: `when` and `and`, in order of the text.
        absences: `unless`, in order of the text.
        pack: name of its pack.
        source: file.
        line: of the word `rule`.
        column: of the word `rule`.
        text: as written.
        hash: of the text without comments, spacing and line breaks.
    """

    id: str
    head: str
    params: tuple[Term, ...]
    at: str
    reading: str
    weight: float
    repeat: int
    mutual: bool
    scenarios: tuple[str, ...]
    cites: tuple[str, ...]
    conditions: tuple[Condition, ...]
    absences: tuple[Event, ...]
    pack: str
    source: str
    line: int
    column: int
    text: str
    hash: str

    @property
    def literals(self) -> tuple[Condition, ...]:
        """Conditions, then absences: what `Checked.literal` counts through from 0."""
        return (*self.conditions, *self.absences)

    def problem(self, place: Place, message: str, severity: Severity = "error") -> Problem:
        """Returns a problem at a place of this rule's file."""
        return Problem(severity, self.source, place.line, place.column, message)


@dataclass(frozen=True, slots=True)
class Pack:
    """One rule file.

    Attributes:
        name: as it says, or as the file is called.
        title: in words.
        answers: tasks that its heads answer.
        scenarios: where it applies; () for everywhere.
        rules: in order of the text.
        source: file.
    """

    name: str
    title: str
    answers: tuple[str, ...]
    scenarios: tuple[str, ...]
    rules: tuple[Rule, ...]
    source: str
