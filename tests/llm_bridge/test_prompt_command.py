"""`relgraph prompt` shows what would be sent."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from relgraph._cli import cli
from relgraph.corpora import read, write
from relgraph.errors import RelgraphError
from relgraph.records import Conversation, View
from relgraph.registry import load

FIRST = read("sample")[0]
CASE = load("task", "rpp").cases(FIRST, View())[0]


def run(*more: str, turn: int = CASE.turn, conversation: str = FIRST.id) -> Result:
    argv = ["prompt", "sample", "--conversation", conversation, "--turn", str(turn)]
    argv += ["--task", "rpp", "--model", "openai:m", *more]
    return CliRunner().invoke(cli, argv)


def test_the_prompt_is_that_of_the_approach() -> None:
    shown = run()
    assert shown.exit_code == 0, shown.output
    assert "Summary of the interaction so far" in shown.stdout
    assert FIRST.turns[CASE.turn - 2].text.split()[0] in shown.stdout
    assert "tokens (--model openai:m)" in shown.stderr


def test_json_holds_the_prompt_and_its_tokens() -> None:
    found = json.loads(run("--json", "--approach", "llm").stdout)
    assert found["prompt"].startswith("### system\n")
    assert "Summary of the interaction" not in found["prompt"]
    assert found["tokens"] > 100


def test_a_turn_without_a_decision_is_answered_with_those_that_have_one() -> None:
    error = run(turn=999).exception
    assert isinstance(error, RelgraphError)
    assert f"Turns with a decision: {CASE.turn}, " in str(error)


def test_an_unknown_conversation_is_answered_with_near_ones() -> None:
    error = run(conversation=FIRST.id[:-1]).exception
    assert isinstance(error, RelgraphError)
    assert FIRST.id in str(error)


def test_an_approach_that_sends_no_prompt_is_refused() -> None:
    assert run("--approach", "majority").exit_code == 2


def test_the_length_of_an_answer_changes_no_prompt() -> None:
    short, long = run("--answer-tokens", "8"), run("--answer-tokens", "4000")
    assert short.exit_code == long.exit_code == 0
    assert short.stdout == long.stdout


def test_the_only_conversation_of_a_file_need_not_be_named(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    write(path, [FIRST], format="jsonl")
    argv = ["prompt", str(path), "--turn", str(CASE.turn), "--task", "rpp", "--model", "openai:m"]
    assert CliRunner().invoke(cli, argv).stdout == run().stdout


QUICK = ("--embedder", "hashing:64")


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def three_couples(tmp_path: Path) -> str:
    """A file with the first conversation of each of three couples of the sample."""
    of: dict[str, Conversation] = {}
    for c in read("sample"):
        if c.scenario == FIRST.scenario:
            of.setdefault(c.relationship, c)
    path = tmp_path / "couples.jsonl"
    write(path, list(of.values())[:3], format="jsonl")
    return str(path)


def of_file(file: str, *more: str) -> Result:
    argv = ["prompt", file, "--conversation", FIRST.id, "--turn", str(CASE.turn)]
    return CliRunner().invoke(cli, [*argv, "--task", "rpp", "--model", "openai:m", *QUICK, *more])


def test_what_a_trained_block_shows_is_fitted_on_other_relationships_and_that_is_said(
    three_couples: str,
) -> None:
    shown = of_file(three_couples, "--approach", "llm+text-head")
    assert shown.exit_code == 0, shown.output
    assert "fitting text-head on 2 conversations of 2 other relationships" in shown.stderr
    assert "A model trained on other relationships gives these answers" in shown.stdout


def test_training_moments_are_those_of_other_relationships(three_couples: str) -> None:
    shown = of_file(three_couples, "--approach", "llm-fewshot", "--summary-tokens", "2000")
    assert shown.exit_code == 0, shown.output
    _, moments = shown.stdout.split("Similar moments in other relationships")
    quoted = [line for line in moments.splitlines() if line.startswith("- ")]
    assert len(quoted) == 2
    own = {*FIRST.participants}
    assert not [line for line in quoted if any(f"{name} ->" in line for name in own)]


def test_with_a_run_the_prompt_shows_what_the_run_has(three_couples: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    argv = ["eval", "--approach", "text-head", "--data", three_couples, "--task", "rpp"]
    done = CliRunner().invoke(cli, [*argv, "--folds", "3", *QUICK, "--run", str(folder)])
    assert done.exit_code == 0, done.output
    items = (folder / "items.jsonl").read_text(encoding="utf-8").splitlines()
    (said,) = (
        row["prediction"]
        for row in map(json.loads, items)
        if row["approach"] == "text-head" and row["prediction"]["instance"] == CASE.instance.id
    )
    best = said["ranking"][0], f"{round(100 * said['probabilities'][0]):02d}%"
    shown = of_file(three_couples, "--approach", "llm+text-head", "--run", str(folder))
    assert shown.exit_code == 0, shown.output
    assert " ".join(best) in shown.stdout
    assert "fitting" not in shown.stderr


def test_a_run_without_the_decision_is_refused(three_couples: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    argv = ["eval", "--approach", "text-head", "--data", three_couples, "--task", "stp"]
    CliRunner().invoke(cli, [*argv, "--folds", "3", *QUICK, "--run", str(folder)])
    shown = of_file(three_couples, "--approach", "llm+text-head", "--run", str(folder))
    assert isinstance(shown.exception, RelgraphError)
    assert "has no answer of text-head to this decision" in str(shown.exception)
    other = run("--approach", "llm+text-head", "--run", str(folder))
    assert "is a run on other data than sample" in str(other.exception)


def test_settings_that_are_not_those_of_the_run_are_told(
    three_couples: str, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    argv = ["eval", "--approach", "text-head", "--data", three_couples, "--task", "rpp"]
    argv += ["--folds", "3", *QUICK, "--run", str(folder), "--model", "openai:m"]
    CliRunner().invoke(cli, argv)
    more = ("--approach", "llm+text-head", "--run", str(folder))
    assert "the run has" not in of_file(three_couples, *more).stderr
    shown = of_file(three_couples, *more, "--summary-tokens", "77")
    assert "note: summary_tokens: the run has 300, this prompt 77" in shown.stderr


@pytest.mark.parametrize("approach", ["fusion", "gnn", "fusion+text-head"])
def test_what_learns_and_sends_no_prompt_is_refused_before_anything_is_fitted(
    approach: str,
) -> None:
    shown = run("--approach", approach)
    assert shown.exit_code == 2
    assert f"--approach {approach} sends no prompt." in shown.stderr


def test_a_file_of_one_relationship_has_nothing_to_learn_from(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    write(path, [FIRST], format="jsonl")
    shown = of_file(str(path), "--approach", "llm-fewshot")
    assert isinstance(shown.exception, RelgraphError)
    assert "holds one relationship alone" in str(shown.exception)


def test_the_highest_cost_is_told_where_prices_are_known(tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"openai:m": {"input": 1000000, "output": 0}}', encoding="utf-8")
    found = json.loads(run("--json", "--approach", "llm", "--prices", str(prices)).stdout)
    assert found["most_usd"] >= found["tokens"]


def test_the_likely_cost_goes_by_tokens_and_the_longest_answer(tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"openai:m": {"input": 1000000, "output": 1000000}}', encoding="utf-8")
    asked = ("--approach", "llm", "--answer-tokens", "7", "--prices", str(prices))
    found = json.loads(run("--json", *asked).stdout)
    assert found["about_usd"] == found["tokens"] + 7
    assert f"about {found['tokens'] + 7:.6f} US dollars" in run(*asked).stderr
