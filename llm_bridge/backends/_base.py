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
        failure: why there is no usable reply; then `text` is what came in its place.
    """

    text: str = ""
    finish: str = "stop"
    letters: Mapping[str, float] = field(default_factory=_no_letters, hash=False)
    prompt_tokens: int = 0
    cached_tokens: int = 0
    answer_tokens: int = 0
    retries: int = 0
    failure: str = ""


class Backend(Protocol):
    """A way to reach one model.

    Attributes:
        name: backend and model, as for `--model`.
        identity: which model exactly, for the record of a run: file and hash, or the endpoint;
            never a secret, a login or a local folder.
        answers: how it answers closed questions.
        concurrency: prompts it takes at a time.
        keeps_prefix: whether it keeps what it has read. Then the replies of a (conversation, task)
            unit depend in their last digits on the unit's earlier prompts.
        notice: what a reader of results has to know of the model, "" for nothing.
    """

    name: str
    identity: str
    answers: AnswerForm
    concurrency: int
    keeps_prefix: bool
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

    def ask(self, prompt: Prompt, *, fresh: bool = False) -> Reply:
        """Returns the reply; what fails for this prompt alone is in `Reply.failure`.

        Args:
            prompt: what is asked.
            fresh: read the whole prompt, whatever is kept of earlier ones.

        Raises:
            RunError: no prompt can be answered: the endpoint is gone, the key or model is wrong.
        """
        ...

    def close(self) -> None:
        """Gives up waiting and lets go of connections; asking again opens them anew."""
        ...


BackendFactory = Callable[[str, Settings], Backend]
"""The registry constant `BACKEND`: takes the text after `:` in `--model`, and the settings."""
