"""`llm`: the transcript and the question, to a language model."""

from __future__ import annotations

from relgraph.approach import Approach, Settings
from relgraph.llm_bridge.asking import AskingApproach


def approach(settings: Settings) -> Approach:
    """Returns the approach that shows the model the transcript alone."""
    return AskingApproach(name="llm", settings=settings)


APPROACH = approach
