"""Finds the cues of conversations: parses, asks every detector, keeps the strongest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import islice

from relgraph.cues._seen import Seen, see_all
from relgraph.cues.codebook import CODEBOOK
from relgraph.cues.records import Cue
from relgraph.records import Conversation

Detector = Callable[[Seen], Iterator[Cue]]

OF_WORDS = ("acts", "feelings", "safety")
OF_TURNS = ("turn_taking", "timing", "support", "topics")
AT_ONCE = 16
"""Conversations whose parses are held at a time."""
_ORDER = {name: place for place, name in enumerate(CODEBOOK)}


def find_cues(conversation: Conversation) -> tuple[Cue, ...]:
    """Returns the cues of a conversation by turn, in the codebook's order within a turn.

    It is causal: the cues of a prefix are the prefix of the cues. Of one cue from one person
    towards one other in one turn only the strongest is kept. Talk behind a turn is looked at too.

    Raises:
        MissingPackageError: spaCy or its English model is not installed.
    """
    return find_all([conversation])[0]


def find_all(conversations: Iterable[Conversation]) -> list[tuple[Cue, ...]]:
    """Returns the cues of each conversation; a few at a time are parsed together.

    Raises:
        MissingPackageError: spaCy or its English model is not installed.
    """
    waiting = iter(conversations)
    found: list[tuple[Cue, ...]] = []
    while some := list(islice(waiting, AT_ONCE)):
        found += map(_cues, see_all(some))
    return found


def _detectors(names: Iterable[str]) -> tuple[Detector, ...]:
    modules = [f"relgraph.cues.{name}" for name in names]
    return tuple(import_module(m).detect for m in modules if find_spec(m))


def _cues(turns: Sequence[Seen]) -> tuple[Cue, ...]:
    of_words = _detectors(OF_WORDS)
    of_turns = _detectors(OF_TURNS)
    found: dict[int, list[Cue]] = turns[0].found if turns else {}
    met: dict[str, int] = {}
    for seen in turns:
        for name in (*seen.clients, seen.speaker, *seen.addressees):
            met.setdefault(name, len(met))
        best = {_key(cue): cue for cue in found.get(seen.turn, ())}
        for detect in of_words if seen.remark else of_words + of_turns:
            for cue in detect(seen):
                kept = best.get(_key(cue))
                if kept is None or cue.strength > kept.strength:
                    best[_key(cue)] = cue
        found[seen.turn] = sorted(best.values(), key=partial(_place, met))
    return tuple(cue for turn in found.values() for cue in turn)


def _key(cue: Cue) -> tuple[str, str, str, str]:
    return (cue.name, cue.source, cue.target, cue.detail)


def _place(met: Mapping[str, int], cue: Cue) -> tuple[int, int, int, str]:
    """Orders cues within a turn: people as they were met, never by name: names mean nothing."""
    last = len(met)
    return (_ORDER[cue.name], met.get(cue.source, last), met.get(cue.target, last), cue.detail)
