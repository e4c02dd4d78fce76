"""Which arms are compared, and which of these comparisons were fixed before anything was seen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from relgraph.errors import DataError
from relgraph.evaluation.comparing.arms import Arm, arm_called

PRIMARY = (("llm+graph", "llm+placebo"), ("llm+gnn", "llm+text-head"))
PRIMARY_TASKS = ("rpp", "stp", "ssp")
FIXED_BEFOREHAND = len(PRIMARY) * len(PRIMARY_TASKS)
"""Two contrasts on three tasks. All else is exploratory, whatever it shows."""
CONTROLS = (
    ("llm+gnn", "gnn"),
    ("llm+gnn", "llm+prior"),
    ("fusion", "fusion+text-head"),
    ("fusion", "gnn"),
)
"""Exploratory pairs that are shown without being asked for."""
BASE = "llm"


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two arms to compare; the first minus the second."""

    first: Arm
    second: Arm

    def is_primary(self, task: str) -> bool:
        """Returns whether the comparison is one of those fixed beforehand.

        They are so with all prior turns as context, the strict protocol, the blocks that are the
        approaches' own, and both arms asked alike.
        """
        settings = self.first.settings
        return (
            (self.first.approach, self.second.approach) in PRIMARY
            and task in PRIMARY_TASKS
            and settings["protocol"] == "strict"
            and not settings.get("blocks")
            and self.first.reads_all_turns(task)
            and alike(self.first, self.second)
        )


def alike(first: Arm, second: Arm) -> bool:
    """Returns whether two arms were asked in the same way: in one run, or with equal settings."""
    return first.run == second.run or first.settings == second.settings


def contrasts_of(
    arms: Mapping[str, Arm], *, pairs: Sequence[tuple[str, str]] = (), base: str = ""
) -> list[Contrast]:
    """Returns what to compare: the pairs, or every arm with the base, or what is there by default.

    By default these are the primary contrasts, every arm with `llm` (or the first arm, where no
    run has it), the controls, and each approach with itself in the other runs. Floors take part
    where they are named, or where there is nothing else.

    Args:
        arms: by name.
        pairs: names of arms, the first minus the second.
        base: name of the arm that every other one is compared with.

    Raises:
        UnknownNameError: there is no arm of a name.
        DataError: an arm would be compared with itself, or there is only one.
    """
    if pairs:
        found = [Contrast(arm_called(arms, a), arm_called(arms, b)) for a, b in pairs]
        if same := next((c for c in found if c.first == c.second), None):
            raise DataError(f"{same.first.name} cannot be compared with itself. Name two sides.")
        return found
    models = [arm for arm in arms.values() if not arm.floor]
    others = models if len(models) > 1 or (base and models) else list(arms.values())
    if base:
        against = arm_called(arms, base)
        found = [Contrast(arm, against) for arm in others if arm is not against]
    else:
        found = list(_by_default(others))
    if not found:
        raise DataError(
            f"nothing to compare: there is only {', '.join(arms) or 'an empty run'}. Name two "
            "runs, or one that holds several approaches."
        )
    return found


def fixed_beforehand(arms: Mapping[str, Arm]) -> list[Contrast]:
    """Returns the pairs of `PRIMARY` among the arms, whatever else is asked for."""
    return list(_named(list(arms.values()), PRIMARY))


def _by_default(arms: Sequence[Arm]) -> Iterator[Contrast]:
    names = {arm.approach for arm in arms}
    base = BASE if BASE in names else arms[0].approach if arms else ""
    with_base = [(name, base) for name in _once(arms) if name != base]
    yield from _named(arms, [*PRIMARY, *with_base, *CONTROLS])
    for name in _once(arms):
        same = [arm for arm in arms if arm.approach == name]
        yield from (Contrast(same[0], arm) for arm in same[1:])


def _named(arms: Sequence[Arm], wanted: Sequence[tuple[str, str]]) -> Iterator[Contrast]:
    """Yields each pair of approaches once, of the arms that are nearest to each other."""
    seen: set[tuple[str, str]] = set()
    for one, other in wanted:
        for first in (a for a in arms if a.approach == one):
            second = _partner(first, [a for a in arms if a.approach == other])
            if second is not None and (first.name, second.name) not in seen:
                seen.add((first.name, second.name))
                yield Contrast(first, second)


def _once(arms: Collection[Arm]) -> list[str]:
    return list(dict.fromkeys(arm.approach for arm in arms))


def _partner(first: Arm, candidates: Sequence[Arm]) -> Arm | None:
    """Returns the arm of the same run, else one asked alike, else any."""
    nearest = sorted(candidates, key=lambda a: (a.run != first.run, not alike(first, a)))
    return nearest[0] if nearest else None
