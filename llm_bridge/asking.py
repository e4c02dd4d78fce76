"""The approaches that ask an LLM: one instance, one prompt, one answer out of the closed set."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import chain, groupby

from relgraph.approach import Findings, Settings
from relgraph.errors import RelgraphError
from relgraph.llm_bridge.answers import read_answer, read_letters
from relgraph.llm_bridge.backends._base import Backend, Reply
from relgraph.llm_bridge.probe import prompt_hash
from relgraph.llm_bridge.prompts import Layout, Prompt, content_free, render
from relgraph.llm_bridge.prompts.paper import BATCH
from relgraph.llm_bridge.summary import SummaryOf
from relgraph.records import Conversation, Cost, Instance, Prediction
from relgraph.registry import load, names
from relgraph.terminal import tell


@dataclass(slots=True)
class AskingApproach:
    """Asks an LLM, with or without a summary of the interaction in the prompt. Nothing is learnt.

    No gold answer ever enters a prompt: `fit` reads none.
    """

    name: str
    settings: Settings
    summary_of: SummaryOf | None = None
    tasks: frozenset[str] = field(default_factory=lambda: frozenset(names("task")))
    needs: tuple[str, ...] = ()
    learns: bool = False

    def fit(self, train: Sequence[Conversation], *, seed: int) -> Asking:
        """Returns the approach ready to ask; `train` is not read.

        Raises:
            RelgraphError: the model in `settings.model` is unknown, absent or not the one meant.
        """
        del train
        settings = replace(self.settings, seed=seed)
        return Asking(settings, open_model(settings), summary_of=self.summary_of)


@dataclass(frozen=True, slots=True)
class Model:
    """A backend, and its replies without a conversation, by the prompt's key."""

    backend: Backend
    priors: dict[str, Reply] = field(default_factory=dict)


@lru_cache(maxsize=2)
def open_model(settings: Settings) -> Model:
    """Returns the model that `settings.model` names; equal settings share one.

    Raises:
        RelgraphError: there is no such backend, or what it needs is missing.
    """
    kind, _, argument = settings.model.partition(":")
    return Model(load("backend", kind)(argument, settings))


