"""The command line: one file a command, found by its file name and its constant `COMMAND`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from pkgutil import iter_modules

import click

from relgraph.errors import RelgraphError
from relgraph.terminal import printable, tell


class Commands(click.Group):
    """A group whose commands are the public modules of this package, loaded when asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the names of the commands, `_` in file names read as `-`."""
        del ctx
        files = (module.name for module in iter_modules(__path__))
        return sorted(name.replace("_", "-") for name in files if not name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns the command of that name, or None."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = import_module(f"{__name__}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.COMMAND
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Returns the command to run; an unknown name says which one may be meant."""
        from relgraph.errors import unknown_name

        known = self.list_commands(ctx)
        if args and not args[0].startswith("-") and args[0] not in known:
            raise click.UsageError(str(unknown_name("command", args[0], known)), ctx)
        return super().resolve_command(ctx, args)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="relgraph", prog_name="relgraph")
def cli() -> None:
    """Temporal interaction graphs of conversations of several people.

    Reads conversations, builds their graphs, trains and evaluates approaches on the six tasks of
    RESCUE-Bench. Results go to stdout, progress and messages to stderr.
    """


def main() -> None:
    """Runs the command line; a user's mistake ends with one message and no traceback."""
    # a program may be started with its output closed
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # what a terminal's encoding lacks is shown as its code and does not end the command
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = cli.main(standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        tell("\nstopped")
        sys.exit(130)
    except click.ClickException as error:
        error.message = printable(error.message)  # type: ignore[misc]
        error.show()
        sys.exit(error.exit_code)
    except RelgraphError as error:
        tell(f"error: {error}")
        sys.exit(error.exit_code)
    except OSError as error:
        _drop_output()
        if not isinstance(error, BrokenPipeError):
            place = f"{error.filename}: " if isinstance(error.filename, str) else ""
            tell(
                f"error: {place}{error.strerror or error}. "
                "Check that the place is there, may be used, and that the disk is not full."
            )
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)


def _drop_output() -> None:
    """Lets go of output that nobody takes, so that Python does not fail on it again at the end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
