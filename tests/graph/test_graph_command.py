"""`relgraph graph` from the command line."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from relgraph import Annotation, Conversation, Strategy, Turn, build_graph
from relgraph._cli import main
from relgraph.corpora import write
from relgraph.graph.views import from_json


def conversation(name: str) -> Conversation:
    turns = (
        Turn(1, "Nadia", "Tom, will you?", ("Tom",), "given", None, 0.0, 2.0),
        Turn(2, "Therapist", "What do you feel?", ("Nadia",), "given", None, 3.0, 4.0),
    )
    gold = (Annotation(), Annotation(strategies=(Strategy("Therapist", ("Nadia",), "evoke"),)))
    return Conversation(
        name,
        turns,
        gold,
        scenario="couple",
        participants=("Nadia", "Tom"),
        relationship="r",
        timing="recorded",
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "talk.jsonl"
    write(path, [conversation("one"), conversation("two")], format="jsonl")
    return path


def run(capsys: pytest.CaptureFixture[str], *words: str | os.PathLike[str]) -> tuple[int, str, str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["relgraph", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
    shown = capsys.readouterr()
    return int(ended.value.code or 0), shown.out, shown.err


def test_it_prints_the_lossless_graph_of_the_conversation(file: Path, capsys) -> None:
    code, out, _ = run(capsys, "graph", file, "--conversation", "two")
    assert code == 0
    assert from_json(out) == build_graph(conversation("two"))


def test_gold_acts_stay_out_until_they_are_asked_for(file: Path, capsys) -> None:
    _, plain, _ = run(capsys, "graph", file, "--conversation", "one")
    _, with_gold, _ = run(capsys, "graph", file, "--conversation", "one", "--gold")
    assert from_json(plain).of("act", "stance") == ()
    assert [(e.label, e.by) for e in from_json(with_gold).of("act")] == [("evoke", "gold")]


def test_until_and_no_text_leave_out_the_rest(file: Path, capsys) -> None:
    _, out, _ = run(capsys, "graph", file, "--conversation", "one", "--until", 1, "--no-text")
    assert from_json(out) == build_graph(
        replace(conversation("one"), turns=conversation("one").turns[:1]), text=False
    )


def test_it_writes_files_in_each_format(file: Path, tmp_path: Path, capsys) -> None:
    start = ["graph", file, "--conversation", "one"]
    run(capsys, *start, "--format", "csv", "-o", tmp_path / "made.csv")
    run(capsys, *start, "--format", "graphml", "-o", tmp_path / "made.graphml")
    assert (tmp_path / "made-nodes.csv").read_text().startswith("node,kind,name")
    assert len((tmp_path / "made-edges.csv").read_text().splitlines()) > 5
    assert (tmp_path / "made.graphml").read_text().startswith("<?xml")


def test_it_never_writes_over_the_file_that_it_reads(file: Path, tmp_path: Path, capsys) -> None:
    read = file.rename(tmp_path / "talk-nodes.csv")
    before = read.read_bytes()
    start = ("graph", read, "--conversation", "one")
    for more in (("-o", read), ("--format", "csv", "-o", tmp_path / "talk.csv")):
        code, _, err = run(capsys, *start, *more)
        assert code == 2
        assert "is a file to be read" in err
        assert read.read_bytes() == before


def test_measures_are_shown_as_tables_or_json(file: Path, capsys) -> None:
    start = ["graph", file, "--conversation", "one", "--measures"]
    _, table, _ = run(capsys, *start)
    _, document, _ = run(capsys, *start, "--json")
    assert "Silence: 1.0 s, 25.0% of the time, in 1 places" in table
    assert max(map(len, table.splitlines())) <= 100
    assert json.loads(document)["silence"]["seconds"] == 1.0


def test_an_unknown_conversation_is_one_message_with_what_may_be_meant(file: Path, capsys) -> None:
    code, out, err = run(capsys, "graph", file, "--conversation", "twoo")
    assert (code, out) == (2, "")
    assert err.startswith("error: unknown conversation 'twoo'. Did you mean 'two'?")


def test_several_conversations_without_a_choice_are_one_message(file: Path, capsys) -> None:
    code, _, err = run(capsys, "graph", file)
    assert code == 2
    assert "holds 2 conversations; choose one with --conversation ID. Known: one, two." in err


def test_csv_without_a_file_to_write_is_a_usage_error(file: Path, capsys) -> None:
    code, _, err = run(capsys, "graph", file, "--conversation", "one", "--format", "csv")
    assert code == 2
    assert "name them with -o OUT" in err


@pytest.fixture
def bare_table(tmp_path: Path) -> Path:
    path = tmp_path / "talk.csv"
    path.write_text("speaker,text\nNadia,Tom will you come?\nTom,I will\n", encoding="utf-8")
    return path


def test_a_table_without_addressees_says_that_they_can_be_inferred(
    bare_table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert edges(bare_table, "--no-text", capsys) == []


def test_addressees_are_inferred_when_asked_for(
    bare_table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Nobody knows of Tom before he speaks, so the first turn stays open.
    assert edges(bare_table, "--addressee=inferred", capsys) == ["speaker:Nadia"]


def edges(path: Path, option: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Whom the turns are said to, after checking that a hint stands where they are unknown."""
    code, out, err = run(capsys, "graph", path, option)
    assert code == 0
    assert ("--addressee inferred" in err) == (option == "--no-text")
    return [str(e.target) for e in from_json(out).of("addressed")]
