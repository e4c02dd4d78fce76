"""How `relgraph graph --measures` shows measures: tables of 100 columns, or JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from relgraph.terminal import one_line, printable_json

if TYPE_CHECKING:
    from rich.table import Table

    from relgraph.graph import InteractionGraph
    from relgraph.graph.measures import Measures

WIDTH = 100
NO_TIMES = (
    "Latency, overlap and silence are left out: the times are {timing}, and what lies between "
    "turns may be the editor's work. --trust-times shows them all the same."
)


def show_measures(graph: InteractionGraph, *, trust_times: bool, as_json: bool) -> None:
    """Prints all measures of a graph on stdout."""
    from relgraph.graph.measures import measure

    found = measure(graph, trust_times=trust_times)
    if as_json:
        about = {"conversation": graph.conversation, "timing": graph.timing}
        text = json.dumps(about | asdict(found), indent=2, ensure_ascii=False)
        click.echo(printable_json(text))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=sys.stdout, width=WIDTH, highlight=False)
    title = f"{graph.conversation}: {len(graph.turns)} turns, {len(graph.speakers)} people"
    console.print(Text(one_line(title), style="bold"))
    for table in _tables(found):
        console.print(table)
    console.print(Text("\n".join(map(one_line, _remarks(graph, found)))))


def _tables(found: Measures) -> Iterable[Table]:
    trends = {trend.speaker: trend for trend in found.trends}
    yield _table(
        "Talk",
        ("speaker", "turns", "%", "words", "%", "seconds", "%", "words a turn", "change a turn"),
        [
            (
                share.speaker,
                str(share.turns),
                _percent(share.turn_share),
                str(share.words),
                _percent(share.word_share),
                _number(share.seconds),
                _percent(share.second_share),
                _number(trends[share.speaker].mean_words if share.speaker in trends else None),
                _number(trends[share.speaker].slope_words if share.speaker in trends else None, 2),
            )
            for share in found.talk
        ],
    )
    address = found.address
    yield _table(
        "Turns said by (row) to (column)",
        ("", *address.targets),
        [
            (name, *(f"{count:.4g}" if count else "-" for count in row))
            for name, row in zip(address.sources, address.counts, strict=True)
            if any(row)
        ],
    )
    if found.latencies:
        yield _table(
            "Seconds from the end of a turn to the next speaker's start (below 0: overlap)",
            ("after", "speaker", "times", "mean", "median"),
            [
                (x.after, x.speaker, str(x.count), _number(x.mean_s, 2), _number(x.median_s, 2))
                for x in found.latencies
            ],
        )
    if found.overlaps:
        yield _table(
            "Talk over another's turn",
            ("speaker", "over", "times", "seconds"),
            [(x.speaker, x.over, str(x.count), _number(x.seconds)) for x in found.overlaps],
        )


def _remarks(graph: InteractionGraph, found: Measures) -> Iterable[str]:
    if found.balance is not None:
        yield f"Balance of words: {found.balance:.2f} (0: one person talks, 1: all talk alike)."
    mutual = found.reciprocity
    if mutual.value is not None:
        pairs = ", ".join(f"{p.one} and {p.other} {p.value:.2f}" for p in mutual.pairs)
        yield f"Address returned: {mutual.value:.2f} of it ({pairs})."
    if found.address.unaddressed:
        yield f"Turns of unknown speaker or addressee: {found.address.unaddressed}."
    if found.silence is not None:
        s = found.silence
        yield (
            f"Silence: {s.seconds:.1f} s, {100 * s.share:.1f}% of the time, in {s.count} places; "
            f"the longest {s.longest_s:.1f} s."
        )
    if found.latencies is None:
        yield NO_TIMES.format(timing=graph.timing)


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    from rich.box import SIMPLE
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", box=SIMPLE, pad_edge=False)
    words = ("", "speaker", "after", "over")
    for name in head:
        table.add_column(Text(one_line(name)), justify="left" if name in words else "right")
    for row in rows:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    return table


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"


def _number(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
