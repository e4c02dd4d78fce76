"""The sides of comparisons: an approach in a run is an arm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from relgraph.errors import unknown_name
from relgraph.evaluation.comparing.runs import Recorded, Said

ALL_TURNS = -1


@dataclass(frozen=True, slots=True)
class Arm:
    """An approach in one of the runs.

    Attributes:
        name: the approach's, with `@` and the number of the run where several runs have it.
        approach: as in the registry.
        run: number of the run, from 1.
        floor: whether it is a floor.
        seeds: what it said, for each training seed.
        settings: what its run was set to, and the protocol.
    """

    name: str
    approach: str
    run: int
    floor: bool
    seeds: tuple[Said, ...]
    settings: Mapping[str, Any]

    def reads_all_turns(self, task: str) -> bool:
        """Returns whether it was shown all turns before the decision."""
        context = self.settings["view"]["context_turns"]
        return bool(context.get(task, ALL_TURNS) == ALL_TURNS)


def arms_of(runs: Sequence[Recorded]) -> dict[str, Arm]:
    """Returns all arms by name, in the order of runs and approaches."""
    count = Counter(name for run in runs for name in run.answers)
    found: dict[str, Arm] = {}
    for number, run in enumerate(runs, start=1):
        for approach in (name for name in run.what["approaches"] if name in run.answers):
            name = f"{approach}@{number}" if count[approach] > 1 else approach
            floor = approach in run.what.get("floors", ())
            settings = {**run.what["settings"], "protocol": run.protocol}
            found[name] = Arm(name, approach, number, floor, run.answers[approach], settings)
    return found


def arm_called(arms: Mapping[str, Arm], name: str) -> Arm:
    """Returns the arm of a name.

    Raises:
        UnknownNameError: there is none; where several runs have the approach, they are listed.
    """
    if name not in arms:
        raise unknown_name("side of a comparison", name, tuple(arms))
    return arms[name]
