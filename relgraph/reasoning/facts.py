"""What holds before any rule: cues, who speaks to whom, who is who."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise, permutations
from typing import TYPE_CHECKING

from relgraph.cues.codebook import CODEBOOK
from relgraph.cues.records import Cue
from relgraph.errors import DataError, unknown_name
from relgraph.reasoning.records import Atom, Fact
from relgraph.reasoning.vocabulary import GROUP, NOBODY
from relgraph.records import GROUPS, Conversation, Turn

if TYPE_CHECKING:
    from relgraph.cues import RoleSign


def facts_of(
    conversation: Conversation, cues: Iterable[Cue], *, roles: Iterable[RoleSign] | None = None
) -> tuple[Fact, ...]:
    """Returns the facts that reasoning starts from, in order of turns.

    What is known after a turn depends on nothing later: without a roster, people are known from
    the turn on in which they first speak or are spoken to.

    Args:
        conversation: its turns, roster, scenario and supporter are read; its texts are not.
        cues: what was seen in it.
        roles: who is a parent or child, as far as it was given or could be told.

    Raises:
        UnknownNameError: a cue, or its kind, is not in the codebook.
        DataError: turns do not rise from 1 on, or a cue stands at a turn that there is not.
    """
    turns = [0, *(turn.index for turn in conversation.turns)]
    for before, index in pairwise(turns):
        if index <= before:
            raise DataError(
                f"conversation {conversation.id!r}: turn {index} after turn {before}; expected "
                "indices that rise from 1 on, as `relgraph.records.renumber` gives them."
            )
    there = set(turns[1:])
    people = _People(conversation)
    facts = [*people.facts(), *_family(roles or ())]
    for turn in conversation.turns:
        facts += _floor(turn, people)
    for cue in cues:
        if cue.turn < 1 or (cue.turn <= turns[-1] and cue.turn not in there):
            raise DataError(
                f"cue {cue.name} at turn {cue.turn}: conversation {conversation.id!r} has no such "
                "turn; expected the index of one of its turns."
            )
        facts += _cue(cue, people)
    return tuple(sorted(facts, key=lambda f: (f.atom.turn, f.atom.predicate, f.atom.args)))


class _People:
    """Who is there, and from which turn on that is known (0: beforehand)."""

    def __init__(self, conversation: Conversation) -> None:
        self.supporter = conversation.supporter
        self.couple = conversation.scenario == "couple"
        # who is called as rules call everybody or nobody is read as that: no person
        self.groups = {*GROUPS, conversation.group, GROUP}
        apart = {*self.groups, NOBODY, ""}
        self.since: dict[str, int] = {name: 0 for name in conversation.listed if name not in apart}
        for turn in conversation.turns:
            for name in (turn.speaker, *turn.addressees):
                if name not in apart:
                    self.since.setdefault(name, turn.index)

    def facts(self) -> Iterator[Fact]:
        """Yields the statics about who is who."""
        clients = [name for name in self.since if name != self.supporter]
        for name, known_at in self.since.items():
            yield Fact(Atom("person", 0, (name,)), known_at, 1.0)
        for name in clients:
            yield Fact(Atom("client", 0, (name,)), self.since[name], 1.0)
        yield Fact(Atom("therapist", 0, (self.supporter,)), 0, 1.0)
        if self.couple:
            for pair in permutations(clients[:2], 2):
                known_at = max(self.since[name] for name in pair)
                yield Fact(Atom("partner", 0, pair), known_at, 1.0)

    def reached(self, name: str, turn: int, *, but: str) -> tuple[str, ...]:
        """Returns whom a name stands for in a turn: one person, or the group and all in it."""
        if name in ("", NOBODY):
            return (NOBODY,)
        if name not in self.groups:
            return (name,)
        inside = (n for n, s in self.since.items() if s <= turn and n not in (but, self.supporter))
        return (*inside, GROUP)


def _floor(turn: Turn, people: _People) -> Iterator[Fact]:
    """Yields who speaks, to whom, and whether to several."""
    index, speaker = turn.index, turn.speaker
    sure = 1.0 if turn.addressee_confidence is None else turn.addressee_confidence
    for who in people.reached(speaker, index, but=""):
        yield Fact(Atom("said", index, (who,)), index, 1.0)
    if sure <= 0:
        return
    reached = dict.fromkeys(
        (speaker, who)
        for name in turn.addressees
        for who in people.reached(name, index, but=speaker)
        if who != speaker
    )
    for pair in reached:
        yield Fact(Atom("addressed", index, pair), index, min(sure, 1.0))
    if len(turn.addressees) > 1 or any(name in people.groups for name in turn.addressees):
        yield Fact(Atom("to_group", index, (speaker,)), index, min(sure, 1.0))


def _cue(cue: Cue, people: _People) -> Iterator[Fact]:
    """Yields one cue as facts: one a person whom it comes from or reaches."""
    entry = CODEBOOK.get(cue.name)
    if entry is None:
        raise unknown_name("cue", cue.name, tuple(CODEBOOK))
    if entry.details and cue.detail not in entry.details:
        raise unknown_name(f"kind of the cue {cue.name}", cue.detail, entry.details)
    for source in people.reached(cue.source, cue.turn, but=""):
        if entry.details:
            yield _fact(cue, (source, cue.detail))
            continue
        for target in people.reached(cue.target, cue.turn, but=source):
            yield _fact(cue, (source, target))


def _fact(cue: Cue, args: tuple[str, ...]) -> Fact:
    return Fact(Atom(cue.name, cue.turn, args), cue.turn, cue.strength, cue)


def _family(roles: Iterable[RoleSign]) -> Iterator[Fact]:
    """Yields parents, children, and who is older than whom for it."""
    signs = list(roles)
    for sign in signs:
        yield Fact(Atom(sign.role, 0, (sign.person,)), sign.known_at, sign.strength)
        if sign.other:
            pair = (sign.person, sign.other) if sign.role == "parent" else (sign.other, sign.person)
            yield Fact(Atom("older", 0, pair), sign.known_at, sign.strength)
    for parent in (s for s in signs if s.role == "parent" and not s.other):
        for child in (s for s in signs if s.role == "child" and not s.other):
            if parent.person != child.person:
                yield Fact(
                    Atom("older", 0, (parent.person, child.person)),
                    max(parent.known_at, child.known_at),
                    min(parent.strength, child.strength),
                )
