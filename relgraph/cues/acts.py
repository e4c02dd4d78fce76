"""Finds what people do to each other: the detectors of the acts, and what follows from several."""

from __future__ import annotations

from collections.abc import Iterator

from relgraph.cues import acts_about, acts_attack, acts_said, acts_self
from relgraph.cues._seen import Seen
from relgraph.cues.records import Cue

ATTACKS = ("blame", "criticism", "contempt", "belligerence")
UNPROVOKED = 0.75
"""Factor of a defence where no attack was seen."""
ANSWERED_WITHIN_TURNS = 4
"""An attack is answered in the next few turns, or it is not answered."""


def detect(seen: Seen) -> Iterator[Cue]:
    """Yields the acts of a turn."""
    if not seen.tokens:
        return
    plain = [
        *acts_said.detect(seen),
        *acts_attack.detect(seen),
        *acts_self.detect(seen),
        *acts_about.detect(seen),
    ]
    accusers = {
        c.source: c
        for c in seen.earlier(*ATTACKS, target=seen.speaker, within_turns=ANSWERED_WITHIN_TURNS)
        if c.strength >= 0.4
    }
    if accusers and seen.tokens[0].text in {"no", "nope"}:
        plain += seen.cues("defence", 0.3, seen.parse.said(0, 0))
    attacked = {c.target for c in plain if c.name in ATTACKS and c.strength >= 0.4}
    for cue in plain:
        if cue.name == "defence":
            yield from _defence(seen, cue, accusers)
        elif cue.name == "softening":
            if not attacked:
                yield cue
        else:
            yield cue
        if cue.name in ATTACKS and cue.target in accusers:
            strength = min(cue.strength, accusers[cue.target].strength) + 0.1
            yield seen.cue("counterattack", cue.target, strength, cue.words, by=cue.by)


def _defence(seen: Seen, cue: Cue, accusers: dict[str, Cue]) -> Iterator[Cue]:
    """Yields the defence against whoever attacked; where nobody did, it is less sure."""
    if not accusers:
        yield seen.cue("defence", cue.target, UNPROVOKED * cue.strength, cue.words, by=cue.by)
    for person in accusers:
        yield seen.cue("defence", person, cue.strength + 0.2, cue.words, by=cue.by)
