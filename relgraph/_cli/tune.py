"""`relgraph tune`: chooses how the graph network is built and trained, by folds within folds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

import click

from relgraph._cli._options import (
    learning_options,
    rule_edge_options,
    rule_options,
    shown_options,
    spare,
)
from relgraph._cli._training import training_conversations, training_options
from relgraph.approach import Settings
from relgraph.records import View
from relgraph.terminal import printable_json, tell


class Merit(Protocol):
    """How good a configuration is on inner folds."""

    @property
    def log_likelihood(self) -> float: ...
    @property
    def accuracy(self) -> float: ...


class Step(Protocol):
    """What a search reports after each training."""

    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def search(self) -> str: ...
    @property
    def configuration(self) -> int: ...
    @property
    def inner(self) -> int: ...
    @property
    def merit(self) -> Merit | None: ...
    @property
    def time_s(self) -> float: ...


@click.command("tune")
@training_options
@click.option(
    "-o",
    "--output",
    "path",
    type=click.Path(path_type=Path),
    default=Path("recipes.json"),
    show_default=True,
    metavar="FILE",
    help="Where the chosen recipes go; finished trainings are kept beside it, in "
    "FILE.trials.jsonl.",
)
@click.option(
    "--folds",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="Choose for each fold of `eval` with as many --folds and the same --seed, on what it "
    "trains on, and for all of the data; 0 only for all of it.",
)
@click.option(
    "--inner",
    type=click.IntRange(min=2),
    default=2,
    show_default=True,
    help="Folds within what may be learnt from, to choose by.",
)
@click.option(
    "--configurations",
    type=click.IntRange(min=1),
    default=15,
    show_default=True,
    metavar="N",
    help="Tried for each choice; the first, number 0, is the recipe as it is.",
)
@click.option(
    "--members",
    type=click.IntRange(min=1, max=32),
    default=1,
    show_default=True,
    metavar="N",
    help="Networks of a training in the search; the recipe keeps its own number.",
)
@click.option(
    "--recipe",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="Recipe to start from, whose other entries stay. [default: that of `gnn`]",
)
@shown_options
@learning_options
@rule_edge_options
@rule_options
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def tune(**options: Any) -> None:
    """Choose the graph network's recipe, for each fold on that fold's training part alone.

    Use the file with `relgraph eval --approach gnn --recipe FILE`, giving the same --data, --folds
    and --seed, or with `relgraph train-gnn --recipe FILE`; what `--folds 0` wrote is for the latter
    alone. A search that was stopped, or killed, goes on when the same command is given again.
    """
    from relgraph.registry import load

    path: Path = options["path"]
    spare(path, *(v for k in ("data", "relationships", "recipe") if (v := options[k])))
    settings = Settings(
        view=View(mode=options["mode"], addressee=options["addressee"]),
        seed=options["seed"],
        device=options["device"],
        threads=options["threads"],
        embedder=options["embedder"],
        recipe=options["recipe"] or "",
        rules=options["rules"],
        rule_edges=options["rule_edges"],
    )
    conversations = training_conversations(options)
    tell(_budget(options))
    found = load("approach", "gnn")(settings).tune_into(
        path,
        conversations,
        folds=options["folds"],
        inner=options["inner"],
        configurations=options["configurations"],
        members=options["members"],
        report=_reporter(),
    )
    if options["as_json"]:
        click.echo(printable_json(json.dumps(found, indent=2, ensure_ascii=False)))
    else:
        _show(found, options)


def _budget(options: Mapping[str, Any]) -> str:
    searches, tried, inner = options["folds"] + 1, options["configurations"], options["inner"]
    of = f"{options['folds']} folds and all data" if options["folds"] else "all data"
    return (
        f"budget: {searches} searches ({of}) x {tried} configurations x {inner} inner folds = "
        f"{searches * tried * inner} trainings of {options['members']} network(s), one seed"
    )


def _reporter() -> Callable[[Step], None]:
    """Returns a function that writes a line a training to stderr, with the time left."""
    times: list[float] = []

    def report(step: Step) -> None:
        times.append(step.time_s)
        left = (step.total - step.done) * sum(times) / len(times)
        said = "no value"
        if step.merit:
            said = f"log-likelihood {step.merit.log_likelihood:.4f}"
            said += f", accuracy {100 * step.merit.accuracy:.1f}"
        tell(
            f"{step.done}/{step.total}  {step.search}, configuration {step.configuration}, inner "
            f"fold {step.inner + 1}: {said}, {step.time_s:.1f} s  about {left / 60:.0f} min left"
        )

    return report


def _show(found: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    click.echo(f"criterion: {found['criterion']}; the larger the better")
    for search in found["searches"]:
        tried = search["configurations"]
        start, best = tried[0]["merit"], tried[search["chosen"]]["merit"]
        agreed = search["agreement"]["log_likelihood_to_log_likelihood"]
        click.echo(
            f"{search['name']} ({search['relationships']} relationships): configuration "
            f"{search['chosen']} of 0 to {len(tried) - 1}, {_merits(start)} -> {_merits(best)}, "
            f"{'' if agreed is None else f'inner folds agree by {agreed:+.2f}, '}"
            f"{search['cpu_s']:.0f} s of CPU"
        )
        changed = [f"{k} {before} -> {now}" for k, (before, now) in search["changed"].items()]
        click.echo(f"  {', '.join(changed) or 'the recipe as it is'}")
    click.echo(f"{found['cpu_s'] / 60:.1f} minutes of CPU; recipes in {found['recipes']}")
    click.echo(f"next: {_next(found['recipes'], options)}")


def _next(recipes: str, options: Mapping[str, Any]) -> str:
    """Returns the command that may use the recipes: of one for all data, none that tests on it."""
    command = "relgraph train-gnn"
    if options["folds"]:
        command = f"relgraph eval --approach gnn --folds {options['folds']}"
    default = Settings()
    usual = {
        "mode": default.view.mode,
        "addressee": default.view.addressee,
        "embedder": default.embedder,
        "relationships": None,
    }
    given = [(name, options[name]) for name in usual if options[name] != usual[name]]
    given += [("rules", path) for path in options["rules"]]
    said = f"{command} --seed {options['seed']} --recipe {recipes} --data {options['data']}"
    said += "".join(f" --{name} {value}" for name, value in given)
    return f"{said} --rule-edges" if options["rule_edges"] else said


def _merits(merit: Mapping[str, float] | None) -> str:
    if merit is None:
        return "no value"
    return f"{merit['log_likelihood']:.4f} (accuracy {100 * merit['accuracy']:.1f})"


COMMAND = tune
