"""Runs the files, commands and programs of a page, and fills in what they really print.

A block below a line such as `talk.csv`: (in backquotes, with a colon) is a file. A block marked
`sh` holds `relgraph` commands, one marked `python` a program; the `text` block below it is what
they print, messages included.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

RELGRAPH = "from relgraph._cli import main; main()"
BLOCK = re.compile(
    r"(?:^`(?P<file>[\w.-]+)`:\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```\n"
    r"(?:^```text\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)


def filled(page: str) -> str:
    """Returns the page with the output blocks as they come when it is run in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        return BLOCK.sub(lambda found: _filled(found, Path(folder)), page)


def _filled(found: re.Match[str], folder: Path) -> str:
    if found["file"]:
        (folder / found["file"]).write_text(found["text"], encoding="utf-8")
        return found[0]
    if found["output"] is None or found["kind"] not in ("sh", "python"):
        return found[0]
    if found["kind"] == "python":
        output = _run([sys.executable, "-c", found["text"]], folder)
    else:
        output = "".join(_relgraph(line, folder) for line in found["text"].splitlines() if line)
    return f"```{found['kind']}\n{found['text']}```\n```text\n{output.strip()}\n```\n"


def _relgraph(line: str, folder: Path) -> str:
    name, *words = shlex.split(line)
    if name != "relgraph":
        raise ValueError(f"{line!r}: only `relgraph` commands are run")
    return _run([sys.executable, "-c", RELGRAPH, *words], folder)


def _run(command: list[str], folder: Path) -> str:
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(  # noqa: S603 (the page is ours)
        command, cwd=folder, capture_output=True, text=True, env=environment, check=False
    )
    return done.stdout + done.stderr
