"""Texts without the names of the people in them.

Names are what a model of few couples learns first and what helps least: with them gone, a model
cannot know a couple by its names, and renaming everybody changes no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from relgraph.records import Conversation, Turn

SOMEONE = "someone"


def without_names(text: str, names: Sequence[str]) -> str:
    """Returns the text with every whole-word occurrence of a name replaced by `someone`."""
    return with_names(text, dict.fromkeys(names, SOMEONE))


def with_names(text: str, replacements: Mapping[str, str]) -> str:
    """Returns the text with each whole-word occurrence of a key replaced by its value."""
    pattern = _pattern(tuple(replacements))
    return pattern.sub(lambda found: replacements[found.group()], text) if pattern else text


def names_known(conversation: Conversation) -> Iterator[tuple[Turn, tuple[str, ...]]]:
    """Yields each turn with the people known of by then: the roster, and who appeared so far.

    Not the names of the whole conversation: what is made of a turn may not depend on who
    appears after it.
    """
    apart = {conversation.supporter, conversation.group}
    known = dict.fromkeys(conversation.participants)
    for turn in conversation.turns:
        known.update(dict.fromkeys(n for n in _people(turn) if n not in apart))
        yield turn, tuple(known)


def _people(turn: Turn) -> Iterable[str]:
    return (turn.speaker, *turn.addressees)


@lru_cache(maxsize=4096)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    given = sorted((n for n in names if n.strip()), key=lambda n: (-len(n), n))
    if not given:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, given))})(?!\w)")
