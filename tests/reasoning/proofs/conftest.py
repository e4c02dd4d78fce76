"""A talk of five turns whose proofs are worked out on paper."""

from collections.abc import Callable

import pytest

from relgraph import Conversation, Turn
from relgraph.cues import Cue
from relgraph.reasoning import Reasoning, RuleSet, reason

RULES = """\
pack talk "How talk goes"
  answers rpp

rule press(A, B)  "A presses B"
  weight 0.9
  when   demand T: A -> B

rule chase(A, B)  "A presses again, B pulls away"
  weight 0.8
  mutual
  cite "Somebody 1999"
  when   press T1: A -> B
  and    short_answer T2: B -> A   within 3 turns after T1
  and    count of demand T: A -> B   within 5 turns up to T2   at least 2
  and    A != B
  unless softening T: A -> B   between T1 and T2

rule calm(A, B)  "A and B are calm"
  when   short_answer T: A -> B
  unless demand T1: B -> A   within 5 turns before T

rule alone(A)  "A gets no answer"
  weight 0.5
  when   short_answer T: A -> B
  unless demand T1: B -> A   within 2 turns after T

rule gone(A, B)  "A has left B"
  when   refusal T: A -> B
"""
"""Of `chase` at turn 5: press turn 3 = 0.9 x 0.6 = 0.54, short answer 0.7, the second strongest
of two demands 0.6; so 0.8 x 0.54 = 0.432, known at turn 5. The softening (0.3) is too weak."""

CUES = (
    Cue("demand", 1, "Ana", "Ben", 0.8, "tell me"),
    Cue("demand", 3, "Ana", "Ben", 0.6, "answer me", by="grammar"),
    Cue("softening", 4, "Ana", "Ben", 0.3, "I miss you"),
    Cue("short_answer", 5, "Ben", "Ana", 0.7, "1 word after a question", by="turns"),
)


@pytest.fixture
def talk() -> Conversation:
    said = (
        ("Ana", "Ben", "Please tell me now."),
        ("Ben", "Ana", "Later, when the game is over."),
        ("Ana", "Ben", "Will you answer me?"),
        ("Ana", "Ben", "I miss you."),
        ("Ben", "Ana", "Fine."),
    )
    turns = tuple(Turn(i, who, text, (to,), "given") for i, (who, to, text) in enumerate(said, 1))
    return Conversation("talk/1", turns, scenario="couple", participants=("Ana", "Ben"))


@pytest.fixture
def reasoned(talk: Conversation) -> Callable[..., Reasoning]:
    """Gives the reasoning about the talk, with other cues or rules beside those above."""

    def of(*more: Cue, rules: str = "") -> Reasoning:
        ruleset = RuleSet.parse(RULES + rules, "talk.rules")
        return reason(talk, ruleset, cues=(*CUES, *more), roles=())

    return of
