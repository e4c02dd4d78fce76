"""Made-up packages: small zip archives in parts, installed as pip leaves them."""

import io
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Install = Callable[[Mapping[str, str], bytes], None]


def zipped(entries: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these entries."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return stream.getvalue()


@pytest.fixture
def archive_of() -> Callable[..., bytes]:
    return zipped


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs packages whose files are parts of the given bytes; no other package is found."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.setattr(sys, "path", [str(site)])

    def write(files: Mapping[str, str], content: bytes) -> None:
        part_bytes = -(-len(content) // len(files))
        for number, (package, file) in enumerate(files.items()):
            inside = f"{package}_x/input/{file}"
            info = site / f"{package.replace('-', '_')}-0.0.1.dist-info"
            for place in (site / inside, info / "RECORD"):
                place.parent.mkdir(parents=True, exist_ok=True)
            part = content[number * part_bytes : (number + 1) * part_bytes]
            (site / inside).write_bytes(part)
            (info / "RECORD").write_text(f"{inside},,\n{info.name}/RECORD,,\n")
            (info / "METADATA").write_text(f"Name: {package}\nVersion: 0.0.1\n")

    return write
