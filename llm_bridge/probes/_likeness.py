"""How much of a text another one repeats, in words: case and punctuation aside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

WORD = re.compile(r"\w+(?:['\u2019]\w+)*")
LONG_RUN = 8
"""So many words of the true turn in a row are near-verbatim, whatever stands around them."""
NEAR = 0.8
"""So is this ROUGE-L, for a true turn of at least `FEWEST` words."""
FEWEST = 6


@dataclass(frozen=True, slots=True)
class Likeness:
    """What two texts have in common.

    Attributes:
        run: the longest row of equal words, in words.
        rouge_l: F1 of the longest common subsequence of words (Lin 2004), in [0, 1].
        edit: 1 - word edits between them / words of the longer one, in [0, 1].
        near_verbatim: whether one repeats the other so closely that chance does not do it.
    """

    run: int
    rouge_l: float
    edit: float
    near_verbatim: bool


def words(text: str) -> tuple[str, ...]:
    """Returns the words of a text in lower case, apostrophes straight."""
    return tuple(WORD.findall(text.casefold().replace("\u2019", "'")))


@lru_cache(maxsize=4096)
def likeness(said: str, true: str) -> Likeness:
    """Returns how much `said` repeats of `true`."""
    one, other = words(said), words(true)
    if not one or not other:
        return Likeness(0, 0.0, 0.0, False)
    common, run, edits = _tables(one, other)
    rouge = 2 * common / (len(one) + len(other))
    near = run >= LONG_RUN or (rouge >= NEAR and len(other) >= FEWEST)
    return Likeness(run, rouge, 1 - edits / max(len(one), len(other)), near)


def _tables(one: Sequence[str], other: Sequence[str]) -> tuple[int, int, int]:
    """Longest common subsequence, longest common row, least number of word edits."""
    width = len(other) + 1
    common, rows, edits, longest = [0] * width, [0] * width, list(range(width)), 0
    for i, word in enumerate(one, start=1):
        above_common, above_rows, above_edits = common, rows, edits
        common, rows, edits = [0] * width, [0] * width, [i] + [0] * (width - 1)
        for j, there in enumerate(other, start=1):
            if word == there:
                common[j] = above_common[j - 1] + 1
                rows[j] = above_rows[j - 1] + 1
                edits[j] = above_edits[j - 1]
                longest = max(longest, rows[j])
            else:
                common[j] = max(above_common[j], common[j - 1])
                edits[j] = 1 + min(above_edits[j], edits[j - 1], above_edits[j - 1])
    return common[-1], longest, edits[-1]
