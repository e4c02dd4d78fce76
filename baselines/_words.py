"""Embeddings by text: every text is embedded once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from relgraph.embed import Embedder


class Words:
    """An embedder that remembers.

    Attributes:
        embedder: what embeds.
        known: text -> its vector `[dim]`, for all texts learnt so far.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self.known: dict[str, NDArray[np.float32]] = {}

    @property
    def dim(self) -> int:
        """Returns the length of a vector."""
        return self.embedder.dim

    def learn(self, texts: Iterable[str]) -> None:
        """Embeds those of the texts that are not known yet."""
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        if new:
            self.known.update(zip(new, self.embedder.encode(new), strict=True))
