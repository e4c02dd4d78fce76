"""Runs approaches over folds and keeps every answer; it knows none of them by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from relgraph.evaluation import inner, plan
from relgraph.evaluation.jobs import ALL, Data, Plan, file_order, prepare
from relgraph.evaluation.scores import Scoring, score
from relgraph.evaluation.store import Store
from relgraph.evaluation.work import Given, Work, fitting
from relgraph.records import Prediction
from relgraph.terminal import tell

__all__ = ["ALL", "Data", "Given", "Plan", "Run", "prepare", "run"]


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run.

    Attributes:
        folder: where its files are.
        scores: what `scores.json` holds.
        answers: approach -> instance -> prediction.
        failed: number of items without an answer.
    """

    folder: Path
    scores: Mapping[str, Any]
    answers: Mapping[str, Mapping[str, Prediction]]
    failed: int


def run(
    todo: Plan,
    folder: Path,
    *,
    retry_failed: bool = False,
    scoring: Scoring | None = None,
    given: Given | None = None,
) -> Run:
    """Returns the finished run; what `folder` already holds of it is not done again.

    Args:
        todo: what to do.
        folder: the run folder; made if need be.
        retry_failed: asks failed items again.
        scoring: similarities of phrases to score with; seed and floors are the run's.
        given: findings of approaches that are needed and take no part in this run.

    Raises:
        RelgraphError: the folder holds another run or is in use.
        LeakError: an approach was trained on what it is tested on.
        RunError: an approach gave something that is no answer to what it was asked.
    """
    with Store(folder) as store:
        store.begin(todo.what, {"versions": plan.versions()})
        store.keep_only(fitting(todo))
        within = lambda job, name: inner.predictions(todo, job, name, folder)  # noqa: E731
        try:
            Work(store, todo, given or {}, within).finish(retry=retry_failed)
        except BaseException:
            tell(f"note: answers so far are kept in {folder}")
            raise
        answers: dict[str, dict[str, Prediction]] = {name: {} for name in todo.team.members}
        for (name, instance), answer in store.answers.items():
            answers[name][instance] = answer.prediction
        how = replace(scoring or Scoring(), floors=todo.team.floors, seed=todo.seed)
        scores = {"protocol": todo.what["protocol"], **score(todo.cases, answers, how)}
        store.finish(file_order(todo), scores)
    failed = sum(bool(p.failure) for of in answers.values() for p in of.values())
    return Run(folder, scores, answers, failed)
