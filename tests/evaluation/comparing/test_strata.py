"""Differences in parts, worked out on paper."""

from pathlib import Path

import pytest

from relgraph.evaluation.comparing.arms import arms_of
from relgraph.evaluation.comparing.pairs import pair
from relgraph.evaluation.comparing.runs import read_run
from relgraph.evaluation.comparing.strata import strata, thirds
from relgraph.evaluation.runner import Data
from tests.evaluation.comparing.made import TASKS, WriteRun, cases_in, data_of, talk

# turns 2, 4 and 6 of each; families know no attack_attack, so theirs is a pattern of both sets
DATA = data_of(talk("x", "paw"), talk("y", "par"), talk("f", "ppr", scenario="family"))
SAID = {
    "llm": {"x": "paa", "y": "prr", "f": "prr"},
    "gnn": {"x": "rrr", "y": "par", "f": "ppr"},
}


def parts(folder: Path, data: Data = DATA) -> dict[str, list[dict[str, object]]]:
    arms = arms_of([read_run(folder)])
    return strata(pair(TASKS["rpp"], cases_in(data), arms["llm"], arms["gnn"]).answered, seed=0)


def test_by_scenario(write_run: WriteRun) -> None:
    # couples: llm 2 + 2 of 6, gnn 0 + 3; family: llm 2 of 3, gnn 3
    rows = parts(write_run(DATA, SAID))["by_scenario"]
    assert [(r["scenario"], r["n"], r["relationships"]) for r in rows] == [
        ("couple", 6, 2),
        ("family", 3, 1),
    ]
    assert [r["difference"] for r in rows] == pytest.approx([1 / 6, -1 / 3])


def test_by_gold_class_within_scenarios(write_run: WriteRun) -> None:
    rows = parts(write_run(DATA, SAID))["by_class"]
    found = {
        (r["scenario"], r["class"]): (r["n"], r["first_value"], r["second_value"]) for r in rows
    }
    assert found == {
        ("couple", "attack_attack"): (2, 0.5, 0.5),
        ("couple", "pursue_withdraw"): (2, 1, 0.5),
        ("couple", "repair_softening"): (1, 1, 1),
        ("couple", "withdraw_withdraw"): (1, 0, 0),
        ("family", "pursue_withdraw"): (2, 0.5, 1),
        ("family", "repair_softening"): (1, 1, 1),
    }


def test_by_place_in_the_conversation(write_run: WriteRun) -> None:
    # llm is right 3, 1 and 2 times at turns 2, 4 and 6, gnn 2, 2 and 2
    rows = parts(write_run(DATA, SAID))["by_position"]
    found = [(r["from_turn"], r["to_turn"], r["n"], r["difference"]) for r in rows]
    assert found == [
        (2, 2, 3, pytest.approx(1 / 3)),
        (3, 4, 3, pytest.approx(-1 / 3)),
        (5, 6, 3, 0),
    ]


def test_parts_have_no_p_value_and_say_that_they_are_of_few(write_run: WriteRun) -> None:
    for rows in parts(write_run(DATA, SAID)).values():
        for row in rows:
            assert "p" not in row
            assert row["descriptive"] is True


def test_people_are_told_by_the_part_that_they_play(write_run: WriteRun) -> None:
    folder = write_run(DATA, {"llm": {"stp": {"x": ["Ann"]}}, "gnn": {"stp": {"x": ["Bob"]}}})
    arms = arms_of([read_run(folder)])
    of = pair(TASKS["stp"], cases_in(DATA, "stp"), arms["llm"], arms["gnn"]).answered
    assert [r["class"] for r in strata(of, seed=0)["by_class"]] == ["last client speaker"]


def test_thirds_are_of_about_equally_many() -> None:
    assert thirds([1, 2, 3, 4, 5, 6]) == [(1, 2), (3, 4), (5, 6)]
    assert thirds([9, 1, 5]) == [(1, 1), (2, 5), (6, 9)]
    assert thirds([1, 2, 3, 4, 5]) == [(1, 2), (3, 4), (5, 5)]


def test_equal_turns_are_never_torn_apart() -> None:
    assert thirds([1, 4, 4, 4, 4, 9]) == [(1, 4), (5, 9)]
    assert thirds([3, 3]) == [(3, 3)]
