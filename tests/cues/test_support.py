"""What a supporter does, and signs of the alliance."""

import pytest

from relgraph.cues import CODEBOOK, find_cues
from relgraph.records import Conversation, Turn

SUPPORT = {name for name, entry in CODEBOOK.items() if entry.family == "support"}


def names(text: str, *, speaker: str = "Therapist", to: str = "Ana") -> set[str]:
    """The support cues of one turn of a couple's conversation."""
    turn = Turn(index=1, speaker=speaker, text=text, addressees=(to,))
    conversation = Conversation(
        id="c", turns=(turn,), scenario="couple", participants=("Ana", "Ben")
    )
    cues = [c for c in find_cues(conversation) if c.name in SUPPORT]
    assert all((c.source, c.turn) == (speaker, 1) for c in cues)
    return {c.name for c in cues}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("open_question", "What is that like for you?"),
        ("open_question", "Tell me more about that."),
        ("open_question", "What happens in you when he goes quiet?"),
        ("circular_question", "What do you think Ben feels when you leave?"),
        ("circular_question", "How do you think she sees it?"),
        ("circular_question", "What does your father do when your mother cries?"),
        ("enactment_instruction", "Can you tell him that?"),
        ("enactment_instruction", "So, tell her what you just told me."),
        ("enactment_instruction", "Turn to Ben and say it to him directly."),
        ("enactment_instruction", "Why don't you ask him?"),
        ("evocative_reflection", "You feel so alone in this."),
        ("evocative_reflection", "Underneath that there is something soft."),
        ("evocative_reflection", "So you're hurt?"),
        ("cycle_naming", "When she pushes, you pull back."),
        ("cycle_naming", "The more you push, the more he withdraws."),
        ("cycle_naming", "You two are caught in this dance."),
        ("reframing", "It's not that he doesn't care, it's that he is afraid."),
        ("reframing", "Maybe he's trying to protect you."),
        ("reframing", "Another way to see it is that he reaches for you."),
        ("escalation_stop", "Hold on, hold on."),
        ("escalation_stop", "Let\u2019s slow this down."),
        ("escalation_stop", "Let him finish."),
        ("boundary_setting", "That's between you and your wife."),
        ("boundary_setting", "He's the child here."),
        ("boundary_setting", "It's not your job to look after them."),
        ("boundary_setting", "Let him speak for himself."),
        ("alliance", "Take your time, this is a safe place."),
        ("alliance", "What would you like to change here?"),
        ("alliance", "You both want this to work."),
    ],
)
def test_an_act_of_the_supporter_is_found(name: str, text: str) -> None:
    assert name in names(text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("open_question", "How long have you been married?"),
        ("open_question", "Did you call him?"),
        ("open_question", "What you say is clear."),
        ("circular_question", "What do you feel when he leaves?"),
        ("circular_question", "What do you think?"),
        ("enactment_instruction", "Did you tell him?"),
        ("enactment_instruction", "When you tell him that, it is hard."),
        ("evocative_reflection", "What are you afraid of?"),
        ("evocative_reflection", "He was angry with the bank."),
        ("evocative_reflection", "You're not hurt."),
        ("cycle_naming", "When she called, what did you say?"),
        ("cycle_naming", "When you came, you sat down."),
        ("reframing", "It's not raining."),
        ("escalation_stop", "Did you wait for the bus that day?"),
        ("escalation_stop", "We can stop by next week."),
        ("escalation_stop", "You don't hold on to that."),
        ("boundary_setting", "What happened between the two of you?"),
        ("boundary_setting", "You have a child."),
        ("alliance", "You came by bus."),
    ],
)
def test_what_only_looks_like_an_act_is_none(name: str, text: str) -> None:
    assert name not in names(text)


@pytest.mark.parametrize(
    "text",
    ["What is that like for you?", "Hold on.", "Can you tell him that?", "You feel so alone."],
)
def test_clients_do_not_support(text: str) -> None:
    assert not names(text, speaker="Ben")


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("That helps.", True),
        ("I want to work on this.", True),
        ("I'm willing to try.", True),
        ("I don't want to work on this.", False),
        ("That doesn't help.", False),
    ],
)
def test_a_client_who_agrees_on_the_work_with_the_supporter_allies(text: str, agrees: bool) -> None:
    assert ("alliance" in names(text, speaker="Ana", to="Therapist")) is agrees


def test_a_client_does_not_ally_with_a_partner() -> None:
    assert not names("That helps.", speaker="Ana", to="Ben")


def test_a_reason_asked_for_is_less_open() -> None:
    def strength(text: str) -> float:
        turn = Turn(1, "Therapist", text, ("Ana",))
        cues = find_cues(Conversation(id="c", turns=(turn,), participants=("Ana", "Ben")))
        return next(c.strength for c in cues if c.name == "open_question")

    assert strength("Why did you leave?") < strength("How did you leave?")
