"""`st:NAME_OR_FOLDER`: any sentence-transformers model, from a folder or the Hugging Face hub."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from relgraph.approach import Settings
from relgraph.embed._base import Embedder
from relgraph.embed._sentence import SentenceEmbedder, identify, open_model
from relgraph.errors import DataError, RelgraphError, RunError

PATH_STARTS = (".", "~", os.sep)


def _open(argument: str, settings: Settings) -> Any:
    folder = Path(argument).expanduser()
    local = folder.is_dir()
    if not local and (argument.startswith(PATH_STARTS) or folder.exists()):
        raise DataError(
            f"{folder}: no such folder. After st: comes the folder of a sentence-transformers "
            f"model, or its name on the Hugging Face hub."
        )
    try:
        return open_model(str(folder) if local else argument, settings, offline=local)
    except RelgraphError:
        raise
    # What the libraries raise for one and the same cause differs from version to version.
    except Exception as error:
        cause = str(error).strip().partition("\n")[0] or type(error).__name__
        if local:
            raise DataError(
                f"{folder}: cannot be loaded as a sentence-transformers model with safetensors "
                f"weights and no code of its own ({cause})."
            ) from error
        raise RunError(
            f"embedder 'st:{argument}': cannot be loaded ({cause}). It is not on this machine, or "
            f"the hub cannot be reached, or it has no safetensors weights. Check the name, fetch "
            f"it where there is a network (`hf download {argument}`), give a folder, or use the "
            f"packaged --embedder minilm."
        ) from error


def _embedder(argument: str, settings: Settings) -> Embedder:
    if not argument:
        raise RelgraphError(
            "embedder 'st': names no model. Use st:NAME_OR_FOLDER, for example "
            "st:sentence-transformers/all-mpnet-base-v2."
        )
    model = _open(argument, settings)
    limit = model.max_seq_length
    return SentenceEmbedder(
        f"st:{argument}",
        identity=f"st/{identify(model)}/{limit}",
        dim=int(model.encode(["dimensions"], show_progress_bar=False).shape[1]),
        max_tokens=limit if isinstance(limit, int) else None,
        load=lambda: model,
    )


EMBEDDER = _embedder
