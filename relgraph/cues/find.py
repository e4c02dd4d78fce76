"""Finds the cues of conversations: parses, asks every detector, keeps the strongest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec

from relgraph.cues._seen import Seen, see_all
from relgraph.cues.codebook import CODEBOOK
from relgraph.cues.records import Cue
from relgraph.records import Conversation

Detector = Callable[[Seen], Iterator[Cue]]

OF_WORDS = ("feelings", "safety")
OF_TURNS = ("turn_taking", "timing", "support", "topics")
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
    """Returns the cues of each conversation; all turns are parsed in one go.

    Raises:
        MissingPackageError: spaCy or its English model is not installed.
    """
    return [_cues(seen) for seen in see_all(conversations)]


def _detectors(names: Iterable[str]) -> tuple[Detector, ...]:
    modules = [f"relgraph.cues.{name}" for name in names]
    return tuple(import_module(m).detect for m in modules if find_spec(m))


def _cues(turns: Iterable[Seen]) -> tuple[Cue, ...]:
    of_words = _detectors(OF_WORDS)
    of_turns = _detectors(OF_TURNS)
    best: dict[tuple[str, int, str, str, str], Cue] = {}
    met: dict[str, int] = {}
    for seen in turns:
        for name in (*seen.clients, seen.speaker, *seen.addressees):
            met.setdefault(name, len(met))
        for detect in of_words if seen.remark else of_words + of_turns:
            for cue in detect(seen):
                key = (cue.name, cue.turn, cue.source, cue.target, cue.detail)
                if key not in best or cue.strength > best[key].strength:
                    best[key] = cue
    # People stand in the order in which they were met, never by name: names mean nothing.
    return tuple(
        sorted(
            best.values(),
            key=lambda c: (
                c.turn,
                _ORDER[c.name],
                met.get(c.source, len(met)),
                met.get(c.target, len(met)),
                c.detail,
            ),
        )
    )
