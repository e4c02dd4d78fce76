"""What an embedder is, and how one is loaded by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from relgraph.approach import Settings
from relgraph.errors import RelgraphError
from relgraph.registry import load

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from relgraph.embed._cached import CachedEmbedder

    Vectors: TypeAlias = NDArray[np.float32]


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors.

    Attributes:
        name: as it is asked for: a registry name, and its argument after a colon.
        identity: equal only for embedders that give the same vectors: weights, tokenizer,
            pooling and length limit go into it, the device does not.
        dim: length of a vector.
        max_tokens: longest text it reads whole; None when there is no limit.
    """

    @property
    def name(self) -> str: ...
    @property
    def identity(self) -> str: ...
    @property
    def dim(self) -> int: ...
    @property
    def max_tokens(self) -> int | None: ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Returns float32 vectors `[text, dim]`, all finite, in the order of `texts`."""
        ...

    def truncated(self, texts: Sequence[str]) -> list[bool]:
        """Returns for each text whether it is longer than `max_tokens` and so cut by `encode`."""
        ...


EmbedderFactory = Callable[[str, Settings], Embedder]
"""The registry constant `EMBEDDER`: builds the embedder from the part after `:` and settings."""


def load_embedder(settings: Settings) -> CachedEmbedder:
    """Returns the embedder that `settings.embedder` names, behind the cache of `settings.cache`.

    Args:
        settings: `embedder` is `minilm`, `hashing`, `hashing:DIM`, `st:NAME_OR_FOLDER` or the
            name of a plugin; `device`, `threads` and `cache` are heeded.

    Raises:
        UnknownNameError: there is no such embedder.
        RelgraphError: its model is missing, damaged or refused, or the device is not there.
    """
    from relgraph.embed._cached import CachedEmbedder
    from relgraph.embed._store import VectorStore

    name, _, argument = settings.embedder.partition(":")
    factory: EmbedderFactory = load("embedder", name)
    return CachedEmbedder(factory(argument, settings), VectorStore.at(settings.cache))


def refuse_argument(name: str, argument: str) -> None:
    """Raises an error when an embedder that takes no argument is given one."""
    if argument:
        raise RelgraphError(
            f"embedder '{name}:{argument}': {name} takes no argument. Use --embedder {name}, or "
            f"st:NAME_OR_FOLDER for another sentence-transformers model."
        )
