"""`relgraph score`: scores predictions that were made elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from relgraph._cli._evaluating import read_data, request, show_scores, text_similarities
from relgraph._cli._options import (
    data_options,
    details_option,
    task_option,
    text_options,
    view_options,
)
from relgraph.terminal import tell


@click.command("score")
@click.argument("file", type=click.Path(path_type=Path))
@task_option
@data_options
@view_options
@text_options
@details_option
@click.option("--json", "as_json", is_flag=True, help="Print the scores as JSON.")
def score_(file: Path, **options: Any) -> int:
    """Score the predictions in FILE, JSON lines as in docs/predictions.md, beside the floors.

    Give the options that the instances were exported with. A task that FILE has no prediction for
    is left out; an instance without one counts as failed, and the exit code is then 1.
    """
    from dataclasses import replace
    from tempfile import TemporaryDirectory

    from relgraph.evaluation.predictions import answered_tasks
    from relgraph.evaluation.runner import prepare, run
    from relgraph.evaluation.scores import Scoring, score

    data, is_rescue = read_data(options)
    todo = prepare(request(options), data)
    cases, theirs = answered_tasks(file, todo.cases)
    for task in sorted(set(todo.cases) - set(cases)):
        tell(f"note: {file} has no prediction for task {task}; it is left out")
    if file.name in todo.team.members:
        raise click.UsageError(f"{file}: has the name of a floor; give the file another name.")
    todo = replace(todo, cases=cases)
    texts, lacking = text_similarities(options)
    with TemporaryDirectory() as folder:
        floors = run(todo, Path(folder)).answers
    scoring = Scoring(floors=todo.team.floors, texts=texts, lacking=lacking)
    scores = score(cases, {**floors, file.name: theirs}, scoring)
    shown = {"file": str(file), "protocol": options["protocol"], **scores}
    show_scores(shown, options, with_published=is_rescue)
    failed = sum(bool(theirs[c.instance.id].failure) for of in cases.values() for c in of)
    if failed:
        tell(f"failed: {failed} instances have no answer in {file}")
    return 1 if failed else 0


COMMAND = score_
