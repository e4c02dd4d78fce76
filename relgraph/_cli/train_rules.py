"""`relgraph train-rules`: learns weights for the rules, into one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from relgraph._cli._options import learning_options, rule_options, shown_options, spare
from relgraph._cli._training import training_conversations, training_options
from relgraph.approach import Settings
from relgraph.records import View


@click.command("train-rules")
@training_options
@click.option(
    "-o",
    "--output",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("checkpoints/weights.json"),
    show_default=True,
    metavar="FILE",
    help="File of the weights; an earlier one is replaced.",
)
@shown_options
@learning_options
@rule_options
def train_rules(**options: Any) -> None:
    """Learn weights for the rules from annotated conversations and write them to a file.

    A rule's weight never turns against what the rule claims. The file is bound to the texts of the
    rules: it is refused when one of them has changed. Use it with `relgraph eval --approach
    rules+weights --checkpoint FILE`. It derives from the data, though it holds no text of it.
    """
    from relgraph.registry import load
    from relgraph.splits import relationships

    settings = Settings(
        view=View(mode=options["mode"], addressee=options["addressee"]),
        seed=options["seed"],
        device=options["device"],
        threads=options["threads"],
        embedder=options["embedder"],
        rules=options["rules"],
    )
    path: Path = options["path"]
    spare(path, options["data"], *options["rules"])
    conversations = training_conversations(options)
    fitted = load("approach", "rules+weights")(settings).train_into(
        path, conversations, seed=options["seed"]
    )
    click.echo(
        f"{path}: weights learnt from {len(conversations)} conversations of "
        f"{len(relationships(conversations))} relationships"
    )
    for (task, scenario), scale in fitted.scales.items():
        click.echo(f"{f'{task} {scenario}'.strip()}: {len(scale.columns.rules)} rules")
    click.echo(f"next: relgraph eval --approach rules+weights --checkpoint {path} --data FILE")


COMMAND = train_rules
