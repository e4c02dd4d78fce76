"""What a run may cost: told before it begins, and agreed to."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from relgraph.terminal import agreed, tell

if TYPE_CHECKING:
    from relgraph.approach import Approach
    from relgraph.evaluation.runner import Plan
    from relgraph.records import Instance
    from relgraph.spending import Estimate

ASKED_ABOVE_USD = 1.0
"""A run that may cost more is begun only when somebody says so."""


def agree(
    plans: Sequence[Plan],
    folder: Path,
    *,
    retry_failed: bool = False,
    yes: bool = False,
    max_cost_usd: float = 0.0,
) -> None:
    """Tells on stderr what is still to be paid for, and asks whether it may be where it is much.

    Args:
        plans: the run, as `prepare_seeds` gives it.
        folder: its folder; what is answered there is not asked again.
        retry_failed: whether failed items are asked again.
        yes: do not ask.
        max_cost_usd: most that the run may spend, if that is limited.

    Raises:
        UsageError: it is much, nobody can be asked, and it was not agreed to beforehand.
        Exit: it is not to be spent.
    """
    from relgraph.spending import FILE, Ledger

    estimates = list(_estimates(plans, folder, retry_failed=retry_failed))
    for name, found in estimates:
        if found.questions:
            tell(f"estimate: {name}, {_figures(found)}")
    total = sum(found.cost_usd or 0.0 for _, found in estimates)
    if sum(found.cost_usd is not None and found.questions > 0 for _, found in estimates) > 1:
        tell(f"estimate: together {_dollars(total)}")
    if max_cost_usd:
        left = max(0.0, max_cost_usd - Ledger(folder / FILE).spent_usd)
        total = min(total, left)
    if total <= ASKED_ABOVE_USD or yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError(
            f"this run may cost up to {total:.2f} USD, which is above {ASKED_ABOVE_USD:g} USD; "
            "agree with --yes, or limit it with --max-cost."
        )
    if not agreed(f"This run may cost up to {total:.2f} USD. Go on?"):
        tell("nothing was asked")
        raise click.exceptions.Exit(1)


def _figures(found: Estimate) -> str:
    cost = "cost not known (--prices)"
    if found.cost_usd is not None:
        cost = _dollars(found.cost_usd)
    return (
        f"{found.model}: {found.questions:,} questions, about {found.prompt_tokens:,} tokens read, "
        f"at most {found.answer_tokens:,} written, {cost}"
    )


def _dollars(cost_usd: float) -> str:
    return f"{cost_usd:.4f} USD" if cost_usd < 1 else f"{cost_usd:.2f} USD"


def _estimates(
    plans: Sequence[Plan], folder: Path, *, retry_failed: bool
) -> Iterator[tuple[str, Estimate]]:
    for number, todo in enumerate(plans):
        home = folder / f"seed-{todo.seed}" if number else folder
        answered = _answered(home, retry_failed=retry_failed)
        for name, approach in todo.team.members.items():
            estimate = getattr(approach, "estimate", None)
            found = estimate(_open(todo, approach, answered)) if estimate else None
            if found is not None:
                yield name, found


def _open(todo: Plan, approach: Approach, answered: set[tuple[str, str]]) -> list[Instance]:
    return [
        case.instance
        for task, cases in todo.cases.items()
        if task in approach.tasks
        for case in cases
        if (approach.name, case.instance.id) not in answered
    ]


def _answered(folder: Path, *, retry_failed: bool) -> set[tuple[str, str]]:
    from relgraph.evaluation.store import RUN, Store

    if not (folder / RUN).is_file():
        return set()
    _, store = Store.look(folder)
    return {
        place
        for place, answer in store.answers.items()
        if not (retry_failed and answer.prediction.failure)
    }
