"""A sentence-transformers model, loaded quietly and run in batches: `minilm`, `mpnet`, `st`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from relgraph.approach import Settings
from relgraph.embed._device import choose_device
from relgraph.errors import RunError

if TYPE_CHECKING:
    from relgraph.embed._base import Vectors

BATCH_TEXTS = {"cpu": 32, "cuda": 256, "mps": 64}


class SentenceEmbedder:
    """A sentence-transformers model; it is loaded when first needed.

    Args:
        name: as it was asked for.
        identity: see `Embedder`.
        dim: length of a vector.
        max_tokens: the model's limit, its special tokens included.
        load: gives the loaded model.
    """

    def __init__(
        self,
        name: str,
        *,
        identity: str,
        dim: int,
        max_tokens: int | None,
        load: Callable[[], Any],
    ) -> None:
        self.name = name
        self.identity = identity
        self.dim = dim
        self.max_tokens = max_tokens
        self._load = load

    @cached_property
    def _model(self) -> Any:
        return self._load()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Returns float32 vectors `[text, dim]` in the order of `texts`.

        Raises:
            RunError: the memory does not hold even one text.
        """
        model = self._model

        def run(batch_texts: int) -> Vectors:
            vectors = model.encode(
                list(texts),
                batch_size=batch_texts,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
            return np.asarray(vectors, dtype=np.float32)

        return halve_when_full(run, BATCH_TEXTS.get(model.device.type, 32))

    def truncated(self, texts: Sequence[str]) -> list[bool]:
        """Returns for each text whether the tokenizer makes more than `max_tokens` of it."""
        if self.max_tokens is None:
            return [False] * len(texts)
        # No tokenizer makes more tokens than there are bytes (two more begin and end the text), so
        # that short texts, nearly all, need not be read a second time.
        limit = self.max_tokens
        suspects = [i for i, text in enumerate(texts) if len(text.encode()) + 2 > limit]
        cut = [False] * len(texts)
        if suspects:
            rows = self._model.tokenizer([texts[i] for i in suspects], verbose=False)["input_ids"]
            for i, tokens in zip(suspects, rows, strict=True):
                cut[i] = len(tokens) > limit
        return cut


def halve_when_full(run: Callable[[int], Vectors], batch_texts: int) -> Vectors:
    """Returns `run(batch_texts)`, with half the batch as often as the memory is exceeded.

    Raises:
        RunError: one text at a time is still too much.
    """
    while True:
        try:
            return run(batch_texts)
        except (RuntimeError, MemoryError) as error:
            if not is_full(error):
                raise
            if batch_texts == 1:
                raise RunError(
                    "embedding: the device's memory does not hold the model and one text. Free "
                    "memory on it, or use --device cpu or a smaller --embedder."
                ) from error
        # Outside `except`: there the error still holds on to the batch.
        free()
        batch_texts //= 2


def open_model(place: str, settings: Settings, *, offline: bool) -> Any:
    """Returns the `SentenceTransformer` at `place` (a folder or a hub name), ready to run.

    Code that comes with a model is not run, and weights are read as safetensors only.
    """
    device = choose_device(settings.device)
    import torch

    torch.set_num_threads(max(1, settings.threads))
    with quiet():
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(
            place,
            device=device,
            trust_remote_code=False,
            local_files_only=offline,
            model_kwargs={"use_safetensors": True},
        )
    return model.eval()


def identify(model: Any) -> str:
    """Returns the SHA-256 of all that decides a loaded model's vectors.

    Weights, tokenizer, the configuration of each module, prompts, limits and precision go into
    it; names, paths, device and library versions do not.
    """
    import torch

    digest = sha256()
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(f"{name}|{tensor.dtype}|{tuple(tensor.shape)}|".encode())
        flat = tensor.detach().cpu().contiguous().reshape(-1)
        digest.update(flat.view(torch.uint8).numpy().data)
    for module in model:
        kind = type(module)
        digest.update(f"{kind.__module__}.{kind.__qualname__}".encode())
        digest.update(_plain(getattr(module, "get_config_dict", dict)()))
        inner = getattr(getattr(module, "auto_model", None), "config", None)
        if inner is not None:
            apart = ("_name_or_path", "transformers_version")
            settings = {k: v for k, v in inner.to_dict().items() if k not in apart}
            digest.update(_plain(settings))
    backend = getattr(model.tokenizer, "backend_tokenizer", None)
    if backend is None:
        digest.update(_plain(model.tokenizer.get_vocab()))
    else:
        # Padding and truncation are set by whoever called the tokenizer last.
        words = json.loads(backend.to_str())
        digest.update(
            _plain({k: v for k, v in words.items() if k not in ("padding", "truncation")})
        )
    digest.update(_plain([model.max_seq_length, model.prompts, model.default_prompt_name]))
    digest.update(_plain([getattr(model, "truncate_dim", None)]))
    return digest.hexdigest()


@contextmanager
def quiet() -> Iterator[None]:
    """Keeps transformers and the hub from writing bars and notices; errors are raised as ever."""
    hub: Any = import_module("huggingface_hub.utils")
    logging: Any = import_module("transformers.utils.logging")
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    hub_bars = not hub.are_progress_bars_disabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    if hub_bars:
        hub.disable_progress_bars()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
        if hub_bars:
            hub.enable_progress_bars()


def is_full(error: Exception) -> bool:
    """Returns whether an error says that the memory, the device's or the machine's, is full."""
    said = str(error).casefold()
    return isinstance(error, MemoryError) or any(
        words in said for words in ("out of memory", "not enough memory", "can't allocate memory")
    )


def free() -> None:
    """Gives the device's memory that nothing holds any more back to it."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def _plain(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, default=str).encode()
