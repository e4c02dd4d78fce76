"""What is installed: the packages named in pyproject.toml are the tree's, and nothing else."""

import subprocess
import sys
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MAPPED = {
    "relgraph": "relgraph",
    "baselines": "relgraph.baselines",
    "llm_bridge": "relgraph.llm_bridge",
}


def packages_in_tree() -> set[str]:
    found = set()
    for folder, package in MAPPED.items():
        for init in (ROOT / folder).rglob("__init__.py"):
            inside = init.parent.relative_to(ROOT / folder).parts
            found.add(".".join((package, *inside)))
    return found


def test_the_package_list_is_that_of_the_tree() -> None:
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == packages_in_tree()


def test_every_folder_with_python_files_is_a_package() -> None:
    for folder in MAPPED:
        for path in (ROOT / folder).rglob("*.py"):
            assert (path.parent / "__init__.py").exists(), f"{path.parent} lacks __init__.py"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    out = tmp_path_factory.mktemp("wheel")
    copy = tmp_path_factory.mktemp("source") / "tree"
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode:
        pytest.skip("not a git checkout: the tree may hold files that are not the project's")
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", str(out), str(copy)]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = out.glob("*.whl")
    return zipfile.ZipFile(built)


def test_the_wheel_holds_only_relgraph(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {t for t in tops if not t.endswith(".dist-info")} == {"relgraph"}


def test_the_wheel_holds_every_module_and_data_file(wheel: zipfile.ZipFile) -> None:
    held = set(wheel.namelist())
    for folder, package in MAPPED.items():
        for path in (ROOT / folder).rglob("*"):
            if path.is_dir() or "__pycache__" in path.parts:
                continue
            inside = path.relative_to(ROOT / folder).as_posix()
            assert f"{package.replace('.', '/')}/{inside}" in held


def test_the_installed_baselines_are_loaded_once_under_relgraph() -> None:
    spec = find_spec("relgraph.baselines")
    assert spec is not None
    assert find_spec("relgraph.llm_bridge") is not None


def test_a_bare_checkout_says_how_to_install(tmp_path: Path) -> None:
    (tmp_path / "cli.py").write_text(
        (ROOT / "cli.py").read_text(encoding="utf-8"), encoding="utf-8"
    )
    command = [sys.executable, "-S", "-I", str(tmp_path / "cli.py"), "--help"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "make install" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bare_checkout_with_the_tree_beside_it_says_so_too() -> None:
    done = subprocess.run(
        [sys.executable, "-S", str(ROOT / "cli.py"), "--help"],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 2
    assert "make install" in done.stderr
    assert "Traceback" not in done.stderr
