"""`relgraph prompt` shows what would be sent."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from relgraph._cli import cli
from relgraph.corpora import read, write
from relgraph.errors import RelgraphError
from relgraph.records import View
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
