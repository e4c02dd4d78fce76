"""`llm+placebo`: `llm+graph` with the names in its summary permuted: as long, and it tells less."""

from __future__ import annotations

from relgraph.approach import Approach, Settings
from relgraph.llm_bridge.approaches.llm__graph import BLOCKS
from relgraph.llm_bridge.asking import AskingApproach


def approach(settings: Settings) -> Approach:
    """Returns the approach that shows the model the transcript and the placebo of a summary."""
    return AskingApproach("llm+placebo", settings, blocks=BLOCKS, permuted=True)


APPROACH = approach
