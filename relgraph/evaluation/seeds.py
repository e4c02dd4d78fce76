"""One evaluation with several training seeds: the same folds, and what learns trained anew.

The first seed is a run like any other. Each further one is a run of its own in a folder within it,
of the approaches that learn alone; so all that makes a run resumable holds for each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from relgraph.evaluation import plan
from relgraph.evaluation.plan import Request, Team
from relgraph.evaluation.runner import Data, Plan, Run, prepare, run
from relgraph.evaluation.scores import Scoring, score
from relgraph.evaluation.store import Store
from relgraph.records import Prediction
from relgraph.terminal import tell


def prepare_seeds(request: Request, data: Data, *, seeds: int) -> tuple[Plan, ...]:
    """Returns a plan for each training seed, from the request's own on, all with its folds.

    The first is that of the request; the others hold what learns. There is only the first one
    where nothing that was asked for learns.

    Raises:
        DataError: there is nothing to test.
        RelgraphError: approaches or folds cannot be as asked.
    """
    first = prepare(request, data)
    learners = [name for name, a in first.team.members.items() if a.learns]
    if seeds > 1 and set(learners) <= set(first.team.floors) - set(request.approaches):
        tell("note: nothing that was asked for learns; it runs once, whatever --seeds says")
        seeds = 1
    return (first, *(_again(first, request, data, k) for k in range(1, seeds)))


def _again(first: Plan, request: Request, data: Data, step: int) -> Plan:
    """Returns the plan of a further seed: `step` more, the folds of the first, what learns."""
    seed = request.settings.seed + step
    again = replace(request, settings=replace(request.settings, seed=seed))
    team = plan.assemble(again, data.conversations)
    members = {name: a for name, a in team.members.items() if a.learns}
    team = Team(members, tuple(n for n in team.floors if n in members), {})
    what = plan.describe(
        again,
        data={name: first.what["data"][name] for name in ("source", "digest")},
        conversations=data.conversations,
        team=team,
        split_into=first.folds,
    )
    return replace(first, what=what, request=again, team=team, seed=seed)


def run_seeds(
    plans: Sequence[Plan],
    folder: Path,
    *,
    retry_failed: bool = False,
    scoring: Scoring | None = None,
    others: Mapping[str, Mapping[str, Prediction]] | None = None,
) -> Run:
    """Returns the finished run of all seeds; `scores.json` of `folder` is over all of them.

    The answers are those of the first seed; `failed` counts the items of all of them. Further
    seeds are in `seed-N` within `folder`.

    Args:
        plans: as `prepare_seeds` gives them.
        folder: the run folder of the first seed.
        retry_failed: asks failed items again.
        scoring: similarities of phrases to score with.
        others: predictions made elsewhere, by name; they are scored beside the run's own.

    Raises:
        RelgraphError: a folder holds another run or is in use.
        LeakError: an approach was trained on what it is tested on.
    """
    first, *further = plans
    done = run(first, folder, retry_failed=retry_failed, scoring=scoring)
    again = [
        run(
            todo,
            folder / f"seed-{todo.seed}",
            retry_failed=retry_failed,
            scoring=scoring,
            given=done.answers,
        )
        for todo in further
    ]
    if not again and not others:
        return done
    how = replace(scoring or Scoring(), floors=first.team.floors, seed=first.seed)
    scores = {
        "protocol": first.what["protocol"],
        **score(
            first.cases,
            {**done.answers, **(others or {})},
            how,
            repeats=[a.answers for a in again],
        ),
    }
    with Store(folder) as store:
        store.keep_scores(scores)
    return replace(done, scores=scores, failed=done.failed + sum(a.failed for a in again))
