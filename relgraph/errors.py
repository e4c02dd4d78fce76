"""What relgraph raises. A command shows such an error as one message without a traceback."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from relgraph.terminal import one_line


class RelgraphError(Exception):
    """A mistake in input or use that its user can mend.

    The message says what is wrong, where (file, line, conversation, turn), what was got and
    wanted, and what to do next. `exit_code` is what a command ends with: 2 for input or usage
    that has to change, 1 for work that failed.
    """

    exit_code = 2


class DataError(RelgraphError):
    """A file or a record that cannot be read as what it claims to be."""


class UnknownNameError(RelgraphError):
    """A name that no registry entry, label set or option has."""


class MissingPackageError(RelgraphError):
    """An optional package that this step needs is not installed."""


class LeakError(RelgraphError):
    """Something trained on what it is about to be tested on."""


class RunError(RelgraphError):
    """Work that was begun and could not be finished."""

    exit_code = 1


def unknown_name(kind: str, name: str, known: Sequence[str]) -> UnknownNameError:
    """Returns the error for a `name` that is not in `known`: what, did-you-mean, the list."""
    near = get_close_matches(name.casefold(), [k.casefold() for k in known], n=1, cutoff=0.5)
    meant = [k for k in known if near and k.casefold() == near[0]]
    hint = f" Did you mean {meant[0]!r}?" if meant else ""
    return UnknownNameError(
        f"unknown {kind} {name!r}.{hint} Known: {', '.join(map(one_line, known)) or '(none)'}."
    )


def missing_package(package: str, purpose: str, install: str) -> MissingPackageError:
    """Returns the error for an absent optional `package`, with the line that installs it."""
    return MissingPackageError(
        f"{purpose} needs the package {package!r}, which is not installed. "
        f"Install it with: {install}"
    )
