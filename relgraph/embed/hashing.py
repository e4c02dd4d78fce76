"""`hashing` or `hashing:DIM`: hashed words and letter groups; no model, for quick runs and tests.

Features are lower-case words, pairs of neighbouring words, and groups of 3 to 5 letters inside
`<word>` (Bojanowski et al. 2017, "Enriching Word Vectors with Subword Information"). Each is added
with a sign to one of `dim` places, both drawn from its BLAKE2b hash (Weinberger et al. 2009,
"Feature Hashing for Large Scale Multitask Learning"); the sums are damped by a square root and
the vector is scaled to length 1. It knows which words are alike in spelling, not in meaning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from relgraph.approach import Settings
from relgraph.embed._base import Embedder
from relgraph.errors import RelgraphError

if TYPE_CHECKING:
    from relgraph.embed._base import Vectors

DIM = 256
LARGEST_DIM = 65536
VERSION = 1
WORD = re.compile(r"\w+(?:['\u2019]\w+)*|[^\w\s]")
LETTERS = (3, 4, 5)


class HashingEmbedder:
    """Hashed words and letter groups; equal on every machine and in every process."""

    max_tokens: int | None = None

    def __init__(self, dim: int) -> None:
        self.name = "hashing" if dim == DIM else f"hashing:{dim}"
        self.identity = f"hashing/{VERSION}/{dim}"
        self.dim = dim

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Returns vectors `[text, dim]` of length 1, or of zeros for a text without words."""
        vectors = np.zeros((len(texts), self.dim), dtype=np.float64)
        for row, text in zip(vectors, texts, strict=True):
            for feature, count in Counter(_features(text)).items():
                value = _hash(feature)
                row[(value >> 1) % self.dim] += (count**0.5) * (1 if value & 1 else -1)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(lengths == 0, 1, lengths), dtype=np.float32)

    def truncated(self, texts: Sequence[str]) -> list[bool]:
        """Returns False for every text: all are read whole."""
        return [False] * len(texts)


def _features(text: str) -> Iterator[str]:
    words = [word.replace("\u2019", "'") for word in WORD.findall(text.casefold())]
    yield from words
    yield from (f"{a} {b}" for a, b in pairwise(words))
    for word in words:
        marked = f"<{word}>"
        for size in LETTERS:
            yield from (f"#{marked[i : i + size]}" for i in range(len(marked) - size + 1))


@lru_cache(maxsize=1 << 16)
def _hash(feature: str) -> int:
    return int.from_bytes(blake2b(feature.encode(), digest_size=8).digest(), "little")


def _embedder(argument: str, settings: Settings) -> Embedder:
    del settings
    if not argument:
        return HashingEmbedder(DIM)
    if not argument.isdecimal() or not 1 <= int(argument) <= LARGEST_DIM:
        raise RelgraphError(
            f"embedder 'hashing:{argument}': after the colon comes the number of dimensions, "
            f"1 to {LARGEST_DIM}, for example hashing:512."
        )
    return HashingEmbedder(int(argument))


EMBEDDER = _embedder
