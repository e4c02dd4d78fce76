"""`relgraph explain`: what rules conclude of a conversation, each conclusion with its proof."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relgraph._cli._choosing import (
    addressee_option,
    conversation_of,
    conversation_option,
    turn_option,
)
from relgraph._cli._options import rule_options, spare
from relgraph.terminal import one_line, printable_json, tell

if TYPE_CHECKING:
    from relgraph.reasoning import Reasoning
    from relgraph.reasoning.sections import Section
    from relgraph.records import AddresseeView, Conversation

FORMATS = ("text", "json", "graph")


@click.command("explain")
@click.argument("file")
@conversation_option
@turn_option
@click.option("--task", default="", metavar="TASK", help="Only rules that answer this task.")
@rule_options
@click.option(
    "--pack",
    "packs",
    multiple=True,
    metavar="NAME",
    help="Only this pack of rules; may be given several times. `relgraph rules list` names them.",
)
@click.option("--all", "everything", is_flag=True, help="Every conclusion at every turn.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="text, json (docs/explanations.md), or the interaction graph with what was concluded.",
)
@click.option("--verify", "check", is_flag=True, help="Check all proofs anew, without the engine.")
@addressee_option
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write; without it the explanation goes to stdout.",
)
def explain_command(
    file: str,
    conversation_id: str,
    turn: int | None,
    task: str,
    rules: tuple[str, ...],
    packs: tuple[str, ...],
    everything: bool,
    form: str,
    check: bool,
    addressee: AddresseeView,
    out: Path | None,
) -> None:
    """Say what the rules conclude of one conversation of FILE, and prove it.

    FILE is whatever `relgraph data` reads, or the word `sample`. Each pack of rules has a section:
    its strongest conclusion with its proof, the others on a line; with --task, --pack or --all
    the proofs of all, what the labels not concluded lacked, and what was blocked. With --verify,
    ends with 1 if a proof is refused.
    """
    from relgraph.errors import unknown_name
    from relgraph.files import write_text
    from relgraph.reasoning import reason
    from relgraph.reasoning.ruleset import RuleSet
    from relgraph.reasoning.sections import sections
    from relgraph.registry import names

    if task and task not in names("task"):
        raise unknown_name("task", task, names("task"))
    own = tuple(map(Path, rules))
    if out is not None:
        spare(out, file, *own)
    ruleset = RuleSet.shipped(*own)
    known = [pack.name for pack in ruleset.packs]
    for name in packs:
        if name not in known:
            raise unknown_name("pack", name, known)
    conversation = conversation_of(file, conversation_id, turn=turn, addressee=addressee)
    reasoning = reason(conversation, ruleset)
    parts = sections(
        reasoning,
        task=task,
        packs=packs,
        own=[str(path) for path in own],
        everything=everything,
    )
    if not parts:
        tell(f"note: {_why_nothing(conversation, task, packs)}")
    content = _content(
        conversation,
        reasoning,
        parts,
        form,
        brief=not (task or packs or everything),
        everything=everything,
    )
    if out is None:
        click.echo(content, nl=False)
    else:
        write_text(out, content)
    if check:
        _verify(conversation, reasoning)


def _why_nothing(conversation: Conversation, task: str, packs: tuple[str, ...]) -> str:
    """Says why there is no section to show."""
    if task and packs:
        return f"none of the packs {', '.join(packs)} answers {task}"
    if task:
        return f"no pack of rules answers {task} here; `relgraph rules list` says what they answer"
    return f"no rule of {', '.join(packs) or 'any pack'} applies to a {conversation.scenario}"


def _content(
    conversation: Conversation,
    reasoning: Reasoning,
    parts: tuple[Section, ...],
    form: str,
    *,
    brief: bool,
    everything: bool,
) -> str:
    from relgraph.reasoning.edges import graph_record
    from relgraph.reasoning.explanation import explanation_text
    from relgraph.reasoning.proof_json import explanation_record

    if form == "text":
        return explanation_text(conversation, reasoning, parts, brief=brief, everything=everything)
    if form == "json":
        return _json(explanation_record(conversation, reasoning, parts))
    facts = tuple(found.fact for part in parts for found in part.found)
    return _json(graph_record(conversation, reasoning, facts))


def _json(record: dict[str, Any]) -> str:
    return printable_json(json.dumps(record, ensure_ascii=False, indent=2)) + "\n"


def _verify(conversation: Conversation, reasoning: Reasoning) -> None:
    from relgraph.reasoning.verify import verify

    times = None
    if conversation.timing == "recorded":
        times = {turn.index: (turn.start_s, turn.end_s) for turn in conversation.turns}
    faults = verify(
        reasoning.rules.rules,
        reasoning.given,
        reasoning.firings,
        reasoning.conclusions,
        last_turn=reasoning.last_turn,
        times=times,
        conversation=conversation,
    )
    for fault in faults:
        tell(f"refused: {one_line(fault)}")
    found = len(reasoning.conclusions)
    if faults:
        tell(f"proofs of {found} conclusions checked anew: {len(faults)} faults")
        click.get_current_context().exit(1)
    tell(f"proofs of {found} conclusions checked anew: all accepted")


COMMAND = explain_command
