"""The documentation is that of the code."""

import importlib.util
import re
from pathlib import Path

import click
import pytest

from relgraph._cli import cli
from relgraph.cues import CODEBOOK, Entry

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def generator() -> object:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ["cli", "tasks", "knowledge", "cues"])
def test_a_generated_page_is_up_to_date(page: str) -> None:
    written = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert written == getattr(generator(), f"{page}_page")(), "run `make docs`"


def rows(name: str) -> list[list[str]]:
    """The cells of the table rows of docs/cues.md that begin with a cue, but the table of types."""
    page = (ROOT / "docs" / "cues.md").read_text(encoding="utf-8")
    text = page.partition("## What people do to each other")[2]
    found = [line.strip("| ").split(" | ") for line in text.splitlines()]
    return [cells for cells in found if cells[0] == f"`{name}`"]


@pytest.mark.parametrize("entry", CODEBOOK.values(), ids=CODEBOOK)
def test_no_cue_is_documented_without_its_meaning_and_its_figure_or_no_gold(entry: Entry) -> None:
    meaning, *figures = rows(entry.name)
    assert entry.definition in meaning[1]
    (cells,) = figures
    typed = entry.family != "type" and not entry.gold
    assert ("no gold" in cells) == typed
    if not typed:
        numbers = [cell for cell in cells[1:] if re.match(r"\d\.\d\d|\N{EN DASH}", cell)]
        assert len(numbers) >= 3, "precision, recall and F1"


def test_every_work_that_a_cue_leans_on_stands_in_the_references() -> None:
    text = (ROOT / "docs" / "cues.md").read_text(encoding="utf-8")
    references = re.search(r"^## References$(.*?)^<!--", text, re.MULTILINE | re.DOTALL)
    assert references is not None
    lines = [line for line in references[1].splitlines() if line.startswith("- ")]
    for entry in CODEBOOK.values():
        for source in entry.sources:
            first, year = source.split()[0], source.split()[-1]
            assert any(line[2:].startswith(first) and f"({year})" in line for line in lines), source


def commands(group: click.Group, path: str) -> dict[str, click.Command]:
    context = click.Context(group)
    found: dict[str, click.Command] = {}
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        found[f"{path} {name}"] = command
        if isinstance(command, click.Group):
            found |= commands(command, f"{path} {name}")
    return found


COMMANDS = commands(cli, "relgraph")  # type: ignore[arg-type]


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_and_option_has_help(path: str) -> None:
    command = COMMANDS[path]
    assert command.help, path
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{path} {parameter.opts}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page}: {target}"


def anchors(page: Path) -> set[str]:
    lines = page.read_text(encoding="utf-8").splitlines()
    titles = [line.lstrip("#").strip().lower() for line in lines if re.match(r"#+ ", line)]
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_link_to_a_heading_finds_it(page: Path) -> None:
    for target, heading in re.findall(
        r"\]\(([^)#:]*\.md|)#([^)]+)\)", page.read_text(encoding="utf-8")
    ):
        assert heading in anchors(page.parent / target if target else page), f"{target}#{heading}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_command_in_the_docs_exists(page: Path) -> None:
    blocks = re.findall(r"^```\w*\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    text = "\n".join(blocks)
    named = re.findall(r"^(?:\$ )?(?:python cli\.py|relgraph) ([a-z][a-z-]*)", text, re.MULTILINE)
    known = {path.split()[1] for path in COMMANDS}
    assert set(named) <= known, page
