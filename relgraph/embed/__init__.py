"""Text embedders, one file each, behind one cache: `load_embedder`."""

from relgraph.embed._base import Embedder, EmbedderFactory, load_embedder
from relgraph.embed._device import choose_device
from relgraph.embed._store import VectorStore, default_folder

__all__ = [
    "Embedder",
    "EmbedderFactory",
    "VectorStore",
    "choose_device",
    "default_folder",
    "load_embedder",
]
