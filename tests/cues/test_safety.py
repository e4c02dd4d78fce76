"""Fear, coercion, threats, violence: found broadly, but not where denied, supposed or a figure."""

import pytest

from relgraph.cues import Cue, find_cues
from relgraph.records import Conversation, Turn

Row = tuple[str, str, str]
SAFETY = {"fear_of", "coercion", "threat", "violence"}


def found(*rows: Row, people: str = "Ana Ben", scenario: str = "couple") -> list[Cue]:
    """The safety cues of a conversation."""
    conversation = Conversation(
        id="c",
        turns=tuple(
            Turn(index=i, speaker=speaker, text=text, addressees=(to,))
            for i, (speaker, to, text) in enumerate(rows, start=1)
        ),
        scenario=scenario,
        participants=tuple(people.split()),
    )
    return [c for c in find_cues(conversation) if c.name in SAFETY]


def told(text: str, *, to: str = "Ben") -> list[tuple[str, str, str]]:
    """Cue, source and target of what Ana says."""
    return [(c.name, c.source, c.target) for c in found(("Ana", to, text))]


@pytest.mark.parametrize(
    "text",
    [
        "I'm scared of you.",
        "I\u2019m terrified of what you'll do.",
        "I'm afraid that you'll hit me.",
        "I was frightened of your temper.",
        "You scare me when you shout.",
        "I'm scared to tell you things.",
        "I am scared to say no to you.",
        "I fear you.",
        "I flinch when you raise your hand.",
        "I don't feel safe with you.",
        "I'm walking on eggshells around you.",
        "When you drink, I get scared.",
    ],
)
def test_fear_is_of_who_is_feared(text: str) -> None:
    assert told(text) == [("fear_of", "Ana", "Ben")]


def test_fear_told_to_the_supporter_is_of_who_is_spoken_of() -> None:
    assert told("He scares me.", to="Therapist") == [("fear_of", "Ana", "Ben")]
    assert told("He's scared of me.", to="Therapist") == [("fear_of", "Ben", "Ana")]


@pytest.mark.parametrize(
    "text",
    [
        "I'm not scared of you.",
        "I've never been afraid of you.",
        "You don't scare me.",
        "I would be scared of you.",
        "I'd be scared of you.",
        "I'm scared of spiders.",
        "I'm afraid we're late.",
        "I'm afraid of losing you.",
        "I'm afraid of you leaving me.",
        "I'm scared for you.",
        "It's not like I'm scared of you.",
    ],
)
def test_what_is_no_fear_of_somebody_gives_none(text: str) -> None:
    assert not told(text)


@pytest.mark.parametrize(
    "text",
    [
        "You never let me see my friends.",
        "You check my phone every night.",
        "You forced me to sign it.",
        "You forbid me to work.",
        "You locked me in.",
        "You follow me everywhere.",
        "You keep me away from my sister.",
        "I'm not allowed to drive.",
    ],
)
def test_coercion_runs_from_who_is_controlled_to_who_controls(text: str) -> None:
    assert told(text) == [("coercion", "Ana", "Ben")]


def test_owning_up_to_control_turns_it_round() -> None:
    assert told("I check your phone every night.") == [("coercion", "Ben", "Ana")]


@pytest.mark.parametrize(
    "text",
    [
        "You never forced me to sign it.",
        "You don't let me finish.",
        "You forced me to look at myself.",
        "You let me see my friends.",
        "You didn't check my phone.",
    ],
)
def test_what_is_no_control_gives_none(text: str) -> None:
    assert not told(text)


def test_rules_for_children_are_no_coercion() -> None:
    row = ("Cleo", "Therapist", "Mum checks my phone and I'm not allowed to go out.")
    assert not found(row, people="Ana Ben Cleo", scenario="family")
    locked = ("Cleo", "Ben", "You locked me in.")
    assert found(locked, people="Ana Ben Cleo", scenario="family")


@pytest.mark.parametrize(
    "text",
    [
        "I'll kill you.",
        "I'm going to hit you.",
        "If you do that again, I'll leave.",
        "I'll take the kids.",
        "You'll regret this.",
        "I'll divorce you.",
        "I'm warning you.",
        "Do that again and I'm gone.",
        "I'll kill myself.",
        "If you leave me you'll never see the kids again.",
        "I'll make you pay for this.",
        "Don't push me.",
        "Don't make me hit you.",
        "You'll never see me again.",
    ],
)
def test_a_threat_runs_from_who_threatens(text: str) -> None:
    assert told(text) == [("threat", "Ana", "Ben")]


