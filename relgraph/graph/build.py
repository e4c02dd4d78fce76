"""Builds the interaction graph of a conversation, turn by turn, from nothing but the past."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from relgraph.errors import DataError
from relgraph.graph._mentions import Names, count_words
from relgraph.graph.schema import (
    Claim,
    Edge,
    EdgeKind,
    InteractionGraph,
    Node,
    Role,
    Speaker,
    TurnNode,
)
from relgraph.records import Conversation, Turn

OVERLAP_TURNS = 16
"""How many rows back a turn is compared with for overlaps: it keeps building linear."""


def build_graph(
    conversation: Conversation, *, claims: Sequence[Claim] = (), text: bool = True
) -> InteractionGraph:
    """Returns the temporal interaction graph of a conversation, whole or cut.

    It is causal: what turn t brings about depends on turns up to t and on what is known
    beforehand (roster, supporter, group), so the graph of a prefix is the prefix of the graph
    (`InteractionGraph.until`). It is linear in the number of turns. Gold annotations are not read;
    acts and stances come from `claims` alone.

    The name of the group as speaker or addressee means the group node, unless the roster has a
    person of that name. People are told apart by their exact names. A turn with speaker "" has no
    `said` edge. `you` means the addressees; he, she and they are not resolved.

    Args:
        conversation: turn indices have to rise; the first may be above 1.
        claims: acts and stances to add, each at its turn.
        text: whether turn nodes carry what was said.

    Raises:
        DataError: turn indices do not rise, or a claim is of no turn of the conversation, has a
            weight outside [0, 1] or a nameless end.
    """
    builder = _Builder(conversation, text=text)
    pending = _by_turn(conversation, claims)
    for turn in conversation.turns:
        builder.add(turn, pending.get(turn.index, ()))
    return builder.graph()


class _Builder:
    """Grows a graph turn by turn; whatever it looks at is already in it."""

    def __init__(self, conversation: Conversation, *, text: bool) -> None:
        self._of = conversation
        self._text = text
        self._group = Node("group", conversation.group)
        self._roster = frozenset(conversation.participants)
        self._names = Names()
        self._people: dict[str, Node] = {}
        self._speakers: list[Speaker] = []
        self._turns: list[TurnNode] = []
        self._edges: list[Edge] = []
        self._last_of: dict[Node, TurnNode] = {}
        self._recent: deque[TurnNode] = deque(maxlen=OVERLAP_TURNS)
        for name in conversation.participants:
            self._person(name, 0)
        # The supporter is known beforehand, but becomes a node only by taking part.
        self._names.add(conversation.supporter)

    def graph(self) -> InteractionGraph:
        return InteractionGraph(
            conversation=self._of.id,
            group=self._of.group,
            speakers=tuple(self._speakers),
            turns=tuple(self._turns),
            edges=tuple(self._edges),
            timing=self._of.timing,
        )

    def add(self, turn: Turn, claims: Iterable[Claim]) -> None:
        if self._turns and turn.index <= self._turns[-1].index:
            raise DataError(
                f"conversation {self._of.id!r}: turn {turn.index} comes after turn "
                f"{self._turns[-1].index}; indices have to rise. `relgraph.records.renumber` "
                f"numbers turns in their order."
            )
        now = TurnNode(
            index=turn.index,
            speaker=turn.speaker,
            text=turn.text if self._text else "",
            words=count_words(turn.text),
            start_s=_finite(turn.start_s),
            end_s=_finite(turn.end_s),
        )
        here = Node("turn", turn.index)
        link = partial(_edge, self._edges, now)
        speaker = self._person(turn.speaker, turn.index)
        addressees = self._all(turn.addressees, turn.index)
        sure = 1.0 if turn.addressee_confidence is None else turn.addressee_confidence
        if speaker:
            link("said", speaker, here)
        source = "" if turn.addressee_source == "none" else turn.addressee_source
        for person in addressees:
            link("addressed", here, person, weight=sure, label=source)
        self._look_back(link, now, speaker, [p for p in addressees if p != speaker], sure)
        for remark in turn.background:
            behind = self._person(remark.speaker, turn.index)
            if behind:
                link("remarked", behind, here)
            for person in self._all(remark.addressees, turn.index):
                link("remarked_to", here, person)
        named, says_you = self._names.find(turn.text)
        for name, weight in named.items():
            mentioned = self._person(name, turn.index)
            if mentioned:
                link("mentions", here, mentioned, weight=weight, label="name")
        for person in addressees if says_you else ():
            link("mentions", here, person, weight=sure, label="you")
        for claim in claims:
            doer = self._person(claim.source, turn.index)
            other = self._person(claim.target, turn.index)
            if doer and other:
                link(claim.kind, doer, other, weight=claim.weight, label=claim.label, by=claim.by)
        self._turns.append(now)
        self._recent.append(now)
        if speaker:
            self._last_of[speaker] = now

    def _look_back(
        self,
        link: Callable[..., None],
        now: TurnNode,
        speaker: Node | None,
        others: Sequence[Node],
        sure: float,
    ) -> None:
        here = Node("turn", now.index)

        def from_turn(
            kind: EdgeKind, before: TurnNode, seconds: float | None, weight: float
        ) -> None:
            link(kind, Node("turn", before.index), here, weight=weight, seconds=seconds)

        if self._turns:
            from_turn("next", self._turns[-1], _gap(self._turns[-1], now), 1.0)
        own = self._last_of.get(speaker) if speaker else None
        if own:
            from_turn("same_speaker_before", own, _gap(own, now), 1.0)
        for person in others:
            theirs = self._last_of.get(person)
            if theirs:
                from_turn("replies_to", theirs, _gap(theirs, now), sure)
        for before in self._recent:
            seconds = overlap_s(before, now)
            if seconds > 0:
                from_turn("overlaps", before, seconds, 1.0)

    def _all(self, names: Iterable[str], turn: int) -> list[Node]:
        nodes = (self._person(name, turn) for name in dict.fromkeys(names))
        return [node for node in nodes if node]

    def _person(self, name: str, turn: int) -> Node | None:
        if not name:
            return None
        if name == self._of.group and name not in self._roster:
            return self._group
        if name not in self._people:
            self._people[name] = Node("speaker", name)
            self._speakers.append(Speaker(name, self._role(name), turn))
            self._names.add(name)
        return self._people[name]

    def _role(self, name: str) -> Role:
        if name == self._of.supporter:
            return "supporter"
        return "participant" if not self._roster or name in self._roster else "other"


def _by_turn(conversation: Conversation, claims: Sequence[Claim]) -> dict[int, list[Claim]]:
    found: dict[int, list[Claim]] = {}
    indices = {turn.index for turn in conversation.turns} if claims else set()
    for claim in claims:
        where = f"conversation {conversation.id!r}: {claim.kind} {claim.label!r}"
        if claim.turn not in indices:
            raise DataError(
                f"{where} is claimed of turn {claim.turn}, which the conversation does not have. "
                f"Leave out claims beyond a cut."
            )
        if not 0 <= claim.weight <= 1:
            raise DataError(
                f"{where} in turn {claim.turn} has weight {claim.weight}; wanted: 0 to 1."
            )
        if not claim.source or not claim.target:
            raise DataError(f"{where} in turn {claim.turn} needs both a source and a target.")
        found.setdefault(claim.turn, []).append(claim)
    return found


def _edge(
    edges: list[Edge],
    now: TurnNode,
    kind: EdgeKind,
    source: Node,
    target: Node,
    *,
    weight: float = 1.0,
    seconds: float | None = None,
    label: str = "",
    by: str = "",
) -> None:
    edges.append(Edge(kind, source, target, now.index, now.start_s, weight, seconds, label, by))


def _finite(seconds: float | None) -> float | None:
    return seconds if seconds is not None and math.isfinite(seconds) else None


def _gap(earlier: TurnNode, later: TurnNode) -> float | None:
    if earlier.end_s is None or later.start_s is None:
        return None
    return later.start_s - earlier.end_s


def overlap_s(earlier: TurnNode, later: TurnNode) -> float:
    """Returns for how many seconds two turns go on at once; 0 or less when they do not."""
    if earlier.start_s is None or earlier.end_s is None:
        return 0.0
    if later.start_s is None or later.end_s is None:
        return 0.0
    return min(earlier.end_s, later.end_s) - max(earlier.start_s, later.start_s)
