"""How a sign is weighed by what stands around it: hedges, questions, suppositions, who says it."""

from __future__ import annotations

from relgraph.cues._act_words import HEDGES, STRONG
from relgraph.cues._seen import Seen

HEDGED, STRESSED, ASKED, SUPPOSED, FROM_SUPPORTER, AT_SUPPORTER = 0.75, 1.15, 0.5, 0.6, 0.4, 0.4
"""Factors. A supporter rarely attacks and rarely is attacked: `you` is then mostly anybody."""


def around(seen: Seen, first: int, last: int) -> float:
    """Returns the factor for hedges and stress in a place and the five words before it."""
    begin = seen.parse.sentences[seen.tokens[first].sentence].first
    near = {t.text for t in seen.tokens[max(begin, first - 5) : last + 1]}
    factor = HEDGED if near & HEDGES or {"kind", "of"} <= near or {"sort", "of"} <= near else 1.0
    return factor * (STRESSED if near & STRONG else 1.0)


def asked(seen: Seen, token: int) -> bool:
    """Returns whether a word stands in a question that is not one of `why` or `how could`."""
    sentence = seen.parse.sentences[seen.tokens[token].sentence]
    if not sentence.question:
        return False
    first = {t.text for t in seen.tokens[sentence.first : sentence.first + 3]}
    return not first & {"why", "how"}


def between(seen: Seen, target: str) -> float:
    """Returns the factor of an attack by or at the supporter."""
    if seen.by_supporter:
        return FROM_SUPPORTER
    return AT_SUPPORTER if target == seen.supporter else 1.0
