"""Text embedders, one file each, behind one cache: `load_embedder`."""

from __future__ import annotations

from relgraph.approach import Settings
from relgraph.embed._base import Embedder, EmbedderFactory
from relgraph.embed._cached import CachedEmbedder
from relgraph.embed._device import choose_device
from relgraph.embed._store import VectorStore
from relgraph.kept import clear_models, default_folder, kept_models, models_folder
from relgraph.registry import load

__all__ = [
    "CachedEmbedder",
    "Embedder",
    "EmbedderFactory",
    "VectorStore",
    "choose_device",
    "clear_models",
    "default_folder",
    "kept_models",
    "load_embedder",
    "models_folder",
]


def load_embedder(settings: Settings) -> CachedEmbedder:
    """Returns the embedder that `settings.embedder` names, behind the cache of `settings.cache`.

    Args:
        settings: `embedder` is `minilm`, `mpnet`, `hashing`, `hashing:DIM`, `st:NAME_OR_FOLDER`
            or the name of a plugin; `device`, `threads` and `cache` are heeded.

    Raises:
        UnknownNameError: there is no such embedder.
        RelgraphError: its model is missing, damaged or refused, or the device is not there.
    """
    name, _, argument = settings.embedder.partition(":")
    factory: EmbedderFactory = load("embedder", name)
    return CachedEmbedder(factory(argument, settings), VectorStore.at(settings.cache))
