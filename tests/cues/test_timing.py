"""Silence and overlap: only by recorded times, and never a crash by odd ones."""

import math

import pytest

from relgraph.cues import Cue, find_cues
from relgraph.records import Conversation, Timing, Turn

Times = tuple[float | None, float | None]


def timed(
    first: Times, second: Times, *, timing: Timing = "recorded", who: str = "Ben"
) -> list[Cue]:
    """The cues by times of a second turn, by `who`, after Ana asked Ben."""
    turns = (
        Turn(1, "Ana", "Where were you?", ("Ben",), start_s=first[0], end_s=first[1]),
        Turn(2, who, "At work until nine.", ("Ana",), start_s=second[0], end_s=second[1]),
    )
    conversation = Conversation(
        id="c", turns=turns, participants=("Ana", "Ben", "Cleo"), timing=timing
    )
    return [c for c in find_cues(conversation) if c.by == "times"]


def test_a_long_pause_after_being_spoken_to_is_silence() -> None:
    [cue] = timed((0, 2), (7, 9))
    assert (cue.name, cue.source, cue.target, cue.turn) == ("silence", "Ben", "Ana", 2)
    assert cue.words == "5 s of silence"


def test_a_longer_silence_is_stronger_up_to_a_limit() -> None:
    strengths = [timed((0, 2), (2 + pause, 60))[0].strength for pause in (3.5, 5, 8, 50)]
    assert strengths == sorted(strengths)
    assert strengths[0] < 0.6
    assert strengths[-1] <= 0.95


@pytest.mark.parametrize("pause_s", [0.5, 2.9, 3.0])
def test_three_seconds_are_no_silence_yet(pause_s: float) -> None:
    assert not timed((0, 2), (2 + pause_s, 9))


def test_who_was_spoken_to_is_silent_when_another_one_speaks_after_the_pause() -> None:
    assert [(c.name, c.source) for c in timed((0, 2), (9, 12), who="Cleo")] == [("silence", "Ben")]


def test_an_overlap_that_takes_the_floor_interrupts() -> None:
    cues = timed((0, 5), (4, 9))
    assert [(c.name, c.source, c.target) for c in cues] == [
        ("interruption", "Ben", "Ana"),
        ("overlap", "Ben", "Ana"),
    ]


def test_a_short_overlap_does_not_interrupt_and_a_tiny_one_is_how_turns_meet() -> None:
    assert [c.name for c in timed((0, 5), (4.7, 9))] == ["overlap"]
    assert not timed((0, 5), (4.9, 9))


def test_who_goes_on_is_neither_silent_nor_overlapping() -> None:
    assert not timed((0, 5), (12, 14), who="Ana")
    assert not timed((0, 5), (3, 14), who="Ana")


@pytest.mark.parametrize("timing", ["edited", "unknown"])
@pytest.mark.parametrize("second", [(9, 12), (1, 12)])
def test_times_that_are_not_of_a_recording_give_nothing(timing: Timing, second: Times) -> None:
    assert timed((0, 2), second)
    assert not timed((0, 2), second, timing=timing)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((math.nan, math.nan), (math.nan, 1.0)),
        ((0.0, math.inf), (9.0, 9.0)),
        ((-math.inf, 2.0), (9.0, 12.0)),
        ((50.0, 52.0), (1.0, 2.0)),
        ((None, None), (9.0, 12.0)),
        ((0.0, 2.0), (None, None)),
        ((0.0, 2.0), (math.inf, math.inf)),
    ],
)
def test_times_that_are_not_finite_missing_or_out_of_order_give_nothing(
    first: Times, second: Times
) -> None:
    assert not timed(first, second)


def test_a_pause_counts_from_the_latest_end_so_far() -> None:
    turns = (
        Turn(1, "Cleo", "The long story goes on and on.", ("Ana",), start_s=0, end_s=20),
        Turn(2, "Ana", "Where were you?", ("Ben",), start_s=5, end_s=7),
        Turn(3, "Ben", "At work until nine.", ("Ana",), start_s=15, end_s=18),
    )
    conversation = Conversation(
        id="c", turns=turns, participants=("Ana", "Ben", "Cleo"), timing="recorded"
    )
    assert not [c for c in find_cues(conversation) if c.name == "silence"]
