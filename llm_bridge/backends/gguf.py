"""`gguf:FILE`: the former name of `llamacpp:FILE`, for commands that were written down."""

from __future__ import annotations

from relgraph.llm_bridge.backends.llamacpp import BACKEND

__all__ = ["BACKEND"]
