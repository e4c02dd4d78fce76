"""`relgraph instances`: what is to be answered, without the answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from relgraph._cli._evaluating import read_data, request
from relgraph._cli._options import data_options, spare, task_option, view_options
from relgraph.terminal import printable_json, tell


@click.command("instances")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write; without it the lines go to stdout.",
)
@task_option
@data_options
@view_options
def instances(output: Path | None, **options: Any) -> None:
    """Write the instances of the tasks as JSON lines, for an approach outside of relgraph.

    Each line holds what may be known of one instance, and never its answer. `relgraph score`
    scores the predictions; docs/predictions.md has both forms.
    """
    import json

    from relgraph.evaluation.plan import select
    from relgraph.evaluation.predictions import instance_row, write_instances

    if output is not None:
        spare(output, options["data"])
    data, _ = read_data(options)
    cases = [c for of in select(data.conversations, request(options)).values() for c in of]
    if output is None:
        for case in cases:
            row = instance_row(case.instance, protocol=options["protocol"])
            click.echo(printable_json(json.dumps(row, ensure_ascii=False)))
        return
    count = write_instances(output, cases, protocol=options["protocol"])
    tell(f"{count} instances written to {output}")


COMMAND = instances
