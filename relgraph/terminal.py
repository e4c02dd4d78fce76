"""What people read in a terminal: text without anything that the terminal would obey.

Names, ids and texts come from files of strangers. Written as they are, an escape sequence in a
name could clear the screen or forge a line, and a mark of writing direction could turn one round.
"""

from __future__ import annotations

import re
import sys

OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but tab and line feed, marks of direction, separators, half characters."""
BREAKS = re.compile(rf"[\t\n]|{OBEYED.pattern}")


def printable(text: str) -> str:
    """Returns the text with all that a terminal obeys written as its code; lines stay lines."""
    return OBEYED.sub(_escaped, text)


def one_line(text: str) -> str:
    """Returns the text as `printable` does, on one line: for names, ids and cells of a table."""
    return BREAKS.sub(_escaped, text)


def printable_json(text: str) -> str:
    """Returns a JSON text of the same value that a terminal can show: escaped as JSON has it."""
    return OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def shown(text: str) -> str:
    """Returns the text for stdout: `printable` on a terminal, as it is for a file or a pipe."""
    return printable(text) if sys.stdout.isatty() else text


def tell(message: str) -> None:
    """Writes a message to stderr, on a line of its own."""
    sys.stderr.write(f"{printable(message)}\n")


def agreed(question: str) -> bool:
    """Asks on stderr and returns whether the answer is yes; without one it is no.

    Raises:
        click.Abort: the input ends, or is interrupted.
    """
    import click

    return click.confirm(printable(question), err=True)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
