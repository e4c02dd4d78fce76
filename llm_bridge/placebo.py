"""The placebo of a summary: the same words and the same names, each name in another's place."""

from __future__ import annotations

import hashlib
import re
from random import Random

from relgraph.llm_bridge.blocks._base import CLOSE, OPEN

NAMED = re.compile(f"{OPEN}[^{CLOSE}]*{CLOSE}")


def permuted(text: str, *, seed: int) -> str:
    """Returns the text with its names, marked by `mention`, permuted among their places.

    The permutation is uniform over those that change the text, drawn from the seed and the text:
    the same names as often, so the same length, and nothing tells who did what to whom. A text
    with fewer than two different names comes back as it is.
    """
    names = NAMED.findall(text)
    if len(set(names)) < 2:
        return text
    draw = Random(hashlib.sha256(f"{seed}\x1f{text}".encode()).digest())
    drawn = list(names)
    while drawn == names:
        draw.shuffle(drawn)
    given = iter(drawn)
    return NAMED.sub(lambda _: next(given), text)
