"""The journal of a search: a line for every finished training, so that a kill loses one at most."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from math import inf
from pathlib import Path
from statistics import fmean
from types import TracebackType
from typing import IO, Any

from relgraph.errors import DataError, RelgraphError
from relgraph.files import exclusive

FORMAT = "relgraph-tune/1"
Key = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Sums:
    """What was said of one task's held-out instances.

    Attributes:
        weight: how much they count together.
        right: weight of those whose right answer is ranked first.
        log_likelihood: weighted sum of the logarithms of the right answers' probabilities.
    """

    weight: float
    right: float
    log_likelihood: float


@dataclass(frozen=True, slots=True)
class Trial:
    """One finished training.

    Attributes:
        search: `training_key` of the conversations that the search may use.
        configuration: its number in the search, 0 for the recipe as it is.
        inner: number of the inner fold that was held out, from 0.
        recipe: all that the configuration says.
        tasks: task -> what was said of the inner fold; empty where training failed.
        cpu_s: seconds of CPU it took.
        failure: why there is no network, "" where there is one.
    """

    search: str
    configuration: int
    inner: int
    recipe: Mapping[str, Any]
    tasks: Mapping[str, Sums] = field(default_factory=dict)
    cpu_s: float = 0.0
    failure: str = ""

    @property
    def key(self) -> Key:
        """Returns which training of which search it is."""
        return self.search, self.configuration, self.inner


@dataclass(frozen=True, slots=True)
class Merit:
    """How good a configuration is on inner folds; both in the mean over tasks, more is better.

    Attributes:
        log_likelihood: mean logarithm of the right answer's probability: the criterion.
        accuracy: share of instances whose right answer is ranked first.
    """

    log_likelihood: float
    accuracy: float


def merit(trials: Iterable[Trial]) -> Merit | None:
    """Returns the merit of trainings with one configuration, their held-out instances pooled.

    None where one of them failed, or none holds an instance of the tasks.
    """
    kept = list(trials)
    tasks = dict.fromkeys(task for trial in kept for task in trial.tasks)
    if not tasks or any(trial.failure for trial in kept):
        return None
    likely, right = [], []
    for task in tasks:
        sums = [trial.tasks[task] for trial in kept if task in trial.tasks]
        weight = sum(s.weight for s in sums)
        likely.append(sum(s.log_likelihood for s in sums) / weight)
        right.append(sum(s.right for s in sums) / weight)
    return Merit(fmean(likely), fmean(right))


class Journal:
    """The trainings that a file keeps; a context that holds the file's lock.

    Attributes:
        file: JSON lines: the job first, then a line a training.
        kept: the finished trainings.
    """

    def __init__(self, file: Path, job: Mapping[str, str]) -> None:
        self.file = file
        self.kept: dict[Key, Trial] = {}
        self._job = dict(job)
        self._log: IO[bytes] | None = None

    def __enter__(self) -> Journal:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        log = self.file.open("a+b", buffering=0)
        try:
            self._lock(log)
            self._read(log)
        except BaseException:
            log.close()
            raise
        self._log = log
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._log is not None:
            self._log.close()

    def add(self, trial: Trial) -> None:
        """Keeps a finished training; it is on the disk when this returns."""
        assert self._log is not None
        _append(self._log, asdict(trial))
        self.kept[trial.key] = trial

    def _lock(self, log: IO[bytes]) -> None:
        try:
            exclusive(log)
        except OSError:
            raise RelgraphError(
                f"{self.file}: another process works on this search. Wait for it, or choose "
                "another output with -o."
            ) from None

    def _read(self, log: IO[bytes]) -> None:
        log.seek(0)
        data = log.read()
        # A kill may tear the last line, also the first one: then nothing was kept yet.
        end = data.rfind(b"\n") + 1
        if end < len(data):
            log.truncate(end)
        lines = data[:end].splitlines()
        if not lines:
            _append(log, {"format": FORMAT, "job": self._job})
            return
        again = f"Delete {self.file} to search anew, or choose another output with -o."
        for number, line in enumerate(lines, start=1):
            try:
                value = json.loads(line)
                if number == 1:
                    self._same_job(value["format"], value["job"], again)
                else:
                    trial = _trial(value)
                    self.kept[trial.key] = trial
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                raise DataError(f"{self.file}, line {number}: no journal line. {again}") from None

    def _same_job(self, format: str, job: Mapping[str, str], again: str) -> None:
        if format != FORMAT:
            raise DataError(f"{self.file}: format {format!r}, wanted {FORMAT!r}. {again}")
        other = [
            f"{name} was {job.get(name)!r}, now {self._job.get(name)!r}"
            for name in sorted({*job, *self._job})
            if job.get(name) != self._job.get(name)
        ]
        if other:
            raise RelgraphError(
                f"{self.file}: journal of another search: {'; '.join(other)}. {again}"
            )


def _append(log: IO[bytes], value: object) -> None:
    log.write(f"{json.dumps(value, ensure_ascii=False, allow_nan=False)}\n".encode())
    os.fsync(log.fileno())


def _trial(value: dict[str, Any]) -> Trial:
    """Returns the training of a journal line.

    Raises:
        LookupError: an entry is missing.
        TypeError: one is unknown, or of another type.
        ValueError: a number is none that a training gives.
    """
    tasks = {name: _sums(**sums) for name, sums in value["tasks"].items()}
    trial = Trial(**{**value, "tasks": tasks})
    kinds = (type(trial.search), type(trial.configuration), type(trial.inner), type(trial.failure))
    if kinds != (str, int, int, str):
        raise TypeError("an entry is of another type")
    _check(trial.cpu_s, 0)
    return trial


def _sums(weight: float, right: float, log_likelihood: float) -> Sums:
    _check(weight, 0)
    _check(right, 0)
    _check(-log_likelihood, 0)
    if not weight:
        raise ValueError("nothing was said")
    return Sums(weight, right, log_likelihood)


def _check(number: float, least: float) -> None:
    if type(number) is not float or not least <= number < inf:
        raise ValueError(f"{number!r} is no number from {least} on")
