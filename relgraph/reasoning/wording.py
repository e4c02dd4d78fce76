"""Facts and cues in words: names and quotes of strangers made harmless, lines of 80 columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from textwrap import wrap

from relgraph.cues import CODEBOOK
from relgraph.cues.records import Cue
from relgraph.reasoning.records import Atom, Fact
from relgraph.terminal import one_line

WIDTH = 80
MOST_QUOTED = 160
QUOTED = ("words", "grammar")
VARIABLE = re.compile(r"\b[A-Z][A-Za-z0-9_]*\b")


def put_in(reading: str, bindings: Mapping[str, str | int]) -> str:
    """Returns a rule's reading with each variable's name in its place, all at once.

    A name that looks like a variable is not replaced again, and what is no variable stays.
    """
    return one_line(VARIABLE.sub(lambda m: str(bindings.get(m[0], m[0])), reading))


def said_by(cue: Cue) -> str:
    """Returns the words of a cue in quotes, or without quotes what was observed."""
    words = one_line(" ".join(cue.words.split()))
    if len(words) > MOST_QUOTED:
        words = words[: MOST_QUOTED - 3] + "..."
    if cue.by in QUOTED:
        return f'"{words}"' if words else ""
    return f"({cue.by}: {words})" if words else f"({cue.by})"


def people(args: Sequence[str], predicate: str = "") -> str:
    """Returns `Ana -> Ben` for what one does to another, `Ana, fear` for a kind, as rules do."""
    shown = [one_line(arg) for arg in args]
    entry = CODEBOOK.get(predicate)
    detailed = entry is not None and entry.shape == "detailed"
    return (", " if detailed or len(shown) != 2 else " -> ").join(shown)


def atom_words(atom: Atom) -> str:
    """Returns an atom as rules write it: `blame turn 12: Ana -> Ben`, `partner(Ana, Ben)`."""
    if not atom.turn:
        return f"{atom.predicate}({', '.join(map(one_line, atom.args))})"
    who = people(atom.args, atom.predicate)
    return f"{atom.predicate} turn {atom.turn}" + (f": {who}" if who else "")


def fact_words(fact: Fact) -> str:
    """Returns a fact of a turn in one phrase: who -> whom, what, how strong, the words.

    What was neither read from words nor is in doubt (`said`, `addressed`) shows no strength.
    """
    atom = fact.atom
    if not atom.turn:
        return atom_words(atom)
    sure = fact.cue is None and fact.strength == 1.0
    strength = atom.predicate if sure else f"{atom.predicate} {fact.strength:.2f}"
    parts = [people(atom.args, atom.predicate), strength]
    if fact.cue is not None:
        parts.append(said_by(fact.cue))
    return "  ".join(part for part in parts if part)


def wrapped(label: str, text: str, *, indent: int = 0, hang: int | None = None) -> str:
    """Returns `label  text` in lines of at most 80 columns, the later ones hanging.

    Args:
        label: what stands at the left, such as `turn 12`.
        text: the rest.
        indent: spaces before the first line.
        hang: spaces before the later lines; behind the label when None.
    """
    start = " " * indent + (f"{label}  " if label else "")
    hang = len(start) if hang is None else hang
    lines = wrap(
        text,
        width=max(WIDTH, hang + 30),
        initial_indent=start,
        subsequent_indent=" " * hang,
        break_on_hyphens=False,
    )
    return "\n".join(lines) if lines else start.rstrip()
