"""An ablation as tables for a terminal of 100 columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import IO, Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from relgraph.evaluation.ablations import Variant
from relgraph.evaluation.tables import SHORT, WIDTH
from relgraph.terminal import one_line

Figures = Mapping[str, Any]


def show_ablations(result: Figures, out: IO[str], *, width: int = WIDTH) -> None:
    """Prints one table a task, then what each variant changes and took, and what to know of it.

    Args:
        result: as `ablation_runs.ablate` gives it.
        out: where to.
        width: columns.
    """
    console = Console(file=out, width=width, highlight=False)
    for name, task in result["tasks"].items():
        heading = f"{name.upper()} {task['title']}, {result['approach']}: {task['n']} instances"
        heading += f", {task['relationships']} relationships"
        console.print(Text(heading, style="bold"))
        console.print(_differences(task, result["variants"]))
    console.print(_variants(result["variants"]))
    console.print(Text("\n".join(map(one_line, _notes(result))), style="dim"))


def show_variants(variants: tuple[Variant, ...], out: IO[str], *, width: int = WIDTH) -> None:
    """Prints the variants: their question, what they change, and what they are compared with."""
    table = Table(box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    for title in ("variant", "question", "changes", "mode", "against"):
        table.add_column(title)
    for v in variants:
        table.add_row(*map(Text, (v.name, v.question, v.changes, v.mode, v.against or "-")))
    Console(file=out, width=width, highlight=False).print(table)


def _differences(task: Figures, variants: Figures) -> Table:
    metric = SHORT.get(task["metric"], task["metric"])
    table = Table(box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("variant", overflow="fold")
    table.add_column(metric, justify="right")
    table.add_column("difference", justify="right")
    table.add_column("to", overflow="fold")
    table.add_column("p (Holm)", justify="right")
    floor = task["floor"]
    if floor:
        cells = ("", one_line(floor["name"]), "")
        table.add_row(Text("best floor", style="dim"), _share(task, floor["value"]), *cells)
    for name, row in task["variants"].items():
        label = name if variants[name]["causal"] else f"{name} *"
        c = row["compared"]
        cells = (_difference(task, c), c["against"], _p(c["p_holm"])) if c else ("", "", "")
        table.add_row(Text(label), _value(task, row), *cells)
    return table


def _value(task: Figures, row: Figures) -> str:
    text = _share(task, row["value"])
    if row["low"] is not None and row["high"] is not None:
        text += f" [{_share(task, row['low'])}, {_share(task, row['high'])}]"
    return text


def _share(task: Figures, value: float | None) -> str:
    if value is None:
        return "-"
    return f"{100 * value:.1f}" if task["percent"] else f"{value:.2f}"


def _difference(task: Figures, c: Figures) -> str:
    if c["same_answers"]:
        return "same answers"
    scale, places = (100, 1) if task["percent"] else (1, 2)
    text = f"{scale * c['difference']:+.{places}f}"
    if c["low"] is not None:
        text += f" [{scale * c['low']:+.{places}f}, {scale * c['high']:+.{places}f}]"
    return text


def _p(value: float | None) -> str:
    if value is None:
        return "-"
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _variants(variants: Figures) -> Table:
    table = Table(box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("variant")
    table.add_column("what differs")
    table.add_column("CPU s", justify="right")
    for name, v in variants.items():
        cpu = "-" if v["cpu_s"] is None else f"{v['cpu_s']:.0f}"
        table.add_row(Text(name if v["causal"] else f"{name} *"), Text(v["changes"]), cpu)
    return table


def _notes(result: Figures) -> Iterator[str]:
    for name, v in result["variants"].items():
        if not v["causal"]:
            yield f"* {name} {v['note']}."
        if of := v.get("descriptions"):
            yield f"{name}: {_rewritten(of)}."
        if v["failed"]:
            yield f"{name}: {v['failed']} items failed."
    for name, why in result["left_out"].items():
        yield f"{name} is left out: {why}."
    if same := _unchanged(result):
        yield (
            f"Same answers as what they are compared with: {', '.join(same)}. "
            f"{result['approach']} reads nothing of what they change."
        )
    if any(task["lower_is_better"] for task in result["tasks"].values()):
        yield "Intensity MAE: lower is better."
    seeds = f"Means over {result['seeds']} training seeds. " if result["seeds"] > 1 else ""
    yield f"{seeds}Shares in percent. Intervals: {result['intervals']}."


def _rewritten(of: Figures) -> str:
    """Returns what a transform did to the descriptions."""
    if not of["words_removed"]:
        moved = of["descriptions_changed"]
        return f"{moved} of {of['descriptions']} descriptions stand in a turn that had others"
    return (
        f"{of['words_removed']} of {of['words']} described words are taken out "
        f"({100 * of['words_removed'] / of['words']:.1f}%); {of['descriptions_removed']} of "
        f"{of['descriptions']} descriptions are empty without them, and "
        f"{of['descriptions_changed']} shorter"
    )


def _unchanged(result: Figures) -> list[str]:
    """Returns the variants that changed no answer of any task."""
    return [
        name
        for name in result["variants"]
        if (rows := [t["variants"][name]["compared"] for t in result["tasks"].values()])
        and all(c and c["same_answers"] for c in rows)
    ]
