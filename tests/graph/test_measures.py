"""Measures against answers worked out on paper."""

import math

import pytest

from relgraph.graph import build_graph
from relgraph.graph.measures import (
    Latency,
    Mutual,
    Overlap,
    Silence,
    address_matrix,
    balance,
    latencies,
    length_trends,
    measure,
    overlaps,
    reciprocity,
    silence,
    talk_shares,
)
from relgraph.records import Conversation, Timing, Turn


def talk(*rows: tuple, timing: Timing = "recorded", roster: tuple[str, ...] = ()) -> Conversation:
    """A conversation from (speaker, words, addressee, start, end)."""
    turns = tuple(
        Turn(
            index,
            speaker,
            " ".join(["word"] * words),
            (to,) if to else (),
            "given" if to else "none",
            None,
            start,
            end,
        )
        for index, (speaker, words, to, start, end) in enumerate(rows, start=1)
    )
    return Conversation("c", turns, scenario="couple", participants=roster, timing=timing)


FOUR = talk(
    ("Ana", 6, "Ben", 0.0, 4.0),
    ("Ben", 2, "Ana", 5.0, 6.0),
    ("Ana", 10, "Ben", 5.5, 8.0),
    ("Therapist", 2, "Couple", 10.0, 12.0),
    roster=("Ana", "Ben"),
)
GRAPH = build_graph(FOUR)


def test_talk_shares_count_turns_words_and_seconds() -> None:
    ana, ben, therapist = talk_shares(GRAPH)
    assert (ana.turns, ana.words, ana.seconds) == (2, 16, 6.5)
    assert (ben.turn_share, ben.word_share) == (0.25, 0.1)
    assert ben.second_share == pytest.approx(1 / 9.5)
    assert therapist.speaker == "Therapist"


def test_someone_silent_has_a_share_of_zero_and_unknown_times_none() -> None:
    ana, ben = talk_shares(build_graph(talk(("Ana", 3, "", None, None), roster=("Ana", "Ben"))))
    assert (ana.seconds, ana.second_share) == (None, None)
    assert (ben.turns, ben.words, ben.word_share) == (0, 0, 0.0)


def test_turns_said_by_the_group_stand_last() -> None:
    shares = talk_shares(build_graph(talk(("Couple", 1, "", 0, 1), ("Ana", 1, "", 1, 2))))
    assert [s.speaker for s in shares] == ["Ana", "Couple"]


def test_balance_is_one_for_equal_talk_zero_for_one_voice_none_without() -> None:
    equal = talk(("Ana", 4, "", 0, 1), ("Ben", 4, "", 1, 2))
    one = talk(("Ana", 4, "", 0, 1), roster=("Ana", "Ben"))
    assert balance(build_graph(equal)) == pytest.approx(1.0)
    assert balance(build_graph(one)) == 0.0
    assert balance(build_graph(talk())) is None
    shares = (0.8, 0.1, 0.1)
    assert balance(GRAPH) == pytest.approx(-sum(p * math.log(p) for p in shares) / math.log(3))


def test_the_address_matrix_counts_by_row_to_column() -> None:
    matrix = address_matrix(GRAPH)
    assert matrix.sources == matrix.targets == ("Ana", "Ben", "Therapist", "Couple")
    assert matrix.counts == ((0, 2, 0, 0), (1, 0, 0, 0), (0, 0, 0, 1), (0, 0, 0, 0))
    assert matrix.unaddressed == 0


def test_turns_without_speaker_or_addressee_count_as_unaddressed() -> None:
    graph = build_graph(talk(("Ana", 1, "", 0, 1), ("", 1, "Ana", 1, 2), ("Ben", 1, "Ana", 2, 3)))
    assert address_matrix(graph).unaddressed == 2


def test_a_person_called_like_the_group_is_one_row_of_the_matrix() -> None:
    graph = build_graph(talk(("Ana", 1, "Couple", 0, 1), roster=("Ana", "Couple")))
    assert address_matrix(graph).counts == ((0, 1), (0, 0))


def test_reciprocity_is_the_part_of_address_that_is_returned() -> None:
    found = reciprocity(GRAPH)
    assert found.value == pytest.approx(2 / 3)
    assert found.pairs == (Mutual("Ana", "Ben", pytest.approx(2 / 3)),)
    assert reciprocity(build_graph(talk(("Ana", 1, "Couple", 0, 1)))).value is None


def test_length_trends_are_words_a_turn_by_least_squares() -> None:
    ana, ben, _ = length_trends(GRAPH)
    assert (ana.mean_words, ana.slope_words) == (8.0, 4.0)
    assert (ben.turns, ben.slope_words) == (1, None)
    three = talk(*[("Ana", n, "", None, None) for n in (1, 2, 6)])
    assert length_trends(build_graph(three))[0].slope_words == pytest.approx(2.5)


def test_latencies_are_offsets_between_different_speakers() -> None:
    assert latencies(GRAPH) == (
        Latency("Ana", "Ben", 1, 1.0, 1.0),
        Latency("Ben", "Ana", 1, -0.5, -0.5),
        Latency("Ana", "Therapist", 1, 2.0, 2.0),
    )


def test_going_on_oneself_is_no_latency_and_no_overlap() -> None:
    graph = build_graph(talk(("Ana", 1, "", 0.0, 2.0), ("Ana", 1, "", 1.0, 3.0)))
    assert (latencies(graph), overlaps(graph)) == ((), ())


def test_overlaps_say_who_talks_over_whom() -> None:
    assert overlaps(GRAPH) == (Overlap("Ana", "Ben", 1, 0.5),)


def test_silence_is_the_time_in_which_no_turn_goes_on() -> None:
    assert silence(GRAPH) == Silence(3.0, 0.25, 2.0, 2)
    assert silence(GRAPH, at_least_s=1.5) == Silence(2.0, pytest.approx(2 / 12), 2.0, 1)
    inside = talk(("Ana", 1, "", 0.0, 10.0), ("Ben", 1, "", 2.0, 3.0), ("Ana", 1, "", 10.0, 11.0))
    assert silence(build_graph(inside)) == Silence(0.0, 0.0, 0.0, 0)


@pytest.mark.parametrize("timing", ["edited", "unknown"])
def test_what_lies_between_turns_is_left_out_unless_times_are_recorded_or_trusted(
    timing: Timing,
) -> None:
    rows = [("Ana", 1, "", 0.0, 1.0), ("Ben", 1, "", 2.0, 3.0)]
    graph = build_graph(talk(*rows, timing=timing))
    found = measure(graph)
    assert (found.latencies, found.overlaps, found.silence) == (None, None, None)
    assert measure(graph, trust_times=True).silence == Silence(1.0, pytest.approx(1 / 3), 1.0, 1)
    assert found.talk[0].seconds == 1.0


def test_an_empty_conversation_has_measures_of_nothing() -> None:
    found = measure(build_graph(talk()), trust_times=True)
    assert (found.talk, found.balance, found.reciprocity.value) == ((), None, None)
    assert (found.trends, found.latencies, found.overlaps, found.silence) == ((), (), (), None)


def test_measures_at_a_moment_are_those_of_the_cut_conversation() -> None:
    cut = talk(("Ana", 6, "Ben", 0.0, 4.0), ("Ben", 2, "Ana", 5.0, 6.0), roster=("Ana", "Ben"))
    assert measure(GRAPH.until(2)) == measure(build_graph(cut))
