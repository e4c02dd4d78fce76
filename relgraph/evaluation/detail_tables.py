"""Calibration, classes and confusions of a closed choice as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE
from rich.table import Table
from rich.text import Text

from relgraph.terminal import one_line

APPROACHES_A_TABLE = 3


def detail_tables(task: Mapping[str, Any]) -> Iterator[Text | Table]:
    """Yields the tables of a task that has some, each after its title.

    Floors are in those of calibration alone. With several training seeds counts are means over
    them, so that they can be compared with those of what does not learn.
    """
    rows: Mapping[str, Any] = task["approaches"]
    calibrated = {name: row for name, row in rows.items() if row.get("calibration")}
    if calibrated:
        yield _title("Calibration: the smaller the better")
        yield _calibration(calibrated)
        yield _title("Reliability by bins: mean confidence, and below it the share right, percent")
        yield _reliability(calibrated)
    shown = {name: row for name, row in rows.items() if row.get("by_class") and not row["floor"]}
    for first in range(0, len(shown), APPROACHES_A_TABLE):
        names = list(shown)[first : first + APPROACHES_A_TABLE]
        yield _title("Classes: precision/recall/F1 in percent, and how often said")
        yield _classes({name: shown[name] for name in names})
    for name, row in shown.items():
        for scenario, matrix in row.get("confusion", {}).items():
            if len(matrix["labels"]) > 2:
                of = f"{name}, {scenario}" if scenario else name
                yield _title(f"Confusions, {of}: rows gold, columns said")
                yield _confusion(matrix, row.get("seeds", 1))


def _title(text: str) -> Text:
    return Text(one_line(text), style="bold")


def _table(first: str) -> Table:
    table = Table(box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(first, overflow="fold")
    return table


def _calibration(rows: Mapping[str, Any]) -> Table:
    table = _table("approach")
    for name in ("n", "log loss", "Brier", "ECE, percent"):
        table.add_column(name, justify="right")
    for name, row in rows.items():
        of = row["calibration"]
        figures = (f"{of['log_loss']:.3f}", f"{of['brier']:.3f}", f"{100 * of['ece']:.1f}")
        table.add_row(Text(one_line(name)), _count(of["n"], row.get("seeds", 1)), *figures)
    return table


def _count(answers: int, seeds: int) -> str:
    return f"{answers / seeds:.0f}"


def _reliability(rows: Mapping[str, Any]) -> Table:
    """Each bin's mean confidence and, below it, the share that is right, in percent."""
    table = _table("approach")
    for number in range(
        1, 1 + max(len(row["calibration"]["reliability"]) for row in rows.values())
    ):
        table.add_column(str(number), justify="right")
    for name, row in rows.items():
        cells = [
            f"{100 * b['mean_confidence']:.0f}\n{100 * b['share_right']:.0f}"
            for b in row["calibration"]["reliability"]
        ]
        table.add_row(Text(one_line(name)), *cells)
    return table


def _classes(rows: Mapping[str, Any]) -> Table:
    """Each class's support, and for each approach precision/recall/F1 and how often it is said."""
    table = _table("class")
    table.add_column("support", justify="right")
    for name in rows:
        table.add_column(Text(one_line(name)), justify="right", overflow="fold")
    classes = dict.fromkeys(
        (scenario, label)
        for row in rows.values()
        for scenario, labels in row["by_class"].items()
        for label in labels
    )
    for scenario, label in classes:
        cells, support = [], 0.0
        for row in rows.values():
            of, seeds = row["by_class"].get(scenario, {}).get(label), row.get("seeds", 1)
            support = max(support, of["support"] / seeds if of else 0)
            cells.append(_figures(of, seeds) if of else "-")
        name = f"{scenario} {label}".strip()
        table.add_row(Text(one_line(name)), f"{support:.0f}", *cells)
    return table


def _figures(of: Mapping[str, Any], seeds: int) -> str:
    shares = (of[name] for name in ("precision", "recall", "f1"))
    text = "/".join("-" if share is None else f"{100 * share:.0f}" for share in shares)
    return f"{text} {_count(of['said'], seeds)}"


def _confusion(matrix: Mapping[str, Any], seeds: int) -> Table:
    """Gold answers as rows, what was said as columns, both by number."""
    labels: Sequence[str] = matrix["labels"]
    table = _table("gold")
    for number in range(1, len(labels) + 1):
        table.add_column(str(number), justify="right")
    for number, (label, counts) in enumerate(zip(labels, matrix["counts"], strict=True), start=1):
        cells = (_count(c, seeds) for c in counts)
        table.add_row(Text(one_line(f"{number} {label}")), *cells)
    return table
