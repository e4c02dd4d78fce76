"""Nested selection: the recipe of a training is chosen on that training's own conversations.

One search for each fold that `relgraph eval` would test, on its training conversations, and one on
all of the data. A search deals its conversations into inner folds by relationship; a configuration
is trained on all inner folds but one and judged on that one, on each in turn.

The criterion is the mean over RPP, SSP, STP and ITP of the log-likelihood of the right answers, at
the temperature that fits the network best: training is followed by fitting one, so an exaggeration
that is mended anyway does not count. docs/tuning.md says why it is not the share of right answers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from relgraph.approach import Settings
from relgraph.baselines.gnn import fitting, space, training
from relgraph.baselines.gnn.calibration import Votes, temperature, votes_of
from relgraph.baselines.gnn.course import computing
from relgraph.baselines.gnn.heads import Network, build
from relgraph.baselines.gnn.lessons import Lesson
from relgraph.baselines.gnn.recipe import (
    Recipe,
    Recipes,
    read_recipes,
    training_key,
    write_recipes,
)
from relgraph.baselines.gnn.trials import Journal, Merit, Sums, Trial, merit
from relgraph.baselines.gnn.tuned import Found, summary
from relgraph.errors import DataError, RelgraphError, RunError
from relgraph.records import Conversation, fingerprint
from relgraph.splits import folds, relationships

AFTER_TRAINING = frozenset({"answer", "approach", "checkpoint", "state", "tuned"})
"""Modules of this package that no value of a search depends on."""

LEAST = 1e-9
"""No right answer counts as less likely than this: a single one must not decide."""

AT_ONCE = 16
"""Stretches that are judged in one pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What a search may cost.

    Attributes:
        inner: inner folds, 2 or more.
        configurations: tried in a search, the recipe as it is among them.
        members: networks of a training.
    """

    inner: int = 2
    configurations: int = 15
    members: int = 1


@dataclass(frozen=True, slots=True)
class Step:
    """A training that is over.

    Attributes:
        done: trainings that are over, those of an earlier run among them, of `total`.
        total: trainings of all searches.
        search: its name, as `fold 1`.
        configuration: its number, 0 for the recipe as it is.
        inner: which inner fold, from 0, was held out.
        merit: of this training alone; None where it failed, or its inner fold asks nothing.
        time_s: it took.
    """

    done: int
    total: int
    search: str
    configuration: int
    inner: int
    merit: Merit | None
    time_s: float


Report = Callable[[Step], None]


@dataclass(frozen=True, slots=True)
class Search:
    """The choice of one recipe.

    Attributes:
        name: for people.
        train: all that it may read.
        key: `training_key` of `train`.
    """

    name: str
    train: tuple[Conversation, ...]
    key: str


def tune(
    path: Path,
    conversations: Sequence[Conversation],
    settings: Settings,
    *,
    count: int,
    budget: Budget,
    report: Report = lambda _: None,
    ranges: space.Space = space.SPACE,
) -> dict[str, Any]:
    """Writes the chosen recipes and returns the summary; see `approach.Gnn.tune_into`."""
    optuna = space.version()
    _check_start(settings)
    _check_place(path)
    searches = plan(conversations, count=count, seed=settings.seed, inner=budget.inner)
    work = fitting.prepare(conversations, settings, settings.seed)
    job = {
        **work.job(settings),
        "inner folds": str(budget.inner),
        "members of a training": str(budget.members),
        "space": str(dict(ranges)),
        "optuna": optuna,
        "code": _code(),
    }
    found: list[Found] = []
    with Journal(journal_of(path), job) as journal, computing(work.device, settings.threads):
        for number, search in enumerate(searches):
            seeker = _Seeker(work, search, budget, journal, (number, len(searches)), report)
            draws = space.Draws(work.recipe, settings.seed, ranges)
            found.append(Found(search.name, search.train, seeker.seek(draws)))
    chosen = [replace(work.recipe, **f.recipe) for f in found]
    keys = [search.key for search in searches]
    write_recipes(
        path,
        Recipes(
            general=chosen[-1],
            by_training=dict(zip(keys[:-1], chosen[:-1], strict=True)),
            chosen_on=frozenset(fingerprint(c) for c in conversations),
            relationships=frozenset(c.relationship for c in conversations if c.relationship),
        ),
    )
    return {
        "recipes": str(path),
        "journal": str(journal_of(path)),
        "budget": asdict(budget),
        **summary(found),
    }


def plan(
    conversations: Sequence[Conversation], *, count: int, seed: int, inner: int
) -> tuple[Search, ...]:
    """Returns the searches: one a fold of `relgraph eval`, and the last one on everything.

    Raises:
        RelgraphError: the folds, or inner folds within them, cannot be as asked.
    """
    parts = [fold.train for fold in folds(conversations, count=count, seed=seed)] if count else []
    named = [(f"fold {number}", part) for number, part in enumerate(parts, start=1)]
    searches = [*named, ("all data", tuple(conversations))]
    for name, part in searches:
        if len(relationships(part)) < inner:
            raise RelgraphError(
                f"{name}: {len(relationships(part))} relationships to choose on, and {inner} "
                "inner folds were asked for. Give a smaller --inner (2 at least), or add "
                "conversations of other relationships."
            )
    return tuple(Search(name, part, training_key(part)) for name, part in searches)


def journal_of(path: Path) -> Path:
    """Returns the file that keeps the trainings of a search whose recipes go to `path`."""
    return path.with_name(f"{path.name}.trials.jsonl")


class _Seeker:
    """One search, the first of `place` of the second: trains what the journal does not have."""

    def __init__(
        self,
        work: fitting.Work,
        search: Search,
        budget: Budget,
        journal: Journal,
        place: tuple[int, int],
        report: Report,
    ) -> None:
        self._work, self._search, self._budget = work, search, budget
        self._journal, self._report = journal, report
        trainings = budget.configurations * budget.inner
        self._done, self._total = place[0] * trainings, place[1] * trainings
        # From here on nothing but the search's own conversations is in reach.
        self._school = work.school.only(search.train)
        self._parts = folds(search.train, count=budget.inner, seed=work.seed)

    def seek(self, draws: space.Draws) -> list[list[Trial]]:
        """Returns the trainings of every configuration."""
        found = []
        for number in range(self._budget.configurations):
            recipe = draws.next()
            trials = [self._trial(number, k, recipe) for k in range(self._budget.inner)]
            own = merit(trials)
            if own is None and not any(trial.failure for trial in trials):
                raise DataError(
                    f"{self._search.name}: the conversations hold no case of RPP, SSP, STP or ITP "
                    "to choose by. They need annotations; see `relgraph data stats`."
                )
            draws.tell(None if own is None else own.log_likelihood)
            found.append(trials)
        return found

    def _trial(self, number: int, inner: int, recipe: Recipe) -> Trial:
        self._done += 1
        kept = self._journal.kept.get((self._search.key, number, inner))
        if kept is not None:
            if kept.recipe != asdict(recipe):
                raise RelgraphError(
                    f"{self._journal.file}: configuration {number} of {self._search.name} is "
                    "another one than is drawn now. Delete the file to search anew."
                )
            return kept
        began = time.perf_counter()
        trial = self._train(number, inner, recipe)
        self._journal.add(trial)
        took = time.perf_counter() - began
        own = merit([trial])
        self._report(Step(self._done, self._total, self._search.name, number, inner, own, took))
        return trial

    def _train(self, number: int, inner: int, recipe: Recipe) -> Trial:
        began = time.process_time()
        work, part = self._work, self._parts[inner]
        own = replace(recipe, members=self._budget.members)
        tasks: Mapping[str, Sums] = {}
        failure = ""
        try:
            trained = training.train(
                self._school.only(part.train),
                shape=work.shape,
                recipe=own,
                seed=work.seed,
                device=work.device,
            )
        except RunError as error:
            failure = str(error)
        else:
            nets = [build(work.shape, own, w, work.device) for w in trained.members]
            tasks = judge(nets, self._school.of(part.test), work.device)
        spent = time.process_time() - began
        return Trial(self._search.key, number, inner, asdict(recipe), tasks, spent, failure)


def judge(nets: Sequence[Network], held: Sequence[Lesson], device: torch.device) -> dict[str, Sums]:
    """Returns task -> what networks, averaged, say of lessons that they have not learnt from.

    RPP, SSP and STP are the tasks' own instances. ITP is every boundary after a client's turn, yes
    and no weighing the same in each conversation.
    """
    found: dict[str, Votes] = {}
    for begin in range(0, len(held), AT_ONCE):
        said = [votes_of(net, held[begin : begin + AT_ONCE], device) for net in nets]
        for task in said[0]:
            found.setdefault(task, []).extend(_together([votes[task] for votes in said]))
    return {task: _sums(votes) for task, votes in found.items() if votes}


def _together(votes: Sequence[Votes]) -> Votes:
    """Returns the votes of several networks as one: the logarithms of their mean probabilities."""
    if len(votes) == 1:
        return list(votes[0])
    found: Votes = []
    for of in zip(*votes, strict=True):
        mean = np.mean([_shares(logits) for logits, _, _ in of], axis=0)
        with np.errstate(divide="ignore"):
            found.append((np.log(mean), of[0][1], of[0][2]))
    return found


def _sums(votes: Votes) -> Sums:
    heat = temperature(votes)
    weight = right = likely = 0.0
    for logits, label, counts in votes:
        weight += counts
        right += counts * (int(np.argmax(logits)) == label)
        likely += counts * float(np.log(max(_shares(logits / heat)[label], LEAST)))
    return Sums(weight, right, likely)


def _shares(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the probabilities of logits."""
    shares = np.exp(logits - logits.max())
    total: NDArray[np.float64] = shares / shares.sum()
    return total


def _check_start(settings: Settings) -> None:
    """Refuses to start from a recipe that other conversations had a say in.

    Raises:
        DataError: it was chosen by a search, or the file is no recipe.
    """
    if not settings.recipe:
        return
    start = read_recipes(Path(settings.recipe))
    if start.by_training or start.chosen_on:
        raise DataError(
            f"{settings.recipe}: was chosen by a search, and a new one may start only from a "
            "recipe that no data chose: else tested conversations had a say in it. Name a bare "
            'recipe, as {"hidden": 64}, or none.'
        )


def _check_place(path: Path) -> None:
    """Refuses a place that recipes cannot go to before hours are spent.

    Raises:
        DataError: it is a folder, or a file of something else.
    """
    if path.is_dir():
        raise DataError(f"{path}: is a folder. Give -o the name of a file, as recipes.json.")
    if path.exists():
        read_recipes(path)


def _code() -> str:
    """Returns a digest of what trains and judges: with other code a value may be another."""
    digest, here = sha256(), Path(__file__).parent
    # what conversations are encoded with stands beside this package
    for file in (*sorted(here.glob("*.py")), *sorted(here.parent.glob("_*.py"))):
        if file.stem not in AFTER_TRAINING:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
