"""What is compared, what of it was fixed beforehand, and the correction for that alone."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from relgraph.errors import DataError, UnknownNameError
from relgraph.evaluation.comparing.arms import Arm
from relgraph.evaluation.comparing.comparison import Asked, compare_runs
from relgraph.evaluation.comparing.contrasts import Contrast, contrasts_of
from relgraph.evaluation.comparing.tables import show_comparison
from relgraph.evaluation.runner import Data
from tests.evaluation.comparing.made import WriteRun, data_of, talk


def arm(approach: str, *, run: int = 1, floor: bool = False, **settings: Any) -> Arm:
    view = {"context_turns": {"rpp": settings.pop("context", -1)}}
    known = {"protocol": "strict", "blocks": [], "view": view, **settings}
    return Arm(f"{approach}@{run}", approach, run, floor, ({},), known)


def among(*arms: Arm, **how: Any) -> list[tuple[str, str]]:
    found = contrasts_of({a.name: a for a in arms}, **how)
    return [(c.first.name, c.second.name) for c in found]


def is_primary(first: Arm, second: Arm, task: str = "rpp") -> bool:
    return Contrast(first, second).is_primary(task)


def test_two_contrasts_on_three_tasks_are_primary() -> None:
    for task in ("rpp", "stp", "ssp"):
        assert is_primary(arm("llm+graph"), arm("llm+placebo"), task)
        assert is_primary(arm("llm+gnn"), arm("llm+text-head"), task)


@pytest.mark.parametrize("task", ["itp", "er", "vp"])
def test_other_tasks_are_exploratory(task: str) -> None:
    assert not is_primary(arm("llm+graph"), arm("llm+placebo"), task)


@pytest.mark.parametrize(
    ("first", "second"),
    [("llm+graph", "llm"), ("llm+placebo", "llm+graph"), ("llm+gnn", "gnn"), ("fusion", "gnn")],
)
def test_other_pairs_are_exploratory(first: str, second: str) -> None:
    assert not is_primary(arm(first), arm(second))


@pytest.mark.parametrize(
    "more", [{"context": 3}, {"protocol": "paper"}, {"blocks": ["rules"]}], ids=str
)
def test_the_contrasts_asked_in_another_way_are_exploratory(more: dict[str, Any]) -> None:
    assert not is_primary(arm("llm+graph", **more), arm("llm+placebo", **more))


def test_arms_of_two_runs_are_a_primary_contrast_only_where_both_were_asked_alike() -> None:
    first = arm("llm+graph", model="a")
    assert is_primary(first, arm("llm+placebo", run=2, model="a"))
    assert not is_primary(first, arm("llm+placebo", run=2, model="b"))


def test_by_default_all_stand_against_llm_and_what_is_primary_comes_first() -> None:
    arms = [arm(n) for n in ("llm", "llm+graph", "llm+placebo", "gnn")]
    assert among(*arms) == [
        ("llm+graph@1", "llm+placebo@1"),
        ("llm+graph@1", "llm@1"),
        ("llm+placebo@1", "llm@1"),
        ("gnn@1", "llm@1"),
    ]


def test_by_default_the_controls_of_fusion_and_gnn_are_compared() -> None:
    arms = [arm(n) for n in ("llm", "gnn", "llm+gnn", "llm+prior", "fusion", "fusion+text-head")]
    found = among(*arms)
    for pair in (
        ("llm+gnn@1", "gnn@1"),
        ("llm+gnn@1", "llm+prior@1"),
        ("fusion@1", "fusion+text-head@1"),
        ("fusion@1", "gnn@1"),
    ):
        assert pair in found


def test_an_approach_is_compared_within_its_run_and_with_itself_in_the_others() -> None:
    arms = [arm(n, run=r) for r in (1, 2) for n in ("llm", "llm+graph")]
    assert among(*arms) == [
        ("llm+graph@1", "llm@1"),
        ("llm+graph@2", "llm@2"),
        ("llm@1", "llm@2"),
        ("llm+graph@1", "llm+graph@2"),
    ]


def test_floors_take_part_where_they_are_named_or_alone() -> None:
    arms = [arm("rules"), arm("gnn"), arm("majority", floor=True)]
    assert among(*arms) == [("gnn@1", "rules@1")]
    assert among(*arms, base="majority@1") == [("rules@1", "majority@1"), ("gnn@1", "majority@1")]
    assert among(arm("gnn"), arms[2]) == [("majority@1", "gnn@1")]


def test_pairs_are_taken_as_they_are_named() -> None:
    arms = [arm(n) for n in ("llm", "gnn", "rules")]
    assert among(*arms, pairs=[("gnn@1", "rules@1")]) == [("gnn@1", "rules@1")]


def test_an_unknown_side_is_named_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"llm\+graf@1.*llm\+graph@1"):
        among(arm("llm+graph"), arm("llm"), pairs=[("llm+graf@1", "llm@1")])


def test_nothing_is_compared_with_itself() -> None:
    with pytest.raises(DataError, match="itself"):
        among(arm("llm"), arm("gnn"), pairs=[("llm@1", "llm@1")])


def test_one_arm_alone_is_nothing_to_compare() -> None:
    with pytest.raises(DataError, match="nothing to compare"):
        among(arm("llm"))


def two_primary_tasks(write_run: WriteRun) -> tuple[Path, Data]:
    """Eight couples, one instance each of RPP and STP.

    RPP: llm+graph is right where llm+placebo is not in 7 of 8, and they are equal in the other:
    p = 2 / 2^7. STP: likewise in 5 of 8: p = 2 / 2^5.
    """
    data = data_of(*(talk(f"t{k}", "p") for k in range(8)))
    names = [c.id for c in data.conversations]
    answers = {
        "llm": {"rpp": {**dict.fromkeys(names, "a"), "t0": "p"}},
        "llm+graph": {
            "rpp": dict.fromkeys(names, "p"),
            "stp": {name: ["Ann"] for name in names},
        },
        "llm+placebo": {
            "rpp": {**dict.fromkeys(names, "a"), "t0": "p"},
            "stp": {name: ["Bob" if k < 5 else "Ann"] for k, name in enumerate(names)},
        },
    }
    return write_run(data, answers), data


def test_holm_is_over_the_primary_contrasts_that_are_here_and_over_nothing_else(
    write_run: WriteRun,
) -> None:
    """Of two tests the smaller p counts twice, the larger once; no exploratory one is corrected."""
    run, data = two_primary_tasks(write_run)
    found = compare_runs([run], data, Asked())
    rows = {(r["task"], r["first"], r["second"]): r for r in found["contrasts"]}
    rpp = rows["rpp", "llm+graph", "llm+placebo"]
    stp = rows["stp", "llm+graph", "llm+placebo"]
    assert (rpp["p"], stp["p"]) == (pytest.approx(2 / 128), pytest.approx(2 / 32))
    assert (rpp["p_holm"], stp["p_holm"]) == (pytest.approx(4 / 128), pytest.approx(2 / 32))
    assert found["primary"]["present"] == 2
    assert found["primary"]["fixed"] == 6
    rest = [r for r in found["contrasts"] if not r["primary"]]
    assert [r["first"] for r in rest] == ["llm+graph", "llm+placebo"]
    assert [r["p_holm"] for r in rest] == [None, None]
    assert (rpp["power"]["tests"], rest[0]["power"]["tests"]) == (2, 1)


@pytest.mark.parametrize(
    "asked", [Asked(tasks=("rpp",)), Asked(tasks=("rpp",), pairs=(("llm+graph", "llm+placebo"),))]
)
def test_what_is_not_shown_counts_for_holm_all_the_same(write_run: WriteRun, asked: Asked) -> None:
    run, data = two_primary_tasks(write_run)
    found = compare_runs([run], data, asked)
    rpp = next(r for r in found["contrasts"] if r["primary"])
    assert (rpp["task"], rpp["p_holm"]) == ("rpp", pytest.approx(4 / 128))
    assert (rpp["power"]["tests"], found["primary"]["present"]) == (2, 2)


def test_where_no_primary_contrast_is_shown_it_is_not_said_that_the_runs_have_none(
    write_run: WriteRun,
) -> None:
    run, data = two_primary_tasks(write_run)
    found = compare_runs([run], data, Asked(pairs=(("llm+graph", "llm"),)))
    out = StringIO()
    show_comparison(found, out)
    assert "None of these 6 is shown" in " ".join(out.getvalue().split())
