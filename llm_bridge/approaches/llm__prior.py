"""`llm+prior`: the same prompt as `llm`, with how often other relationships had each answer."""

from __future__ import annotations

from relgraph.approach import Approach, Settings
from relgraph.llm_bridge.asking import AskingApproach


def approach(settings: Settings) -> Approach:
    """Returns the approach that shows the model the transcript and this block."""
    return AskingApproach("llm+prior", settings, blocks=("prior",))


APPROACH = approach
