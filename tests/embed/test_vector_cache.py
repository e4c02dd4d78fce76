"""The cache of vectors: a text is embedded once, and never answered with a wrong vector."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from relgraph._cli import main
from relgraph.approach import Settings
from relgraph.embed import VectorStore, default_folder, load_embedder
from relgraph.embed._cached import CachedEmbedder
from relgraph.embed._store import FILE
from relgraph.embed.hashing import HashingEmbedder
from relgraph.errors import DataError, RelgraphError, RunError

TEXTS = ["one", "two words", "three words here", "", "two words"]


class Counting(HashingEmbedder):
    """A hashing embedder that keeps what it was asked to embed, and cuts at 3 words."""

    max_tokens = 3

    def __init__(self, dim: int = 16) -> None:
        super().__init__(dim)
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        return super().encode(texts)

    def truncated(self, texts: Sequence[str]) -> list[bool]:
        return [len(text.split()) > 3 for text in texts]


def cached(folder: Path, dim: int = 16) -> tuple[CachedEmbedder, list[str]]:
    embedder = Counting(dim)
    return CachedEmbedder(embedder, VectorStore.at(str(folder))), embedder.asked


def test_a_second_run_embeds_nothing_and_gives_the_same_bits(tmp_path: Path) -> None:
    first, asked = cached(tmp_path)
    vectors = first.encode(TEXTS)
    assert sorted(asked) == sorted(set(TEXTS))
    second, asked = cached(tmp_path)
    assert second.encode(TEXTS).tobytes() == vectors.tobytes()
    assert asked == []
    assert vectors.tobytes() == HashingEmbedder(16).encode(TEXTS).tobytes()


def test_only_new_texts_are_embedded_the_longest_first(tmp_path: Path) -> None:
    cached(tmp_path)[0].encode(["known"])
    embedder, asked = cached(tmp_path)
    embedder.encode(["new", "known", "a longer new one"])
    assert asked == ["a longer new one", "new"]


def test_another_embedder_does_not_get_these_vectors(tmp_path: Path) -> None:
    cached(tmp_path)[0].encode(TEXTS)
    for identity, dim in (("of the same length", 16), ("hashing/1/8", 8)):
        other = Counting(dim)
        other.identity = identity
        vectors = CachedEmbedder(other, VectorStore.at(str(tmp_path))).encode(["one"])
        assert vectors.shape == (1, dim)
        assert other.asked == ["one"]


def test_no_texts_give_no_rows(tmp_path: Path) -> None:
    assert cached(tmp_path)[0].encode([]).shape == (0, 16)


def test_one_text_instead_of_a_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RelgraphError, match="a list of texts is wanted"):
        cached(tmp_path)[0].encode("one")


def test_half_a_surrogate_pair_is_embedded_as_a_question_mark(tmp_path: Path) -> None:
    a, b = cached(tmp_path)[0].encode(["so \ud83d sad", "so ? sad"])
    np.testing.assert_array_equal(a, b)


def test_cut_texts_are_reported_once_even_when_the_cache_has_them(tmp_path: Path, capsys) -> None:
    long = "far too many words here"
    embedder, _ = cached(tmp_path)
    embedder.encode(["short", long])
    embedder.encode([long])
    message = capsys.readouterr().err
    assert message.startswith("embedding: 1 of 2 different texts are longer than the 3 tokens")
    assert len(message.splitlines()) == 1
    cached(tmp_path)[0].encode([long])
    assert "1 of 1 different texts" in capsys.readouterr().err


class Broken(HashingEmbedder):
    """A hashing embedder that gives something else than finite vectors of its length."""

    def __init__(self, fault: str) -> None:
        super().__init__(16)
        self.fault = fault

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        vectors = super().encode(texts)
        return vectors * np.nan if self.fault == "not finite" else vectors[:, :3]


@pytest.mark.parametrize("fault", ["not finite", "of a wrong shape"])
def test_wrong_vectors_fail_at_once_and_are_not_stored(fault: str, tmp_path: Path) -> None:
    store = VectorStore.at(str(tmp_path))
    with pytest.raises(RunError, match=f"its vectors are {fault}"):
        CachedEmbedder(Broken(fault), store).encode(["one"])
    assert store.info().vectors == {}


def test_the_file_is_private_and_holds_no_text(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    embedder = CachedEmbedder(Counting(), VectorStore(folder))
    embedder.encode(["a very private sentence"])
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600
    assert b"private" not in (folder / FILE).read_bytes()


def test_a_damaged_vector_is_computed_again(tmp_path: Path, capsys) -> None:
    vectors = cached(tmp_path)[0].encode(TEXTS)
    with sqlite3.connect(tmp_path / FILE) as db:
        changed = "UPDATE vectors SET vector = randomblob(length(vector))"
        assert db.execute(changed).rowcount == 4
    db.close()
    embedder, asked = cached(tmp_path)
    assert embedder.encode(TEXTS).tobytes() == vectors.tobytes()
    assert len(asked) == 4
    assert "4 damaged vectors, which are computed again" in capsys.readouterr().err
    again, asked = cached(tmp_path)
    again.encode(TEXTS)
    assert asked == []


@pytest.mark.parametrize("column", ["truncated", "checksum", "vector"])
def test_a_row_of_another_type_or_flag_is_computed_again(column: str, tmp_path: Path) -> None:
    vectors = cached(tmp_path)[0].encode(["one"])
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute(f"UPDATE vectors SET {column} = 1")
    db.close()
    embedder, asked = cached(tmp_path)
    assert embedder.encode(["one"]).tobytes() == vectors.tobytes()
    assert asked == ["one"]


@pytest.mark.parametrize("place", [0, 4096], ids=["header", "pages"])
def test_a_damaged_file_is_begun_again_with_a_message(place: int, tmp_path: Path, capsys) -> None:
    texts = [f"text {n}" for n in range(300)]
    vectors = cached(tmp_path)[0].encode(texts)
    content = bytearray((tmp_path / FILE).read_bytes())
    content[place : place + 4096] = b"\xa5" * 4096
    (tmp_path / FILE).write_bytes(content)
    embedder, _ = cached(tmp_path)
    assert embedder.encode(texts).tobytes() == vectors.tobytes()
    assert "computed again" in capsys.readouterr().err
    again, asked = cached(tmp_path)
    assert again.encode(texts).tobytes() == vectors.tobytes()
    assert asked == []


WORKER = """
import sys, time
from relgraph.embed import VectorStore
from relgraph.embed import _cached
from relgraph.embed.hashing import HashingEmbedder
_cached.BLOCK_TEXTS = 20
class Slow(HashingEmbedder):
    def encode(self, texts):
        print(len(texts), flush=True)
        time.sleep(float(sys.argv[4]))
        return super().encode(texts)
