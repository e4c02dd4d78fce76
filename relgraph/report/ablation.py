"""The plot of an ablation: what each variant gains or loses, with its interval, task by task."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from relgraph.errors import missing_package
from relgraph.files import whole

SHAPES = ("o", "s", "D", "^")
"""One for each variant that others are compared with, so that black and white will do."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
"""Okabe and Ito (2008): told apart by people who are colour-blind."""
PANEL_WIDTH, ROW_HEIGHT, MARGIN = 3.4, 0.28, 1.5


def plot_ablations(result: Mapping[str, Any], path: Path) -> bool:
    """Writes the differences as SVG; returns whether there were any to show.

    Args:
        result: the content of `ablations.json`.
        path: where to; it is written whole.

    Raises:
        MissingPackageError: matplotlib is not installed.
        RunError: the place cannot be written.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_package("matplotlib", "the plot", "pip install 'relgraph[plots]'") from None
    tasks = result["tasks"]
    names = [n for n in result["variants"] if any(_compared(t, n) for t in tasks.values())]
    if not names:
        return False
    # text stays text, and equal figures give equal bytes
    style = {"svg.fonttype": "none", "svg.hashsalt": "relgraph", "font.size": 9.0}
    with mpl.rc_context(dict[Any, Any](style)):
        size = (MARGIN + PANEL_WIDTH * len(tasks), MARGIN + ROW_HEIGHT * len(names))
        figure = Figure(figsize=size, layout="constrained")
        panels = figure.subplots(1, len(tasks), sharey=True, squeeze=False)[0]
        against = list(dict.fromkeys(result["variants"][n]["against"] for n in names))
        for panel, (name, task) in zip(panels, tasks.items(), strict=True):
            _panel(panel, name, task, names, against)
        stars = {n: n if result["variants"][n]["causal"] else f"{n} *" for n in names}
        panels[0].set_yticks(range(len(names)), list(stars.values()))
        panels[0].invert_yaxis()
        _legend(figure, against, noted=any(n != s for n, s in stars.items()))
        with whole(path) as part:
            figure.savefig(part, format="svg", metadata={"Date": None})
    return True


def _panel(
    panel: Any, name: str, task: Mapping[str, Any], names: list[str], against: list[str]
) -> None:
    scale = 100 if task["percent"] else 1
    panel.axvline(0, color="black", linewidth=0.8)
    for row, variant in enumerate(names):
        c = _compared(task, variant)
        if c is None:
            continue
        kind = against.index(c["against"])
        value, low, high = (None if v is None else scale * v for v in _ends(c))
        if low is not None and high is not None:
            panel.plot([low, high], [row, row], color=COLOURS[kind], linewidth=1.4)
        panel.plot(
            [value],
            [row],
            SHAPES[kind],
            color=COLOURS[kind],
            markersize=6,
            # hollow where the corrected test cannot tell it from nothing
            markerfacecolor=COLOURS[kind] if _is_sure(c) else "white",
        )
    unit = "points" if task["percent"] else "intensity"
    better = "lower" if task["lower_is_better"] else "higher"
    panel.set_title(f"{name.upper()} {task['metric'].replace('_', ' ')}")
    panel.set_xlabel(f"difference, {unit} ({better} is better)")
    panel.grid(axis="x", color="0.9")
    panel.set_axisbelow(True)


def _legend(figure: Any, against: list[str], *, noted: bool) -> None:
    from matplotlib.lines import Line2D

    marks = [
        Line2D([], [], marker=SHAPES[k], color=COLOURS[k], label=f"against {name}")
        for k, name in enumerate(against)
    ]
    note = "95% intervals; filled: p (Holm) below 0.05"
    if noted:
        note += "; * shows later descriptions earlier, no performance"
    figure.legend(handles=marks, loc="outside lower left", ncols=len(marks), title=note)


def _compared(task: Mapping[str, Any], variant: str) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] | None = task["variants"].get(variant, {}).get("compared")
    return found


def _ends(c: Mapping[str, Any]) -> tuple[float, float | None, float | None]:
    return c["difference"], c["low"], c["high"]


def _is_sure(c: Mapping[str, Any]) -> bool:
    return c["p_holm"] is not None and c["p_holm"] < 0.05
