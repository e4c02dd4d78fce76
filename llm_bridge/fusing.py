"""A language model's answer and a trained model's put together: log-linear pooling.

    log p(option) = (w log p_llm(option) + (1 - w) log p_model(option)) / T + constant

(Genest and Zidek 1986, "Combining probability distributions: a critique and an annotated
bibliography", Statistical Science 1; also called a product of experts: Hinton 2002). One weight w
and one temperature T a task, fitted by log loss on training instances that the language model was
asked in the same run, with what the trained model says of them from folds within the training.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relgraph.approach import Findings, Settings
from relgraph.llm_bridge.training import training_of
from relgraph.records import Case, Conversation, Instance, Prediction, fingerprint

TASKS = frozenset({"itp", "rpp", "ssp", "stp"})
"""Those with a closed set to put chances on."""

WEIGHT, TEMPERATURE, DECAY = 0.5, 1.0, 0.5
"""What is taken where there is nothing to fit on."""

PRIOR_INSTANCES = 20
"""The defaults count as much as so many instances."""

BLUR = 0.02
"""Share of even chances that is mixed into each side: a chance of 0 could never be outvoted."""

WEIGHTS = np.linspace(0, 1, 51)
TEMPERATURES = np.geomspace(0.25, 4, 33)
DECAYS = np.linspace(0.02, 1, 50)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pool:
    """How two sides of one task are put together.

    Attributes:
        weight: of the language model, 0 to 1.
        temperature: that the sum is divided by.
        decay: of a ranking without probabilities: each place gets so much of the place above.
        instances: number of those that it was fitted on.
    """

    weight: float = WEIGHT
    temperature: float = TEMPERATURE
    decay: float = DECAY
    instances: int = 0

    def of(self, instance: Instance, asked: Prediction, trained: Prediction) -> Floats:
        """Returns a probability for each option, in the instance's order."""
        sides = (likelihoods(instance, p, self.decay) for p in (asked, trained))
        ours, theirs = map(np.log, sides)
        return _pooled(ours, theirs, self.weight, self.temperature)


def likelihoods(instance: Instance, said: Prediction, decay: float) -> Floats:
    """Returns a probability above 0 for each option.

    That is the prediction's own, else one that falls by `decay` from place to place of its
    ranking, with all that it leaves out in the place after the last; a little evened out.
    """
    options = instance.options
    if said.probabilities:
        known = dict(zip(said.ranking, said.probabilities, strict=True))
        left = max(0.0, 1 - sum(known.values()))
        missing = sum(o not in known for o in options) or 1
        raw = np.array([known.get(o, left / missing) for o in options])
    else:
        raw = decay ** _places(instance, said)
    raw = raw / raw.sum()
    return np.asarray((1 - BLUR) * raw + BLUR / len(options), np.float64)


def fit(pairs: Sequence[tuple[Case, Prediction, Prediction]]) -> Pool:
    """Returns the pool of one task.

    First the decay of the language model's rankings that makes its own answers likeliest, then
    the weight at temperature 1, then the temperature; each drawn towards its default as if that
    had been seen on `PRIOR_INSTANCES` more instances (temperatures and their mean by logarithm).

    Args:
        pairs: a training case, what the language model said of it, and the trained model.
    """
    count = len(pairs)
    if not count:
        return Pool()
    ranked = [(case, asked) for case, asked, _ in pairs if not asked.probabilities]
    decay = DECAY
    if ranked:
        losses = [
            -sum(float(np.log(likelihoods(c.instance, p, d)[_gold(c)])) for c, p in ranked)
            for d in DECAYS
        ]
        decay = _towards(DECAY, float(DECAYS[int(np.argmin(losses))]), len(ranked))
    sides = [
        (
            np.log(likelihoods(case.instance, asked, decay)),
            np.log(likelihoods(case.instance, trained, decay)),
            _gold(case),
        )
        for case, asked, trained in pairs
    ]
    best = WEIGHTS[int(np.argmin([_loss(sides, w, 1.0) for w in WEIGHTS]))]
    weight = _towards(WEIGHT, float(best), count)
    heat = TEMPERATURES[int(np.argmin([_loss(sides, weight, t) for t in TEMPERATURES]))]
    temperature = float(np.exp(_towards(np.log(TEMPERATURE), float(np.log(heat)), count)))
    return Pool(weight, temperature, decay, count)