texts = [f"text {n}" for n in range(int(sys.argv[2]), int(sys.argv[3]))]
_cached.CachedEmbedder(Slow(16), VectorStore.at(sys.argv[1])).encode(texts)
"""


def worker(folder: Path, first: int, last: int, pause_s: float) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", WORKER, str(folder), str(first), str(last), str(pause_s)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_killed_run_keeps_its_finished_blocks_and_the_rest_follows(tmp_path: Path) -> None:
    with worker(tmp_path, 0, 100, 0.2) as running:
        assert running.stdout is not None
        for _ in range(3):
            running.stdout.readline()
        running.send_signal(signal.SIGKILL)
    texts = [f"text {n}" for n in range(100)]
    embedder, asked = cached(tmp_path)
    vectors = embedder.encode(texts)
    assert 0 < len(asked) <= 60
    assert vectors.tobytes() == HashingEmbedder(16).encode(texts).tobytes()


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    running = [worker(tmp_path, 50 * n, 50 * n + 150, 0.01) for n in range(3)]
    ends = [process.communicate() for process in running]
    assert [err for _, err in ends] == ["", "", ""]
    assert [process.returncode for process in running] == [0, 0, 0]
    embedder, asked = cached(tmp_path)
    texts = [f"text {n}" for n in range(250)]
    assert embedder.encode(texts).tobytes() == HashingEmbedder(16).encode(texts).tobytes()
    assert asked == []


def test_a_cache_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(DataError, match="cannot be the cache folder"):
            load_embedder(Settings(embedder="hashing", cache=str(place)))


def test_without_a_usable_default_folder_it_goes_on_and_says_so_once(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("relgraph.embed._store.default_folder", lambda: tmp_path / "file")
    embedder = load_embedder(Settings(embedder="hashing"))
    assert embedder.encode(["one"]).shape == embedder.encode(["two"]).shape == (1, 256)
    assert capsys.readouterr().err.count("going on without the cache") == 1


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="XDG folders are those of Linux")
def test_the_default_folder_is_the_users_cache_folder(monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere/cache")
    assert default_folder() == Path("/somewhere/cache/relgraph")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert default_folder() == Path.home() / ".cache" / "relgraph"


def command(*words: str | os.PathLike[str]) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["relgraph", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
    return int(ended.value.code or 0)


def test_the_cache_command_shows_and_clears(tmp_path: Path, capsys) -> None:
    cached(tmp_path)[0].encode(TEXTS)
    assert command("cache", "--folder", tmp_path) == 0
    shown = capsys.readouterr().out
    assert f"{tmp_path / FILE}\n4 vectors" in shown
    assert "hashing/1/16" in shown
    assert command("cache", "--folder", tmp_path, "--clear", "--json") == 0
    assert '"cleared": true' in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_the_cache_command_makes_no_folder_to_look_into(tmp_path: Path, capsys) -> None:
    assert command("cache", "--folder", tmp_path / "none") == 0
    assert "0 vectors" in capsys.readouterr().out
    assert not (tmp_path / "none").exists()
