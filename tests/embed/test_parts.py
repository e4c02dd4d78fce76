"""An archive in parts: joined in order, unpacked to known places, refused when damaged."""

import io
import zipfile
from pathlib import Path

import pytest

from relgraph.embed._parts import Joined, PartedArchive
from relgraph.errors import DataError, MissingPackageError

FILES = {"made-up-001": "it.zip.001", "made-up-002": "it.zip.002", "made-up-003": "it.zip.003"}
ARCHIVE = PartedArchive(
    FILES,
    root="it",
    limit_bytes=1000,
    purpose="embedder made-up",
    install="pip install 'relgraph[made-up]'",
    again="pip install made-up==0.0.1",
)
WANTED = {"it/config.json": b"{}", "it/1_Pooling/config.json": b"[1, 2]"}


def held(folder: Path) -> dict[str, bytes]:
    found = (place for place in folder.rglob("*") if place.is_file())
    return {place.relative_to(folder).as_posix(): place.read_bytes() for place in found}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "into" / "this"
    made.mkdir(parents=True)
    return made


@pytest.fixture
def joined(tmp_path: Path) -> io.BufferedReader:
    for name, content in (("1", b"abc"), ("2", b""), ("3", b"de")):
        (tmp_path / name).write_bytes(content)
    with io.BufferedReader(Joined([tmp_path / name for name in "123"])) as stream:
        yield stream


def test_parts_are_read_as_one(joined: io.BufferedReader) -> None:
    assert joined.read() == b"abcde"
    assert joined.tell() == 5
    assert joined.read() == b""


@pytest.mark.parametrize(
    ("offset", "whence", "rest"), [(2, 0, b"cde"), (3, 0, b"de"), (-3, 2, b"cde"), (9, 0, b"")]
)
def test_parts_are_read_from_any_place(
    offset: int, whence: int, rest: bytes, joined: io.BufferedReader
) -> None:
    joined.seek(offset, whence)
    assert joined.read() == rest


def test_nothing_is_read_before_the_first_part(tmp_path: Path) -> None:
    (tmp_path / "1").write_bytes(b"abc")
    with Joined([tmp_path / "1"]) as stream, pytest.raises(ValueError, match="position -1"):
        stream.seek(-4, io.SEEK_END)


def test_what_is_asked_for_is_unpacked_and_nothing_else(archive_of, install, folder) -> None:
    install(FILES, archive_of({**WANTED, "it/desktop.ini": b"stray", "config.json": b"other"}))
    ARCHIVE.unpack(["config.json", "1_Pooling/config.json"], folder)
    assert held(folder) == {"config.json": b"{}", "1_Pooling/config.json": b"[1, 2]"}


def test_no_path_of_the_archive_leads_out_of_the_folder(
    archive_of, install, folder, tmp_path
) -> None:
    outside = {"it/../../evil": b"x", "../evil": b"x", f"{tmp_path}/evil": b"x"}
    install(FILES, archive_of(WANTED | outside))
    ARCHIVE.unpack(["config.json"], folder)
    assert held(tmp_path / "into") == {"this/config.json": b"{}"}
    assert not (tmp_path / "evil").exists()


def test_an_archive_that_holds_too_much_is_refused(archive_of, install, folder) -> None:
    sizes = {"it/a": b"0" * 600, "it/b": b"0" * 400, "it/c": b"0"}
    install(FILES, archive_of(sizes))
    ARCHIVE.unpack(["a", "b"], folder)
    with pytest.raises(DataError, match="holds more than it should"):
        ARCHIVE.unpack(["a", "b", "c"], folder)


def cut(content: bytes) -> bytes:
    return content[:-30]


def flipped(content: bytes) -> bytes:
    """The archive with another byte in what `config.json` holds, stored as it is."""
    return content.replace(b"{}", b"[]")


def locked(content: bytes) -> bytes:
    """The archive with the first entry said to need a password."""
    at = content.index(b"PK\x01\x02") + 8
    return content[:at] + b"\x01" + content[at + 1 :]


@pytest.mark.parametrize("damage", [cut, flipped, locked])
def test_a_damaged_archive_is_refused_with_the_line_that_mends_it(
    damage, archive_of, install, folder
) -> None:
    install(FILES, damage(archive_of(WANTED, zipfile.ZIP_STORED)))
    with pytest.raises(DataError, match=r"damaged \(.*pip install made-up==0.0.1 --force-re"):
        ARCHIVE.unpack(["config.json"], folder)


def test_an_archive_without_an_entry_is_refused(archive_of, install, folder) -> None:
    install(FILES, archive_of(WANTED))
    with pytest.raises(DataError, match=r"it/vocab\.txt"):
        ARCHIVE.unpack(["vocab.txt"], folder)


def test_an_entry_packed_in_another_way_is_refused(archive_of, install, folder) -> None:
    install(FILES, archive_of(WANTED, zipfile.ZIP_BZIP2))
    with pytest.raises(DataError, match="packed in an unknown way"):
        ARCHIVE.unpack(["config.json"], folder)


def test_an_absent_package_is_named_with_the_line_that_installs_it(archive_of, install) -> None:
    install({"made-up-001": "it.zip.001"}, archive_of(WANTED))
    with pytest.raises(MissingPackageError) as caught:
        ARCHIVE.find()
    assert str(caught.value) == (
        "embedder made-up needs the package 'made-up-002', which is not installed. "
        "Install it with: pip install 'relgraph[made-up]'"
    )


def test_a_package_without_its_file_is_said_to_be_damaged(archive_of, install) -> None:
    install(FILES | {"made-up-002": "it.zip.2"}, archive_of(WANTED))
    with pytest.raises(DataError, match=r"package 'made-up-002': damaged \(it has no file it\.zip"):
        ARCHIVE.find()


def test_a_package_whose_file_is_gone_is_said_to_be_damaged(archive_of, install) -> None:
    install(FILES, archive_of(WANTED))
    ARCHIVE.find()[2].unlink()
    with pytest.raises(DataError, match="package 'made-up-003': damaged"):
        ARCHIVE.find()


def test_a_part_that_may_not_be_read_is_named(archive_of, install, folder) -> None:
    install(FILES, archive_of(WANTED))
    part = ARCHIVE.find()[1]
    part.chmod(0)
    try:
        part.open("rb").close()
    except PermissionError:
        with pytest.raises(DataError, match=r"it\.zip\.002: damaged \(Permission denied\)"):
            ARCHIVE.unpack(["config.json"], folder)
    else:
        pytest.skip("this user may read every file")
