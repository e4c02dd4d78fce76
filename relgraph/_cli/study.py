"""`relgraph study`: all approaches and controls, and the comparison they are there for."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relgraph._cli._comparing import recall_of, tell_missing, write_folder
from relgraph._cli._evaluating import read_data, request, show_scores, text_similarities
from relgraph._cli._judging import judge_run, show_judged, tell_failures
from relgraph._cli._model_options import judging_options, working_options
from relgraph._cli._options import (
    budget_options,
    data_options,
    details_option,
    folds_option,
    retry_option,
    task_option,
    text_options,
    view_options,
)
from relgraph._cli._paying import agree
from relgraph._cli.probe import probe_lines
from relgraph.stopping import ended_by_signals
from relgraph.terminal import one_line, printable_json, tell

if TYPE_CHECKING:
    from relgraph.evaluation.plan import Request
    from relgraph.evaluation.runner import Data, Plan, Run
    from relgraph.records import Case

    Cases = Mapping[str, Sequence[Case]]

APPROACHES = (
    "llm",
    "llm+graph",
    "llm+placebo",
    "llm+rules",
    "llm+gnn",
    "llm+text-head",
    "llm+prior",
    "llm-fewshot",
    "fusion",
    "fusion+text-head",
    "gnn",
    "text-head",
    "rules",
)
RUNS = Path("runs")
SECONDARY, SHORT_CONTEXT = "context-3", 3
PROBE, PROBED = "memorisation", 40


@click.command("study")
@click.option(
    "--approach",
    "approaches",
    multiple=True,
    metavar="NAME",
    help="Only these; may be given several times. The floors, and what they need, join them. "
    f"[default: {', '.join(APPROACHES)}]",
)
@task_option
@data_options
@view_options
@folds_option
@click.option(
    "--seeds",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Train what learns N times, with --seed and those after it, on the same folds.",
)
@click.option(
    "--secondary",
    is_flag=True,
    help=f"Run everything once more with {SHORT_CONTEXT} turns of context, and compare that too.",
)
@click.option(
    "--probe/--no-probe",
    "probe",
    default=True,
    help="Ask the model whether it knows the conversations by heart.",
)
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="Items each way of each comparison in comparison.txt, with prompts and answers.",
)
@working_options
@click.option(
    "--run",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Run folder; one that holds the same study is gone on with. [default: runs/study- and a "
    "name made of all that is asked, so that the same command resumes]",
)
@retry_option
@text_options
@judging_options
@budget_options
@details_option
@click.option("--json", "as_json", is_flag=True, help="Print all results as one JSON object.")
def study_command(**options: Any) -> int:
    """Run all approaches and controls on the six tasks, compare them, and probe the model.

    What `eval`, `compare` and `probe` do, by one command and into one folder. A study that was
    stopped, or killed, goes on when the same command is given again. The exit code is 1 when any
    item failed, 130 after Ctrl-C, as of `eval`.
    """
    from relgraph.spending import recorded

    data, is_rescue = read_data(options)
    asked = _request(options)
    arms = {"": asked}
    if options["secondary"]:
        arms[SECONDARY] = replace(asked, context_turns=SHORT_CONTEXT)
    plans = {name: _plans(of, data, options["seeds"]) for name, of in arms.items()}
    folder: Path = options["folder"] or RUNS / f"study-{plans[''][0].folder_name}"
    tell(f"run folder: {folder}")
    for name, of in plans.items():
        agree(
            of,
            folder / name,
            retry_failed=options["retry_failed"],
            yes=options["yes"],
            max_cost_usd=options["max_cost_usd"],
        )
    with ended_by_signals("the same command goes on where it stopped"), recorded(folder):
        done = {name: _run(of, folder / name, options) for name, of in plans.items()}
        cases, answers = plans[""][0].cases, done[""].answers
        judged = judge_run(options, folder, cases, answers) if options["judges"] else {}
        probed = _probe(options, asked, data, cases, folder)
    compared = _compare([folder / name for name in done], data, options)
    if compared:
        write_folder(compared, folder)
    results = {"run": str(folder), "scores": {n or "primary": r.scores for n, r in done.items()}}
    extra = {"judged": judged, "probe": probed, "comparison": compared}
    _show({**results, **{k: v for k, v in extra.items() if v}}, options, with_published=is_rescue)
    ungraded = tell_failures(judged) if options["as_json"] else show_judged(judged)
    failed = sum(of.failed for of in done.values())
    if failed:
        tell(f"failed: {failed} items; --retry-failed asks them again")
    return 1 if failed or ungraded else 0


def _request(options: Mapping[str, Any]) -> Request:
    """Returns what is asked for, without approaches that answer none of the tasks."""
    from relgraph.registry import load

    wanted = options["approaches"] or APPROACHES
    asked = request({**options, "approaches": wanted})
    idle = [n for n in wanted if not load("approach", n)(asked.setup).tasks & set(asked.tasks)]
    if idle and not options["approaches"]:
        tell(f"note: {', '.join(idle)} answer none of {', '.join(asked.tasks)}, and are left out")
        return replace(asked, approaches=tuple(n for n in asked.approaches if n not in idle))
    return asked


def _plans(asked: Request, data: Data, seeds: int) -> tuple[Plan, ...]:
    from relgraph.evaluation.seeds import prepare_seeds

    return prepare_seeds(asked, data, seeds=seeds)


def _run(plans: tuple[Plan, ...], folder: Path, options: Mapping[str, Any]) -> Run:
    from relgraph.evaluation.scores import Scoring
    from relgraph.evaluation.seeds import run_seeds

    texts, lacking = text_similarities(options)
    scoring = Scoring(texts=texts, lacking=lacking)
    return run_seeds(plans, folder, retry_failed=options["retry_failed"], scoring=scoring)


def _compare(folders: list[Path], data: Data, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the comparison; {} where no two approaches have answered the same."""
    from relgraph.errors import DataError
    from relgraph.evaluation.comparing.comparison import Asked, compare_runs

    recall = recall_of(options["calls"]) if options["examples"] else None
    asked = Asked(examples=options["examples"], seed=options["seed"], recall=recall)
    try:
        return compare_runs(folders, data, asked)
    except DataError as error:
        tell(f"note: no comparison: {error}")
        return {}


