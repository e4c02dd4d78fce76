"""`llm+text-head`: the same prompt as `llm`, with the words of `llm+gnn` from a model of words."""

from __future__ import annotations

from relgraph.approach import Approach, Settings
from relgraph.llm_bridge.asking import AskingApproach


def approach(settings: Settings) -> Approach:
    """Returns the approach that shows the model the transcript and this block."""
    return AskingApproach("llm+text-head", settings, blocks=("text-head",))


APPROACH = approach
