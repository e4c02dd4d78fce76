"""The closures that a compiled rule is made of: find facts, test, check, conclude."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any, NamedTuple

from relgraph.errors import RunError
from relgraph.reasoning.clock import Clock
from relgraph.reasoning.index import ARGS, KNOWN_AT, NUMBER, PREDICATE, STRENGTH, TURN, Facts, Row
from relgraph.reasoning.language import AggregateKind, Comparison, Rule

MOST_WORK = 20_000_000
"""Facts that one rule may look at in one conversation: a rule without windows has no end else."""
MOST_MATCHES = 250_000
"""Matches of all positive conditions of one rule: each is judged, and kept if it holds."""
ALL_RULES = 8
"""How many times as much all rules together may do."""

Env = list[Any]
"""Values of a rule's variables (people, turns), then its constants."""
Match = tuple[int, tuple[Any, ...], tuple[int, ...], int, float]
"""A firing as the engine keeps it: position of the rule, values of its variables, numbers of the
facts matched, known_at, strength without the weight (and without facts of its own component)."""
Conclusion = tuple[str, int, tuple[str, ...], int]
"""predicate, turn, args, known_at."""


class Run:
    """The state of one evaluation.

    Attributes:
        facts: all facts.
        clock: of recorded times, else None.
        last_turn: how far the conversation goes.
        concluded: what the current component concludes, each with its firings.
        pending: firings whose windows have not closed.
        trace: where a list, what stopped each full match: literal, the fact, or None.
        round: of recursion, from 0.
        rounds: number of a fact -> the round that concluded it, in the current component.
        work: facts looked at by the current rule; after round 0, by those of its component.
        matches: likewise, how often all of the positive conditions were met.
        all_work: facts looked at by all rules so far.
        all_matches: of all rules so far.
    """

    __slots__ = (
        "all_matches", "all_work", "clock", "concluded", "facts", "last_turn", "matches",
        "pending", "round", "rounds", "tables", "trace", "work",
    )  # fmt: skip

    def __init__(self, facts: Facts, clock: Clock | None, last_turn: int) -> None:
        self.facts, self.clock, self.last_turn = facts, clock, last_turn
        self.tables = facts.tables
        self.concluded: dict[Conclusion, list[Match]] = {}
        self.pending: list[tuple[Conclusion, Match]] = []
        self.trace: list[tuple[Match, int, Row | None]] | None = None
        self.round = 0
        self.rounds: dict[int, int] = {}
        self.work = self.matches = self.all_work = self.all_matches = 0

    def spend(self, work: int, matches: int) -> None:
        """Adds what one rule took to what all took, and refuses more than that may be."""
        self.all_work += work
        self.all_matches += matches
        most_facts, most_ways = ALL_RULES * MOST_WORK, ALL_RULES * MOST_MATCHES
        if self.all_work > most_facts or self.all_matches > most_ways:
            raise RunError(
                f"the rules together looked at {self.all_work:,} facts in one conversation and "
                f"were matched in {self.all_matches:,} ways; expected at most {most_facts:,} and "
                f"{most_ways:,}. Read fewer rules at once, or give their events shorter windows."
            )


Step = Callable[[Run, Env, list[Row]], None]
Compare = Callable[[Run, Env], bool]


class Span(NamedTuple):
    """Bounds of a turn: (place of another turn in `env`, how much later), all must hold."""

    lows: tuple[tuple[int, int], ...]
    highs: tuple[tuple[int, int], ...] = ()


class Seconds(NamedTuple):
    """A window in seconds, from the turn at a place of `env`."""

    kind: str
    place: int
    limit: float


class Look(NamedTuple):
    """Something that must not be: literal, tables of what blocks and of all, keys, window."""

    literal: int
    slot: int
    weak: int
    keys: tuple[int, ...]
    span: Span | None
    seconds: tuple[Seconds, ...] = ()


class Counted(NamedTuple):
    """An aggregate: literal, kind, bound, table, keys, window."""

    literal: int
    kind: AggregateKind
    at_least: float
    slot: int
    keys: tuple[int, ...]
    span: Span | None
    seconds: tuple[Seconds, ...] = ()


