"""How each speaker talked at first and talks now: the first and the last third of the talk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from relgraph.cues import CODEBOOK, Cue
from relgraph.graph import TurnNode
from relgraph.llm_bridge.blocks._base import Said, Source, mention
from relgraph.llm_bridge.observations import is_question

HEAD = "First third of the talk so far -> last third:"
LEAST_TURNS = 6
"""With fewer there is no earlier and later to speak of."""
FAMILIES = frozenset({"act", "turn-taking", "feeling", "safety"})
LEAST_STRENGTH = 0.5
MOST_CUES = 3


@dataclass(frozen=True, slots=True)
class States:
    """Thirds are of the turns up to the cut: nothing relates to the conversation's end."""

    name: str = "states"
    needs: tuple[str, ...] = ()
    learns: bool = False

    def say(self, source: Source) -> Said:
        """Returns one entry a speaker, who spoke last first."""
        turns = source.graph.turns
        if len(turns) < LEAST_TURNS:
            return Said(HEAD, ())
        third = len(turns) // 3
        parts = (turns[:third], turns[-third:])
        speakers = dict.fromkeys(t.speaker for t in reversed(turns) if t.speaker)
        return Said(HEAD, tuple(_entry(who, parts, source.cues) for who in speakers))


def _entry(who: str, parts: Sequence[Sequence[TurnNode]], cues: Sequence[Cue]) -> str:
    return f"{mention(who)}: {', '.join(_changes(who, parts, cues))}"


def _changes(who: str, parts: Sequence[Sequence[TurnNode]], cues: Sequence[Cue]) -> Iterator[str]:
    own = [[t for t in part if t.speaker == who] for part in parts]
    yield f"turns {len(own[0])} -> {len(own[1])}"
    if all(own):
        before, now = (round(sum(t.words for t in some) / len(some)) for some in own)
        yield f"words a turn {before} -> {now}"
    asked = [sum(is_question(t) for t in some) for some in own]
    if any(asked):
        yield f"questions {asked[0]} -> {asked[1]}"
    seen = [_counted(who, part, cues) for part in parts]
    for name, _ in (seen[0] + seen[1]).most_common(MOST_CUES):
        yield f"{name.replace('_', ' ')} {seen[0][name]} -> {seen[1][name]}"


def _counted(who: str, part: Sequence[TurnNode], cues: Sequence[Cue]) -> Counter[str]:
    first, last = part[0].index, part[-1].index
    return Counter(
        name
        for name, _ in {
            (c.name, c.turn): None
            for c in cues
            if c.source == who and first <= c.turn <= last and _told(c)
        }
    )


def _told(cue: Cue) -> bool:
    return (
        cue.name != "question"
        and cue.strength >= LEAST_STRENGTH
        and CODEBOOK[cue.name].family in FAMILIES
    )


BLOCK = States()
