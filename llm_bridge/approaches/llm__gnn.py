"""`llm+gnn`: the same prompt as `llm`, with what the graph network says of the question."""

from __future__ import annotations

from relgraph.approach import Approach, Settings
from relgraph.llm_bridge.asking import AskingApproach


def approach(settings: Settings) -> Approach:
    """Returns the approach that shows the model the transcript and this block."""
    return AskingApproach("llm+gnn", settings, blocks=("gnn",))


APPROACH = approach
