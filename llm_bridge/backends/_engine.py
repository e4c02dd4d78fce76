"""llama.cpp inside this process, by the package `xllamacpp`: prompts read in fixed steps.

What an engine computes for a token depends, in its last digits, on how many tokens it reads at a
time. So a prompt is always read in the same steps, each from the state that the one before left,
and what was kept of an earlier prompt counts only where its steps were the same: an answer is a
function of the prompt alone, to the last bit, whatever was asked before.

The engine is llama.cpp's own server. Prompts go to it by function call; its HTTP side, which it
always opens, listens on this machine's loopback only and asks for a random key, and serves us for
chat templates and tokens.
"""

from __future__ import annotations

import json
import secrets
import urllib.error
import urllib.request
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from threading import Lock
from typing import Any

from relgraph.errors import RunError

SLOTS = 2
"""One for conversations, one for prompts without any: each keeps what it read last."""

COUNTED_TEXTS = 16_384
"""So many texts keep their number of tokens."""

LOCAL = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass(frozen=True, slots=True)
class Load:
    """What an engine is loaded with; equal loads share one engine."""

    file: str
    threads: int
    context_tokens: int
    gpu_layers: int


@dataclass(frozen=True, slots=True)
class Steps:
    """A prompt in tokens, and where its steps end but the last, which ends with the prompt."""

    tokens: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    def shared(self, other: Steps) -> int:
        """Returns how many tokens at the beginning both read in the same steps."""
        found = 0
        for end, theirs in zip(self.ends, other.ends, strict=False):
            if end != theirs or self.tokens[found:end] != other.tokens[found:end]:
                break
            found = end
        return found


class EngineError(RuntimeError):
    """The engine did not answer a prompt; the text is its message."""


