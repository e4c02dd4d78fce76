"""The embedded engine: llama.cpp inside this process, by the package `xllamacpp`.

The engine is llama.cpp's own server. Prompts go to it by function call; its HTTP side, which it
always opens, listens on this machine's loopback only and asks for a random key, and serves us for
counting tokens.
"""

from __future__ import annotations

import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from relgraph.approach import Settings
from relgraph.errors import RelgraphError, RunError, missing_package
from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.prompts import AnswerForm, Prompt

INSTALL = "pip install xllamacpp"
MAGIC = b"GGUF"
TOP_LETTERS = 200
"""So many first tokens are asked for; the letters of 26 options were always among them."""

FIXED_TOKENS = 1536
"""Room beside transcript, summary and answer: instructions, definitions, question, options."""

LOCAL = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass(frozen=True, slots=True)
class Load:
    """What an engine is loaded with; equal loads share one engine."""

    file: str
    threads: int
    context_tokens: int
    gpu_layers: int


class LlamaBackend:
    """A GGUF file in this process; one prompt at a time, the shared prefix read once.

    Args:
        name: as for `--model`.
        file: the GGUF file.
        settings: threads, device, budgets and seed are read.
        notice: what a reader of results has to know.
        keeps_prefix: False reads every prompt anew: slower, and bit-equal in any order.
    """

    answers: AnswerForm = "letter"
    concurrency = 1

    def __init__(
        self,
        name: str,
        file: Path,
        settings: Settings,
        *,
        notice: str = "",
        keeps_prefix: bool = True,
    ) -> None:
        self.name = name
        self.identity = f"{file.name}@{file_hash(file)[:16]}"
        self.notice = notice
        self.keeps_prefix = keeps_prefix
        self._seed = settings.seed
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
        return self._engine.count_tokens(text) if text else 0

    def ask(self, prompt: Prompt, *, fresh: bool = False) -> Reply:
        """Returns the reply; a closed question gives the log-probabilities of its letters."""
        request: dict[str, Any] = {
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            "temperature": 0,
            "seed": self._seed % 2**32,
            "cache_prompt": self.keeps_prefix and not fresh,
            # Models that can think aloud would spend their answer on it.
            "chat_template_kwargs": {"enable_thinking": False},
        }
        if prompt.form == "letter":
            request |= {"max_tokens": 1, "logprobs": True, "top_logprobs": TOP_LETTERS}
        else:
            shape = {"name": "answer", "schema": prompt.schema}
            request |= {
                "max_tokens": self._answer_tokens,
                "response_format": {"type": "json_schema", "json_schema": shape},
            }
        return _read(self._engine.chat(request))

    @cached_property
    def _engine(self) -> _Engine:
        return _open(self._load)


class _Engine:
    """One loaded model."""

    def __init__(self, load: Load) -> None:
        import xllamacpp

        self._lock = Lock()
        self._key = secrets.token_hex(16)
        params = xllamacpp.CommonParams()
        params.model.path = load.file
        params.n_ctx = load.context_tokens
        params.n_parallel = 1
        params.n_gpu_layers = load.gpu_layers
        params.cpuparams.n_threads = load.threads
        params.cpuparams_batch.n_threads = load.threads
        params.api_keys = [self._key]
        params.ui = False
        params.endpoint_slots = False
        # One slot, and nothing kept beside it: what a prompt finds is what the last one left.
        params.cache_ram_mib = 0
        params.cache_idle_slots = False
        params.warmup = False
        params.fit_params = False
        params.verbosity = -1
        try:
            self._server = xllamacpp.Server(params)
        except Exception as error:  # the engine raises bare exceptions of many kinds
            raise RunError(
                f"{load.file}: the engine cannot load this model ({error}). "
                f"Wanted: a GGUF file of a chat model that fits into memory."
            ) from None

    def chat(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        with self._lock:
            try:
                reply: Mapping[str, Any] = self._server.handle_chat_completions(dict(request))
            except Exception as error:  # as above
                return {"error": {"message": str(error)}}
        return reply

    def count_tokens(self, text: str) -> int:
        call = urllib.request.Request(  # noqa: S310 (our own loopback address)
            f"{self._server.listening_address}/tokenize",
            json.dumps({"content": text, "add_special": False, "parse_special": False}).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"},
        )
        try:
            with LOCAL.open(call, timeout=60) as answer:
                return len(json.load(answer)["tokens"])
        except (urllib.error.URLError, OSError, ValueError, KeyError) as error:
            raise RunError(f"the embedded engine does not count tokens ({error}).") from None


@lru_cache(maxsize=1)
def _open(load: Load) -> _Engine:
    return _Engine(load)


def _read(reply: Mapping[str, Any]) -> Reply:
    if "error" in reply:
        return Reply(failure=f"engine: {reply['error'].get('message', reply['error'])}")
    choice, usage = reply["choices"][0], reply.get("usage", {})
    details = usage.get("prompt_tokens_details") or {}
    logprobs = (choice.get("logprobs") or {}).get("content") or []
    return Reply(
        text=choice["message"].get("content") or "",
        finish=choice.get("finish_reason") or "stop",
        letters=_letters(logprobs[0]["top_logprobs"]) if logprobs else {},
        prompt_tokens=usage.get("prompt_tokens", 0),
        cached_tokens=details.get("cached_tokens", 0),
        answer_tokens=usage.get("completion_tokens", 0),
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
        raise RelgraphError(f"{file}: {reason}. Wanted: a GGUF file, as gguf:FILE.") from None
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
    digest = sha256()
    with Path(file).open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
