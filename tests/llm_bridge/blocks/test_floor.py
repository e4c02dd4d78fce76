"""The floor: shares, runs, and times only where they were recorded."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from relgraph.approach import Settings
from relgraph.llm_bridge.blocks._base import Source
from relgraph.records import Conversation, Instance, Timing
from relgraph.registry import load

Make = Callable[..., Conversation]
Ask = Callable[..., list[str]]


def timed(made: Conversation, *spans: tuple[float, float], timing: Timing) -> Conversation:
    turns = tuple(
        replace(t, start_s=s, end_s=e) for t, (s, e) in zip(made.turns, spans, strict=True)
    )
    return replace(made, turns=turns, timing=timing)


def test_shares_are_of_words_and_the_most_talkative_stands_first(say: Ask, talk: Make) -> None:
    made = talk(("Ana", "Ben", "No."), ("Ben", "Ana", "One two three."))
    assert say("floor", made) == ["Ben 75%, 1", "Ana 25%, 1"]


def test_a_run_that_goes_on_and_the_longest_one_before_are_told(say: Ask, talk: Make) -> None:
    rows = [("Ana", "Ben", "So.")] * 3 + [("Ben", "Ana", "No.")] * 2
    assert say("floor", talk(*rows))[2:] == ["now Ben, 2 turns in a row", "longest run Ana [1-3]"]


def test_a_run_of_two_long_ago_is_not_worth_a_word(say: Ask, talk: Make) -> None:
    rows = [("Ana", "Ben", "So.")] * 2 + [("Ben", "Ana", "No.")]
    assert len(say("floor", talk(*rows))) == 2


SPANS = ((0.0, 4.0), (3.0, 5.0), (9.0, 10.0))
"""Ben begins 1 s before Ana has ended, Ana 4 s after Ben has: 4 of 10 s nobody speaks."""


def test_recorded_times_give_pauses_overlaps_and_silence(say: Ask, talk: Make) -> None:
    made = talk(("Ana", "Ben", "So."), ("Ben", "Ana", "No."), ("Ana", "Ben", "Oh."))
    assert say("floor", timed(made, *SPANS, timing="recorded"))[2:] == [
        "Ben after Ana -1.0 s (median, 1x)",
        "Ana after Ben 4.0 s (median, 1x)",
        "Ben over Ana 1x, 1.0 s",
        "silence 40% of the time, longest 4.0 s",
    ]


@pytest.mark.parametrize(
    ("timing", "why"),
    [("edited", "pauses edited"), ("unknown", "no times")],
)
def test_other_times_are_not_read_and_the_head_says_why(
    timing: Timing, why: str, say: Ask, talk: Make
) -> None:
    made = talk(("Ana", "Ben", "So."), ("Ben", "Ana", "No."), ("Ana", "Ben", "Oh."))
    untold = timed(made, *SPANS, timing=timing)
    assert len(say("floor", untold)) == 2
    source = Source(Instance("i", "rpp", untold), Settings())
    assert load("block", "floor").say(source).head == f"Floor (share of words, turns; {why}):"


def test_before_the_first_turn_there_is_no_floor(say: Ask, talk: Make) -> None:
    assert say("floor", talk()) == []
