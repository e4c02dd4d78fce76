"""Other forms of a graph hold what it holds."""

import io
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relgraph.errors import DataError, RelgraphError
from relgraph.graph import EDGE_TYPES, Claim, InteractionGraph, build_graph
from relgraph.graph.views import (
    EDGE_COLUMNS,
    TURN_COLUMNS,
    from_json,
    graphml,
    to_json,
    to_networkx,
    to_pyg,
    to_tables,
    to_temporal,
)
from relgraph.records import Background, Conversation, Turn

FULL = Conversation(
    id="full",
    turns=(
        Turn(1, "Nadia", "Tom?", ("Tom",), "given", None, 0.0, 2.0),
        Turn(
            2,
            "Tom",
            "<Nadia> & \x0b you",
            ("Nadia",),
            "inferred",
            0.5,
            1.5,
            3.0,
            (Background("Therapist", ("Couple",), "mm"),),
        ),
        Turn(3, "Couple", "Yes."),
    ),
    scenario="couple",
    participants=("Nadia", "Tom"),
)
CLAIMS = (Claim("act", "Tom", "Nadia", 2, "withdraw", 0.25, "rules"),)
EMPTY = Conversation(id="empty", turns=())


def full() -> InteractionGraph:
    return build_graph(FULL, claims=CLAIMS)


def test_json_gives_the_equal_graph_back() -> None:
    assert from_json(to_json(full())) == full()
    assert from_json(to_json(build_graph(EMPTY), indent=2)) == build_graph(EMPTY)


@settings(deadline=None)
@given(st.text(), st.text(), st.floats(allow_nan=False, allow_infinity=False))
def test_json_is_lossless_for_any_text_and_time(text: str, name: str, time: float) -> None:
    graph = build_graph(Conversation("c", (Turn(1, name, text, (name,), "given", None, time),)))
    assert from_json(to_json(graph)) == graph


def test_json_survives_half_a_surrogate_pair_and_a_file() -> None:
    graph = build_graph(Conversation("c", (Turn(1, "Ana", "\ud83d"),)))
    assert from_json(to_json(graph).encode("utf-8").decode("utf-8")) == graph


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON .line 1"),
        ("[" * 100_000, "JSON that cannot be read"),
        ("9" * 5000, "JSON that cannot be read"),
        ("[]", "format is None; wanted 'relgraph-graph/1'"),
        ('{"format": "other"}', "format is 'other'"),
        ('{"format": "relgraph-graph/1"}', "a field is missing or wrong"),
    ],
)
def test_what_is_no_graph_is_refused(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        from_json(text)


def test_networkx_has_every_node_and_edge_and_no_none() -> None:
    made, graph = to_networkx(full()), full()
    assert list(made.nodes) == [str(node) for node in graph.nodes]
    rows = sorted(made.edges(keys=True, data=True), key=lambda row: int(row[2][1:]))
    assert [(u, v, d["kind"]) for u, v, _, d in rows] == [
        (str(e.source), str(e.target), e.kind) for e in graph.edges
    ]
    values = [v for *_, d in rows for v in d.values()]
    assert None not in [*values, *(v for _, d in made.nodes(data=True) for v in d.values())]
    assert "start_s" not in made.nodes["turn:3"]


def test_graphml_is_read_back_by_networkx_with_odd_characters_escaped() -> None:
    import networkx as nx

    made = nx.read_graphml(io.BytesIO(graphml(full()).encode("utf-8")))
    assert made.number_of_edges() == len(full().edges)
    assert made.nodes["turn:2"]["text"] == "<Nadia> & \\x0b you"
    assert made.nodes["turn:1"]["end_s"] == 2.0


def test_tables_have_a_row_a_node_and_a_row_an_edge() -> None:
    nodes, edges = to_tables(full())
    assert list(nodes["node"]) == [str(node) for node in full().nodes]
    assert list(edges["kind"]) == [edge.kind for edge in full().edges]
    assert nodes["start_s"].isna().sum() == len(nodes) - 2
    assert [len(table) for table in to_tables(build_graph(EMPTY))] == [1, 0]


@pytest.mark.parametrize("conversation", [FULL, EMPTY], ids=["full", "empty"])
def test_pyg_has_every_type_in_the_right_shape(conversation: Conversation) -> None:
    data = to_pyg(build_graph(conversation))
    assert data.node_types == ["turn", "speaker", "group"]
    assert tuple(data.edge_types) == EDGE_TYPES
    assert data["turn"].x.shape == (len(conversation.turns), len(TURN_COLUMNS))
    for kind in EDGE_TYPES:
        count = data[kind].edge_index.shape[1]
        assert data[kind].edge_index.shape == (2, count)
        assert data[kind].edge_attr.shape == (count, len(EDGE_COLUMNS))
        assert data[kind].turn.shape == (count,)
    assert data.validate()


def test_pyg_edges_point_at_the_nodes_they_join() -> None:
    data = to_pyg(full())
    assert data["speaker", "said", "turn"].edge_index.tolist() == [[0, 1], [0, 1]]
    assert data["group", "said", "turn"].edge_index.tolist() == [[0], [2]]
    assert data["turn", "overlaps", "turn"].edge_attr.tolist() == [[1.0, 0.5, 1.0, 1.5, 1.0]]
    assert data["turn", "next", "turn"].edge_attr[1].tolist() == [1.0, 0.0, 0.0, 0.0, 0.0]
    assert data["speaker", "act", "speaker"].edge_attr[0, 0] == 0.25


def test_batches_keep_all_types_and_edges_in_any_order() -> None:
    from torch_geometric.data import Batch

    graphs = [build_graph(EMPTY), full(), build_graph(FULL)]
    for order in itertools.permutations(graphs):
        batch = Batch.from_data_list([to_pyg(graph) for graph in order])
        assert tuple(batch.edge_types) == EDGE_TYPES
        for source, kind, target in EDGE_TYPES:
            wanted = sum(
                (e.source.kind, e.kind, e.target.kind) == (source, kind, target)
                for graph in order
                for e in graph.edges
            )
            assert batch[source, kind, target].edge_index.shape[1] == wanted
        # A batch must not shift turn numbers as it shifts node indices.
        assert sorted(batch["turn"].number.tolist()) == [1, 1, 2, 2, 3, 3]


def test_pyg_takes_features_of_the_turns_and_refuses_others() -> None:
    features = np.arange(6, dtype=np.float32).reshape(3, 2)
    assert to_pyg(full(), turn_features=features)["turn"].x.tolist() == features.tolist()
    with pytest.raises(RelgraphError, match=r"shape \(2, 2\) .* 3 turns"):
        to_pyg(full(), turn_features=features[:2])


def test_temporal_data_has_an_event_for_each_address_with_the_group_last() -> None:
    graph = build_graph(
        Conversation(
            "c",
            (
                Turn(1, "Ana", "", ("Ben",)),
                Turn(2, "", "", ("Ben",)),
                Turn(3, "Ben", "", ("Ana", "Group"), "inferred", 0.5),
            ),
        )
    )
    events = to_temporal(graph)
    assert events.src.tolist() == [0, 1, 1]
    assert events.dst.tolist() == [1, 0, 2]
    assert events.t.tolist() == [1, 3, 3]
    assert events.msg.tolist() == [[1.0], [0.5], [0.5]]
