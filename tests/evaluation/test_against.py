"""`relgraph eval --against FILE`: predictions made elsewhere beside a run's own; and `--seeds`."""

import gzip
import json
from pathlib import Path

import pytest
from click import UsageError
from click.testing import CliRunner, Result

from relgraph._cli import cli
from relgraph.errors import DataError

Rows = list[dict[str, object]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run"


@pytest.fixture
def instances(couples_file: Path) -> Rows:
    argv = ["instances", "--data", str(couples_file), "--task", "rpp", "--task", "stp"]
    return [json.loads(line) for line in CliRunner().invoke(cli, argv).stdout.splitlines()]


def told(path: Path, rows: Rows) -> Path:
    """Writes predictions that keep the options' order."""
    said = [{"instance": r["instance"], "ranking": r["options"]} for r in rows]
    path.write_text("".join(f"{json.dumps(p)}\n" for p in said), encoding="utf-8")
    return path


def evaluated(data: Path, folder: Path, *more: object, approach: str = "majority") -> Result:
    argv = ["eval", "--approach", approach, "--data", data, "--run", folder, "--folds", 3]
    argv += ["--task", "rpp", "--task", "stp", *more]
    return CliRunner().invoke(cli, [str(a) for a in argv], standalone_mode=False)


def test_a_file_is_compared_under_its_name_with_what_the_run_has(
    instances: Rows, couples_file: Path, folder: Path, plugin
) -> None:
    plugin("mine", "")
    path = told(couples_file.parent / "gpt-4.1.jsonl", instances)
    result = evaluated(couples_file, folder, "--against", path, "--json", approach="mine")
    assert result.return_value == 0, result.output
    task = json.loads(result.stdout)["tasks"]["rpp"]
    assert list(task["approaches"]) == ["majority", "random-order", "mine", "gpt-4.1"]
    metrics = [task["approaches"][name]["metrics"] for name in ("mine", "gpt-4.1")]
    assert metrics[0] == metrics[1]  # both keep the options' order
    pairs = {(c["first"], c["second"]): c["n"] for c in task["comparisons"]}
    best = next(second for first, second in pairs if first == "mine" and second != "gpt-4.1")
    assert pairs == {("mine", best): 24, ("gpt-4.1", best): 24, ("mine", "gpt-4.1"): 24}


def test_a_file_that_answers_some_is_paired_on_these_and_fails_no_run(
    instances: Rows, couples_file: Path, folder: Path
) -> None:
    rpp = [r for r in instances if r["task"] == "rpp"]
    path = told(couples_file.parent / "llm.jsonl", rpp[:10])
    result = evaluated(couples_file, folder, "--against", path, "--json")
    assert result.return_value == 0
    tasks = json.loads(result.stdout)["tasks"]
    assert "llm" not in tasks["stp"]["approaches"]
    assert tasks["rpp"]["approaches"]["llm"]["failed"] == 14
    assert {c["n"] for c in tasks["rpp"]["comparisons"]} == {10}
    assert "has no prediction for task stp" in result.stderr
    assert "has no answer to 14 of 24 instances" in result.stderr


def test_several_files_and_packed_ones_are_taken(
    instances: Rows, couples_file: Path, folder: Path
) -> None:
    one = told(couples_file.parent / "one.jsonl", instances)
    packed = couples_file.parent / "two.jsonl.gz"
    packed.write_bytes(gzip.compress(one.read_bytes()))
    result = evaluated(couples_file, folder, "--against", one, "--against", packed, "--json")
    names = list(json.loads(result.stdout)["tasks"]["rpp"]["approaches"])
    assert names[-2:] == ["one", "two"]


@pytest.mark.parametrize(
    ("names", "whose"),
    [(("majority.jsonl",), "an approach of this run"), (("a.jsonl", "a.json"), "another file")],
)
def test_two_of_one_name_are_refused_before_anything_runs(
    names: tuple[str, ...], whose: str, instances: Rows, couples_file: Path, folder: Path
) -> None:
    paths = [told(couples_file.parent / name, instances) for name in names]
    result = evaluated(couples_file, folder, *(a for p in paths for a in ("--against", p)))
    assert isinstance(result.exception, UsageError)
    assert f"is the name of {whose} too; rename the file" in str(result.exception)
    assert not folder.exists()


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("{\n", "a.jsonl:1: not JSON"),
        ('{"instance": "x", "ranking": ["a"]}\n', "is none of the 48 asked for"),
        ("", "has no prediction for any of the 48 instances"),
    ],
)
def test_a_bad_file_is_told_as_score_tells_it_before_anything_runs(
    text: str, cause: str, couples_file: Path, folder: Path
) -> None:
    path = couples_file.parent / "a.jsonl"
    path.write_text(text, encoding="utf-8")
    result = evaluated(couples_file, folder, "--against", path)
    assert isinstance(result.exception, DataError)
    assert cause in str(result.exception)
    assert not folder.exists()


