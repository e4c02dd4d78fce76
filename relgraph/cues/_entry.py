"""What an entry of the codebook says of a cue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Shape = Literal["dyadic", "detailed"]
"""`dyadic`: rules read it as `name T: A -> B`; `detailed`: as `name T: A, detail`."""

Family = Literal["act", "turn-taking", "feeling", "safety", "support", "topic", "type"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One cue of the codebook.

    Attributes:
        name: as rules use it.
        family: what kind of sign it is.
        definition: when it is there, and when it is not.
        examples: invented turns that show it.
        sources: where the definition leans on, as checked; () where it is ours.
        gold: the benchmark's utterance type that comes nearest, "" for none.
        details: the kinds there are, for `detailed` cues.
    """

    name: str
    family: Family
    definition: str
    examples: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    gold: str = ""
    details: tuple[str, ...] = ()

    @property
    def shape(self) -> Shape:
        """Returns how rules read it."""
        return "detailed" if self.details else "dyadic"
