"""What is not known of the conversation so far, and what a summary therefore cannot say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from relgraph.cues.english import seems_english
from relgraph.llm_bridge.blocks._base import Said, Source

HEAD = "Not known:"
TIMES = {
    "unknown": "pauses and overlaps (no times of a recording)",
    "edited": "pauses and overlaps (edited recording)",
}
FOREIGN = "signs in words (read in English only, and this seems to be another language)"
ROSTER = "who else is there (no list of people)"
NOTHING = "anything: no turn yet"


@dataclass(frozen=True, slots=True)
class Unknown:
    """Gaps in what was given, not doubts about what was read."""

    name: str = "unknown"
    needs: tuple[str, ...] = ()
    learns: bool = False

    def say(self, source: Source) -> Said:
        """Returns what is missing, what bears on most of the summary first."""
        return Said(HEAD, tuple(_missing(source)), inline=True)


def _missing(source: Source) -> Iterator[str]:
    conversation = source.instance.conversation
    turns = conversation.turns
    if not turns:
        yield NOTHING
        return
    if not seems_english(t.text for t in turns):
        yield FOREIGN
    absent = sum(not t.addressees for t in turns)
    guessed = sum(bool(t.addressees) and t.addressee_source == "inferred" for t in turns)
    if absent:
        yield f"whom {_of(absent, len(turns))} turns are said to"
    if guessed:
        yield f"whom {_of(guessed, len(turns))} turns are said to (guessed)"
    if any(not t.speaker for t in turns):
        yield f"who speaks in {_of(sum(not t.speaker for t in turns), len(turns))} turns"
    if not conversation.listed:
        yield ROSTER
    if conversation.timing != "recorded":
        yield TIMES[conversation.timing]


def _of(some: int, whole: int) -> str:
    return "all" if some == whole else f"{some} of {whole}"


BLOCK = Unknown()
