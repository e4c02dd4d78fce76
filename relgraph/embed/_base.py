"""What an embedder is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from relgraph.approach import Settings
from relgraph.errors import RelgraphError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


def refuse_argument(name: str, argument: str) -> None:
    """Raises an error when an embedder that takes no argument is given one."""
    if argument:
        raise RelgraphError(
            f"embedder '{name}:{argument}': {name} takes no argument. Use --embedder {name}, or "
            f"st:NAME_OR_FOLDER for another sentence-transformers model."
        )
