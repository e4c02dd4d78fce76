"""Other forms of an interaction graph: JSON, tables, networkx, GraphML, PyG.

All are made from the graph alone, hold what it holds, and have one node a speaker. They describe
what has happened so far; a model that predicts must not pass messages over a node that gathers
turns of different times (it would see the future). For a moment in the past, take
`graph.until(turn)` first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from relgraph.errors import DataError, RelgraphError
from relgraph.graph.schema import EDGE_TYPES, Edge, InteractionGraph, Node, Speaker, TurnNode

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray
    from torch_geometric.data import HeteroData, TemporalData

FORMAT = "relgraph-graph/1"
EDGE_COLUMNS = ("weight", "seconds", "seconds_known", "time_s", "time_known")
"""What the columns of `edge_attr` in `to_pyg` are; unknown seconds and times are 0, known 0."""
TURN_COLUMNS = ("words", "start_s", "start_known", "duration_s", "duration_known")
"""What the columns of `data["turn"].x` in `to_pyg` are when no features are given."""
SPEAKER_COLUMNS = ("participant", "supporter", "other")
# XML 1.0 has no place for these, not even escaped.
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_json(graph: InteractionGraph, *, indent: int | None = None) -> str:
    """Returns the graph as JSON from which `from_json` gives an equal graph."""
    document = {
        "format": FORMAT,
        "conversation": graph.conversation,
        "group": graph.group,
        "timing": graph.timing,
        "speakers": [_fields(speaker) for speaker in graph.speakers],
        "turns": [_fields(turn) for turn in graph.turns],
        "edges": [
            _fields(e) | {"source": list(e.source), "target": list(e.target)} for e in graph.edges
        ],
    }
    text = json.dumps(document, indent=indent, ensure_ascii=False, allow_nan=False)
    # Halves of surrogate pairs cannot be written as UTF-8; escaped they survive.
    return text if _is_unicode(text) else json.dumps(document, indent=indent, allow_nan=False)


def from_json(text: str) -> InteractionGraph:
    """Returns the graph that `to_json` wrote.

    Raises:
        DataError: not JSON, of another format, or a field is missing or of no use.
    """
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(f"graph: not JSON (line {error.lineno}: {error.msg}).") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"graph: JSON that cannot be read ({error}).") from None
    found = document.get("format") if isinstance(document, dict) else None
    if found != FORMAT:
        raise DataError(f"graph: format is {found!r}; wanted {FORMAT!r}, as `to_json` writes it.")
    try:
        return InteractionGraph(
            conversation=document["conversation"],
            group=document["group"],
            timing=document["timing"],
            speakers=tuple(Speaker(**speaker) for speaker in document["speakers"]),
            turns=tuple(TurnNode(**turn) for turn in document["turns"]),
            edges=tuple(
                Edge(**(e | {"source": Node(*e["source"]), "target": Node(*e["target"])}))
                for e in document["edges"]
            ),
        )
    except (KeyError, TypeError) as error:
        raise DataError(f"graph: a field is missing or wrong ({error}).") from None


def to_tables(graph: InteractionGraph) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Returns a table of nodes (a row a node) and one of edges, for Parquet, CSV or analysis.

    Nodes are named `kind:key` as in `str(Node)`; what a kind of node lacks is missing (NA).
    """
    import pandas as pd

    nodes = [{"node": str(node), **_attributes(thing)} for node, thing in _things(graph)]
    columns = ["node", "kind", "name", "role", "since", "index", "speaker", "text", "words"]
    whole = {"since": "Int64", "index": "Int64", "words": "Int64"}
    numbers = {"start_s": "Float64", "end_s": "Float64"}
    node_table = pd.DataFrame(nodes, columns=[*columns, "start_s", "end_s"])
    edges = [_edge_row(edge) for edge in graph.edges]
    edge_columns = [
        "kind",
        "source",
        "target",
        "turn",
        "time_s",
        "weight",
        "seconds",
        "label",
        "by",
    ]
    edge_table = pd.DataFrame(edges, columns=edge_columns)
    return (
        node_table.astype(whole | numbers),
        edge_table.astype({"turn": "Int64", "time_s": "Float64", "seconds": "Float64"}),
    )


def to_networkx(graph: InteractionGraph) -> nx.MultiDiGraph:
    """Returns a networkx MultiDiGraph; nodes are named `kind:key`, unknown values are left out.

    Every edge has a key of its own (`e0`, `e1`, ... in order), its kind as attribute `kind`.
    """
    import networkx as nx

    made = nx.MultiDiGraph(conversation=graph.conversation, group=graph.group, timing=graph.timing)
    for node, thing in _things(graph):
        made.add_node(str(node), **_attributes(thing))
    for number, edge in enumerate(graph.edges):
        row = _edge_row(edge)
        ends = (row.pop("source"), row.pop("target"))
        made.add_edge(*ends, key=f"e{number}", **row)
    return made


def graphml(graph: InteractionGraph) -> str:
    """Returns the graph as GraphML; what XML cannot hold is escaped as in Python."""
    import networkx as nx

    plain = nx.relabel_nodes(to_networkx(graph), _xml)
    for attributes in (
        plain.graph,
        *(values for _, values in plain.nodes(data=True)),
        *(values for *_, values in plain.edges(data=True)),
    ):
        attributes.update({name: _xml(value) for name, value in attributes.items()})
    lines = nx.generate_graphml(plain, named_key_ids=True)
    return "\n".join(('<?xml version="1.0" encoding="utf-8"?>', *lines, ""))