def event_step(
    *,
    slot: int,
    keys: tuple[int, ...],
    span: Span,
    turn: int,
    timeless: bool,
    binds: tuple[tuple[int, int], ...],
    tests: tuple[Compare, ...],
    evidence: int,
    rule: Rule,
) -> Callable[[Step], Step]:
    """Returns what makes the step of one positive literal, given the step after it.

    Args:
        slot: of its table.
        keys: places in `env` of the values by which it looks facts up.
        span: what bounds its turn.
        turn: place in `env` that takes its turn; -1 if that is known already.
        timeless: whether it is a static.
        binds: (place in `env`, position of the argument) of the people that it binds.
        tests: what can be tested from here on.
        evidence: place of the fact in the evidence.
        rule: for the error about too much work.
    """
    key = _key(keys)
    lows, highs = span
    everywhere = timeless or not (lows or highs)
    one_bind = binds[0] if len(binds) == 1 else None

    def make(then: Step) -> Step:
        def step(run: Run, env: Env, found: list[Row]) -> None:
            table = run.tables[slot]
            if table is None:
                table = run.facts.build(slot)
            entry = table.get(key(env))
            if entry is None:
                return
            turns, rows = entry
            if not everywhere:
                low, high = 0, 1 << 60
                for place, by in lows:
                    bound = env[place] + by
                    if bound > low:
                        low = bound
                for place, by in highs:
                    bound = env[place] + by
                    if bound < high:
                        high = bound
                first = bisect_left(turns, low)
                last = bisect_right(turns, high, first)
                if first >= last:
                    return
                rows = rows[first:last]
            run.work += len(rows)
            if run.work > MOST_WORK:
                raise _endless(rule, "looked at", MOST_WORK, "facts")
            for row in rows:
                if turn >= 0:
                    env[turn] = row[TURN]
                if one_bind is not None:
                    env[one_bind[0]] = row[ARGS][one_bind[1]]
                elif binds:
                    args = row[ARGS]
                    for place, position in binds:
                        env[place] = args[position]
                for test in tests:
                    if not test(run, env):
                        break
                else:
                    found[evidence] = row
                    then(run, env, found)

        return step

    return make


def comparison(literal: Comparison, left: int, right: int) -> Compare:
    """Returns the test of `A != B`, `A = B` or `T1 != T2 + 3`."""
    offset = literal.offset
    if literal.of_turns:
        return lambda _, env: bool(env[left] != env[right] + offset)
    if literal.operator == "=":
        return lambda _, env: bool(env[left] == env[right])
    return lambda _, env: bool(env[left] != env[right])


def emission(
    *,
    position: int,
    rule: Rule,
    head: list[int],
    anchor: list[int],
    width: int,
    counted: tuple[Counted, ...],
    looks: tuple[Look, ...],
    inside: frozenset[str],
) -> Step:
    """Returns the last step: it judges what is denied and counted, and notes the firing."""
    predicate = rule.head
    checks: tuple[Counted | Look, ...] = (*counted, *looks)

    def emit(run: Run, env: Env, found: list[Row]) -> None:
        known_at, base = 0, 1.0
        latest = -1
        for row in found:
            if row[KNOWN_AT] > known_at:
                known_at = row[KNOWN_AT]
            if inside and row[PREDICATE] in inside:
                latest = max(latest, run.rounds.get(row[NUMBER], 0))
            elif row[STRENGTH] < base:
                base = row[STRENGTH]
        if latest != run.round - 1 and run.trace is None:
            return  # an earlier round has had it
        run.matches += 1
        if run.matches > MOST_MATCHES:
            raise _endless(rule, "was matched in", MOST_MATCHES, "ways")
        windows = []
        for check in checks:
            window = window_of(check, run, env)
            if window is None:
                return
            windows.append(window)
            if window[2] > known_at:
                known_at = window[2]
        values = tuple(env[:width])
        numbers = tuple([row[NUMBER] for row in found])
        for tally, window in zip(counted, windows, strict=False):
            value, strength, _ = aggregate(tally, run, env, window, known_at)
            if run.work > MOST_WORK:
                raise _endless(rule, "looked at", MOST_WORK, "facts")
            if value < tally.at_least:
                if run.trace is not None:
                    match = (position, values, numbers, known_at, base)
                    run.trace.append((match, tally.literal, None))
                return
            if strength < base:
                base = strength
        for look, window in zip(looks, windows[len(counted) :], strict=True):
            against = blocking(look, run, env, window, known_at)
            if run.work > MOST_WORK:
                raise _endless(rule, "looked at", MOST_WORK, "facts")
            if against is not None:
                if run.trace is not None:
                    match = (position, values, numbers, known_at, base)
                    run.trace.append((match, look.literal, against))
                return
        match = (position, values, numbers, known_at, base)
        turn = env[anchor[0]] if len(anchor) == 1 else max([env[place] for place in anchor])
        conclusion = (predicate, turn, tuple([env[place] for place in head]), known_at)
        if known_at > run.last_turn:
            run.pending.append((conclusion, match))
        elif conclusion in run.concluded:
            run.concluded[conclusion].append(match)
        else:
            run.concluded[conclusion] = [match]

    return emit


