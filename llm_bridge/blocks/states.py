"""How each speaker talked at first and talks now: the first and the last third of the talk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from relgraph.cues import Cue
from relgraph.graph import TurnNode
from relgraph.llm_bridge.blocks._base import Said, Source, mention
from relgraph.llm_bridge.observations import is_question

HEAD = "First/last third of the talk so far (in turns):"
LEAST_TURNS = 6
"""With fewer there is no earlier and later to speak of."""
LEAST_STRENGTH = 0.5
LONGER = 1.5
"""Turns longer or shorter by less than half are as long as before."""
LEAST_TURNS_MORE = 2
"""One turn or question more or less is no change."""
WAYS = {
    "attacks": "blame criticism contempt belligerence domineering counterattack threat",
    "presses": "demand request question_pressed",
    "wards off": "defence minimising short_answer topic_shift refusal",
    "opens up": "disclosure emotion primary_emotion softening",
    "turns to others": "apology repair_bid accepting_influence validation acknowledgement "
    "reassurance affection",
}
"""Ways of talking -> the cues that show them."""
WAY_OF = {cue: way for way, cues in WAYS.items() for cue in cues.split()}


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
        changes = {who: ", ".join(_changes(who, parts, source.cues)) for who in speakers}
        return Said(HEAD, tuple(f"{mention(who)}: {said}" for who, said in changes.items() if said))


def _changes(who: str, parts: Sequence[Sequence[TurnNode]], cues: Sequence[Cue]) -> Iterator[str]:
    """Yields what is not as it was."""
    own = [[t for t in part if t.speaker == who] for part in parts]
    if abs(len(own[0]) - len(own[1])) >= LEAST_TURNS_MORE:
        yield f"speaks {len(own[0])}/{len(own[1])}"
    if all(own):
        before, now = (sum(t.words for t in some) / len(some) for some in own)
        if max(before, now) >= LONGER * min(before, now):
            yield f"words a turn {before:.0f}/{now:.0f}"
    asked = [sum(is_question(t) for t in some) for some in own]
    if abs(asked[0] - asked[1]) >= LEAST_TURNS_MORE:
        yield f"questions {asked[0]}/{asked[1]}"
    seen = [_ways(who, part, cues) for part in parts]
    for way in WAYS:
        if seen[0][way] != seen[1][way]:
            yield f"{way} {seen[0][way]}/{seen[1][way]}"


def _ways(who: str, part: Sequence[TurnNode], cues: Sequence[Cue]) -> Counter[str]:
    """In how many turns of a part somebody talks in each way."""
    first, last = part[0].index, part[-1].index
    shown = {
        (WAY_OF[cue.name], cue.turn)
        for cue in cues
        if cue.source == who
        and first <= cue.turn <= last
        and cue.name in WAY_OF
        and cue.strength >= LEAST_STRENGTH
    }
    return Counter(way for way, _ in shown)


BLOCK = States()
