"""The closed sets in random order: what guessing scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from relgraph.approach import Findings, Settings
from relgraph.records import Conversation, Instance, Prediction
from relgraph.registry import load, names


class RandomOrder:
    """A floor on the closed sets; the order is drawn from the seed and the instance's id.

    So it depends on nothing that other instances, their order or the speakers' names could change.
    """

    name = "random-order"
    floor = True
    learns = False
    needs: tuple[str, ...] = ()
    trained_on: frozenset[str] = frozenset()

    def __init__(self, settings: Settings) -> None:
        self.seed = settings.seed
        self.tasks = frozenset(n for n in names("task") if load("task", n).answer == "choice")

    def fit(self, train: Sequence[Conversation], *, seed: int) -> RandomOrder:
        """Returns itself: the draw needs no training."""
        del train, seed
        return self

    def predict(self, instances: Sequence[Instance], findings: Findings) -> Iterable[Prediction]:
        """Yields the options of each instance in random order, all equally probable."""
        del findings
        for instance in instances:
            order = list(instance.options)
            Random(f"{self.seed}|{instance.task}|{instance.id}").shuffle(order)
            share = 1 / len(order) if order else 0.0
            yield Prediction(instance.id, tuple(order), (share,) * len(order), because=("drawn",))


APPROACH = RandomOrder