def _probe(
    options: Mapping[str, Any], asked: Request, data: Data, cases: Cases, folder: Path
) -> dict[str, Any]:
    """Returns what the probe finds; {} without one, or where it cannot be had."""
    from relgraph.errors import RelgraphError
    from relgraph.registry import load

    if not options["probe"]:
        return {}
    most = options["limit"] or PROBED
    try:
        found: dict[str, Any] = load("probe", PROBE)(
            asked.settings, data.conversations, cases, limit=most, folder=folder
        )
    except RelgraphError as error:
        tell(f"note: no probe, so what the model knows by heart is not known: {error}")
        return {}
    return found


def _show(results: Mapping[str, Any], options: Mapping[str, Any], *, with_published: bool) -> None:
    """Prints everything: tables, or one JSON object."""
    from relgraph.evaluation.comparing.tables import show_comparison

    compared = results.get("comparison")
    if compared:
        tell_missing(compared)
    if options["as_json"]:
        text = json.dumps(dict(results), indent=2, ensure_ascii=False, allow_nan=False)
        click.echo(printable_json(text))
        return
    for name, scores in results["scores"].items():
        if name == SECONDARY:
            click.echo(f"Secondary: {SHORT_CONTEXT} turns of context\n")
        published = with_published and name != SECONDARY
        show_scores(_without_pairs(scores), options, with_published=published)
    if compared:
        show_comparison(compared, sys.stdout, details=options["details"], examples=False)
    if "probe" in results:
        click.echo()
        for line in probe_lines(results["probe"]):
            click.echo(one_line(line))


def _without_pairs(scores: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the scores without differences of approaches from each other: `compare` has these.

    There they are told apart into primary and exploratory ones.
    """
    tasks = {
        name: {
            **task,
            "comparisons": [
                row for row in task["comparisons"] if task["approaches"][row["second"]]["floor"]
            ],
        }
        for name, task in scores["tasks"].items()
    }
    return {**scores, "tasks": tasks}


COMMAND = study_command
