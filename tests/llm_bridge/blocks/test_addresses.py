"""Who speaks to whom: counted in turns, whoever spoke last first."""

from collections.abc import Callable
from dataclasses import replace

from relgraph.records import Conversation

Make = Callable[..., Conversation]
Ask = Callable[..., list[str]]


def test_turns_are_counted_for_each_addressee_the_latest_first(say: Ask, talk: Make) -> None:
    # Ana to Ben twice, once also to the therapist; Ben to Ana once: 2 of 4 turns between two
    # people (Ana-Ben 2 and 1, Ana-Therapist 1 and 0) are returned.
    made = talk(("Ana", "Ben", "One."), ("Ana", "Ben+Therapist", "Two."), ("Ben", "Ana", "Three."))
    assert say("addresses", made) == [
        "Ben -> Ana 1",
        "Ana -> Therapist 1, Ben 2",
        "50% between two people is returned",
    ]


def test_an_inferred_addressee_counts_with_its_confidence(say: Ask, talk: Make) -> None:
    made = talk(("Ana", "Ben", "One."))
    guess = replace(made.turns[0], addressee_source="inferred", addressee_confidence=0.65)
    assert say("addresses", replace(made, turns=(guess,)))[0] == "Ana -> Ben 0.7"


def test_address_to_the_group_stands_under_its_name(say: Ask, talk: Make) -> None:
    assert say("addresses", talk(("Therapist", "Couple", "Welcome."))) == ["Therapist -> Couple 1"]


def test_where_nobody_is_known_to_be_addressed_it_says_so(say: Ask, talk: Make) -> None:
    assert say("addresses", talk(("Ana", "", "Hm."))) == ["not known"]


def test_before_the_first_turn_there_is_nothing_to_say(say: Ask, talk: Make) -> None:
    assert say("addresses", talk()) == []
