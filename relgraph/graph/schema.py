"""What an interaction graph is made of: kinds of nodes and edges in words, and their records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from relgraph.records import Timing

NodeKind = Literal["speaker", "turn", "group"]
EdgeKind = Literal[
    "said",
    "addressed",
    "next",
    "same_speaker_before",
    "replies_to",
    "mentions",
    "overlaps",
    "remarked",
    "remarked_to",
    "act",
    "stance",
]
Role = Literal["participant", "supporter", "other"]

NODE_KINDS: Mapping[NodeKind, str] = {
    "speaker": "a person of the conversation",
    "turn": "one turn of talk",
    "group": "the couple, the family or the group as a whole",
}
EDGE_KINDS: Mapping[EdgeKind, str] = {
    "said": "who holds the floor in the turn",
    "addressed": "whom the turn is said to; the weight is the confidence in it",
    "next": "the row before the turn; seconds is the gap between them, negative where they overlap",
    "same_speaker_before": "the last turn of the same speaker; seconds is the time between them",
    "replies_to": "the last turn of a person whom the turn is said to; seconds as for `next`",
    "mentions": "a person named in the turn, or meant by `you`; the label says which",
    "overlaps": "an earlier turn still going on when the turn is spoken; seconds is for how long",
    "remarked": "who says something behind the turn",
    "remarked_to": "whom a remark behind the turn is said to",
    "act": "what one does to another in the turn, as somebody or some model claims; label, weight",
    "stance": "how one stands to another in the turn, as somebody or some model claims",
}

_PEOPLE: tuple[NodeKind, ...] = ("speaker", "group")
_FROM_PEOPLE = tuple((kind, "turn") for kind in _PEOPLE)
_TO_PEOPLE = tuple(("turn", kind) for kind in _PEOPLE)
_BETWEEN_TURNS = (("turn", "turn"),)
_BETWEEN_PEOPLE = tuple((a, b) for a in _PEOPLE for b in _PEOPLE)
_ENDS: Mapping[EdgeKind, tuple[tuple[str, str], ...]] = {
    "said": _FROM_PEOPLE,
    "addressed": _TO_PEOPLE,
    "next": _BETWEEN_TURNS,
    "same_speaker_before": _BETWEEN_TURNS,
    "replies_to": _BETWEEN_TURNS,
    "mentions": _TO_PEOPLE,
    "overlaps": _BETWEEN_TURNS,
    "remarked": _FROM_PEOPLE,
    "remarked_to": _TO_PEOPLE,
    "act": _BETWEEN_PEOPLE,
    "stance": _BETWEEN_PEOPLE,
}
EDGE_TYPES: tuple[tuple[str, str, str], ...] = tuple(
    (source, kind, target) for kind, ends in _ENDS.items() for source, target in ends
)
"""Every (source kind, edge kind, target kind) that can occur, in a fixed order."""


class Node(NamedTuple):
    """Which node: its kind, and its name or, for a turn, its index."""

    kind: NodeKind
    key: str | int

    def __str__(self) -> str:
        """Returns `kind:key`, unique in a graph."""
        return f"{self.kind}:{self.key}"


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed edge of the graph.

    Edges between turns run from the earlier to the later row, whatever the clock says: the source
    of `replies_to` is the turn replied to.

    Attributes:
        kind: see `EDGE_KINDS`.
        source: where it starts.
        target: where it ends.
        turn: index of the turn that brought it about; nothing later went into it.
        time_s: when that turn starts, in seconds; None when unknown.
        weight: confidence or strength in [0, 1].
        seconds: what `EDGE_KINDS` says for the kind; None when unknown or not of that kind.
        label: `given` or `inferred` (addressed), `name` or `you` (mentions), the act or stance.
        by: who claims an act or a stance.
    """

    kind: EdgeKind
    source: Node
    target: Node
    turn: int
    time_s: float | None = None
    weight: float = 1.0
    seconds: float | None = None
    label: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """That `source` does something to `target` in a turn, or takes a stance; may be mistaken.

    Attributes:
        kind: `act` or `stance`.
        source: a person or the group, by name.
        target: a person or the group, by name.
        turn: index of the turn it is read from.
        label: which act or stance.
        weight: strength or probability in [0, 1].
        by: who claims it: an approach, an annotator, `gold`.
    """

    kind: Literal["act", "stance"]
    source: str
    target: str
    turn: int
    label: str
    weight: float = 1.0
    by: str = ""


@dataclass(frozen=True, slots=True)
class Speaker:
    """A person; `since` is the turn that first shows them, 0 for those known beforehand."""

    name: str
    role: Role
    since: int


@dataclass(frozen=True, slots=True)
class TurnNode:
    """A turn as a node: `speaker` is "" when unknown, `text` "" when left out, times in seconds."""

    index: int
    speaker: str
    text: str
    words: int
    start_s: float | None
    end_s: float | None

    @property
    def duration_s(self) -> float | None:
        """How long it takes; None when a time is unknown or the end precedes the start."""
        if self.start_s is None or self.end_s is None or self.end_s < self.start_s:
            return None
        return self.end_s - self.start_s


@dataclass(frozen=True, slots=True)
class InteractionGraph:
    """The temporal interaction graph of one conversation.

    Attributes:
        conversation: id of the conversation.
        group: name of the group node.
        speakers: the roster in its order, then the others as they appear.
        turns: in row order.
        edges: in the order of the turns that brought them about.
        timing: whether the times are those of a recording.
    """

    conversation: str
    group: str
    speakers: tuple[Speaker, ...]
    turns: tuple[TurnNode, ...]
    edges: tuple[Edge, ...]
    timing: Timing = "unknown"

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes: the group, the speakers, the turns."""
        people = (Node("speaker", s.name) for s in self.speakers)
        return (Node("group", self.group), *people, *(Node("turn", t.index) for t in self.turns))

    def of(self, *kinds: EdgeKind) -> tuple[Edge, ...]:
        """Returns the edges of these kinds, in order."""
        return tuple(edge for edge in self.edges if edge.kind in kinds)

    def until(self, turn: int) -> InteractionGraph:
        """Returns the graph as it stood after turn `turn`: what its prefix alone would give."""
        return InteractionGraph(
            conversation=self.conversation,
            group=self.group,
            speakers=tuple(s for s in self.speakers if s.since <= turn),
            turns=tuple(t for t in self.turns if t.index <= turn),
            edges=tuple(e for e in self.edges if e.turn <= turn),
            timing=self.timing,
        )
