"""`relgraph graph`: the interaction graph of a conversation, or its measures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relgraph._cli._choosing import choose
from relgraph._cli._options import ADDRESSEES, spare
from relgraph.terminal import printable_json, shown, tell

if TYPE_CHECKING:
    from relgraph.graph import InteractionGraph
    from relgraph.records import AddresseeView

FORMATS = ("json", "graphml", "csv")


@click.command("graph")
@click.argument("file")
@click.option(
    "--conversation",
    "conversation_id",
    default="",
    help="Id of the conversation; may be left out where FILE has only one.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="json",
    show_default=True,
    help="json (lossless), graphml (yEd, Gephi, networkx), or csv (OUT-nodes.csv, OUT-edges.csv).",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write; without it the graph goes to stdout (not csv).",
)
@click.option(
    "--addressee",
    type=click.Choice(ADDRESSEES),
    default="given",
    show_default=True,
    help="Whom a turn is addressed to: as the file has it, as relgraph infers it, or nobody.",
)
@click.option("--until", type=click.IntRange(min=0), help="Only what is known after this turn.")
@click.option("--text/--no-text", default=True, help="Whether turns carry what was said.")
@click.option("--gold", is_flag=True, help="Add annotated acts and stances, for looking only.")
@click.option("--measures", is_flag=True, help="Print measures of the talk instead of the graph.")
@click.option(
    "--trust-times",
    is_flag=True,
    help="Measure latency, overlap and silence even of edited or unknown times.",
)
@click.option("--json", "as_json", is_flag=True, help="Measures as JSON.")
def graph_command(
    file: str,
    conversation_id: str,
    form: str,
    out: Path | None,
    addressee: AddresseeView,
    until: int | None,
    text: bool,
    gold: bool,
    measures: bool,
    trust_times: bool,
    as_json: bool,
) -> None:
    """Show who speaks to whom in one conversation of FILE, as a graph or in measures.

    FILE is whatever `relgraph data` reads, or the word `sample`. A graph holds what was said,
    unless --no-text: treat it as you treat the transcript.
    """
    from relgraph.addressees import with_addressees
    from relgraph.corpora import read
    from relgraph.graph import build_graph
    from relgraph.graph.claims import from_gold

    files = _files(form, out) if out is not None and not measures else ()
    for path in files:
        spare(path, file)
    corpus = read(file)
    if corpus.errors:
        tell(f"note: {file} has {len(corpus.errors)} errors; `relgraph data validate` lists them")
    conversation = choose(file, corpus.conversations, conversation_id)
    if addressee != "given":
        conversation = with_addressees(conversation, addressee)
    elif not any(t.addressees for t in conversation.turns):
        tell(f"note: {file} says of no turn whom it is said to; --addressee inferred guesses it")
    claims = from_gold(conversation) if gold else ()
    graph = build_graph(conversation, claims=claims, text=text)
    if until is not None:
        graph = graph.until(until)
    if not measures:
        _write(graph, form, files)
        return
    from relgraph._cli._measures import show_measures

    show_measures(graph, trust_times=trust_times, as_json=as_json)


def _files(form: str, out: Path) -> tuple[Path, ...]:
    """Returns the files that a form is written to."""
    if form != "csv":
        return (out,)
    base = out.with_suffix("") if out.suffix == ".csv" else out
    return tuple(base.with_name(f"{base.name}-{name}.csv") for name in ("nodes", "edges"))


def _write(graph: InteractionGraph, form: str, files: tuple[Path, ...]) -> None:
    from relgraph.files import write_text
    from relgraph.graph.views import graphml, to_json, to_tables

    if form == "csv":
        if not files:
            raise click.UsageError("--format csv makes two files: name them with -o OUT.")
        for path, table in zip(files, to_tables(graph), strict=True):
            content = table.to_csv(index=False, lineterminator="\n")
            # A half of a surrogate pair is no Unicode; JSON can carry it, a CSV file cannot.
            content = content.encode("utf-8", "replace").decode("utf-8")
            write_text(path, content)
        return
    content = (
        graphml(graph) if form == "graphml" else printable_json(to_json(graph, indent=2)) + "\n"
    )
    for path in files:
        write_text(path, content)
    if not files:
        click.echo(shown(content), nl=False)


COMMAND = graph_command
