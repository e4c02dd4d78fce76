"""Similarities of phrases, each under its own name and never one for another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from relgraph.approach import Settings
from relgraph.errors import RelgraphError
from relgraph.records import Viewpoint

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


BERTSCORE_MODEL = "distilbert-base-uncased"
BERTSCORE_FILES = ("model.safetensors", "pytorch_model.bin")


@dataclass(frozen=True, slots=True)
class Similarity:
    """A similarity of phrases.

    Attributes:
        identity: which model, version and options give it.
        of: answers and gold texts, equally many -> similarity of each pair; 0 for an empty answer.
    """

    identity: str
    of: Callable[[Sequence[str], Sequence[str]], NDArray[np.float64]]


def viewpoint_text(viewpoints: Sequence[Viewpoint]) -> str:
    """Returns the viewpoints of an answer as one text, in their order; empty for none."""
    return "; ".join(v.viewpoint.strip() for v in viewpoints if v.viewpoint.strip())


def similarities(
    settings: Settings, *, download: bool = False
) -> tuple[dict[str, Similarity], dict[str, str]]:
    """Returns the similarities that can be had here by name, and why others cannot.

    `minilm_cosine` is the cosine of MiniLM-L6-v2 sentence embeddings, whatever embedder the
    approaches use. `bertscore_f1` is BERTScore (Zhang et al., 2020) by the package `bert-score`
    with the model of the published runs, `distilbert-base-uncased`, without rescaling.

    Args:
        settings: device, threads and cache.
        download: whether BERTScore may fetch its weights; else they must be on this machine.
    """
    found: dict[str, Similarity] = {}
    lacking: dict[str, str] = {}
    makers: dict[str, Callable[[], Similarity]] = {
        "minilm_cosine": lambda: _minilm(settings),
        "bertscore_f1": lambda: _bertscore(settings, download=download),
    }
    for name, make in makers.items():
        try:
            found[name] = make()
        except RelgraphError as error:
            lacking[name] = str(error)
    return found, lacking


def _minilm(settings: Settings) -> Similarity:
    import numpy as np

    from relgraph.embed import load_embedder

    embedder = load_embedder(replace(settings, embedder="minilm"))

    def cosine(said: Sequence[str], gold: Sequence[str]) -> NDArray[np.float64]:
        kept = [k for k, text in enumerate(said) if text.strip()]
        values = np.zeros(len(said))
        if kept:
            a = _unit(embedder.encode([said[k] for k in kept]))
            b = _unit(embedder.encode([gold[k] for k in kept]))
            values[kept] = (a * b).sum(axis=1)
        return values

    return Similarity(str(embedder.identity), cosine)


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    import numpy as np

    wide = vectors.astype(np.float64)
    norm: NDArray[np.float64] = np.linalg.norm(wide, axis=1, keepdims=True)
    return wide / np.where(norm > 0, norm, 1.0)


def _bertscore(settings: Settings, *, download: bool) -> Similarity:
    from importlib.util import find_spec

    if find_spec("bert_score") is None:
        raise RelgraphError(
            "the package bert-score is not installed: pip install 'relgraph[bertscore]'"
        )
    if not download and not _in_hub_cache():
        raise RelgraphError(
            f"the weights of {BERTSCORE_MODEL} are not on this machine; --bertscore fetches them"
        )
    import numpy as np
    import torch
    from bert_score import BERTScorer

    device = None if settings.device == "auto" else settings.device
    try:
        torch.set_num_threads(settings.threads)
        scorer = BERTScorer(model_type=BERTSCORE_MODEL, device=device)
    except (OSError, ValueError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise RelgraphError(f"{BERTSCORE_MODEL} cannot be loaded: {reason}") from None

    def f1(said: Sequence[str], gold: Sequence[str]) -> NDArray[np.float64]:
        # an empty candidate has a score above zero in bert-score; here it has none
        kept = [k for k, text in enumerate(said) if text.strip()]
        values = np.zeros(len(said))
        if kept:
            _, _, found = scorer.score([said[k] for k in kept], [gold[k] for k in kept])
            values[kept] = found.numpy()
        return values

    return Similarity(str(scorer.hash), f1)


def _in_hub_cache() -> bool:
    try:
        from huggingface_hub import try_to_load_from_cache
    except ImportError:
        return False
    names = (BERTSCORE_MODEL, f"distilbert/{BERTSCORE_MODEL}")
    return any(
        isinstance(try_to_load_from_cache(name, file), str)
        for name in names
        for file in BERTSCORE_FILES
    )
