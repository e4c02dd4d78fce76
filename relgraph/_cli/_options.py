"""Options that several commands share, and the settings that come of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from relgraph.approach import Settings
from relgraph.records import MODES

Command = TypeVar("Command", bound=Callable[..., Any])
PROTOCOLS = ("strict", "paper")
ADDRESSEES = ("given", "inferred", "none")
DEFAULTS = Settings()

_DATA = (
    click.option(
        "--data",
        required=True,
        metavar="FILE",
        help="Conversations to test on: a file, a folder, or `sample` for the shipped corpus.",
    ),
    click.option("--format", default="", help="Reader of the data; told by its content without."),
    click.option(
        "--relationships",
        type=click.Path(exists=True, dir_okay=False),
        help="JSON file: conversation id -> which couple or family it is; else derived.",
    ),
)
_SHOWN = (
    click.option(
        "--mode",
        type=click.Choice(MODES),
        default="dialogue",
        show_default=True,
        help="Channels shown: words, with tone of voice, with described behaviour, or all.",
    ),
    click.option(
        "--addressee",
        type=click.Choice(ADDRESSEES),
        default="given",
        show_default=True,
        help="Whom a turn is addressed to: as annotated, as relgraph infers it, or not shown.",
    ),
)
_CUT = (
    click.option(
        "--context",
        type=click.IntRange(min=-1),
        default=None,
        metavar="N",
        help="Turns shown before the decision, -1 for all. [default: all; with --protocol paper "
        "what the published runs had]",
    ),
    click.option(
        "--protocol",
        type=click.Choice(PROTOCOLS),
        default="strict",
        show_default=True,
        help="`paper` is the published construction, with its leaks, for comparison only.",
    ),
)
_INSTANCES = (
    click.option(
        "--limit",
        type=click.IntRange(min=1),
        default=None,
        metavar="N",
        help="Test at most N instances a task, spread over the conversations.",
    ),
    click.option(
        "--conversations",
        type=click.IntRange(min=1),
        default=None,
        metavar="N",
        help="Test in N conversations only; what learns still learns from all others.",
    ),
    click.option(
        "--stratified",
        is_flag=True,
        help="Let what --limit and --conversations keep stand for the data: relationships in turn, "
        "scenarios and gold answers in its proportions.",
    ),
)
_LEARNING = (
    click.option(
        "--embedder",
        default=DEFAULTS.embedder,
        show_default=True,
        metavar="NAME",
        help="minilm, mpnet, hashing, or st:NAME for any sentence-transformers model.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="Of every random draw.",
    ),
    click.option(
        "--device",
        type=click.Choice(("auto", "cpu", "cuda", "mps")),
        default="auto",
        show_default=True,
        help="Where models run.",
    ),
    click.option(
        "--threads",
        type=click.IntRange(min=1),
        default=DEFAULTS.threads,
        show_default=True,
        help="CPU threads of models; more than one is slower on few shared cores.",
    ),
)
_EPOCHS = (
    click.option(
        "--epochs",
        type=click.IntRange(min=1),
        default=None,
        metavar="N",
        help="Passes over the training conversations. [default: as the recipe says]",
    ),
    click.option(
        "--recipe",
        type=click.Path(exists=True, dir_okay=False),
        metavar="FILE",
        help="How the graph network is built and trained: a file of `relgraph tune`, or a JSON "
        'object of your own, as {"hidden": 32}; docs/tuning.md has all entries.',
    ),
)
_RULE_EDGES = (
    click.option(
        "--rule-edges",
        is_flag=True,
        help="Let `gnn` and `interaction` read what the rules found, as edges and features.",
    ),
)
_RULES = (
    click.option(
        "--rules",
        multiple=True,
        type=click.Path(exists=True, dir_okay=False),
        metavar="FILE",
        help="Rules of your own, beside the shipped packs; may be given several times.",
    ),
)
_BUDGETS = (
    click.option(
        "--summary-tokens",
        type=click.IntRange(min=0),
        default=DEFAULTS.summary_tokens,
        show_default=True,
        help="Budget of the graph summary in a prompt.",
    ),
    click.option(
        "--context-tokens",
        type=click.IntRange(min=1),
        default=DEFAULTS.context_tokens,
        show_default=True,
        help="Budget of the transcript in a prompt; the oldest turns go first.",
    ),
    click.option(
        "--answer-tokens",
        type=click.IntRange(min=1),
        default=DEFAULTS.answer_tokens,
        show_default=True,
        help="Most tokens of a generated answer; models that think aloud first need thousands.",
    ),
)
_TEXTS = (
    click.option(
        "--text-metrics/--no-text-metrics",
        default=True,
        help="Compare the phrases of ER and VP by MiniLM cosine, and BERTScore where it is here.",
    ),
    click.option("--bertscore", is_flag=True, help="Let BERTScore fetch its weights if need be."),
)


class Options:
    """Options that a command is given together, in the order of its help."""

    def __init__(self, *options: Callable[[Any], Any]) -> None:
        self.options = options

    def __call__(self, command: Command) -> Command:
        """Returns the command with the options."""
        for option in reversed(self.options):
            command = option(command)
        return command


def without(options: Options, *names: str) -> Options:
    """Returns the options but those called so, as `--name` without its dashes."""

    def called(option: Callable[[Any], Any]) -> str:
        command = option(lambda: None)
        return str(command.__click_params__[0].opts[0]).removeprefix("--").replace("-", "_")

    return Options(*(option for option in options.options if called(option) not in names))


folds_option = click.option(
    "--folds",
    type=click.IntRange(min=2),
    default=5,
    show_default=True,
    help="Folds by relationship, for approaches that learn.",
)
retry_option = click.option(
    "--retry-failed", is_flag=True, help="Ask items again that failed before."
)
task_option = click.option(
    "--task",
    "tasks",
    multiple=True,
    default=("all",),
    show_default=True,
    metavar="TASK",
    help="er, itp, rpp, ssp, stp, vp or all; may be given several times.",
)
details_option = click.option(
    "--details",
    is_flag=True,
    help="Print calibration, figures of each class and confusions of the closed choices too.",
)
data_options = Options(*_DATA)
view_options = Options(*_SHOWN, *_CUT, *_INSTANCES)
shown_options = Options(*_SHOWN)
cut_options = Options(*_CUT)
instance_options = Options(*_INSTANCES)
learning_options = Options(*_LEARNING)
epoch_options = Options(*_EPOCHS)
rule_edge_options = Options(*_RULE_EDGES)
rule_options = Options(*_RULES)
budget_options = Options(*_BUDGETS)
text_options = Options(*_TEXTS)


def spare(out: Path, *inputs: str | Path) -> None:
    """Refuses to write `out` over what is read: files, or those in a folder.

    Raises:
        UsageError: it is one of them.
    """
    if not out.exists():
        return
    for path in map(Path, inputs):
        within = path.is_dir() and path.resolve() in out.resolve().parents
        if within or (path.exists() and out.samefile(path)):
            raise click.UsageError(f"{out}: is a file to be read. Give -o another name.")
