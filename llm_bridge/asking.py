"""The approaches that ask an LLM: one instance, one prompt, one answer out of the closed set."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import chain, groupby, islice
from typing import TypeAlias

from relgraph.approach import Findings, Settings
from relgraph.errors import RelgraphError, UnknownNameError
from relgraph.llm_bridge import calls
from relgraph.llm_bridge.answers import read_answer, read_letter_text, read_letters
from relgraph.llm_bridge.at_once import AtOnce
from relgraph.llm_bridge.backends._base import Backend, Reply
from relgraph.llm_bridge.blocks._base import Source, known
from relgraph.llm_bridge.privacy import Disguise, disguise_of
from relgraph.llm_bridge.privacy.consent import before_asking, refuse_unallowed
from relgraph.llm_bridge.probe import prompt_hash
from relgraph.llm_bridge.prompts import Layout, Prompt, content_free, render
from relgraph.llm_bridge.prompts.paper import BATCH
from relgraph.llm_bridge.samples import vote
from relgraph.llm_bridge.summary import Summariser
from relgraph.llm_bridge.training import training_of
from relgraph.records import Conversation, Cost, Instance, Prediction, fingerprint
from relgraph.registry import load, names
from relgraph.spending import Estimate
from relgraph.terminal import tell

Asked: TypeAlias = tuple[Instance, Prompt | str]
"""An instance with its prompt, or with why there is none."""


@dataclass(frozen=True, slots=True)
class AskingApproach:
    """Asks an LLM, with or without a summary in the prompt. Nothing in the model is trained.

    Attributes:
        name: as in the registry.
        settings: model, budgets, view; `settings.blocks` replaces `blocks`.
        blocks: what the summary says, by name; empty for a prompt without one.
        permuted: whether the names in the summary are permuted: a placebo of the same length.
        sends_prompts: whether, fitted, it can show the prompt for an instance.
    """

    name: str
    settings: Settings
    blocks: tuple[str, ...] = ()
    permuted: bool = False
    sends_prompts: bool = True
    tasks: frozenset[str] = field(default_factory=lambda: frozenset(names("task")))

    @property
    def shown(self) -> tuple[str, ...]:
        """The blocks in use. A prompt without a summary stays without one."""
        return (self.settings.blocks or self.blocks) if self.blocks else ()

    @property
    def needs(self) -> tuple[str, ...]:
        """The approaches whose findings the blocks show."""
        found = (name for block in self.shown for name in load("block", block).needs)
        return tuple(dict.fromkeys(found))

    @property
    def learns(self) -> bool:
        """Whether a block shows training conversations."""
        return any(load("block", block).learns for block in self.shown)

    @property
    def reads_training(self) -> bool:
        """Whether a block shows findings on training instances."""
        return any(of.learns and of.needs for of in (load("block", n) for n in self.shown))

    def fit(self, train: Sequence[Conversation], *, seed: int) -> Asking:
        """Returns the approach ready to ask; `train` is read only by blocks that show it.

        Raises:
            RelgraphError: the model in `settings.model` is unknown, absent or not the one meant.
        """
        settings = replace(self.settings, seed=seed)
        return Asking(
            settings,
            open_model(settings),
            blocks=self.shown,
            permuted=self.permuted,
            train=tuple(train) if self.learns else (),
            disguise=disguise_of(settings),
        )

    def estimate(self, instances: Sequence[Instance]) -> Estimate | None:
        """Returns what asking about the instances may cost at most; None where nothing is paid.

        It goes by the prompts of some of them. A summary of what is not known yet, such as
        another approach's findings, counts with all the room it may take.
        """
        whole = not (self.needs or self.learns)
        asker = self if whole else replace(self, blocks=(), permuted=False)
        asking = asker.fit((), seed=self.settings.seed)
        refuse_unallowed(asking.backend, (i.conversation for i in instances), self.settings)
        room = 0 if whole else self.settings.summary_tokens
        prompts = lambda: asking.spread(instances, calls.SAMPLED)  # noqa: E731
        return calls.estimate(asking.backend, self.settings, prompts, len(instances), room)


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
    try:
        backend = load("backend", kind)
    except UnknownNameError as error:
        raise UnknownNameError(
            f"{error} The backend stands before the model's name, as openai:{argument or kind}."
        ) from None
    return Model(calls.through(backend(argument, settings), settings))


class Asking:
    """Puts instances to an LLM; see `relgraph.approach.Fitted`.

    Attributes:
        trained_on: fingerprints of the training conversations that prompts may show; the model
            keeps none.
        trained_relationships: theirs.
        backend: the model that is asked.
        identity: which model exactly answers.
        notice: what a reader of results has to know of the model, "" for nothing.
        prompt_hash: of all words and forms of the prompts, data apart.
        restarts_unit: whether a (conversation, task) unit that was broken off has to start again
            whole to give the same answers.
        in_step: whether several approaches are best asked instance by instance, in turn.
    """

    def __init__(
        self,
        settings: Settings,
        model: Model,
        *,
        blocks: Sequence[str] = (),
        permuted: bool = False,
        train: Sequence[Conversation] = (),
        disguise: Disguise | None = None,
    ) -> None:
        self._settings = settings
        self.backend = backend = model.backend
        self._summariser = (
            Summariser(blocks, settings, backend.count_tokens, permuted=permuted)
            if blocks
            else None
        )
        self.trained_on = frozenset(map(fingerprint, train))
        self.trained_relationships = frozenset(c.relationship for c in train if c.relationship)
        self._disguise = disguise or Disguise()
        self._training = training_of(train, {}, settings, self._disguise)
        self._layout = Layout(
            answers=backend.answers,
            seed=settings.seed,
            context_tokens=settings.context_tokens,
            count=backend.count_tokens,
        )
        self._batched = settings.view.protocol == "paper"
        self._priors = model.priors
        self._came: dict[tuple[str, int], Reply] = {}
        self.identity = backend.identity
        self.notice = backend.notice
        self.prompt_hash = prompt_hash(backend.answers, blocks=tuple(blocks), permuted=permuted)
        self.restarts_unit = self._batched
        self.in_step = backend.keeps_prefix and backend.concurrency == 1

    def spread(self, instances: Sequence[Instance], most: int) -> Iterator[Prompt]:
        """Yields the prompts of at most so many instances, from all over; findings apart."""
        units = list(_units(instances))
        places = [(unit, place) for unit in units for place in range(len(unit))]
        step = max(1.0, len(places) / most)
        for k in range(min(most, len(places))):
            unit, place = places[int(k * step)]
            with suppress(RelgraphError):
                yield self.render(unit[place], beside=self._beside(unit, place))

    def predict(
        self, instances: Sequence[Instance], findings: Findings | None = None
    ) -> Iterator[Prediction]:
        """Yields one prediction an instance, in order, as soon as each is known.

        Raises:
            RunError: the model cannot be reached, before anything is asked or on the way.
        """
        early: dict[str, Prediction] = {}
        coming = self.predict_any_order(instances, findings)
        with closing(coming):
            for instance in instances:
                while instance.id not in early:
                    said = next(coming)
                    early[said.instance] = said
                yield early.pop(instance.id)
            next(coming, None)

    def predict_any_order(
        self, instances: Sequence[Instance], findings: Findings | None = None
    ) -> Generator[Prediction, None, None]:
        """Yields one prediction an instance, in the order in which they come.

        Raises:
            RunError: the model cannot be reached, before anything is asked or on the way; what is
                known by then is yielded before.
        """
        if not instances:
            return
        before_asking(self.backend, instances, self._settings, self._training.conversations)
        self.backend.check()
        _notify(self.notice)
        asked = chain.from_iterable(self._prompts(u, findings or {}) for u in _units(instances))
        if self.backend.concurrency > 1 or hasattr(self.backend, "wind_down"):
            yield from AtOnce(self.backend, self._answer).predictions(asked)
        else:
            yield from map(self._answer, self._ahead(asked))

    def prompt(self, instance: Instance, findings: Findings | None = None) -> str:
        """Returns the prompt for an instance as a person reads it."""
        return self.render(instance, findings).text

    def render(
        self,
        instance: Instance,
        findings: Findings | None = None,
        *,
        beside: Sequence[Instance] = (),
    ) -> Prompt:
        """Returns the prompt for an instance.

        Args:
            instance: what is asked about.
            findings: what the needed approaches said, of it and of training instances.
            beside: `paper` protocol: the instances that share its request.

        Raises:
            RelgraphError: its closed set cannot be asked, or a block has nothing to go by.
        """
        seen, summary = self._disguise.instance(instance), None
        if self._summariser:
            of = known(self._summariser.needs, findings or {}, instance.id)
            said = {name: self._disguise.finding(p, instance) for name, p in of.items()}
            training = replace(self._training, findings=findings or {})
            summary = self._summariser.of(Source(seen, self._settings, said, training))
        task = load("task", instance.task)
        return render(
            task,
            seen,
            self._layout,
            summary=summary,
            beside=[self._disguise.instance(other) for other in beside],
        )

    def most_usd(self, prompt: Prompt) -> float:
        """Returns the highest cost of asking in US dollars; 0 where the price is not known."""
        most: Callable[[Prompt], float] | None = getattr(self.backend, "most_usd", None)
        return most(prompt) if most else 0.0

    def about_usd(self, prompt: Prompt) -> float:
        """Returns the likely cost of asking in US dollars; 0 where the price is not known."""
        about: Callable[[Prompt], float] | None = getattr(self.backend, "about_usd", None)
        return about(prompt) if about else 0.0

    def count_tokens(self, text: str) -> int:
        """Returns how many tokens a text has for the model, or an estimate."""
        return self.backend.count_tokens(text)

    def _prompts(self, unit: Sequence[Instance], findings: Findings) -> Iterator[Asked]:
        """The prompt of each instance of a unit, or why there is none."""
        for place, instance in enumerate(unit):
            try:
                beside = self._beside(unit, place)
                yield instance, self.render(instance, findings, beside=beside)
            except RelgraphError as error:
                if error.exit_code == 1:
                    raise
                yield instance, f"no question: {error}"

    def _beside(self, unit: Sequence[Instance], place: int) -> Sequence[Instance]:
        first = place - place % BATCH
        return unit[first : first + BATCH] if self._batched else ()

    def _answer(self, asked: Asked) -> Prediction:
        instance, prompt = asked
        if isinstance(prompt, str):
            return Prediction(instance=instance.id, failure=prompt)
        said = [self._one(instance, prompt, 0)]
        # Likelihoods of letters are exact: more samples would only say the same again.
        if not (prompt.form == "letter" and said[0].probabilities):
            said += [self._one(instance, prompt, k) for k in range(1, self._settings.samples)]
        return self._disguise.reveal(vote(said), instance)

    def _ahead(self, asked: Iterator[Asked]) -> Iterator[Asked]:
        """The same questions; where the backend takes several at once, their replies are there."""
        while several := list(islice(asked, getattr(self.backend, "batch", 1))):
            prompts = [p for _, p in several if isinstance(p, Prompt)] if several[1:] else []
            for k in range(max(1, self._settings.samples)):
                of = [p for p in prompts if p.form == "json" or k == 0]
                if not of:
                    continue
                replies = self.backend.ask_many(of, sample=k)  # type: ignore[attr-defined]
                self._came |= {(p.key, k): r for p, r in zip(of, replies, strict=True)}
            yield from several
            self._came.clear()

    def _one(self, instance: Instance, prompt: Prompt, sample: int) -> Prediction:
        """One answer; a kept one that cannot be read is asked anew where failures are retried."""
        attempt = 0
        while True:
            read, is_kept = self._try(instance, prompt, sample, attempt)
            if not (read.failure and is_kept and self._settings.retry_failed):
                return read
            attempt += 1

    def _try(
        self, instance: Instance, prompt: Prompt, sample: int, attempt: int
    ) -> tuple[Prediction, bool]:
        """The answer, and whether it is that of a kept reply."""
        start = time.perf_counter()
        reply = self._came.get((prompt.key, sample)) if not attempt else None
        reply = reply or calls.ask(self.backend, prompt, sample=sample, attempt=attempt)
        time_s, cost_usd = reply.time_s or time.perf_counter() - start, reply.cost_usd
        is_kept = reply.kept
        if prompt.form == "letter" and not reply.letters:
            # The model reports no likelihoods: what it wrote is all there is.
            read = read_letter_text(prompt, reply, instance=instance.id)
        elif prompt.form == "letter":
            prior = self._prior(prompt)
            cost_usd += prior.cost_usd
            if prior.failure:
                cause = f"{prior.failure} (asked without a conversation, to calibrate)"
                reply, is_kept = replace(reply, failure=cause), False
            read = read_letters(prompt, reply, prior.letters, instance=instance.id)
        else:
            read = read_answer(prompt, reply, instance=instance.id)
        because = () if read.failure else (*read.because, *_remarks(prompt, reply))
        tokens = (reply.prompt_tokens, reply.answer_tokens)
        cost = Cost(*tokens, time_s, cost_usd, kept_calls=int(reply.kept))
        asked = (reply.call,) if reply.call else ()
        return replace(read, because=because, cost=cost, calls=asked), is_kept

    def _prior(self, prompt: Prompt) -> Reply:
        """What the letters get without a conversation; the same whoever asks."""
        free = content_free(load("task", prompt.task), prompt)
        found = self._priors.get(free.key)
        if found is None:
            found = self.backend.ask(free)
            if not found.failure:
                # Whoever asked it first bears what it cost.
                self._priors[free.key] = replace(found, cost_usd=0.0)
        return found


def _units(instances: Sequence[Instance]) -> Iterator[Sequence[Instance]]:
    by: Callable[[Instance], tuple[str, str]] = lambda i: (i.conversation.id, i.task)  # noqa: E731
    for _, unit in groupby(instances, key=by):
        yield tuple(unit)


def _remarks(prompt: Prompt, reply: Reply) -> Iterator[str]:
    if prompt.dropped:
        yield f"left out of the prompt: {', '.join(prompt.dropped)}"
    yield from prompt.remarks
    if reply.retries:
        yield f"after {reply.retries} {'retry' if reply.retries == 1 else 'retries'}"


@cache
def _notify(notice: str) -> None:
    """Says it once a process."""
    if notice:
        tell(f"note: {notice}")
