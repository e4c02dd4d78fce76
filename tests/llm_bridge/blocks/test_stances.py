"""What one does to another: directed, with how often, how strongly and when last."""

import re
from collections.abc import Callable

from relgraph.records import Conversation

Make = Callable[..., Conversation]
Ask = Callable[..., list[str]]
BLAME = "It is your fault that we are late."


def test_a_sign_is_told_with_its_direction_its_strength_and_its_turn(say: Ask, talk: Make) -> None:
    (line,) = say("stances", talk(("Therapist", "Couple", "Hello."), ("Ana", "Ben", BLAME)))
    assert re.fullmatch(r"Ana -> Ben: blame (0\.\d|1\.0) \[2\]", line)


def test_a_sign_in_two_turns_is_counted_and_has_its_last_turn(say: Ask, talk: Make) -> None:
    (line,) = say("stances", talk(("Ana", "Ben", BLAME), ("Ana", "Ben", BLAME)))
    assert re.fullmatch(r"Ana -> Ben: blame 2x (0\.\d|1\.0) \[2\]", line)


def test_the_pair_with_most_signs_stands_first_and_directions_apart(say: Ask, talk: Make) -> None:
    rows = [("Ben", "Ana", BLAME), ("Ana", "Ben", BLAME), ("Ana", "Ben", BLAME)]
    pairs = [line.split(":")[0] for line in say("stances", talk(*rows))]
    assert pairs == ["Ana -> Ben", "Ben -> Ana"]


def test_a_plain_question_is_no_stance(say: Ask, talk: Make) -> None:
    assert say("stances", talk(("Ana", "Ben", "Is it nine?"))) == []
