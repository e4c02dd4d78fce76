"""Reading text as people save it, and writing whole or not at all."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from relgraph.errors import DataError, RunError

GZIP_MAGIC = b"\x1f\x8b"
MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@contextmanager
def open_text(path: Path, *, errors: str = "strict") -> Iterator[IO[str]]:
    """Opens a text file for reading line by line: UTF-8 or, by its mark, UTF-16; plain or gzip.

    `errors` says what becomes of bytes that are no text, as in `open`.

    Raises:
        DataError: it is not there, not a file, damaged, or not text in these encodings.
    """
    stream: IO[str] | None = None
    try:
        with path.open("rb") as file:
            zipped = file.read(2) == GZIP_MAGIC
        with gzip.open(path) if zipped else path.open("rb") as file:
            head = file.read(4)
        encoding = next((name for mark, name in MARKS if head.startswith(mark)), "utf-8")
        opener = gzip.open if zipped else open
        stream = opener(path, "rt", encoding=encoding, errors=errors, newline="")
        yield stream
    except FileNotFoundError:
        raise DataError(
            f"{path}: no such file. Check the path, or see `relgraph data --help`."
        ) from None
    except IsADirectoryError:
        raise DataError(f"{path}: is a folder; a file was wanted.") from None
    except PermissionError:
        raise DataError(f"{path}: may not be read by this user.") from None
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path}: not {error.encoding} text (byte {error.start} of a block is "
            f"{error.object[error.start : error.start + 1]!r}). Save it as UTF-8."
        ) from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError(f"{path}: damaged gzip file ({error}). Fetch or pack it again.") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error}).") from None
    finally:
        if stream is not None:
            stream.close()


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Gives a temporary path beside `path`; on success it replaces `path`, on failure it goes.

    A link stays a link: what it points to is replaced. A device or pipe is written to instead.

    Raises:
        RunError: the place cannot be written.
    """
    try:
        place = Path(os.path.realpath(path))
        if place.exists() and not place.is_file() and not place.is_dir():
            with _part(Path(tempfile.gettempdir()), place.name) as part:
                yield part
                with part.open("rb") as file, place.open("wb") as device:
                    shutil.copyfileobj(file, device)
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        with _part(place.parent, place.name) as part:
            yield part
            mask = os.umask(0)
            os.umask(mask)
            part.chmod(0o666 & ~mask)
            with part.open("rb") as file:
                os.fsync(file.fileno())
            part.replace(place)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise RunError(
            f"{path}: cannot be written ({error.strerror or error}). "
            "Check that the folder may be written and the disk is not full, or choose another "
            "place."
        ) from None


@contextmanager
def _part(folder: Path, name: str) -> Iterator[Path]:
    """Gives an empty file in `folder`, which is gone afterwards."""
    handle, part = tempfile.mkstemp(dir=folder, prefix=f".{name[:100]}.", suffix=".part")
    os.close(handle)
    try:
        yield Path(part)
    finally:
        with suppress(FileNotFoundError):
            Path(part).unlink()


def exclusive(file: IO[Any]) -> None:
    """Locks an open file for this process; the lock goes with the process, however that ends.

    Raises:
        OSError: another process has it.
    """
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def write_text(path: Path, text: str) -> None:
    """Writes a UTF-8 text file whole: a reader sees the old one or the new one."""
    with whole(path) as part:
        part.write_text(text, encoding="utf-8", newline="")


def write_json(path: Path, value: Any) -> None:
    """Writes `value` whole as indented JSON with a final newline; NaN is refused."""
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
