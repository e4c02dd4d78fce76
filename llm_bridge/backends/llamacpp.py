"""`llamacpp:FILE`: any chat model in a GGUF file, run inside this process by llama.cpp."""

from __future__ import annotations

from pathlib import Path

from relgraph.approach import Settings
from relgraph.errors import RelgraphError
from relgraph.llm_bridge.backends._base import Backend
from relgraph.llm_bridge.backends._llamacpp import LlamaBackend, require_engine, require_gguf


def backend(argument: str, settings: Settings) -> Backend:
    """Returns the model in the file `argument`; the run keeps its name and hash.

    Raises:
        MissingPackageError: the engine is not installed.
        RelgraphError: there is no such GGUF file.
    """
    if not argument:
        raise RelgraphError("--model llamacpp: no file given; wanted: llamacpp:FILE.")
    require_engine("a GGUF file (--model llamacpp:FILE)")
    file = Path(argument).expanduser()
    require_gguf(file)
    return LlamaBackend(f"llamacpp:{file.name}", file, settings)


BACKEND = backend
