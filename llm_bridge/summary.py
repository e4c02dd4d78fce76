"""Graph to text: what a prompt may say of the interaction so far, inside a token budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from relgraph.approach import Settings
from relgraph.graph import InteractionGraph, Node, TurnNode
from relgraph.graph.measures import address_matrix, latencies, talk_shares
from relgraph.llm_bridge.blocks._base import Block, Source
from relgraph.llm_bridge.observations import addressees, find_observations, is_question
from relgraph.llm_bridge.quoting import name
from relgraph.registry import load

FLOW_TURNS = 8
EMPTY = "Nothing has been said yet."
TIMES = {
    "unknown": "Reply times: not given; times are not those of a recording.",
    "edited": "Reply times: not given; the recording is edited.",
}


@dataclass(frozen=True, slots=True)
class Summary:
    """The graph in words, and what the budget left out of it, in words."""

    text: str
    dropped: tuple[str, ...] = ()


class Summariser:
    """Puts blocks together within a budget of tokens.

    Args:
        blocks: their names, in the order shown.
        settings: the budget, `summary_tokens`.
        count: how many tokens a text has.
        permuted: whether the names in the text are permuted among the places where names stand.
    """

    def __init__(
        self,
        blocks: Sequence[str],
        settings: Settings,
        count: Callable[[str], int],
        *,
        permuted: bool = False,
    ) -> None:
        self.blocks: tuple[Block, ...] = tuple(load("block", name) for name in blocks)
        self._settings, self._count, self._permuted = settings, count, permuted

    @property
    def needs(self) -> tuple[str, ...]:
        """The approaches whose findings the blocks show."""
        return tuple(dict.fromkeys(name for block in self.blocks for name in block.needs))

    def of(self, source: Source) -> Summary:
        """Returns the summary for one instance."""
        said = [block.say(source) for block in self.blocks]
        return Summary("\n".join(line for s in said for line in (s.head, *s.entries) if line))


@dataclass(frozen=True, slots=True)
class _Parts:
    """Pieces of a summary: whole lines, then lists of single entries, newest last."""

    lines: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    flow: tuple[str, ...] = ()


def summarise(graph: InteractionGraph, *, budget: int, count: Callable[[str], int]) -> Summary:
    """Returns the summary of a graph in at most `budget` tokens, as `count` counts them.

    It says who talks how much (share of words), who speaks to whom (turns), how fast people
    reply to each other (median seconds, only where times are recorded), which cues there are
    (`find_observations`), and how the last eight turns went. What does not fit is left out, oldest
    entries first and whole lines last, and the text says so.

    Nothing in it is learnt, and nothing comes from beyond the graph: the graph of a cut
    conversation gives a summary of what was known at the cut.
    """
    if not graph.turns:
        return Summary(EMPTY) if count(EMPTY) <= budget else Summary("", ("the whole summary",))
    to = addressees(graph)
    whole = _Parts(
        lines=tuple(line for line in (_talk(graph), _pairs(graph), _replies(graph)) if line),
        cues=tuple(map(str, find_observations(graph))),
        flow=tuple(_flow(turn, to.get(turn.index, ())) for turn in graph.turns[-FLOW_TURNS:]),
    )
    steps = tuple(_steps(whole))
    low, high = -1, len(steps) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if count(_compose(steps[middle], _missing(whole, steps[middle]))) <= budget:
            low = middle
        else:
            high = middle - 1
    if low < 0:
        return Summary("", ("the whole summary",))
    missing = _missing(whole, steps[low])
    return Summary(_compose(steps[low], missing), tuple(f"{m} of the summary" for m in missing))


def _steps(whole: _Parts) -> Iterator[_Parts]:
    """Ever larger summaries: line by line, then the newest entries of both lists in turn."""
    for size in range(1, len(whole.lines) + 1):
        yield _Parts(whole.lines[:size])
    flow, cues = 0, 0
    for here, cue in zip_longest(reversed(whole.flow), reversed(whole.cues)):
        if here is not None:
            flow += 1
            yield _Parts(whole.lines, _last(whole.cues, cues), _last(whole.flow, flow))
        if cue is not None:
            cues += 1
            yield _Parts(whole.lines, _last(whole.cues, cues), _last(whole.flow, flow))


def _last(entries: Sequence[str], size: int) -> tuple[str, ...]:
    return tuple(entries[len(entries) - size :])


def _missing(whole: _Parts, kept: _Parts) -> tuple[str, ...]:
    cues, flow = len(whole.cues) - len(kept.cues), len(whole.flow) - len(kept.flow)
    lines = len(whole.lines) - len(kept.lines)
    counted = ((lines, "line"), (cues, "cue"), (flow, "turn"))
    found = [f"{n} {word}{'s' if n > 1 else ''}" for n, word in counted if n]
    return tuple(found)


def _compose(parts: _Parts, missing: Sequence[str]) -> str:
    lines = list(parts.lines)
    if parts.cues:
        lines += ["Cues:", *(f"- {cue}" for cue in parts.cues)]
    if parts.flow:
        lines.append(f"Recent flow: {'; '.join(parts.flow)}.")
    if missing:
        lines.append(f"Left out for want of room: {', '.join(missing)}.")
    return "\n".join(lines)


def _talk(graph: InteractionGraph) -> str:
    shares = sorted(talk_shares(graph), key=lambda share: (-share.words, share.speaker))
    said = [
        f"{name(s.speaker)} {100 * s.word_share:.0f}% of words in {_turns(s.turns)}"
        for s in shares
        if s.turns
    ]
    silent = ", ".join(name(s.speaker) for s in shares if not s.turns)
    return f"Talk: {', '.join(said)}{f'; silent so far: {silent}' if silent else ''}."


def _turns(count: int) -> str:
    return f"{count} turn{'s' if count != 1 else ''}"


def _pairs(graph: InteractionGraph) -> str:
    matrix = address_matrix(graph)
    counted = [
        (count, source, target)
        for source, row in zip(matrix.sources, matrix.counts, strict=True)
        for target, count in zip(matrix.targets, row, strict=True)
        if count > 0
    ]
    if not counted:
        return "Who speaks to whom: not known."
    ordered = sorted(counted, key=lambda pair: (-pair[0], *pair[1:]))
    pairs = ", ".join(f"{name(a)} -> {name(b)} {round(n, 1):g}" for n, a, b in ordered)
    unknown = f"; not known for {_turns(matrix.unaddressed)}" if matrix.unaddressed else ""
    return f"Who speaks to whom (turns): {pairs}{unknown}."


def _replies(graph: InteractionGraph) -> str:
    measured = latencies(graph)
    if measured is None:
        return TIMES[graph.timing]
    if not measured:
        return "Reply times: none measured."
    said = ", ".join(
        f"{name(m.speaker)} after {name(m.after)} {m.median_s:.1f} s (of {m.count})"
        for m in sorted(measured, key=lambda m: (-m.count, m.after, m.speaker))
    )
    return f"Reply times (median; below 0 they overlap): {said}."


def _flow(turn: TurnNode, to: Sequence[Node]) -> str:
    whom = f" -> {', '.join(name(str(node.key)) for node in to)}" if to else ""
    words = f"{turn.words} word{'s' if turn.words != 1 else ''}"
    asks = ", asks" if is_question(turn) else ""
    return f"[{turn.index}] {name(turn.speaker)}{whom}: {words}{asks}"
