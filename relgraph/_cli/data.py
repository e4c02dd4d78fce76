"""`relgraph data`: what is in a file, what is wrong with it, and the same in another format."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relgraph._cli._options import spare
from relgraph.terminal import one_line, tell

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from relgraph.corpora import Corpus, Defect

WIDTH_PIPED = 200
FORMATS = ("jsonl", "rescue", "csv")

_file = click.argument("file")
_format = click.option("--format", default="", help="Reader of FILE; told by its content without.")
_relationships = click.option(
    "--relationships",
    type=click.Path(exists=True, dir_okay=False),
    help="JSON file: conversation id -> which couple or family it is; else derived.",
)
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")


@click.group("data")
def data() -> None:
    """Look at, check and convert conversations.

    FILE is a file, a folder, or the word `sample` for the corpus that comes with relgraph.
    Formats are told by content: RESCUE-Bench, relgraph's own JSON-lines, CSV and TSV tables.
    """


@data.command("validate")
@_file
@_format
@click.option("--strict", is_flag=True, help="Let warnings count as errors.")
@_json
def validate(file: str, format: str, strict: bool, as_json: bool) -> None:
    """List every defect of FILE with file, line, conversation, row and field.

    Ends with 1 when there are errors, with 0 when there are none or only warnings.
    """
    from relgraph.corpora import scan

    defects: list[Defect] = []
    read = 0
    for found in scan(file, format=format):
        defects += found.defects
        read += found.conversation is not None
    counts = Counter(d.severity for d in defects)
    if as_json:
        _print_json(
            {
                "conversations": read,
                "errors": counts["error"],
                "warnings": counts["warning"],
                "defects": [_defect_record(d) for d in defects],
            }
        )
    else:
        if defects:
            _print(_defect_table(defects))
        click.echo(
            f"{read} conversations read: {counts['error']} errors, {counts['warning']} warnings"
        )
    failed = not read or counts["error"] or (strict and defects)
    click.get_current_context().exit(1 if failed else 0)


@data.command("stats")
@_file
@_format
@_relationships
@_json
def stats(file: str, format: str, relationships: str | None, as_json: bool) -> None:
    """Count conversations, turns, minutes, instances of each task, and labels."""
    from relgraph.corpora import read
    from relgraph.corpora._stats import by_scenario

    corpus = read(file, format=format, relationships=relationships)
    _tell_errors(corpus, file)
    found = by_scenario(corpus.conversations)
    if as_json:
        records = {name: statistics.record() for name, statistics in found.items()}
        _print_json({"digest": corpus.digest, **records})
        return
    table = _table("", *found)
    rows: tuple[tuple[str, str, str], ...] = (
        ("conversations", "conversations", "{:,}"),
        ("relationships", "relationships", "{:,}"),
        ("turns", "turns", "{:,}"),
        ("minutes", "minutes", "{:,.1f}"),
        ("speakers a conversation", "speakers_mean", "{:.2f}"),
        ("turns by the supporter, %", "supporter_percent", "{:.1f}"),
        ("turns that overlap", "overlapping_turns", "{:,}"),
    )
    for title, field, form in rows:
        table.add_row(title, *(form.format(getattr(s, field)) for s in found.values()))
    for source in ("given", "inferred", "none"):
        counts = [s.addressees.get(source, 0) for s in found.values()]
        if any(counts):
            table.add_row(f"turns with addressee {source}", *(f"{n:,}" for n in counts))
    for task in found["all"].instances:
        counts = [s.instances[task] for s in found.values()]
        table.add_row(f"{task.upper()} instances", *(f"{n:,}" for n in counts))
    _print(table)
    for layer, labels in found["all"].labels.items():
        total = sum(labels.values())
        table = _table("", "count", "%", title=layer)
        for label, count in labels.items():
            table.add_row(_cell(label), f"{count:,}", f"{100 * count / total:.1f}")
        _print(table)


@data.command("convert")
@_file
@click.option(
    "-o",
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write; packed when it ends in .gz, tab-separated when it ends in .tsv.",
)
@click.option(
    "--to",
    "target",
    required=True,
    type=click.Choice(FORMATS),
    help="jsonl and rescue lose nothing; csv holds speakers, texts, times and addressees.",
)
@_format
@_relationships
@click.option("--strict", is_flag=True, help="Stop at the first error in FILE.")
def convert(
    file: str, out: Path, target: str, format: str, relationships: str | None, strict: bool
) -> None:
    """Write the conversations of FILE in another format."""
    from relgraph.corpora import read, write

    spare(out, file)
    corpus = read(file, format=format, strict=strict, relationships=relationships)
    _tell_errors(corpus, file)
    lost = write(out, corpus.conversations, format=target)
    turns = sum(len(c.turns) for c in corpus)
    tell(f"{out}: {len(corpus)} conversations, {turns} turns")
    if lost:
        tell(f"{target} cannot hold, so left out: {', '.join(lost)}")


@data.command("addressees")
@_file
@_format
@_json
def addressees(file: str, format: str, as_json: bool) -> None:
    """Score inferred addressees against those that FILE gives."""
    from relgraph.corpora import read
    from relgraph.corpora._addressees import agreement

    corpus = read(file, format=format)
    _tell_errors(corpus, file)
    found = agreement(corpus.conversations)
    if not found["all turns"].turns:
        raise click.UsageError(f"{file}: gives no addressee, so there is nothing to score against.")
    if as_json:
        _print_json({name: one.record() for name, one in found.items()})
        return
    table = _table("", "turns", "right %", "floor %", "constant %")
    for name, one in found.items():
        shares = (one.right_percent, one.floor_percent, one.constant_percent)
        table.add_row(name, f"{one.turns:,}", *(f"{share:.1f}" for share in shares))
    _print(table)
    click.echo(
        "floor: clients speak to the supporter, the supporter to whoever else spoke last.\n"
        "constant: each speaker's most frequent addressee, known beforehand."
    )


COMMAND = data


def _defect_record(defect: Defect) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(defect)


def _defect_table(defects: list[Defect]) -> Table:
    table = _table(
        "severity", "code", "file", "line", "conversation", "row", "field", "what is wrong"
    )
    for d in defects:
        both = (("got", d.got), ("wanted", d.wanted))
        values = "; ".join(f"{word} {value}" for word, value in both if value)
        what = d.message + (f" ({values})" if values else "") + (f". {d.hint}" if d.hint else "")
        cells = (
            d.severity,
            d.code,
            d.file,
            "" if d.line is None else str(d.line),
            d.conversation,
            "" if d.row is None else str(d.row),
            d.field,
            what,
        )
        table.add_row(*map(_cell, cells))
    return table


def _cell(text: str) -> Text:
    """Returns what stands in the data as text of a table: no markup, nothing a terminal obeys."""
    from rich.text import Text

    return Text(one_line(text), overflow="fold")


def _table(*headers: str, title: str = "") -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=title or None, title_justify="left")
    words = {"", "severity", "code", "file", "conversation", "field", "what is wrong"}
    for header in headers:
        table.add_column(
            _cell(header),
            justify="left" if header in words else "right",
            overflow="fold",
        )
    return table


def _print(table: Table) -> None:
    import sys

    from rich.console import Console

    # a pipe has no width: wide enough there that a line stays a line
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else WIDTH_PIPED)
    console.print(table)


def _print_json(value: Any) -> None:
    from relgraph.corpora._json import dump

    click.echo(json.dumps(json.loads(dump(value)), indent=2, ensure_ascii=True))


def _tell_errors(corpus: Corpus, file: str) -> None:
    """Says on stderr that the data has errors, so that nobody takes its numbers for clean ones."""
    errors = corpus.errors
    if errors:
        tell(
            f"warning: {len(errors)} errors in the data; the first: {errors[0]}\n"
            f"All of them: relgraph data validate {file}"
        )
