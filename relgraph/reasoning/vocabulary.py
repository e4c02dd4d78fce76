"""The predicates that hold before any rule, and the shape each is written in."""

from __future__ import annotations

from typing import Literal, NamedTuple

from relgraph.cues.codebook import CODEBOOK

Form = Literal["dyadic", "detailed", "person", "static"]
SAFETY = ("fear_of", "coercion", "threat", "violence")
"""Cues between two people that forbid any `mutual` rule between them."""
GROUP, NOBODY = "group", "nobody"
NOT_PEOPLE = frozenset({GROUP, NOBODY})
"""Arguments that no variable of an arrow stands for."""


class Shape(NamedTuple):
    """How a predicate is written: its form, the number of its terms, the kinds of its detail."""

    form: Form
    arity: int
    details: tuple[str, ...] = ()

    def written(self, name: str) -> str:
        """Returns how a rule writes it."""
        if self.form == "static":
            return f"{name}({', '.join('AB'[: self.arity])})"
        people = {"dyadic": "A -> B", "detailed": "A, DETAIL", "person": "A"}[self.form]
        return f"{name} T: {people}"


EVENTS: dict[str, Shape] = {
    **{
        name: Shape("detailed", 2, entry.details) if entry.details else Shape("dyadic", 2)
        for name, entry in CODEBOOK.items()
    },
    "said": Shape("person", 1),
    "addressed": Shape("dyadic", 2),
    "to_group": Shape("person", 1),
}
STATICS: dict[str, Shape] = {
    **{name: Shape("static", 1) for name in ("person", "client", "therapist", "parent", "child")},
    **{name: Shape("static", 2) for name in ("partner", "older")},
}
EVERYWHERE = frozenset({"said", "addressed"})
"""Predicates that hold in nearly every turn."""
