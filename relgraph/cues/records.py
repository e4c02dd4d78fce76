"""What a cue is: something that can be pointed at in a turn, with the words that show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CueSource = Literal["words", "grammar", "turns", "times", "classifier", "user"]


@dataclass(frozen=True, slots=True)
class Cue:
    """A sign in one turn, seen in nothing but this turn and those before it.

    Attributes:
        name: as in the codebook (`relgraph.cues.codebook.CODEBOOK`).
        turn: index of the turn.
        source: who gives it: the turn's speaker, or who remarks behind it; of a silence who is
            silent, and of safety who is afraid, controlled, threatens or hurts, whoever tells it.
        target: whom it is directed at ("he never listens", said to the therapist, is directed at
            him); "" for nobody in particular. A cue towards several people is several cues.
        strength: in (0, 1].
        words: the words of the turn that gave it, or for turn-taking what was observed.
        detail: which emotion or topic, for cues that have kinds; else "".
        by: how it was found.
    """

    name: str
    turn: int
    source: str
    target: str
    strength: float
    words: str
    detail: str = ""
    by: CueSource = "words"
