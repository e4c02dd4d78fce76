"""`relgraph train-gnn`: trains the graph network on annotated conversations, into a checkpoint."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from relgraph._cli._options import (
    epoch_options,
    learning_options,
    rule_edge_options,
    rule_options,
    shown_options,
)
from relgraph._cli._training import training_conversations, training_options
from relgraph.approach import Settings
from relgraph.records import View
from relgraph.terminal import printable_json, tell

if TYPE_CHECKING:
    from relgraph.records import Conversation

SHOWN = ("pattern", "strategy", "target", "time")
"""Losses that are shown: those of the tasks with a closed answer."""


class Epoch(Protocol):
    """What a trainable approach reports after each epoch."""

    @property
    def member(self) -> int: ...
    @property
    def members(self) -> int: ...
    @property
    def epoch(self) -> int: ...
    @property
    def epochs(self) -> int: ...
    @property
    def losses(self) -> Mapping[str, float]: ...
    @property
    def time_s(self) -> float: ...


@click.command("train-gnn")
@training_options
@click.option(
    "-o",
    "--output",
    "--save",
    "folder",
    type=click.Path(path_type=Path),
    default=Path("checkpoints/gnn"),
    show_default=True,
    metavar="DIR",
    help="Folder of the checkpoint; an earlier checkpoint there is replaced at the end.",
)
@shown_options
@learning_options
@epoch_options
@rule_edge_options
@rule_options
@click.option(
    "--resume",
    is_flag=True,
    help="Go on with a training of this folder that was broken off.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def train_gnn(**options: Any) -> None:
    """Train the causal graph network for all six tasks and write a checkpoint.

    Each member of the ensemble leaves some relationships out, and what it says of them tells how
    far its probabilities can be trusted. The checkpoint is a folder of safetensors and JSON; use
    it with `relgraph eval --approach gnn --checkpoint DIR`. It derives from the data: treat it as
    sensitive as the data.
    """
    from relgraph.registry import load

    settings = Settings(
        view=View(mode=options["mode"], addressee=options["addressee"]),
        seed=options["seed"],
        device=options["device"],
        threads=options["threads"],
        embedder=options["embedder"],
        epochs=options["epochs"] or 0,
        recipe=options["recipe"] or "",
        rules=options["rules"],
        rule_edges=options["rule_edges"],
    )
    conversations = training_conversations(options)
    folder: Path = options["folder"]
    state = folder.with_name(f"{folder.name}.training")
    if state.exists() and not options["resume"]:
        tell(
            f"note: {state} holds an unfinished training; --resume would go on with it, and it "
            "is begun anew"
        )
    card = load("approach", "gnn")(settings).train_into(
        folder,
        conversations,
        seed=options["seed"],
        resume=options["resume"],
        report=_reporter(),
    )
    summary = _summary(card, conversations)
    if options["as_json"]:
        click.echo(printable_json(json.dumps(summary, indent=2, ensure_ascii=False)))
    else:
        _show(summary)


def _reporter() -> Callable[[Epoch], None]:
    """Returns a function that writes a line an epoch to stderr, with the time left."""
    times: list[float] = []

    def report(epoch: Epoch) -> None:
        times.append(epoch.time_s)
        left = (epoch.members - epoch.member) * epoch.epochs - epoch.epoch
        seconds = left * sum(times) / len(times)
        losses = [f"{name} {epoch.losses[name]:.3f}" for name in SHOWN if name in epoch.losses]
        said = ", ".join(losses) if losses else "no loss of a shown head"
        tell(
            f"member {epoch.member + 1}/{epoch.members}  epoch {epoch.epoch}/{epoch.epochs}  "
            f"{said}  about {_minutes(seconds)} left"
        )

    return report


def _minutes(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


def _summary(card: Mapping[str, Any], conversations: Sequence[Conversation]) -> dict[str, Any]:
    from relgraph.splits import relationships

    return {
        "checkpoint": card["checkpoint"],
        "conversations": len(conversations),
        "relationships": len(relationships(conversations)),
        "members": card["recipe"]["members"],
        "recipe": card["recipe"],
        "temperatures": card["temperatures"],
        "training": card["training"],
        "embedder": card["embedder"],
        "mode": card["mode"],
        "data": card["data"],
    }


def _show(summary: Mapping[str, Any]) -> None:
    click.echo(
        f"{summary['checkpoint']}: {_members(summary['members'])} trained on "
        f"{summary['conversations']} conversations of {summary['relationships']} relationships, "
        f"mode {summary['mode']}, embedder {summary['embedder']['name']}"
    )
    for number, member in enumerate(summary["training"], start=1):
        losses = member["losses"]
        parts = [f"{name} {losses[name]:.3f}" for name in SHOWN if name in losses]
        click.echo(f"member {number}: loss in the last epoch {', '.join(parts) or 'unknown'}")
    if summary["members"] > 1:
        heats = ", ".join(f"{task} {heat:.2f}" for task, heat in summary["temperatures"].items())
        click.echo(f"temperatures, fitted on relationships that a member left out: {heats}")
    else:
        click.echo("temperatures: none is fitted, as one member leaves no relationship out")
    click.echo(
        f"next, on conversations of other relationships: relgraph eval --approach gnn "
        f"--checkpoint {summary['checkpoint']} --data FILE{_same(summary)}"
    )


def _members(count: int) -> str:
    return f"{count} member{'s' * (count > 1)}"


def _same(summary: Mapping[str, Any]) -> str:
    """Returns the options of the training that `eval` needs too, where they are not its own."""
    default = Settings()
    given = [
        ("mode", summary["mode"], default.view.mode),
        ("embedder", summary["embedder"]["name"], default.embedder),
    ]
    return "".join(f" --{name} {value}" for name, value, usual in given if value != usual)


COMMAND = train_gnn
