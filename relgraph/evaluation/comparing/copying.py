"""How often an LLM says what it was shown: the copy rate, and what copying costs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from relgraph.evaluation.comparing.arms import Arm
from relgraph.intervals import compare
from relgraph.records import Case
from relgraph.sums import means
from relgraph.tasks import Task

SHOWN: Mapping[str, str] = {
    "llm+gnn": "gnn",
    "llm+text-head": "text-head",
    "llm+prior": "majority",
}
"""Approach -> whose first answer its prompt shows; of `llm+prior` the label that leads its list."""
OTHERWISE_SHOWN = (("llm+prior", "stp"),)
"""The prompt counts the parts that people play, the floor their places: not the same leads."""
PLAIN = "llm"
"""The approach whose agreement with what is shown, unseen by it, is what chance and skill give."""
Answered = tuple[Case, str, str, str]
"""A case with the first answers of the arm, of what it was shown, and of the plain LLM."""


def copying(
    task: Task, cases: Mapping[str, Case], arms: Sequence[Arm], *, seed: int
) -> list[dict[str, Any]]:
    """Returns a row for each arm of `SHOWN` whose shown findings and plain LLM are in its run.

    All of it is over the instances that arm, source and plain LLM answered, at the first training
    seed. A row has `n`; of all of them, of those where the source is `right` and where it is
    `wrong`: how often the arm says what the source says (`copied`), how often the plain LLM does
    (`plain_agrees`), and the shares that the arm and the plain LLM have right. `lift` is copied
    minus plain_agrees over all, with its interval over relationships; `moved` is, where the plain
    LLM said something else, how often the arm says what it was shown.
    """
    if task.answer != "choice":
        return []
    rows = []
    for arm in arms:
        by_name = {other.approach: other for other in arms if other.run == arm.run}
        source, plain = by_name.get(SHOWN.get(arm.approach, "")), by_name.get(PLAIN)
        if source is None or plain is None or (arm.approach, task.name) in OTHERWISE_SHOWN:
            continue
        said = list(_answered(cases, arm, source, plain))
        if said:
            rows.append(_row(arm, source, plain, said, seed))
    return rows


def _answered(cases: Mapping[str, Case], *arms: Arm) -> list[Answered]:
    found = []
    for name, case in cases.items():
        said = [arm.seeds[0].get(name) for arm in arms]
        first = [p.ranking[0] for p in said if p is not None and p.ranking]
        if len(first) == len(arms):
            found.append((case, *first))
    return found  # type: ignore[return-value]


def _row(arm: Arm, source: Arm, plain: Arm, said: Sequence[Answered], seed: int) -> dict[str, Any]:
    other = [row for row in said if row[3] != row[2]]
    return {
        "approach": arm.name,
        "source": source.name,
        "plain": plain.name,
        "n": len(said),
        "all": _shares(said),
        "right": _shares([row for row in said if row[2] == row[0].gold.label]),
        "wrong": _shares([row for row in said if row[2] != row[0].gold.label]),
        "lift": _lift(said, seed),
        "moved": {"n": len(other), "share": _share(other, lambda row: row[1] == row[2])},
    }


def _shares(said: Sequence[Answered]) -> dict[str, Any]:
    return {
        "n": len(said),
        "copied": _share(said, lambda row: row[1] == row[2]),
        "plain_agrees": _share(said, lambda row: row[3] == row[2]),
        "accuracy": _share(said, lambda row: row[1] == row[0].gold.label),
        "plain_accuracy": _share(said, lambda row: row[3] == row[0].gold.label),
    }


def _share(said: Sequence[Answered], holds: Callable[[Answered], bool]) -> float | None:
    return sum(map(holds, said)) / len(said) if said else None


def _lift(said: Sequence[Answered], seed: int) -> dict[str, float | None]:
    """Returns copied minus plain agreement, with its 95% interval over relationships."""
    units = [case.relationship or case.conversation_id for case, *_ in said]
    copied, agrees = (means([row[k] == row[2] for row in said], units) for k in (1, 3))
    found = compare(copied, agrees, seed=seed)
    return {"difference": found.difference, "low": found.low, "high": found.high}
