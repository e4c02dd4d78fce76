"""What a causal language model reads: the beginning that prompts share once, the rest together.

The keys and values of what was read are kept. Several prompts that share a beginning are read in
two steps: the longest beginning that one of them shares with any other (the spine), alone; then
what each has beyond its own part of the spine, side by side. A prompt that leaves the spine early
does not see the rest of it: those places are masked, and its own tokens get the positions that
they would have alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

Row = Sequence[int]


@dataclass(slots=True)
class Reading:
    """Where reading some prompts has led to.

    Attributes:
        logits: float32 `[prompt, token]`, of the token that comes next.
        kept: for each prompt, how many of its tokens were not read again.
    """

    logits: Tensor
    kept: tuple[int, ...]
    _cache: Any
    _mask: Tensor
    _next: Tensor


class Reader:
    """Reads prompts with one model and keeps what the next ones may share."""

    def __init__(self, model: Any) -> None:
        from transformers import DynamicCache
        from transformers.cache_utils import DynamicLayer

        self._model = model
        self._empty: Callable[..., Any] = DynamicCache
        takes = inspect.signature(model.forward).parameters
        self._last_only = {"logits_to_keep": 1} if "logits_to_keep" in takes else {}
        self._places = "position_ids" in takes
        self._kept_as = next((n for n in ("cache", "past_key_values") if n in takes), "")
        # Windows and states cannot be cut back to an earlier token: such models read anew.
        layers = getattr(DynamicCache(config=model.config), "layers", ())
        self._keeps = (
            all(type(x) is DynamicLayer for x in layers)
            and not getattr(model, "_is_stateful", False)
            and bool(self._kept_as)
        )
        self._row: tuple[int, ...] = ()
        self._cache: Any = None

    @property
    def ends(self) -> frozenset[int]:
        """The tokens that end an answer, by the model's own settings."""
        said = getattr(self._model.generation_config, "eos_token_id", None)
        listed = said if isinstance(said, list) else [said]
        return frozenset(token for token in listed if token is not None)

    @property
    def longest(self) -> int:
        """Most tokens of a prompt with its answer; 0 where the model does not say."""
        config = self._model.config.get_text_config()
        return int(getattr(config, "max_position_embeddings", 0) or 0)

    @property
    def side_by_side(self) -> bool:
        """Whether several prompts can be read at once."""
        return self._keeps and self._places

    def forget(self) -> None:
        """Lets go of what was read."""
        self._row, self._cache = (), None

    def read(self, rows: Sequence[Row]) -> Reading:
        """Returns where reading the prompts leads to; several only where `side_by_side`."""
        with torch.inference_mode():
            if len(rows) == 1:
                return self._alone(rows[0])
            spine, own = _spine(rows)
            if not min(own):
                raise ValueError("prompts without a common beginning cannot be read together")
            return self._together(rows, spine, own)

    def write(
        self,
        reading: Reading,
        pick: Callable[[Tensor], Sequence[int]],
        *,
        ends: frozenset[int],
        most: int,
    ) -> list[list[int]]:
        """Returns the tokens written behind each prompt, the ending one among them if it came.

        Args:
            reading: of the prompts; it cannot be used again.
            pick: chooses one token a prompt from the logits `[prompt, token]`.
            ends: the tokens that end an answer.
            most: so many tokens an answer.
        """
        written: list[list[int]] = [[] for _ in reading.kept]
        with torch.inference_mode():
            while True:
                chosen = pick(reading.logits)
                for tokens, token in zip(written, chosen, strict=True):
                    if not (tokens and tokens[-1] in ends):
                        tokens.append(token)
                if all(len(t) >= most or t[-1] in ends for t in written):
                    return written
                self._step(reading, chosen)

    def _step(self, reading: Reading, chosen: Sequence[int]) -> None:
        mask = reading._mask
        reading._mask = torch.cat([mask, mask.new_ones(len(chosen), 1)], dim=1)
        tokens = torch.tensor(chosen, device=mask.device).unsqueeze(1)
        reading.logits = self._run(
            tokens, reading._cache, reading._mask, reading._next.unsqueeze(1)
        )
        reading._next = reading._next + 1

    def _alone(self, row: Row) -> Reading:
        kept = min(_shared(self._row, row), len(row) - 1) if self._keeps else 0
        cache = self._copy(kept)
        logits = self._read_on(cache, row, kept)
        if self._keeps:
            self._row, self._cache = tuple(row), cache
        mask = torch.ones(1, len(row), dtype=torch.long, device=logits.device)
        place = torch.tensor([len(row)], device=logits.device)
        return Reading(logits, (kept,), cache, mask, place)

    def _together(self, rows: Sequence[Row], spine: Row, own: Sequence[int]) -> Reading:
        kept = _shared(self._row, spine)
        if kept < len(spine):
            cache = self._copy(kept)
            self._read_on(cache, spine, kept)
            self._row, self._cache = tuple(spine), cache
        rests = [row[n:] for row, n in zip(rows, own, strict=True)]
        width, device = max(map(len, rests)), self._model.device
        # Padded on the left, so that all prompts end in the same column.
        tokens = torch.zeros(len(rows), width, dtype=torch.long)
        places = torch.zeros_like(tokens)
        mask = torch.zeros(len(rows), len(spine) + width, dtype=torch.long)
        for k, (rest, n) in enumerate(zip(rests, own, strict=True)):
            start = width - len(rest)
            tokens[k, start:] = torch.tensor(rest)
            places[k, start:] = torch.arange(n, n + len(rest))
            mask[k, :n] = 1
            mask[k, len(spine) + start :] = 1
        cache = self._copy(len(spine), repeats=len(rows))
        logits = self._run(tokens.to(device), cache, mask.to(device), places.to(device))
        ends = torch.tensor([len(row) for row in rows], device=device)
        # The spine was read for the first prompt that has all of it; the others found it.
        first = own.index(len(spine))
        found = tuple(kept if k == first else n for k, n in enumerate(own))
        return Reading(logits, found, cache, mask.to(device), ends)

    def _read_on(self, cache: Any, row: Row, start: int) -> Tensor:
        """Reads a row from a place on; returns the logits behind it."""
        device = self._model.device
        tokens = torch.tensor([row[start:]], device=device)
        mask = torch.ones(1, len(row), dtype=torch.long, device=device)
        return self._run(tokens, cache, mask, torch.arange(start, len(row), device=device)[None])

    def _run(self, tokens: Tensor, cache: Any, mask: Tensor, places: Tensor) -> Tensor:
        said = self._model(
            input_ids=tokens,
            attention_mask=mask,
            use_cache=True,
            **({self._kept_as: cache} if self._kept_as else {}),
            **({"position_ids": places} if self._places else {}),
            **self._last_only,
        )
        logits: Tensor = said.logits[:, -1].float()
        return logits

    def _copy(self, length: int, *, repeats: int = 1) -> Any:
        """The first tokens of what is kept, so many times side by side."""
        cache = self._empty() if self._keeps else self._empty(config=self._model.config)
        if length:
            for layer, of in enumerate(self._cache.layers):
                keys, values = of.keys[:, :, :length], of.values[:, :, :length]
                wide = (repeats, -1, -1, -1)
                cache.update(keys.expand(wide), values.expand(wide), layer)
        return cache


def _shared(one: Row, other: Row) -> int:
    """How many tokens two rows have in common at the beginning."""
    length = min(len(one), len(other))
    differ = np.nonzero(np.asarray(one[:length]) != np.asarray(other[:length]))[0]
    return int(differ[0]) if len(differ) else length


def _spine(rows: Sequence[Row]) -> tuple[Row, tuple[int, ...]]:
    """The beginning to be read alone, and how much of it each row has; each row has more."""
    shares = [[_shared(one, other) for other in rows] for one in rows]
    donor = max(range(len(rows)), key=lambda k: sum(shares[k]))
    longest = max(n for k, n in enumerate(shares[donor]) if k != donor)
    spine = rows[donor][: min(longest, len(rows[donor]) - 1)]
    return spine, tuple(_own(_shared(row, spine), row) for row in rows)


def _own(shared: int, row: Row) -> int:
    return min(shared, len(row) - 1)
