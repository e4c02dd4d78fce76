"""`hf:NAME` or `hf:FOLDER`: a causal language model run by transformers, on any device."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING

from relgraph.approach import Settings
from relgraph.llm_bridge.backends import _hf_model
from relgraph.llm_bridge.backends._base import Backend, Reply
from relgraph.llm_bridge.calls.key import temperature_of
from relgraph.llm_bridge.prompts import AnswerForm, Prompt

if TYPE_CHECKING:
    from torch import Tensor

    from relgraph.llm_bridge.backends._hf_reading import Reader

FULL = (
    "out of memory: a prompt of {tokens} tokens does not fit; free memory, or set a smaller "
    "--context-tokens"
)


class TransformersBackend:
    """A model of transformers in this process; several prompts at a time share what they can.

    Args:
        place: which model, where, on which device.
        settings: threads, form of answers, samples, temperature, seed, budgets are read.

    Attributes:
        batch: prompts that are best given to `ask_many` at once; less once memory ran out.
    """

    concurrency = 1
    remote = False
    notice = ""

    def __init__(self, place: _hf_model.Place, settings: Settings) -> None:
        self.name = place.shown
        self.identity = _hf_model.identity(place)
        self.answers: AnswerForm = "json" if settings.answers == "json" else "letter"
        # One prompt after the other finds the beginning kept; on a card, many at once are faster.
        self.batch = 1 if place.device == "cpu" else settings.concurrency
        self.keeps_prefix = self.batch == 1
        self._place = place
        self._settings = settings
        self._temperature = temperature_of(settings)
        self._lock = Lock()

    def check(self) -> None:
        """Loads the model, if it is not loaded yet."""
        _ = self._reader

    def close(self) -> None:
        """Lets go of what was read; the model stays loaded for whoever asks next."""
        if "_reader" in self.__dict__:
            self._reader.forget()

    def count_tokens(self, text: str) -> int:
        """Returns how many tokens the text has by the model's own tokenizer."""
        return self._tokens.count(text) if text else 0

    def ask(self, prompt: Prompt, *, sample: int = 0) -> Reply:
        """Returns the reply; a closed question gives the log-probabilities of its letters."""
        return self.ask_many([prompt], sample=sample)[0]

    def ask_many(self, prompts: Sequence[Prompt], *, sample: int = 0) -> list[Reply]:
        """Returns the replies, in order; prompts of one form and beginning are read together."""
        with self._lock:
            rows = [self._tokens.of(prompt) for prompt in prompts]
            replies: dict[int, Reply] = {}
            for k, row in enumerate(rows):
                if len(row) + self._room(prompts[k]) > self._longest:
                    most = f"this model takes {self._longest}, its answer among them"
                    replies[k] = Reply(failure=f"too long: {len(row)} tokens; {most}")
            for form in ("letter", "json"):
                asked = [k for k, p in enumerate(prompts) if p.form == form and k not in replies]
                for group in _groups(asked, rows, self._reader.side_by_side):
                    replies |= self._halving(group, prompts, rows, sample)
        return [replies[k] for k in range(len(prompts))]

    @cached_property
    def _tokens(self) -> _hf_model.Tokens:
        return _hf_model.open_tokens(self._place)

    @cached_property
    def _reader(self) -> Reader:
        import torch

        torch.set_num_threads(max(1, self._settings.threads))
        from relgraph.llm_bridge.backends._hf_reading import Reader

        return Reader(_hf_model.open_weights(self._place))

    @cached_property
    def _longest(self) -> int:
        return self._reader.longest or 2**31

    def _room(self, prompt: Prompt) -> int:
        return 0 if prompt.form == "letter" else self._settings.answer_tokens

    def _halving(
        self,
        group: Sequence[int],
        prompts: Sequence[Prompt],
        rows: Sequence[list[int]],
        sample: int,
    ) -> dict[int, Reply]:
        """The replies to a group, read in halves as often as the memory is exceeded."""
        from relgraph.embed._sentence import free, is_full

        try:
            said = self._together([prompts[k] for k in group], [rows[k] for k in group], sample)
            return dict(zip(group, said, strict=True))
        except (RuntimeError, MemoryError) as error:
            if not is_full(error):
                raise
        # Outside `except`: there the error still holds on to the batch.
        self._reader.forget()
        free()
        if len(group) == 1:
            return {group[0]: Reply(failure=FULL.format(tokens=len(rows[group[0]])))}
        middle = len(group) // 2
        self.batch = max(1, min(self.batch, middle))
        return self._halving(group[:middle], prompts, rows, sample) | self._halving(
            group[middle:], prompts, rows, sample
        )

    def _together(
        self, prompts: Sequence[Prompt], rows: Sequence[list[int]], sample: int
    ) -> list[Reply]:
        start = time.perf_counter()
        reading = self._reader.read(rows)
        if prompts[0].form == "letter":
            said = [self._lettered(p, reading.logits[k]) for k, p in enumerate(prompts)]
        else:
            seeds = [self._seed(p, sample) for p in prompts]
            ends = self._reader.ends | self._tokens.ends
            most = self._settings.answer_tokens
            pick = _greedy if not self._temperature else _drawing(self._temperature, seeds)
            written = self._reader.write(reading, pick, ends=ends, most=most)
            said = [self._written(tokens, ends) for tokens in written]
        time_s = (time.perf_counter() - start) / len(prompts)
        return [
            replace(reply, prompt_tokens=len(row), cached_tokens=kept, time_s=time_s)
            for reply, row, kept in zip(said, rows, reading.kept, strict=True)
        ]

    def _lettered(self, prompt: Prompt, logits: Tensor) -> Reply:
        """The probability of each letter as the first token, with and without a space before."""
        logs = logits.log_softmax(-1)
        known = self._tokens.letters
        letters = {
            o.letter: float(logs[list(known[o.letter])].logsumexp(-1))
            for o in prompt.options
            if o.letter in known
        }
        return Reply(
            text=self._tokens.text([int(logits.argmax())]),
            finish="length",
            letters=letters,
            answer_tokens=1,
        )

    def _written(self, tokens: list[int], ends: frozenset[int]) -> Reply:
        ended = bool(tokens) and tokens[-1] in ends
        return Reply(
            text=self._tokens.text(tokens),
            finish="stop" if ended else "length",
            answer_tokens=len(tokens),
        )

    def _seed(self, prompt: Prompt, sample: int) -> int:
        seen = f"{self._settings.seed}\x1f{sample}\x1f{prompt.key}"
        return int.from_bytes(sha256(seen.encode()).digest()[:7])


