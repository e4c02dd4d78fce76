"""Scores as tables for a terminal of 100 columns, and the published figures beside them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from statistics import fmean
from typing import IO, Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from relgraph.evaluation.detail_tables import detail_tables
from relgraph.evaluation.metrics import LOWER_IS_BETTER, PERCENT
from relgraph.terminal import one_line, printable

WIDTH = 100
WIDEST_NAME = 12
EXPLORATORY = (
    "Exploratory: all pairs, corrected for all comparisons of this task. What was fixed "
    "beforehand is tested by `relgraph compare`."
)
FEW_RELATIONSHIPS = 5
"""Below that a bootstrap over relationships has too few of them to draw from."""
SHORT: Mapping[str, str] = {
    "balanced_accuracy": "balanced",
    "intensity_mae": "intensity MAE",
    "intensity_match": "match 1-5",
    "minilm_cosine": "MiniLM cosine",
    "bertscore_f1": "BERTScore F1",
    "source_target_f1": "source-target F1",
    "macro_f1": "macro-F1",
    "accuracy": "accuracy",
    "precision": "precision",
    "mrr": "MRR",
    "f1": "F1",
    "auc": "AUC",
}


def published() -> dict[str, Any]:
    """Returns the published figures of RESCUE-Bench (arXiv 2609.09657), with their units."""
    path = files("relgraph.evaluation") / "published.json"
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return value


def show(
    scores: Mapping[str, Any],
    out: IO[str],
    *,
    with_published: bool = False,
    details: bool = False,
    width: int = WIDTH,
) -> None:
    """Prints two tables a task: all metrics with their intervals, and where the first one stands.

    With two approaches or more a third one has their differences.

    Args:
        scores: as `relgraph.evaluation.scores.score` gives them, with `protocol`.
        out: where to.
        with_published: whether the published figures follow each task, in a table of their own.
        details: whether calibration, classes and confusions of closed choices follow.
        width: columns.
    """
    console = Console(file=out, width=width, highlight=False)
    figures = published() if with_published else {"models": []}
    for name, task in scores["tasks"].items():
        console.print(_heading(name, task, scores["protocol"]))
        if not task["approaches"]:
            console.print(Text("No approach of this run answers this task.", style="dim"))
            continue
        console.print(_metrics(task))
        console.print(_standing(task))
        if pairs := _pairs(task):
            console.print(_differences(task, pairs))
        console.print(Text("\n".join(map(one_line, _remarks(task))), style="dim"))
        if details:
            for part in detail_tables(task):
                console.print(part)
        rows = [m for m in figures["models"] if name in m["figures"]]
        if rows:
            console.print(Text(figures["heading"], style="bold"))
            console.print(_published_table(name, rows))
    for name, reason in scores["unavailable"].items():
        if {"er", "vp"} & set(scores["tasks"]):
            console.print(
                printable(f"{SHORT.get(name, name)} is not available: {reason}"), markup=False
            )
    if seeds := scores.get("seeds"):
        console.print(
            f"Figures of what learns: mean ± standard deviation over {seeds} training seeds. "
            "Intervals are those of the mean over relationships drawn anew; they hold no "
            "training noise.",
            style="dim",
            markup=False,
        )
    console.print(
        f"Shares in percent. Intervals: {scores['intervals']}. Metrics are over answered "
        "instances.",
        style="dim",
        markup=False,
    )


def _heading(name: str, task: Mapping[str, Any], protocol: str) -> Text:
    text = f"{name.upper()} {task['title']}, protocol {protocol}: {task['n']} instances"
    text += f" of {task['conversations']} conversations, {task['relationships']} relationships"
    return Text(text, style="bold")


def _metrics(task: Mapping[str, Any]) -> Table:
    rows: Mapping[str, Any] = task["approaches"]
    metrics = list(dict.fromkeys(m for row in rows.values() for m in row["metrics"]))
    table = Table(box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    longest = max(map(len, rows))
    table.add_column("approach", overflow="fold", min_width=min(longest, WIDEST_NAME))
    for name in ("n", "covered", *metrics):
        table.add_column(SHORT.get(name, name), justify="right")
    for name, row in _floors_first(rows):
        cells = [_cell(metric, row["metrics"].get(metric)) for metric in metrics]
        label = Text(one_line(name)).append("\nfloor" if row["floor"] else "", style="dim")
        answered = row["n"] - row["failed"] / row.get("seeds", 1)
        table.add_row(label, f"{answered:.0f}", f"{100 * row['coverage']:.0f}%", *cells)
    return table


def _floors_first(rows: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    return sorted(rows.items(), key=lambda pair: not pair[1]["floor"])


def _cell(metric: str, figures: Mapping[str, Any] | None) -> Text:
    if figures is None or figures["value"] is None:
        return Text("-")
    text = Text(_number(metric, figures["value"]))
    if figures.get("sd") is not None:
        text.append(f" ± {_number(metric, figures['sd'])}")
    if figures["low"] is not None and figures["high"] is not None:
        ends = (_number(metric, figures["low"]), _number(metric, figures["high"]))
        text.append("\n" + "-".join(ends), style="dim")
    return text


def _number(metric: str, value: float) -> str:
    if metric in PERCENT:
        return "100" if value == 1 else f"{100 * value:.1f}"
    return f"{value:.3f}" if metric in ("minilm_cosine", "bertscore_f1") else f"{value:.2f}"


def _standing(task: Mapping[str, Any]) -> Table:
    """The first metric by relationship and scenario, and its difference to the best floor."""
    metric = task["primary"]
    short = SHORT.get(metric, metric)
    table = Table(box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("approach", overflow="fold")
    table.add_column(f"{short}: mean over relationships", justify="right")
    for name, scenario in task["scenarios"].items():
        note = ", descriptive" if scenario["descriptive"] else ""
        count = f"{scenario['relationships']} rel.{note}"
        table.add_column(Text(one_line(f"{name or 'other'} ({count})")), justify="right")
    failed = any(row["failed"] for row in task["approaches"].values())
    if failed:
        table.add_column("failures as wrong", justify="right")
    compared = bool(task["comparisons"])
    if compared:
        table.add_column("to the best floor", justify="right")
        table.add_column("p (Holm)", justify="right")
    against = {c["first"]: c for c in reversed(task["comparisons"])}
    for name, row in _floors_first(task["approaches"]):
        figures = row["metrics"].get(metric, {})
        cells = [_plain(metric, figures.get("over_relationships"))]
        cells += [_plain(metric, of.get(metric)) for of in row["by_scenario"].values()]
        if failed:
            worst = row["failures_as_wrong"].get(metric) if row["failed"] else figures.get("value")
            cells.append(_plain(metric, worst))
        if compared:
            cells += _difference(metric, against.get(name), task["approaches"])
        table.add_row(*(Text(one_line(cell)) for cell in (name, *cells)))
    return table


def _plain(metric: str, value: float | None) -> str:
    return "-" if value is None else _number(metric, value)


def _difference(
    metric: str, c: Mapping[str, Any] | None, rows: Mapping[str, Any]
) -> tuple[str, str]:
    if c is None or not rows[c["second"]]["floor"]:
        return "", ""
    text, p = _difference_cells(metric, c)
    return f"{text} {c['second']}", p


def _difference_cells(metric: str, c: Mapping[str, Any]) -> tuple[str, str]:
    scale = 100 if metric in PERCENT else 1
    places = 1 if scale == 100 else 2
    text = f"{scale * c['difference']:+.{places}f}"
    if c["low"] is not None:
        text += f" [{scale * c['low']:+.{places}f}, {scale * c['high']:+.{places}f}]"
    p = "-" if c["p_holm"] is None else f"{c['p_holm']:.3f}".replace("0.000", "<0.001")
    return text, p


def _pairs(task: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    rows = task["approaches"]
    return [
        c
        for c in task["comparisons"]
        if not rows[c["first"]]["floor"] and not rows[c["second"]]["floor"]
    ]


def _differences(task: Mapping[str, Any], pairs: Sequence[Mapping[str, Any]]) -> Table:
    """The first metric of each two approaches on the instances that both answered."""
    metric = task["primary"]
    table = Table(
        box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False, title=EXPLORATORY, title_justify="left"
    )
    table.add_column("approach", overflow="fold")
    table.add_column("minus", overflow="fold")
    for name in ("n", SHORT.get(metric, metric), "p (Holm)"):
        table.add_column(name, justify="right")
    for c in pairs:
        cells = (c["first"], c["second"], str(c["n"]), *_difference_cells(metric, c))
        table.add_row(*(Text(one_line(cell)) for cell in cells))
    return table


def _remarks(task: Mapping[str, Any]) -> Iterable[str]:
    if task["relationships"] < FEW_RELATIONSHIPS:
        yield (
            f"Relationships tested: {task['relationships']}. With so few, intervals and "
            "differences say next to nothing."
        )
    if absent := task.get("classes_without_gold"):
        yield f"Macro-F1 leaves out classes without a gold instance: {', '.join(absent)}."
    if task["primary"] in LOWER_IS_BETTER:
        yield f"{SHORT[task['primary']]}: lower is better."
    yield from _costs(task["approaches"])
    for name, row in task["approaches"].items():
        if row["failed"]:
            asked = row["n"] * row.get("seeds", 1)
            yield f"{name}: {row['failed']} of {asked} failed."
            for cause, count in list(row["causes"].items())[:3]:
                yield f"  {count} x {cause}"


def _costs(rows: Mapping[str, Any]) -> Iterable[str]:
    for name, row in rows.items():
        cost = row["cost"]
        if not cost["prompt_tokens"]:
            continue
        kept = f", {cost['kept_calls']} calls kept from before" if cost.get("kept_calls") else ""
        usd = f", {cost['cost_usd']:.4f} USD paid" if cost["cost_usd"] else ""
        yield (
            f"{name}: {cost['prompt_tokens']:,} tokens read, {cost['answer_tokens']:,} written, "
            f"{cost['time_s']:.1f} s{usd}{kept}."
        )


def _published_table(name: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    metrics = list(rows[0]["figures"][name])
    table = Table(box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("model")
    for metric in metrics:
        table.add_column(SHORT.get(metric, metric), justify="right")
    for row in rows:
        table.add_row(row["model"], *(_printed(m, row["figures"][name][m]) for m in metrics))
    means = (fmean(row["figures"][name][m] for row in rows) for m in metrics)
    cells = (_printed(m, mean) for m, mean in zip(metrics, means, strict=True))
    table.add_row(f"mean of {len(rows)}", *cells, style="bold")
    return table


def _printed(metric: str, value: float) -> str:
    return f"{value:.4f}" if metric == "bertscore_f1" else f"{value:.2f}"