class Asking:
    """Puts instances to an LLM; see `relgraph.approach.Fitted`.

    Attributes:
        trained_on: nothing.
        backend: the model that is asked.
        identity: which model exactly answers.
        notice: what a reader of results has to know of the model, "" for nothing.
        prompt_hash: of all words and forms of the prompts, data apart.
        restarts_unit: whether a (conversation, task) unit that was broken off has to start again
            whole to give the same answers.
    """

    trained_on: frozenset[str] = frozenset()

    def __init__(
        self, settings: Settings, model: Model, *, summary_of: SummaryOf | None = None
    ) -> None:
        self._settings = settings
        self.backend = backend = model.backend
        self._summary_of = summary_of
        self._layout = Layout(
            answers=backend.answers,
            seed=settings.seed,
            context_tokens=settings.context_tokens,
            count=backend.count_tokens,
        )
        self._batched = settings.view.protocol == "paper"
        self._priors = model.priors
        self.identity = backend.identity
        self.notice = backend.notice
        self.prompt_hash = prompt_hash(backend.answers, summary_of=summary_of)
        self.restarts_unit = backend.keeps_prefix or self._batched

    def predict(
        self, instances: Sequence[Instance], findings: Findings | None = None
    ) -> Iterator[Prediction]:
        """Yields one prediction an instance, in order, as soon as each is known.

        Raises:
            RunError: the model cannot be reached, before anything is asked or on the way.
        """
        del findings
        if not instances:
            return
        self.backend.check()
        _notify(self.notice)
        units = _units(instances)
        if self.backend.concurrency > 1:
            yield from self._at_once(chain.from_iterable(map(self._prompts, units)))
        else:
            yield from chain.from_iterable(map(self._one_by_one, units))

    def prompt(self, instance: Instance) -> str:
        """Returns the prompt for an instance as a person reads it."""
        return self.render(instance).text

    def render(self, instance: Instance, *, beside: Sequence[Instance] = ()) -> Prompt:
        """Returns the prompt for an instance.

        Args:
            instance: what is asked about.
            beside: `paper` protocol: the instances that share its request.

        Raises:
            RelgraphError: its closed set cannot be asked.
        """
        summary = None
        if self._summary_of:
            summary = self._summary_of(instance, self._settings, self.backend.count_tokens)
        task = load("task", instance.task)
        return render(task, instance, self._layout, summary=summary, beside=beside)

    def count_tokens(self, text: str) -> int:
        """Returns how many tokens a text has for the model, or an estimate."""
        return self.backend.count_tokens(text)

    def _prompts(self, unit: Sequence[Instance]) -> Iterator[tuple[Instance, Prompt | str]]:
        """The prompt of each instance of a unit, or why there is none."""
        for place, instance in enumerate(unit):
            first = place - place % BATCH
            beside = unit[first : first + BATCH] if self._batched else ()
            try:
                yield instance, self.render(instance, beside=beside)
            except RelgraphError as error:
                if error.exit_code == 1:
                    raise
                yield instance, f"no question: {error}"

    def _one_by_one(self, unit: Sequence[Instance]) -> Iterator[Prediction]:
        """A unit's first prompt is read whole: what is kept then comes from the unit alone."""
        asked = list(self._prompts(unit))
        for _, prompt in asked:
            if isinstance(prompt, Prompt) and prompt.form == "letter":
                self._prior(prompt)
        fresh = True
        for instance, prompt in asked:
            yield self._answer(instance, prompt, fresh=fresh)
            fresh = fresh and not isinstance(prompt, Prompt)

    def _at_once(self, asked: Iterable[tuple[Instance, Prompt | str]]) -> Iterator[Prediction]:
        waiting: deque[Future[Prediction]] = deque()
        pool = ThreadPoolExecutor(self.backend.concurrency, thread_name_prefix="llm")
        finished = False
        try:
            for instance, prompt in asked:
                waiting.append(pool.submit(self._answer, instance, prompt))
                if len(waiting) >= 2 * self.backend.concurrency:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
            finished = True
        finally:
            if not finished:
                for future in waiting:
                    future.cancel()
                self.backend.close()
            pool.shutdown(cancel_futures=True)

    def _answer(
        self, instance: Instance, prompt: Prompt | str, *, fresh: bool = False
    ) -> Prediction:
        if isinstance(prompt, str):
            return Prediction(instance=instance.id, failure=prompt)
        start = time.perf_counter()
        reply = self.backend.ask(prompt, fresh=fresh)
        cost = Cost(
            prompt_tokens=reply.prompt_tokens,
            answer_tokens=reply.answer_tokens,
            time_s=time.perf_counter() - start,
        )
        if prompt.form == "letter":
            prior = self._prior(prompt)
            if prior.failure and not reply.failure:
                cause = f"{prior.failure} (asked without a conversation, to calibrate)"
                reply = replace(reply, failure=cause)
            read = read_letters(prompt, reply, prior.letters, instance=instance.id)
        else:
            read = read_answer(prompt, reply, instance=instance.id)
        because = () if read.failure else (*read.because, *_remarks(prompt, reply))
        return replace(read, because=because, cost=cost)

    def _prior(self, prompt: Prompt) -> Reply:
        """What the letters get without a conversation; read whole, so the same whoever asks."""
        free = content_free(load("task", prompt.task), prompt)
        known = self._priors.get(free.key)
        if known is None:
            known = self.backend.ask(free, fresh=True)
            if not known.failure:
                self._priors[free.key] = known
        return known


def _units(instances: Sequence[Instance]) -> Iterator[Sequence[Instance]]:
    by: Callable[[Instance], tuple[str, str]] = lambda i: (i.conversation.id, i.task)  # noqa: E731
    for _, unit in groupby(instances, key=by):
        yield tuple(unit)


def _remarks(prompt: Prompt, reply: Reply) -> Iterator[str]:
    if prompt.dropped:
        yield f"left out of the prompt: {', '.join(prompt.dropped)}"
    if reply.retries:
        yield f"after {reply.retries} {'retry' if reply.retries == 1 else 'retries'}"


@cache
def _notify(notice: str) -> None:
    """Says it once a process."""
    if notice:
        tell(f"note: {notice}")
