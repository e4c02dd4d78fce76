"""`relgraph data`: tables for people, JSON for machines, and the right exit code."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from relgraph._cli import cli
from relgraph.corpora import read, write
from relgraph.corpora._stats import by_scenario, statistics
from relgraph.records import Conversation


def run(*argv: str | Path) -> Result:
    return CliRunner().invoke(cli, ["data", *map(str, argv)])


@pytest.fixture
def sound(tmp_path: Path, couple: Conversation, family: Conversation) -> Path:
    write(tmp_path / "sound.jsonl", [couple, family], format="rescue")
    return tmp_path / "sound.jsonl"


@pytest.fixture
def broken(tmp_path: Path, couple: Conversation) -> Path:
    turns = (*couple.turns[:4], replace(couple.turns[4], speaker="[red]Bem", end_s=1.0))
    write(tmp_path / "broken.jsonl", [replace(couple, turns=turns)], format="rescue")
    with (tmp_path / "broken.jsonl").open("a") as file:
        file.write('{"sample_id": \n')
    return tmp_path / "broken.jsonl"


def test_validate_ends_with_0_when_there_are_only_warnings(sound: Path) -> None:
    done = run("validate", sound)
    assert done.exit_code == 0
    assert "overlapping-times" in done.stdout
    assert "2 conversations read: 0 errors, 4 warnings" in done.stdout


def test_validate_strict_ends_with_1_on_warnings(sound: Path) -> None:
    assert run("validate", sound, "--strict").exit_code == 1


def test_validate_lists_errors_with_their_place_and_ends_with_1(broken: Path) -> None:
    done = run("validate", broken, "--json")
    assert done.exit_code == 1
    listed: dict[str, Any] = json.loads(done.stdout)
    assert (listed["conversations"], listed["errors"]) == (1, 3)
    places = [
        (d["code"], d["line"], d["conversation"], d["row"], d["field"]) for d in listed["defects"]
    ]
    assert ("unknown-person", 1, "ana_and_ben/01", 5, "primary_speaker") in places
    assert ("reversed-times", 1, "ana_and_ben/01", 5, "end_time") in places
    assert ("unreadable", 2, "", None, "") in places
    assert {d["file"] for d in listed["defects"]} == {str(broken)}


def test_what_stands_in_the_data_is_no_markup_in_the_table(broken: Path) -> None:
    assert "[red]Bem" in run("validate", broken).stdout


def test_a_missing_file_ends_with_2_and_one_line(tmp_path: Path) -> None:
    program = "from relgraph._cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "data", "stats", "absent"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: absent: no such file or folder.")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_stats_count_what_the_fixtures_hold(couple: Conversation, family: Conversation) -> None:
    found = statistics([couple, family])
    assert (found.conversations, found.relationships, found.turns) == (2, 2, 11)
    assert found.minutes == pytest.approx((16 + 18) / 60)
    assert found.speakers_mean == pytest.approx((3 + 5) / 2)
    assert found.supporter_percent == pytest.approx(100 * 3 / 11)
    assert found.overlapping_turns == 1
    assert found.instances == {"er": 3, "itp": 4, "rpp": 2, "ssp": 3, "stp": 3, "vp": 3}
    assert found.labels["relation pattern, couple"]["pursue_withdraw"] == 1
    assert found.labels["relation pattern, couple"]["(no clear pattern)"] == 1
    assert found.labels["relation pattern, family"]["escalation_conflict"] == 1
    assert found.labels["emotion intensity"]["6.5"] == 1
    assert found.labels["emotion intensity"]["(not given)"] == 1


def test_turns_that_touch_are_not_counted_as_overlapping(couple: Conversation) -> None:
    turns = (*couple.turns[:2], replace(couple.turns[2], start_s=6.0), *couple.turns[3:])
    assert statistics([replace(couple, turns=turns)]).overlapping_turns == 0


def test_stats_print_the_same_numbers_by_scenario(sound: Path) -> None:
    printed = json.loads(run("stats", sound, "--json").stdout)
    assert printed.pop("digest") == read(sound).digest
    assert printed == {
        name: found.record() for name, found in by_scenario(read(sound).conversations).items()
    }
    assert list(printed) == ["all", "couple", "family"]
    assert "turns by the supporter, %" in run("stats", sound).stdout


@pytest.mark.parametrize("target", ["jsonl", "rescue"])
def test_convert_there_and_back_gives_an_equal_file(
    sound: Path, tmp_path: Path, target: str
) -> None:
    other, back = tmp_path / "other", tmp_path / "back"
    assert run("convert", sound, "-o", other, "--to", target).exit_code == 0
    assert run("convert", other, "-o", back, "--to", "rescue").exit_code == 0
    assert back.read_text() == sound.read_text()


def test_convert_to_a_table_says_on_stderr_what_is_left_out(sound: Path, tmp_path: Path) -> None:
    done = run("convert", sound, "-o", tmp_path / "t.tsv", "--to", "csv")
    assert done.stdout == ""
    assert "11 annotations (gold)" in done.stderr
    assert (tmp_path / "t.tsv").read_text().startswith("conversation\tscenario\t")


def test_convert_refuses_to_write_over_the_file_that_it_reads(sound: Path) -> None:
    before = sound.read_bytes()
    done = run("convert", sound, "-o", sound, "--to", "jsonl")
    assert done.exit_code == 2
    assert sound.read_bytes() == before


def test_convert_says_that_the_data_has_errors_and_strict_stops(
    broken: Path, tmp_path: Path
) -> None:
    done = run("convert", broken, "-o", tmp_path / "o", "--to", "jsonl")
    assert done.exit_code == 0
    assert "3 errors in the data" in done.stderr
    assert run("convert", broken, "-o", tmp_path / "p", "--to", "jsonl", "--strict").exit_code
    assert not (tmp_path / "p").exists()


def test_addressees_are_scored_against_those_given(sound: Path) -> None:
    found = json.loads(run("addressees", sound, "--json").stdout)
    assert found["all turns"]["turns"] == 11
    assert run("addressees", sound).stdout.count("rule:") >= 3


def test_addressees_of_a_file_that_gives_none_are_not_scored(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("speaker,text\nAna,Hi\n")
    done = run("addressees", tmp_path / "t.csv")
    assert done.exit_code == 2
    assert "gives no addressee" in done.stderr


@pytest.mark.rescue
def test_the_benchmark_has_the_published_counts_and_no_error(rescue_folder: Path) -> None:
    file = rescue_folder / "rescue_dev.jsonl"
    found = json.loads(run("stats", file, "--json").stdout)["all"]
    assert (found["conversations"], found["relationships"], found["turns"]) == (146, 21, 5315)
    assert round(found["minutes"], 1) == 800.9
    assert round(found["speakers_mean"], 2) == 3.10
    assert round(found["supporter_percent"], 1) == 37.0
    assert run("validate", file, "--json").exit_code == 0
