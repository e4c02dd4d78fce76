"""How far apart the turns of a rule may lie, gathered from windows and comparisons."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from relgraph.reasoning.language import Comparison, Event, Rule, Window

Distances = dict[tuple[str, str], float]
"""(X, Y) -> the most that turn X may lie after turn Y; negative where it lies before."""


def distances(rule: Rule) -> Distances | None:
    """Returns the tightest distances between the turns of a rule's events; None if none can be.

    From `T2 within 3 turns after T1` follow T2 - T1 <= 3 and T1 - T2 <= -1; what two of them
    imply together is found by shortest paths.
    """
    turns = list(dict.fromkeys(c.turn for c in rule.conditions if isinstance(c, Event)))
    known = set(turns)
    found: Distances = {}
    for condition in rule.conditions:
        pairs: Iterator[tuple[str, str, float]] = iter(())
        if isinstance(condition, Event):
            pairs = (p for w in condition.windows for p in window_pairs(condition.turn, w))
        elif isinstance(condition, Comparison) and condition.of_turns:
            pairs = _comparison_pairs(condition)
        for late, early, most in pairs:
            if late in known and early in known:
                found[late, early] = min(most, found.get((late, early), inf))
    for middle in turns:
        for late in turns:
            for early in turns:
                way = found.get((late, middle), inf) + found.get((middle, early), inf)
                if way < found.get((late, early), inf):
                    found[late, early] = way
    if any(found.get((turn, turn), 0) < 0 for turn in turns):
        return None
    return found


def window_pairs(turn: str, window: Window) -> Iterator[tuple[str, str, float]]:
    """Yields (late, early, most): what a window says about turns, seconds left aside."""
    other = window.turn
    most = window.limit if window.limit is not None and window.unit == "turns" else inf
    if window.kind == "after":
        yield other, turn, -1
        yield turn, other, most
    elif window.kind == "before":
        yield turn, other, -1
        yield other, turn, most
    elif window.kind == "up to":
        yield turn, other, 0
        yield other, turn, most
    elif window.kind == "at":
        yield turn, other, 0
        yield other, turn, 0
    else:
        yield other, turn, -1
        yield turn, window.until, -1


def _comparison_pairs(literal: Comparison) -> Iterator[tuple[str, str, float]]:
    left, right, offset = literal.left.name, literal.right.name, literal.offset
    if literal.operator in ("<", "<=", "="):
        yield left, right, offset - (literal.operator == "<")
    if literal.operator in (">", ">=", "="):
        yield right, left, -offset - (literal.operator == ">")


def limits(
    turn: str, placed: list[str], found: Distances
) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Returns what bounds a turn from below and from above, given the turns already placed.

    Each is (other turn, how much later); what another placed turn implies anyway is left out.
    """
    lows: list[tuple[str, int]] = []
    highs: list[tuple[str, int]] = []
    for other in placed:
        most = found.get((turn, other), inf)
        if most < inf and not any(
            o != other and found.get((turn, o), inf) + found.get((o, other), inf) <= most
            for o, _ in highs
        ):
            highs.append((other, int(most)))
        least = found.get((other, turn), inf)
        if least < inf and not any(
            o != other and found.get((other, o), inf) + found.get((o, turn), inf) <= least
            for o, _ in lows
        ):
            lows.append((other, -int(least)))
    return lows, highs
