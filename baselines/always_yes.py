"""ITP: always yes. Its F1 of two thirds is why F1 alone says little on balanced instances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from relgraph.approach import Findings, Settings
from relgraph.labels import NO, YES
from relgraph.records import Conversation, Instance, Prediction


class AlwaysYes:
    """A floor on intervention timing."""

    name = "always-yes"
    floor = True
    learns = False
    needs: tuple[str, ...] = ()
    tasks = frozenset({"itp"})
    trained_on: frozenset[str] = frozenset()

    def __init__(self, settings: Settings) -> None:
        del settings

    def fit(self, train: Sequence[Conversation], *, seed: int) -> AlwaysYes:
        """Returns itself: a constant needs no training."""
        del train, seed
        return self

    def predict(self, instances: Sequence[Instance], findings: Findings) -> Iterable[Prediction]:
        """Yields yes, for sure."""
        del findings
        for instance in instances:
            yield Prediction(instance.id, (YES, NO), (1.0, 0.0), because=("always yes",))


APPROACH = AlwaysYes
