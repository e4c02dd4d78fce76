"""What the published prompts show beside the context: their leaks, for comparison only.

Only instances of the `paper` protocol carry hints and are asked several at a time; a strict one
passes through here without a word added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from relgraph.llm_bridge.prompts import wording
from relgraph.llm_bridge.prompts.transcript import Transcript, transcript
from relgraph.llm_bridge.quoting import quote
from relgraph.records import Instance

BATCH = 8
"""Items of one conversation in one request; the published runs do not state theirs."""

EXAMPLE = "example"


def hints(instance: Instance) -> str:
    """Returns the fields that the published prompt shows beside the context, "" for none."""
    shown = {key: value for key, value in instance.hints.items() if key != EXAMPLE}
    lines = [f"{key}: {quote(value)}" for key, value in shown.items()]
    if lines:
        lines.insert(0, wording.PAPER_HINTS)
    if EXAMPLE in instance.hints:
        lines += [wording.PAPER_EXAMPLE, quote(instance.hints[EXAMPLE])]
    return "\n".join(lines)


def contexts(
    instance: Instance,
    beside: Sequence[Instance],
    *,
    budget: int,
    count: Callable[[str], int],
) -> Transcript:
    """Returns the contexts of all instances of a batch, and which of them is asked about.

    The later ones show what came after the earlier ones were asked: the published leak.
    """
    share = max(1, budget // len(beside))
    parts = [wording.PAPER_BATCH.format(count=len(beside))]
    dropped: list[str] = []
    asked = 0
    for number, other in enumerate(beside, start=1):
        turns = transcript(other.conversation.turns, budget=share, count=count)
        parts += [wording.PAPER_ITEM.format(number=number), turns.text]
        dropped += turns.dropped if other.id == instance.id else ()
        asked = number if other.id == instance.id else asked
    parts.append(wording.PAPER_ASKED.format(number=asked))
    return Transcript("\n".join(parts), tuple(dropped))
