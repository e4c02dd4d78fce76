"""`relgraph prompt`: what exactly an LLM would be sent for one decision."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relgraph._cli._choosing import choose, conversation_option
from relgraph._cli._model_options import showing_options
from relgraph._cli._options import (
    budget_options,
    cut_options,
    epoch_options,
    learning_options,
    rule_edge_options,
    rule_options,
    shown_options,
)
from relgraph.approach import Settings
from relgraph.records import View
from relgraph.terminal import printable_json, shown, tell

if TYPE_CHECKING:
    from relgraph.approach import Approach
    from relgraph.evaluation.single import Given
    from relgraph.records import Case
    from relgraph.tasks import Task

SAID = (
    "model",
    "seed",
    "summary_tokens",
    "context_tokens",
    "blocks",
    "answers",
    "pseudonymize",
)
"""Settings that decide on a prompt's words: those of a run should be given again."""
SETTINGS = (
    *SAID,
    "base_url",
    "tokenizer",
    "prices",
    "answer_tokens",
    "rules",
    "rule_edges",
    "embedder",
    "device",
    "threads",
    "epochs",
    "recipe",
    "checkpoint",
)


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
    help="llm, llm+graph, llm+gnn, llm-fewshot, or another approach that sends prompts.",
)
@showing_options
@shown_options
@cut_options
@budget_options
@click.option(
    "--run",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Run folder that has what trained models said, and the folds. [default: they are fitted "
    "here, on the other relationships of FILE]",
)
@click.option(
    "--checkpoint",
    type=click.Path(exists=True),
    help="Trained graph network to load instead of fitting one.",
)
@learning_options
@epoch_options
@rule_options
@rule_edge_options
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object: prompt, tokens, with --prices costs.",
)
def prompt_command(file: str, **options: Any) -> None:
    """Print what an LLM would be sent for one decision in FILE, its tokens and its cost.

    FILE is whatever `relgraph data` reads, or the word `sample`. Nothing is sent anywhere.
    """
    import json

    from relgraph.corpora import read
    from relgraph.evaluation.jobs import Data
    from relgraph.evaluation.single import case_at
    from relgraph.registry import load

    task: Task = load("task", options["task"])
    settings = _settings(options)
    approach: Approach = load("approach", options["approach"])(settings)
    if approach.learns and not getattr(approach, "sends_prompts", False):
        raise click.UsageError(f"--approach {options['approach']} sends no prompt.")
    corpus = read(file)
    conversation = choose(file, corpus.conversations, options["conversation_id"])
    cases = task.cases(conversation, _view(options, task))
    where = f"conversation {conversation.id!r}, task {task.name}"
    case = case_at(cases, options["turn"], where=where)
    given = _given(approach, case, Data(corpus.conversations, file, corpus.digest), options)
    fitted: Any = approach.fit(given.train, seed=options["seed"])
    if not hasattr(fitted, "render"):
        raise click.UsageError(f"--approach {options['approach']} sends no prompt.")
    prompt = fitted.render(case.instance, given.findings)
    tokens = fitted.count_tokens(prompt.text)
    about_usd, most_usd = fitted.about_usd(prompt), fitted.most_usd(prompt)
    for part in prompt.dropped:
        tell(f"note: left out: {part}")
    if options["as_json"]:
        told = {"prompt": prompt.text, "tokens": tokens}
        cost = {"about_usd": about_usd, "most_usd": most_usd} if options["prices"] else {}
        click.echo(printable_json(json.dumps({**told, **cost}, ensure_ascii=False)))
        return
    click.echo(shown(prompt.text), nl=False)
    cost_said = (
        f", about {about_usd:.6f} US dollars, at most {most_usd:.6f}" if options["prices"] else ""
    )
    tell(f"{tokens} tokens{cost_said} (--model {options['model']})")


def _view(options: dict[str, Any], task: Task | None = None) -> View:
    """Returns what an instance of a task shows; without a task, what training shows."""
    paper = task is not None and options["protocol"] == "paper"
    most = task.paper_context_turns if task and paper else -1
    return View(
        mode=options["mode"],
        context_turns=most if options["context"] is None else options["context"],
        addressee=options["addressee"],
        protocol=options["protocol"],
    )


def _settings(options: dict[str, Any]) -> Settings:
    given = {name: options[name] for name in SETTINGS if options[name] is not None}
    return Settings(view=_view(options), calls="none", **given)


def _given(approach: Approach, case: Case, data: Any, options: dict[str, Any]) -> Given:
    from relgraph.evaluation import single
    from relgraph.evaluation.plan import Request

    if options["folder"]:
        asked = {name: options[name] for name in SAID}
        for line in single.differing(options["folder"], asked):
            tell(f"note: {line}")
        return single.from_run(options["folder"], approach, case, data)
    if not approach.needs and not approach.learns:
        return single.Given()
    request = Request(
        (approach.name,),
        (case.instance.task,),
        context_turns=options["context"],
        settings=_settings(options),
    )
    return single.from_others(approach, case, data, request)


COMMAND = prompt_command
