"""Whom a turn is said to, inferred where a transcript does not say it.

Inference is causal and blind to annotation: the addressee of turn t comes from the speakers and
texts of turns up to t alone, never from an addressee that the data gives, nor from background
talk. The first rule that speaks decides; each has a fixed confidence, a round figure near how
often it is right on half of RESCUE-Bench (docs/data.md has the figures for the other half).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from relgraph.labels import PATTERNS
from relgraph.records import AddresseeView, Conversation, Turn

CONFIDENCE: Mapping[str, float] = {
    "name": 0.85,
    "everyone": 0.8,
    "one left": 0.9,
    "second person": 0.8,
    "third person": 0.85,
    "answer": 0.9,
    "last speaker": 0.7,
    "same speaker": 0.65,
    "opening": 0.8,
}
"""Rule -> how sure it is, in [0, 1]."""

SECOND_PERSON = re.compile(r"\b(?:you|your|yours|yourself)\b", re.I)
THIRD_PERSON = re.compile(r"\b(?:he|him|his|himself|she|her|hers|herself)\b", re.I)
TO_EVERYONE = re.compile(
    r"\b(?:you (?:two|three|both|guys|all)|y'all|(?:both|all|each|the two|the three) of you|"
    r"everyone|everybody)\b",
    re.I,
)
BEFORE_NAME = r"(?:^|[.,;:!?…-]\s*|\b(?i:hey|hi|ok|okay|so|and|but|well|now|oh|yes|no|thanks)\s+)"
AFTER_NAME = r"(?=\s*(?:[.,;:!?…-]|$)|\s+(?:you|what|how|do|did|are|can|could|would|tell)\b)"


@dataclass(frozen=True, slots=True)
class Inference:
    """Whom a turn is said to: a person or the group, and the rule that decided."""

    addressee: str
    rule: str

    @property
    def confidence(self) -> float:
        """How sure the rule is, in [0, 1]."""
        return CONFIDENCE[self.rule]


def infer(conversation: Conversation) -> Conversation:
    """Returns the conversation with every addressee inferred, and marked so.

    A turn to which no rule speaks (the first one, when nobody else is known) has none.
    """
    pairs = zip(conversation.turns, inferences(conversation), strict=True)
    return replace(conversation, turns=tuple(_inferred(turn, found) for turn, found in pairs))


def with_addressees(conversation: Conversation, view: AddresseeView) -> Conversation:
    """Returns the conversation with the addressees that a view shows.

    Args:
        conversation: as read.
        view: `given` keeps what the data gives and infers, marked, where a turn has none;
            `inferred` replaces all of them; `none` takes them away. These two also take away
            whom background talk and described behaviour are directed at: somebody annotated it.
    """
    if view == "given":
        if all(t.addressees for t in conversation.turns):
            return conversation
        pairs = zip(conversation.turns, inferences(conversation), strict=True)
        turns = tuple(turn if turn.addressees else _inferred(turn, found) for turn, found in pairs)
        return replace(conversation, turns=turns)
    bare = replace(conversation, turns=tuple(map(_bare, conversation.turns)))
    return bare if view == "none" else infer(bare)


def inferences(conversation: Conversation) -> tuple[Inference | None, ...]:
    """Returns whom each turn is said to; None where nothing speaks for anybody.

    Linear in the number of turns.
    """
    return tuple(_inferences(conversation))


@dataclass(slots=True)
class _Room:
    """Who is known to be there, and what was just said."""

    supporter: str
    group: str
    supported: bool
    clients: list[str]
    last: Turn | None = None
    last_to: Inference | None = None
    called: re.Pattern[str] | None = None
    named: re.Pattern[str] | None = None

    def meet(self, speaker: str) -> None:
        """Takes in who speaks, and the names that can be called from now on."""
        if speaker == self.supporter:
            self.supported = True
        elif speaker not in self.clients and speaker != self.group:
            self.clients.append(speaker)
            self.called = None
        if self.called is None:
            names = "|".join(re.escape(n) for n in sorted(self.clients, key=len, reverse=True) if n)
            self.called = re.compile(f"{BEFORE_NAME}(?P<name>{names or '(?!)'}){AFTER_NAME}")
            self.named = re.compile(rf"(?<!\w)(?P<name>{names or '(?!)'})(?!\w)")


def _inferences(conversation: Conversation) -> Iterator[Inference | None]:
    room = _Room(
        supporter=conversation.supporter,
        group=conversation.group,
        # in the scenarios of the benchmark somebody supports, though a client may speak first
        supported=conversation.scenario in PATTERNS,
        clients=list(conversation.participants),
    )
    for turn in conversation.turns:
        room.meet(turn.speaker)
        found = _supporter(turn, room) if turn.speaker == room.supporter else _client(turn, room)
        yield found
        room.last, room.last_to = turn, found


def _supporter(turn: Turn, room: _Room) -> Inference | None:
    """Whom the supporter speaks to: who is called, all, who is not spoken about, who just spoke."""
    others = [name for name in room.clients if name != turn.speaker]
    called = _called(turn, room)
    if called:
        return Inference(called, "name")
    if TO_EVERYONE.search(turn.text) and len(others) > 1:
        return Inference(room.group, "everyone")
    if SECOND_PERSON.search(turn.text):
        spoken_of = _named(turn.text, room)
        left = [name for name in others if name not in spoken_of]
        if spoken_of and len(left) == 1:
            return Inference(left[0], "one left")
    if room.last is None:
        return _opening(others, room)
    if room.last.speaker != turn.speaker:
        return Inference(room.last.speaker, "last speaker")
    return _same(room)


def _client(turn: Turn, room: _Room) -> Inference | None:
    """Whom a client speaks to: who is called, who asked, who is `you`, else the supporter."""
    others = [name for name in room.clients if name != turn.speaker]
    called = _called(turn, room)
    if called:
        return Inference(called, "name")
    if room.last is None:
        if room.supported:
            return Inference(room.supporter, "opening")
        return _opening(others, room)
    if room.last.speaker == turn.speaker:
        return _going_on(turn, others, room)
    if room.last.speaker == room.supporter:
        return Inference(room.supporter, "answer")
    if SECOND_PERSON.search(turn.text):
        return Inference(room.last.speaker, "second person")
    spoken_of = THIRD_PERSON.search(turn.text) or room.last.speaker in _named(turn.text, room)
    if room.supported and spoken_of:
        return Inference(room.supporter, "third person")
    return Inference(room.last.speaker, "last speaker")


def _opening(others: list[str], room: _Room) -> Inference | None:
    """Whom the first turn is said to: the only other person, or all of them."""
    if not others:
        return None
    return Inference(others[0] if len(others) == 1 else room.group, "opening")


def _going_on(turn: Turn, others: list[str], room: _Room) -> Inference | None:
    """Whom a client speaks to who goes on: `he` and `she` turn to the supporter, `you` away."""
    to = room.last_to.addressee if room.last_to else ""
    if room.supported and to != room.group:
        you, third = SECOND_PERSON.search(turn.text), THIRD_PERSON.search(turn.text)
        if third and to != room.supporter:
            return Inference(room.supporter, "third person")
        if you and not third and to == room.supporter and len(others) == 1:
            return Inference(others[0], "second person")
    return _same(room)


def _same(room: _Room) -> Inference | None:
    """Whoever the same speaker spoke to just before, unless that was nobody."""
    return Inference(room.last_to.addressee, "same speaker") if room.last_to else None


def _called(turn: Turn, room: _Room) -> str:
    """Returns the last name that is called (set off by commas or at an end), "" for none."""
    assert room.called is not None
    names = [m["name"] for m in room.called.finditer(turn.text)]
    return next((name for name in reversed(names) if name != turn.speaker), "")


def _named(text: str, room: _Room) -> set[str]:
    assert room.named is not None
    return {m["name"] for m in room.named.finditer(text)}


def _inferred(turn: Turn, found: Inference | None) -> Turn:
    if found is None:
        return replace(turn, addressees=(), addressee_source="none", addressee_confidence=None)
    return replace(
        turn,
        addressees=(found.addressee,),
        addressee_source="inferred",
        addressee_confidence=found.confidence,
    )


def _bare(turn: Turn) -> Turn:
    return replace(
        turn,
        addressees=(),
        addressee_source="none",
        addressee_confidence=None,
        background=tuple(replace(b, addressees=()) for b in turn.background),
        nonverbal=tuple(replace(n, addressees=()) for n in turn.nonverbal),
    )
