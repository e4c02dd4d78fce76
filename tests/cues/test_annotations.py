"""Cues that a coder noted are read whole or refused with the place."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from relgraph.cues.annotations import Annotated, read_coding
from relgraph.errors import DataError
from relgraph.records import Background, Conversation

BLAME = {
    "conversation": "ana_and_ben/01",
    "turn": 2,
    "cue": "criticism",
    "source": "Ana",
    "target": "Ben",
    "detail": "",
    "words": "He never answers",
}


def written(folder: Path, *rows: Any) -> Path:
    path = folder / "noted.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_line_is_a_cue(tmp_path: Path, couple: Conversation) -> None:
    coding = read_coding(written(tmp_path, BLAME), [couple])
    assert coding.conversations == ("ana_and_ben/01",)
    assert coding.cues == (
        Annotated("ana_and_ben/01", 2, "criticism", "Ana", "Ben", "", "He never answers"),
    )


def test_target_kind_and_words_may_be_left_out(tmp_path: Path, couple: Conversation) -> None:
    short = {k: BLAME[k] for k in ("conversation", "turn", "source")} | {"cue": "tension"}
    coding = read_coding(written(tmp_path, short), [couple])
    assert coding.cues == (Annotated("ana_and_ben/01", 2, "tension", "Ana"),)


def test_a_line_of_a_conversation_alone_says_that_it_was_read(
    tmp_path: Path, couple: Conversation
) -> None:
    coding = read_coding(written(tmp_path, {"conversation": "ana_and_ben/01"}), [couple])
    assert coding.conversations == ("ana_and_ben/01",)
    assert coding.cues == ()


def test_somebody_who_remarks_behind_a_turn_can_be_its_source(
    tmp_path: Path, couple: Conversation
) -> None:
    remark = BLAME | {"cue": "defence", "source": "Ben", "target": "Ana", "words": "I do."}
    assert len(read_coding(written(tmp_path, remark), [couple]).cues) == 1


def test_a_group_is_no_target_even_where_it_is_spoken_to(
    tmp_path: Path, couple: Conversation
) -> None:
    remark = Background("Ben", ("Couple",), "Oh.")
    turns = tuple(replace(t, background=(remark,)) for t in couple.turns)
    row = BLAME | {"target": "Couple"}
    with pytest.raises(DataError, match="one line a person"):
        read_coding(written(tmp_path, row), [replace(couple, turns=turns)])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"conversation": "ana_and_ben/1"}, "unknown conversation 'ana_and_ben/1'"),
        ({"turn": 6}, "turn is 6, but it has the turns 1 to 5"),
        ({"turn": True}, "wanted a whole number"),
        ({"turn": "2"}, "wanted a whole number"),
        ({"cue": "critisism"}, "Did you mean 'criticism'?"),
        ({"cue": "type_accusation"}, "unknown cue"),
        ({"source": "Anna"}, "unknown source 'Anna'"),
        ({"target": "Couple"}, "one line a person"),
        ({"target": "Ana"}, "source and target are both 'Ana'"),
        ({"detail": "money"}, "has no kinds"),
        ({"cue": "topic", "detail": "weather"}, "unknown detail of topic 'weather'"),
        ({"cue": "topic"}, "unknown detail of topic ''"),
        ({"words": "He always answers"}, "do not stand in the turn"),
        ({"strength": "0.4"}, "unknown field 'strength'"),
        ({"words": None}, "words is None, wanted text"),
    ],
)
def test_what_is_not_there_is_told_with_its_line(
    tmp_path: Path, couple: Conversation, change: dict[str, Any], told: str
) -> None:
    path = written(tmp_path, BLAME, "", BLAME | {"words": "something"} | change)
    with pytest.raises(DataError) as error:
        read_coding(path, [couple])
    assert str(error.value).startswith(f"{path}:3")
    assert told in str(error.value)


def test_a_line_without_what_is_needed_says_what(tmp_path: Path, couple: Conversation) -> None:
    row = {"conversation": "ana_and_ben/01", "turn": 2, "cue": "blame"}
    with pytest.raises(DataError, match=r"noted\.jsonl:1, conversation .*: has no source"):
        read_coding(written(tmp_path, row), [couple])


@pytest.mark.parametrize("line", ["{", "[1]", "[" * 20_000])
def test_a_line_that_is_no_object_is_refused(
    tmp_path: Path, couple: Conversation, line: str
) -> None:
    with pytest.raises(DataError, match=r"noted\.jsonl:1: .*[Ww]anted.* object"):
        read_coding(written(tmp_path, line), [couple])


def test_what_is_noted_twice_is_refused(tmp_path: Path, couple: Conversation) -> None:
    with pytest.raises(
        DataError, match=r":2: criticism Ana -> Ben is noted twice, first in line 1"
    ):
        read_coding(written(tmp_path, BLAME, BLAME), [couple])


def test_a_file_without_a_line_is_refused(tmp_path: Path, couple: Conversation) -> None:
    with pytest.raises(DataError, match="notes no cue"):
        read_coding(written(tmp_path, ""), [couple])
