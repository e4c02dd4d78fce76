"""Whether people speak English: cues are found in no other language."""

from __future__ import annotations

import re
from collections.abc import Iterable

from relgraph.cues._lexicon import words

COMMON = words(
    "the you i to and that it not have your my are with for be this just know like she they about "
    "how when can but if do what"
)
"""Frequent words that few other languages written in these letters have."""
FEWEST_WORDS = 20
LOW = 0.12
"""English talk has 0.25 to 0.4 of such words, other languages less than 0.1."""
_WORD = re.compile(r"[^\W\d_]+")


def seems_english(texts: Iterable[str]) -> bool:
    """Returns whether texts seem to be English; of a few words, it is believed."""
    said = _WORD.findall(" ".join(texts).lower())
    return len(said) < FEWEST_WORDS or sum(w in COMMON for w in said) >= LOW * len(said)
