"""Text embedders, one file each, behind one cache: `load_embedder`."""

from relgraph.embed._base import Embedder, EmbedderFactory, load_embedder
from relgraph.embed._device import choose_device

__all__ = ["Embedder", "EmbedderFactory", "choose_device", "load_embedder"]