def to_pyg(
    graph: InteractionGraph, *, turn_features: NDArray[np.float32] | None = None
) -> HeteroData:
    """Returns a PyG HeteroData with a fixed schema: every type is there, empty where unused.

    Node stores: `turn.x` `[turn, d]`, `turn.number` (indices of the turns) `[turn]`; `speaker.x`
    `[speaker, 3]` (one-hot of `SPEAKER_COLUMNS`); `group.x` `[1, 1]` (ones). Edge stores, one for
    each of `EDGE_TYPES`: `edge_index` `[2, edge]`, `edge_attr` `[edge, 5]` (`EDGE_COLUMNS`),
    `turn` `[edge]` (index of the turn that brought the edge about). Labels are not in it.

    The fixed schema is what makes batches safe: PyG's `Batch` keeps the types of its first graph
    and drops the others in silence.

    Args:
        graph: the graph.
        turn_features: features `[turn, d]` to stand for `TURN_COLUMNS`, such as embeddings.

    Raises:
        RelgraphError: not one row of features a turn.
    """
    import torch
    from torch_geometric.data import HeteroData

    data = HeteroData()
    if turn_features is None:
        rows = [_turn_row(turn) for turn in graph.turns]
        data["turn"].x = _floats(rows, len(TURN_COLUMNS))
    else:
        if turn_features.ndim != 2 or len(turn_features) != len(graph.turns):
            raise RelgraphError(
                f"turn_features of shape {turn_features.shape} were given for "
                f"{len(graph.turns)} turns; wanted [{len(graph.turns)}, d]."
            )
        data["turn"].x = torch.tensor(turn_features, dtype=torch.float32)
    # Not `index`: PyG shifts attributes of that name when it batches.
    data["turn"].number = torch.tensor([t.index for t in graph.turns], dtype=torch.long)
    roles = [[float(s.role == role) for role in SPEAKER_COLUMNS] for s in graph.speakers]
    data["speaker"].x = _floats(roles, len(SPEAKER_COLUMNS))
    data["group"].x = torch.ones(1, 1)
    place = _places(graph)
    grouped: dict[tuple[str, str, str], list[Edge]] = {kind: [] for kind in EDGE_TYPES}
    for edge in graph.edges:
        grouped[edge.source.kind, edge.kind, edge.target.kind].append(edge)
    for kind, edges in grouped.items():
        ends = [[place[e.source] for e in edges], [place[e.target] for e in edges]]
        data[kind].edge_index = torch.tensor(ends, dtype=torch.long)
        data[kind].edge_attr = _floats([_edge_numbers(e) for e in edges], len(EDGE_COLUMNS))
        data[kind].turn = torch.tensor([e.turn for e in edges], dtype=torch.long)
    return data


def to_temporal(graph: InteractionGraph) -> TemporalData:
    """Returns a PyG TemporalData with an event for every `addressed` edge whose speaker is known.

    `src` is the speaker, `dst` whom the turn is said to, `t` the turn's index, `msg` `[event, 1]`
    the confidence. People are numbered as in `graph.speakers`; the group comes last.
    """
    import torch
    from torch_geometric.data import TemporalData

    place = {speaker.name: number for number, speaker in enumerate(graph.speakers)}
    group = len(graph.speakers)
    speaker_of = {edge.turn: edge.source for edge in graph.of("said")}
    events = [e for e in graph.of("addressed") if e.turn in speaker_of]

    def number(node: Node) -> int:
        return group if node.kind == "group" else place[str(node.key)]

    return TemporalData(
        src=torch.tensor([number(speaker_of[e.turn]) for e in events], dtype=torch.long),
        dst=torch.tensor([number(e.target) for e in events], dtype=torch.long),
        t=torch.tensor([e.turn for e in events], dtype=torch.long),
        msg=_floats([[e.weight] for e in events], 1),
    )


def _things(graph: InteractionGraph) -> list[tuple[Node, Speaker | TurnNode | str]]:
    return list(zip(graph.nodes, (graph.group, *graph.speakers, *graph.turns), strict=True))


def _attributes(thing: Speaker | TurnNode | str) -> dict[str, Any]:
    if isinstance(thing, str):
        return {"kind": "group", "name": thing}
    kind = "speaker" if isinstance(thing, Speaker) else "turn"
    return {"kind": kind} | {k: v for k, v in _fields(thing).items() if v is not None}


def _fields(record: Speaker | TurnNode | Edge) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record)}


def _edge_row(edge: Edge) -> dict[str, Any]:
    row = {"source": str(edge.source), "target": str(edge.target), "kind": edge.kind}
    rest: Mapping[str, Any] = {
        "turn": edge.turn,
        "time_s": edge.time_s,
        "weight": edge.weight,
        "seconds": edge.seconds,
        "label": edge.label or None,
        "by": edge.by or None,
    }
    return row | {name: value for name, value in rest.items() if value is not None}


def _edge_numbers(edge: Edge) -> list[float]:
    return [edge.weight, *_known(edge.seconds), *_known(edge.time_s)]


def _turn_row(turn: TurnNode) -> list[float]:
    return [float(turn.words), *_known(turn.start_s), *_known(turn.duration_s)]


def _known(value: float | None) -> tuple[float, float]:
    return (0.0, 0.0) if value is None else (value, 1.0)


def _places(graph: InteractionGraph) -> dict[Node, int]:
    places = {Node("speaker", s.name): number for number, s in enumerate(graph.speakers)}
    places |= {Node("turn", t.index): number for number, t in enumerate(graph.turns)}
    return places | {Node("group", graph.group): 0}


def _floats(rows: Sequence[Sequence[float]], columns: int) -> Any:
    import torch

    return torch.tensor(rows, dtype=torch.float32).reshape(len(rows), columns)


def _xml(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return NOT_XML.sub(lambda m: f"\\x{ord(m.group()):02x}", value)


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)
