"""The cache folder, and models unpacked into it: made once and whole, made anew when damaged."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from relgraph.errors import RunError
from relgraph.files import exclusive
from relgraph.terminal import tell

FOLDER = "models"
LOCK = ".lock"
PART = ".part-"
WAIT_S = 0.1


def default_folder() -> Path:
    """Returns the user's cache folder for relgraph: XDG's, or that of macOS or Windows."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "relgraph"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "relgraph"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "relgraph"


def models_folder(cache: str = "") -> Path:
    """Returns where models are kept in the folder `cache`, or for "" in the user's own."""
    return (Path(cache).expanduser() if cache else default_folder()) / FOLDER


def keep(
    folder: Path, find_fault: Callable[[Path], str], make: Callable[[Path], None], *, notice: str
) -> None:
    """Sees to it that `folder` holds a model without a fault.

    Processes that want the same model at once wait for the one that makes it. A killed one
    leaves a part that the next maker deletes, never half a model.

    Args:
        folder: the model's own, in `models_folder`.
        find_fault: returns what is wrong with a folder, or "".
        make: fills an empty folder, or raises an error.
        notice: said on stderr before the model is made.

    Raises:
        RunError: the place cannot be written.
    """
    if folder.is_dir() and not find_fault(folder):
        return
    models = folder.parent
    try:
        models.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        models.mkdir(exist_ok=True)
        with _alone(models):
            # Another process may have made it while this one waited.
            fault = find_fault(folder) if folder.exists() else ""
            if folder.exists() and not fault:
                return
            tell(f"{fault}; it is made anew\n{notice}" if fault else notice)
            for old in models.glob(f"{PART}*"):
                shutil.rmtree(old)
            with TemporaryDirectory(dir=models, prefix=PART) as place:
                fresh = Path(place) / "new"
                fresh.mkdir()
                make(fresh)
                if folder.exists():
                    folder.rename(Path(place) / "old")
                fresh.rename(folder)
    except OSError as error:
        raise RunError(
            f"{folder}: the model cannot be unpacked there ({error.strerror or error}). Make room, "
            "see that it may be written, or name another cache folder in XDG_CACHE_HOME."
        ) from None


def kept_models(models: Path) -> dict[str, int]:
    """Returns the bytes on disk of every model kept, and of parts that a killed process left."""
    if not models.is_dir():
        return {}
    folders = sorted(place for place in models.iterdir() if place.is_dir())
    return {
        place.name: sum(f.lstat().st_size for f in place.rglob("*") if f.is_file())
        for place in folders
    }


def clear_models(models: Path) -> None:
    """Deletes all models kept, once no process is making one; the lock's empty file stays.

    Raises:
        RunError: they cannot be deleted.
    """
    if not models.is_dir():
        return
    try:
        with _alone(models):
            for name in kept_models(models):
                shutil.rmtree(models / name)
    except OSError as error:
        raise RunError(f"{models}: cannot be deleted ({error.strerror or error}).") from None


@contextmanager
def _alone(models: Path) -> Iterator[None]:
    """Waits for the lock of the folder; it goes with the process, however that ends."""
    with (models / LOCK).open("ab") as file:
        while True:
            try:
                exclusive(file)
                break
            except (BlockingIOError, PermissionError):
                time.sleep(WAIT_S)
        yield
