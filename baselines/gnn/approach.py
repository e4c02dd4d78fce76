"""The approach `gnn`: fits on conversations or loads a checkpoint, then answers instances."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relgraph.approach import Settings
from relgraph.records import Conversation

if TYPE_CHECKING:
    from relgraph.baselines.gnn.course import Epoch
    from relgraph.baselines.gnn.fitting import FittedGnn

TASKS = frozenset({"er", "itp", "rpp", "ssp", "stp", "vp"})


class Gnn:
    """The causal heterogeneous graph network over turns and people.

    With `settings.checkpoint` it learns nothing and loads that folder.
    """

    name = "gnn"
    tasks = TASKS
    needs: tuple[str, ...] = ()

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.learns = not settings.checkpoint

    def fit(self, train: Sequence[Conversation], *, seed: int) -> FittedGnn:
        """Returns the approach fitted to `train`, or loaded where a checkpoint was named.

        Raises:
            DataError: `train` holds no case of any task.
            DataError: the checkpoint is missing, damaged, or made for something else.
        """
        from relgraph.baselines.gnn import fitting

        if self._settings.checkpoint:
            return fitting.load(self._settings)
        return fitting.fit(train, self._settings, seed=seed)

    def train_into(
        self,
        folder: Path,
        train: Sequence[Conversation],
        *,
        seed: int,
        resume: bool = False,
        report: Callable[[Epoch], None] | None = None,
    ) -> Mapping[str, Any]:
        """Trains, writes the checkpoint `folder`, and returns its card as JSON values.

        The state of training is kept after every epoch in the file `FOLDER.training` beside it;
        `resume` goes on from there, and what comes out equals an undisturbed training's.

        Raises:
            DataError: `train` holds no case of any task.
            RelgraphError: something else is in the folder, or the kept state is of another
                training.
        """
        from relgraph.baselines.gnn import fitting

        return fitting.fit_into(
            folder, train, self._settings, seed=seed, resume=resume, report=report
        )
