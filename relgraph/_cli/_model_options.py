"""Options of commands that ask a language model: which one, how, at what cost, seeing what."""

from __future__ import annotations

import click

from relgraph._cli._options import (
    Options,
    epoch_options,
    learning_options,
    rule_edge_options,
    rule_options,
)
from relgraph.approach import Settings

DEFAULTS = Settings()
MODEL_SETTINGS = (
    "model",
    "base_url",
    "concurrency",
    "retries",
    "blocks",
    "samples",
    "temperature",
    "answers",
    "tokenizer",
    "calls",
    "prices",
    "max_cost_usd",
    "retry_failed",
    "pseudonymize",
    "remote_ok",
)


def _listed(context: click.Context, option: click.Parameter, value: str) -> tuple[str, ...]:
    """Returns the names between the commas."""
    del context, option
    return tuple(dict.fromkeys(part for name in value.split(",") if (part := name.strip())))


_MODEL = (
    click.option(
        "--model",
        default=DEFAULTS.model,
        show_default=True,
        metavar="MODEL",
        help="LLM: local (embedded, small), local:qwen-1.5b, llamacpp:FILE, hf:NAME, openai:NAME, "
        "anthropic:NAME or mock:FILE; see docs/backends.md.",
    ),
    click.option(
        "--base-url", default="", metavar="URL", help="Endpoint of an openai: or anthropic: model."
    ),
)
_ASKING = (
    click.option(
        "--concurrency",
        type=click.IntRange(min=1),
        default=DEFAULTS.concurrency,
        show_default=True,
        help="Most requests at a time to an endpoint; fewer while it turns some down.",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=DEFAULTS.timeout_s,
        show_default=True,
        metavar="SECONDS",
        help="Most time for one request, from connecting to the last byte.",
    ),
    click.option(
        "--retries",
        type=click.IntRange(min=0),
        default=DEFAULTS.retries,
        show_default=True,
        help="Tries after the first, where a request fails in a way that may pass.",
    ),
    click.option(
        "--samples",
        type=click.IntRange(min=1),
        default=DEFAULTS.samples,
        show_default=True,
        metavar="K",
        help="Ask each question K times and let the answers vote (self-consistency).",
    ),
    click.option(
        "--temperature",
        type=click.FloatRange(min=0),
        default=DEFAULTS.temperature,
        show_default=True,
        help="Of sampling; with several samples 0 stands for 0.7.",
    ),
)
_FORM = (
    click.option(
        "--answers",
        type=click.Choice(("auto", "json", "letter")),
        default=DEFAULTS.answers,
        show_default=True,
        help="How closed questions are answered: JSON, or one letter with its likelihoods.",
    ),
    click.option(
        "--blocks",
        callback=_listed,
        default="",
        metavar="NAMES",
        help="Parts of the summary, as rules,gnn; docs/summary.md lists them. [default: the "
        "approach's own]",
    ),
    click.option(
        "--tokenizer",
        type=click.Path(exists=True, dir_okay=False),
        default=None,
        metavar="FILE",
        help="tokenizer.json that counts the tokens of a model at an endpoint; else estimated.",
    ),
)
_PRICES = click.option(
    "--prices",
    type=click.Path(exists=True, dir_okay=False),
    default=None,
    metavar="FILE",
    help="Prices of models in US dollars a million tokens; docs/calls.md has the form.",
)
_COSTS = (
    click.option(
        "--calls",
        default="",
        metavar="FILE",
        help="Call cache: what was answered once is not asked again; `none` for no cache. "
        "[default: RELGRAPH_CALLS, else in the user's cache folder, shared by all runs]",
    ),
    _PRICES,
    click.option(
        "--max-cost",
        "max_cost_usd",
        type=click.FloatRange(min=0),
        default=DEFAULTS.max_cost_usd,
        metavar="USD",
        help="Stop before more than this is spent; 0 for no limit.",
    ),
    click.option("--yes", is_flag=True, help="Do not ask before a run that costs money."),
)
_PSEUDONYMIZE = click.option(
    "--pseudonymize",
    is_flag=True,
    help="Replace names and places before anything is sent; answers get them back.",
)
_PRIVACY = (
    _PSEUDONYMIZE,
    click.option(
        "--remote-ok",
        is_flag=True,
        help="Let data marked sensitive leave this machine (or RELGRAPH_REMOTE_OK=1).",
    ),
)
_JUDGING = (
    click.option(
        "--judge",
        "judges",
        multiple=True,
        metavar="MODEL",
        help="LLM that grades the answers to ER and VP, named as for --model; may be given several "
        "times, and their agreement is reported.",
    ),
    click.option(
        "--judge-url",
        default="",
        metavar="URL",
        help="Endpoint of the judges. [default: --base-url]",
    ),
    click.option(
        "--repeats",
        type=click.IntRange(min=1),
        default=2,
        show_default=True,
        metavar="K",
        help="Grades for each answer by each judge, half of them in the other order.",
    ),
)
model_options = Options(*_MODEL)
judging_options = Options(*_JUDGING)
form_options = Options(*_FORM)
showing_options = Options(*_MODEL, *_FORM, _PRICES, _PSEUDONYMIZE)
asking_options = Options(*_MODEL, *_ASKING, *_FORM, *_COSTS, *_PRIVACY)
working_options = Options(
    *asking_options.options,
    *learning_options.options,
    *epoch_options.options,
    *rule_options.options,
    *rule_edge_options.options,
)
"""How approaches of every kind are to work: those that ask, those that learn, those that reason."""
