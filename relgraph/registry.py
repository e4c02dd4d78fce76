"""Finds the entries of each kind: one file is one entry, named like its file.

A file `pursue.py` in a kind's package is the entry `pursue`; its one constant (`TASK`, `READER`,
...) is the entry itself. In names, `_` of a file reads `-`, and `__` reads `+`: `llm__graph.py` is
`llm+graph`. Listing names reads folder names only and imports nothing heavy. Other
packages add entries by entry points of the group `relgraph.<kind>`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module, metadata
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

from relgraph.errors import RelgraphError, unknown_name


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of entry: its constant and the packages that hold its files."""

    constant: str
    packages: tuple[str, ...]


KINDS: dict[str, Kind] = {
    "reader": Kind("READER", ("relgraph.corpora",)),
    "task": Kind("TASK", ("relgraph.tasks",)),
    "embedder": Kind("EMBEDDER", ("relgraph.embed",)),
    "approach": Kind("APPROACH", ("relgraph.baselines", "relgraph.llm_bridge.approaches")),
    "backend": Kind("BACKEND", ("relgraph.llm_bridge.backends",)),
    "block": Kind("BLOCK", ("relgraph.llm_bridge.blocks",)),
    "judge": Kind("JUDGE", ("relgraph.llm_bridge.judges",)),
    "probe": Kind("PROBE", ("relgraph.llm_bridge.probes",)),
}


@cache
def _modules(kind: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for package in KINDS[kind].packages:
        spec = find_spec(package)
        for module in iter_modules(spec.submodule_search_locations if spec else None):
            if module.name.startswith("_"):
                continue
            name = module.name.replace("__", "+").replace("_", "-")
            found[name] = f"{package}.{module.name}"
    return found


def _plugins(kind: str) -> dict[str, metadata.EntryPoint]:
    return {entry.name: entry for entry in metadata.entry_points(group=f"relgraph.{kind}")}


def names(kind: str) -> tuple[str, ...]:
    """Returns the names of all entries of `kind`, our own first, each group sorted."""
    own = sorted(_modules(_known(kind)))
    return (*own, *sorted(set(_plugins(kind)) - set(own)))


def load(kind: str, name: str) -> Any:
    """Returns the entry `name` of `kind`.

    Raises:
        UnknownNameError: there is none of that name.
        RelgraphError: a file or plugin of that name lacks the constant that makes it an entry.
    """
    modules = _modules(_known(kind))
    if name in modules:
        module, constant = import_module(modules[name]), KINDS[kind].constant
        if not hasattr(module, constant):
            raise RelgraphError(
                f"{kind} {name!r}: {module.__file__} has no {constant}. "
                f"A public file in that folder is an entry; give it one or a name with `_` first."
            )
        return getattr(module, constant)
    plugins = _plugins(kind)
    if name in plugins:
        return plugins[name].load()
    raise unknown_name(kind, name, names(kind))


def _known(kind: str) -> str:
    if kind not in KINDS:
        raise unknown_name("registry kind", kind, tuple(KINDS))
    return kind
