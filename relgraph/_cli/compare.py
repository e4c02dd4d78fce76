"""`relgraph compare`: approaches of finished runs against each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relgraph._cli._comparing import recall_of, show, write_folder
from relgraph._cli._evaluating import read_data
from relgraph._cli._options import data_options, spare, task_option

if TYPE_CHECKING:
    from collections.abc import Sequence


def _pairs(
    context: click.Context, option: click.Parameter, values: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Returns the two names of each pair.

    Raises:
        BadParameter: a pair does not name two sides.
    """
    del context, option
    found = []
    for value in values:
        first, colon, second = (part.strip() for part in value.partition(":"))
        if not first or not colon or not second or ":" in second:
            raise click.BadParameter(f"got {value!r}, wanted two names as in llm+graph:llm")
        found.append((first, second))
    return tuple(found)


@click.command("compare")
@click.argument(
    "runs",
    nargs=-1,
    required=True,
    metavar="RUN...",
    type=click.Path(file_okay=False, path_type=Path),
)
@data_options
@task_option
@click.option(
    "--pair",
    "pairs",
    multiple=True,
    callback=_pairs,
    metavar="A:B",
    help="Compare A minus B, approaches of the runs; may be given several times. One that several "
    "runs have is called by its run's number too, as llm@2. [default: the contrasts fixed "
    "beforehand, and all with llm]",
)
@click.option(
    "--base", default="", metavar="NAME", help="Compare all approaches with this one instead."
)
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Show N items each way of each comparison, with prompts and answers where the call cache "
    "has them.",
)
@click.option(
    "--calls",
    default="",
    metavar="FILE",
    help="Call cache that the runs were asked through. [default: RELGRAPH_CALLS, else the one in "
    "the user's cache folder]",
)
@click.option(
    "--unfinished", is_flag=True, help="Compare what unfinished runs have answered so far."
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Of the resamples and sign flips.",
)
@click.option(
    "--details",
    is_flag=True,
    help="Print the differences in parts too: by scenario, gold class and number of the turn.",
)
@click.option(
    "-o",
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write comparison.json, .txt, .tex and, where matplotlib is, .svg there.",
)
@click.option(
    "--latex",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the table for LaTeX.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the plot: .svg, .png or .pdf.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def compare_command(runs: tuple[Path, ...], **options: Any) -> None:
    """Compare approaches of finished runs on the instances that both answered.

    RUN is a run folder of `eval`. Two contrasts are primary, fixed beforehand on RPP, STP and SSP:
    llm+graph against llm+placebo, and llm+gnn against llm+text-head; all else is exploratory, and
    labelled so.
    """
    from relgraph.evaluation.comparing.comparison import Asked, compare_runs
    from relgraph.evaluation.plan import known_tasks
    from relgraph.files import write_text
    from relgraph.report.compare import format_of, plot_comparison
    from relgraph.report.latex import latex_table

    if len({run.resolve() for run in runs}) < len(runs):
        raise click.UsageError("a run is given twice; name each once.")
    if options["plot"]:
        format_of(options["plot"])
    for out in (options["latex"], options["plot"]):
        if out:
            spare(out, *runs, options["data"])
    data, _ = read_data(options)
    asked = Asked(
        pairs=options["pairs"],
        base=options["base"],
        tasks=known_tasks(options["tasks"]),
        examples=options["examples"],
        unfinished=options["unfinished"],
        seed=options["seed"],
        recall=recall_of(options["calls"]) if options["examples"] else None,
    )
    found = compare_runs(runs, data, asked)
    if options["folder"]:
        write_folder(found, options["folder"])
    if options["latex"]:
        write_text(options["latex"], latex_table(found))
    if options["plot"]:
        plot_comparison(found, options["plot"])
    show(found, as_json=options["as_json"], details=options["details"])


COMMAND = compare_command
