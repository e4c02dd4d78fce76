"""`relgraph probe`: what a model may remember of the material."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import click

from relgraph._cli._evaluating import read_data, request
from relgraph._cli._model_options import asking_options
from relgraph._cli._options import (
    budget_options,
    data_options,
    learning_options,
    shown_options,
    task_option,
    without,
)
from relgraph.errors import RelgraphError
from relgraph.terminal import one_line, printable_json, tell

RUNS = Path("runs")
LIMIT = 40


@click.command("probe")
@task_option
@data_options
@shown_options
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=LIMIT,
    show_default=True,
    metavar="N",
    help="Most next turns to be said by heart, and most questions of each task.",
)
@without(asking_options, "yes")
@learning_options
@budget_options
@click.option(
    "--run",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder for probe.json. [default: runs/ and a name made of model and data]",
)
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def probe_command(**options: Any) -> None:
    """Look for what a model remembers of the conversations that it is tested on.

    The model is asked to say next turns word for word, and to answer the questions of closed tasks
    with the original names and with invented ones. What was answered is kept in the call cache, so
    a probe that was stopped goes on. Finding nothing proves nothing: see docs/probe.md.
    """
    from relgraph.evaluation.plan import select
    from relgraph.registry import load
    from relgraph.spending import recorded

    options = {"protocol": "strict", "conversations": None, "context": None, **options}
    data, _ = read_data(options)
    asked = request(options)
    cases = select(data.conversations, asked)
    folder: Path = options["folder"] or RUNS / _name(options, data.digest)
    tell(f"folder: {folder}")
    existed = folder.is_dir()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with recorded(folder):
            found = load("probe", "memorisation")(
                asked.settings, data.conversations, cases, limit=options["limit"], folder=folder
            )
    except RelgraphError:
        if not existed:
            with suppress(OSError):
                folder.rmdir()
        raise
    if options["as_json"]:
        click.echo(printable_json(json.dumps(found, ensure_ascii=False, indent=2)))
        return
    for line in probe_lines(found):
        click.echo(one_line(line))


def _name(options: Mapping[str, Any], digest: str) -> str:
    of = sorted(
        (key, repr(value)) for key, value in options.items() if key not in ("folder", "as_json")
    )
    return f"probe-{sha256(repr((of, digest)).encode()).hexdigest()[:12]}"


def probe_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yields what a probe found as lines of text."""
    said = found["completion"]
    yield f"Probe: what {found['model']} may remember"
    yield ""
    yield f"Next turns said by heart ({said['answered']} of {said['asked']} answered)"
    yield f"  near-verbatim               {_rare(said['near_verbatim'])}"
    yield f"  the same with another turn  {_rare(said['near_verbatim_other'])}"
    yield f"  ROUGE-L                     {_share(said['rouge_l'])}"
    yield f"  over another conversation   {_signed(said['over_other'])}"
    yield f"  over a later turn           {_signed(said['over_later'])}"
    yield f"  longest row of equal words  {said['longest_run'] if said['answered'] else '-'}"
    for cause, count in said["failures"].items():
        yield f"  failed: {count} time{'s' if count != 1 else ''}, {cause}"
    yield ""
    if found["renaming_left_out"]:
        yield f"Other names: {found['renaming_left_out']}"
    for task, of in found["renaming"].items():
        yield f"Other names, {task} ({of['answered']} of {of['asked']} answered)"
        yield f"  accuracy, original names    {_share(of['accuracy_original'])}"
        yield f"  accuracy, invented names    {_share(of['accuracy_renamed'])}"
        yield f"  difference                  {_signed(of['difference'])}"
        yield f"  answers that flip           {_share(of['flips'])}"
        yield f"  between two inventions      {_share(of['flips_between_renamings'])}"
    yield ""
    yield f"Verdict: {found['verdict']}"
    if found["notice"]:
        yield f"Note: {found['notice']}"


def _share(of: Mapping[str, Any]) -> str:
    if of["value"] is None:
        return "-"
    return f"{100 * of['value']:.1f}{_ends(of)}"


def _signed(of: Mapping[str, Any]) -> str:
    if of["value"] is None:
        return "-"
    p = "" if of["p"] is None else f", p {of['p']:.3f}"
    return f"{100 * of['value']:+.1f}{_ends(of)}{p}"


def _ends(of: Mapping[str, Any]) -> str:
    if of["low"] is None or of["high"] is None:
        return ""
    return f" [{100 * of['low']:.1f}, {100 * of['high']:.1f}]"


def _rare(of: Mapping[str, Any]) -> str:
    if of["upper"] is None:
        return _share(of)
    return (
        f"0.0; up to {100 * of['upper']:.1f}% of relationships may have one and none be met (95%)"
    )


COMMAND = probe_command
