"""Measures of an interaction graph: who talks how much, to whom, how fast, over whom.

They describe a whole conversation, for reports and summaries. What they said at a moment is had by
measuring `graph.until(turn)` or the graph of a cut conversation; as features of an earlier
decision they would tell it the future. All are pure functions of the graph. They describe
talk, not people: no value of theirs is good or bad.

Where times are those of an edited recording or unknown, what happens *between* turns (latency,
overlap, silence) may be the editor's work; these measures are then left out (None) unless
`trust_times` asks for them. How long a turn lasts is taken as it stands.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from relgraph.graph.schema import InteractionGraph, Node, TurnNode


@dataclass(frozen=True, slots=True)
class TalkShare:
    """How much one speaker talks; shares in [0, 1] are of all speakers' sum.

    `seconds` counts the turns whose times are known; it and its share are None without any.
    """

    speaker: str
    turns: int
    words: int
    seconds: float | None
    turn_share: float
    word_share: float
    second_share: float | None


@dataclass(frozen=True, slots=True)
class AddressMatrix:
    """Who addresses whom: `counts[i][j]` turns of `sources[i]` to `targets[j]`.

    A turn to several counts once for each; an inferred addressee counts with its confidence.
    `unaddressed` is the number of turns whose speaker or addressee is unknown.
    """

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    counts: tuple[tuple[float, ...], ...]
    unaddressed: int


@dataclass(frozen=True, slots=True)
class Mutual:
    """How far address between two people is returned, in [0, 1]."""

    one: str
    other: str
    value: float


@dataclass(frozen=True, slots=True)
class Reciprocity:
    """How far address is returned among all people, and in each pair that talks.

    `value` is in [0, 1]; None when nobody addresses another person.
    """

    value: float | None
    pairs: tuple[Mutual, ...]


@dataclass(frozen=True, slots=True)
class Latency:
    """How soon `speaker` begins after `after` has ended, in seconds; below 0 is an overlap."""

    after: str
    speaker: str
    count: int
    mean_s: float
    median_s: float


@dataclass(frozen=True, slots=True)
class Overlap:
    """How often and for how many seconds `speaker` talks while `over` still does."""

    speaker: str
    over: str
    count: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Silence:
    """The time in which nobody talks: seconds, share of the whole time, longest, how many."""

    seconds: float
    share: float
    longest_s: float
    count: int


@dataclass(frozen=True, slots=True)
class Trend:
    """How a speaker's turns lengthen (above 0) or shorten: `slope_words` a turn of theirs."""

    speaker: str
    turns: int
    mean_words: float
    slope_words: float | None


@dataclass(frozen=True, slots=True)
class Measures:
    """All measures of one conversation; those between turns are None where times do not tell."""

    talk: tuple[TalkShare, ...]
    balance: float | None
    address: AddressMatrix
    reciprocity: Reciprocity
    trends: tuple[Trend, ...]
    latencies: tuple[Latency, ...] | None
    overlaps: tuple[Overlap, ...] | None
    silence: Silence | None


def measure(graph: InteractionGraph, *, trust_times: bool = False) -> Measures:
    """Returns all measures of a graph; `trust_times` takes edited or unknown times as they are."""
    return Measures(
        talk=talk_shares(graph),
        balance=balance(graph),
        address=address_matrix(graph),
        reciprocity=reciprocity(graph),
        trends=length_trends(graph),
        latencies=latencies(graph, trust_times=trust_times),
        overlaps=overlaps(graph, trust_times=trust_times),
        silence=silence(graph, trust_times=trust_times),
    )


