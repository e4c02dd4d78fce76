"""Who may import whom: downhill only, and heavy packages only where they are used."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEVELS = (
    {"terminal", "sums"},
    {"errors", "labels", "progress", "intervals"},
    {"records", "files"},
    {"approach", "grading", "kept", "stopping"},
    {"registry", "splits", "addressees", "calls", "spending"},
    {"corpora", "graph", "embed"},
    {"cues"},
    {"reasoning"},
    {"tasks"},
    {"baselines", "llm_bridge", "evaluation", "report"},
    {"_cli"},
)
CONVENIENCES = {("records", "corpora.csv.from_table"), ("records", "corpora.csv")}
"""Imports uphill inside a method that only stands where its users look for it."""
HEAVY = {
    "torch",
    "torch_geometric",
    "spacy",
    "transformers",
    "sentence_transformers",
    "plotly",
    "matplotlib",
    "anthropic",
    "openai",
    "optuna",
    "xllamacpp",
    "sklearn",
    "pandas",
}
FILES = sorted(
    path for part in ("relgraph", "baselines", "llm_bridge") for path in (ROOT / part).rglob("*.py")
)


def part_of(path: Path) -> str:
    inside = path.relative_to(ROOT).with_suffix("").parts
    return inside[1] if inside[0] == "relgraph" else inside[0]


def level(part: str) -> int:
    found = [n for n, parts in enumerate(LEVELS) if part in parts]
    assert found, f"{part} has no level in this test: give it one"
    return found[0]


def imported(path: Path) -> set[str]:
    """The modules of relgraph that a file imports, as dotted names below `relgraph`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: import by the full name"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.partition(".")[2] for name in names if name.startswith("relgraph.")}
        bare = {name.split(".")[0] for name in names} & {"baselines", "llm_bridge"}
        assert not bare, f"{path}:{node.lineno}: import relgraph.{bare.pop()}"
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_module_imports_only_from_its_own_part_or_from_below(path: Path) -> None:
    here = part_of(path)
    if here == "__init__":
        return
    for name in imported(path):
        there = name.split(".")[0]
        if there in (here, "__version__") or (here, name) in CONVENIENCES:
            continue
        assert level(there) < level(here), f"{path} imports relgraph.{name}"


def loaded_after(code: str) -> set[str]:
    probe = f"import sys\n{code}\nprint(*{{m.split('.')[0] for m in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_importing_relgraph_loads_no_heavy_package() -> None:
    assert not loaded_after("import relgraph") & HEAVY


def test_help_loads_no_heavy_package() -> None:
    code = "from click.testing import CliRunner; from relgraph._cli import cli\n"
    code += "from click import Context\n"
    code += "names = cli.list_commands(Context(cli)); assert names\n"
    code += "for argv in [[], *[[n] for n in names]]:\n"
    code += "    assert CliRunner().invoke(cli, [*argv, '--help']).exit_code == 0, argv"
    assert not loaded_after(code) & HEAVY


def test_reading_a_corpus_and_building_graphs_loads_no_heavy_package() -> None:
    code = "import relgraph\n"
    code += "for c in relgraph.read('sample'): relgraph.build_graph(c)"
    assert not loaded_after(code) & HEAVY


def test_listing_and_loading_every_approach_loads_no_heavy_package() -> None:
    code = "from relgraph import registry\n"
    code += "for kind in registry.KINDS:\n"
    code += "    for name in registry.names(kind): registry.load(kind, name)"
    assert not loaded_after(code) & HEAVY
