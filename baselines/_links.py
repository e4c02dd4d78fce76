"""Turn-to-turn edges that messages run along, taken from the interaction graph."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relgraph.graph import build_graph
from relgraph.graph.schema import Node
from relgraph.records import Conversation

PLAIN = ("next", "same_speaker_before", "replies_to", "overlaps")
"""Turn-to-turn edges of the graph as they stand."""

EDGES = (*PLAIN, "addressed", "mentions")
"""`addressed` runs to a turn from the last one said to its speaker, `mentions` from the last turn
of a person whom it names: the graph's edges to and from people, followed through the person."""


@dataclass(frozen=True, slots=True)
class Links:
    """What the interaction graph says about pairs of turns.

    Attributes:
        edges: kind -> `[2, edge]`, positions of the earlier and the later turn.
        mentions: who is named in each turn; `you` does not count.
    """

    edges: dict[str, NDArray[np.int64]]
    mentions: tuple[frozenset[str], ...]


def links(conversation: Conversation) -> Links:
    """Returns the edges along which the model passes messages, each from earlier to later."""
    graph = build_graph(conversation, text=False)
    place = {turn.index: position for position, turn in enumerate(graph.turns)}
    pairs: dict[str, list[tuple[int, int]]] = {kind: [] for kind in EDGES}
    said_by: dict[int, Node] = {}
    said_to: dict[int, list[Node]] = defaultdict(list)
    named: dict[int, list[Node]] = defaultdict(list)
    for edge in graph.edges:
        here = place[edge.turn]
        if edge.kind in PLAIN:
            pairs[edge.kind].append((place[int(edge.source.key)], here))
        elif edge.kind == "said":
            said_by[here] = edge.source
        elif edge.kind == "addressed":
            said_to[here].append(edge.target)
        elif edge.kind == "mentions" and edge.label == "name":
            named[here].append(edge.target)
    spoke: dict[Node, int] = {}
    called: dict[Node, int] = {}
    for here in range(len(graph.turns)):
        speaker = said_by.get(here)
        if speaker in called:
            pairs["addressed"].append((called[speaker], here))
        pairs["mentions"] += [(spoke[n], here) for n in named[here] if n in spoke]
        called.update(dict.fromkeys(said_to[here], here))
        if speaker:
            spoke[speaker] = here
    return Links(
        edges={k: np.array(v, np.int64).reshape(-1, 2).T for k, v in pairs.items()},
        mentions=tuple(
            frozenset(str(n.key) for n in named[here]) for here in range(len(graph.turns))
        ),
    )
