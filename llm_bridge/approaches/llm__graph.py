"""`llm+graph`: the same prompt as `llm`, with the summary of the interaction graph in it."""

from __future__ import annotations

from relgraph.approach import Approach, Settings
from relgraph.llm_bridge.asking import AskingApproach

BLOCKS = ("roster", "addresses", "floor", "states", "stances", "observations", "flow", "unknown")
"""Nothing in them was fitted on a label."""


def approach(settings: Settings) -> Approach:
    """Returns the approach that shows the model the transcript and the graph's summary."""
    return AskingApproach("llm+graph", settings, blocks=BLOCKS)


APPROACH = approach
