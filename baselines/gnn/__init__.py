"""The causal graph neural network: entry `gnn` (see `docs/gnn.md`)."""

from __future__ import annotations

from relgraph.approach import Approach, Settings
from relgraph.baselines.gnn.approach import Gnn


def APPROACH(settings: Settings) -> Approach:  # noqa: N802
    """Returns the approach for the settings; it loads torch only when it trains or answers."""
    return Gnn(settings)
