"""The whole comparison of one or several runs, as a JSON object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from relgraph.errors import DataError
from relgraph.evaluation.comparing.arms import Arm, arms_of
from relgraph.evaluation.comparing.contrasts import (
    FIXED_BEFOREHAND,
    PRIMARY,
    PRIMARY_TASKS,
    Contrast,
    contrasts_of,
    fixed_beforehand,
)
from relgraph.evaluation.comparing.copying import copying
from relgraph.evaluation.comparing.examples import Recall, examples
from relgraph.evaluation.comparing.pairs import Pair, difference, measured, pair
from relgraph.evaluation.comparing.power import power_of
from relgraph.evaluation.comparing.runs import (
    Recorded,
    cases_of,
    differences,
    read_run,
    refuse_unlike,
)
from relgraph.evaluation.comparing.strata import strata
from relgraph.evaluation.metrics import LOWER_IS_BETTER, PERCENT, measures
from relgraph.evaluation.scores import DESCRIPTIVE_BELOW, Seeds, items_of, relationships_of
from relgraph.intervals import RESAMPLES, holm
from relgraph.records import Case
from relgraph.registry import load

if TYPE_CHECKING:
    from relgraph.evaluation.runner import Data

COMPARISON = "comparison.json"
Cases = Mapping[str, Mapping[str, Case]]


@dataclass(frozen=True, slots=True)
class Asked:
    """What of the runs to compare.

    Attributes:
        pairs: names of arms, first minus second; by default those of `contrasts.contrasts_of`.
        base: name of an arm that all others are compared with.
        tasks: names; all that the runs have by default.
        examples: items to show each way.
        unfinished: whether runs that are not finished are compared as far as they are.
        seed: of resamples and flips.
        recall: gives the prompt and reply of a call.
    """

    pairs: tuple[tuple[str, str], ...] = ()
    base: str = ""
    tasks: tuple[str, ...] = ()
    examples: int = 0
    unfinished: bool = False
    seed: int = 0
    recall: Recall | None = None


def compare_runs(folders: Sequence[Path], data: Data, asked: Asked) -> dict[str, Any]:
    """Returns the comparison, ready for JSON.

    Args:
        folders: run folders, one or more.
        data: what the runs were made on.
        asked: what to compare.

    Raises:
        DataError: a folder is no run or not a finished one, the runs are of other data or of
            several protocols, or no two arms have an instance in common.
        UnknownNameError: there is no arm of a name.
    """
    runs = [read_run(folder) for folder in folders]
    refuse_unlike(runs, data, unfinished_too=asked.unfinished)
    every = cases_of(runs, data)
    cases = {n: of for n, of in every.items() if not asked.tasks or n in asked.tasks}
    arms = arms_of(runs)
    contrasts = contrasts_of(arms, pairs=asked.pairs, base=asked.base)
    rows = [
        row for c in contrasts for name, of in cases.items() for row in _row(c, name, of, asked)
    ]
    if not rows:
        raise DataError(
            "the compared sides have no answered instance in common: "
            + "; ".join(f"{c.first.name} and {c.second.name}" for c in contrasts[:5])
            + ". Run them on the same tasks and instances (--task, --limit, --conversations)."
        )
    unshown = list(_unshown(rows, arms, every, seed=asked.seed))
    _correct(rows, unshown)
    return {
        "format": 1,
        "protocol": runs[0].protocol,
        "data": dict(runs[0].what["data"]),
        "runs": [_run(run) for run in runs],
        "differences": differences(runs),
        "intervals": f"95%, {RESAMPLES} bootstrap resamples of relationships, seed {asked.seed}",
        "primary": {
            "contrasts": [list(names) for names in PRIMARY],
            "tasks": list(PRIMARY_TASKS),
            "fixed": FIXED_BEFOREHAND,
            "present": sum(row["primary"] and row["p"] is not None for row in rows) + len(unshown),
        },
        "tasks": {
            name: {
                "title": load("task", name).title,
                "arms": _arms(name, of, arms),
                "copying": copying(load("task", name), of, list(arms.values()), seed=asked.seed),
            }
            for name, of in cases.items()
        },
        "contrasts": [{k: v for k, v in row.items() if k != "pair"} for row in rows],
    }


def _run(run: Recorded) -> dict[str, Any]:
    settings = run.what["settings"]
    return {
        "folder": str(run.folder),
        "model": settings.get("model", ""),
        "context_turns": settings["view"]["context_turns"],
        "mode": settings["view"]["mode"],
        "seeds": max((len(of) for of in run.answers.values()), default=0),
        "unfinished": run.open,
        "approaches": [name for name in run.what["approaches"] if name in run.answers],
    }


def _arms(task: str, cases: Mapping[str, Case], arms: Mapping[str, Arm]) -> dict[str, Any]:
    """Returns what each arm reaches on all that it was asked, and what its answers took."""
    found = {}
    for name, arm in arms.items():
        of = [case for i, case in cases.items() if all(i in said for said in arm.seeds)]
        if of:
            found[name] = _arm(task, arm, of)
    return found


def _arm(task: str, arm: Arm, of: Sequence[Case]) -> dict[str, Any]:
    answer, clusters = load("task", task).answer, len(relationships_of(of))
    seeds = [items_of(of, said) for said in arm.seeds]
    first = [
        next(iter(measures(items, answer=answer, clusters=clusters).items()), ("", None))
        for items in seeds
    ]
    values = [np.nan if m is None else float(m.at(np.ones(clusters))) for _, m in first]
    value = float(np.mean(values))
    everything = [item.prediction for items in seeds for item in items]
    count = len(everything)
    return {
        "approach": arm.approach,
        "run": arm.run,
        "floor": arm.floor,
        "seeds": len(seeds),
        "n": len(of),
        "coverage": 1 - sum(bool(p.failure) for p in everything) / count,
        "metric": first[0][0],
        "percent": first[0][0] in PERCENT,
        "value": value if np.isfinite(value) else None,
        "prompt_tokens": sum(p.cost.prompt_tokens for p in everything) / count,
        "answer_tokens": sum(p.cost.answer_tokens for p in everything) / count,
        "time_s": sum(p.cost.time_s for p in everything) / count,
        "cost_usd": sum(p.cost.cost_usd for p in everything),
    }


def _row(c: Contrast, name: str, cases: Mapping[str, Case], asked: Asked) -> list[dict[str, Any]]:
    """Returns the comparison on one task, none where the arms have nothing in common there."""
    common = pair(load("task", name), cases, c.first, c.second)
    of = common.answered
    found = difference(of, seed=asked.seed) if len(of) else None
    if found is None:
        return []
    failed = common.failed()
    row = {
        "task": name,
        "first": c.first.name,
        "second": c.second.name,
        "primary": c.is_primary(name),
        "percent": found["metric"] in PERCENT,
        "lower_is_better": found["metric"] in LOWER_IS_BETTER,
        **found,
        "descriptive": found["relationships"] < DESCRIPTIVE_BELOW,
        "seeds": max(len(of.first), len(of.second)),
        "left_out": {
            "only_first": common.only_first,
            "only_second": common.only_second,
            "first_failed": failed[0],
            "second_failed": failed[1],
            "either_failed": len(common) - len(of),
        },
        "prompt_tokens": [_tokens(side) for side in (of.first, of.second)],
        "pair": of,
    }
    if any(failed):
        row["failures_as_wrong"] = difference(common, seed=asked.seed, failures_wrong=True)
    row["other_metrics"] = _others(of)
    row |= strata(of, seed=asked.seed)
    if asked.examples:
        row["examples"] = examples(of, most=asked.examples, recall=asked.recall)
    return [row]


def _tokens(seeds: Seeds) -> float:
    """Returns the mean tokens of the prompts for one answer."""
    spent = [item.prediction.cost.prompt_tokens for items in seeds for item in items]
    return sum(spent) / len(spent)


def _others(of: Pair) -> dict[str, dict[str, float]]:
    """Returns the metrics after the first: both values and their difference, without a test."""
    ones = np.ones(of.clusters)
    found = {}
    for name, (one, other) in list(measured(of).items())[1:]:
        first, second = float(one.at(ones)), float(other.at(ones))
        if np.isfinite(first) and np.isfinite(second):
            found[name] = {
                "first_value": first,
                "second_value": second,
                "difference": first - second,
            }
    return found


def _unshown(
    rows: Sequence[Mapping[str, Any]], arms: Mapping[str, Arm], every: Cases, *, seed: int
) -> Iterator[float]:
    """Yields the p-values of primary comparisons that the runs have and that were not asked for.

    They count for Holm: what a reader looks at must not decide how strict the test is.
    """
    shown = {(row["task"], row["first"], row["second"]) for row in rows}
    for c in fixed_beforehand(arms):
        for name, cases in every.items():
            if c.is_primary(name) and (name, c.first.name, c.second.name) not in shown:
                of = pair(load("task", name), cases, c.first, c.second).answered
                found = difference(of, seed=seed) if len(of) else None
                if found is not None and found["p"] is not None:
                    yield found["p"]


def _correct(rows: Sequence[dict[str, Any]], unshown: Sequence[float]) -> None:
    """Gives each row its power line, and the primary ones their p-values after Holm."""
    primary = [row for row in rows if row["primary"] and row["p"] is not None]
    tests = len(primary) + len(unshown)
    corrected = iter(holm([*(row["p"] for row in primary), *unshown]))
    for row in rows:
        is_tested = row["primary"] and row["p"] is not None
        row["p_holm"] = next(corrected) if is_tested else None
        of: Pair = row["pair"]
        one, other = next(iter(measured(of).values()))
        row["power"] = power_of(
            one,
            other,
            of.clusters,
            difference=row["difference"],
            tests=tests if row["primary"] else 1,
        )