def _towards(default: float, found: float, count: int) -> float:
    return (count * found + PRIOR_INSTANCES * default) / (count + PRIOR_INSTANCES)


def _loss(sides: Sequence[tuple[Floats, Floats, int]], weight: float, temperature: float) -> float:
    return -sum(float(np.log(_pooled(a, b, weight, temperature)[gold])) for a, b, gold in sides)


def _pooled(ours: Floats, theirs: Floats, weight: float, temperature: float) -> Floats:
    together = (weight * ours + (1 - weight) * theirs) / temperature
    chances = np.exp(together - together.max())
    return np.asarray(chances / chances.sum(), np.float64)


def _places(instance: Instance, said: Prediction) -> Floats:
    place = {option: k for k, option in enumerate(said.ranking)}
    return np.array([place.get(o, len(place)) for o in instance.options], np.float64)


def _gold(case: Case) -> int:
    return case.instance.options.index(case.gold.label)


@dataclass(frozen=True, slots=True)
class Fusion:
    """The approach: no prompt of its own; it needs a language model's answers and another's.

    Attributes:
        name: as in the registry.
        model: the trained approach.
        settings: what is shown of training conversations.
    """

    name: str
    model: str
    settings: Settings
    tasks: frozenset[str] = TASKS
    learns: bool = True
    reads_training: bool = True

    @property
    def needs(self) -> tuple[str, ...]:
        """The language model without any hint, and the trained model."""
        return ("llm", self.model)

    def fit(self, train: Sequence[Conversation], *, seed: int) -> FittedFusion:
        """Returns the approach with its training cases; weights come with the findings."""
        del seed
        cases = training_of(train, {}, self.settings).cases
        return FittedFusion(
            self.needs,
            {
                c.instance.id: c
                for task in sorted(TASKS)
                for c in cases.get(task, ())
                if c.gold.label in c.instance.options
            },
            frozenset(map(fingerprint, train)),
            frozenset(c.relationship for c in train if c.relationship),
        )


@dataclass(slots=True)
class FittedFusion:
    """Training cases by instance; see `relgraph.approach.Fitted`."""

    needs: tuple[str, ...]
    cases: Mapping[str, Case]
    trained_on: frozenset[str]
    trained_relationships: frozenset[str]

    def predict(self, instances: Sequence[Instance], findings: Findings) -> Iterator[Prediction]:
        """Yields the pooled answer to each instance; it fails where one of the two failed."""
        pools = self.pools(findings)
        for instance in instances:
            said = [findings.get(name, {}).get(instance.id) for name in self.needs]
            yield _together(instance, self.needs, said, pools.get(instance.task, Pool()))

    def pools(self, findings: Findings) -> dict[str, Pool]:
        """Returns the pool of each task, fitted on what was found of the training cases."""
        ours, theirs = (findings.get(name, {}) for name in self.needs)
        pairs: dict[str, list[tuple[Case, Prediction, Prediction]]] = {}
        for instance, case in self.cases.items():
            asked, trained = ours.get(instance), theirs.get(instance)
            if asked and trained and not asked.failure and not trained.failure:
                pairs.setdefault(case.instance.task, []).append((case, asked, trained))
        return {task: fit(of) for task, of in pairs.items()}


def _together(
    instance: Instance, needs: Sequence[str], said: Sequence[Prediction | None], pool: Pool
) -> Prediction:
    for name, one in zip(needs, said, strict=True):
        if one is None or one.failure:
            cause = one.failure if one else "it gave no answer"
            return Prediction(instance.id, failure=f"{name}: {cause}")
    asked, trained = (one for one in said if one)
    chances = pool.of(instance, asked, trained)
    order = np.argsort(-chances, kind="stable")
    ours, theirs = needs
    fitted = f"fitted on {pool.instances} training instances" if pool.instances else "not fitted"
    return Prediction(
        instance.id,
        ranking=tuple(instance.options[int(k)] for k in order),
        probabilities=tuple(float(chances[int(k)]) for k in order),
        because=(
            f"{ours} counts {pool.weight:.2f}, {theirs} {1 - pool.weight:.2f}, "
            f"temperature {pool.temperature:.2f} ({fitted})",
        ),
    )
