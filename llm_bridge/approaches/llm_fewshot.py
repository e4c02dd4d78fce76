"""`llm-fewshot`: the same prompt as `llm`, with similar training moments and their answers."""

from __future__ import annotations

from relgraph.approach import Approach, Settings
from relgraph.llm_bridge.asking import AskingApproach


def approach(settings: Settings) -> Approach:
    """Returns the approach that shows the model the transcript and this block."""
    return AskingApproach("llm-fewshot", settings, blocks=("examples",))


APPROACH = approach
