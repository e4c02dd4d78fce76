"""What `eval`, `score` and `instances` do alike: reading, asking, printing."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relgraph._cli._model_options import MODEL_SETTINGS
from relgraph.approach import Settings
from relgraph.records import View
from relgraph.terminal import printable_json, tell

if TYPE_CHECKING:
    from relgraph.evaluation._text import Similarity
    from relgraph.evaluation.plan import Request
    from relgraph.evaluation.runner import Data, Plan
    from relgraph.records import Prediction

Options = Mapping[str, Any]
SETTINGS = (
    "seed",
    "device",
    "threads",
    "embedder",
    "epochs",
    "recipe",
    *MODEL_SETTINGS,
    "summary_tokens",
    "context_tokens",
    "answer_tokens",
    "rules",
    "rule_edges",
)


def read_data(options: Options) -> tuple[Data, bool]:
    """Returns the data, and whether it is in the form of RESCUE-Bench and not our own sample."""
    from relgraph.corpora import SAMPLE, read
    from relgraph.evaluation.runner import Data
    from relgraph.registry import load

    source = options["data"]
    corpus = read(source, format=options["format"], relationships=options["relationships"])
    if corpus.errors:
        tell(f"note: {source} has {len(corpus.errors)} errors; `relgraph data validate` lists them")
    is_rescue = source != SAMPLE and (
        options["format"] == "rescue" or bool(load("reader", "rescue").sniff(Path(source)))
    )
    return Data(corpus.conversations, source, corpus.digest), is_rescue


def request(options: Options) -> Request:
    """Returns what is asked for; options that a command does not have keep their defaults."""
    from relgraph.evaluation.plan import Request, known_tasks

    view = View(mode=options["mode"], addressee=options["addressee"], protocol=options["protocol"])
    given = {n: options[n] for n in SETTINGS if options.get(n) is not None}
    stratified = options.get("stratified", False)
    if stratified and not options["limit"] and not options["conversations"]:
        raise click.UsageError(
            "--stratified says which instances --limit N or --conversations N keep: give one of "
            "them, or leave it out to test everything."
        )
    return Request(
        approaches=tuple(dict.fromkeys(options.get("approaches", ()))),
        tasks=known_tasks(options["tasks"]),
        folds=options.get("folds", 5),
        limit=options["limit"] or 0,
        conversations=options["conversations"] or 0,
        stratified=stratified,
        context_turns=options["context"],
        settings=Settings(
            view=view,
            checkpoint=options.get("checkpoint") or "",
            timeout_s=options.get("timeout", Settings().timeout_s),
            **given,
        ),
    )


def read_others(files: Sequence[Path], todo: Plan) -> dict[str, dict[str, Prediction]]:
    """Returns the predictions of other programs, by the file's name without its ending.

    Raises:
        DataError: a file cannot be read, is no file of predictions, or answers nothing asked for.
        UsageError: two files, or a file and an approach of the run, have the same name.
    """
    from relgraph.evaluation.predictions import answered_tasks

    found: dict[str, dict[str, Prediction]] = {}
    for path in files:
        name = Path(path.name.removesuffix(".gz")).stem
        if name in todo.team.members or name in found:
            kind = "another file" if name in found else "an approach of this run"
            raise click.UsageError(
                f"--against {path}: {name!r} is the name of {kind} too; rename the file."
            )
        answered, found[name] = answered_tasks(path, todo.cases)
        for task in sorted(set(todo.cases) - set(answered)):
            tell(f"note: {path} has no prediction for task {task}")
        failed = sum(bool(p.failure) for p in found[name].values())
        if failed:
            tell(f"note: {path} has no answer to {failed} of {len(found[name])} instances")
    return found


def text_similarities(options: Options) -> tuple[dict[str, Similarity], dict[str, str]]:
    """Returns the similarities of phrases that can be had, and why others cannot."""
    if not options["text_metrics"] or not {"er", "vp"} & set(request(options).tasks):
        return {}, {}
    from relgraph.evaluation._text import similarities

    return similarities(request(options).settings, download=options["bertscore"])


def show_scores(scores: Mapping[str, Any], options: Options, *, with_published: bool) -> None:
    """Prints scores on stdout: tables, or JSON with the published figures beside them."""
    from relgraph.evaluation.tables import published, show

    if options["as_json"]:
        extra = {"published": published()} if with_published else {}
        text = json.dumps({**scores, **extra}, indent=2, ensure_ascii=False, allow_nan=False)
        click.echo(printable_json(text))
    else:
        show(scores, sys.stdout, with_published=with_published, details=options["details"])
