"""What `compare` and `study` do alike: prompts looked up, files written, tables printed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from relgraph.errors import MissingPackageError
from relgraph.terminal import printable_json, tell

TABLE, PLOT, TEXT = "comparison.tex", "comparison.svg", "comparison.txt"


def recall_of(calls: str) -> Callable[[str], Mapping[str, str] | None]:
    """Returns what finds the prompt and the reply of a call.

    Args:
        calls: file of the call cache; "" for the user's own, `none` for no cache.
    """
    from relgraph.calls import recall

    def found(key: str) -> Mapping[str, str] | None:
        call = recall(key, calls)
        if call is None:
            return None
        prompt = "\n\n".join(f"[{role}]\n{text}" for role, text in call.messages)
        letters = call.reply.get("letters")
        return {"prompt": prompt, "reply": call.text or (json.dumps(letters) if letters else "")}

    return found


def write_folder(found: Mapping[str, Any], folder: Path) -> None:
    """Writes the comparison as JSON, as a text with all details, for LaTeX and as a plot.

    The plot only where matplotlib is.
    """
    from io import StringIO

    from relgraph.evaluation.comparing.comparison import COMPARISON
    from relgraph.evaluation.comparing.tables import show_comparison
    from relgraph.files import write_json, write_text
    from relgraph.report.compare import plot_comparison
    from relgraph.report.latex import latex_table

    write_json(folder / COMPARISON, found)
    write_text(folder / TABLE, latex_table(found))
    text = StringIO()
    show_comparison(found, text, details=True)
    write_text(folder / TEXT, text.getvalue())
    try:
        plot_comparison(found, folder / PLOT)
    except MissingPackageError as error:
        tell(f"note: {error}")
    tell(f"comparison: {folder / COMPARISON}")


def show(found: Mapping[str, Any], *, as_json: bool, details: bool) -> None:
    """Prints the comparison on stdout: tables, or JSON."""
    from relgraph.evaluation.comparing.tables import show_comparison

    tell_missing(found)
    if as_json:
        text = json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False)
        click.echo(printable_json(text))
    else:
        show_comparison(found, sys.stdout, details=details)


def tell_missing(found: Mapping[str, Any]) -> None:
    """Says where examples stand without the prompts of an LLM."""
    items = [
        item[side]
        for row in found["contrasts"]
        for of in row.get("examples", {}).values()
        for item in of
        for side in ("first", "second")
    ]
    absent = sum(bool(item["asked"]) and "calls" not in item for item in items)
    if absent:
        tell(
            f"note: {absent} of {len(items)} answers in the examples are shown without their "
            "prompts: the call cache does not have them. --calls names the one of the run."
        )
