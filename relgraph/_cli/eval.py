"""`relgraph eval`: approaches side by side on the six tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from relgraph._cli._evaluating import (
    read_data,
    read_others,
    request,
    show_scores,
    text_similarities,
)
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
from relgraph.stopping import ended_by_signals
from relgraph.terminal import tell

RUNS = Path("runs")


@click.command("eval")
@click.option(
    "--approach",
    "approaches",
    multiple=True,
    required=True,
    metavar="NAME",
    help="What to evaluate; may be given several times. The floors are always added.",
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
    help="Train what learns N times, with --seed and those after it, on the same folds; figures "
    "are means over the seeds, with their spread.",
)
@click.option(
    "--against",
    "others",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Predictions made elsewhere (docs/predictions.md), compared under the file's name; may "
    "be given several times.",
)
@click.option(
    "--checkpoint",
    type=click.Path(exists=True),
    help="Trained model to load instead of training by fold: a folder of train-gnn, or a weights "
    "file of train-rules; refused if it saw a tested conversation.",
)
@working_options
@click.option(
    "--run",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Run folder; one that holds the same run is gone on with. [default: runs/ and a name "
    "made of all that is asked, so that the same command resumes]",
)
@retry_option
@text_options
@judging_options
@budget_options
@details_option
@click.option("--json", "as_json", is_flag=True, help="Print the scores as JSON.")
def eval_(**options: Any) -> int:
    """Evaluate approaches on the six tasks and print one table a task.

    Answers are kept in the run folder as they come: a run that was stopped, or killed, goes on
    when the same command is given again. The exit code is 1 when any item failed, 130 after
    Ctrl-C: then answers on their way are waited for, a second Ctrl-C ends it at once.
    """
    from relgraph.evaluation.scores import Scoring
    from relgraph.evaluation.seeds import prepare_seeds, run_seeds
    from relgraph.spending import recorded

    data, is_rescue = read_data(options)
    plans = prepare_seeds(request(options), data, seeds=options["seeds"])
    others = read_others(options["others"], plans[0])
    folder: Path = options["folder"] or RUNS / plans[0].folder_name
    tell(f"run folder: {folder}")
    texts, lacking = text_similarities(options)
    agree(
        plans,
        folder,
        retry_failed=options["retry_failed"],
        yes=options["yes"],
        max_cost_usd=options["max_cost_usd"],
    )
    with ended_by_signals("the same command goes on where it stopped"), recorded(folder):
        done = run_seeds(
            plans,
            folder,
            retry_failed=options["retry_failed"],
            scoring=Scoring(texts=texts, lacking=lacking),
            others=others,
        )
        judged = (
            judge_run(options, folder, plans[0].cases, done.answers) if options["judges"] else {}
        )
    shown = {"run": str(folder), **done.scores, **({"judged": judged} if judged else {})}
    show_scores(shown, options, with_published=is_rescue)
    ungraded = tell_failures(judged) if options["as_json"] else show_judged(judged)
    if done.failed:
        tell(f"failed: {done.failed} items; --retry-failed asks them again")
    return 1 if done.failed or ungraded else 0


COMMAND = eval_
