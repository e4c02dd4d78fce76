"""What a run has to do: its plan, and the pieces that one fit answers each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from relgraph.approach import Approach
from relgraph.errors import DataError, RelgraphError
from relgraph.evaluation import plan
from relgraph.evaluation.plan import Request, Team
from relgraph.evaluation.store import Key
from relgraph.records import Case, Conversation
from relgraph.splits import Fold, relationships

ALL = -1
"""The fold number of answers that need no folds."""


@dataclass(frozen=True, slots=True)
class Data:
    """The conversations to evaluate on, and what to call them."""

    conversations: tuple[Conversation, ...]
    source: str
    digest: str


@dataclass(frozen=True, slots=True)
class Plan:
    """A run that nothing is done of yet.

    Attributes:
        what: all that decides on the answers, as it stands in `run.json`.
        request: what was asked for.
        team: the approaches.
        cases: what is tested, by task.
        conversations: all that the data holds.
        folds: none where no approach learns.
        seed: of every random draw.
    """

    what: Mapping[str, Any]
    request: Request
    team: Team
    cases: Mapping[str, tuple[Case, ...]]
    conversations: tuple[Conversation, ...]
    folds: tuple[Fold, ...]
    seed: int

    @property
    def folder_name(self) -> str:
        """A name for the run folder: equal for equal runs, so that the same command resumes."""
        digest = sha256(json.dumps(self.what, sort_keys=True).encode()).hexdigest()
        return f"{Path(self.what['data']['source']).stem}-{digest[:12]}"


@dataclass(frozen=True, slots=True)
class Job:
    """Cases that one fit answers, in the order they are asked: by conversation, task and turn."""

    fold: int
    train: tuple[Conversation, ...]
    tested: tuple[Conversation, ...]
    cases: tuple[Case, ...]


def prepare(request: Request, data: Data) -> Plan:
    """Returns the plan of a run.

    Raises:
        DataError: there is nothing to test.
        RelgraphError: approaches or folds cannot be as asked.
    """
    cases = plan.select(data.conversations, request)
    if not any(cases.values()):
        raise DataError(
            f"{data.source}: holds no instance of {', '.join(request.tasks)}. The tasks need "
            "annotated conversations of a couple or family; see `relgraph data stats`."
        )
    team = plan.assemble(request, data.conversations)
    folds = plan.split(data.conversations, request, team)
    _refuse_no_room(team, folds)
    what = plan.describe(
        request,
        data={"source": Path(data.source).name, "digest": data.digest},
        conversations=data.conversations,
        team=team,
        split_into=folds,
    )
    seed = request.settings.seed
    return Plan(what, request, team, cases, data.conversations, folds, seed)


def within_training(approach: Approach, team: Team) -> tuple[str, ...]:
    """Returns the needed approaches that an approach wants folds within the training of."""
    if not getattr(approach, "reads_training", False):
        return ()
    members = team.members
    return tuple(n for n in approach.needs if n in members and members[n].learns)


def _refuse_no_room(team: Team, folds: tuple[Fold, ...]) -> None:
    """Refuses folds whose training cannot be split again, where an approach needs that."""
    for name, approach in team.members.items():
        needed = within_training(approach, team)
        if needed and any(len(relationships(fold.train)) < 2 for fold in folds):
            raise RelgraphError(
                f"approach {name!r} reads what {needed[0]} says of its training conversations, "
                "from folds within them, and a training of this run has one relationship only. "
                "It needs at least 2 in each: add data, or more --folds."
            )


def jobs(todo: Plan, approach: Approach) -> Iterator[Job]:
    """Yields a job a fold for an approach that learns, one job for everything for another."""
    of: dict[str, list[Case]] = {c.id: [] for c in todo.conversations}
    for case in in_order(todo):
        if case.instance.task in approach.tasks:
            of[case.conversation_id].append(case)
    parts: list[tuple[int, tuple[Conversation, ...], tuple[Conversation, ...]]]
    parts = [(ALL, (), todo.conversations)]
    if approach.learns:
        parts = [(k, fold.train, fold.test) for k, fold in enumerate(todo.folds)]
    for number, train, test in parts:
        tested = tuple(c for c in test if of[c.id])
        if tested:
            yield Job(number, train, tested, tuple(case for c in tested for case in of[c.id]))


def in_order(todo: Plan) -> Iterator[Case]:
    """Yields all cases in the order in which they are asked: by conversation, task and turn."""
    of: dict[str, list[Case]] = {c.id: [] for c in todo.conversations}
    for cases in todo.cases.values():
        for case in cases:
            of[case.conversation_id].append(case)
    for own in of.values():
        yield from own


def file_order(todo: Plan) -> list[tuple[str, str]]:
    """Returns the items in the order of the finished file: approach, task, conversation, turn."""
    return [
        (name, case.instance.id)
        for name, approach in todo.team.members.items()
        for task, cases in todo.cases.items()
        if task in approach.tasks
        for case in cases
    ]


def key_of(name: str, fold: int, case: Case) -> Key:
    """Returns the key of what an approach says of a case."""
    place = case.conversation_id, case.turn, case.relationship
    return Key(name, case.instance.task, *place, fold)