class Engine:
    """One loaded model.

    Attributes:
        context_tokens: most tokens that a prompt and its answer may have together.
    """

    def __init__(self, load: Load) -> None:
        self.context_tokens = load.context_tokens
        self._lock = Lock()
        self._key = secrets.token_hex(16)
        self._held = [Steps()] * SLOTS
        # A turn is counted again at every cut that shows it.
        self._counted = lru_cache(maxsize=COUNTED_TEXTS)(self._count)
        self._server = _serve(load, self._key)

    def steps(self, system: str, user: str, portions: Sequence[int]) -> Steps:
        """Returns a prompt in the model's chat template as tokens and steps.

        Args:
            system: the system message; its end is that of the first step.
            user: the user's message.
            portions: where its steps end, as numbers of its characters, ascending.
        """
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        # Models that can think aloud would spend their answer on it.
        form = {"messages": messages, "chat_template_kwargs": {"enable_thinking": False}}
        text: str = self._post("/apply-template", form)["prompt"]
        pieces = self._tokens(text, special=True)
        start = text.find(user)
        places = (start, *(start + place for place in portions)) if start > 0 else ()
        return Steps(tuple(p["id"] for p in pieces), _ends(text, pieces, places))

    def count_tokens(self, text: str) -> int:
        """Returns how many tokens the text has."""
        return self._counted(text) if text else 0

    def answer(
        self, steps: Steps, request: Mapping[str, Any], *, slot: int = 0, fresh: bool = False
    ) -> tuple[Mapping[str, Any], int]:
        """Returns the engine's reply, and how many tokens were there from an earlier prompt.

        Args:
            steps: the prompt.
            request: the other fields of llama.cpp's `/completion`.
            slot: which of the `SLOTS` reads it.
            fresh: whether all of it is read, whatever is there; the reply is the same.

        Raises:
            EngineError: there is no reply.
        """
        with self._lock:
            if fresh:
                self._held[slot] = Steps()
            kept = self._held[slot].shared(steps)
            held, self._held[slot] = self._held[slot], Steps()
            try:
                reply = self._read(steps, request, slot, kept, held)
            except _OtherStateError:
                # Some kinds of model cannot drop what they have read last: all of it again.
                kept = 0
                reply = self._read(steps, request, slot, kept, Steps())
            self._held[slot] = steps
        return reply, kept

    def _read(
        self, steps: Steps, request: Mapping[str, Any], slot: int, kept: int, held: Steps
    ) -> Mapping[str, Any]:
        """Reads step by step from the token `kept`; `held` is what the slot holds."""
        tokens = steps.tokens
        following = held.tokens[kept : kept + 1]
        if kept and following == tokens[kept : kept + 1]:
            # What is there goes on like the new prompt, read in other steps: another token in
            # its place makes the engine drop it.
            other = tokens[kept] - 1 if tokens[kept] else 1
            self._send((*tokens[:kept], other), {}, slot, kept)
        at = kept
        for end in steps.ends:
            if end > at:
                self._send(tokens[:end], {}, slot, at)
                at = end
        return self._send(tokens, request, slot, at)

    def _send(
        self, tokens: Sequence[int], request: Mapping[str, Any], slot: int, kept: int
    ) -> Mapping[str, Any]:
        asked = {"n_predict": 0, "temperature": 0.0, **request}
        asked |= {"prompt": list(tokens), "id_slot": slot, "cache_prompt": kept > 0}
        try:
            reply: Mapping[str, Any] = self._server.handle_completions(asked)
        except Exception as error:  # the engine raises bare exceptions of many kinds
            raise EngineError(str(error)) from None
        if "error" in reply:
            raise EngineError(reply["error"].get("message", str(reply["error"])))
        if reply["usage"]["prompt_tokens_details"]["cached_tokens"] != kept:
            raise _OtherStateError("the engine read this prompt from another place than wanted")
        return reply

    def _count(self, text: str) -> int:
        return len(self._tokens(text, special=False))

    def _tokens(self, text: str, *, special: bool) -> list[Mapping[str, Any]]:
        form = {"content": text, "add_special": special, "parse_special": special}
        found: list[Mapping[str, Any]] = self._post("/tokenize", form | {"with_pieces": True})[
            "tokens"
        ]
        return found

    def _post(self, path: str, form: Mapping[str, Any]) -> Any:
        call = urllib.request.Request(  # noqa: S310 (our own loopback address)
            f"{self._server.listening_address}{path}",
            json.dumps(form).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"},
        )
        try:
            with LOCAL.open(call, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise EngineError(f"{path}: {error.read().decode(errors='replace')[:300]}") from None
        except (OSError, ValueError) as error:
            raise RunError(f"the embedded engine does not answer ({path}: {error}).") from None


class _OtherStateError(EngineError):
    """The engine did not go on from where it was told to."""


@lru_cache(maxsize=1)
def open_engine(load: Load) -> Engine:
    """Returns the engine with this load; it stays loaded until another one is wanted.

    Raises:
        RunError: the model cannot be loaded.
    """
    return Engine(load)


def _ends(text: str, pieces: Sequence[Mapping[str, Any]], places: Sequence[int]) -> tuple[int, ...]:
    """For each place in the text, how many tokens end there or before; each number once."""
    sizes = [len(_bytes(piece["piece"])) for piece in pieces]
    total = len(text.encode())
    # A tokenizer may put a token or a space of its own in front.
    starts = list(accumulate(sizes, initial=total - sum(sizes)))
    wanted = [len(text[:place].encode()) for place in places]
    found = (bisect_right(starts, place) - 1 for place in wanted)
    return tuple(dict.fromkeys(end for end in found if 0 < end < len(pieces)))


def _bytes(piece: str | Sequence[int]) -> bytes:
    """Half a character comes as numbers."""
    return piece.encode() if isinstance(piece, str) else bytes(piece)


def _serve(load: Load, key: str) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = load.file
    params.n_parallel = SLOTS
    params.n_ctx = SLOTS * load.context_tokens
    params.n_gpu_layers = load.gpu_layers
    params.cpuparams.n_threads = load.threads
    params.cpuparams_batch.n_threads = load.threads
    params.api_keys = [key]
    params.ui = False
    params.endpoint_slots = False
    # Nothing is kept beside the slots, and no step is cut into others on the way.
    params.cache_ram_mib = 0
    params.cache_idle_slots = False
    params.n_ctx_checkpoints = 0
    # Weights packed anew for this processor: no faster here, and a third more memory.
    params.no_extra_bufts = True
    params.warmup = False
    params.fit_params = False
    params.verbosity = -1
    try:
        return xllamacpp.Server(params)
    except Exception as error:  # as above
        raise RunError(
            f"{load.file}: the engine cannot load this model ({error}). "
            f"Wanted: a GGUF file of a chat model that fits into memory."
        ) from None
