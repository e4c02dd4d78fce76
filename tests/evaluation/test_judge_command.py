"""Open answers judged from the command line, by scripted judges."""

import json
import os
import signal
import time
from pathlib import Path
from threading import Thread

import click
import pytest

from relgraph._cli import cli
from relgraph.errors import DataError, RunError

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


def judge(run: Path, *options: str) -> int:
    arguments = ["judge", str(run), "--data", "sample", *options]
    code: int = cli.main(arguments, standalone_mode=False)
    return code


def test_a_finished_run_is_judged_by_several_and_their_agreement_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    evaluate(run, script(tmp_path, *RULES))
    capsys.readouterr()
    assert judge(run, "--judge", "mock", "--judge", script(tmp_path, *RULES), "--repeats", "1") == 0
    said = capsys.readouterr()
    assert "majority by mock:judge.jsonl" in said.out
    assert "majority by mock," in said.out
    assert "agreement on viewpoint 0-4, mock," in said.out


def test_a_run_on_other_data_is_not_judged(tmp_path: Path) -> None:
    run = tmp_path / "run"
    evaluate(run, script(tmp_path, *RULES))
    other = tmp_path / "other.jsonl"
    other.write_text('{"id": "x", "turns": [{"speaker": "A", "text": "Hm."}]}\n', encoding="utf-8")
    with pytest.raises(DataError, match="different data cannot be paired"):
        cli.main(
            ["judge", str(run), "--data", str(other), "--judge", "mock"], standalone_mode=False
        )


def test_without_a_judge_there_is_nothing_to_do(tmp_path: Path) -> None:
    with pytest.raises(click.UsageError, match="--judge"):
        judge(tmp_path)


def test_what_the_run_has_spent_counts_for_the_limit_of_its_judges(tmp_path: Path) -> None:
    run = tmp_path / "run"
    evaluate(run, script(tmp_path, *RULES))
    (run / "judgements.jsonl").unlink()
    (run / "spending.jsonl").write_text('{"call": 0, "cost_usd": 5.0}\n', encoding="utf-8")
    prices = tmp_path / "prices.json"
    prices.write_text('{"mock:judge.jsonl": {"input": 1, "output": 1}}', encoding="utf-8")
    costs = ("--prices", str(prices), "--calls", "none", "--max-cost")
    with pytest.raises(RunError, match=r"5\.0000 USD are spent"):
        judge(run, "--judge", script(tmp_path, *RULES), *costs, "5")
    assert judge(run, "--judge", script(tmp_path, *RULES), *costs, "6") == 0


def test_a_judge_that_is_stopped_keeps_its_grades_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    evaluate(run, script(tmp_path, *RULES))
    kept = run / "judgements.jsonl"
    kept.unlink()
    slow = script(tmp_path, *({**rule, "wait_s": 0.2} for rule in RULES))

    def stop() -> None:
        while not kept.is_file():
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    thread = Thread(target=stop, daemon=True)
    thread.start()
    with pytest.raises(SystemExit) as stopped:
        judge(run, "--judge", slow, "--calls", "none")
    thread.join(60)
    assert stopped.value.code == 130
    assert "goes on where it stopped" in capsys.readouterr().err
    assert 0 < len(kept.read_text("utf-8").splitlines()) < 24
    assert judge(run, "--judge", slow, "--calls", "none") == 0
    assert len(kept.read_text("utf-8").splitlines()) == 24