def _groups(
    asked: Sequence[int], rows: Sequence[list[int]], side_by_side: bool
) -> Iterator[list[int]]:
    """Prompts that can be read at once: those that begin with the same token, or each alone."""
    if not side_by_side:
        yield from ([k] for k in asked)
        return
    by: dict[int, list[int]] = {}
    for k in asked:
        # A prompt of one token has no beginning to share.
        by.setdefault(rows[k][0] if len(rows[k]) > 1 else -1 - k, []).append(k)
    yield from by.values()


def _greedy(logits: Tensor) -> list[int]:
    return [int(token) for token in logits.argmax(-1)]


def _drawing(temperature: float, seeds: Sequence[int]) -> Callable[[Tensor], list[int]]:
    """Draws with one generator a prompt, so that no prompt moves the draws of another."""
    import torch

    sources = [torch.Generator().manual_seed(seed) for seed in seeds]

    def pick(logits: Tensor) -> list[int]:
        shares = (logits.double().cpu() / temperature).softmax(-1)
        at = torch.stack([torch.rand(1, generator=g, dtype=torch.float64) for g in sources])
        upto = shares.cumsum(-1)
        drawn = torch.searchsorted(upto, at * upto[:, -1:])
        return [int(token) for token in drawn[:, 0].clamp(max=shares.shape[-1] - 1)]

    return pick


def backend(argument: str, settings: Settings) -> Backend:
    """Returns the model `argument`: a folder, or NAME or NAME@REVISION on the Hugging Face hub.

    Raises:
        MissingPackageError: transformers is not installed.
        RelgraphError: there is no such model, or nothing that can be loaded without running code.
    """
    return TransformersBackend(_hf_model.find(argument, settings.device), settings)


BACKEND = backend
