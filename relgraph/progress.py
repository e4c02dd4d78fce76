"""Progress with time left, on stderr, and only where somebody looks at it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[int], None]


@contextmanager
def progress(label: str, total: int) -> Iterator[Advance]:
    """Shows a bar for `total` steps; the given function advances it. Silent without a terminal."""
    if total <= 0 or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        step = bar.add_task(label, total=total)
        yield lambda n: bar.advance(step, n)
