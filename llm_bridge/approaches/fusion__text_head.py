"""`fusion+text-head`: `fusion` with a model of words alone in the place of the graph network."""

from __future__ import annotations

from relgraph.approach import Approach, Settings
from relgraph.llm_bridge.fusing import Fusion


def approach(settings: Settings) -> Approach:
    """Returns the approach that pools the two; it asks nothing by itself."""
    return Fusion("fusion+text-head", "text-head", settings)


APPROACH = approach
