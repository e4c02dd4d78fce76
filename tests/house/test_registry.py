"""The registry: one file is one entry."""

import pytest

from relgraph import registry
from relgraph.errors import UnknownNameError


@pytest.mark.parametrize("kind", registry.KINDS)
def test_every_kind_has_entries(kind: str) -> None:
    assert registry.names(kind)


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in registry.KINDS for name in registry.names(kind)]
)
def test_every_file_of_a_kind_holds_its_entry(kind: str, name: str) -> None:
    assert registry.load(kind, name) is not None


def test_the_six_tasks_are_there() -> None:
    assert registry.names("task") == ("er", "itp", "rpp", "ssp", "stp", "vp")


@pytest.mark.parametrize("name", registry.names("task"))
def test_a_task_is_named_like_its_file(name: str) -> None:
    assert registry.load("task", name).name == name


def test_an_unknown_name_gets_a_suggestion_and_the_list() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown task 'rp'.*mean 'rpp'.*er, itp, rpp"):
        registry.load("task", "rp")


def test_an_unknown_kind_is_named_too() -> None:
    with pytest.raises(UnknownNameError, match=r"registry kind 'tasks'.*'task'"):
        registry.names("tasks")
