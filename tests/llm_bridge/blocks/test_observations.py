"""Cues: one made-up exchange each, with the cue worked out by hand."""

import pytest

from relgraph.approach import Settings
from relgraph.graph import build_graph
from relgraph.llm_bridge.blocks._base import Source, unmarked
from relgraph.llm_bridge.observations import find_observations
from relgraph.records import Conversation, Instance, Timing, Turn
from relgraph.registry import load


def cues(
    *turns: tuple[str, str, str], times: list[tuple[float, float]] | None = None,
    timing: Timing = "unknown",
) -> list[str]:  # fmt: skip
    spans = times or [(None, None)] * len(turns)
    made = tuple(
        Turn(i, who, text, tuple(to.split("+")) if to else (), "given", start_s=s, end_s=e)
        for i, ((who, to, text), (s, e)) in enumerate(zip(turns, spans, strict=True), start=1)
    )
    people = ("Ana", "Ben")
    return [
        unmarked(str(cue))
        for cue in find_observations(
            build_graph(Conversation("c", made, participants=people, timing=timing))
        )
    ]


def test_a_question_that_nobody_answers_in_three_turns_stays_open() -> None:
    assert cues(
        ("Ana", "Ben", "Will you come?"),
        ("Therapist", "Ana", "Go on."),
        ("Ana", "Therapist", "He stays at work."),
        ("Therapist", "Ana", "I see."),
    ) == ["[1] Ana asks Ben: no turn of Ben within 3 turns"]


def test_a_question_just_asked_is_not_answered_yet() -> None:
    assert cues(("Ana", "Ben", "Will you come?")) == ["[1] Ana asks Ben: no turn of Ben yet"]


def test_an_answered_question_is_no_cue() -> None:
    said = "I would like to, I really would"
    assert cues(("Ana", "Ben", "Will you come?"), ("Ben", "Ana", said)) == []


def test_an_answer_of_two_words_is_very_short() -> None:
    found = cues(("Ana", "Ben", "Will you come?"), ("Ben", "Ana", "Not sure."))
    assert found == ["[2] Ben answers [1] in 2 words"]


def test_a_question_to_the_group_waits_for_nobody_in_particular() -> None:
    assert cues(("Therapist", "Group", "Who begins?"), ("Ana", "Therapist", "Me.")) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("You never ask.", "you never"),
        ("YOU ALWAYS do this", "you always"),
        ("you don\u2019t even look", "you don\u2019t even"),
        ("You're always late", "you're always"),
    ],
)
def test_you_with_an_absolute_is_a_cue(text: str, said: str) -> None:
    assert cues(("Ana", "Ben", text)) == [f'[1] Ana to Ben says "{said}"']


def test_you_without_an_absolute_is_none() -> None:
    assert cues(("Ana", "Ben", "You neverland fan, you all ways know.")) == []


def test_talk_about_somebody_present_to_another_is_a_cue() -> None:
    assert cues(("Ana", "Therapist", "Ben stays away.")) == [
        "[1] Ana speaks about Ben to Therapist"
    ]


def test_naming_somebody_before_all_is_no_talk_behind_their_back() -> None:
    assert cues(("Therapist", "Group", "Ben stays away.")) == []


def test_talk_to_the_person_named_is_none() -> None:
    assert cues(("Ana", "Ben", "Ben, stay."), ("Ana", "Ben+Therapist", "So Ben said.")) == []


def test_overlaps_and_silences_are_read_from_recorded_times() -> None:
    turns = (("Ana", "Ben", "So."), ("Ben", "Ana", "No."), ("Ana", "Ben", "Well."))
    times = [(0.0, 4.0), (3.0, 5.0), (9.5, 10.0)]
    assert cues(*turns, times=times, timing="recorded") == [
        "[2] Ben overlaps Ana [1] for 1.0 s",
        "[3] silence of 4.5 s before Ana speaks",
    ]


@pytest.mark.parametrize("timing", ["edited", "unknown"])
def test_times_of_an_edited_or_unknown_recording_are_not_read(timing: Timing) -> None:
    turns = (("Ana", "Ben", "So."), ("Ben", "Ana", "No."))
    assert cues(*turns, times=[(0.0, 4.0), (9.0, 10.0)], timing=timing) == []


def test_the_newest_are_kept_and_the_oldest_shown_first() -> None:
    turns = tuple(Turn(k, "Ana", "You never ask.", ("Ben",), "given") for k in (1, 2, 3))
    source = Source(Instance("i", "rpp", Conversation("c", turns)), Settings())
    said = load("block", "observations").say(source)
    assert [entry[:3] for entry in said.entries] == ["[3]", "[2]", "[1]"]
    assert said.chronological
