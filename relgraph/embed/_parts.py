"""A zip archive that comes in parts, each in a package of its own: found, joined, unpacked.

Nothing of a package is imported, and no path in the archive decides where a file is written.
"""

from __future__ import annotations

import io
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from itertools import accumulate
from pathlib import Path
from typing import IO, TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from relgraph.errors import DataError, missing_package

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BLOCK_BYTES = 1 << 20
# What `zipfile` raises for an archive that is damaged or made to harm; KeyError: lacks an entry.
DAMAGE = (BadZipFile, EOFError, KeyError, ValueError, RuntimeError, zlib.error)


@dataclass(frozen=True, slots=True)
class PartedArchive:
    """A zip archive in parts.

    Attributes:
        files: the part's file name by the package that has it, in the order of the parts.
        root: the archive's top folder.
        limit_bytes: of all that is unpacked; an archive that holds more is refused.
        purpose: what needs it, for messages.
        install: the pip line for an absent package.
        again: the pip line for packages that are there and damaged.
    """

    files: Mapping[str, str]
    root: str
    limit_bytes: int
    purpose: str
    install: str
    again: str

    def find(self) -> list[Path]:
        """Returns the parts in order.

        Raises:
            MissingPackageError: a package is not installed.
            DataError: a package is, and lacks its file.
        """
        return [self._find(package, file) for package, file in self.files.items()]

    def unpack(self, names: Iterable[str], folder: Path) -> None:
        """Writes the entry `root/NAME` to `folder/NAME` for every name; no other is looked at.

        Raises:
            MissingPackageError: a package is not installed.
            DataError: a part cannot be read; the archive is damaged, lacks an entry or holds
                too much.
            OSError: the folder cannot be written.
        """
        parts = self.find()
        try:
            joined = Joined(parts)
        except OSError as error:
            raise self._damaged(error.filename, error.strerror or str(error)) from None
        left_bytes = self.limit_bytes
        try:
            with io.BufferedReader(joined, BLOCK_BYTES) as stream, ZipFile(stream) as archive:
                for name in names:
                    entry = archive.getinfo(f"{self.root}/{name}")
                    if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
                        raise BadZipFile(f"{entry.filename} is packed in an unknown way")
                    place = folder / name
                    place.parent.mkdir(parents=True, exist_ok=True)
                    with archive.open(entry) as packed, place.open("wb") as out:
                        left_bytes -= _copy(packed, out, left_bytes)
        except DAMAGE as error:
            raise self._damaged(f"{parts[0]} and the other parts", str(error)) from None

    def _find(self, package: str, file: str) -> Path:
        try:
            entries = distribution(package).files or ()
        except PackageNotFoundError:
            raise missing_package(package, self.purpose, self.install) from None
        for entry in entries:
            place = Path(str(entry.locate()))
            if entry.name == file and place.is_file():
                return place
        raise self._damaged(f"package {package!r}", f"it has no file {file}")

    def _damaged(self, what: str, cause: str) -> DataError:
        return DataError(
            f"{what}: damaged ({cause}). {self.purpose.capitalize()} needs all of it. Install it "
            f"again: {self.again} --force-reinstall"
        )


def _copy(packed: IO[bytes], out: IO[bytes], limit_bytes: int) -> int:
    written_bytes = 0
    while block := packed.read(BLOCK_BYTES):
        written_bytes += len(block)
        if written_bytes > limit_bytes:
            raise BadZipFile("it holds more than it should")
        out.write(block)
    return written_bytes


class Joined(io.RawIOBase):
    """Several files, read as if they were one; nothing is copied."""

    def __init__(self, paths: Sequence[Path]) -> None:
        with ExitStack() as opened:
            self._files = [opened.enter_context(p.open("rb", buffering=0)) for p in paths]
            self._ends = list(accumulate(file.seek(0, io.SEEK_END) for file in self._files))
            self._opened = opened.pop_all()
        self._at = 0

    def readable(self) -> bool:
        """Returns true."""
        return True

    def seekable(self) -> bool:
        """Returns true."""
        return True

    def tell(self) -> int:
        """Returns the position in the whole."""
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Moves to a position in the whole, and returns it."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._ends[-1]}[whence]
        if base + offset < 0:
            raise ValueError(f"position {base + offset} is before the beginning")
        self._at = base + offset
        return self._at

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Reads up to the end of a part at most, and returns how many bytes; 0 at the end."""
        number = bisect_right(self._ends, self._at)
        if number == len(self._files):
            return 0
        file = self._files[number]
        file.seek(self._at - (self._ends[number - 1] if number else 0))
        read_bytes = file.readinto(buffer) or 0
        self._at += read_bytes
        return read_bytes

    def close(self) -> None:
        """Closes the files."""
        if not self.closed:
            self._opened.close()
        super().close()
