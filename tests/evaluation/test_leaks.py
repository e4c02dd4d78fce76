"""What the fields of a prompt give away, and what a reader of them alone scores."""

import json
from pathlib import Path

import pytest

from relgraph._cli import cli
from relgraph.evaluation.leaks import BATCH, LATER, ROSTER, audit, read_fields
from relgraph.llm_bridge.prompts import paper
from relgraph.records import Annotation, Case, Conversation, ProtocolName, Strategy, Turn, View
from relgraph.registry import load

ORDER = "ATABT"
"""Ana, therapist, Ana, Ben, therapist: boundaries after 1 (yes), 3 (no), 4 (yes)."""
NAMES = {"A": "Ana", "B": "Ben", "T": "Therapist"}


def conversation(name: str, order: str, *, to: str = "Ben") -> Conversation:
    """Turns in the given order; the therapist supports `to` in each of her turns."""
    turns = tuple(
        Turn(k, NAMES[x], "Well.", ((to,) if x == "T" else ("Therapist",)))
        for k, x in enumerate(order, start=1)
    )
    support = Annotation(strategies=(Strategy("Therapist", (to,), "evoke"),))
    gold = tuple(support if x == "T" else Annotation() for x in order)
    return Conversation(name, turns, gold, "couple", ("Ana", "Ben"), relationship=name)


def cases(task: str, protocol: ProtocolName, *of: Conversation) -> list[Case]:
    return [c for one in of for c in load("task", task).cases(one, View(protocol=protocol))]


TALKS = tuple(conversation(name, ORDER, to=to) for name, to in (("x", "Ana"), ("y", "Ben")))


def test_the_published_fields_give_every_answer_on_timing_away() -> None:
    read = read_fields(cases("itp", "paper", *TALKS))
    assert len(read) == 4
    assert all(r.right for r in read)
    assert {s.field for r in read for s in r.shown} >= {
        "candidate_type",
        "boundary_type",
        "candidate_id",
    }


def test_what_a_value_means_is_learnt_from_other_relationships_alone() -> None:
    alone = read_fields(cases("itp", "paper", TALKS[0]))
    assert all(s.answer == "" for r in alone for s in r.shown if s.field == "candidate_type")


def test_a_later_item_shows_whom_the_decided_turn_was_said_to() -> None:
    read = read_fields(cases("stp", "paper", *TALKS))
    said = {
        (r.case.conversation_id, r.case.turn): [s.answer for s in r.shown if s.field == LATER]
        for r in read
    }
    assert said == {("x", 2): ["Ana"], ("x", 5): [], ("y", 2): ["Ben"], ("y", 5): []}


def test_a_later_item_shows_who_spoke_after_the_boundary() -> None:
    read = read_fields(cases("itp", "paper", conversation("x", ORDER + "AB")))
    said = {r.case.turn: [s.answer for s in r.shown if s.field == LATER] for r in read}
    assert said == {1: ["yes"], 3: ["no"], 4: ["yes"], 6: []}


def test_a_strict_instance_has_nothing_to_read() -> None:
    for task in ("itp", "rpp", "ssp"):
        assert all(not r.shown for r in read_fields(cases(task, "strict", *TALKS)))
    fields = {s.field for r in read_fields(cases("stp", "strict", *TALKS)) for s in r.shown}
    assert fields <= {ROSTER}


def test_a_field_that_is_wrong_elsewhere_is_not_trusted() -> None:
    # in both others, the person not heard of yet is never the answer
    talks = [conversation(name, "AT", to="Ana") for name in ("x", "y", "z")]
    read = read_fields(cases("stp", "strict", *talks))
    assert [(r.answer, r.by) for r in read] == [("Ana", "")] * 3
    assert all(s.answer == "Ben" for r in read for s in r.shown)


def test_the_report_has_the_share_of_right_readings_and_of_the_usual_answer() -> None:
    found = audit({"itp": cases("itp", "paper", *TALKS), "er": []})["tasks"]
    assert list(found) == ["itp"]
    assert found["itp"]["reader"]["value"] == 1
    assert found["itp"]["floor"] == 0.5
    assert found["itp"]["fields"]["candidate_type"] == {"shown": 4, "read": 4, "right": 4}


def test_a_request_holds_as_many_items_as_the_bridge_puts_into_one() -> None:
    assert BATCH == paper.BATCH


def report(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    arguments = ["audit", "--data", "sample", "--task", "itp", *options]
    cli.main(arguments, standalone_mode=False)
    return capsys.readouterr().out


def test_the_command_shows_items_with_their_fields(capsys: pytest.CaptureFixture[str]) -> None:
    said = report(capsys, "--protocol", "paper", "--items", "1")
    assert "a reader of the fields alone scores 100.0" in said
    assert said.count("candidate_type: actual_therapist_entry -> yes") == 1


def test_the_command_gives_every_item_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(report(capsys, "--protocol", "strict", "--json"))
    task = found["tasks"]["itp"]
    assert (found["protocol"], len(task["items"])) == ("strict", task["n"])
    assert task["fields"] == {}


def test_a_name_that_a_terminal_would_obey_is_shown_by_its_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"speaker": "Ana", "text": "One."},
        {"speaker": "Therapist", "text": "Two."},
        {"speaker": "Ana", "text": "Three."},
        {"speaker": "Ben", "text": "Four."},
        {"speaker": "Therapist", "text": "Five."},
    ]
    file = tmp_path / "talk.jsonl"
    line = {"id": "\x1b[2Jx", "turns": rows, "participants": ["Ana", "Ben"], "scenario": "couple"}
    file.write_text(json.dumps(line), encoding="utf-8")
    cli.main(["audit", "--data", str(file), "--task", "itp"], standalone_mode=False)
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "\\x1b[2Jx turn 1" in said
