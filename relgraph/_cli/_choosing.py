"""Which conversation of a file a command is about, and what the file lacks for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

import click

from relgraph._cli._options import ADDRESSEES
from relgraph.labels import PATTERNS
from relgraph.terminal import tell

if TYPE_CHECKING:
    from relgraph.records import AddresseeView, Conversation

conversation_option = click.option(
    "--conversation",
    "conversation_id",
    default="",
    metavar="ID",
    help="Id of the conversation; may be left out where FILE has only one.",
)
turn_option = click.option(
    "--turn",
    type=click.IntRange(min=0),
    metavar="N",
    help="Only what is known after turn N; without it, after the last one.",
)
addressee_option = click.option(
    "--addressee",
    type=click.Choice(ADDRESSEES),
    default="given",
    show_default=True,
    help="Whom a turn is addressed to: as the file has it, as relgraph infers it, or nobody.",
)


def conversation_of(
    file: str, conversation_id: str, *, turn: int | None, addressee: AddresseeView
) -> Conversation:
    """Returns the chosen conversation of `file`, cut after `turn`, and tells what it lacks.

    Raises:
        RelgraphError: there is no such conversation or turn, or none was chosen of several.
    """
    from relgraph.addressees import with_addressees
    from relgraph.corpora import read
    from relgraph.errors import RelgraphError

    corpus = read(file)
    if corpus.errors:
        tell(f"note: {file} has {len(corpus.errors)} errors; `relgraph data validate` lists them")
    conversation = choose(file, corpus.conversations, conversation_id)
    last = conversation.turns[-1].index if conversation.turns else 0
    if turn is not None and turn > last:
        raise RelgraphError(
            f"conversation {conversation.id!r}: got --turn {turn}, but it has {last} turns. "
            f"Name a turn from 0 to {last}."
        )
    for line in _lacking(file, conversation, addressee):
        tell(f"note: {line}")
    if addressee != "given":
        conversation = with_addressees(conversation, addressee)
    if turn is not None:
        turns = tuple(t for t in conversation.turns if t.index <= turn)
        conversation = replace(conversation, turns=turns, gold=())
    return conversation


def choose(file: str, conversations: tuple[Conversation, ...], wanted: str) -> Conversation:
    """Returns the conversation called `wanted`, or the only one there is.

    Raises:
        RelgraphError: there is none of that name, or several to choose from.
    """
    from relgraph.errors import RelgraphError, unknown_name

    ids = [c.id for c in conversations]
    if not wanted and len(ids) == 1:
        return conversations[0]
    if not wanted:
        raise RelgraphError(
            f"{file}: holds {len(ids)} conversations; choose one with --conversation ID. "
            f"Known: {', '.join(_some(ids))}."
        )
    if wanted not in ids:
        near = get_close_matches(wanted, ids, n=5, cutoff=0.4)
        raise unknown_name("conversation", wanted, near or _some(ids))
    return conversations[ids.index(wanted)]


def _lacking(file: str, conversation: Conversation, addressee: AddresseeView) -> Iterator[str]:
    from relgraph.cues.english import seems_english

    if not seems_english(turn.text for turn in conversation.turns):
        yield (
            f"conversation {conversation.id!r}: seems not to be in English; cues are found in "
            f"English only, so that nothing was found says nothing"
        )
    if addressee == "given" and not any(t.addressees for t in conversation.turns):
        yield (
            f"{file} says of no turn whom it is said to, so little can be read between people; "
            f"--addressee inferred guesses it"
        )
    if not conversation.scenario:
        yield (
            f"conversation {conversation.id!r}: has no scenario, so rules for couples and for "
            f"families are both tried, and nobody is known as a partner; a column or field "
            f"`scenario` names it"
        )
    elif conversation.scenario not in PATTERNS:
        yield (
            f"conversation {conversation.id!r}: the scenario is {conversation.scenario!r}, so "
            f"rules that are only for {' or '.join(PATTERNS)} are left out"
        )
    if all(conversation.supporter != t.speaker for t in conversation.turns):
        yield (
            f"conversation {conversation.id!r}: nobody called {conversation.supporter!r} speaks; "
            f"a column or field `supporter` names who supports"
        )


def _some(ids: list[str], most: int = 20) -> list[str]:
    return ids if len(ids) <= most else [*ids[:most], f"and {len(ids) - most} more"]
