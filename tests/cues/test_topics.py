"""What a turn is about."""

import pytest

from relgraph.cues import find_cues
from relgraph.cues.codebook import TOPICS
from relgraph.cues.topics import LEMMAS, PHRASES
from relgraph.records import Conversation, Turn


def topics(text: str, *, speaker: str = "Ana") -> dict[str, float]:
    """Topic -> strength, of one turn."""
    turn = Turn(index=1, speaker=speaker, text=text, addressees=("Ben",))
    cues = find_cues(Conversation(id="c", turns=(turn,), participants=("Ana", "Ben")))
    assert all(not c.target for c in cues if c.name == "topic")
    return {c.detail: c.strength for c in cues if c.name == "topic"}


def test_every_topic_has_its_words() -> None:
    assert set(LEMMAS) == set(TOPICS)
    assert set(PHRASES) <= set(TOPICS)


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("The kids were asleep.", "children"),
        ("You feel so distant.", "closeness"),
        ("He was drunk again.", "drinking"),
        ("Your mother called again.", "extended_family"),
        ("I went to the doctor.", "health"),
        ("Nobody does the dishes.", "household"),
        ("The rent is due.", "money"),
        ("You cheated on me.", "past_injury"),
        ("There's a curfew now.", "rules"),
        ("She hates her teacher.", "school"),
        ("I want a divorce.", "separation"),
        ("We never have sex.", "sex"),
        ("We should go on a date night.", "time_together"),
        ("You lied to me.", "trust"),
        ("My boss wants overtime.", "work"),
    ],
)
def test_a_topic_is_found_by_its_words_in_any_form(text: str, topic: str) -> None:
    assert topic in topics(text)


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("It was about that, and you know it.", "money"),
        ("You don't pay attention.", "money"),
        ("It doesn't work.", "work"),
        ("I'm just kidding.", "children"),
        ("To be honest, I liked it.", "trust"),
        ("I close the window.", "closeness"),
        ("I spend the day there.", "money"),
    ],
)
def test_pronouns_and_everyday_phrases_are_no_topic(text: str, topic: str) -> None:
    assert topic not in topics(text)


def test_more_words_of_a_topic_make_it_stronger_up_to_a_limit() -> None:
    one = topics("The rent.")["money"]
    two = topics("The rent and the bills.")["money"]
    three = topics("The rent, the bills and the loan.")["money"]
    four = topics("The rent, the bills, the loan and the mortgage.")["money"]
    assert one < two < three == four < 1


def test_the_same_word_again_is_no_other_word() -> None:
    assert topics("Money, money, money.") == topics("Money.")


def test_the_supporter_speaks_of_topics_too() -> None:
    assert topics("Let's look at the money.", speaker="Therapist") == topics(
        "Let's look at the money."
    )
