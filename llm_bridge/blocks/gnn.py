"""What the graph network says of the question, trained without the relationship at hand."""

from __future__ import annotations

from relgraph.llm_bridge.blocks._estimates import Estimate

BLOCK = Estimate("gnn", needs=("gnn",))
