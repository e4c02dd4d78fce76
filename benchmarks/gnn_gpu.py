"""The graph network and its embedder on a GPU: turns a second, and how near they are to the CPU.

    python benchmarks/gnn_gpu.py [--device auto|cpu|cuda] [--model DIR] [--conversations N]

One command that installs and fetches nothing, from an installed relgraph or a bare checkout, in at
most a few minutes; prints JSON and what it was measured on. Without a CUDA device it runs on the
CPU, where it tells whether the script is in order.

- Embedding: MiniLM (the packaged one, or the sentence-transformers folder of `--model`; random
  weights of its shape where neither is there) in float16 on CUDA, float32 on the CPU.
- Training: one member, all heads, mixed precision (bfloat16) on CUDA; made-up conversations of 37
  turns. `mixed` is the first step's loss, without dropout, against that of float32.
- Inference: encoding with one network, and the network alone; `logits` compares float32 on the
  device with float32 on the CPU. `rerun` compares two trainings with one seed.

Seconds are of the wall clock, the best of three rounds.

The exit code is 1 where a difference exceeds its tolerance. `--save-half DIR` writes the packaged
MiniLM in float16 (about 45 MB) for a machine that has no such package, and ends.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import _gnn_work as work
import torch

from relgraph.approach import Settings
from relgraph.baselines._channels import Vectors
from relgraph.baselines._stretches import stretches
from relgraph.baselines.gnn.recipe import Recipe
from relgraph.corpora import read
from relgraph.embed import choose_device
from relgraph.embed._sentence import open_model
from relgraph.embed.minilm import check_model, find_model
from relgraph.errors import MissingPackageError
from relgraph.records import Instance

TURNS = 37
TOLERANCE = {"logits": 1e-3, "mixed": 2e-2, "rerun": 2e-2, "embedding": 1e-2}
"""Largest differences. `logits`: absolute, float32 on both sides. `mixed`: of the first step's
losses, relative. `rerun`: of the losses of the last of two epochs, relative; 0 on the CPU.
`embedding`: of a number of a vector of length 1, float16 against float32."""

COMPARED_TALKS, COMPARED_TEXTS = 16, 64
TEXTS = {"cpu": 256, "cuda": 16_384}
BATCH_TEXTS = {"cpu": 32, "cuda": 512}


ROUNDS = 3


def seconds_of(job: Callable[[], object], device: torch.device) -> float:
    """Returns seconds of a call, all that it started on the device included; the best round."""
    best = float("inf")
    for _ in range(ROUNDS):
        _wait(device)
        begun = perf_counter()
        job()
        _wait(device)
        best = min(best, perf_counter() - begun)
    return best


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def embedding(folder: str, count: int, device: torch.device) -> dict[str, Any]:
    """Returns turns a second of embedding, and the difference to the CPU in float32."""
    said = [turn.text for conversation in read("sample") for turn in conversation.turns]
    count = count or TEXTS[device.type]
    said *= count // len(said) + 1
    texts = said[:count]
    model, weights = _model(folder)
    some = texts[:COMPARED_TEXTS]
    wanted = torch.as_tensor(model(some, 32))
    half = device.type == "cuda"
    model.to(device)
    if half:
        model.half()
    batch = BATCH_TEXTS[device.type]
    found = torch.as_tensor(model(some, batch)).float().cpu()
    model(texts[: 4 * batch], batch)
    seconds = seconds_of(lambda: model(texts, batch), device)
    return {
        "weights": weights,
        "precision": "float16" if half else "float32",
        "turns": len(texts),
        "turns_a_second": len(texts) / seconds,
        "largest_difference": float((found - wanted).abs().max()),
    }


class _Packaged(torch.nn.Module):
    """A sentence-transformers model behind one call: texts and batch size in, vectors out."""

    def __init__(self, folder: str) -> None:
        super().__init__()
        self.inner = open_model(folder, Settings(device="cpu", threads=1), offline=True).float()

    def forward(self, texts: Sequence[str], batch: int) -> Any:
        return self.inner.encode(list(texts), batch_size=batch, show_progress_bar=False)


class _Drawn(torch.nn.Module):
    """Random weights of MiniLM's shape; a token for each four letters, drawn from the text."""

    def __init__(self) -> None:
        super().__init__()
        from transformers import BertConfig, BertModel

        torch.manual_seed(0)
        shape = BertConfig(
            hidden_size=work.DIM, num_hidden_layers=6, num_attention_heads=12,
            intermediate_size=1536,
        )  # fmt: skip
        self.inner = BertModel(shape, add_pooling_layer=False).eval()

    @torch.inference_mode()
    def forward(self, texts: Sequence[str], batch: int) -> Any:
        device = next(self.parameters()).device
        order = sorted(range(len(texts)), key=lambda k: len(texts[k]))
        found = torch.empty(len(texts), work.DIM)
        for begin in range(0, len(order), batch):
            chosen = order[begin : begin + batch]
            rows = [
                [1000 + sum(texts[k][at : at + 4].encode()) for at in range(0, len(texts[k]), 4)]
                for k in chosen
            ]
            longest = max(map(len, rows))
            mask = torch.tensor([[1] * len(r) + [0] * (longest - len(r)) for r in rows])
            ids = torch.tensor([r + [0] * (longest - len(r)) for r in rows])
            mask = mask.to(device)
            states = self.inner(ids.to(device), attention_mask=mask).last_hidden_state
            kept = mask.unsqueeze(-1).to(states.dtype)
            means = (states * kept).sum(1) / kept.sum(1)
            found[chosen] = torch.nn.functional.normalize(means.float(), dim=-1).cpu()
        return found


