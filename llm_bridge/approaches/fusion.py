"""`fusion`: what `llm` and the graph network say put together, with a weight learnt in training."""

from __future__ import annotations

from relgraph.approach import Approach, Settings
from relgraph.llm_bridge.fusing import Fusion


def approach(settings: Settings) -> Approach:
    """Returns the approach that pools the two; it asks nothing by itself."""
    return Fusion("fusion", "gnn", settings)


APPROACH = approach