Window = tuple[int, int, int]
"""First and last turn, and the turn at which it is known to have closed."""
ALWAYS: Window = (0, 1 << 60, 0)


def window_of(check: Look | Counted, run: Run, env: Env) -> Window | None:
    """Returns the window of an absence or aggregate; None where it needs times there are not."""
    if check.span is None:
        return ALWAYS
    low, high = 0, 1 << 60
    for place, by in check.span.lows:
        low = max(low, env[place] + by)
    for place, by in check.span.highs:
        high = min(high, env[place] + by)
    closed = high
    for seconds in check.seconds:
        found = (
            run.clock.window(seconds.kind, env[seconds.place], seconds.limit) if run.clock else None
        )
        if found is None:
            return None
        low, high, closed = max(low, found[0]), min(high, found[1]), min(closed, found[2])
    return low, high, closed


def rows_in(slot: int, check: Look | Counted, run: Run, env: Env, window: Window) -> list[Row]:
    """Returns the rows of a table that lie in a window, in order of turns."""
    table = run.tables[slot]
    if table is None:
        table = run.facts.build(slot)
    keys = check.keys
    entry = table.get(env[keys[0]] if len(keys) == 1 else tuple([env[k] for k in keys]))
    if entry is None:
        return []
    turns, rows = entry
    if window is ALWAYS:
        return rows
    first = bisect_left(turns, window[0])
    return rows[first : bisect_right(turns, window[1], first)]


def blocking(look: Look, run: Run, env: Env, window: Window, known_at: int) -> Row | None:
    """Returns the latest fact known by `known_at` that blocks, or None."""
    for row in reversed(rows_in(look.slot, look, run, env, window)):
        if row[KNOWN_AT] <= known_at:
            return row
        run.work += 1
    return None


def aggregate(
    check: Counted, run: Run, env: Env, window: Window, known_at: int
) -> tuple[float, float, list[Row]]:
    """Returns value, strength and the facts taken: the strongest one a turn known by then."""
    best: dict[int, Row] = {}
    there = rows_in(check.slot, check, run, env, window)
    run.work += len(there)
    for row in there:
        if row[KNOWN_AT] <= known_at:
            other = best.get(row[TURN])
            if other is None or row[STRENGTH] > other[STRENGTH]:
                best[row[TURN]] = row
    rows = list(best.values())
    if not rows:
        return 0.0, 0.0, rows
    if check.kind == "count":
        strengths = sorted([row[STRENGTH] for row in rows], reverse=True)
        wanted = int(check.at_least)
        return float(len(rows)), strengths[min(wanted, len(rows)) - 1], rows
    if check.kind == "max":
        top = max([row[STRENGTH] for row in rows])
        return top, top, rows
    none = 1.0
    for row in rows:
        none *= 1.0 - row[STRENGTH]
    return 1.0 - none, 1.0 - none, rows


def _key(places: tuple[int, ...]) -> Callable[[Env], Any]:
    if not places:
        return lambda _: ()
    if len(places) == 1:
        (one,) = places
        return lambda env: env[one]
    if len(places) == 2:
        one, two = places
        return lambda env: (env[one], env[two])
    return lambda env: tuple([env[place] for place in places])


def _endless(rule: Rule, did: str, most: int, what: str) -> RunError:
    return RunError(
        f"{rule.source}:{rule.line}: rule {rule.id} {did} more than {most:,} {what} in one "
        "conversation. Tie its events together by windows, as `within 5 turns after T`; "
        "`relgraph rules check` says where they are missing."
    )