def _model(folder: str) -> tuple[torch.nn.Module, str]:
    """Returns the embedder on the CPU in float32, and what its weights are."""
    if folder:
        return _Packaged(folder), folder
    try:
        packaged = find_model()
    except MissingPackageError:
        return _Drawn(), "random, of MiniLM's shape"
    check_model(packaged)
    return _Packaged(str(packaged)), "MiniLM, packaged"


def training(vectors: Vectors, talks: Sequence[Any], device: torch.device) -> dict[str, Any]:
    """Returns turns a second of training, and differences of losses."""
    cuda = device.type == "cuda"
    learn = work.lessons_of(talks, vectors)
    turns = sum(lesson.encoded.turns for lesson in learn)
    epochs = work.course(learn, Recipe(epochs=1 + ROUNDS), device=device).run(1)
    next(epochs)
    seconds = seconds_of(lambda: next(epochs), device)
    bare = replace(Recipe(), epochs=1, dropout=0.0, word_dropout=0.0)
    first = learn[: bare.batch]
    exact, mixed = (
        next(work.course(first, bare, device=device, mixed=choice).run(1)).losses
        for choice in (False, True)
    )
    few = learn[:64]
    one, two = (
        [e.losses for e in work.course(few, Recipe(epochs=2), device=device).run(1)][-1]
        for _ in range(2)
    )
    return {
        "precision": "bfloat16 mixed" if cuda else "float32",
        "turns": turns,
        "turns_a_second": turns / seconds,
        "peak_device_mb": torch.cuda.max_memory_allocated(device) / 2**20 if cuda else 0.0,
        "first_step": {"float32": dict(exact), "mixed": dict(mixed)},
        "mixed_difference": _apart(exact, mixed),
        "rerun_difference": _apart(one, two),
    }


def _apart(ours: Any, theirs: Any) -> float:
    """Returns the largest relative difference of a head's loss."""
    return max(abs(ours[head] - theirs[head]) / abs(ours[head]) for head in ours)


