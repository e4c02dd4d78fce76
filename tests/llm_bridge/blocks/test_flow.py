"""The last turns: who to whom, how many words, whether it asks."""

from collections.abc import Callable

from relgraph.records import Conversation

Make = Callable[..., Conversation]
Ask = Callable[..., list[str]]


def test_the_last_four_turns_are_kept_the_newest_first(say: Ask, talk: Make) -> None:
    rows = [("Ana", "Ben", "So."), ("Ben", "Ana+Therapist", "Is it so?"), ("Ana", "", "Yes it is.")]
    assert say("flow", talk(*rows, *rows)) == [
        "[6] Ana 3",
        "[5] Ben -> Ana, Therapist 3, asks",
        "[4] Ana -> Ben 1",
        "[3] Ana 3",
    ]


def test_a_turn_of_nobody_known_is_told_as_such(say: Ask, talk: Make) -> None:
    assert say("flow", talk(("", "", "Noise."))) == ["[1] (unknown) 1"]
