"""What `relgraph tune` may change of a recipe, and how configurations are drawn from it.

Optuna's tree-structured Parzen estimator draws (Bergstra et al. 2011): at random at first, then
near the configurations that did best. Its draws depend on the seed and on what it was told alone,
so a search that is told the values of an earlier, broken-off one draws the very same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from relgraph.baselines.gnn.recipe import Recipe
from relgraph.errors import missing_package

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

AT_RANDOM = 8
"""So many configurations have a value before values begin to guide the draws."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some values, in no order."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """A number from `low` to `high`: in steps, or with 0 for `step` any, its logarithm even."""

    low: float
    high: float
    step: float = 0.0


Space = Mapping[str, Choice | Span]
SPACE: Space = {
    "hidden": Choice((32, 64, 128)),
    "layers": Span(0, 2, 1),
    "relation": Choice((0, 8, 16, 32)),
    "dropout": Span(0.2, 0.7, 0.1),
    "word_dropout": Span(0.1, 0.7, 0.1),
    "epochs": Span(8, 24, 2),
    "rate": Span(1e-3, 6e-3),
    "decay": Span(0.01, 0.3),
    "auxiliary": Span(0.0, 2.0, 0.5),
    "phrases": Span(0.0, 0.9, 0.3),
    "foresight": Span(0.0, 0.6, 0.2),
    "balance": Span(0.0, 0.5, 0.25),
    "adjust": Span(0.0, 0.5, 0.25),
}
"""What is searched. The rest stays: what the network reads, members, batch, partner."""


class Draws:
    """The configurations of one search, the first of which is the recipe as it is."""

    def __init__(self, base: Recipe, seed: int, space: Space = SPACE) -> None:
        optuna = _optuna()
        self._base = base
        self._ranges = {name: _range(optuna, name, of) for name, of in space.items()}
        self._study = optuna.create_study(
            direction="maximize",
            sampler=optuna.samplers.TPESampler(seed=seed, n_startup_trials=AT_RANDOM),
        )
        self._states = optuna.trial.TrialState
        self._known = optuna.trial.create_trial
        self._asked: Any = None
        self._begun = False

    def next(self) -> Recipe:
        """Returns the next configuration; the value of the last one has to be told before."""
        if not self._begun:
            self._begun = True
            return self._base
        self._asked = self._study.ask(self._ranges)
        # steps of a tenth add up to 0.30000000000000004, which nobody wants to read
        drawn = {name: _short(value) for name, value in self._asked.params.items()}
        return replace(self._base, **drawn)

    def tell(self, value: float | None) -> None:
        """Takes how good the last configuration is; None where it could not be trained."""
        if self._asked is None:
            self._tell_base(value)
        elif value is None:
            self._study.tell(self._asked, state=self._states.FAIL)
        else:
            self._study.tell(self._asked, value)

    def _tell_base(self, value: float | None) -> None:
        if value is None:
            return
        values = {name: getattr(self._base, name) for name in self._ranges}
        try:
            first = self._known(params=values, distributions=self._ranges, value=value)
        except ValueError:
            return  # a recipe of one's own may lie outside: it competes and guides nothing
        self._study.add_trial(first)


def version() -> str:
    """Returns optuna's version: another one may draw other configurations.

    Raises:
        MissingPackageError: it is not installed.
    """
    found: str = _optuna().__version__
    return found


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise missing_package("optuna", "relgraph tune", "pip install 'relgraph[tune]'") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


def _range(optuna: Any, name: str, of: Choice | Span) -> BaseDistribution:
    known = optuna.distributions
    found: BaseDistribution
    if isinstance(of, Choice):
        found = known.CategoricalDistribution(of.values)
    elif isinstance(getattr(Recipe(), name), int):
        found = known.IntDistribution(int(of.low), int(of.high), step=int(of.step))
    elif of.step:
        found = known.FloatDistribution(of.low, of.high, step=of.step)
    else:
        found = known.FloatDistribution(of.low, of.high, log=True)
    return found


def _short(value: Any) -> Any:
    return float(f"{value:.4g}") if isinstance(value, float) else value
