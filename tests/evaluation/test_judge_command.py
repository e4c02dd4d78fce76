"""Open answers judged from the command line, by scripted judges."""

import json
from pathlib import Path

import pytest

from relgraph._cli import cli

RULES = (
    {"task": "er", "contains": "First description", "sample": 0, "says": '{"emotion": 4}'},
    {"task": "er", "contains": "First description", "says": '{"emotion": 3}'},
    {"task": "vp", "says": '{"source_target": 2, "viewpoint": 3}'},
)


def script(folder: Path, *rules: object) -> str:
    file = folder / "judge.jsonl"
    file.write_text("".join(f"{json.dumps(rule)}\n" for rule in rules), encoding="utf-8")
    return f"mock:{file}"


def evaluate(run: Path, judge: str, *options: str) -> int:
    arguments = [
        *("eval", "--approach", "majority", "--data", "sample", "--task", "er", "--task", "vp"),
        *("--limit", "6", "--no-text-metrics", "--run", str(run), "--judge", judge, *options),
    ]
    code: int = cli.main(arguments, standalone_mode=False)
    return code


def test_an_evaluation_ends_with_the_grades_of_its_judge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(tmp_path / "run", script(tmp_path, *RULES)) == 0
    said = capsys.readouterr().out
    assert "ER judged" in said
    assert "grade 1-5 3.50" in said
    assert "6 of 6 graded" in said
    assert "sum 0-6 5.00" in said
    assert len((tmp_path / "run" / "judgements.jsonl").read_text("utf-8").splitlines()) == 24


def test_scores_and_grades_are_one_json_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluate(tmp_path / "run", script(tmp_path, *RULES), "--json")
    judged = json.loads(capsys.readouterr().out)["judged"]
    assert list(judged["tasks"]) == ["er", "vp"]


def test_grades_that_cannot_be_had_are_told_and_the_exit_code_is_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = script(tmp_path, {"task": "er", "says": "hard to say"}, RULES[2])
    assert evaluate(tmp_path / "run", broken) == 1
    said = capsys.readouterr()
    assert "12 times, no JSON" in said.err
    assert "0 of 6 graded" in said.out
