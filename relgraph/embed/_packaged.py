"""What `minilm` and `mpnet` share: a model from packages, every file of it known, offline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from relgraph.approach import Settings
from relgraph.embed._base import Embedder
from relgraph.embed._device import choose_device
from relgraph.embed._sentence import SentenceEmbedder, open_model
from relgraph.errors import DataError


@dataclass(frozen=True, slots=True)
class PackagedModel:
    """A model that packages ship.

    Attributes:
        name: of its embedder.
        sha256s: of every file that the model reads, by the path in the model's folder.
        dim: length of a vector.
        max_tokens: longest text it reads whole, its special tokens included.
        install: the pip line that installs exactly what the model is made of.
    """

    name: str
    sha256s: Mapping[str, str]
    dim: int
    max_tokens: int
    install: str

    @property
    def digest(self) -> str:
        """The SHA-256 of all files' names and hashes."""
        return sha256(repr(sorted(self.sha256s.items())).encode()).hexdigest()

    @property
    def identity(self) -> str:
        """The embedder's identity."""
        return f"{self.name}/{self.digest}/{self.max_tokens}"

    def embedder(self, settings: Settings, find_checked: Callable[[], Path]) -> Embedder:
        """Returns the embedder; `find_checked` gives the checked folder when a text is new."""
        # Asked now, not at the first text: a wrong device shows at once.
        if settings.device != "auto":
            choose_device(settings.device)
        return SentenceEmbedder(
            self.name,
            identity=self.identity,
            dim=self.dim,
            max_tokens=self.max_tokens,
            load=partial(_load, find_checked, settings),
        )


def check_files(folder: Path, sha256s: Mapping[str, str], install: str) -> None:
    """Checks every file that a model reads against its known SHA-256.

    Raises:
        DataError: a file is missing or is another one.
    """
    fault = find_fault(folder, sha256s)
    if fault:
        raise DataError(
            f"{fault}. The model is not loaded. Install it again: {install} --force-reinstall"
        )


def find_fault(folder: Path, sha256s: Mapping[str, str]) -> str:
    """Returns what is wrong with the first file that is missing or another one, or ""."""
    for name, wanted in sha256s.items():
        try:
            with (folder / name).open("rb") as file:
                got = file_digest(file, "sha256").hexdigest()
        except OSError as error:
            return f"{folder / name}: {error.strerror}"
        if got != wanted:
            return (
                f"{folder / name}: is not the file that relgraph knows (SHA-256 {got}, wanted "
                f"{wanted})"
            )
    return ""


def _load(find_checked: Callable[[], Path], settings: Settings) -> Any:
    return open_model(str(find_checked()), settings, offline=True)
