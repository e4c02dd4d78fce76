"""`relgraph prompt`: what exactly an LLM would be sent for one decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from relgraph._cli._choosing import choose, conversation_option
from relgraph._cli._options import budget_options, cut_options, rule_options, shown_options
from relgraph.approach import Settings
from relgraph.records import View
from relgraph.terminal import printable_json, shown, tell

if TYPE_CHECKING:
    from relgraph.records import Conversation, Instance
    from relgraph.tasks import Task

DEFAULTS = Settings()
SETTINGS = ("seed", "model", "summary_tokens", "context_tokens", "answer_tokens", "rules")


@click.command("prompt")
@click.argument("file")
@conversation_option
@click.option("--turn", type=int, required=True, help="Index of the turn that is decided on.")
@click.option("--task", required=True, help="er, itp, rpp, ssp, stp or vp.")
@click.option(
    "--approach",
    default="llm+graph",
    show_default=True,
    metavar="NAME",
    help="llm, llm+graph, llm+rules, or another approach that sends prompts.",
)
@click.option(
    "--model",
    default=DEFAULTS.model,
    show_default=True,
    help="local, gguf:FILE or openai:NAME: it counts the tokens, and decides the answer's form.",
)
@shown_options
@cut_options
@budget_options
@rule_options
@click.option("--seed", type=int, default=0, show_default=True, help="Of the options' order.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: prompt, tokens.")
def prompt_command(file: str, **options: Any) -> None:
    """Print what an LLM would be sent for one decision in FILE, and how many tokens it has.

    FILE is whatever `relgraph data` reads, or the word `sample`. Nothing is sent anywhere.
    """
    import json

    from relgraph.corpora import read
    from relgraph.registry import load

    task: Task = load("task", options["task"])
    paper = options["protocol"] == "paper"
    all_turns = task.paper_context_turns if paper else -1
    view = View(
        mode=options["mode"],
        context_turns=all_turns if options["context"] is None else options["context"],
        addressee=options["addressee"],
        protocol=options["protocol"],
    )
    given = {name: options[name] for name in SETTINGS}
    approach = load("approach", options["approach"])(Settings(view=view, **given))
    conversation = choose(file, read(file).conversations, options["conversation_id"])
    instance = _instance(conversation, task, options["turn"], view)
    fitted = approach.fit((), seed=options["seed"]) if not approach.learns else None
    if fitted is None or not hasattr(fitted, "prompt"):
        raise click.UsageError(f"--approach {options['approach']} sends no prompt.")
    text = fitted.prompt(instance)
    tokens = fitted.count_tokens(text)
    if options["as_json"]:
        shown_as = json.dumps({"prompt": text, "tokens": tokens}, ensure_ascii=False)
        click.echo(printable_json(shown_as))
        return
    click.echo(shown(text), nl=False)
    tell(f"{tokens} tokens (--model {options['model']})")


def _instance(conversation: Conversation, task: Task, turn: int, view: View) -> Instance:
    from relgraph.errors import RelgraphError

    cases = {case.turn: case.instance for case in task.cases(conversation, view)}
    if turn not in cases:
        places = ", ".join(map(str, cases)) or "none, for want of annotations"
        raise RelgraphError(
            f"conversation {conversation.id!r}, task {task.name}: nothing is decided at turn "
            f"{turn}. Turns with a decision: {places}."
        )
    return cases[turn]


COMMAND = prompt_command
