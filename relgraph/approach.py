"""What an approach is: how it is set up, fitted and asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from relgraph.records import Conversation, Instance, Prediction, View


@dataclass(frozen=True, slots=True)
class Settings:
    """How approaches are to work; one record for all of them, each reads what it needs.

    Attributes:
        view: what they are shown.
        seed: of every random draw.
        device: `auto`, `cpu`, `cuda` or `mps`.
        threads: of torch and of the embedded LLM.
        embedder: registry name, or `st:NAME_OR_FOLDER` for a sentence-transformers model.
        cache: folder for embeddings; "" for the user's cache folder.
        checkpoint: a trained model to load instead of training.
        epochs: passes over the training conversations; 0 for as many as the recipe says.
        recipe: file that says how the graph network is built and trained; "" for its own.
        model: LLM backend and model, as `local`, `llamacpp:FILE`, `openai:NAME`.
        base_url: of an OpenAI-compatible endpoint.
        concurrency: requests at a time to a remote endpoint.
        timeout_s: of one request, all of it.
        retries: after the first try.
        summary_tokens: budget of the graph summary in a prompt.
        context_tokens: budget of the transcript in a prompt; the oldest turns go first.
        answer_tokens: most tokens of a generated answer.
        blocks: parts of the summary in a prompt, by name and in order; the approach's own if none.
        samples: answers asked for each instance; more than one are put together by vote.
        temperature: of sampling, from 0; with several samples 0 stands for 0.7.
        answers: form of answers to closed questions: `auto`, `json` or `letter`.
        tokenizer: `tokenizer.json` that counts tokens where an endpoint's own is not at hand.
        calls: file of the call cache; "" for the user's cache folder, `none` for no cache.
        prices: file of prices, for costs; "" where they are not known.
        max_cost_usd: most that a run may spend in US dollars; 0 for no limit.
        retry_failed: whether a kept reply that cannot be read is asked for anew.
        pseudonymize: whether names and places are replaced before a prompt is made.
        remote_ok: whether data marked sensitive may leave this machine.
        rules: rule files of the user's own, beside the shipped packs.
        rule_edges: whether the graph network also reads what the rules found.
    """

    view: View = View()  # noqa: RUF009 (frozen, so one for all will do)
    seed: int = 0
    device: str = "auto"
    threads: int = 1
    embedder: str = "minilm"
    cache: str = ""
    checkpoint: str = ""
    epochs: int = 0
    recipe: str = ""
    model: str = "local"
    base_url: str = ""
    concurrency: int = 4
    timeout_s: float = 120.0
    retries: int = 4
    summary_tokens: int = 300
    context_tokens: int = 3000
    answer_tokens: int = 160
    blocks: tuple[str, ...] = ()
    samples: int = 1
    temperature: float = 0.0
    answers: str = "auto"
    tokenizer: str = ""
    calls: str = ""
    prices: str = ""
    max_cost_usd: float = 0.0
    retry_failed: bool = False
    pseudonymize: bool = False
    remote_ok: bool = False
    rules: tuple[str, ...] = ()
    rule_edges: bool = False


Findings = Mapping[str, Mapping[str, Prediction]]
"""Approach name -> instance id -> its prediction: what the approaches in `needs` said."""


@runtime_checkable
class Fitted(Protocol):
    """An approach after `fit`.

    `trained_on` names the conversations whose gold it has seen, as `fingerprint` gives them.
    """

    trained_on: frozenset[str]

    def predict(self, instances: Sequence[Instance], findings: Findings) -> Iterable[Prediction]:
        """Yields one prediction an instance, in order, as soon as each is known."""
        ...


@runtime_checkable
class Approach(Protocol):
    """A way of answering instances. `fit` once a fold for all tasks, then `predict`.

    It may have one more attribute, `reads_training`: whether it also wants predictions on training
    instances of the approaches it needs, from the run where the needed approach learns nothing,
    else from folds within the training conversations. They come in the same `Findings`.
    """

    @property
    def name(self) -> str:
        """As in the registry."""
        ...

    @property
    def tasks(self) -> frozenset[str]:
        """The names of the tasks it answers."""
        ...

    @property
    def needs(self) -> tuple[str, ...]:
        """The names of approaches whose predictions it wants."""
        ...

    @property
    def learns(self) -> bool:
        """Whether `fit` reads gold labels; if not, one fit serves all folds."""
        ...

    def fit(self, train: Sequence[Conversation], *, seed: int) -> Fitted:
        """Returns the approach fitted to `train` (with gold); `train` is not changed."""
        ...


ApproachFactory = Callable[[Settings], Approach]
"""The registry constant `APPROACH`: builds the approach for given settings."""
