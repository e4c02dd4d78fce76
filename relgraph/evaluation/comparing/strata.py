"""A difference looked at in parts: by scenario, by gold class, by place in the conversation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from relgraph.evaluation.choices import role_of
from relgraph.evaluation.comparing.pairs import Pair, difference
from relgraph.evaluation.scores import DESCRIPTIVE_BELOW
from relgraph.records import Case

PARTS = 3
"""Places in a conversation are told in so many parts of about equally many instances."""
Part = tuple[str, ...] | tuple[int, ...]


def strata(of: Pair, *, seed: int) -> dict[str, list[dict[str, Any]]]:
    """Returns the differences of an answered pair `by_scenario`, `by_class` and `by_position`.

    A part has its name, what `pairs.difference` says of it, and whether it is `descriptive`: of few
    relationships. It has no p-value: these are looks at one and the same data. A class is a gold
    answer in a scenario, of STP the part that a person plays; open answers have none. Places are
    numbers of turns from the start of the conversation, in thirds of the instances.
    """
    bins = thirds([item.case.turn for item in of.first[0]])
    found = {"by_scenario": _split(of, ("scenario",), _scenario, seed)}
    if of.task.answer == "choice":
        found["by_class"] = _split(of, ("scenario", "class"), _class, seed)

    def place(case: Case) -> Part:
        return next(b for b in bins if case.turn <= b[1])

    found["by_position"] = _split(of, ("from_turn", "to_turn"), place, seed)
    return found


def thirds(turns: Sequence[int]) -> list[tuple[int, int]]:
    """Returns the first and last turn of each third; equal turns are never torn apart."""
    order = sorted(turns)
    ends = sorted({order[-(-len(order) * k // PARTS) - 1] for k in range(1, PARTS + 1)})
    starts = [order[0], *(end + 1 for end in ends)]
    return list(zip(starts, ends, strict=False))


def _split(
    of: Pair, fields: Sequence[str], key: Callable[[Case], Part], seed: int
) -> list[dict[str, Any]]:
    rows = []
    for name in sorted({key(item.case) for item in of.first[0]}):
        part = of.where(lambda case, name=name: key(case) == name)  # type: ignore[misc]
        found = difference(part, seed=seed)
        if found is None:
            continue
        del found["p"]
        few = found["relationships"] < DESCRIPTIVE_BELOW
        rows.append({**dict(zip(fields, name, strict=True)), **found, "descriptive": few})
    return rows


def _scenario(case: Case) -> Part:
    return (case.instance.conversation.scenario,)


def _class(case: Case) -> Part:
    return (case.instance.conversation.scenario, role_of(case, case.gold.label))
