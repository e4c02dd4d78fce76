"""What an approach is given for one instance: as in a run, or fitted on the other relationships."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from relgraph.approach import Approach, Findings
from relgraph.errors import DataError, RelgraphError
from relgraph.evaluation import inner
from relgraph.evaluation.jobs import Data, Job, Plan, prepare, within_training
from relgraph.evaluation.plan import Request
from relgraph.evaluation.store import Store
from relgraph.records import Case, Conversation, Prediction
from relgraph.splits import Fold, relationships
from relgraph.terminal import tell

INNER = "inner"


@dataclass(frozen=True, slots=True)
class Given:
    """What an approach learns from and is told for one instance.

    Attributes:
        train: conversations of other relationships.
        findings: what the needed approaches said.
    """

    train: tuple[Conversation, ...] = ()
    findings: Findings = field(default_factory=dict)


def from_run(folder: Path, approach: Approach, case: Case, data: Data) -> Given:
    """Returns what an approach was given for a case in a run, as its folder has it.

    Raises:
        DataError: it is no run folder, or of other data, or has nothing of the case yet.
    """
    run, store = Store.look(folder)
    what = run["what"]
    if what["data"]["digest"] != data.digest:
        raise DataError(f"{folder}: is a run on other data than {data.source}. Name that file.")
    findings: dict[str, dict[str, Prediction]] = {name: {} for name in approach.needs}
    for (name, instance), answer in store.answers.items():
        if name in findings:
            findings[name][instance] = answer.prediction
    for name, said in findings.items():
        if case.instance.id not in said:
            raise DataError(
                f"{folder}: has no answer of {name} to this decision. Choose one that the run has "
                "answered, or leave out --run to fit it here."
            )
    own = case.relationship or case.conversation_id
    number = next((k for k, names in enumerate(what["folds"]) if own in names), None)
    if number is None:
        return Given((), findings)
    tested = set(what["folds"][number])
    train = tuple(c for c in data.conversations if (c.relationship or c.id) not in tested)
    if getattr(approach, "reads_training", False):
        for name, said in findings.items():
            said.update(_within(folder / INNER / f"{name}-fold-{number + 1}", name))
    return Given(train, findings)


def _within(folder: Path, name: str) -> Iterator[tuple[str, Prediction]]:
    if folder.is_dir():
        for (by, instance), answer in Store.look(folder)[1].answers.items():
            if by == name:
                yield instance, answer.prediction


def differing(folder: Path, settings: Mapping[str, Any]) -> Iterator[str]:
    """Yields in words which of some settings are not those of a run."""
    known = Store.look(folder)[0]["what"]["settings"]
    for name, value in settings.items():
        before = known.get(name)
        if name in known and before != (list(value) if isinstance(value, tuple) else value):
            yield f"{name}: the run has {before!r}, this prompt {value!r}"


def from_others(approach: Approach, case: Case, data: Data, request: Request) -> Given:
    """Returns what an approach is given for a case when all other relationships train.

    What it needs is fitted here, and what it said of training instances comes from folds within.

    Raises:
        RelgraphError: the data has no other relationship.
    """
    own = case.relationship or case.conversation_id
    train = tuple(c for c in data.conversations if (c.relationship or c.id) != own)
    count = len(relationships(data.conversations))
    if not train:
        raise RelgraphError(
            f"{data.source}: holds one relationship alone, and approach {approach.name!r} learns "
            "from others. Name a run with --run, or a file with more of them."
        )
    todo = prepare(replace(request, folds=min(5, count)), data)
    tested = tuple(c for c in data.conversations if (c.relationship or c.id) == own)
    todo = replace(todo, folds=(Fold(train, tested),))
    job = Job(0, train, tested, (case,))
    findings = {name: _said(todo, job, name) for name in approach.needs}
    with TemporaryDirectory() as folder:
        for name in within_training(approach, todo.team):
            findings[name] |= inner.predictions(todo, job, name, Path(folder))
    return Given(train, findings)


def _said(todo: Plan, job: Job, name: str) -> dict[str, Prediction]:
    """What a needed approach, fitted to a job's training, says of its cases."""
    approach = todo.team.members[name]
    instances = [case.instance for case in job.cases]
    if approach.learns:
        tell(
            f"note: fitting {name} on {len(job.train)} conversations of "
            f"{len(relationships(job.train))} other relationships; --run takes what a run has"
        )
    findings = {needed: _said(todo, job, needed) for needed in approach.needs}
    fitted = approach.fit(job.train if approach.learns else (), seed=todo.seed)
    return {p.instance: p for p in fitted.predict(instances, findings)}


def case_at(cases: Sequence[Case], turn: int, *, where: str) -> Case:
    """Returns the case that is decided at a turn.

    Raises:
        RelgraphError: there is none; the message lists the turns that have one.
    """
    by_turn = {case.turn: case for case in cases}
    if turn not in by_turn:
        places = ", ".join(map(str, by_turn)) or "none, for want of annotations"
        raise RelgraphError(
            f"{where}: nothing is decided at turn {turn}. Turns with a decision: {places}."
        )
    return by_turn[turn]
