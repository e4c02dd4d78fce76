"""What the commands that train do alike: which conversations they learn from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from relgraph.terminal import tell

if TYPE_CHECKING:
    from relgraph.records import Conversation

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--data",
        required=True,
        metavar="FILE",
        help="Annotated conversations: a file, a folder, or `sample` for the shipped corpus.",
    ),
    click.option("--format", default="", help="Reader of the data; told by its content without."),
    click.option(
        "--relationships",
        type=click.Path(exists=True, dir_okay=False),
        metavar="FILE",
        help="JSON file: conversation id -> which couple or family it is; else derived.",
    ),
    click.option(
        "--exclude-relationship",
        "excluded",
        multiple=True,
        metavar="NAME",
        help="Leave out a couple or family, to test on it later (docs/evaluation.md); may be given "
        "several times.",
    ),
)


def training_options(command: Command) -> Command:
    """Returns the command with the options that say what is learnt from."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def training_conversations(options: Mapping[str, Any]) -> tuple[Conversation, ...]:
    """Returns the conversations that the options name.

    Raises:
        DataError: they cannot be read, or none is left.
        UnknownNameError: a relationship to leave out is not among them.
    """
    from relgraph.corpora import read
    from relgraph.errors import DataError, unknown_name
    from relgraph.splits import relationships

    source = options["data"]
    corpus = read(source, format=options["format"], relationships=options["relationships"])
    if corpus.errors:
        tell(f"note: {source} has {len(corpus.errors)} errors; `relgraph data validate` lists them")
    known = relationships(corpus.conversations)
    for name in options["excluded"]:
        if name not in known:
            raise unknown_name("relationship", name, tuple(known))
    left_out = {id(c) for name in options["excluded"] for c in known[name]}
    kept = tuple(c for c in corpus.conversations if id(c) not in left_out)
    if not kept:
        raise DataError(f"{source}: no conversation is left to train on.")
    return kept