def test_a_missing_file_is_told(couples_file: Path, folder: Path) -> None:
    result = evaluated(couples_file, folder, "--against", "nowhere.jsonl")
    assert "nowhere.jsonl: no such file" in str(result.exception)


def test_what_a_file_said_is_no_part_of_the_run(
    instances: Rows, couples_file: Path, folder: Path
) -> None:
    evaluated(couples_file, folder)
    calm = {p.name: p.read_bytes() for p in folder.iterdir()}
    path = told(couples_file.parent / "llm.jsonl", instances)
    assert evaluated(couples_file, folder, "--against", path).return_value == 0
    for name in ("run.json", "items.jsonl"):
        assert (folder / name).read_bytes() == calm[name]
    assert evaluated(couples_file, folder).return_value == 0
    assert (folder / "scores.json").read_bytes() == calm["scores.json"]


def test_seeds_are_printed_as_mean_and_spread(couples_file: Path, folder: Path) -> None:
    text = evaluated(couples_file, folder, "--seeds", 2).stdout
    assert "\N{PLUS-MINUS SIGN} 0.0" in text
    said = " ".join(text.split())
    assert "mean \N{PLUS-MINUS SIGN} standard deviation over 2 training seeds" in said
    assert "they hold no training noise" in said
    assert max(map(len, text.splitlines())) <= 100


def test_one_seed_is_printed_without_a_spread(couples_file: Path, folder: Path) -> None:
    assert "\N{PLUS-MINUS SIGN}" not in evaluated(couples_file, folder).stdout


def test_two_approaches_are_printed_with_their_difference(
    couples_file: Path, folder: Path, plugin
) -> None:
    plugin("mine", "")
    plugin("other", "")
    more = ("--approach", "other")
    text = evaluated(couples_file, folder, *more, approach="mine").stdout
    assert "Exploratory: all pairs" in " ".join(text.split())
    lines = text.splitlines()
    row = next(line.split() for line in lines if line.split()[:2] == ["mine", "other"])
    assert row == ["mine", "other", "24", "+0.0", "[+0.0,", "+0.0]", "1.000"]
    alone = evaluated(couples_file, folder.parent / "alone", approach="mine").stdout
    assert "minus" not in alone


def test_eval_and_score_print_details_when_asked(
    instances: Rows, couples_file: Path, folder: Path, plugin
) -> None:
    plugin("mine", "")
    assert "Calibration" not in evaluated(couples_file, folder, approach="mine").stdout
    shown = evaluated(couples_file, folder, "--details", approach="mine").stdout
    for title in ("Calibration", "Classes", "Confusions, mine, couple"):
        assert title in shown
    path = told(couples_file.parent / "llm.jsonl", instances)
    argv = ["score", path, "--data", couples_file, "--task", "all", "--details"]
    result = CliRunner().invoke(cli, [str(a) for a in argv], standalone_mode=False)
    assert "Confusions, llm.jsonl, couple" in result.stdout
