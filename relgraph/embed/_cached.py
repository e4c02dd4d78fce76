"""An embedder behind the cache: a text is embedded once, then only looked up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from relgraph.embed._store import Stored, VectorStore
from relgraph.errors import RelgraphError, RunError
from relgraph.progress import progress
from relgraph.terminal import tell

if TYPE_CHECKING:
    from relgraph.embed._base import Embedder, Vectors

BLOCK_TEXTS = 512
"""So many texts are embedded and stored at a time: what a killed run can lose."""


class CachedEmbedder:
    """Embeds what the store does not have, and says once how many texts were cut.

    Equal texts are embedded once. New ones go in order of length, longest first: batches hold
    texts of like length, and a batch too large for the memory is too large at the start.
    """

    def __init__(self, embedder: Embedder, store: VectorStore) -> None:
        self._embedder = embedder
        self._store = store
        self._reported: set[str] = set()

    @property
    def name(self) -> str:
        """The embedder's name."""
        return self._embedder.name

    @property
    def identity(self) -> str:
        """The embedder's identity."""
        return self._embedder.identity

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._embedder.dim

    @property
    def max_tokens(self) -> int | None:
        """Longest text that is read whole."""
        return self._embedder.max_tokens

    def truncated(self, texts: Sequence[str]) -> list[bool]:
        """Returns for each text whether `encode` cuts it."""
        return self._embedder.truncated([_clean(text) for text in texts])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Returns float32 vectors `[text, dim]` in the order of `texts`.

        Raises:
            RelgraphError: one text was given instead of several.
            RunError: the embedder failed, or gave something else than finite vectors.
        """
        if isinstance(texts, str):
            raise RelgraphError("encode: a list of texts is wanted, one text was given.")
        clean = [_clean(text) for text in texts]
        if not clean:
            return np.zeros((0, self.dim), dtype=np.float32)
        wanted = list(dict.fromkeys(clean))
        known = self._store.find(self.identity, wanted, self.dim)
        missing = sorted((t for t in wanted if t not in known), key=len, reverse=True)
        with progress(f"embedding ({self.name})", len(missing)) as advance:
            for begin in range(0, len(missing), BLOCK_TEXTS):
                block = missing[begin : begin + BLOCK_TEXTS]
                new = self._embed(block)
                self._store.keep(self.identity, new)
                known |= new
                advance(len(block))
        self._report([text for text in wanted if known[text].truncated], len(wanted))
        return np.stack([known[text].vector for text in clean])

    def _embed(self, texts: Sequence[str]) -> dict[str, Stored]:
        vectors = np.ascontiguousarray(self._embedder.encode(texts), dtype=np.float32)
        if vectors.shape != (len(texts), self.dim) or not np.isfinite(vectors).all():
            wrong = "not finite" if vectors.shape == (len(texts), self.dim) else "of a wrong shape"
            raise RunError(
                f"embedder {self.name!r}: its vectors are {wrong} (shape {vectors.shape}, wanted "
                f"({len(texts)}, {self.dim})). Try --device cpu or another embedder."
            )
        cut = self._embedder.truncated(texts)
        return {t: Stored(v, c) for t, v, c in zip(texts, vectors, cut, strict=True)}

    def _report(self, cut: Sequence[str], total: int) -> None:
        new = [text for text in cut if text not in self._reported]
        if new:
            self._reported.update(new)
            tell(
                f"embedding: {len(new)} of {total} different texts are longer than the "
                f"{self.max_tokens} tokens that {self.name} reads; the rest of them is not seen"
            )


def _clean(text: str) -> str:
    """Returns the text with what is no Unicode (halves of surrogate pairs) replaced by `?`."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
