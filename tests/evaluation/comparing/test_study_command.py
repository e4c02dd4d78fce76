"""`relgraph study`: all approaches and their comparison by one command, into one folder."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from relgraph._cli import cli
from relgraph._cli.study import APPROACHES
from relgraph.errors import UnknownNameError
from relgraph.evaluation.comparing.contrasts import BASE, CONTROLS, PRIMARY
from relgraph.evaluation.comparing.copying import SHOWN
from relgraph.registry import names

SHORT = ("--approach", "llm", "--approach", "llm+graph", "--approach", "llm+placebo")


def study(data: Path, folder: Path, *more: object, approaches: tuple[str, ...] = SHORT) -> Result:
    argv = ["study", "--data", data, "--model", "mock", "--run", folder, "--no-probe"]
    argv += ["--calls", folder.parent / "calls.sqlite3", "--limit", 3, "--no-text-metrics"]
    words = [str(word) for word in (*argv, *approaches, *more)]
    return CliRunner().invoke(cli, words, standalone_mode=False)


def rpp(data: Path, folder: Path, *more: object) -> Result:
    result = study(data, folder, "--task", "rpp", *more)
    assert result.exception is None, result.output
    assert result.return_value == 0
    return result


def test_all_approaches_and_controls_of_a_study_are_there() -> None:
    assert set(APPROACHES) <= set(names("approach"))
    compared = {name for pair in (*PRIMARY, *CONTROLS) for name in pair}
    assert compared | {BASE, *SHOWN} <= {*APPROACHES, "majority"}


def test_a_study_leaves_everything_in_one_run_folder(couples_file: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rpp(couples_file, tmp_path / "run")
    there = {path.name for path in (tmp_path / "run").iterdir() if not path.name.startswith(".")}
    assert there == {
        "run.json",
        "items.jsonl",
        "scores.json",
        *(f"comparison.{end}" for end in ("json", "txt", "tex", "svg")),
    }


def test_a_study_prints_the_scores_and_the_comparison(couples_file: Path, tmp_path: Path) -> None:
    out = rpp(couples_file, tmp_path / "run").stdout
    assert "RPP relation pattern, protocol strict: 3 instances" in out
    assert "Primary: llm+graph - llm+placebo" in out
    scores, _, comparison = out.partition("Primary: ")
    assert "to the best floor" in scores
    assert "minus" not in scores
    assert "minus second" in comparison


def test_the_json_of_a_study_has_all_of_it(couples_file: Path, tmp_path: Path) -> None:
    found = json.loads(rpp(couples_file, tmp_path / "run", "--json").stdout)
    assert set(found) == {"run", "scores", "comparison"}
    assert set(found["scores"]) == {"primary"}
    first = found["comparison"]["contrasts"][0]
    assert (first["first"], first["second"]) == ("llm+graph", "llm+placebo")
    assert first["primary"]


def test_examples_with_prompts_are_in_the_text_and_not_on_the_screen(
    couples_file: Path, tmp_path: Path
) -> None:
    out = rpp(couples_file, tmp_path / "run", "--limit", 12).stdout
    text = (tmp_path / "run" / "comparison.txt").read_text()
    assert "is better than" in text
    assert "    prompt:" in text
    assert "you never listen to me at all" in text
    assert "is better than" not in out


def test_the_secondary_arm_has_three_turns_of_context_and_is_exploratory(
    couples_file: Path, tmp_path: Path
) -> None:
    found = json.loads(rpp(couples_file, tmp_path / "run", "--secondary", "--json").stdout)
    assert set(found["scores"]) == {"primary", "context-3"}
    runs = found["comparison"]["runs"]
    assert [run["context_turns"]["rpp"] for run in runs] == [-1, 3]
    rows = {(r["first"], r["second"]): r["primary"] for r in found["comparison"]["contrasts"]}
    assert rows["llm+graph@1", "llm+placebo@1"]
    assert not rows["llm+graph@2", "llm+placebo@2"]
    assert ("llm@1", "llm@2") in rows


def test_a_study_goes_on_where_it_stopped(couples_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    rpp(couples_file, folder)
    lines = (folder / "items.jsonl").read_text().splitlines(keepends=True)
    (folder / "items.jsonl").write_text("".join(lines[:-2]))
    (folder / "scores.json").unlink()
    (folder / "comparison.json").unlink()
    (tmp_path / "calls.sqlite3").unlink()
    rpp(couples_file, folder)
    after = (folder / "items.jsonl").read_text().splitlines(keepends=True)
    assert after[:-2] == lines[:-2]
    assert len(after) == len(lines)
    assert (folder / "comparison.json").is_file()


def test_approaches_that_answer_no_task_asked_for_are_left_out_and_named(
    couples_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("relgraph._cli.study.APPROACHES", ("llm", "rules", "always-yes"))
    result = study(couples_file, tmp_path / "run", "--task", "rpp", approaches=())
    assert result.exception is None, result.output
    assert "always-yes answer none of rpp" in result.stderr


def test_an_unknown_approach_is_refused_with_what_is_known(
    couples_file: Path, tmp_path: Path
) -> None:
    result = study(couples_file, tmp_path / "run", approaches=("--approach", "llm+graf"))
    assert isinstance(result.exception, UnknownNameError)
    assert "llm+graph" in str(result.exception)
    assert not (tmp_path / "run").exists()


def test_a_study_whose_items_failed_says_so_and_ends_with_one(
    couples_file: Path, tmp_path: Path
) -> None:
    script = tmp_path / "fails.jsonl"
    script.write_text('{"fail": "refused"}\n')
    result = study(couples_file, tmp_path / "run", "--task", "rpp", "--model", f"mock:{script}")
    assert result.exception is None, result.output
    assert result.return_value == 1
    assert "failed: 9 items" in result.stderr
    assert "no comparison" in result.stderr


def test_the_probe_goes_with_a_study(couples_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    result = study(couples_file, folder, "--task", "rpp", "--probe")
    assert result.exception is None, result.output
    assert "Verdict:" in result.stdout
    assert json.loads((folder / "probe.json").read_text())["probe"] == "memorisation"


def test_a_probe_that_cannot_be_had_takes_nothing_else_away(
    couples_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("relgraph._cli.study.PROBE", "memory")
    result = study(couples_file, tmp_path / "run", "--task", "rpp", "--probe")
    assert "no probe" in result.stderr
    assert "unknown probe 'memory'" in result.stderr
    assert "Primary: " in result.stdout
    assert result.return_value == 0
