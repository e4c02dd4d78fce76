"""`llm+rules`: the same prompt as `llm`, with what the rules found in it."""

from __future__ import annotations

from relgraph.approach import Approach, Settings
from relgraph.llm_bridge.asking import AskingApproach


def approach(settings: Settings) -> Approach:
    """Returns the approach that shows the model the transcript and the rule findings."""
    return AskingApproach("llm+rules", settings, blocks=("rules",))


APPROACH = approach
