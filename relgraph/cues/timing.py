"""Silence and overlap: from the times of turns, and only where these are those of a recording.

Where a recording was cut, a pause between turns is an editor's. With times that are edited or of
unknown origin there is no cue here at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from relgraph.cues._phrases import ASSENT, bare
from relgraph.cues._seen import Seen
from relgraph.cues.records import Cue

SILENCE_S = 3.0
"""A pause is long from here on: several times what speakers usually leave between turns."""
OVERLAP_S = 0.2
"""Less than this is how turns usually meet, or how exactly they were marked."""
TAKES_OVER_S = 0.5
"""An overlap from here on, after which the other one stops, takes the floor."""


def detect(seen: Seen) -> Iterator[Cue]:
    """Yields silence, overlap and interruption by the recorded times of a turn and those before."""
    before = seen.before
    if seen.timing != "recorded" or before is None or before.speaker == seen.speaker:
        return
    start_s, last_start_s = _finite(seen.start_s), _finite(before.start_s)
    ended_s = max((e for s in seen.past if (e := _finite(s.end_s)) is not None), default=None)
    if start_s is None or last_start_s is None or ended_s is None or start_s < last_start_s:
        return
    pause_s = start_s - ended_s
    if pause_s > SILENCE_S:
        yield from _silence(seen, before, pause_s)
    last_end_s = _finite(before.end_s)
    overlap_s = last_end_s - start_s if last_end_s is not None else 0.0
    if overlap_s >= OVERLAP_S:
        said = f"begins {overlap_s:.3g} s before the other one ends"
        strength = min(0.9, 0.5 + 0.2 * overlap_s)
        yield seen.cue("overlap", before.speaker, strength, said, by="times")
        if overlap_s >= TAKES_OVER_S and not all(w in ASSENT for w in bare(seen)):
            yield seen.cue("interruption", before.speaker, strength, said, by="times")


def _silence(seen: Seen, before: Seen, pause_s: float) -> Iterator[Cue]:
    """Yields who was silent for so long after being spoken to, whoever speaks then."""
    strength = min(0.95, 0.5 + 0.09 * (pause_s - SILENCE_S))
    alone = len(before.addressees) == 1
    for person in before.addressees:
        if person == seen.speaker or (alone and person != seen.supporter):
            cue = seen.cue(
                "silence",
                before.speaker,
                strength * before.sure,
                f"{pause_s:.3g} s of silence",
                by="times",
            )
            yield replace(cue, source=person)


def _finite(time_s: float | None) -> float | None:
    return time_s if time_s is not None and math.isfinite(time_s) else None
