"""Who is there: roles as given or told, and who is silent."""

from collections.abc import Callable

Make = Callable[..., object]
Ask = Callable[..., list[str]]


def test_a_couple_are_partners_and_whoever_has_not_spoken_is_silent(say: Ask, talk: Make) -> None:
    assert say("roster", talk(("Ana", "Therapist", "Hello."))) == [
        "Partners: Ana, Ben; supporter: Therapist.",
        "Silent so far: Ben.",
    ]


def test_before_the_first_turn_nobody_is_called_silent(say: Ask, talk: Make) -> None:
    assert say("roster", talk()) == ["Partners: Ana, Ben; supporter: Therapist."]


def test_without_a_list_the_people_are_those_seen_so_far(say: Ask, talk: Make) -> None:
    seen = talk(("Ana", "Ben", "Hello."), participants=(), scenario="")
    assert say("roster", seen) == ["People: Ana, Ben.", "Silent so far: Ben."]


def test_whoever_is_not_on_the_list_is_one_of_the_others(say: Ask, talk: Make) -> None:
    assert say("roster", talk(("Aunt", "Ana", "Hello."), ("Ana", "Ben", "Hm.")))[0] == (
        "Partners: Ana, Ben; others: Aunt; supporter: Therapist."
    )


def test_nobody_known_is_said(say: Ask, talk: Make) -> None:
    assert say("roster", talk(participants=())) == ["People: nobody is known yet."]


def test_in_a_family_the_older_one_is_told_with_the_turn_that_tells_it(
    say: Ask, talk: Make
) -> None:
    family = talk(
        ("Ana", "Ben", "Well."),
        ("Ben", "Therapist", "Ana is my daughter, she is only nine."),
        scenario="family",
    )
    assert say("roster", family)[-1] == "Called or spoken of as: Ben parent of Ana [2]."


def test_a_child_whose_parent_nobody_names_is_told_alone(say: Ask, talk: Make) -> None:
    family = talk(("Mum", "Therapist", "Ana is my daughter, she is only nine."), scenario="family")
    assert say("roster", family)[-1] == "Called or spoken of as: Ana child [1]."


def test_what_is_told_again_is_listed_once_and_with_whose_child_where_that_is_known(
    say: Ask, talk: Make
) -> None:
    family = talk(
        ("Mum", "Therapist", "Ana is my daughter, she is only nine."),
        ("Ben", "Therapist", "Ana is my daughter, she is only nine."),
        ("Ben", "Therapist", "Ana is my daughter, she is only nine."),
        scenario="family",
    )
    (line,) = [line for line in say("roster", family) if line.startswith("Called")]
    assert line == "Called or spoken of as: Ben parent of Ana [3]."
