"""The temporal interaction graph of a conversation: `build_graph`, its records and its views."""

from relgraph.graph.build import build_graph
from relgraph.graph.schema import (
    EDGE_KINDS,
    EDGE_TYPES,
    NODE_KINDS,
    Claim,
    Edge,
    InteractionGraph,
    Node,
    Speaker,
    TurnNode,
)

__all__ = [
    "EDGE_KINDS",
    "EDGE_TYPES",
    "NODE_KINDS",
    "Claim",
    "Edge",
    "InteractionGraph",
    "Node",
    "Speaker",
    "TurnNode",
    "build_graph",
]
