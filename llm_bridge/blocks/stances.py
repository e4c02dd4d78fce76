"""What each does to each other one: cues by ordered pair, with their turns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from relgraph.cues import CODEBOOK, Cue
from relgraph.llm_bridge.blocks._base import Said, Source, mention

HEAD = "Signs towards each other (strength to 1, last turn):"
FAMILIES = frozenset({"act", "turn-taking", "safety", "support"})
UNTOLD = frozenset(
    {
        *("question", "open_question", "third_person", "recollection", "reflection"),
        *("no_reply", "overlap", "silence"),
    }
)
"""These say how one talks, not how one stands to another."""
LEAST_STRENGTH = 0.5
MOST_SIGNS = 2


@dataclass(frozen=True, slots=True)
class Stances:
    """Signs are words and turn-taking; they may be mistaken, and a strength is no probability."""

    name: str = "stances"
    needs: tuple[str, ...] = ()
    learns: bool = False

    def say(self, source: Source) -> Said:
        """Returns one entry an ordered pair of people, the pair with most signs first."""
        pairs: dict[tuple[str, str], list[Cue]] = defaultdict(list)
        for cue in source.cues:
            if cue.source and cue.target and cue.source != cue.target and _told(cue):
                pairs[cue.source, cue.target].append(cue)
        weighed = sorted(pairs.items(), key=lambda pair: -sum(c.strength for c in pair[1]))
        return Said(HEAD, tuple(_entry(a, b, cues) for (a, b), cues in weighed))


def _entry(source: str, target: str, cues: Sequence[Cue]) -> str:
    signs: dict[str, list[Cue]] = defaultdict(list)
    for cue in cues:
        signs[cue.name].append(cue)
    told = sorted(signs.items(), key=lambda sign: -sum(c.strength for c in sign[1]))[:MOST_SIGNS]
    said = ", ".join(_sign(name, some) for name, some in told)
    return f"{mention(source)} -> {mention(target)}: {said}"


def _sign(name: str, cues: Sequence[Cue]) -> str:
    turns = len({cue.turn for cue in cues})
    often = f" {turns}x" if turns > 1 else ""
    strength = max(cue.strength for cue in cues)
    return f"{name.replace('_', ' ')}{often} {strength:.1f} [{cues[-1].turn}]"


def _told(cue: Cue) -> bool:
    return (
        cue.name not in UNTOLD
        and cue.strength >= LEAST_STRENGTH
        and CODEBOOK[cue.name].family in FAMILIES
    )


BLOCK = Stances()
