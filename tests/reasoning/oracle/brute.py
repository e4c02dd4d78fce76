"""Rules by trying everything: slow, plain, and written apart from the engine.

It takes the language of the page `docs/rules.md` and nothing of the engine but the parsed rules.
"""

from typing import Any, NamedTuple

from relgraph.reasoning import Fact
from relgraph.reasoning.language import Aggregate, Comparison, Event, Rule, Static, Window
from relgraph.reasoning.strata import components, uses
from relgraph.reasoning.vocabulary import SAFETY

Key = tuple[str, int, tuple[str, ...], int]


class Way(NamedTuple):
    """A firing: rule, who and when, facts matched, the weakest of what is not of its component."""

    rule: str
    bindings: tuple[tuple[str, str | int], ...]
    evidence: tuple[Key, ...]
    others: float
    weight: float


class Result(NamedTuple):
    strengths: dict[Key, float]
    ways: dict[Key, set[Way]]
    pending: set[tuple[Key, Way]]


class Brute:
    def __init__(self, rules: list[Rule], facts: list[Fact], last: int, times: Any) -> None:
        self.rules, self.last, self.times = rules, last, times
        self.strengths: dict[Key, float] = {}
        for f in facts:
            if f.known_at <= last:
                key = (f.atom.predicate, f.atom.turn, f.atom.args, f.known_at)
                self.strengths[key] = max(f.strength, self.strengths.get(key, 0.0))
        self.therapist = next(k[2][0] for k in self.strengths if k[0] == "therapist")
        self.ways: dict[Key, set[Way]] = {}
        self.pending: set[tuple[Key, Way]] = set()
        self.inside: frozenset[str] = frozenset()

    def run(self) -> Result:
        given = set(self.strengths)
        for group, positions in components(self.rules):
            rules = [self.rules[p] for p in positions]
            self.inside = frozenset(n for r in rules for n, _, _ in uses(r) if n in group)
            rounds: dict[Key, int] = {}
            for number in range(1 + max(r.repeat for r in rules)):
                found: list[tuple[Key, Way]] = []
                for rule in rules:
                    recursive = any(n in group for n, _, _ in uses(rule))
                    if number == 0 or (recursive and rule.repeat >= number):
                        for key, way in self.fire(rule):
                            inner = [rounds[k] for k in way.evidence if k in rounds]
                            if max(inner, default=-1) == number - 1:
                                found.append((key, way))
                for key, way in found:
                    self.ways.setdefault(key, set()).add(way)
                    if key not in rounds:
                        rounds[key] = number
                        self.strengths[key] = 0.0
            changed = True
            while changed:
                changed = False
                for key in rounds:
                    best = max(self.value(way, rounds) for way in self.ways[key])
                    if best > self.strengths[key]:
                        self.strengths[key] = best
                        changed = True
        return Result(
            {k: s for k, s in self.strengths.items() if k not in given}, self.ways, self.pending
        )

    def value(self, way: Way, rounds: dict[Key, int]) -> float:
        inner = [self.strengths[k] for k in way.evidence if k in rounds]
        return way.weight * min([way.others, *inner])

    def fire(self, rule: Rule) -> list[tuple[Key, Way]]:
        if (
            any(
                w.unit == "seconds"
                for c in rule.literals
                if (e := c.event if isinstance(c, Aggregate) else c) and isinstance(e, Event)
                for w in e.windows
            )
            and self.times is None
        ):
            return []
        positive = [
            c for c in rule.conditions
            if isinstance(c, Event) or (isinstance(c, Static) and not c.negated)
        ]  # fmt: skip
        names = list(dict.fromkeys(self.names(rule)))
        found = []
        for choice in self.choices(positive, 0, {}):
            env, evidence = choice
            if not all(
                self.in_window(env[c.turn], w, env)
                for c in positive
                if isinstance(c, Event)
                for w in c.windows
            ):
                continue
            if not all(self.compare(c, env) for c in rule.conditions if isinstance(c, Comparison)):
                continue
            known = max(k[3] for k in evidence)
            ends = [self.end(c.event, env) for c in rule.conditions if isinstance(c, Aggregate)]
            ends += [self.end(a, env) for a in rule.absences]
            if any(e is None for e in ends):
                continue
            known = max([known, *(e for e in ends if e is not None)])
            others = [self.strengths[k] for k in evidence if k[0] not in self.inside]
            good = True
            for c in rule.conditions:
                if isinstance(c, Static) and c.negated:
                    good &= not any(
                        self.strengths[k] >= 0.5 for k in self.static(c, env) if k[3] <= known
                    )
                elif isinstance(c, Aggregate):
                    value, strength = self.aggregate(c, env, known)
                    good &= value >= c.event.at_least
                    others.append(strength)
            for a in rule.absences:
                bound = 0.5 if a.at_least is None else a.at_least
                good &= not any(
                    self.strengths[k] >= bound for k in self.around(a, env) if k[3] <= known
                )
            if rule.mutual:
                pair = {self.term(t, env) for t in rule.params[:2]}
                good &= not any(
                    k[0] in SAFETY
                    and set(k[2]) == pair
                    and k[3] <= known
                    and self.strengths[k] >= 0.5
                    and len(pair) == 2
                    for k in self.strengths
                )
            if not good:
                continue
            turns = [env[c.turn] for c in positive if isinstance(c, Event)]
            anchor = env[rule.at] if rule.at else max(turns)
            key = (rule.head, anchor, tuple(self.term(t, env) for t in rule.params), known)
            way = Way(
                rule.id, tuple((n, env[n]) for n in names), tuple(evidence),
                min([1.0, *others]), rule.weight,
            )  # fmt: skip
            if known > self.last:
                self.pending.add((key, way))
            else:
                found.append((key, way))
        return found

    def choices(self, literals, at, env):
        if at == len(literals):
            yield dict(env), []
            return
        literal = literals[at]
        facts = (
            self.event(literal, env) if isinstance(literal, Event) else self.static(literal, env)
        )
        for key, more in list(facts.items()):
            for extra in more:
                for whole, evidence in self.choices(literals, at + 1, {**env, **extra}):
                    yield whole, [key, *evidence]

    def event(self, event: Event, env, *, bind: bool = True):
        """Facts that match, each with the ways in which it binds."""
        found = {}
        for key in self.strengths:
            predicate, turn, args, _ = key
            if predicate not in event.predicates or turn == 0:
                continue
            if event.at_least is not None and bind and self.strengths[key] < event.at_least:
                continue
            if bind and env.get(event.turn, turn) != turn:
                continue
            orders = [args]
            if event.arrow == "<->":
                orders = [args, args[::-1]]
            ways = []
            for order in orders:
                extra = {event.turn: turn} if bind else {}
                if event.people is None:
                    ways.append(extra)
                    continue
                if len(order) != len(event.people):
                    continue
                if event.arrow and order[0] == order[1]:
                    continue
                good = True
                for term, value in zip(event.people, order, strict=True):
                    if event.arrow and term.kind == "variable" and value in ("group", "nobody"):
                        good = False
                    elif term.kind == "variable" and bind:
                        if {**env, **extra}.get(term.name, value) != value:
                            good = False
                        extra[term.name] = value
                    elif term.kind != "any" and self.term(term, env) != value:
                        good = False
                if good and extra not in ways:
                    ways.append(extra)
            if ways:
                found[key] = ways
        return found

    def static(self, static: Static, env):
        found = {}
        for key in self.strengths:
            predicate, _, args, _ = key
            if predicate != static.name or len(args) != len(static.args):
                continue
            extra = {}
            for term, value in zip(static.args, args, strict=True):
                if term.kind == "any":
                    continue
                if term.kind == "variable" and term.name not in {**env, **extra}:
                    extra[term.name] = value
                elif {**env, **extra}.get(term.name) != value and self.term(
                    term, {**env, **extra}
                ) != value:
                    break
            else:
                found[key] = [extra]
        return found

    def around(self, event: Event, env) -> list[Key]:
        """Facts of an absence or aggregate that lie in its windows."""
        found = []
        for key in self.event(event, env, bind=False):
            if event.turn in env and key[1] != env[event.turn]:
                continue
            if all(self.in_window(key[1], w, env) for w in event.windows):
                found.append(key)
        return found

    def aggregate(self, literal: Aggregate, env, known: int) -> tuple[float, float]:
        best: dict[int, float] = {}
        for key in self.around(literal.event, env):
            if key[3] <= known:
                best[key[1]] = max(best.get(key[1], 0.0), self.strengths[key])
        if literal.kind == "count":
            ordered = sorted(best.values(), reverse=True)
            bound = int(literal.event.at_least)
            return len(ordered), ordered[bound - 1] if len(ordered) >= bound else 0.0
        if literal.kind == "max":
            top = max(best.values(), default=0.0)
            return top, top
        none = 1.0
        for turn in sorted(best):
            none *= 1 - best[turn]
        return 1 - none, 1 - none

    # --- turns and seconds

    def start(self, turn: int) -> float:
        return max([s for t in range(1, turn + 1) if (s := self.times[t][0]) is not None] or [-1e9])

    def over(self, turn: int) -> float:
        return max([e for t in range(1, turn + 1) if (e := self.times[t][1]) is not None] or [-1e9])

    def gap(self, early: int, late: int) -> float | None:
        if self.over(early) == -1e9 or self.start(late) == -1e9:
            return None
        return self.start(late) - self.over(early)

    def in_window(self, turn: int, window: Window, env) -> bool:
        other = env[window.turn]
        if window.kind == "between":
            return other < turn < env[window.until]
        side = {
            "after": turn > other, "before": turn < other, "up to": turn <= other,
            "at": turn == other,
        }[window.kind]  # fmt: skip
        if not side or window.limit is None:
            return side
        if window.unit == "turns":
            return abs(turn - other) <= window.limit
        if turn == other:
            return self.start(turn) != -1e9
        gap = self.gap(min(turn, other), max(turn, other))
        return gap is not None and gap <= window.limit

    def end(self, event: Event, env) -> int | None:
        """When the windows have closed; None where that cannot be told."""
        ends = [env[event.turn]] if event.turn in env else []
        for window in event.windows:
            other = env[window.turn]
            if window.unit == "seconds":
                known = self.over(other) if window.kind == "after" else self.start(other)
                if known == -1e9:
                    return None
            if window.kind == "between":
                ends.append(env[window.until] - 1)
            elif window.kind in ("up to", "at"):
                ends.append(other)
            elif window.kind == "before":
                ends.append(other - 1)
            elif window.unit == "turns":
                ends.append(other + int(window.limit))
            elif window.unit == "seconds":
                later = range(other + 1, self.last + 1)
                too_late = (t for t in later if self.start(t) - self.over(other) > window.limit)
                ends.append(next(too_late, self.last + 1))
        return min(ends)

    def compare(self, literal: Comparison, env) -> bool:
        if literal.of_turns:
            left, right = env[literal.left.name], env[literal.right.name] + literal.offset
        else:
            left, right = self.term(literal.left, env), self.term(literal.right, env)
        return {
            "=": left == right,
            "!=": left != right,
            "<": literal.of_turns and left < right,
            "<=": literal.of_turns and left <= right,
            ">": literal.of_turns and left > right,
            ">=": literal.of_turns and left >= right,
        }[literal.operator]

    def term(self, term, env) -> Any:
        if term.kind == "therapist":
            return self.therapist
        return env[term.name] if term.kind == "variable" else term.name

    @staticmethod
    def names(rule: Rule):
        yield from (t.name for t in rule.params if t.kind == "variable")
        for c in rule.conditions:
            if isinstance(c, Event):
                yield c.turn
                yield from (t.name for t in c.people or () if t.kind == "variable")
            elif isinstance(c, Static):
                yield from (t.name for t in c.args if t.kind == "variable")


def everything(rules, facts, last, times=None) -> Result:
    """Returns conclusions with strengths, all firings, and what is unconfirmed."""
    return Brute(list(rules), list(facts), last, times).run()
