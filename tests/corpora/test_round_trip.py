"""What is read is written again: records through jsonl, rows through rescue, nothing lost."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from relgraph.corpora import read, write
from relgraph.corpora._json import same
from relgraph.records import (
    NONVERBAL_KINDS,
    Annotation,
    Background,
    Conversation,
    Emotion,
    Nonverbal,
    Relation,
    Strategy,
    Turn,
    Viewpoint,
    renumber,
)

QUICK = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
name = text.filter(bool)
some_names = st.lists(name, max_size=3).map(tuple)
seconds = st.none() | st.floats(-10, 1e6)
finite = st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | finite | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
OWN_KEYS = ["id", "text", "speaker", "turns", "gold", "tone", "extra", "start_s", "addressees"]
extra = st.dictionaries(st.sampled_from(OWN_KEYS) | st.text(max_size=6), json_values, max_size=3)

backgrounds = st.builds(Background, name, some_names, text)
nonverbals = st.builds(Nonverbal, st.sampled_from(NONVERBAL_KINDS), name, text, some_names)
turns = st.builds(
    Turn,
    index=st.just(1),
    speaker=text,
    text=text,
    addressees=some_names,
    addressee_source=st.sampled_from(["given", "inferred", "none"]),
    addressee_confidence=st.none() | st.floats(0, 1),
    start_s=seconds,
    end_s=seconds,
    background=st.lists(backgrounds, max_size=2).map(tuple),
    tone=text,
    nonverbal=st.lists(nonverbals, max_size=2).map(tuple),
    extra=extra,
)
annotations = st.builds(
    Annotation,
    utterance_type=text,
    emotions=st.lists(st.builds(Emotion, name, text, seconds), max_size=2).map(tuple),
    viewpoints=st.lists(st.builds(Viewpoint, name, name, text, text), max_size=2).map(tuple),
    strategies=st.lists(st.builds(Strategy, name, some_names, text, text), max_size=2).map(tuple),
    relations=st.lists(
        st.builds(
            Relation,
            st.sampled_from(["relation_pattern", "relation_cycle_state"]),
            text,
            text,
            st.lists(st.integers(-3, 99), max_size=3).map(tuple),
        ),
        max_size=2,
    ).map(tuple),
)


@st.composite
def conversations(draw: st.DrawFn) -> Conversation:
    said = draw(st.lists(turns, min_size=1, max_size=3))
    gold = draw(st.lists(annotations, min_size=len(said), max_size=len(said)))
    return Conversation(
        id=draw(name),
        turns=renumber(said),
        gold=tuple(gold) if draw(st.booleans()) else (),
        scenario=draw(text),
        participants=draw(some_names),
        supporter=draw(text),
        relationship=draw(name),
        timing=draw(st.sampled_from(["recorded", "edited", "unknown"])),
        extra=draw(extra),
    )


@QUICK
@given(conversations())
def test_records_come_back_equal_from_our_own_format(
    tmp_path: Path, conversation: Conversation
) -> None:
    file = tmp_path / "own.jsonl"
    write(file, [conversation], format="jsonl")
    (back,) = read(file, format="jsonl")
    assert replace(back, source="") == conversation


RESCUE_KEYS = [
    "start_time", "end_time", "primary_speaker", "target", "dialogue_cleaned", "utterance_type",
    "background_dialogue", "tone_of_voice", "body_posture", "facial_expressions",
    "self_directed_behavior", "interaction_behavior", "internal_emotion", "viewpoints_attitudes",
    "support_strategy", "row_index", "relation_pattern", "relation_pattern_reason",
    "relation_pattern_evidence_rows", "relation_cycle_state", "relation_cycle_reason",
    "relation_cycle_evidence_rows", "target_source", "target_confidence",
]  # fmt: skip
items = st.lists(
    st.dictionaries(
        st.sampled_from(
            ["person", "description", "initiator", "target", "source", "viewpoint", "attitude",
             "provider", "strategy_type", "intensity", "emotion_description", "content", "speaker",
             "unknown"]
        ),
        json_values,
        max_size=4,
    )
    | json_values,
    max_size=2,
)  # fmt: skip
rows = st.dictionaries(
    st.sampled_from(RESCUE_KEYS) | st.text(max_size=5), items | json_values, max_size=10
)
rescue_records = st.fixed_dictionaries(
    {
        "sample_id": name,
        "rows": st.lists(rows | json_values, max_size=3).flatmap(
            lambda found: rows.map(lambda row: [*found, row])
        ),
    },
    optional={
        "scenario": json_values | st.sampled_from(["couple", "family"]),
        "participants": json_values | st.lists(name),
        "supporter": json_values,
        "relationship": json_values,
        "timing": json_values,
        "source_file": json_values,
        "anything": json_values,
        "turns": json_values,
    },
)


def dump(record: Any) -> str:
    return json.dumps(record) + "\n"


@QUICK
@given(rescue_records)
def test_rescue_rows_come_back_equal_whatever_their_fields_hold(
    tmp_path: Path, record: dict[str, Any]
) -> None:
    file, again = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    file.write_text(dump(record), encoding="utf-8")
    write(again, read(file, format="rescue").conversations, format="rescue")
    assert same(json.loads(again.read_text(encoding="utf-8")), record)


@QUICK
@given(rescue_records)
def test_rescue_rows_come_back_equal_by_way_of_our_own_format(
    tmp_path: Path, record: dict[str, Any]
) -> None:
    file, own, again = tmp_path / "in.jsonl", tmp_path / "own.jsonl", tmp_path / "out.jsonl"
    file.write_text(dump(record), encoding="utf-8")
    write(own, read(file, format="rescue").conversations, format="jsonl")
    write(again, read(own, format="jsonl").conversations, format="rescue")
    assert same(json.loads(again.read_text(encoding="utf-8")), record)


def test_true_is_not_one_and_five_is_five_point_nought() -> None:
    assert not same([True], [1])
    assert not same({"a": 0}, {"a": False})
    assert same({"a": [5]}, {"a": [5.0]})


def test_a_field_that_was_changed_wins_over_the_original_put_aside(tmp_path: Path) -> None:
    file, again = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    row = {"primary_speaker": "Ana", "dialogue_cleaned": "Hello.", "start_time": "3.5"}
    file.write_text(dump({"sample_id": "a", "rows": [row]}), encoding="utf-8")
    (conversation,) = read(file)
    mended = replace(conversation, turns=(replace(conversation.turns[0], start_s=3.5),))
    write(again, [mended], format="rescue")
    assert json.loads(again.read_text())["rows"][0]["start_time"] == 3.5


def test_a_packed_file_reads_as_the_plain_one_and_has_its_digest(
    tmp_path: Path, couple: Conversation
) -> None:
    plain, packed = tmp_path / "c.jsonl", tmp_path / "c.jsonl.gz"
    write(plain, [couple], format="jsonl")
    write(packed, [couple], format="jsonl")
    assert packed.read_bytes()[:2] == b"\x1f\x8b"
    assert read(packed).digest == read(plain).digest
    assert replace(read(packed)[0], source="") == couple


def test_writing_the_same_conversations_twice_gives_equal_bytes(
    tmp_path: Path, couple: Conversation, family: Conversation
) -> None:
    for file in ("a.jsonl.gz", "b.jsonl.gz"):
        write(tmp_path / file, [couple, family], format="rescue")
    packed = (tmp_path / "a.jsonl.gz").read_bytes()
    assert packed == (tmp_path / "b.jsonl.gz").read_bytes()
    assert packed[4:8] == bytes(4), "the time of writing stands in it"


def test_the_layers_of_both_fixtures_survive_rescue(
    tmp_path: Path, couple: Conversation, family: Conversation
) -> None:
    file = tmp_path / "c.jsonl"
    write(file, [couple, family], format="rescue")
    back = read(file)
    assert tuple(replace(c, source="") for c in back) == (couple, family)


def test_inferred_addressees_stay_marked_through_rescue(
    tmp_path: Path, couple: Conversation
) -> None:
    from relgraph.addressees import infer

    file = tmp_path / "c.jsonl"
    write(file, [infer(couple)], format="rescue")
    turn = read(file)[0].turns[3]
    assert (turn.addressees, turn.addressee_source) == (("Ben",), "inferred")
    assert turn.addressee_confidence == infer(couple).turns[3].addressee_confidence
