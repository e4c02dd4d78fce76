"""What the models embedded in this process have in common."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from relgraph.approach import Settings
from relgraph.errors import RelgraphError, missing_package
from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.backends._engine import Engine, EngineError, Load, open_engine
from relgraph.llm_bridge.calls.key import temperature_of
from relgraph.llm_bridge.prompts import AnswerForm, Prompt

INSTALL = "pip install xllamacpp"
MAGIC = b"GGUF"
TOP_LETTERS = 200
"""So many first tokens are asked for; the letters of 26 options were always among them."""

FIXED_TOKENS = 2048
"""Room beside transcript, summary and answer: instructions, definitions, question, options."""


class LlamaBackend:
    """A GGUF file in this process; one prompt at a time, a shared beginning read once.

    Args:
        name: as for `--model`.
        file: the GGUF file.
        sha256: of the file, where it is known.
        settings: threads, device, budgets, form of answers, temperature and seed are read.
        notice: what a reader of results has to know.
        keeps_prefix: False reads every prompt anew: slower, and the same answers.
    """

    concurrency = 1
    remote = False

    def __init__(
        self,
        name: str,
        file: Path,
        settings: Settings,
        *,
        sha256: str = "",
        notice: str = "",
        keeps_prefix: bool = True,
    ) -> None:
        self.name = name
        self.identity = f"{file.name}@{(sha256 or file_hash(file))[:16]}"
        self.notice = notice
        self.keeps_prefix = keeps_prefix
        self.answers: AnswerForm = "json" if settings.answers == "json" else "letter"
        self._seed = settings.seed
        self._temperature = temperature_of(settings)
        self._answer_tokens = settings.answer_tokens
        budgets = settings.context_tokens + settings.summary_tokens + settings.answer_tokens
        self._load = Load(
            file=str(file.resolve()),
            threads=settings.threads,
            context_tokens=budgets + FIXED_TOKENS,
            gpu_layers=0 if settings.device == "cpu" else -1,
        )

    def check(self) -> None:
        """Loads the engine, if it is not loaded yet."""
        _ = self._engine

    def close(self) -> None:
        """Does nothing: the engine stays loaded for whoever asks next, until the process ends."""

    def count_tokens(self, text: str) -> int:
        """Returns how many tokens the text has by the model's own tokenizer."""
        return self._engine.count_tokens(text)

    def ask(self, prompt: Prompt, *, sample: int = 0) -> Reply:
        """Returns the reply; a closed question gives the log-probabilities of its letters.

        Letters have their probabilities and are not drawn: all samples of them are the same.
        """
        lettered = prompt.form == "letter"
        answer_tokens = 1 if lettered else self._answer_tokens
        try:
            steps = self._engine.steps(prompt.system, prompt.user, prompt.portions)
            needed = len(steps.tokens) + answer_tokens
            if needed > self._load.context_tokens:
                return Reply(failure=self._too_long(len(steps.tokens), answer_tokens))
            reply, kept = self._engine.answer(
                steps,
                _for_letters() if lettered else self._for_json(prompt, sample),
                # Prompts without a conversation do not drive one out.
                slot=0 if prompt.portions else 1,
                fresh=not self.keeps_prefix,
            )
        except EngineError as error:
            return Reply(failure=f"engine: {error}")
        return _read(reply, prompt_tokens=len(steps.tokens), cached_tokens=kept)

    def _for_json(self, prompt: Prompt, sample: int) -> Mapping[str, Any]:
        return {
            "n_predict": self._answer_tokens,
            "json_schema": prompt.schema,
            "temperature": self._temperature,
            "seed": (self._seed + sample) % 2**32,
        }

    def _too_long(self, prompt_tokens: int, answer_tokens: int) -> str:
        return (
            f"too long: {prompt_tokens} prompt tokens and {answer_tokens} for the answer, "
            f"{self._load.context_tokens} is all that the engine was loaded for; "
            f"--context-tokens, --summary-tokens and --answer-tokens make the room"
        )

    @cached_property
    def _engine(self) -> Engine:
        return open_engine(self._load)


def _for_letters() -> Mapping[str, Any]:
    return {"n_predict": 1, "n_probs": TOP_LETTERS}


def _read(reply: Mapping[str, Any], *, prompt_tokens: int, cached_tokens: int) -> Reply:
    choice = reply["choices"][0]
    first = ((choice.get("logprobs") or {}).get("content") or [{}])[0]
    return Reply(
        text=choice.get("text") or "",
        finish=choice.get("finish_reason") or "stop",
        letters=_letters(first.get("top_logprobs") or []),
        prompt_tokens=prompt_tokens,
        cached_tokens=cached_tokens,
        answer_tokens=reply.get("usage", {}).get("completion_tokens", 0),
    )


def _letters(tokens: list[Mapping[str, Any]]) -> Mapping[str, float]:
    """The best token of each capital letter, with or without a space before it."""
    found: dict[str, float] = {}
    for entry in tokens:
        letter = entry["token"].strip(" \u2581\u0120")
        if len(letter) == 1 and "A" <= letter <= "Z":
            found[letter] = max(found.get(letter, -float("inf")), entry["logprob"])
    return found


def require_engine(purpose: str) -> None:
    """Raises the one-line error that names the pip line when the engine is not installed."""
    if find_spec("xllamacpp") is None:
        raise missing_package("xllamacpp", purpose, INSTALL)


def require_gguf(file: Path) -> None:
    """Raises an error unless `file` is a readable GGUF file.

    Raises:
        RelgraphError: it is missing, a folder, unreadable or of another format.
    """
    try:
        with file.open("rb") as stream:
            start = stream.read(len(MAGIC))
    except OSError as error:
        reason = error.strerror or error
        raise RelgraphError(f"{file}: {reason}. Wanted: a GGUF file, as llamacpp:FILE.") from None
    if start != MAGIC:
        raise RelgraphError(
            f"{file}: not a GGUF file (it begins with {start!r}, a GGUF file with {MAGIC!r})."
        )


def file_hash(file: Path) -> str:
    """Returns the sha256 of a file, as 64 hex digits."""
    state = file.stat()
    return _hash(str(file), state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=8)
def _hash(file: str, size: int, modified: int) -> str:
    del size, modified  # only to hash again what has changed
    with Path(file).open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()
