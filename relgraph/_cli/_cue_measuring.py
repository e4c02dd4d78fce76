"""`relgraph cues FILE --measure`: how often each cue is there and what it agrees with."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from relgraph.terminal import one_line, printable_json, tell

if TYPE_CHECKING:
    from rich.table import Table

    from relgraph.cues import Cue
    from relgraph.cues.annotations import Coding
    from relgraph.records import AddresseeView, Conversation

Command = TypeVar("Command", bound=Callable[..., Any])
WIDTH = 80
AT_ONCE = 8
"""Conversations that the parser is given at a time."""
UNDEFINED = "\N{EN DASH}"
PRF = ("P", "R", "F1")
OPTIONS = (
    click.option(
        "--measure",
        is_flag=True,
        help="Instead of a list: how often each cue is in all of FILE, and its precision, recall "
        "and F1 against the utterance types and against noted cues.",
    ),
    click.option(
        "--annotations",
        type=click.Path(path_type=Path, dir_okay=False),
        help="With --measure: JSON lines of cues that a coder noted; for `sample` those shipped.",
    ),
    click.option(
        "--second",
        type=click.Path(path_type=Path, dir_okay=False),
        help="With --measure: cues that a second coder noted, for the agreement of the two.",
    ),
    click.option(
        "--at-least",
        type=click.FloatRange(0, 1),
        default=0.0,
        show_default=True,
        help="With --measure: leave weaker cues out.",
    ),
    click.option(
        "--fold",
        default="",
        metavar="K/N",
        help="With --measure: only the relationships of fold K of N.",
    ),
    click.option(
        "--seed",
        type=int,
        default=0,
        show_default=True,
        help="With --measure: of the folds and of the intervals.",
    ),
)


def measure_options(command: Command) -> Command:
    """Adds the options of measuring to a command."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def measured(options: Mapping[str, Any], *, conversation_id: str, turn: int | None) -> bool:
    """Returns whether cues are to be measured and not listed.

    Raises:
        UsageError: options of the one were given for the other.
    """
    if options["measure"] and (conversation_id or turn is not None):
        raise click.UsageError("--measure is of all of FILE: leave --conversation and --turn out.")
    alone = [name for name in ("annotations", "second", "at_least", "fold") if options[name]]
    if alone and not options["measure"]:
        raise click.UsageError(f"--{alone[0].replace('_', '-')} is for --measure: add that.")
    return bool(options["measure"])


def show_figures(
    file: str, options: Mapping[str, Any], *, addressee: AddresseeView, as_json: bool
) -> None:
    """Prints the figures of all cues in `file`, as tables or as JSON.

    Raises:
        RelgraphError: something cannot be read, or there is no such fold.
    """
    from relgraph.addressees import with_addressees
    from relgraph.corpora import read
    from relgraph.evaluation.cue_measures import measure

    corpus = read(file)
    if corpus.errors:
        tell(f"note: {file} has {len(corpus.errors)} errors; `relgraph data validate` lists them")
    coding, second = _codings(file, options, corpus.conversations)
    chosen = _fold(corpus.conversations, options["fold"], options["seed"])
    if addressee != "given":
        chosen = [with_addressees(c, addressee) for c in chosen]
    found = measure(
        chosen,
        _find(chosen),
        coding=coding,
        second=second,
        at_least=options["at_least"],
        seed=options["seed"],
    )
    asked = {"fold": options["fold"], "seed": options["seed"], "addressee": addressee}
    report = {"file": Path(file).name, **asked, **found}
    if as_json:
        click.echo(printable_json(json.dumps(report, ensure_ascii=False, indent=1)))
        return
    _show(report)


def _find(conversations: Sequence[Conversation]) -> list[tuple[Cue, ...]]:
    from relgraph.cues import find_all
    from relgraph.progress import progress

    found: list[tuple[Cue, ...]] = []
    with progress("reading turns", sum(len(c.turns) for c in conversations)) as advance:
        for first in range(0, len(conversations), AT_ONCE):
            some = conversations[first : first + AT_ONCE]
            found += find_all(some)
            advance(sum(len(c.turns) for c in some))
    return found


def _codings(
    file: str, options: Mapping[str, Any], conversations: Sequence[Conversation]
) -> tuple[Coding | None, Coding | None]:
    from relgraph.corpora import SAMPLE
    from relgraph.cues.annotations import SECOND, read_coding, sample_coding

    first, second = options["annotations"], options["second"]
    if second and not first and file != SAMPLE:
        raise click.UsageError("--second needs --annotations: the first coder's cues.")
    one = read_coding(first, conversations) if first else None
    other = read_coding(second, conversations) if second else None
    if file == SAMPLE and one is None:
        one = sample_coding(conversations)
        other = other or sample_coding(conversations, file=SECOND)
    return one, other


