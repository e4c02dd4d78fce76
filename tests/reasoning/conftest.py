"""Other ways to the same conclusions, to hold the engine against."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


def module(name: str) -> ModuleType:
    path = Path(__file__).parent / "oracle" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"oracle_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture(scope="session")
def made() -> ModuleType:
    """Random rule files and facts."""
    return module("made")


@pytest.fixture(scope="session")
def asp() -> ModuleType:
    """The crisp core as an answer set program."""
    return module("asp")


@pytest.fixture(scope="session")
def brute() -> ModuleType:
    """An interpreter that tries everything."""
    return module("brute")
