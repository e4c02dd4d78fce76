"""What every reader in the registry keeps to."""

from pathlib import Path

import pytest

from relgraph.corpora import Reader, read, write
from relgraph.records import Conversation
from relgraph.registry import load, names

READERS = names("reader")
WRITERS = [name for name in READERS if load("reader", name).write]


@pytest.mark.parametrize("name", READERS)
def test_a_reader_is_named_like_its_file_and_says_what_it_reads(name: str) -> None:
    reader = load("reader", name)
    assert isinstance(reader, Reader)
    assert reader.name == name
    assert reader.title


@pytest.mark.parametrize("name", WRITERS)
def test_what_a_reader_writes_it_alone_knows_by_content(
    name: str, tmp_path: Path, couple: Conversation, family: Conversation
) -> None:
    file = tmp_path / "no-telling-name"
    write(file, [couple, family], format=name)
    assert [other for other in READERS if load("reader", other).sniff(file)] == [name]


@pytest.mark.parametrize("name", WRITERS)
def test_what_was_said_comes_back_whatever_the_format(
    name: str, tmp_path: Path, couple: Conversation, family: Conversation
) -> None:
    write(tmp_path / "file", [couple, family], format=name)
    back = read(tmp_path / "file")
    for one, other in zip(back, (couple, family), strict=True):
        assert (one.id, one.scenario, one.participants) == (
            other.id, other.scenario, other.participants,
        )  # fmt: skip
        assert one.relationship == other.relationship
        assert [(t.speaker, t.text, t.addressees, t.start_s, t.end_s) for t in one.turns] == [
            (t.speaker, t.text, t.addressees, t.start_s, t.end_s) for t in other.turns
        ]


@pytest.mark.parametrize("name", WRITERS)
def test_a_failed_write_leaves_the_old_file_as_it_was(
    name: str, tmp_path: Path, couple: Conversation
) -> None:
    from dataclasses import replace

    from relgraph.errors import RelgraphError

    file = tmp_path / "file"
    write(file, [couple], format=name)
    before = file.read_bytes()
    endless = replace(couple.turns[0], text="\ud800", extra={"x": float("nan")})
    with pytest.raises(RelgraphError, match=r"cannot be written|JSON does not have"):
        write(file, [couple, replace(couple, turns=(endless, *couple.turns[1:]))], format=name)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("name", READERS)
def test_no_reader_takes_what_is_of_no_format(name: str, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("Ana said hello, and Ben did not.\n")
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "list.json").write_text("[1, 2]")
    for place in (*tmp_path.iterdir(), tmp_path):
        assert not load("reader", name).sniff(place), place
