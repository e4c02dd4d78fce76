"""The approach `gnn`: fits on conversations or loads a checkpoint, then answers instances."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relgraph.approach import Settings
from relgraph.baselines.gnn.recipe import read_recipes
from relgraph.records import Conversation

if TYPE_CHECKING:
    from relgraph.baselines.gnn.course import Epoch
    from relgraph.baselines.gnn.fitting import FittedGnn
    from relgraph.baselines.gnn.tuning import Step

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
        if settings.recipe:
            # refused here, before a run has a folder: a mended file is then another run
            read_recipes(Path(settings.recipe))

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

    def tune_into(
        self,
        path: Path,
        conversations: Sequence[Conversation],
        *,
        folds: int,
        inner: int = 2,
        configurations: int = 15,
        members: int = 1,
        report: Callable[[Step], None] = lambda _: None,
    ) -> Mapping[str, Any]:
        """Chooses recipes by nested folds, writes them to `path`, and returns the summary.

        Every finished training is kept in `PATH.trials.jsonl`; the same call goes on from there.

        Args:
            path: a file, which `Settings.recipe` can name afterwards.
            conversations: annotated ones.
            folds: for each of so many folds that an evaluation would test, a recipe is chosen on
                its training conversations; 0 chooses one on all of the data alone.
            inner: inner folds, 2 or more.
            configurations: tried in a search; the first is the recipe as it is.
            members: networks of a training.
            report: is told of every finished training.

        Raises:
            MissingPackageError: optuna is not installed.
            RelgraphError: folds cannot be as asked, or the kept trainings are of another search.
        """
        from relgraph.baselines.gnn.tuning import Budget, tune

        budget = Budget(inner=inner, configurations=configurations, members=members)
        return tune(path, conversations, self._settings, count=folds, budget=budget, report=report)
