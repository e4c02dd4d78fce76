"""The tour, run: its files, commands and programs print what the page shows."""

import importlib.util
import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def runner():
    spec = importlib.util.spec_from_file_location("run_tour", DOCS / "run_tour.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tour_prints_what_it_shows() -> None:
    page = (DOCS / "tour.md").read_text(encoding="utf-8")
    assert runner().filled(page) == page, "run `make docs`, and read what changed"


def test_the_tour_keeps_its_promise_of_ten_lines() -> None:
    page = (DOCS / "tour.md").read_text(encoding="utf-8")
    rules = re.findall(r"^`my\.rules`:\n```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len([line for line in rules[0].splitlines() if line.strip()]) <= 10


def test_a_page_is_filled_with_what_its_blocks_print() -> None:
    page = (
        "`x.py`:\n```text\nprint(1)\n```\n\n"
        "```python\nprint(open('x.py').read(), end='')\n```\n```text\nold\n```\n"
        "```sh\nrelgraph rules check x.py\n```\n```text\n```\n"
    )
    filled = runner().filled(page)
    assert "```python\nprint(open('x.py').read(), end='')\n```\n```text\nprint(1)\n```\n" in filled
    assert "x.py:1:1: error: " in filled
