"""A learning curve as tables for a terminal, and as a plot."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from relgraph.files import whole
from relgraph.terminal import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 100
MOST_COLUMNS = 3
MARKERS = "osD^v"
PANEL_INCHES = (4.2, 3.2)
NOTE = (
    "Values at 2 and 4 times the largest size are extrapolated from few points, by value = a - b "
    "n^-c: a guess, whose interval is that of other relationships tested and not of another law."
)


def show(curve: Mapping[str, Any], out: IO[str], *, width: int = WIDTH) -> None:
    """Prints a table a task: what each size reaches, and what the fit says of more.

    Args:
        curve: as `relgraph.evaluation.curve.run_curve` gives it.
        out: where to.
        width: columns.
    """
    console = Console(file=out, width=width, highlight=False)
    fitted = False
    for name, task in curve["tasks"].items():
        heading = f"{name.upper()} {task['title']}, protocol {curve['protocol']}: {task['n']} "
        heading += f"instances of {task['relationships']} relationships, {curve['folds']} folds"
        console.print(Text(heading, style="bold"))
        if not task["approaches"]:
            console.print(Text("No approach of this curve answers this task.", style="dim"))
            continue
        console.print(_table(task))
        for approach, of in task["approaches"].items():
            fitted |= of["fit"] is not None
            console.print(Text(one_line(f"{approach}: {_law(of)}"), style="dim"))
        console.print()
    console.print(Text(f"Shares in percent. Intervals: {curve['intervals']}.", style="dim"))
    if fitted:
        console.print(Text(NOTE, style="dim"))


def _table(task: Mapping[str, Any]) -> Table:
    metrics = dict.fromkeys(of["metric"] for of in task["approaches"].values() if of["metric"])
    table = Table(box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("approach", overflow="fold")
    for column in ("training relationships", "turns", "covered", " / ".join(metrics) or "-"):
        table.add_column(column, justify="right")
    for approach, of in task["approaches"].items():
        for point in of["points"]:
            size = f"{point['relationships']:.4g}"
            table.add_row(
                Text(one_line(approach)),
                f"all: {size}" if point["asked"] == "all" else size,
                f"{point['turns']:.0f}",
                f"{100 * point['coverage']:.0f}%",
                _figures(point, percent=of["percent"]),
            )
        for more in of["extrapolations"]:
            size, figures = f"{more['relationships']:.4g}", _figures(more, percent=of["percent"])
            row = (f"extrapolated: {size}", "", "", figures)
            table.add_row(Text(one_line(approach)), *row, style="dim")
    return table


def _figures(point: Mapping[str, Any], *, percent: bool) -> str:
    if point["value"] is None:
        return "-"
    value, low, high = (
        None if point[name] is None else _number(point[name], percent=percent)
        for name in ("value", "low", "high")
    )
    return f"{value}" if low is None else f"{value} [{low}, {high}]"


def _number(value: float, *, percent: bool) -> str:
    return f"{100 * value:.1f}" if percent else f"{value:.2f}"


def _law(of: Mapping[str, Any]) -> str:
    if of["fit"] is None:
        return f"no fit: {of['no_fit']}."
    a, b, c = (of["fit"][name] for name in ("a", "b", "c"))
    if not b:
        return f"value = {a:.3f}: it does not get better with the size."
    return f"value = {a:.3f} {'+' if of['lower_is_better'] else '-'} {b:.3f} n^-{c:.2f}"


def draw(curve: Mapping[str, Any], path: Path) -> None:
    """Writes the plot as SVG: a panel a task, the size on a logarithmic axis.

    Equal curves give equal files with one version of matplotlib.

    Raises:
        ImportError: matplotlib is not installed.
        RunError: the place cannot be written.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    tasks = {name: task for name, task in curve["tasks"].items() if task["approaches"]}
    columns = min(len(tasks), MOST_COLUMNS) or 1
    rows = -(-len(tasks) // columns) or 1
    with mpl.rc_context({"svg.hashsalt": "relgraph", "svg.fonttype": "none"}):
        size = (PANEL_INCHES[0] * columns, PANEL_INCHES[1] * rows)
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasSVG(figure)
        for place, (name, task) in enumerate(tasks.items(), start=1):
            _panel(figure.add_subplot(rows, columns, place), name, task)
        with whole(path) as part:
            figure.savefig(part, format="svg", metadata={"Date": None, "Creator": None})


def _panel(axes: Axes, name: str, task: Mapping[str, Any]) -> None:
    ticks: set[float] = set()
    for number, (approach, of) in enumerate(task["approaches"].items()):
        scale = 100 if of["percent"] else 1
        points = [p for p in of["points"] if p["value"] is not None]
        if not points:
            continue
        sizes = [p["relationships"] for p in points]
        values = [scale * p["value"] for p in points]
        below, above = zip(*(_reach(p, scale) for p in points), strict=True)
        colour = f"C{number}"
        axes.errorbar(
            sizes,
            values,
            yerr=(below, above),
            color=colour,
            marker=MARKERS[number % len(MARKERS)],
            capsize=3,
            label=one_line(approach).replace("$", r"\$"),
        )
        more = of["extrapolations"]
        if more:
            further = [sizes[-1], *(m["relationships"] for m in more)]
            told = [values[-1], *(scale * m["value"] for m in more)]
            reach = [(0.0, 0.0), *(_reach(m, scale) for m in more)]
            axes.errorbar(
                further,
                told,
                yerr=tuple(zip(*reach, strict=True)),
                color=colour,
                linestyle=":",
                marker="x",
                capsize=3,
                alpha=0.5,
            )
        ticks |= {*sizes, *(m["relationships"] for m in more)}
        axes.set_ylabel(f"{of['metric'].replace('_', ' ')}{', percent' if scale > 1 else ''}")
    axes.set_title(f"{name.upper()} {task['title']}")
    if not ticks:
        axes.text(0.5, 0.5, "nothing was answered", ha="center", va="center")
        return
    axes.set_xscale("log")
    axes.set_xticks(sorted(ticks), [f"{t:.3g}" for t in sorted(ticks)])
    axes.minorticks_off()
    axes.set_xlabel("training relationships (dotted: extrapolated)")
    axes.legend()


def _reach(point: Mapping[str, Any], scale: float) -> tuple[float, float]:
    """Returns how far the interval goes below and above the value; nowhere where there is none."""
    if point["low"] is None:
        return 0.0, 0.0
    value = point["value"]
    return scale * max(0.0, value - point["low"]), scale * max(0.0, point["high"] - value)
