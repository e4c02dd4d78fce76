"""`relgraph cues FILE --measure` prints figures that can be read and machines can take."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from relgraph._cli import cli
from relgraph.corpora import write
from relgraph.records import Conversation

NOTED = (
    {"turn": 2, "cue": "criticism", "source": "Ana", "target": "Ben"},
    {"turn": 4, "cue": "open_question", "source": "Therapist", "target": "Ben"},
)


@pytest.fixture
def file(tmp_path: Path, couple: Conversation, family: Conversation) -> Path:
    path = tmp_path / "talk.jsonl"
    write(path, [couple, family], format="jsonl")
    return path


@pytest.fixture
def noted(tmp_path: Path) -> Path:
    path = tmp_path / "noted.jsonl"
    lines = [json.dumps({"conversation": "ana_and_ben/01"} | row) for row in NOTED]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def run(*argv: str | Path) -> Result:
    return CliRunner().invoke(cli, ["cues", *map(str, argv)])


def test_json_has_the_figures_of_every_cue_and_no_text_of_the_data(file: Path) -> None:
    done = run(file, "--measure", "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert (report["file"], report["conversations"], report["turns"]) == ("talk.jsonl", 2, 11)
    assert report["cues"]["criticism"]["turns"] >= 1
    assert "coding" not in report
    assert not [word for word in ("Ana", "ana_and_ben", "never") if word in done.stdout]


def test_tables_are_at_most_80_columns_wide(file: Path, noted: Path) -> None:
    done = run(file, "--measure", "--annotations", noted, "--second", noted)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if "\N{HORIZONTAL ELLIPSIS}" in line]


def test_what_is_not_defined_is_shown_as_a_dash_and_no_gold_in_words(file: Path) -> None:
    lines = run(file, "--measure").stdout.splitlines()
    silence = next(line.split() for line in lines if line.strip().startswith("silence"))
    assert silence == ["silence", *2 * "\N{EN DASH}", "withdrawal", *3 * "\N{EN DASH}"]
    assert (
        next(line for line in lines if line.strip().startswith("humour"))
        .rstrip()
        .endswith("no gold")
    )


def test_noted_cues_are_compared_with_what_is_found(file: Path, noted: Path) -> None:
    report = json.loads(run(file, "--measure", "--annotations", noted, "--json").stdout)
    assert (report["coding"]["conversations"], report["coding"]["turns"]) == (1, 5)
    assert report["coding"]["cues"]["criticism"]["to_find"] == 1
    assert report["coding"]["all"]["to_find"] == 2


def test_two_coders_are_compared_with_each_other(file: Path, noted: Path) -> None:
    report = json.loads(
        run(file, "--measure", "--annotations", noted, "--second", noted, "--json").stdout
    )
    assert report["coders"]["all"]["kappa"]["value"] == 1.0


def found(report: dict[str, Any]) -> int:
    return sum(row["turns"] or 0 for row in report["cues"].values())


def test_weaker_cues_are_left_out_when_asked(file: Path) -> None:
    strong = json.loads(run(file, "--measure", "--at-least", "1", "--json").stdout)
    every = json.loads(run(file, "--measure", "--json").stdout)
    assert strong["at_least"] == 1.0
    assert found(strong) < found(every)


def test_addressees_are_shown_as_asked(file: Path) -> None:
    options = ("--measure", "--at-least", "0.6", "--json")
    none = json.loads(run(file, *options, "--addressee", "none").stdout)
    assert none["addressee"] == "none"
    # who is meant is then less sure, and so are the cues
    assert found(none) < found(json.loads(run(file, *options).stdout))


def test_each_relationship_is_in_one_fold(tmp_path: Path, couple: Conversation) -> None:
    path = tmp_path / "four.jsonl"
    four = [replace(couple, id=f"{k}/1", relationship=k) for k in "abcd"]
    write(path, four, format="jsonl")
    folds = [
        json.loads(run(path, "--measure", "--fold", f"{k}/3", "--json").stdout) for k in (1, 2, 3)
    ]
    assert sorted(f["relationships"] for f in folds) == [1, 1, 2]
    assert sum(f["turns"] for f in folds) == 20


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--measure", "--turn", "2"), "leave --conversation and --turn out"),
        (("--fold", "1/2"), "--fold is for --measure"),
        (("--at-least", "0.5"), "--at-least is for --measure"),
        (("--measure", "--fold", "3/2"), "wanted K/N"),
        (("--measure", "--fold", "half"), "wanted K/N"),
        (("--measure", "--second", "x.jsonl"), "--second needs --annotations"),
    ],
)
def test_options_that_do_not_fit_are_told(file: Path, options: tuple[str, ...], told: str) -> None:
    done = run(file, *options)
    assert done.exit_code == 2
    assert told in done.output
