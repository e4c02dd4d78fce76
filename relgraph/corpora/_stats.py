"""What a corpus holds, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from relgraph import registry
from relgraph.labels import SCORED_FIELD, UTTERANCE_TYPES, patterns, strategies
from relgraph.records import Conversation, View

NO_PATTERN = "(no clear pattern)"


@dataclass(frozen=True, slots=True)
class Statistics:
    """Numbers of some conversations.

    Attributes:
        conversations: how many.
        relationships: how many couples, families or teams they are of.
        turns: all turns.
        minutes: sum of each conversation's last end time, in minutes; 0 without times.
        speakers_mean: mean number of distinct speakers of a conversation, the supporter included.
        supporter_percent: share of turns that the supporter speaks, in percent.
        overlapping_turns: turns that start before an earlier one ends.
        addressees: turns by where their addressee comes from.
        instances: instances of each task, under the default view.
        labels: layer -> label -> how often; every label of the sets, those of count 0 too.
    """

    conversations: int
    relationships: int
    turns: int
    minutes: float
    speakers_mean: float
    supporter_percent: float
    overlapping_turns: int
    addressees: dict[str, int]
    instances: dict[str, int]
    labels: dict[str, dict[str, int]]

    def record(self) -> dict[str, Any]:
        """Returns the numbers as JSON holds them."""
        return asdict(self)


def by_scenario(conversations: Sequence[Conversation]) -> dict[str, Statistics]:
    """Returns the statistics of `all` and of each scenario."""
    scenarios = sorted({c.scenario for c in conversations})
    found = {"all": statistics(conversations)}
    for scenario in scenarios:
        own = [c for c in conversations if c.scenario == scenario]
        found[scenario or "(none)"] = statistics(own)
    return found


def statistics(conversations: Sequence[Conversation]) -> Statistics:
    """Returns the numbers of some conversations."""
    turns = [t for c in conversations for t in c.turns]
    supporting = sum(t.speaker == c.supporter for c in conversations for t in c.turns)
    speakers = sum(len({t.speaker for t in c.turns}) for c in conversations)
    return Statistics(
        conversations=len(conversations),
        relationships=len({c.relationship or c.id for c in conversations}),
        turns=len(turns),
        minutes=sum(map(_last_end, conversations)) / 60,
        speakers_mean=speakers / max(1, len(conversations)),
        supporter_percent=100 * supporting / max(1, len(turns)),
        overlapping_turns=sum(map(_overlaps, conversations)),
        addressees=dict(Counter(t.addressee_source for t in turns)),
        instances=_instances(conversations),
        labels=_labels(conversations),
    )


def _last_end(conversation: Conversation) -> float:
    return max((t.end_s for t in conversation.turns if t.end_s is not None), default=0.0)


def _overlaps(conversation: Conversation) -> int:
    count, latest = 0, float("-inf")
    for turn in conversation.turns:
        if turn.start_s is not None and turn.start_s < latest:
            count += 1
        if turn.end_s is not None:
            latest = max(latest, turn.end_s)
    return count


def _instances(conversations: Sequence[Conversation]) -> dict[str, int]:
    view = View()
    return {
        name: sum(len(task.cases(c, view)) for c in conversations)
        for name in registry.names("task")
        for task in (registry.load("task", name),)
    }


def _labels(conversations: Sequence[Conversation]) -> dict[str, dict[str, int]]:
    scenarios = [s for s in ("couple", "family") if any(c.scenario == s for c in conversations)]
    gold = [(c, g) for c in conversations for g in c.gold]
    found: dict[str, dict[str, int]] = {}
    for s in scenarios:
        own = (r for c, g in gold if c.scenario == s for r in g.relations)
        labels = (r.label for r in own if r.field == SCORED_FIELD[s])
        found[f"relation pattern, {s}"] = _counted(
            (label or NO_PATTERN for label in labels), (*patterns(s), NO_PATTERN)
        )
    for s in scenarios:
        types = (a.type for c, g in gold if c.scenario == s for a in g.strategies)
        found[f"support strategy, {s}"] = _counted(types, strategies(s))
    found["utterance type"] = _counted(
        (g.utterance_type for _, g in gold if g.utterance_type), UTTERANCE_TYPES
    )
    intensities = (
        "(not given)" if e.intensity is None else f"{e.intensity:g}"
        for _, g in gold
        for e in g.emotions
    )
    found["emotion intensity"] = _counted(intensities, map(str, range(11)))
    return {layer: counts for layer, counts in found.items() if any(counts.values())}


def _counted(labels: Iterable[str], known: Iterable[str]) -> dict[str, int]:
    """Returns how often each label occurs: the known ones in their order, then the others."""
    counts = dict.fromkeys(known, 0)
    for label in labels:
        counts[label] = counts.get(label, 0) + 1
    return counts
