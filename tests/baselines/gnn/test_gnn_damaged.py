"""Whatever stands in a card or a kept state: it is used as it should be, or refused."""

from __future__ import annotations

import json
import resource
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from relgraph import registry
from relgraph.baselines.gnn.heads import build
from relgraph.baselines.gnn.model import Shape
from relgraph.baselines.gnn.recipe import Recipe
from relgraph.errors import DataError

DEEP = "[" * 100_000


@pytest.fixture
def checkpoint(corpus, settings, tmp_path) -> Path:
    folder = tmp_path / "gnn"
    registry.load("approach", "gnn")(replace(settings, epochs=1)).train_into(
        folder, corpus[:2], seed=0
    )
    return folder


def refused(folder: Path, settings) -> str:
    named = replace(settings, checkpoint=str(folder))
    with pytest.raises(DataError) as caught:
        registry.load("approach", "gnn")(named).fit((), seed=0)
    return str(caught.value)


def test_a_card_with_a_part_that_is_none_is_refused(checkpoint, settings) -> None:
    file = checkpoint / "card.json"
    card = json.loads(file.read_text(encoding="utf-8"))
    for change in (
        {"files": None},
        {"files": [1]},
        {"files": {}},
        {"labels": {}, "versions": [1]},
        {"scenarios": {"rpp": [[]]}},
        {"scenarios": [1]},
        {"recipe": card["recipe"] | {"members": 0}},
        {"recipe": card["recipe"] | {"members": 3}},
        {"recipe": card["recipe"] | {"members": 1e400}},
        {"recipe": card["recipe"] | {"layers": 10**9}},
        {"recipe": card["recipe"] | {"hidden": True}},
        {"recipe": card["recipe"] | {"hidden": 33}},
        {"recipe": [1]},
        {"mode": [1]},
        {"partner": card["partner"] | {"channels": ["words"]}},
        {"partner": card["partner"] | {"channels": [None]}},
        {"partner": card["partner"] | {"dim": 47}},
        {"intensity": float("nan")},
        {"intensity": card["intensity"][:-1]},
        {"intensity": [float("nan")] * len(card["intensity"])},
        {"temperatures": {"rpp": 0}},
        {"temperatures": {"rpp": float("nan")}},
        {"temperatures": None},
        {"chosen_on": {}},
        {"conversations": []},
        {"shape": card["shape"] | {"dim": 10**9}},
        {"shape": card["shape"] | {"dim": True}},
    ):
        file.write_text(json.dumps(card | change), encoding="utf-8")
        assert "card.json" in refused(checkpoint, settings) or "SHA-256" in refused(
            checkpoint, settings
        )
    file.write_text(json.dumps(card | {"mode": "loud"}), encoding="utf-8")
    assert "mode 'loud'" in refused(checkpoint, settings)
    file.write_text(DEEP, encoding="utf-8")
    assert "card.json: damaged checkpoint: no JSON text" in refused(checkpoint, settings)


def test_a_size_that_the_weights_do_not_have_takes_no_memory() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(RuntimeError):
        build(Shape(dim=64), Recipe(hidden=5000), {}, torch.device("cpu"))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # KiB


def test_phrases_nested_without_end_are_refused(checkpoint, settings) -> None:
    card = json.loads((checkpoint / "card.json").read_text(encoding="utf-8"))
    (checkpoint / "phrases.json").write_text(DEEP, encoding="utf-8")
    card["files"]["phrases.json"] = sha256(DEEP.encode()).hexdigest()
    (checkpoint / "card.json").write_text(json.dumps(card), encoding="utf-8")
    assert "phrases.json: damaged checkpoint" in refused(checkpoint, settings)


@pytest.mark.parametrize(
    "name", ["member.1.time.curved.0.bias", "phrases.felt", "partner.stp.mean"]
)
@pytest.mark.parametrize("number", ["nan", "inf"])
def test_numbers_that_are_not_finite_are_refused(checkpoint, settings, name, number) -> None:
    tensors = load_file(checkpoint / "model.safetensors")
    tensors[name].view(-1)[-1] = float(number)
    kept_anew(checkpoint, tensors)
    assert f"{name} has a number that is not finite" in refused(checkpoint, settings)


def test_phrases_with_vectors_of_another_length_are_refused(checkpoint, settings) -> None:
    tensors = load_file(checkpoint / "model.safetensors")
    short = {n: t[:, 1:].clone() if n.startswith("phrases.") else t for n, t in tensors.items()}
    kept_anew(checkpoint, short)
    assert "vectors of phrases are not of length 48" in refused(checkpoint, settings)


def kept_anew(folder: Path, tensors) -> None:
    """Writes other weights, and their SHA-256 into the card: only what they hold is wrong."""
    save_file(tensors, folder / "model.safetensors")
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    digest = sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    card["files"]["model.safetensors"] = digest
    (folder / "card.json").write_text(json.dumps(card), encoding="utf-8")


@pytest.mark.parametrize(
    "head",
    [
        "{}",
        "null",
        DEEP,
        json.dumps({"job": 3, "numbers": {}, "done": []}),
        json.dumps({"job": {}, "numbers": {}, "done": [{}]}),
        json.dumps({"job": {}, "numbers": [], "done": []}),
    ],
    ids=["empty", "null", "deep", "job", "done", "numbers"],
)
def test_a_kept_state_with_a_broken_header_is_refused(corpus, settings, tmp_path, head) -> None:
    about = {"format": "relgraph-gnn-training/2", "head": head}
    save_file({"running.x": torch.zeros(1)}, tmp_path / "gnn.training", metadata=about)
    with pytest.raises(DataError, match="damaged training state"):
        registry.load("approach", "gnn")(settings).train_into(
            tmp_path / "gnn", corpus[:2], seed=0, resume=True
        )


def test_a_kept_state_with_another_number_or_tensor_is_refused(corpus, settings, tmp_path) -> None:
    approach, folder = registry.load("approach", "gnn")(settings), tmp_path / "gnn"

    def stop(_) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        approach.train_into(folder, corpus[:2], seed=0, report=stop)
    file = tmp_path / "gnn.training"
    with safe_open(file, framework="pt") as kept:
        about = kept.metadata()
        tensors = {name: kept.get_tensor(name) for name in kept.keys()}  # noqa: SIM118
    moment = next(name for name in tensors if name.endswith(".exp_avg"))
    other = about | {"head": about["head"].replace('"epoch": 1', '"epoch": 0')}
    assert other != about
    for changed, said in (
        ({**tensors, moment: torch.zeros(3)}, about),
        ({**tensors, moment: tensors[moment] + 1}, about),
        ({name: t for name, t in tensors.items() if name != moment}, about),
        (tensors, other),
    ):
        save_file(changed, file, metadata=said)
        with pytest.raises(DataError, match=r"damaged training state .*SHA-256"):
            approach.train_into(folder, corpus[:2], seed=0, resume=True)
    save_file(tensors, file, metadata=about)
    assert approach.train_into(folder, corpus[:2], seed=0, resume=True)
