"""`relgraph ablate`: what each part of an approach's input and training is worth."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from relgraph._cli._evaluating import read_data, request
from relgraph._cli._options import (
    cut_options,
    data_options,
    epoch_options,
    folds_option,
    instance_options,
    learning_options,
    retry_option,
    rule_edge_options,
    rule_options,
)
from relgraph.errors import MissingPackageError
from relgraph.terminal import printable_json, tell


def _list(context: click.Context, _: click.Parameter, asked: bool) -> None:
    """Prints the variants and ends, before anything else is asked for."""
    if not asked or context.resilient_parsing:
        return
    from relgraph.evaluation.ablation_table import show_variants
    from relgraph.evaluation.ablations import VARIANTS

    show_variants(VARIANTS, sys.stdout)
    context.exit()


@click.command("ablate")
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list,
    help="Print the variants and the question that each answers.",
)
@data_options
@click.option(
    "--approach", default="gnn", show_default=True, metavar="NAME", help="What is ablated."
)
@click.option(
    "--variant",
    "variants",
    multiple=True,
    metavar="NAME",
    help="What to leave out or change; may be given several times. What it is compared with joins "
    "it. [default: all that the data allows]",
)
@click.option(
    "--task",
    "tasks",
    multiple=True,
    default=("rpp", "ssp", "stp", "itp"),
    show_default=True,
    metavar="TASK",
    help="er, itp, rpp, ssp, stp, vp or all; may be given several times.",
)
@click.option(
    "-o",
    "--out",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="Folder of the ablation: a run folder for each variant, ablations.json, ablations.svg. "
    "One that was begun with the same command is gone on with.",
)
@cut_options
@instance_options
@folds_option
@click.option(
    "--seeds",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Train what learns N times, with --seed and those after it, on the same folds.",
)
@learning_options
@epoch_options
@rule_options
@rule_edge_options
@retry_option
@click.option("--json", "as_json", is_flag=True, help="Print the content of ablations.json.")
def ablate_(**options: Any) -> int:
    """Evaluate an approach with parts of its input or training left out or changed.

    Each variant is evaluated like any approach, and compared with what it differs from in one
    thing, on the same instances. An ablation that was stopped, or killed, goes on when the same
    command is given again. The exit code is 1 when any item failed.
    """
    from relgraph.evaluation.ablation_runs import PLOT, ablate
    from relgraph.evaluation.ablation_table import show_ablations
    from relgraph.evaluation.ablations import chosen

    folder: Path = options["folder"]
    data, _ = read_data(options)
    variants, left_out = chosen(
        options["variants"], data.conversations, rule_edges=options["rule_edges"]
    )
    given = {
        **options,
        "approaches": (options["approach"],),
        "mode": "dialogue",
        "addressee": "given",
    }
    result = ablate(
        request(given),
        data,
        variants,
        folder,
        seeds=options["seeds"],
        retry_failed=options["retry_failed"],
        left_out=left_out,
    )
    _plot(result, folder / PLOT)
    if options["as_json"]:
        text = json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False)
        click.echo(printable_json(text))
    else:
        show_ablations(result, sys.stdout)
    failed = sum(v["failed"] for v in result["variants"].values())
    if failed:
        tell(f"failed: {failed} items; --retry-failed asks them again")
    return 1 if failed else 0


def _plot(result: Mapping[str, Any], path: Path) -> None:
    from relgraph.report.ablation import plot_ablations

    try:
        if plot_ablations(result, path):
            tell(f"plot: {path}")
    except MissingPackageError as error:
        tell(f"note: {error}")


COMMAND = ablate_