def _fold(conversations: Sequence[Conversation], fold: str, seed: int) -> Sequence[Conversation]:
    from relgraph.splits import folds

    if not fold:
        return conversations
    which, _, count = fold.partition("/")
    if not (which.isdecimal() and count.isdecimal() and 1 <= int(which) <= int(count)):
        raise click.UsageError(f"--fold is {fold!r}; wanted K/N with K from 1 to N, such as 2/2.")
    return folds(conversations, count=int(count), seed=seed)[int(which) - 1].test


def _show(report: Mapping[str, Any]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=sys.stdout, width=WIDTH, highlight=False)
    about = f"{report['conversations']} conversations, {report['turns']} turns"
    console.print(
        Text(
            one_line(
                f"{report['file']}: {about} ({report['client_turns']} of clients), "
                f"{report['relationships']} relationships"
            ),
            style="bold",
        )
    )
    console.print(_often(report))
    if any(row["to_find"] for row in report["types"].values()):
        console.print(_types(report))
    if "coding" in report:
        console.print(_coded(report))
    console.print(Text("\n".join(_remarks(report)), style="dim"))


def _often(report: Mapping[str, Any]) -> Table:
    table = _table(
        "How often, and against the utterance type of client turns",
        ("cue", "turns", "%", "type", *PRF, "95%"),
    )
    for name, row in report["cues"].items():
        gold = row["gold"]
        cells = (gold["type"], *_prf(gold), _ends(gold["f1"])) if gold else ("no gold",)
        turns = UNDEFINED if row["turns"] is None else str(row["turns"])
        table.add_row(name, turns, _percent(row["share_of_turns"]), *cells)
    return table


def _types(report: Mapping[str, Any]) -> Table:
    table = _table("Utterance types by any of their cues", ("type", "turns", *PRF, "95%", "always"))
    for name, row in report["types"].items():
        cells = (*_prf(row), _ends(row["f1"]), _cell(row["always"]))
        table.add_row(name, str(row["to_find"]), *cells)
    return table


def _coded(report: Mapping[str, Any]) -> Table:
    coding = report["coding"]
    two = report.get("coders")
    title = f"Against noted cues, by turn ({coding['conversations']} conversations)"
    head = ("cue", "noted", *PRF, "kappa", "95%", "people")
    table = _table(title, (*head, "coders") if two else head)
    for name, row in (("all cues", coding["all"]), *coding["cues"].items()):
        cells = [name, str(row["to_find"]), *_prf(row)]
        cells += [_cell(row["kappa"]["value"]), _ends(row["kappa"])]
        cells.append(_cell(row["with_target"]["f1"]) if "with_target" in row else "")
        if two:
            cells.append(_cell(two["cues"].get(name, two["all"])["kappa"]["value"]))
        table.add_row(*cells)
    return table


def _remarks(report: Mapping[str, Any]) -> Iterable[str]:
    if report["at_least"]:
        yield f"Cues of strength {report['at_least']:g} and more."
    yield f"P precision, R recall; {UNDEFINED} not defined."
    yield "95%: interval of the figure before it, by resampling relationships."
    yield "always: F1 of saying the type of every turn."
    if report["cues"]["silence"]["turns"] is None:
        yield "Silence and overlap are not looked for: no times are those of a recording."
    if "coding" in report:
        yield "people: F1 where source and target, or the kind, have to be the same too."
    if "coders" in report:
        number = report["coders"]["conversations"]
        yield f"coders: kappa of the two coders, in the {number} conversations that both read."


def _table(title: str, head: Sequence[str]) -> Table:
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(
        title=title, title_justify="left", box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0)
    )
    for name in head:
        table.add_column(name, justify="left" if name in ("cue", "type") else "right", no_wrap=True)
    return table


def _prf(row: Mapping[str, Any]) -> tuple[str, str, str]:
    f1 = row["f1"]
    value = f1["value"] if isinstance(f1, dict) else f1
    return _cell(row["precision"]), _cell(row["recall"]), _cell(value)


def _cell(value: float | None) -> str:
    """Returns two decimals without the zero before them, to be narrow."""
    return UNDEFINED if value is None else f"{value:.2f}".replace("0.", ".").replace("-.00", ".00")


def _ends(figure: Mapping[str, float | None]) -> str:
    low, high = figure["low"], figure["high"]
    return "" if low is None or high is None else f"{_cell(low)} {_cell(high)}"


def _percent(value: float | None) -> str:
    return UNDEFINED if value is None else f"{100 * value:.1f}"
