"""Runs approaches over folds and keeps every answer; it knows none of them by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from relgraph.approach import Approach, Findings, Fitted
from relgraph.errors import DataError, LeakError, RunError
from relgraph.evaluation import plan
from relgraph.evaluation._codec import invalid
from relgraph.evaluation.plan import Request, Team
from relgraph.evaluation.scores import Scoring, score
from relgraph.evaluation.store import Answer, Key, Store
from relgraph.progress import progress
from relgraph.records import Case, Conversation, Prediction, fingerprint
from relgraph.splits import Fold
from relgraph.terminal import tell

Given = Mapping[str, Mapping[str, Prediction]]
"""Approach -> instance -> what it said in another run."""
ALL = -1
"""The fold number of answers that need no folds."""
FACTS = ("notice", "prompt_hash", "identity")
"""What a fitted approach may say of itself: for the reader, and to be equal when resumed."""


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run.

    Attributes:
        folder: where its files are.
        scores: what `scores.json` holds.
        answers: approach -> instance -> prediction.
        failed: number of items without an answer.
    """

    folder: Path
    scores: Mapping[str, Any]
    answers: Mapping[str, Mapping[str, Prediction]]
    failed: int


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
        team: the approaches.
        cases: what is tested, by task.
        conversations: all that the data holds.
        folds: none where no approach learns.
        seed: of every random draw.
    """

    what: Mapping[str, Any]
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
    what = plan.describe(
        request,
        data={"source": Path(data.source).name, "digest": data.digest},
        conversations=data.conversations,
        team=team,
        split_into=folds,
    )
    return Plan(what, team, cases, data.conversations, folds, request.settings.seed)


@dataclass(frozen=True, slots=True)
class Job:
    """Cases that one fit answers, in the order they are asked: by conversation, task and turn."""

    fold: int
    train: tuple[Conversation, ...]
    tested: tuple[Conversation, ...]
    cases: tuple[Case, ...]


def run(
    todo: Plan,
    folder: Path,
    *,
    retry_failed: bool = False,
    scoring: Scoring | None = None,
    given: Given | None = None,
) -> Run:
    """Returns the finished run; what `folder` already holds of it is not done again.

    Args:
        todo: what to do.
        folder: the run folder; made if need be.
        retry_failed: asks failed items again.
        scoring: similarities of phrases to score with; seed and floors are the run's.
        given: findings of approaches that are needed and take no part in this run.

    Raises:
        RelgraphError: the folder holds another run or is in use.
        LeakError: an approach was trained on what it is tested on.
        RunError: an approach gave something that is no answer to what it was asked.
    """
    with Store(folder) as store:
        store.begin(todo.what, {"versions": plan.versions()})
        store.keep_only(_fitting(todo))
        try:
            for approach in todo.team.members.values():
                for job in _jobs(todo, approach):
                    _work(store, approach, job, given or {}, seed=todo.seed, retry=retry_failed)
        except BaseException:
            tell(f"note: answers so far are kept in {folder}")
            raise
        answers: dict[str, dict[str, Prediction]] = {name: {} for name in todo.team.members}
        for (name, instance), answer in store.answers.items():
            answers[name][instance] = answer.prediction
        how = replace(scoring or Scoring(), floors=todo.team.floors, seed=todo.seed)
        scores = {"protocol": todo.what["protocol"], **score(todo.cases, answers, how)}
        store.finish(_order(todo), scores)
    failed = sum(bool(p.failure) for of in answers.values() for p in of.values())
    return Run(folder, scores, answers, failed)


def _fitting(todo: Plan) -> Callable[[Answer], bool]:
    """Returns what tells whether a kept answer is one to what the run asks."""
    asked = {
        (name, case.instance.id): (job.fold, case)
        for name, approach in todo.team.members.items()
        for job in _jobs(todo, approach)
        for case in job.cases
    }

    def fits(answer: Answer) -> bool:
        name = answer.key.approach
        found = asked.get((name, answer.prediction.instance))
        if found is None:
            return False
        fold, case = found
        key = _key(name, fold, case)
        return answer.key == key and not invalid(answer.prediction, case.instance)

    return fits


def _key(name: str, fold: int, case: Case) -> Key:
    place = case.conversation_id, case.turn, case.relationship
    return Key(name, case.instance.task, *place, fold)


def _order(todo: Plan) -> list[tuple[str, str]]:
    """Returns the items in the order of the finished file: approach, task, conversation, turn."""
    return [
        (name, case.instance.id)
        for name, approach in todo.team.members.items()
        for task, cases in todo.cases.items()
        if task in approach.tasks
        for case in cases
    ]


def _jobs(todo: Plan, approach: Approach) -> Iterator[Job]:
    """Yields a job a fold for an approach that learns, one job for everything for another."""
    of: dict[str, list[Case]] = {c.id: [] for c in todo.conversations}
    for task, cases in todo.cases.items():
        for case in cases if task in approach.tasks else ():
            of[case.conversation_id].append(case)
    parts: list[tuple[int, tuple[Conversation, ...], tuple[Conversation, ...]]]
    parts = [(ALL, (), todo.conversations)]
    if approach.learns:
        parts = [(k, fold.train, fold.test) for k, fold in enumerate(todo.folds)]
    for number, train, test in parts:
        tested = tuple(c for c in test if of[c.id])
        if tested:
            yield Job(number, train, tested, tuple(case for c in tested for case in of[c.id]))


def _work(
    store: Store, approach: Approach, job: Job, given: Given, *, seed: int, retry: bool
) -> None:
    name = approach.name
    pending = [c for c in job.cases if _open(store, name, c, retry)]
    if not pending:
        return
    fitted = approach.fit(job.train, seed=seed)
    _refuse_leak(name, fitted, job.tested, by_fold=job.fold != ALL)
    store.note(name, {k: v for k in FACTS if isinstance(v := getattr(fitted, k, None), str)})
    if getattr(fitted, "restarts_unit", getattr(approach, "restarts_unit", False)):
        pending = _whole_units(store, name, job.cases, pending)
    label = name if job.fold == ALL else f"{name}, fold {job.fold + 1}"
    with progress(label, len(pending)) as advance:
        findings = _findings(store, approach.needs, pending, given)
        for answer in _ask(approach, fitted, job.fold, pending, findings):
            store.add(answer)
            advance(1)


def _open(store: Store, name: str, case: Case, retry: bool) -> bool:
    answer = store.answers.get((name, case.instance.id))
    return answer is None or (retry and bool(answer.prediction.failure))


def _whole_units(
    store: Store, name: str, cases: Sequence[Case], pending: Sequence[Case]
) -> list[Case]:
    """Returns the cases of every unit (conversation, task) that has a pending one.

    Answers of such a unit are marked as superseded: an engine that keeps the shared part of the
    prompts would not give bit-equal answers when it starts in the middle.
    """
    units = dict.fromkeys((c.conversation_id, c.instance.task) for c in pending)
    whole = [c for c in cases if (c.conversation_id, c.instance.task) in units]
    begun = (c for c in whole if (name, c.instance.id) in store.answers)
    for conversation, task in dict.fromkeys((c.conversation_id, c.instance.task) for c in begun):
        store.restart(name, conversation, task)
    return whole


def _findings(store: Store, needs: Sequence[str], cases: Sequence[Case], given: Given) -> Findings:
    """Returns what the needed approaches said of the cases, here or else in another run."""
    asked = {c.instance.id for c in cases}
    here: dict[str, dict[str, Prediction]] = {name: dict(given.get(name, {})) for name in needs}
    for (name, instance), answer in store.answers.items():
        if name in here:
            here[name][instance] = answer.prediction
    return {name: {i: p for i, p in of.items() if i in asked} for name, of in here.items()}


def _ask(
    approach: Approach, fitted: Fitted, fold: int, cases: Sequence[Case], findings: Findings
) -> Iterator[Answer]:
    """Yields the answers to `cases` as they come; each has to be one to the case in its turn."""
    name = approach.name
    said: Iterable[Prediction] = fitted.predict([c.instance for c in cases], findings)
    count = 0
    for prediction in said:
        if count == len(cases):
            raise RunError(f"approach {name} gave more predictions than the {count} asked for.")
        case = cases[count]
        if wrong := invalid(prediction, case.instance):
            raise RunError(
                f"approach {name}, task {case.instance.task}, conversation "
                f"{case.conversation_id}, turn {case.turn}: its prediction {wrong}."
            )
        yield Answer(_key(name, fold, case), prediction)
        count += 1
    if count < len(cases):
        raise RunError(f"approach {name} gave {count} predictions, {len(cases)} were asked for.")


def _refuse_leak(
    name: str, fitted: Fitted, tested: Sequence[Conversation], *, by_fold: bool
) -> None:
    """Refuses an approach that was trained on a tested conversation or relationship.

    Raises:
        LeakError: with the list of the conversations.
    """
    known: frozenset[str] = getattr(fitted, "trained_relationships", frozenset())
    shared = [
        c.id for c in tested if fingerprint(c) in fitted.trained_on or c.relationship in known
    ]
    if shared:
        lines = "\n".join(f"  {conversation}" for conversation in shared)
        hint = (
            "the same words stand in conversations of several relationships: take the copies out, "
            "or put them into one relationship with --relationships."
            if by_fold
            else "test on other conversations, or train by fold (no --checkpoint)."
        )
        hint = getattr(fitted, "leak_hint", "") or hint
        raise LeakError(
            f"approach {name} was trained on {len(shared)} of the {len(tested)} conversations "
            f"under test, or on others of the same relationships:\n{lines}\nhint: {hint}"
        )