@pytest.mark.parametrize(
    ("text", "to"),
    [
        ("You threatened to take the kids.", "Ben"),
        ("He said he'd kill me.", "Therapist"),
        ("He said, 'I'll take the kids.'", "Therapist"),
        ("And he was like, I'm going to kill you.", "Therapist"),
    ],
)
def test_a_threat_told_of_runs_from_who_made_it(text: str, to: str) -> None:
    assert told(text, to=to) == [("threat", "Ben", "Ana")]


@pytest.mark.parametrize(
    "text",
    [
        "I'll never leave you.",
        "I'm not going to hurt you.",
        "You're killing me.",
        "I never threatened you.",
        "I'll leave you the keys.",
        "You don't push me.",
        "You'll never see the sea from there.",
        "I'm leaving at nine.",
        "I feel threatened by the bank.",
    ],
)
def test_what_is_no_threat_gives_none(text: str) -> None:
    assert not told(text)


@pytest.mark.parametrize(
    "text",
    [
        "You hit me.",
        "You pushed me against the wall.",
        "You threw a plate at me.",
        "You grabbed my arm.",
        "You laid hands on me once.",
        "I got slapped by you.",
        "You would hit me when you drank.",
        "If you hit me again I'm calling my sister.",
        "You pulled my hair.",
        "You choked me.",
        "You got physical with me.",
        "You spat at me.",
        "You broke my arm.",
        "You put your hands around my throat.",
        "You hurt me physically.",
    ],
)
def test_violence_runs_from_who_hurts(text: str) -> None:
    assert told(text) == [("violence", "Ben", "Ana")]


@pytest.mark.parametrize("text", ["It got physical.", "We hit each other."])
def test_violence_of_which_nobody_is_said_to_begin_runs_both_ways(text: str) -> None:
    assert told(text) == [("violence", "Ana", "Ben"), ("violence", "Ben", "Ana")]


@pytest.mark.parametrize(
    "text",
    [
        "You never hit me.",
        "It never got physical.",
        "If you hit me, I'd go.",
        "It hit me that you were gone.",
        "You push me away.",
        "You push my buttons.",
        "Stop beating around the bush.",
        "I beat myself up.",
        "You kicked me out.",
        "You broke my heart.",
        "You put your hand on my arm.",
        "You put your arms around my neck.",
        "You choke me up.",
        "You hit on her.",
        "I'm not saying you hit me.",
        "That was a slap in the face.",
    ],
)
def test_denied_supposed_and_figurative_violence_is_none(text: str) -> None:
    assert not told(text)


def test_violence_by_somebody_who_is_not_there_is_towards_nobody() -> None:
    [cue] = found(("Ana", "Therapist", "My father hit me."))
    assert (cue.name, cue.source, cue.target) == ("violence", "Ana", "")
    assert cue.strength < 0.6


@pytest.mark.parametrize(
    ("question", "name", "source", "target"),
    [
        ("Are you afraid of Ben?", "fear_of", "Ana", "Ben"),
        ("Has he ever hit you?", "violence", "Ben", "Ana"),
        ("Does he check your phone?", "coercion", "Ana", "Ben"),
        ("Has he threatened to take the kids?", "threat", "Ben", "Ana"),
    ],
)
def test_a_question_counts_only_where_it_is_answered_with_yes(
    question: str, name: str, source: str, target: str
) -> None:
    asked = ("Therapist", "Ana", question)
    assert not found(asked)
    assert not found(asked, ("Ana", "Therapist", "No, not at all."))
    assert not found(asked, ("Ana", "Therapist", "Well, we've been married for ten years."))
    [cue] = found(asked, ("Ana", "Therapist", "Yes."))
    assert (cue.name, cue.turn, cue.source, cue.target) == (name, 2, source, target)


def test_a_yes_of_one_who_was_not_asked_does_not_count() -> None:
    rows = [("Therapist", "Ana", "Are you afraid of Ben?"), ("Ben", "Therapist", "Yes.")]
    assert not found(*rows)


def test_what_the_supporter_says_of_it_counts_less() -> None:
    [own] = found(("Ana", "Therapist", "He hit me."))
    [other] = found(("Therapist", "Ana", "He hit you."))
    assert (other.source, other.target) == ("Ben", "Ana")
    assert other.strength < own.strength


def test_names_in_another_script_are_told_apart() -> None:
    rows = [("Żaneta", "Therapist", "José hit me.")]
    assert [(c.source, c.target) for c in found(*rows, people="Żaneta José")] == [
        ("José", "Żaneta")
    ]
