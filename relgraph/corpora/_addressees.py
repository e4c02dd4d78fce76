"""How often inferred addressees are those that the data gives."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from relgraph.addressees import CONFIDENCE, inferences
from relgraph.records import Conversation, Turn


@dataclass(frozen=True, slots=True)
class Agreement:
    """Inference against the addressees given, over turns that have one.

    Attributes:
        turns: how many.
        right_percent: share where both name the same person, or both the group.
        floor_percent: what the plainest guess gives: clients speak to the supporter, and the
            supporter to whoever else spoke last.
        constant_percent: what one constant answer for each speaker of a conversation gives when
            the most frequent one is known beforehand, which nothing honest can know.
    """

    turns: int
    right_percent: float
    floor_percent: float
    constant_percent: float

    def record(self) -> dict[str, Any]:
        """Returns the numbers as JSON holds them."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Guess:
    rule: str
    by_supporter: bool
    right: bool
    floor: bool
    constant: bool


def agreement(conversations: Sequence[Conversation]) -> dict[str, Agreement]:
    """Returns the agreement over all turns, by who speaks, and by the rule that decided."""
    guesses = [guess for c in conversations for guess in _guesses(c)]
    found = {
        "all turns": _agreement(guesses),
        "by the supporter": _agreement([g for g in guesses if g.by_supporter]),
        "by the others": _agreement([g for g in guesses if not g.by_supporter]),
    }
    for rule in (*CONFIDENCE, "nothing"):
        own = [g for g in guesses if g.rule == rule]
        if own:
            found[f"rule: {rule}"] = _agreement(own)
    return found


def _agreement(guesses: Sequence[_Guess]) -> Agreement:
    def percent(count: int) -> float:
        return 100 * count / len(guesses) if guesses else 0.0

    return Agreement(
        turns=len(guesses),
        right_percent=percent(sum(g.right for g in guesses)),
        floor_percent=percent(sum(g.floor for g in guesses)),
        constant_percent=percent(sum(g.constant for g in guesses)),
    )


def _guesses(conversation: Conversation) -> list[_Guess]:
    given = [_given(conversation, turn) for turn in conversation.turns]
    usual: dict[str, Counter[str]] = defaultdict(Counter)
    for turn, name in zip(conversation.turns, given, strict=True):
        usual[turn.speaker][name] += bool(name)
    constant = {speaker: counts.most_common(1)[0][0] for speaker, counts in usual.items()}
    last: dict[str, str] = {}
    found = []
    for turn, name, guess in zip(conversation.turns, given, inferences(conversation), strict=True):
        supports = turn.speaker == conversation.supporter
        floor = last.get(turn.speaker, "") if supports else conversation.supporter
        if name:
            found.append(
                _Guess(
                    rule=guess.rule if guess else "nothing",
                    by_supporter=supports,
                    right=guess is not None and guess.addressee == name,
                    floor=floor == name,
                    constant=constant[turn.speaker] == name,
                )
            )
        # for the supporter's floor: whoever else spoke last
        if not supports:
            last[conversation.supporter] = turn.speaker
    return found


def _given(conversation: Conversation, turn: Turn) -> str:
    """Returns the one person or the group that the data gives; "" for none."""
    if turn.addressee_source != "given" or not turn.addressees:
        return ""
    people = set(turn.addressees)
    return conversation.group if len(people) > 1 else turn.addressees[0]
