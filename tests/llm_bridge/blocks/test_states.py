"""Speakers at first and now: the first and the last third of the talk up to the cut."""

from collections.abc import Callable

from relgraph.records import Conversation

Make = Callable[..., Conversation]
Ask = Callable[..., list[str]]
LONG = "I said it was late and we had to go home then."


def test_longer_turns_more_turns_and_questions_are_told(say: Ask, talk: Make) -> None:
    # Thirds of 9 turns: 1 to 3 and 7 to 9. Ana: 3 turns, then 1. Ben: none, then 2 questions.
    # Ana's turns have 2 words, then 12.
    made = talk(
        *[("Ana", "Ben", "So now.")] * 3,
        *[("Therapist", "Ana", "Go on.")] * 3,
        ("Ben", "Ana", "Is it?"),
        ("Ben", "Ana", "Was it?"),
        ("Ana", "Ben", LONG),
    )
    assert say("states", made) == [
        "Ana: speaks 3/1, words a turn 2/12",
        "Ben: speaks 0/2, questions 0/2",
    ]


def test_ways_of_talking_are_counted_in_turns(say: Ask, talk: Make) -> None:
    blame = ("Ana", "Ben", "It is your fault that we are late.")
    sorry = ("Ana", "Ben", "I am so sorry that I hurt you.")
    made = talk(blame, blame, *[("Therapist", "Ana", "Go on.")] * 2, sorry, sorry)
    (ana,) = [line for line in say("states", made) if line.startswith("Ana")]
    assert "attacks 2/0" in ana
    assert "turns to others 0/2" in ana


def test_whoever_talks_as_before_is_left_out(say: Ask, talk: Make) -> None:
    rows = [("Ana", "Ben", "So now."), ("Ben", "Ana", "So then.")] * 3
    assert say("states", talk(*rows)) == []


def test_one_question_more_is_no_change(say: Ask, talk: Make) -> None:
    rows = [("Ana", "Ben", "So now."), ("Ben", "Ana", "So then.")] * 3
    rows[4] = ("Ana", "Ben", "So now?")
    assert not [line for line in say("states", talk(*rows)) if "questions" in line]


def test_of_fewer_than_six_turns_nothing_is_compared(say: Ask, talk: Make) -> None:
    between = ("Ben", "Ana", "So then.")
    first, last = ("Ana", "Ben", "So now."), ("Ana", "Ben", LONG)
    assert say("states", talk(first, *[between] * 4, last)) == ["Ana: words a turn 2/12"]
    assert say("states", talk(first, *[between] * 3, last)) == []
