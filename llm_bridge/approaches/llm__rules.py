"""`llm+rules`: the same prompt as `llm`, with what the rules found in it."""

from __future__ import annotations

from relgraph.approach import Approach, Settings
from relgraph.llm_bridge.asking import AskingApproach


def approach(settings: Settings) -> Approach:
    """Returns the approach that shows the model the transcript and the rule findings."""
    from relgraph.llm_bridge.rule_findings import of_rules

    return AskingApproach(name="llm+rules", settings=settings, summary_of=of_rules)


APPROACH = approach
