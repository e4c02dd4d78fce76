"""The placebo of a summary: the same words and the same names, each name in another's place."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from random import Random

from relgraph.llm_bridge.blocks._base import CLOSE, OPEN

NAMED = re.compile(f"{OPEN}[^{CLOSE}]*{CLOSE}")
MOST_SWAPS = 5000


def permuted(text: str, *, seed: int) -> str:
    """Returns the text with its names, marked by `mention`, permuted among their places.

    Drawn from the seed and the text: the same names as often, so the same length, and nothing
    tells who did what to whom. Names that differ in a line or in a part of one (between `;`) go
    on differing where the names allow it, so nobody speaks to himself and no list names one
    person twice; but one sender may stand in several parts of a line. A text with fewer than two
    different names comes back as it is.
    """
    names = NAMED.findall(text)
    if len(set(names)) < 2:
        return text
    draw = Random(hashlib.sha256(f"{seed}\x1f{text}".encode()).digest())
    apart = [unit for unit in _units(text) if len({names[k] for k in unit}) == len(unit)]
    drawn = list(names)
    while drawn == names:
        draw.shuffle(drawn)
        _set_apart(drawn, apart, draw)
    given = iter(drawn)
    return NAMED.sub(lambda _: next(given), text)


def _units(text: str) -> Iterator[tuple[int, ...]]:
    """The places of the names in each line, and in each part of a line, by number."""
    count = 0
    for line in text.split("\n"):
        parts = []
        for part in line.split(";"):
            size = len(NAMED.findall(part))
            parts.append(tuple(range(count, count + size)))
            count += size
        yield from {part for part in (*parts, sum(parts, ())) if len(part) > 1}


def _set_apart(names: list[str], units: Sequence[tuple[int, ...]], draw: Random) -> None:
    """Swaps names at random until all units name different people, or none of many swaps helps."""
    of: dict[int, list[tuple[int, ...]]] = {}
    for unit in units:
        for place in unit:
            of.setdefault(place, []).append(unit)
    for _ in range(MOST_SWAPS):
        alike = [unit for unit in units if _repeats(names, unit)]
        if not alike:
            return
        one, other = draw.choice(draw.choice(alike)), draw.randrange(len(names))
        touched = {*of.get(one, ()), *of.get(other, ())}
        before = sum(_repeats(names, unit) for unit in touched)
        names[one], names[other] = names[other], names[one]
        if sum(_repeats(names, unit) for unit in touched) > before:
            names[one], names[other] = names[other], names[one]


def _repeats(names: Sequence[str], unit: Sequence[int]) -> int:
    return len(unit) - len({names[k] for k in unit})
