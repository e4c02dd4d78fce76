"""On the benchmark the tasks have exactly the instances of the published rules."""

import json
from pathlib import Path
from typing import Any

import pytest

from relgraph.corpora import read
from relgraph.records import Case, Conversation, View
from relgraph.registry import load, names


def entry(task: str, conversation: Conversation, case: Case) -> Any:
    if task in ("er", "vp"):
        return case.turn
    if task in ("itp", "rpp"):
        return [case.turn, case.gold.label]
    strategy = conversation.annotation(case.turn).strategies[0].type
    if task == "stp":
        return [case.turn, case.gold.label, strategy]
    assert case.gold.label == strategy
    return [case.turn, case.instance.target, strategy]


@pytest.mark.rescue
@pytest.mark.parametrize("task", names("task"))
def test_the_instances_of_a_task_are_the_expected_ones(task: str, rescue_folder: Path) -> None:
    expected = json.loads((rescue_folder / "expected_instances.json").read_text())
    wanted = {id: found for id, found in expected["instances"][task.upper()].items() if found}
    got = {
        c.id: found
        for c in read(rescue_folder / "rescue_dev.jsonl")
        if (found := [entry(task, c, case) for case in load("task", task).cases(c, View())])
    }
    assert got == wanted
