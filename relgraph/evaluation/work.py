"""Does what is left of a run: fits, hands over findings, asks, and keeps every answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge

from relgraph.approach import Approach, Findings, Fitted
from relgraph.errors import LeakError, RunError
from relgraph.evaluation._codec import invalid
from relgraph.evaluation.jobs import ALL, Job, Plan, in_order, jobs, key_of, within_training
from relgraph.evaluation.store import Answer, Store
from relgraph.progress import progress
from relgraph.records import Case, Conversation, Prediction, fingerprint

Given = Mapping[str, Mapping[str, Prediction]]
"""Approach -> instance -> what it said in another run."""
Within = Callable[[Job, str], Mapping[str, Prediction]]
"""Gives what an approach that learns says of a job's training instances, from folds within."""
FACTS = ("notice", "prompt_hash", "identity")
"""What a fitted approach may say of itself: for the reader, and to be equal when resumed."""


@dataclass(frozen=True, slots=True)
class Stint:
    """A fitted approach and the cases of its job that it has still to answer."""

    approach: Approach
    job: Job
    fitted: Fitted
    cases: Sequence[Case]

    @property
    def label(self) -> str:
        """What a person who waits for it reads."""
        name, fold = self.approach.name, self.job.fold
        return name if fold == ALL else f"{name}, fold {fold + 1}"


@dataclass(frozen=True, slots=True)
class Work:
    """A run that is being worked on.

    Attributes:
        store: where its answers are and go to.
        todo: what to do.
        given: findings of approaches that are needed and take no part.
        within: predictions of training instances.
        label: stands before what is said of progress.
    """

    store: Store
    todo: Plan
    given: Given
    within: Within
    label: str = ""

    def finish(self, *, retry: bool) -> None:
        """Answers all that is not answered yet.

        Approaches work one after the other, each after those it needs. Those that say of
        themselves, fitted, that they are best asked `in_step` answer instance by instance in
        turn: what they read of a conversation is then read once for all of them.

        Args:
            retry: whether failed items are asked again.
        """
        if retry:
            self._reopen()
        left = list(self.todo.team.members.values())
        while left:
            later: list[Approach] = []
            in_step: list[Stint] = []
            for approach in left:
                unsaid = {a.name for a in later} | {s.approach.name for s in in_step}
                if unsaid & set(approach.needs):
                    later.append(approach)
                    continue
                for job in jobs(self.todo, approach):
                    stint = self._begin(approach, job, retry=retry)
                    if stint and getattr(stint.fitted, "in_step", False):
                        in_step.append(stint)
                    elif stint:
                        self._answer([stint])
            self._answer(in_step)
            left = later

    def _reopen(self) -> None:
        """Marks answers as superseded that were learnt from answers which are asked again.

        It is done before anything is asked, so that a run that is killed in between knows it too.
        """
        failed = {name for (name, _), a in self.store.answers.items() if a.prediction.failure}
        for approach in self.todo.team.members.values():
            learnt = within_training(approach, self.todo.team)
            reads = getattr(approach, "reads_training", False)
            if not reads or not failed & (set(approach.needs) - set(learnt)):
                continue
            keys = [a.key for (name, _), a in self.store.answers.items() if name == approach.name]
            for conversation, task in dict.fromkeys((k.conversation, k.task) for k in keys):
                self.store.restart(approach.name, conversation, task)

    def _begin(self, approach: Approach, job: Job, *, retry: bool) -> Stint | None:
        """Returns the fitted approach with what it has to answer; None for nothing."""
        name, store = approach.name, self.store
        pending = [c for c in job.cases if _open(store, name, c, retry)]
        if not pending:
            return None
        fitted = approach.fit(job.train, seed=self.todo.seed)
        _refuse_leak(name, fitted, job.tested, by_fold=job.fold != ALL)
        store.note(name, {k: v for k in FACTS if isinstance(v := getattr(fitted, k, None), str)})
        if getattr(fitted, "restarts_unit", getattr(approach, "restarts_unit", False)):
            pending = _whole_units(store, name, job.cases, pending)
        return Stint(approach, job, fitted, pending)

    def _answer(self, stints: Sequence[Stint]) -> None:
        """Keeps the answers of fitted approaches, asked in turn where there are several."""
        if not stints:
            return
        place = {case.instance.id: k for k, case in enumerate(in_order(self.todo))}
        asked = [_ask(s, self._findings(s)) for s in stints]
        turns = merge(*(_places(k, s.cases, place) for k, s in enumerate(stints)))
        label = self.label + ", ".join(dict.fromkeys(s.label for s in stints))
        with progress(label, sum(len(s.cases) for s in stints)) as advance:
            for _, k in turns:
                self.store.add(next(asked[k]))
                advance(1)
            for answers in asked:
                next(answers, None)

    def _findings(self, stint: Stint) -> Findings:
        """Returns what the needed approaches said: of the asked cases, and of training ones.

        The latter only for an approach that reads them: from this run, or another, where the
        needed approach learns nothing, else from folds within the training conversations.
        """
        approach, job = stint.approach, stint.job
        here: dict[str, dict[str, Prediction]] = {
            name: dict(self.given.get(name, {})) for name in approach.needs
        }
        # in the order of the cases, whichever was answered first: sums depend on it
        for case in in_order(self.todo):
            for name in here:
                answer = self.store.answers.get((name, case.instance.id))
                if answer is not None:
                    here[name][case.instance.id] = answer.prediction
        asked = {c.instance.id for c in stint.cases}
        learnt = within_training(approach, self.todo.team)
        trained = self._trained(job) if getattr(approach, "reads_training", False) else set()
        found = {
            name: {
                i: p for i, p in of.items() if i in asked or (name not in learnt and i in trained)
            }
            for name, of in here.items()
        }
        return {n: {**self.within(job, n), **of} if n in learnt else of for n, of in found.items()}

    def _trained(self, job: Job) -> set[str]:
        """The run's instances in the job's training conversations."""
        train = {c.id for c in job.train}
        cases = (case for of in self.todo.cases.values() for case in of)
        return {case.instance.id for case in cases if case.conversation_id in train}


