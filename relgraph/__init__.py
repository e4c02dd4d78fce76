"""relgraph: temporal interaction graphs of conversations.

The public names are these; everything else may change.
"""

from relgraph.corpora import Corpus, read
from relgraph.errors import RelgraphError
from relgraph.graph import InteractionGraph, build_graph
from relgraph.records import (
    Annotation,
    Background,
    Conversation,
    Emotion,
    Instance,
    Nonverbal,
    Prediction,
    Relation,
    Strategy,
    Turn,
    View,
    Viewpoint,
)

__version__ = "0.1.0"

__all__ = [
    "Annotation",
    "Background",
    "Conversation",
    "Corpus",
    "Emotion",
    "Instance",
    "InteractionGraph",
    "Nonverbal",
    "Prediction",
    "Relation",
    "RelgraphError",
    "Strategy",
    "Turn",
    "View",
    "Viewpoint",
    "build_graph",
    "read",
]