def talk_shares(graph: InteractionGraph) -> tuple[TalkShare, ...]:
    """Returns each person's part of the talk, in the order of the graph; the silent have 0.

    The group stands last if it has turns of its own. Remarks in the background do not count.
    """
    turns = _turns_by_speaker(graph)
    seconds = {
        name: sum(known) if (known := [d for t in own if (d := t.duration_s) is not None]) else None
        for name, own in turns.items()
    }
    all_turns = sum(len(own) for own in turns.values())
    all_words = sum(t.words for own in turns.values() for t in own)
    all_seconds = sum(s for s in seconds.values() if s is not None)
    timed = any(s is not None for s in seconds.values())
    return tuple(
        TalkShare(
            speaker=name,
            turns=len(own),
            words=(words := sum(t.words for t in own)),
            seconds=(spoken := seconds[name]),
            turn_share=len(own) / all_turns if all_turns else 0.0,
            word_share=words / all_words if all_words else 0.0,
            second_share=(spoken or 0.0) / all_seconds if timed and all_seconds else None,
        )
        for name, own in turns.items()
    )


def balance(graph: InteractionGraph) -> float | None:
    """Returns how evenly the words are spread over the people, 0 (one talks) to 1 (all alike).

    It is the entropy of the word shares over the logarithm of the number of people (Pielou 1966,
    "The measurement of diversity in different types of biological collections", evenness J). The
    supporter counts as one of them. None for fewer than two people or without a word.
    """
    shares = [share.word_share for share in talk_shares(graph)]
    if len(shares) < 2 or not sum(shares):
        return None
    return -sum(p * math.log(p) for p in shares if p) / math.log(len(shares))


def address_matrix(graph: InteractionGraph) -> AddressMatrix:
    """Returns who addresses whom, people in the order of the graph, the group last.

    The who-to-whom matrix of Bales, Strodtbeck, Mills and Roseborough 1951 ("Channels of
    communication in small groups"), counted in turns instead of acts.
    """
    names = _names(graph)
    speaker_of = {edge.turn: edge.source for edge in graph.of("said")}
    counts: dict[tuple[str, str], float] = defaultdict(float)
    addressed = set()
    for edge in graph.of("addressed"):
        if edge.turn in speaker_of:
            addressed.add(edge.turn)
            counts[_name(speaker_of[edge.turn]), _name(edge.target)] += edge.weight
    return AddressMatrix(
        sources=names,
        targets=names,
        counts=tuple(tuple(counts[a, b] for b in names) for a in names),
        unaddressed=len(graph.turns) - len(addressed),
    )


def reciprocity(graph: InteractionGraph) -> Reciprocity:
    """Returns how mutual address is: the part of it that is returned, turn for turn.

    With w(a, b) turns of a to b, it is the sum of min(w(a, b), w(b, a)) over the sum of w(a, b),
    over ordered pairs of different people (Squartini, Picciolo, Ruzzenenti and Garlaschelli 2013,
    "Reciprocity of weighted networks", eq. for r). Address to or by the group does not count.
    """
    matrix = address_matrix(graph)
    people = [speaker.name for speaker in graph.speakers]
    place = {name: i for i, name in enumerate(matrix.sources)}
    pairs: list[Mutual] = []
    returned = total = 0.0
    for i, a in enumerate(people):
        for b in people[i + 1 :]:
            there = matrix.counts[place[a]][place[b]]
            back = matrix.counts[place[b]][place[a]]
            if there + back > 0:
                pairs.append(Mutual(a, b, 2 * min(there, back) / (there + back)))
                returned += 2 * min(there, back)
                total += there + back
    return Reciprocity(returned / total if total else None, tuple(pairs))


def length_trends(graph: InteractionGraph) -> tuple[Trend, ...]:
    """Returns how the length of each speaker's turns changes: words a turn of theirs.

    The slope is that of ordinary least squares of a turn's words on its place (1, 2, ...) among
    the speaker's own turns; None for fewer than two turns. People without a turn are left out.
    """
    return tuple(
        Trend(name, len(own), fmean(words := [t.words for t in own]), _slope(words))
        for name, own in _turns_by_speaker(graph).items()
        if own
    )


