"""What `eval` and `judge` do alike: having open answers graded, and showing the grades."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relgraph._cli._evaluating import request
from relgraph.terminal import one_line, tell

if TYPE_CHECKING:
    from relgraph.records import Case, Prediction

Options = Mapping[str, Any]
NAMES = {
    "emotion": "grade 1-5",
    "er_score": "ER score",
    "source_target": "who of whom 0-2",
    "viewpoint": "viewpoint 0-4",
    "total": "sum 0-6",
}


def judge_run(
    options: Options,
    folder: Path,
    cases: Mapping[str, Sequence[Case]],
    answers: Mapping[str, Mapping[str, Prediction]],
) -> dict[str, Any]:
    """Returns the grades that the judges give a run's answers to ER and VP; {} without any.

    Raises:
        RelgraphError: a judge is unknown or cannot be reached.
    """
    from relgraph.evaluation.judging import judge_answers
    from relgraph.grading import RANGES
    from relgraph.registry import load

    if not any(cases.get(task) for task in RANGES):
        tell("note: the run has no instance of er or vp, so there is nothing to judge")
        return {}
    settings = request(options).settings
    asked = replace(
        settings,
        base_url=options["judge_url"] or settings.base_url,
        # several samples, so that repeats are drawn and not said again
        samples=max(settings.samples, options["repeats"]),
    )
    judges = [load("judge", "rubric")(replace(asked, model=name)) for name in options["judges"]]
    return judge_answers(
        folder, cases, answers, judges, repeats=options["repeats"], seed=settings.seed
    )


def show_judged(judged: Mapping[str, Any]) -> int:
    """Prints the grades as text; returns how many could not be had."""
    for line in judged_lines(judged):
        click.echo(one_line(line))
    return tell_failures(judged)


def tell_failures(judged: Mapping[str, Any]) -> int:
    """Tells why grades could not be had; returns how many."""
    failures = judged.get("failures", ())
    for failed in failures:
        tell(f"no grade of {failed['judge']}: {failed['n']} times, {failed['cause']}")
    return sum(failed["n"] for failed in failures)


def judged_lines(scores: Mapping[str, Any]) -> Iterator[str]:
    """Yields the judged scores as lines of text."""
    for task, of in scores.get("tasks", {}).items():
        yield ""
        yield f"{task.upper()} judged"
        for approach, judges in of["approaches"].items():
            for judge, row in judges.items():
                yield f"  {approach} by {judge}: {_standing(row)}"
        for row in of["agreement"]:
            one, other = row["judges"]
            who = f"{one} and {other}" if one != other else f"{one} with himself"
            kappa = "not defined" if row["kappa"] is None else f"{row['kappa']:.2f}"
            yield (
                f"  agreement on {NAMES[row['part']]}, {who}: kappa {kappa} on {row['n']} answers, "
                f"mean difference {row['mean_difference'] or 0:+.2f}"
            )


def _standing(row: Mapping[str, Any]) -> str:
    graded = f"{row['graded']} of {row['n']} graded"
    if not row["graded"]:
        return graded
    figures = ", ".join(
        f"{shown} {row[name]['value']:.2f}{_ends(row[name])}"
        for name, shown in NAMES.items()
        if name in row
    )
    sd = "" if row["sd_repeats"] is None else f"; sd of repeats {row['sd_repeats']:.2f}"
    effect = row["order_effect"]
    order = "" if effect is None else f"; order effect {effect:+.2f}"
    return f"{figures}; {graded}{sd}{order}"


def _ends(figure: Mapping[str, float | None]) -> str:
    low, high = figure["low"], figure["high"]
    return "" if low is None or high is None else f" [{low:.2f}, {high:.2f}]"
