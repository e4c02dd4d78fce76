"""Our own format: its schema, unknown fields, and what is wrong in it."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from relgraph.corpora import read, write
from relgraph.corpora.jsonl import line
from relgraph.errors import DataError
from relgraph.records import Annotation, Conversation, Turn


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((files("relgraph.corpora") / "schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(found)
    return found


def test_what_is_written_holds_to_the_schema(
    schema: dict[str, Any], couple: Conversation, family: Conversation
) -> None:
    check = jsonschema.Draft202012Validator(schema)
    for conversation in (couple, family, *read("sample")):
        assert list(check.iter_errors(json.loads(line(conversation)))) == []


@pytest.mark.parametrize(
    "bad",
    [
        {"id": "a"},
        {"id": "a", "turns": [{"speaker": "Ana"}]},
        {"id": "a", "turns": [{"speaker": "Ana", "text": "Hi", "start_s": "0"}]},
        {"id": "a", "turns": [], "timing": "guessed"},
        {"id": "a", "turns": [{"speaker": "A", "text": "", "gold": {"emotions": [{"person": 1}]}}]},
    ],
)
def test_the_schema_refuses_what_the_reader_would_call_an_error(
    schema: dict[str, Any], bad: dict[str, Any]
) -> None:
    assert list(jsonschema.Draft202012Validator(schema).iter_errors(bad))


def test_every_property_of_the_schema_is_one_that_the_writer_knows(schema: dict[str, Any]) -> None:
    from relgraph.corpora import _turns, jsonl

    turn = schema["$defs"]["turn"]["properties"]
    gold = schema["$defs"]["annotation"]["properties"]
    assert set(schema["properties"]) == jsonl.KNOWN
    assert set(turn) == jsonl.KNOWN_IN_TURN
    assert set(gold) == {key for field in _turns.GOLD_FIELDS for key in field.keys}


def test_unknown_fields_stay_where_they_were(tmp_path: Path) -> None:
    raw = {
        "id": "a",
        "relationship": "r",
        "language": "en",
        "turns": [{"speaker": "Ana", "text": "Hi", "room": 3, "gold": {"mood": "low"}}],
    }
    (tmp_path / "a.jsonl").write_text(json.dumps(raw))
    write(tmp_path / "b.jsonl", read(tmp_path / "a.jsonl").conversations, format="jsonl")
    assert json.loads((tmp_path / "b.jsonl").read_text()) == raw


def test_speaker_and_text_suffice(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "a", "turns": [{"speaker": "Ana", "text": "Hi"}]}')
    corpus = read(tmp_path / "a.jsonl")
    turn = corpus[0].turns[0]
    assert (turn.start_s, turn.addressees, turn.addressee_source) == (None, (), "none")
    assert corpus[0].gold == ()
    assert corpus.defects == ()


def test_a_turn_without_speaker_is_told_with_its_place(tmp_path: Path) -> None:
    raw = '{"id": "a", "turns": [{"speaker": "Ana", "text": "Hi"}, {"text": "Hm"}]}'
    (tmp_path / "a.jsonl").write_text(f"\n{raw}")
    defect = read(tmp_path / "a.jsonl").errors[0]
    assert (defect.code, defect.line, defect.conversation, defect.row, defect.field) == (
        "missing-field", 2, "a", 2, "speaker",
    )  # fmt: skip


def test_annotations_for_some_turns_only_are_not_written(tmp_path: Path) -> None:
    lame = Conversation("a", (Turn(1, "A", "x"), Turn(2, "B", "y")), gold=(Annotation(),))
    with pytest.raises(DataError, match="1 annotations for 2 turns"):
        write(tmp_path / "a.jsonl", [lame], format="jsonl")
    assert list(tmp_path.iterdir()) == []


def test_writing_into_a_folder_that_is_none_gets_one_clear_message(tmp_path: Path) -> None:
    from relgraph.errors import RunError

    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot be written"):
        write(
            tmp_path / "file" / "a.jsonl", [Conversation("a", (Turn(1, "A", "x"),))], format="jsonl"
        )
