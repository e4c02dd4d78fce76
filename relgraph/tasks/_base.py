"""What the six task files share: the form of a task, and the one place where the cut is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Literal, TypeVar

from relgraph.addressees import with_addressees
from relgraph.records import (
    Case,
    Conversation,
    Gold,
    Instance,
    Mode,
    NonverbalKind,
    Turn,
    View,
)

Answer = Literal["choice", "emotion", "viewpoints"]
T = TypeVar("T")
HEARD: frozenset[Mode] = frozenset({"audio", "audiovisual"})
SEEN: frozenset[Mode] = frozenset({"visual", "audiovisual"})
ALL_NONVERBAL: frozenset[NonverbalKind] = frozenset(
    {"body_posture", "facial_expressions", "self_directed_behavior", "interaction_behavior"}
)


@dataclass(frozen=True, slots=True)
class Decision:
    """A place where a task decides: what it knows, and the gold answer.

    Attributes:
        turn: index of the turn that the decision is about (ITP: the boundary after it).
        cut: index of the last turn that may be seen; 0 for none.
        gold: the answer.
        target: SSP: whom the support is meant for.
        hints: what the published prompt shows beside the context (`paper` protocol only).
    """

    turn: int
    cut: int
    gold: Gold
    target: str = ""
    hints: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """One task: where it decides, among what, and how the question reads.

    Attributes:
        name: short name, as its file.
        title: in words.
        answer: `choice` ranks a closed set; `emotion` and `viewpoints` are open.
        question: what is asked, for a reader who has just seen the context.
        shows_turn: whether the turn that the decision is about is itself seen.
        supporter_next: whether the task fixes that the supporter speaks the decided turn.
        decisions: finds the decisions of a whole conversation; it may read gold.
        options: the closed set that belongs to a cut conversation.
        definitions: what each option means, by scenario; empty where names speak for themselves.
        paper_context_turns: the context size of the published runs.
    """

    name: str
    title: str
    answer: Answer
    question: str
    decisions: Callable[[Conversation], Iterable[Decision]]
    options: Callable[[Conversation], tuple[str, ...]] = lambda _: ()
    definitions: Callable[[str], dict[str, str]] = lambda _: {}
    shows_turn: bool = False
    supporter_next: bool = False
    paper_context_turns: int = 3

    def cases(self, conversation: Conversation, view: View) -> tuple[Case, ...]:
        """Returns the task's instances in a conversation, in turn order, with their gold."""
        # inference is causal, so that it may come before the cut
        turns = _shown(with_addressees(conversation, view.addressee).turns, view)
        return tuple(
            Case(
                instance=self._instance(conversation, turns, decision, view),
                gold=decision.gold,
                conversation_id=conversation.id,
                relationship=conversation.relationship,
                turn=decision.turn,
            )
            for decision in self.decisions(conversation)
        )

    def _instance(
        self, conversation: Conversation, turns: Sequence[Turn], decision: Decision, view: View
    ) -> Instance:
        cut = cut_before(conversation, turns, decision.cut, view, keep_last=self.shows_turn)
        paper = view.protocol == "paper"
        of = replace(cut, participants=conversation.roster) if paper else cut
        mark = f"{self.name}|{conversation.id}|{decision.turn}"
        return Instance(
            id=f"{self.name}#{conversation.id}#{decision.turn}" if paper else _opaque(mark),
            task=self.name,
            conversation=of,
            options=self.options(of),
            target=decision.target,
            next_speaker=conversation.supporter if self.supporter_next else "",
            hints=decision.hints if paper else {},
        )


def cut_before(
    conversation: Conversation,
    turns: Sequence[Turn],
    cut: int,
    view: View,
    *,
    keep_last: bool = False,
) -> Conversation:
    """Returns the conversation as it stands after turn `cut`: no gold, opaque id, no source.

    Args:
        conversation: the whole conversation; only what is known beforehand is taken from it.
        turns: its turns as the view shows them, the first one having index 1.
        cut: index of the last turn to keep.
        view: gives the number of turns before the cut to keep.
        keep_last: whether the last kept turn is the decided one and does not count as context.
    """
    size = view.context_turns + (1 if keep_last else 0)
    first = 0 if view.context_turns < 0 else max(0, cut - size)
    seen = Conversation(
        id=_opaque(f"conversation|{conversation.id}"),
        turns=tuple(turns[:cut]),
        scenario=conversation.scenario,
        participants=conversation.listed,
        supporter=conversation.supporter,
        # a reader may call times recorded because of a later turn that has some
        timing=conversation.timing
        if any(t.start_s is not None for t in turns[:cut])
        else "unknown",
        sensitive=conversation.sensitive,
    )
    # people stay known when the turns that showed them are out of sight
    return replace(seen, turns=seen.turns[first:], participants=seen.roster) if first else seen


def _shown(turns: Sequence[Turn], view: View) -> tuple[Turn, ...]:
    heard, seen = view.mode in HEARD, view.mode in SEEN
    return tuple(
        replace(
            t,
            tone=t.tone if heard else "",
            nonverbal=t.nonverbal if seen else (),
            extra={},
        )
        for t in turns
    )


def evenly(items: Sequence[T], limit: int) -> tuple[T, ...]:
    """Returns at most `limit` items at even positions, the first and the last among them.

    Positions are round(k * (n - 1) / (limit - 1)) with Python's rounding, as in the benchmark;
    where two fall together, the gaps are filled from the start.
    """
    n = len(items)
    if n <= limit:
        return tuple(items)
    if limit <= 0:
        return ()
    if limit == 1:
        return (items[0],)
    chosen = {round(k * (n - 1) / (limit - 1)) for k in range(limit)}
    for position in range(n):
        if len(chosen) == limit:
            break
        chosen.add(position)
    return tuple(items[p] for p in sorted(chosen))


def is_client(conversation: Conversation, turn: Turn) -> bool:
    """Returns whether the turn is spoken by anyone but the supporter, all at once included."""
    return turn.speaker != conversation.supporter


def is_one_client(conversation: Conversation, turn: Turn) -> bool:
    """Returns whether one client speaks, and not the whole group (`Family` is nobody to ask)."""
    return is_client(conversation, turn) and turn.speaker != conversation.group


def resolve_target(conversation: Conversation, names: Sequence[str]) -> str:
    """Returns the one person meant, the group's name for several, or "" when unclear."""
    known = tuple(dict.fromkeys(names))
    if len(known) > 1:
        return conversation.group
    if known and (known[0] in conversation.roster or known[0] == conversation.group):
        return known[0]
    return ""


def _opaque(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
