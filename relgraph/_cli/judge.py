"""`relgraph judge`: the open answers of a finished run, graded by language models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from relgraph._cli._evaluating import read_data
from relgraph._cli._judging import judge_run, show_judged, tell_failures
from relgraph._cli._model_options import asking_options, judging_options
from relgraph._cli._options import data_options, task_option, without
from relgraph.stopping import ended_by_signals
from relgraph.terminal import printable_json


@click.command("judge")
@click.argument("run", type=click.Path(file_okay=False, exists=True, path_type=Path))
@data_options
@task_option
@judging_options
@without(asking_options, "model", "samples", "blocks", "answers", "tokenizer", "yes")
@click.option("--json", "as_json", is_flag=True, help="Print the grades as JSON.")
def judge_command(run: Path, **options: Any) -> int:
    """Grade the answers to ER and VP in the folder RUN by language models.

    Grades are kept in the run folder as they come: a judge who was stopped goes on when the same
    command is given again. The exit code is 1 when a grade could not be had, 130 after Ctrl-C.
    """
    from relgraph.evaluation.comparing.runs import cases_of, read_run, refuse_unlike
    from relgraph.spending import recorded

    if not options["judges"]:
        raise click.UsageError("no judge given. Name one with --judge, as openai:NAME.")
    data, _ = read_data(options)
    done = read_run(run)
    refuse_unlike([done], data, unfinished_too=False)
    view = done.what["settings"]["view"]
    shown = {**options, "mode": view["mode"], "addressee": view["addressee"]}
    shown |= {"protocol": done.protocol, "limit": None, "conversations": None, "context": None}
    wanted = set(options["tasks"])
    cases = {
        task: tuple(of.values())
        for task, of in cases_of([done], data).items()
        if task in wanted or "all" in wanted
    }
    answers = {name: said[0] for name, said in done.answers.items()}
    with ended_by_signals("the same command goes on where it stopped"), recorded(run):
        judged = judge_run(shown, run, cases, answers)
    if options["as_json"]:
        click.echo(printable_json(json.dumps(judged, ensure_ascii=False, indent=2)))
        return 1 if tell_failures(judged) else 0
    return 1 if show_judged(judged) else 0


COMMAND = judge_command
