"""Runs read back, and refused where they cannot be compared."""

import json
from pathlib import Path

import pytest

from relgraph.errors import DataError
from relgraph.evaluation.comparing.arms import arms_of
from relgraph.evaluation.comparing.comparison import Asked, compare_runs
from relgraph.evaluation.comparing.runs import differences, read_run
from tests.evaluation.comparing.made import WriteRun, data_of, talk

DATA = data_of(talk("x", "pa"), talk("y", "aa"))
RIGHT, WRONG = {"x": "pa", "y": "aa"}, {"x": "rr", "y": "rr"}


def refused(*folders: Path, **asked: bool) -> str:
    with pytest.raises(DataError) as error:
        compare_runs(folders, DATA, Asked(**asked))  # type: ignore[arg-type]
    return str(error.value)


def test_every_answer_is_read_back(write_run: WriteRun) -> None:
    run = read_run(write_run(DATA, {"llm": RIGHT, "gnn": WRONG}))
    assert list(run.answers) == ["llm", "gnn"]
    assert sorted(p.ranking[0] for p in run.answers["llm"][0].values()) == [
        "attack_attack",
        "attack_attack",
        "attack_attack",
        "pursue_withdraw",
    ]


def test_further_training_seeds_are_read_in_the_order_of_their_numbers(
    write_run: WriteRun,
) -> None:
    folder = write_run(DATA, {"gnn": {"x": "p"}})
    for name, letter in (("run/seed-10", "w"), ("run/seed-9", "a")):
        write_run(DATA, {"gnn": {"x": letter}}, name=name)
    seeds = read_run(folder).answers["gnn"]
    assert [next(iter(of.values())).ranking[0][0] for of in seeds] == ["p", "a", "w"]


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    assert "no run folder" in refused(tmp_path)


def test_an_unfinished_run_is_refused_with_what_to_do(write_run: WriteRun) -> None:
    folder = write_run(DATA, {"llm": RIGHT, "gnn": {"x": "p"}}, finished=False)
    said = refused(folder)
    assert "not finished" in said
    assert "llm 4, gnn 1" in said
    assert "goes on where it stopped" in said


def test_an_unfinished_run_is_compared_where_that_is_asked_for(write_run: WriteRun) -> None:
    folder = write_run(DATA, {"llm": RIGHT, "gnn": {"x": "p"}}, finished=False)
    found = compare_runs([folder], DATA, Asked(unfinished=True))
    assert found["runs"][0]["unfinished"]
    assert found["contrasts"][0]["n"] == 1


def test_a_run_whose_further_seed_is_open_is_not_finished(write_run: WriteRun) -> None:
    folder = write_run(DATA, {"llm": RIGHT, "gnn": WRONG})
    write_run(DATA, {"gnn": {"x": "p"}}, name="run/seed-1", finished=False)
    assert "seed-1" in refused(folder)


def test_a_line_that_is_just_being_written_is_passed_over(
    write_run: WriteRun, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_run(DATA, {"llm": RIGHT})
    before = (folder / "items.jsonl").read_bytes()
    (folder / "items.jsonl").write_bytes(before + b'{"approach": "gn')
    assert list(read_run(folder).answers) == ["llm"]
    assert (folder / "items.jsonl").read_bytes() == before + b'{"approach": "gn'
    assert capsys.readouterr().err == ""


def test_runs_on_other_data_are_refused(write_run: WriteRun) -> None:
    one = write_run(DATA, {"llm": RIGHT, "gnn": WRONG})
    other = write_run(DATA, {"llm": RIGHT}, name="other", digest="digest-2")
    said = refused(one, other)
    assert "digest-2" in said
    assert "digest-1" in said
    assert str(other) in said


def test_a_run_that_grouped_the_conversations_otherwise_is_refused(write_run: WriteRun) -> None:
    grouped = data_of(talk("x", "pa", relationship="z"), talk("y", "aa", relationship="z"))
    folder = write_run(grouped, {"llm": RIGHT, "gnn": WRONG})
    assert "--relationships" in refused(folder)


def test_runs_of_two_protocols_are_refused(write_run: WriteRun) -> None:
    one = write_run(DATA, {"llm": RIGHT})
    other = write_run(DATA, {"gnn": RIGHT}, name="other", protocol="paper")
    said = refused(one, other)
    assert "strict" in said
    assert "paper" in said


def test_answers_to_instances_that_are_not_in_the_data_are_refused(write_run: WriteRun) -> None:
    folder = write_run(DATA, {"llm": RIGHT, "gnn": WRONG})
    text = (folder / "items.jsonl").read_text()
    row = json.loads(text.splitlines()[0])
    row["prediction"]["instance"] = "0000000000000000"
    (folder / "items.jsonl").write_text(f"{text}{json.dumps(row)}\n")
    assert "does not hold" in refused(folder)


def test_what_runs_differ_in_is_listed(write_run: WriteRun) -> None:
    one = read_run(write_run(DATA, {"llm": RIGHT}))
    other = read_run(write_run(DATA, {"llm": RIGHT}, name="o", context=3, limit=40, samples=5))
    found = {row["name"]: row["values"] for row in differences([one, other])}
    assert found == {
        "view.context_turns.rpp": [-1, 3],
        "limit": [0, 40],
        "samples": [None, 5],
    }


def test_equal_runs_differ_in_nothing(write_run: WriteRun) -> None:
    runs = [read_run(write_run(DATA, {"llm": RIGHT}, name=name)) for name in "ab"]
    assert differences(runs) == []


def test_an_approach_of_several_runs_is_called_by_its_runs_number(write_run: WriteRun) -> None:
    one = read_run(write_run(DATA, {"llm": RIGHT, "gnn": WRONG}))
    other = read_run(write_run(DATA, {"llm": RIGHT, "llm+graph": WRONG}, name="other"))
    assert list(arms_of([one, other])) == ["llm@1", "gnn", "llm@2", "llm+graph"]
