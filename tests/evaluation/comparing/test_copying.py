"""How often an LLM copies what it was shown, worked out on paper."""

from pathlib import Path
from typing import Any

import pytest

from relgraph.evaluation.comparing.arms import arms_of
from relgraph.evaluation.comparing.copying import copying
from relgraph.evaluation.comparing.runs import read_run
from tests.evaluation.comparing.made import TASKS, WriteRun, cases_in, data_of, talk

# gold:      p p p p | p p p p
# gnn:       p p a a | p a a r    right in 3 of 8
# llm+gnn:   p a a a | p a p p    says what gnn says in 1, 3, 4 | 1, 2: 5 of 8
# llm:       p a p a | r a p p    agrees in 1, 4 | 2: 3 of 8
DATA = data_of(talk("x", "pppp"), talk("y", "pppp"))
SAID = {
    "gnn": {"x": "ppaa", "y": "paar"},
    "llm": {"x": "papa", "y": "rapp"},
    "llm+gnn": {"x": "paaa", "y": "papp"},
}


def rows(*folders: Path) -> list[dict[str, Any]]:
    arms = arms_of([read_run(folder) for folder in folders])
    return copying(TASKS["rpp"], cases_in(DATA), list(arms.values()), seed=0)


def test_the_copy_rate_and_its_lift_over_what_llm_says_anyway(write_run: WriteRun) -> None:
    (row,) = rows(write_run(DATA, SAID))
    assert (row["approach"], row["source"], row["plain"]) == ("llm+gnn", "gnn", "llm")
    assert row["n"] == 8
    assert row["all"]["copied"] == 5 / 8
    assert row["all"]["plain_agrees"] == 3 / 8
    assert row["lift"]["difference"] == pytest.approx(2 / 8)
    # x: 3 - 2 of 4, y: 2 - 1 of 4: whichever are drawn, a quarter
    assert (row["lift"]["low"], row["lift"]["high"]) == pytest.approx((0.25, 0.25))


def test_copying_where_what_is_shown_is_right(write_run: WriteRun) -> None:
    (row,) = rows(write_run(DATA, SAID))
    # x1, x2, y1: copied in x1 and y1
    assert row["right"] == {
        "n": 3,
        "copied": pytest.approx(2 / 3),
        "plain_agrees": pytest.approx(1 / 3),
        "accuracy": pytest.approx(2 / 3),
        "plain_accuracy": pytest.approx(1 / 3),
    }


def test_copying_where_what_is_shown_is_wrong(write_run: WriteRun) -> None:
    (row,) = rows(write_run(DATA, SAID))
    # x3, x4, y2, y3, y4: copied in the first three; right in the other two; llm right in x3, y3, y4
    assert row["wrong"] == {
        "n": 5,
        "copied": 3 / 5,
        "plain_agrees": 2 / 5,
        "accuracy": 2 / 5,
        "plain_accuracy": 3 / 5,
    }


def test_how_often_the_arm_moves_to_what_it_is_shown(write_run: WriteRun) -> None:
    (row,) = rows(write_run(DATA, SAID))
    # llm says something else in x2, x3, y1, y3, y4; llm+gnn says gnn's in x3 and y1
    assert row["moved"] == {"n": 5, "share": 2 / 5}


def test_only_what_all_three_answered_counts(write_run: WriteRun) -> None:
    said = {**SAID, "llm": {"x": "!apa", "y": "rap"}, "gnn": {"x": "pp!a", "y": "paar"}}
    (row,) = rows(write_run(DATA, said))
    assert row["n"] == 5


def test_without_the_plain_llm_in_the_run_there_is_nothing_to_hold_copying_against(
    write_run: WriteRun,
) -> None:
    there = {name: SAID[name] for name in ("gnn", "llm+gnn")}
    assert rows(write_run(DATA, there)) == []
    other = write_run(DATA, {"llm": SAID["llm"]}, name="other")
    assert rows(write_run(DATA, there), other) == []


def test_nothing_that_was_answered_by_all_gives_no_row(write_run: WriteRun) -> None:
    said = {"gnn": {"x": "p"}, "llm": {"x": " p"}, "llm+gnn": {"x": "  p"}}
    assert rows(write_run(DATA, said)) == []


def test_where_what_is_shown_is_never_right_its_share_is_not_defined(write_run: WriteRun) -> None:
    (row,) = rows(write_run(DATA, {**SAID, "gnn": {"x": "aaaa", "y": "aaaa"}}))
    assert row["right"]["n"] == 0
    assert row["right"]["copied"] is None


def test_what_leads_the_prior_is_told_where_it_is_a_label_and_not_where_it_is_a_person(
    write_run: WriteRun,
) -> None:
    said = {name: {"rpp": {"x": "p"}, "stp": {"x": ["Ann"]}} for name in ("majority", "llm")}
    said["llm+prior"] = said["llm"]
    arms = list(arms_of([read_run(write_run(DATA, said, floors=["majority"]))]).values())
    (row,) = copying(TASKS["rpp"], cases_in(DATA), arms, seed=0)
    assert row["source"] == "majority"
    assert copying(TASKS["stp"], cases_in(DATA, "stp"), arms, seed=0) == []