def inference(vectors: Vectors, talks: Sequence[Any], device: torch.device) -> dict[str, Any]:
    """Returns turns a second of answering, and the difference of logits to the CPU."""
    asked = [instance for one in talks for instance in work.instances_of(one)]
    few = [instance for one in talks[:COMPARED_TALKS] for instance in work.instances_of(one)]
    net = work.network(device)
    found = work.read_off(net, work.placed(few, vectors, device=device))
    ready = list(work.placed(asked, vectors, device=device))
    alone = seconds_of(lambda: work.read_off(net, ready), device)
    whole = seconds_of(
        lambda: work.read_off(net, work.placed(asked, vectors, device=device)), device
    )
    turns = sum(len(stretch.conversation.turns) for stretch in stretches(asked))
    return {
        "turns": turns,
        "instances": len(asked),
        "turns_a_second": {"network": turns / alone, "with_encoding": turns / whole},
        "logit_difference": _logits_apart(found, few, vectors),
    }


def _logits_apart(found: dict[str, Any], few: Sequence[Instance], vectors: Vectors) -> float:
    """Returns the largest absolute difference to the CPU, of logits and guessed embeddings."""
    gaps = [0.0]
    for name, wanted in work.read_off(work.network(), work.placed(few, vectors)).items():
        for ours, theirs in (
            (wanted.logits, found[name].logits),
            (wanted.guess, found[name].guess),
        ):
            theirs = theirs.cpu()
            if not torch.equal(torch.isfinite(ours), torch.isfinite(theirs)):
                return float("inf")
            known = torch.isfinite(ours)
            gaps += (ours[known] - theirs[known]).abs().tolist()
    return max(gaps)


def measured_on(device: torch.device) -> dict[str, Any]:
    """Returns the machine and the versions."""
    card = torch.cuda.get_device_name(device) if device.type == "cuda" else ""
    return {
        "device": card or f"CPU ({platform.machine()}), {torch.get_num_threads()} thread(s)",
        "cuda": torch.version.cuda or "",
        "torch": torch.__version__,
        "python": platform.python_version(),
        "system": platform.platform(),
    }


def save_half(folder: Path) -> None:
    """Writes the packaged MiniLM in float16."""
    packaged = find_model()
    check_model(packaged)
    _Packaged(str(packaged)).inner.half().save_pretrained(str(folder))


def main() -> None:
    """Measures and prints JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda"))
    parser.add_argument("--model", default="", help="folder of a sentence-transformers model")
    parser.add_argument("--conversations", type=int, default=0, help="default 512, on a CPU 32")
    parser.add_argument("--texts", type=int, default=0, help="default 16384, on a CPU 256")
    parser.add_argument("--save-half", metavar="DIR", help="write MiniLM in float16 and end")
    options = parser.parse_args()
    if options.save_half:
        save_half(Path(options.save_half))
        return
    begun = perf_counter()
    found = "cuda" if torch.cuda.is_available() else "cpu"
    device = torch.device(choose_device(found if options.device == "auto" else options.device))
    # With more threads a small network is slower, and reruns on the CPU are equal to the bit.
    torch.set_num_threads(1)
    count = options.conversations or (512 if device.type == "cuda" else 32)
    talks = [work.talk(number, TURNS) for number in range(count)]
    vectors = work.drawn(talks)
    result: dict[str, Any] = {"measured_on": measured_on(device), "conversations": count}
    result["training"] = training(vectors, talks, device)
    result["inference"] = inference(vectors, talks, device)
    result["embedding"] = embedding(options.model, options.texts, device)
    differences = {
        "logits": result["inference"]["logit_difference"],
        "mixed": result["training"]["mixed_difference"],
        "rerun": result["training"]["rerun_difference"],
        "embedding": result["embedding"]["largest_difference"],
    }
    result["tolerances"] = {
        name: {"difference": gap, "at_most": TOLERANCE[name], "within": gap <= TOLERANCE[name]}
        for name, gap in differences.items()
    }
    result["seconds"] = perf_counter() - begun
    print(json.dumps(result, indent=2))
    sys.exit(not all(entry["within"] for entry in result["tolerances"].values()))


if __name__ == "__main__":
    main()
