"""Turns as lines of text that nothing said in them can forge, inside a token budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from relgraph.llm_bridge.prompts import wording
from relgraph.llm_bridge.quoting import name, plain, quote
from relgraph.records import Nonverbal, Turn

BLOCK = 8
"""Turns are dropped in blocks of so many: a window that slid by one would share no prefix."""

PORTION = 4
"""Turns that are read in one step: fewer are read slowly, of more the last ones more often."""

CHANNEL = {
    "body_posture": "posture",
    "facial_expressions": "face",
    "self_directed_behavior": "self-directed",
    "interaction_behavior": "behaviour",
}


@dataclass(frozen=True, slots=True)
class Transcript:
    """The turns as text, one a line.

    Attributes:
        text: all lines.
        dropped: what was left out for want of room, in words.
        portions: ends of its parts of `PORTION` turns, as numbers of characters, ascending; a
            longer transcript that begins in the same way has them too.
    """

    text: str
    dropped: tuple[str, ...] = ()
    portions: tuple[int, ...] = ()


def line(turn: Turn) -> str:
    """Returns the one line that shows a turn, with all channels that the turn has."""
    guess = "?" if turn.addressee_source == "inferred" else ""
    to = ", ".join(name(a) + guess for a in turn.addressees)
    parts = [f"[{turn.index}] {name(turn.speaker)}{f' -> {to}' if to else ''}: {quote(turn.text)}"]
    parts += [
        f"behind it {name(b.speaker)}"
        f"{' -> ' + ', '.join(map(name, b.addressees)) if b.addressees else ''}: {quote(b.text)}"
        for b in turn.background
    ]
    if turn.tone.strip():
        parts.append(f"tone: {quote(turn.tone)}")
    parts += [_nonverbal(n) for n in turn.nonverbal]
    return "; ".join(parts)


def _nonverbal(seen: Nonverbal) -> str:
    to = f" -> {', '.join(map(name, seen.addressees))}" if seen.addressees else ""
    return f"{CHANNEL[seen.kind]} of {name(seen.person)}{to}: {quote(seen.description)}"


def transcript(turns: Sequence[Turn], *, budget: int, count: Callable[[str], int]) -> Transcript:
    """Returns the turns as lines within `budget` tokens; the oldest go first, and that is said.

    The last turn always stays, cut short if it alone is over the budget.
    """
    if not turns:
        return Transcript(wording.NO_TURNS)
    lines = [line(t) for t in turns]
    first = _first_that_fits(lines, budget=budget, count=count)
    notes: list[str] = []
    kept = lines[first:]
    if len(kept) == 1 and count(kept[0]) > budget:
        kept = [_shorten(turns[-1], budget=budget, count=count)]
        notes.append(f"part of turn {turns[-1].index}")
    if first:
        said = wording.LEFT_OUT.format(count=first, turns="turn" if first == 1 else "turns")
        kept = [said, *kept]
        ends = f"{turns[0].index} to {turns[first - 1].index}" if first > 1 else turns[0].index
        notes.insert(0, f"turn{'s' if first > 1 else ''} {ends}")
    return Transcript("\n".join(kept), tuple(notes), _portions(kept))


def _portions(lines: Sequence[str]) -> tuple[int, ...]:
    """Ends of whole portions, each with the line break behind it: no token reaches over one."""
    ends = tuple(accumulate(len(shown) + 1 for shown in lines))
    return ends[PORTION - 1 :: PORTION]


def _first_that_fits(lines: Sequence[str], *, budget: int, count: Callable[[str], int]) -> int:
    room, first = budget, len(lines)
    while first > 0:
        room -= count(lines[first - 1]) + 1
        if room < 0:
            break
        first -= 1
    first = min(first, len(lines) - 1)
    if first == 0:
        return 0
    blocks = -(-first // BLOCK) * BLOCK
    fitting = len(lines) - first
    return blocks if len(lines) - blocks >= max(1, fitting // 2) else first


def _shorten(turn: Turn, *, budget: int, count: Callable[[str], int]) -> str:
    said = plain(turn.text)
    low, high = 0, len(said)
    while low < high:
        middle = (low + high + 1) // 2
        if count(_cut(turn, said[:middle])) <= budget:
            low = middle
        else:
            high = middle - 1
    return _cut(turn, said[:low])


def _cut(turn: Turn, said: str) -> str:
    bare = replace(turn, text=said, background=(), tone="", nonverbal=())
    return f"{line(bare)} {wording.SHORTENED}"
