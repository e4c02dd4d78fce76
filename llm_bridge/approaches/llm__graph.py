"""`llm+graph`: the same prompt as `llm`, with the summary of the interaction graph in it."""

from __future__ import annotations

from relgraph.approach import Approach, Settings
from relgraph.llm_bridge.asking import AskingApproach
from relgraph.llm_bridge.summary import of_graph


def approach(settings: Settings) -> Approach:
    """Returns the approach that shows the model the transcript and the graph's summary."""
    return AskingApproach(name="llm+graph", settings=settings, summary_of=of_graph)


APPROACH = approach
