"""What every LLM backend has in common: the reply, and how it is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from relgraph.approach import Settings
from relgraph.llm_bridge.prompts import AnswerForm, Prompt


def _no_letters() -> Mapping[str, float]:
    return {}


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back for one prompt.

    Attributes:
        text: what the model wrote.
        finish: why it ended: `stop`, `length`, `content_filter`, or another word of the server.
        letters: natural-log probability of each option letter as the first token, where the
            backend reads them; a letter that it did not report is missing.
        prompt_tokens: of the whole prompt.
        cached_tokens: those of them that were not read again.
        answer_tokens: that the model wrote.
        retries: tries after the first.
        time_s: wall clock of the call as it was first made, in seconds.
        cost_usd: what it cost, in US dollars; 0 where prices are not known, or it was kept.
        kept: whether it comes from the call cache and nothing was asked.
        call: its key in the call cache; "" without one.
        failure: why there is no usable reply; then `text` is what came in its place.
    """

    text: str = ""
    finish: str = "stop"
    letters: Mapping[str, float] = field(default_factory=_no_letters, hash=False)
    prompt_tokens: int = 0
    cached_tokens: int = 0
    answer_tokens: int = 0
    retries: int = 0
    time_s: float = 0.0
    cost_usd: float = 0.0
    kept: bool = False
    call: str = ""
    failure: str = ""


class Backend(Protocol):
    """A way to reach one model.

    One that reads several prompts faster at once than one by one has two things more, and
    `concurrency` 1: `batch`, how many are best given to it, and
    `ask_many(prompts, *, sample=0) -> Sequence[Reply]`, which answers each as `ask` would.

    Attributes:
        name: backend and model, as for `--model`.
        identity: which model exactly, for the record of a run: file and hash, or the endpoint;
            never a secret, a login or a local folder.
        answers: how it answers closed questions.
        concurrency: prompts it takes at a time.
        keeps_prefix: whether it keeps what it has read, so that prompts with the same beginning
            are best asked one after the other. What it answers does not depend on it.
        remote: whether prompts leave this machine.
        notice: what a reader of results has to know of the model, "" for nothing.
    """

    name: str
    identity: str
    answers: AnswerForm
    concurrency: int
    keeps_prefix: bool
    remote: bool
    notice: str

    def check(self) -> None:
        """Makes sure, before anything is asked, that the model can be reached.

        Raises:
            RelgraphError: it cannot.
        """
        ...

    def count_tokens(self, text: str) -> int:
        """Returns how many tokens the text has, or an estimate where no tokenizer is at hand."""
        ...

    def ask(self, prompt: Prompt, *, sample: int = 0) -> Reply:
        """Returns the reply; what fails for this prompt alone is in `Reply.failure`.

        Args:
            prompt: what is asked.
            sample: which of several answers to the same prompt; it moves the draw.

        Raises:
            RunError: no prompt can be answered: the endpoint is gone, the key or model is wrong.
        """
        ...

    def close(self) -> None:
        """Gives up waiting and lets go of connections; asking again opens them anew."""
        ...


BackendFactory = Callable[[str, Settings], Backend]
"""The registry constant `BACKEND`: takes the text after `:` in `--model`, and the settings."""
