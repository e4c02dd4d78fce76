"""A file that comes in parts, each in a package of its own: joined once, into the cache folder.

Nothing of a package is imported. The joined file is checked by its hash before it is used, and
again only when it has changed since.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import file_digest, sha256
from importlib.util import find_spec
from pathlib import Path

from relgraph.errors import DataError, RunError, missing_package
from relgraph.kept import keep, models_folder
from relgraph.progress import progress

BLOCK_BYTES = 1 << 22
CHECKED = "checked"
"""Beside the file: its hash, size and time when it was found whole."""


@dataclass(frozen=True, slots=True)
class JoinedFile:
    """A file in parts.

    Attributes:
        name: of the joined file.
        parts: where each part lies in its package, by the package's import name, in order.
        size_bytes: of the joined file.
        sha256: of the joined file.
        purpose: what needs it, for messages.
        install: the pip line for an absent part.
        again: the pip line for parts that are there and damaged.
    """

    name: str
    parts: Mapping[str, str]
    size_bytes: int
    sha256: str
    purpose: str
    install: str
    again: str

    def find(self, cache: str = "") -> Path:
        """Returns the joined file in the folder `cache`, or for "" in the user's cache folder.

        The first call of all joins it, and says so on stderr; with the packages gone, what was
        joined stays in use.

        Raises:
            MissingPackageError: a part is not installed, and the file is not joined.
            DataError: a part is damaged, or is of another file than the known one.
            RunError: the cache folder has no room, or cannot be written.
        """
        folder = models_folder(cache) / f"{Path(self.name).stem}-{self.sha256[:12]}"
        if not folder.is_dir():
            # Found now, not after waiting for the folder's lock.
            self._installed()
        notice = (
            f"{self.purpose}: joining {len(self.parts)} parts into {folder} "
            f"({self.size_bytes / 1e9:.1f} GB), once"
        )
        keep(folder, self._fault, partial(self._join, models_folder(cache)), notice=notice)
        return folder / self.name

    def _installed(self) -> list[Path]:
        return [self._part(package, place) for package, place in self.parts.items()]

    def _part(self, package: str, place: str) -> Path:
        spec = find_spec(package)
        folders = spec.submodule_search_locations if spec else None
        distribution = package.replace("_", "-")
        if not folders:
            raise missing_package(distribution, self.purpose, self.install)
        file = Path(folders[0]) / place
        if not file.is_file():
            raise self._damaged(f"{file}: no such file in package {distribution!r}")
        return file

    def _join(self, models: Path, folder: Path) -> None:
        parts = self._installed()
        sizes = [part.stat().st_size for part in parts]
        for part, size_bytes in zip(parts[:-1], sizes, strict=False):
            if size_bytes != sizes[0]:
                raise self._damaged(f"{part}: {size_bytes} bytes, wanted {sizes[0]}")
        if sum(sizes) != self.size_bytes:
            raise self._damaged(
                f"{parts[-1]}: the parts have {sum(sizes)} bytes in all, wanted {self.size_bytes}"
            )
        free_bytes = shutil.disk_usage(models).free
        if free_bytes < self.size_bytes:
            raise RunError(
                f"{models}: {free_bytes / 1e9:.1f} GB are free, {self.size_bytes / 1e9:.1f} GB "
                f"are wanted for {self.name}. Make room, or name another cache folder in "
                f"XDG_CACHE_HOME."
            )
        digest = sha256()
        with (
            (folder / self.name).open("wb") as out,
            progress(f"joining {self.name}", self.size_bytes) as advance,
        ):
            for part in parts:
                with part.open("rb") as file:
                    while block := file.read(BLOCK_BYTES):
                        digest.update(block)
                        advance(out.write(block))
        if digest.hexdigest() != self.sha256:
            raise self._damaged(
                f"{parts[0].parents[1]} and the other parts: joined, their sha256 is "
                f"{digest.hexdigest()}, wanted {self.sha256}"
            )
        (folder / CHECKED).write_text(self._stamp(folder))

    def _fault(self, folder: Path) -> str:
        """What is wrong with the joined file, or "". An unchanged one is not hashed again."""
        file = folder / self.name
        try:
            if (folder / CHECKED).is_file() and (folder / CHECKED).read_text() == self._stamp(
                folder
            ):
                return ""
            with file.open("rb") as stream:
                found = file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            return f"{file}: {error.strerror}"
        if found != self.sha256:
            return f"{file}: damaged (sha256 {found}, wanted {self.sha256})"
        with suppress(OSError):
            (folder / CHECKED).write_text(self._stamp(folder))
        return ""

    def _stamp(self, folder: Path) -> str:
        state = (folder / self.name).stat()
        return f"{self.sha256} {state.st_size} {state.st_mtime_ns}\n"

    def _damaged(self, what: str) -> DataError:
        return DataError(f"{what}. {self.purpose} needs all parts whole; mend them: {self.again}")