def fitting(todo: Plan) -> Callable[[Answer], bool]:
    """Returns what tells whether a kept answer is one to what the run asks."""
    asked = {
        (name, case.instance.id): (job.fold, case)
        for name, approach in todo.team.members.items()
        for job in jobs(todo, approach)
        for case in job.cases
    }

    def fits(answer: Answer) -> bool:
        name = answer.key.approach
        found = asked.get((name, answer.prediction.instance))
        if found is None:
            return False
        fold, case = found
        key = key_of(name, fold, case)
        return answer.key == key and not invalid(answer.prediction, case.instance)

    return fits


def _places(
    number: int, cases: Sequence[Case], place: Mapping[str, int]
) -> Iterator[tuple[int, int]]:
    yield from ((place[case.instance.id], number) for case in cases)


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


def _ask(stint: Stint, findings: Findings) -> Iterator[Answer]:
    """Yields the answers to a stint's cases as they come; each to its case.

    An approach that can give its predictions in any order does: what is answered is then kept at
    once, and a slow answer does not hold back those behind it from being saved.
    """
    name, cases = stint.approach.name, stint.cases
    as_they_come = getattr(stint.fitted, "predict_any_order", None)
    predict = as_they_come or stint.fitted.predict
    said: Iterable[Prediction] = predict([c.instance for c in cases], findings)
    left = {c.instance.id: c for c in cases}
    for prediction in said:
        if not left:
            raise RunError(
                f"approach {name} gave more predictions than the {len(cases)} asked for."
            )
        due = next(iter(left))
        case = left.pop(prediction.instance if as_they_come else due, None) or left[due]
        if wrong := invalid(prediction, case.instance):
            raise RunError(
                f"approach {name}, task {case.instance.task}, conversation "
                f"{case.conversation_id}, turn {case.turn}: its prediction {wrong}."
            )
        yield Answer(key_of(name, stint.job.fold, case), prediction)
    if left:
        given = len(cases) - len(left)
        raise RunError(f"approach {name} gave {given} predictions, {len(cases)} were asked for.")


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
