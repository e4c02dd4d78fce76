"""Votes worked out by hand: what several answers to one question say together."""

import pytest

from relgraph.llm_bridge.samples import vote
from relgraph.records import Cost, Emotion, Prediction, Viewpoint


def ranked(*ranking: str, because: tuple[str, ...] = ()) -> Prediction:
    return Prediction("i", ranking=ranking, because=because)


def failed(failure: str = "no JSON: none", raw: str = "well") -> Prediction:
    return Prediction("i", failure=failure, raw=raw)


def felt(phrase: str, intensity: float | None) -> Prediction:
    return Prediction("i", emotion=Emotion("Ana", phrase, intensity))


def held(*views: tuple[str, str, str]) -> Prediction:
    return Prediction("i", viewpoints=tuple(Viewpoint(*v) for v in views))


def test_one_answer_stands_as_it_is() -> None:
    one = Prediction("i", ranking=("a", "b"), because=("position 1 of 2",), calls=("x",))
    assert vote([one]) == one


def test_the_option_that_most_samples_put_first_wins_and_votes_are_probabilities() -> None:
    said = vote([ranked("b", "a"), ranked("a", "b"), ranked("b", "a"), ranked("b", "a")])
    assert said.ranking == ("b", "a")
    assert said.probabilities == (0.75, 0.25)


def test_options_that_nobody_puts_first_stand_behind_in_the_order_of_their_ranks() -> None:
    # Reciprocal ranks: c 1/3 + 1/2 + 1/2 = 4/3, b 1/2 + 1/3 + 1/3 = 7/6, d only once.
    said = vote([ranked("a", "b", "c"), ranked("a", "c", "b"), ranked("a", "c", "b", "d")])
    assert said.ranking == ("a", "c", "b", "d")
    assert said.probabilities == (1, 0, 0, 0)


def test_equal_votes_are_parted_by_the_mean_reciprocal_rank() -> None:
    # One vote each; b is second elsewhere (1/2), a third (1/3) and c unnamed.
    said = vote([ranked("a", "b"), ranked("c", "b", "a"), ranked("b", "d")])
    assert said.ranking[:3] == ("b", "a", "c")
    assert said.probabilities[:3] == (1 / 3, 1 / 3, 1 / 3)


def test_where_all_else_is_equal_the_first_sample_decides() -> None:
    assert vote([ranked("b", "a"), ranked("a", "b")]).ranking == ("b", "a")


def test_probabilities_are_averaged_where_every_sample_has_some() -> None:
    samples = [
        Prediction("i", ranking=("a", "b"), probabilities=(0.6, 0.4)),
        Prediction("i", ranking=("b", "a"), probabilities=(0.9, 0.1)),
    ]
    said = vote(samples)
    assert said.ranking == ("b", "a")
    assert said.probabilities == pytest.approx((0.65, 0.35))


def test_one_sample_without_probabilities_makes_it_a_vote() -> None:
    samples = [
        Prediction("i", ranking=("a", "b"), probabilities=(0.6, 0.4)),
        ranked("a"),
        ranked("b"),
    ]
    assert vote(samples).probabilities == pytest.approx((2 / 3, 1 / 3))


def test_the_reasons_are_those_of_a_sample_that_chose_the_winner() -> None:
    samples = [
        ranked("a", because=("position 1 of 2",)),
        ranked("b", because=("position 2 of 2",)),
        ranked("b", because=("position 2 of 2",)),
    ]
    assert vote(samples).because == ("position 2 of 2", "votes of 3 samples: b 2, a 1")


def test_failed_samples_have_no_vote_and_are_counted() -> None:
    said = vote([failed(), ranked("b", "a"), ranked("b", "a"), failed("refused: no")])
    assert (said.failure, said.probabilities) == ("", (1.0, 0.0))
    assert said.because[-1] == ("2 of 4 samples failed and have no vote: 1 no JSON, 1 refused")


def test_an_item_of_which_more_than_half_failed_has_failed() -> None:
    said = vote([failed("refused: no", "No."), ranked("a"), failed("no JSON: none", "a?")])
    assert said.failure == "refused: no (2 of 3 samples failed: 1 refused, 1 no JSON)"
    assert said.raw == "--- sample 1\nNo.\n--- sample 3\na?"
    assert (said.ranking, said.probabilities, said.because) == ((), (), ())


def test_where_all_failed_the_commonest_cause_is_named() -> None:
    said = vote([failed("empty: x", ""), failed("truncated: y"), failed("truncated: z")])
    assert said.failure == "truncated: y (3 of 3 samples failed: 2 truncated, 1 empty)"


def test_tokens_time_cost_and_calls_are_those_of_all_samples() -> None:
    samples = [
        Prediction("i", ranking=("a",), cost=Cost(10, 2, 0.5, 0.25), calls=("x",)),
        Prediction("i", failure="empty: x", cost=Cost(10, 0, 0.25, 0.125), calls=("y", "z")),
    ]
    said = vote(samples)
    assert said.cost == Cost(20, 2, 0.75, 0.375)
    assert said.calls == ("x", "y", "z")


def test_an_emotion_has_the_median_intensity_and_the_phrase_nearest_to_it() -> None:
    said = vote([felt("furious", 9), felt("hurt", 6.5), felt("calm", 1)])
    assert said.emotion == Emotion("Ana", "hurt", 6.5)
    assert said.because == ("intensities of 3 samples: 1, 6.5, 9",)


def test_of_phrases_as_near_the_commonest_is_taken() -> None:
    # The median is 5; 4 and 6 are as near, and two of these four say sad.
    said = vote([felt("tense", 4), felt("Sad", 4), felt("alone", 6), felt("sad", 6)])
    assert said.emotion == Emotion("Ana", "Sad", 5)


def test_an_emotion_without_an_intensity_lends_its_phrase_only_if_none_has_one() -> None:
    assert vote([felt("sad", None), felt("hurt", 3)]).emotion == Emotion("Ana", "hurt", 3)
    assert vote([felt("sad", None), felt("sad", None)]).emotion == Emotion("Ana", "sad", None)


def test_viewpoints_are_of_the_pairs_that_most_samples_name() -> None:
    said = vote(
        [
            held(("Ana", "Ben", "is late")),
            held(("Ben", "Ana", "nags"), ("Ben", "Ben", "tries")),
            held(("Ben", "Ben", "is willing"), ("Ben", "Ana", "complains")),
        ]
    )
    assert {(v.source, v.target) for v in said.viewpoints} == {("Ben", "Ana"), ("Ben", "Ben")}
    assert said.because == ("2 of 3 samples name these sources and targets",)


def test_the_words_of_a_viewpoint_are_those_most_like_the_others() -> None:
    # Shared with the others: 1 word, then 3 + 3 words of 4 with each other.
    said = vote(
        [
            held(("Ana", "Ben", "Ben sulks a lot")),
            held(("Ana", "Ben", "Ben never helps her")),
            held(("Ana", "Ben", "ben never helps anyone")),
        ]
    )
    assert said.viewpoints == (Viewpoint("Ana", "Ben", "Ben never helps her"),)
