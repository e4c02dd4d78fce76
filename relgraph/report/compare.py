"""The plot of a comparison: every difference with its interval, task by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from relgraph.errors import RelgraphError, missing_package
from relgraph.files import whole
from relgraph.terminal import one_line

FORMATS = (".svg", ".png", ".pdf")
PRIMARY, EXPLORATORY = "#0072b2", "#888888"
"""Okabe and Ito (2008); black and white will do, as the marks differ too."""
PANEL_WIDTH, ROW_HEIGHT, MARGIN = 3.4, 0.3, 1.6
NOTE = "95% intervals; filled: p (Holm) below 0.05"


def format_of(path: Path) -> str:
    """Returns the format of a plot by its file's name.

    Raises:
        RelgraphError: it is none of `FORMATS`.
    """
    if path.suffix.lower() not in FORMATS:
        raise RelgraphError(
            f"{path}: got the ending {path.suffix or '(none)'!r}, wanted {', '.join(FORMATS)}."
        )
    return path.suffix.lower()[1:]


def plot_comparison(found: Mapping[str, Any], path: Path) -> None:
    """Writes the differences as a plot: a panel a task, a row a contrast, primary ones above.

    Equal comparisons give equal files with one version of matplotlib.

    Args:
        found: the content of `comparison.json`.
        path: where to; its ending says whether SVG, PNG or PDF.

    Raises:
        MissingPackageError: matplotlib is not installed.
        RelgraphError: the ending is another one.
        RunError: the place cannot be written.
    """
    kind = format_of(path)
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_package("matplotlib", "the plot", "pip install 'relgraph[plots]'") from None
    rows: Sequence[Mapping[str, Any]] = sorted(
        found["contrasts"], key=lambda row: not row["primary"]
    )
    tasks = [name for name in found["tasks"] if any(row["task"] == name for row in rows)]
    names = list(dict.fromkeys((row["first"], row["second"]) for row in rows))
    style = {"svg.fonttype": "none", "svg.hashsalt": "relgraph", "font.size": 9.0}
    with mpl.rc_context(dict[Any, Any](style)):
        size = (MARGIN + PANEL_WIDTH * len(tasks), MARGIN + ROW_HEIGHT * len(names))
        figure = Figure(figsize=size, layout="constrained")
        panels = figure.subplots(1, len(tasks), sharey=True, squeeze=False)[0]
        for panel, task in zip(panels, tasks, strict=True):
            _panel(panel, [row for row in rows if row["task"] == task], names)
        labels = [_plain(f"{first} - {second}") for first, second in names]
        panels[0].set_yticks(range(len(names)), labels)
        panels[0].invert_yaxis()
        _legend(figure)
        dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
        with whole(path) as part:
            figure.savefig(part, format=kind, metadata=dates)


def _panel(panel: Any, rows: Sequence[Mapping[str, Any]], names: Sequence[tuple[str, str]]) -> None:
    panel.axvline(0, color="black", linewidth=0.8)
    for row in rows:
        scale = 100 if row["percent"] else 1
        place = names.index((row["first"], row["second"]))
        colour = PRIMARY if row["primary"] else EXPLORATORY
        if row["low"] is not None:
            ends = [scale * row["low"], scale * row["high"]]
            panel.plot(ends, [place, place], color=colour, linewidth=1.4)
        sure = row["p_holm"] is not None and row["p_holm"] < 0.05
        panel.plot(
            [scale * row["difference"]],
            [place],
            "s" if row["primary"] else "o",
            color=colour,
            markersize=6,
            markerfacecolor=colour if sure else "white",
        )
    unit = "points" if rows[0]["percent"] else "intensity"
    better = "lower" if rows[0]["lower_is_better"] else "higher"
    panel.set_title(f"{rows[0]['task'].upper()} {rows[0]['metric'].replace('_', ' ')}")
    panel.set_xlabel(f"difference, {unit} ({better} is better)")
    panel.grid(axis="x", color="0.9")
    panel.set_axisbelow(True)


def _legend(figure: Any) -> None:
    from matplotlib.lines import Line2D

    marks = [
        Line2D([], [], marker="s", color=PRIMARY, label="primary, fixed beforehand"),
        Line2D([], [], marker="o", color=EXPLORATORY, label="exploratory, not corrected"),
    ]
    figure.legend(handles=marks, loc="outside lower left", ncols=2, title=NOTE)


def _plain(name: str) -> str:
    """Returns a name that neither a terminal nor the formulas of matplotlib obey."""
    return one_line(name).replace("$", r"\$")
