"""`relgraph cues`: the signs that relgraph sees in a conversation, each with its words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from relgraph._cli._choosing import (
    addressee_option,
    conversation_of,
    conversation_option,
    turn_option,
)
from relgraph._cli._cue_measuring import measure_options, measured, show_figures
from relgraph.terminal import one_line, printable_json, tell

if TYPE_CHECKING:
    from relgraph.cues import Cue
    from relgraph.records import AddresseeView


@click.command("cues")
@click.argument("file")
@conversation_option
@turn_option
@addressee_option
@measure_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
def cues_command(
    file: str,
    conversation_id: str,
    turn: int | None,
    addressee: AddresseeView,
    as_json: bool,
    **measuring: Any,
) -> None:
    """List the cues of one conversation of FILE, or measure those of all.

    FILE is whatever `relgraph data` reads, or the word `sample`. What a cue means: docs/cues.md.
    """
    if measured(measuring, conversation_id=conversation_id, turn=turn):
        show_figures(file, measuring, addressee=addressee, as_json=as_json)
        return
    import json
    from dataclasses import asdict

    from relgraph.cues import find_cues

    conversation = conversation_of(file, conversation_id, turn=turn, addressee=addressee)
    found = find_cues(conversation)
    if as_json:
        text = json.dumps([asdict(cue) for cue in found], ensure_ascii=False, indent=2)
        click.echo(printable_json(text))
        return
    for cue in found:
        click.echo(_line(cue))
    if not found:
        tell(f"no cue in the {len(conversation.turns)} turns of {conversation.id!r}")


def _line(cue: Cue) -> str:
    from relgraph.reasoning.wording import said_by, wrapped

    who = one_line(f"{cue.source} -> {cue.target}" if cue.target else cue.source)
    name = f"{cue.name} ({cue.detail})" if cue.detail else cue.name
    said = f"turn {cue.turn}  {who}  {name} {cue.strength:.2f}  {said_by(cue)}"
    return wrapped("", said, hang=4)


COMMAND = cues_command
