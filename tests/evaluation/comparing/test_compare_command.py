"""`relgraph compare`, as somebody at a terminal meets it."""

import json
from pathlib import Path

import pytest
from click import ClickException
from click.testing import CliRunner, Result

from relgraph._cli import cli
from relgraph.calls import Call, CallStore
from relgraph.corpora import read, write
from relgraph.errors import RelgraphError
from relgraph.evaluation.runner import Data
from tests.evaluation.comparing.made import WriteRun, talk

TALKS = tuple(talk(f"t{k}", "pp") for k in range(3))
SAID = {
    "llm": {"t0": "aa", "t1": "aa", "t2": "ap"},
    "llm+graph": {"t0": "pp", "t1": "pp", "t2": "pp"},
    "llm+placebo": {"t0": "pa", "t1": "ap", "t2": "pp"},
}


@pytest.fixture
def data(tmp_path: Path) -> Data:
    path = tmp_path / "talks.jsonl"
    write(path, TALKS, format="jsonl")
    corpus = read(path)
    return Data(corpus.conversations, str(path), corpus.digest)


def call(data: Data, *argv: object) -> Result:
    words = ["compare", *map(str, argv), "--data", data.source]
    return CliRunner().invoke(cli, words, standalone_mode=False)


def refused(data: Data, *argv: object) -> str:
    result = call(data, *argv)
    assert isinstance(result.exception, RelgraphError | ClickException), result.output
    assert result.exception.exit_code == 2
    assert result.stdout == ""
    return str(result.exception)


def test_a_run_is_compared_within_itself(data: Data, write_run: WriteRun) -> None:
    result = call(data, write_run(data, SAID))
    assert result.exception is None, result.output
    assert "Primary" in result.stdout
    assert "llm+placebo" in result.stdout


def test_json_holds_what_the_tables_say(data: Data, write_run: WriteRun) -> None:
    result = call(data, write_run(data, SAID), "--json")
    found = json.loads(result.stdout)
    row = found["contrasts"][0]
    assert (row["first"], row["second"], row["primary"]) == ("llm+graph", "llm+placebo", True)
    assert row["difference"] == pytest.approx(2 / 6)


def test_two_runs_are_paired_by_name_and_number(data: Data, write_run: WriteRun) -> None:
    one, other = write_run(data, SAID), write_run(data, {"llm": {"t0": "pp"}}, name="other")
    result = call(data, one, other, "--pair", "llm@2:llm@1", "--json")
    (row,) = json.loads(result.stdout)["contrasts"]
    assert (row["n"], row["difference"]) == (2, 1.0)


def test_a_base_replaces_the_default_contrasts(data: Data, write_run: WriteRun) -> None:
    result = call(data, write_run(data, SAID), "--base", "llm+placebo", "--json")
    rows = json.loads(result.stdout)["contrasts"]
    assert [(r["first"], r["second"]) for r in rows] == [
        ("llm", "llm+placebo"),
        ("llm+graph", "llm+placebo"),
    ]


def test_a_folder_gets_all_forms(data: Data, write_run: WriteRun, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = call(data, write_run(data, SAID), "-o", tmp_path / "out")
    assert result.exception is None, result.output
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {f"comparison.{end}" for end in ("json", "tex", "txt", "svg")}


def test_single_files_are_written(data: Data, write_run: WriteRun, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    tex, svg = tmp_path / "t.tex", tmp_path / "p.svg"
    call(data, write_run(data, SAID), "--latex", tex, "--plot", svg)
    assert r"\toprule" in tex.read_text()
    assert "<svg" in svg.read_text()


def test_examples_come_with_prompts_from_the_call_cache(
    data: Data, write_run: WriteRun, tmp_path: Path
) -> None:
    store = CallStore(tmp_path / "calls.sqlite3")
    store.keep("ab" * 32, Call("m", (("user", "Which pattern?"),), {"text": "the third"}))
    store.close()
    folder = write_run(data, SAID, calls=("ab" * 32,))
    result = call(data, folder, "--examples", 1, "--calls", tmp_path / "calls.sqlite3")
    assert "Which pattern?" in result.stdout
    assert "the third" in result.stdout


def test_examples_without_kept_prompts_say_so(
    data: Data, write_run: WriteRun, tmp_path: Path
) -> None:
    folder = write_run(data, SAID, calls=("ab" * 32,))
    result = call(data, folder, "--examples", 1, "--calls", tmp_path / "empty.sqlite3")
    assert result.exception is None
    assert "without their prompts" in result.stderr
    assert "where llm+graph is better" in result.stdout


@pytest.mark.parametrize("pair", ["llm", "llm:", ":llm", "a:b:c"])
def test_a_pair_is_two_names(data: Data, write_run: WriteRun, pair: str) -> None:
    assert "llm+graph:llm" in refused(data, write_run(data, SAID), "--pair", pair)


def test_a_run_given_twice_is_refused(data: Data, write_run: WriteRun) -> None:
    folder = write_run(data, SAID)
    assert "twice" in refused(data, folder, folder / ".")


def test_sides_without_a_common_instance_are_refused(data: Data, write_run: WriteRun) -> None:
    folder = write_run(data, {"llm": {"t0": "pp"}, "llm+graph": {"t1": "pp"}})
    said = refused(data, folder)
    assert "in common" in said
    assert "--conversations" in said


def test_a_run_on_other_data_is_refused(data: Data, write_run: WriteRun) -> None:
    assert "cannot be paired" in refused(data, write_run(data, SAID, digest="another"))


def test_a_plot_of_an_unknown_form_is_refused_before_anything_is_read(
    data: Data, tmp_path: Path
) -> None:
    assert ".svg" in refused(data, tmp_path / "nowhere", "--plot", tmp_path / "p.gif")


def test_the_data_is_not_written_over(data: Data, write_run: WriteRun) -> None:
    before = Path(data.source).read_bytes()
    refused(data, write_run(data, SAID), "--latex", data.source)
    assert Path(data.source).read_bytes() == before


def test_tasks_can_be_chosen(data: Data, write_run: WriteRun) -> None:
    both = {name: {"rpp": of, "stp": {"t0": ["Ann", "Bob"]}} for name, of in SAID.items()}
    result = call(data, write_run(data, both), "--task", "stp", "--json")
    found = json.loads(result.stdout)
    assert list(found["tasks"]) == ["stp"]
    assert {r["task"] for r in found["contrasts"]} == {"stp"}
