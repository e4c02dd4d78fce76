"""What a model of words alone says of the question, in the words of the block `gnn`."""

from __future__ import annotations

from relgraph.llm_bridge.blocks._estimates import Estimate

BLOCK = Estimate("text-head", needs=("text-head",))
