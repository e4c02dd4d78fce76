"""What an approach that learns says of training instances: folds within the training alone.

Each is a run of its own in a folder within the run's, so all that makes a run resumable holds for
it: nothing is trained or asked twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from relgraph.evaluation import plan
from relgraph.evaluation.jobs import Data, Job, Plan, file_order, prepare
from relgraph.evaluation.plan import Request, Team
from relgraph.evaluation.store import Store
from relgraph.evaluation.work import Work, fitting
from relgraph.records import Prediction
from relgraph.splits import relationships
from relgraph.terminal import tell

FOLDS = 3
"""Folds within the training conversations, or as many as these have relationships."""


def predictions(todo: Plan, job: Job, name: str, folder: Path) -> Mapping[str, Prediction]:
    """Returns instance -> prediction for all training instances of a job.

    Each is predicted by a fit that has seen neither its relationship nor the job's tested ones.

    Args:
        todo: the run that needs them.
        job: the fold of the run.
        name: the needed approach.
        folder: of the run; they are kept in `inner/NAME-fold-N` within it.

    Raises:
        RelgraphError: the folder holds those of another run or is in use.
    """
    inside = planned(todo, job, name)
    where = folder / "inner" / f"{name}-fold-{job.fold + 1}"
    with Store(where) as store:
        store.begin(inside.what, {"versions": plan.versions()})
        store.keep_only(fitting(inside))
        order = file_order(inside)
        if any(place not in store.answers for place in order):
            tell(f"note: {name} within the training of fold {job.fold + 1}, kept in {where}")
        label = f"within fold {job.fold + 1}: "
        own = lambda of, needed: predictions(inside, of, needed, where)  # noqa: E731
        Work(store, inside, {}, own, label).finish(retry=False)
        store.finish(order)
        return {i: a.prediction for (said_by, i), a in store.answers.items() if said_by == name}


def planned(todo: Plan, job: Job, name: str) -> Plan:
    """Returns the plan of the run within a job's training, of one approach and those it needs."""
    asked = Request(
        approaches=(name,),
        tasks=todo.request.tasks,
        folds=min(FOLDS, len(relationships(job.train))),
        context_turns=todo.request.context_turns,
        settings=todo.request.settings,
    )
    said = todo.what["data"]
    inside = prepare(asked, Data(job.train, said["source"], said["digest"]))
    members = {n: a for n, a in inside.team.members.items() if n not in inside.team.floors}
    team = Team(members, (), {})
    what = plan.describe(
        asked,
        data={"source": said["source"], "digest": said["digest"]},
        conversations=job.train,
        team=team,
        split_into=inside.folds,
    )
    return replace(inside, team=team, what=what)
