"""Every kind of defect is told, with its place; what is merely odd is a warning."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from relgraph.corpora import Defect, read, write
from relgraph.records import (
    Annotation,
    Conversation,
    Emotion,
    Relation,
    Strategy,
    Viewpoint,
)


@pytest.fixture
def defects(tmp_path: Path) -> Callable[[Conversation], tuple[Defect, ...]]:
    def listed(conversation: Conversation) -> tuple[Defect, ...]:
        write(tmp_path / "c.jsonl", [conversation], format="rescue")
        return read(tmp_path / "c.jsonl").defects

    return listed


def with_turn(conversation: Conversation, row: int, **changes: Any) -> Conversation:
    turns = list(conversation.turns)
    turns[row - 1] = replace(turns[row - 1], **changes)
    return replace(conversation, turns=tuple(turns))


def with_gold(conversation: Conversation, row: int, **changes: Any) -> Conversation:
    gold = list(conversation.gold)
    gold[row - 1] = replace(gold[row - 1], **changes)
    return replace(conversation, gold=tuple(gold))


Listed = Callable[[Conversation], tuple[Defect, ...]]


def test_a_sound_conversation_has_only_its_overlap_told(
    defects: Listed, couple: Conversation
) -> None:
    (found,) = defects(couple)
    assert (found.severity, found.code, found.row, found.field) == (
        "warning", "overlapping-times", 3, "start_time",
    )  # fmt: skip
    assert "0.50 s" in found.message


@pytest.mark.parametrize(
    ("row", "changes", "severity", "code", "field"),
    [
        (3, {"speaker": "Bne"}, "error", "unknown-person", "primary_speaker"),
        (3, {"speaker": ""}, "error", "no-speaker", "primary_speaker"),
        (3, {"speaker": "Couple"}, "warning", "group-speaker", "primary_speaker"),
        (4, {"addressees": ("Carl",)}, "error", "unknown-person", "target"),
        (4, {"text": "  "}, "warning", "empty-text", "dialogue_cleaned"),
        (4, {"end_s": 8.5}, "error", "reversed-times", "end_time"),
        (4, {"end_s": 9.0}, "warning", "no-duration", "end_time"),
        (4, {"start_s": 1.0}, "warning", "unordered-times", "start_time"),
        (1, {"start_s": -1.0}, "error", "negative-time", "start_time"),
        (5, {"speaker": "ben"}, "warning", "similar-names", ""),
        (5, {"speaker": "Be\u0301n"}, "error", "unknown-person", "primary_speaker"),
    ],
)
def test_a_defect_of_a_turn_is_told(
    defects: Listed,
    couple: Conversation,
    row: int,
    changes: dict[str, Any],
    severity: str,
    code: str,
    field: str,
) -> None:
    found = [d for d in defects(with_turn(couple, row, **changes)) if d.code == code]
    assert [(d.severity, d.field) for d in found] == [(severity, field)]
    assert found[0].row == (None if code == "similar-names" else row)
    assert found[0].conversation == "ana_and_ben/01"
    assert found[0].line == 1


@pytest.mark.parametrize(
    ("row", "changes", "severity", "code", "field"),
    [
        (2, {"utterance_type": "shouting"}, "error", "unknown-label", "utterance_type"),
        (2, {"emotions": (Emotion("Ana", "x", 11.0),)}, "error", "intensity-range",
         "internal_emotion[0].intensity"),
        (2, {"emotions": (Emotion("Ana", "x", 1.0), Emotion("Carl", "x", -1.0))}, "error",
         "intensity-range", "internal_emotion[1].intensity"),
        (2, {"viewpoints": (Viewpoint("Ana", "Carl", "x"),)}, "warning", "unknown-person",
         "viewpoints_attitudes[0].target"),
        (4, {"strategies": (Strategy("Therapist", ("Ben",), "evoking"),)}, "error",
         "unknown-label", "support_strategy[0].strategy_type"),
        (4, {"strategies": (Strategy("Therapist", ("Carl",), "evoke"),)}, "error",
         "unknown-person", "support_strategy[0].target"),
        (4, {"relations": (Relation("relation_cycle_state", "escalation_conflict"),)}, "error",
         "unknown-label", "relation_cycle_state"),
        (4, {"relations": (Relation("relation_cycle_state", "attack_attack", "", (0, 6)),)},
         "error", "evidence-range", "relation_cycle_evidence_rows"),
        (4, {"relations": (Relation("relation_pattern", "attack_attack", "", (0,)),)},
         "warning", "evidence-range", "relation_pattern_evidence_rows"),
    ],
)  # fmt: skip
def test_a_defect_of_an_annotation_is_told(
    defects: Listed,
    couple: Conversation,
    row: int,
    changes: dict[str, Any],
    severity: str,
    code: str,
    field: str,
) -> None:
    found = [d for d in defects(with_gold(couple, row, **changes)) if d.code == code]
    assert [(d.severity, d.row, d.field) for d in found] == [(severity, row, field)]


@pytest.mark.parametrize(
    "more", [("Ana",), ("Therapist",), ("Couple",)], ids=["twice", "supporter", "group"]
)
def test_a_roster_of_more_than_the_participants_is_told(
    defects: Listed, couple: Conversation, more: tuple[str, ...]
) -> None:
    odd = replace(couple, participants=(*couple.participants, *more))
    found = [d for d in defects(odd) if d.code == "odd-roster"]
    assert [(d.severity, d.field, d.wanted) for d in found] == [
        ("warning", "participants", "Ana, Ben")
    ]


def test_a_near_miss_is_answered_with_what_may_be_meant(
    defects: Listed, couple: Conversation
) -> None:
    misspelt = (Strategy("Therapist", ("Ben",), "Evok"),)
    wrong = with_gold(with_turn(couple, 3, speaker="Bem"), 4, strategies=misspelt)
    hints = {d.code: d.hint for d in defects(wrong)}
    assert hints["unknown-person"] == "Did you mean 'Ben'?"
    assert hints["unknown-label"] == "Did you mean 'evoke'?"


def test_labels_in_the_field_that_is_not_scored_are_told_once_a_conversation(
    defects: Listed, family: Conversation
) -> None:
    found = [d for d in defects(family) if d.code == "second-relation-field"]
    assert [(d.severity, d.field, d.got) for d in found] == [
        ("warning", "relation_cycle_state", "'rows 2'")
    ]


def test_labels_that_rest_on_later_rows_are_told_as_hindsight(
    defects: Listed, family: Conversation
) -> None:
    found = [d for d in defects(family) if d.code == "evidence-ahead"]
    assert [(d.severity, d.got) for d in found] == [("warning", "'rows 1'")]


def test_evidence_in_the_row_itself_is_no_hindsight(defects: Listed, family: Conversation) -> None:
    here = (Relation("relation_pattern", "escalation_conflict", "row", (1,)),)
    assert "evidence-ahead" not in {d.code for d in defects(with_gold(family, 1, relations=here))}


def test_a_turn_overlaps_an_earlier_one_though_the_one_between_has_ended(
    defects: Listed, couple: Conversation
) -> None:
    long = with_turn(couple, 1, end_s=20.0)
    assert [d.row for d in defects(long) if d.code == "overlapping-times"] == [2, 3, 4, 5]


def test_turns_that_touch_do_not_overlap(defects: Listed, couple: Conversation) -> None:
    assert defects(with_turn(couple, 3, start_s=6.0)) == ()


def test_a_scenario_without_label_sets_is_a_warning_and_its_labels_are_free(
    defects: Listed, couple: Conversation
) -> None:
    team = with_gold(
        replace(couple, scenario="team"),
        4,
        relations=(Relation("relation_pattern", "anything"),),
        strategies=(Strategy("Therapist", ("Ben",), "anything"),),
    )
    found = defects(with_turn(team, 1, addressees=("Group",)))
    assert {d.code for d in found} == {"unknown-scenario", "overlapping-times", "unknown-person"}
    assert [d.field for d in found if d.code == "unknown-person"] == ["support_strategy[0].target"]


def test_without_a_roster_nobody_is_unknown(defects: Listed, couple: Conversation) -> None:
    anybody = with_turn(replace(couple, participants=()), 3, speaker="Carl")
    assert {d.code for d in defects(anybody)} == {"overlapping-times"}


def test_row_numbers_that_stand_twice_are_an_error_and_gaps_a_warning(tmp_path: Path) -> None:
    from relgraph.corpora import scan

    def codes(*numbers: int) -> list[tuple[str, str]]:
        rows = ",".join(
            f'{{"primary_speaker": "A", "target": [], "dialogue_cleaned": "x", "row_index": {n},'
            ' "start_time": null, "end_time": null}'
            for n in numbers
        )
        file = tmp_path / "a.jsonl"
        about = '"sample_id": "a", "scenario": "couple", "participants": ["A"]'
        file.write_text(f'{{{about}, "rows": [{rows}]}}')
        return [(d.severity, d.code) for f in scan(file) for d in f.defects]

    assert codes(1, 2, 3) == []
    assert codes(1, 2, 2) == [("error", "duplicate-row")]
    assert codes(1, 3, 4) == [("warning", "row-numbers")]


def test_an_unannotated_conversation_has_no_defect_of_annotation(
    defects: Listed, couple: Conversation
) -> None:
    bare = replace(couple, gold=(Annotation(),) * 5)
    assert {d.code for d in defects(bare)} == {"overlapping-times"}