def latencies(graph: InteractionGraph, *, trust_times: bool = False) -> tuple[Latency, ...] | None:
    """Returns how soon each speaker follows each other one, in order of first occurrence.

    The floor transfer offset of consecutive turns of different speakers: start of the second less
    end of the first (Heldner and Edlund 2010, "Pauses, gaps and overlaps in conversations";
    Stivers et al. 2009, "Universals and cultural variation in turn-taking in conversation").
    Pairs with an unknown time are left out. None where times do not tell.
    """
    if not _tells(graph, trust_times):
        return None
    speaker_of = {edge.turn: _name(edge.source) for edge in graph.of("said")}
    offsets: dict[tuple[str, str], list[float]] = defaultdict(list)
    for edge in graph.of("next"):
        before, now = speaker_of.get(int(edge.source.key)), speaker_of.get(edge.turn)
        if edge.seconds is not None and before and now and before != now:
            offsets[before, now].append(edge.seconds)
    return tuple(
        Latency(before, now, len(some), fmean(some), median(some))
        for (before, now), some in offsets.items()
    )


def overlaps(graph: InteractionGraph, *, trust_times: bool = False) -> tuple[Overlap, ...] | None:
    """Returns who talks while whom still does, in order of first occurrence.

    An overlap is the time that two turns of different speakers share; who has the later row is the
    one who comes in. That need not be an interruption (Schegloff 2000, "Overlapping talk and the
    organization of turn-taking for conversation"). None where times do not tell.
    """
    if not _tells(graph, trust_times):
        return None
    speaker_of = {edge.turn: _name(edge.source) for edge in graph.of("said")}
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for edge in graph.of("overlaps"):
        over, now = speaker_of.get(int(edge.source.key)), speaker_of.get(edge.turn)
        if edge.seconds is not None and over and now and over != now:
            found[now, over].append(edge.seconds)
    return tuple(
        Overlap(now, over, len(some), math.fsum(some)) for (now, over), some in found.items()
    )


def silence(
    graph: InteractionGraph, *, trust_times: bool = False, at_least_s: float = 0.0
) -> Silence | None:
    """Returns the time between the first start and the last end in which no turn goes on.

    Both pauses (the same speaker goes on) and gaps (another does) in the terms of Sacks, Schegloff
    and Jefferson 1974. Turns without known times are left out, so that silence is an upper bound.

    Args:
        graph: the graph.
        trust_times: take edited or unknown times as they are.
        at_least_s: shorter silences do not count.

    Returns:
        None where times do not tell or no turn has any.
    """
    spans = sorted(
        (t.start_s, t.start_s + duration)
        for t in graph.turns
        if t.start_s is not None and (duration := t.duration_s) is not None
    )
    if not _tells(graph, trust_times) or not spans:
        return None
    begin, until = spans[0]
    silences = []
    for start, end in spans[1:]:
        if start > until and start - until >= at_least_s:
            silences.append(start - until)
        until = max(until, end)
    whole, seconds = until - begin, math.fsum(silences)
    share = seconds / whole if whole else 0.0
    return Silence(seconds, share, max(silences, default=0.0), len(silences))


def _tells(graph: InteractionGraph, trust_times: bool) -> bool:
    return trust_times or graph.timing == "recorded"


def _names(graph: InteractionGraph) -> tuple[str, ...]:
    # A person on the roster who is called like the group takes all address to that name.
    return tuple(dict.fromkeys((*(speaker.name for speaker in graph.speakers), graph.group)))


def _name(node: Node) -> str:
    return str(node.key)


def _turns_by_speaker(graph: InteractionGraph) -> dict[str, list[TurnNode]]:
    turn_of = {turn.index: turn for turn in graph.turns}
    found: dict[str, list[TurnNode]] = {speaker.name: [] for speaker in graph.speakers}
    choral: list[TurnNode] = []
    for edge in graph.of("said"):
        own = choral if edge.source.kind == "group" else found[_name(edge.source)]
        own.append(turn_of[edge.turn])
    return found | ({graph.group: choral} if choral else {})


def _slope(values: Sequence[int]) -> float | None:
    n = len(values)
    if n < 2:
        return None
    middle, mean = (n + 1) / 2, fmean(values)
    spread = n * (n * n - 1) / 12
    return sum((i - middle) * (v - mean) for i, v in enumerate(values, start=1)) / spread
