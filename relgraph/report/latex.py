"""A comparison as a LaTeX table (package booktabs), to be read in by a paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from relgraph.terminal import one_line

ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "-": r"{-}",
}
"""Hyphens too: two in a row would become a dash."""


def escaped(text: str) -> str:
    """Returns the text as LaTeX prints it, on one line; nothing in it is a command."""
    return "".join(ESCAPES.get(sign, sign) for sign in one_line(text))


def latex_table(found: Mapping[str, Any]) -> str:
    """Returns the contrasts of a comparison as a `table`: primary ones first, then exploratory.

    Args:
        found: the content of `comparison.json`.
    """
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    rows: Sequence[Mapping[str, Any]] = found["contrasts"]
    primary = [row for row in rows if row["primary"]]
    rest = [row for row in rows if not row["primary"]]
    yield "% needs \\usepackage{booktabs} and \\usepackage{textcomp}"
    yield r"\begin{table}"
    yield r"\centering\small"
    yield r"\begin{tabular}{lllrrrrlrr}"
    yield r"\toprule"
    yield (
        r"task & first & minus second & $n$ & rel. & first & second & difference [95\%] "
        r"& $p$ & $p$ (Holm) \\"
    )
    for title, part in (
        (_primary_title(found["primary"]), primary),
        ("Exploratory (not corrected)", rest),
    ):
        if part:
            yield r"\midrule"
            yield rf"\multicolumn{{10}}{{l}}{{\emph{{{escaped(title)}}}}} \\"
            yield from map(_row, part)
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield rf"\caption{{{_caption(found)}}}"
    yield r"\end{table}"


def _primary_title(primary: Mapping[str, Any]) -> str:
    family = f"{primary['present']} of {primary['fixed']} in the runs"
    return f"Primary, fixed beforehand (Holm over the {family})"


def _row(row: Mapping[str, Any]) -> str:
    names = (escaped(row["task"].upper()), escaped(row["first"]), escaped(row["second"]))
    counts = (str(row["n"]), f"{row['relationships']}{'$^d$' if row['descriptive'] else ''}")
    values = (_number(row, row["first_value"]), _number(row, row["second_value"]))
    difference = _signed(row, row["difference"])
    if row["low"] is not None:
        difference += f" [{_signed(row, row['low'])}, {_signed(row, row['high'])}]"
    cells = (*names, *counts, *values, difference, _p(row["p"]), _p(row["p_holm"]))
    return " & ".join(cells) + r" \\"


def _number(row: Mapping[str, Any], value: float) -> str:
    return f"{100 * value:.1f}" if row["percent"] else f"{value:.2f}"


def _signed(row: Mapping[str, Any], value: float) -> str:
    text = f"{100 * value:+.1f}" if row["percent"] else f"{value:+.2f}"
    return f"${text}$"


def _p(p: float | None) -> str:
    if p is None:
        return "--"
    return "$<0.001$" if p < 0.001 else f"{p:.3f}"


def _caption(found: Mapping[str, Any]) -> str:
    metrics = {row["task"]: row["metric"].replace("_", " ") for row in found["contrasts"]}
    of = ", ".join(f"{escaped(task.upper())} {escaped(m)}" for task, m in metrics.items())
    few = any(row["descriptive"] for row in found["contrasts"])
    return (
        f"Paired differences on common instances, protocol {escaped(found['protocol'])}: {of}. "
        f"Shares in percent. Intervals: {escaped(found['intervals'])}; $p$ by sign flips of whole "
        f"relationships.{' $^d$: fewer than 10 relationships, descriptive.' if few else ''}"
    )
