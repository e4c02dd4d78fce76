"""`relgraph curve`: how well approaches do after fewer training relationships."""

from __future__ import annotations

import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from relgraph._cli._evaluating import read_data, request
from relgraph._cli._options import (
    data_options,
    epoch_options,
    learning_options,
    rule_edge_options,
    rule_options,
    task_option,
    view_options,
)
from relgraph.terminal import printable_json, tell

ALL = "all"
SIZE = re.compile(r"[1-9][0-9]{0,5}")


def _sizes(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int | None, ...]:
    del ctx, param
    words = [word.strip() for word in value.split(",")]
    if strange := [word for word in words if word != ALL and not SIZE.fullmatch(word)]:
        raise click.BadParameter(
            f"got {strange[0]!r}, wanted whole numbers from 1 on and `all`, as in 4,8,12,all"
        )
    numbers = sorted({int(word) for word in words if word != ALL})
    return (*numbers, *((None,) if ALL in words else ()))


@click.command("curve")
@click.option(
    "--approach",
    "approaches",
    multiple=True,
    required=True,
    metavar="NAME",
    help="What to train, something that learns; may be given several times.",
)
@task_option
@data_options
@view_options
@click.option(
    "--sizes",
    default="4,8,12,all",
    show_default=True,
    callback=_sizes,
    metavar="N,N,...",
    help="Training relationships of each fold; a larger choice holds the smaller ones.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Choices of each size; figures are means over them.",
)
@click.option(
    "--folds",
    type=click.IntRange(min=2),
    default=5,
    show_default=True,
    help="Folds by relationship; what is tested is the same at every size.",
)
@learning_options
@epoch_options
@rule_options
@rule_edge_options
@click.option(
    "-o",
    "--run",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of the runs, curve.json and curve.svg; one that holds the same curve is gone on "
    "with. [default: runs/ and a name made of all that is asked but --sizes and --draws]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the curve as JSON.")
def curve(**options: Any) -> int:
    """Train on fewer relationships and print how each task's first metric grows with them.

    Each size is a run in a folder of its own: a curve that was stopped, or killed, goes on when
    the same command is given again. From three sizes on, a power law says what more relationships
    may bring: an extrapolation from few points. The exit code is 1 when any item failed.
    """
    from relgraph.evaluation.curve import prepare_curve, run_curve
    from relgraph.files import write_json
    from relgraph.report.curve import draw, show

    data, _ = read_data(options)
    todo = prepare_curve(request(options), data, sizes=options["sizes"], draws=options["draws"])
    folder: Path = options["folder"] or Path("runs") / f"curve-{todo.base.folder_name}"
    tell(f"curve folder: {folder}")
    found = run_curve(todo, folder)
    write_json(folder / "curve.json", found)
    if find_spec("matplotlib") is None:
        tell("note: no plot, matplotlib is not installed: pip install 'relgraph[plots]'")
    else:
        draw(found, folder / "curve.svg")
    if options["as_json"]:
        text = json.dumps({"folder": str(folder), **found}, indent=2, allow_nan=False)
        click.echo(printable_json(text))
    else:
        show(found, sys.stdout)
    return 1 if _any_failed(found) else 0


def _any_failed(found: dict[str, Any]) -> bool:
    return any(
        point["coverage"] < 1
        for task in found["tasks"].values()
        for of in task["approaches"].values()
        for point in of["points"]
    )


COMMAND = curve
