"""What is not known: gaps in what was given, each said once and counted."""

from collections.abc import Callable
from dataclasses import replace

from relgraph.records import Conversation

Make = Callable[..., Conversation]
Ask = Callable[..., list[str]]
GERMAN = "Gestern kam niemand und heute wird auch keiner kommen wie immer eben hier bei uns."


def test_a_recording_with_all_given_leaves_nothing_to_say(say: Ask, talk: Make) -> None:
    assert say("unknown", talk(("Ana", "Ben", "Hello."), timing="recorded")) == []


def test_an_edited_recording_has_no_pauses_to_know(say: Ask, talk: Make) -> None:
    told = say("unknown", talk(("Ana", "Ben", "Hello."), timing="edited"))
    assert told == ["pauses and overlaps (edited recording)"]


def test_turns_without_addressee_or_speaker_and_guesses_are_counted(say: Ask, talk: Make) -> None:
    made = talk(("Ana", "", "A."), ("", "Ben", "B."), ("Ben", "Ana", "C."), timing="recorded")
    guess = replace(made.turns[2], addressee_source="inferred")
    assert say("unknown", replace(made, turns=(*made.turns[:2], guess))) == [
        "whom 1 of 3 turns are said to",
        "whom 1 of 3 turns are said to (guessed)",
        "who speaks in 1 of 3 turns",
    ]


def test_all_turns_are_told_as_all(say: Ask, talk: Make) -> None:
    made = talk(("Ana", "", "A."), ("Ben", "", "B."), timing="recorded")
    assert say("unknown", made) == ["whom all turns are said to"]


def test_another_language_is_said_first(say: Ask, talk: Make) -> None:
    told = say("unknown", talk(*[("Ana", "Ben", GERMAN)] * 2, timing="edited"))
    assert "another language" in told[0]
    assert len(told) == 2


def test_people_read_off_the_turns_may_not_be_all(say: Ask, talk: Make) -> None:
    made = talk(("Ana", "Ben", "Hello."), participants=(), timing="recorded")
    assert say("unknown", made) == ["who else is there (no list of people)"]


def test_before_the_first_turn_nothing_is_known(say: Ask, talk: Make) -> None:
    assert say("unknown", talk()) == ["anything: no turn yet"]
