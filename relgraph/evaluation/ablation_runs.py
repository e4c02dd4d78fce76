"""Runs the variants of an ablation, each as a run of its own; one that is finished stays so."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from math import isfinite
from pathlib import Path
from typing import Any

from relgraph.errors import DataError
from relgraph.evaluation.ablation_scores import Done, Said, task_scores
from relgraph.evaluation.ablations import VARIANTS, Variant, recipe_with, varied
from relgraph.evaluation.plan import Request
from relgraph.evaluation.runner import Data
from relgraph.evaluation.seeds import prepare_seeds, run_seeds
from relgraph.evaluation.store import SCORES, Store
from relgraph.evaluation.stripping import TRANSFORMS, Change, change
from relgraph.files import write_json
from relgraph.intervals import RESAMPLES
from relgraph.terminal import tell

FORMAT = "relgraph-ablations/1"
RESULT, PLOT, COSTS, RECIPES = "ablations.json", "ablations.svg", "costs.json", "recipes"
NOT_CAUSAL = "shows later descriptions at earlier turns: a test of a claim, not a performance"


def ablate(
    request: Request,
    data: Data,
    variants: Sequence[Variant],
    folder: Path,
    *,
    seeds: int = 1,
    retry_failed: bool = False,
    left_out: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Returns what `ablations.json` holds, and writes it; finished variants are not run again.

    Args:
        request: the reference, with one approach.
        data: the conversations; a variant's transform is applied to all of them, before folds.
        variants: what to run, each after what it is compared with.
        folder: holds a run folder for each variant.
        seeds: how often what learns is trained.
        retry_failed: asks failed items again.
        left_out: variants that cannot be run, with the reason; noted in the result.

    Raises:
        DataError: the folder holds something else, or there is nothing to test.
        RelgraphError: a run folder holds another run or is in use.
    """
    _refuse_foreign(folder)
    done = []
    for number, variant in enumerate(variants, start=1):
        tell(f"variant {number} of {len(variants)}: {variant.name}")
        done.append(_run(request, data, variant, folder, seeds=seeds, retry_failed=retry_failed))
    result = {
        "format": FORMAT,
        **_what(request, data, seeds),
        "variants": {d.variant.name: _described(d, _costs(folder)) for d in done},
        "left_out": dict(left_out or {}),
        "tasks": {
            task: found for task in request.tasks if (found := task_scores(task, done, request))
        },
    }
    write_json(folder / RESULT, result)
    return result


def _run(
    request: Request,
    data: Data,
    variant: Variant,
    folder: Path,
    *,
    seeds: int,
    retry_failed: bool,
) -> Done:
    """Returns a finished variant; its run folder and its recipe file are in `folder`."""
    data, changed = _transformed(data, variant, request.settings.seed)
    recipe = request.settings.recipe
    if variant.recipe:
        place = folder / RECIPES / f"{variant.name}.json"
        write_json(place, recipe_with(variant.recipe, recipe))
        recipe = str(place)
    plans = prepare_seeds(varied(request, variant, recipe), data, seeds=seeds)
    home = folder / variant.name
    again = [home / f"seed-{todo.seed}" for todo in plans[1:]]
    finished = all((of / SCORES).is_file() for of in (home, *again)) and not retry_failed
    with _timed(folder, variant.name, counts=not finished):
        run = run_seeds(plans, home, retry_failed=retry_failed)
    approach = request.approaches[0]
    said = (run.answers[approach], *(_kept(of, approach) for of in again))
    return Done(variant, plans[0].cases, run.scores, said, run.failed, changed)


def _transformed(data: Data, variant: Variant, seed: int) -> tuple[Data, Change | None]:
    """Returns the data of a variant; the digest is of what the transform made of it."""
    if not variant.transform:
        return data, None
    transform = TRANSFORMS[variant.transform]
    after = tuple(transform(c, seed) for c in data.conversations)
    changed = change(data.conversations, after)
    digest = f"{data.digest} {variant.transform} {changed.digest}"
    return replace(data, conversations=after, digest=digest), changed


def _kept(folder: Path, approach: str) -> Said:
    with Store(folder) as store:
        answers = store.answers.items()
    return {instance: a.prediction for (name, instance), a in answers if name == approach}


@contextmanager
def _timed(folder: Path, name: str, *, counts: bool) -> Iterator[None]:
    """Adds what a variant takes of CPU seconds to those it took before it was stopped."""
    began = time.process_time()
    try:
        yield
    finally:
        if counts:
            costs = _costs(folder)
            costs[name] = round(costs.get(name, 0.0) + time.process_time() - began, 3)
            write_json(folder / COSTS, costs)


def _costs(folder: Path) -> dict[str, float]:
    """Returns the CPU seconds of each variant; a file that cannot be read says nothing."""
    try:
        found = json.loads((folder / COSTS).read_text(encoding="utf-8"))
        costs = {v.name: float(found[v.name]) for v in VARIANTS if v.name in found}
        return {name: cpu_s for name, cpu_s in costs.items() if isfinite(cpu_s)}
    except (OSError, ValueError, LookupError, TypeError, OverflowError, RecursionError):
        return {}


def _refuse_foreign(folder: Path) -> None:
    """Refuses a folder that holds something else than variants, or is a file."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise DataError(f"{folder}: is a file; a folder was wanted. Give -o another name.")
    ours = {RESULT, PLOT, COSTS, RECIPES, *(v.name for v in VARIANTS)}
    names = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    foreign = [name for name in names if name not in ours]
    if foreign:
        raise DataError(
            f"{folder}: holds {foreign[0]!r}, so it is no folder of an ablation. "
            "Give -o another name."
        )


def _what(request: Request, data: Data, seeds: int) -> dict[str, Any]:
    return {
        "approach": request.approaches[0],
        "protocol": request.settings.view.protocol,
        "data": {"source": Path(data.source).name, "digest": data.digest},
        "folds": request.folds,
        "seed": request.settings.seed,
        "seeds": seeds,
        "rule_edges": request.settings.rule_edges,
        "intervals": f"95%, {RESAMPLES} bootstrap resamples of relationships, "
        f"seed {request.settings.seed}",
    }


def _described(done: Done, costs: Mapping[str, float]) -> dict[str, Any]:
    v = done.variant
    row: dict[str, Any] = {
        "question": v.question,
        "changes": v.changes,
        "against": v.against,
        "mode": v.mode,
        "causal": v.causal,
        "cpu_s": costs.get(v.name),
        "failed": done.failed,
    }
    if not v.causal:
        row["note"] = NOT_CAUSAL
    if done.change:
        row["descriptions"] = asdict(done.change)
    return row
