"""Checks proofs anew, by brute force and without the engine: trust this page, not that one.

It shares with the engine the rule language and the records, and no line that concludes anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from math import inf, prod

from relgraph.reasoning.language import Aggregate, Comparison, Event, Rule, Static, Term, Window
from relgraph.reasoning.records import Atom, Fact, Firing
from relgraph.records import Conversation

SAFETY = ("fear_of", "coercion", "threat", "violence")
BLOCKS_AT = 0.5
CLOSE = 1e-9
Seconds = Mapping[int, tuple[float | None, float | None]]
Bound = Mapping[str, str | int]


def verify(
    rules: Iterable[Rule],
    given: Iterable[Fact],
    firings: Iterable[Firing],
    conclusions: Iterable[Fact],
    *,
    last_turn: int,
    times: Seconds | None = None,
    conversation: Conversation | None = None,
) -> tuple[str, ...]:
    """Returns what is wrong with the proofs of `conclusions`, a line each; () accepts them all.

    Every conclusion must come down, through firings that hold, to given facts. Of a firing are
    checked: each condition of the rule as written against its bindings and evidence, absences and
    aggregates over all facts known by then, the safety check, and strength, anchor and known-at,
    computed anew.

    Args:
        rules: as parsed.
        given: the facts that reasoning started from.
        firings: how rules came true.
        conclusions: what they concluded.
        last_turn: how far the conversation was seen.
        times: start and end of turns in seconds, of a recording; None where there is none.
        conversation: to look up the words of cues; None leaves that out.
    """
    given, firings, conclusions = tuple(given), tuple(firings), tuple(conclusions)
    judge = _Judge(rules, (*given, *conclusions), last_turn, times)
    faults = list(_of_words(given, conversation)) if conversation is not None else []
    held: dict[tuple[Atom, int], list[Firing]] = {}
    for firing in firings:
        wrong = judge.fault(firing)
        if wrong:
            faults.append(f"{_told(firing.conclusion)} by {firing.rule}: {wrong}")
        else:
            held.setdefault((firing.conclusion.atom, firing.conclusion.known_at), []).append(firing)
    proven = set(given)
    waiting = [fact for fact in conclusions if fact not in proven]
    while waiting:
        now = [fact for fact in waiting if _proven(fact, held, proven)]
        if not now:
            break
        proven |= set(now)
        waiting = [fact for fact in waiting if fact not in proven]
    faults += (f"{_told(fact)}: no proof from given facts has this strength" for fact in waiting)
    return tuple(faults)


def _proven(fact: Fact, held: dict[tuple[Atom, int], list[Firing]], proven: set[Fact]) -> bool:
    own = held.get((fact.atom, fact.known_at), ())
    strongest = max((f.conclusion.strength for f in own), default=-1.0)
    return abs(strongest - fact.strength) < CLOSE and any(
        abs(f.conclusion.strength - fact.strength) < CLOSE and proven.issuperset(f.evidence)
        for f in own
    )


class _Judge:
    def __init__(
        self, rules: Iterable[Rule], facts: tuple[Fact, ...], last_turn: int, times: Seconds | None
    ) -> None:
        self.rules = {rule.id: rule for rule in rules}
        self.last_turn, self.facts = last_turn, frozenset(facts)
        self.of: dict[str, list[Fact]] = {}
        for fact in facts:
            self.of.setdefault(fact.atom.predicate, []).append(fact)
        who = (f.atom.args[0] for f in self.of.get("therapist", ()) if f.known_at == 0)
        self.therapist = next(who, "therapist")
        # the latest start and the latest end up to each turn
        self.start, self.end = [-inf], [-inf]
        for turn in range(1, last_turn + 1):
            began, ended = (times or {}).get(turn, (None, None))
            self.start.append(max(self.start[-1], -inf if began is None else began))
            self.end.append(max(self.end[-1], -inf if ended is None else ended))

    def fault(self, firing: Firing) -> str:
        """Returns what is wrong with a firing, "" for nothing."""
        rule, bound = self.rules.get(firing.rule), dict(firing.bindings)
        if rule is None:
            return "there is no such rule"
        try:
            return next(self._faults(rule, bound, firing), "")
        except (KeyError, IndexError, TypeError) as error:
            return f"the bindings do not fit the rule ({type(error).__name__}: {error})"

    def _faults(self, rule: Rule, bound: Bound, firing: Firing) -> Iterator[str]:
        atom, known_at, strength = (
            firing.conclusion.atom, firing.conclusion.known_at, firing.conclusion.strength
        )  # fmt: skip
        positive = [
            c for c in rule.conditions
            if isinstance(c, Event) or (isinstance(c, Static) and not c.negated)
        ]  # fmt: skip
        if len(positive) != len(firing.evidence):
            yield f"{len(firing.evidence)} facts as evidence for {len(positive)} conditions"
        for literal, fact in zip(positive, firing.evidence, strict=False):
            if fact not in self.facts:
                yield f"{_told(fact)} is neither given nor concluded"
            if not self._matches(literal, fact, bound):
                yield f"{_told(fact)} is not `{literal}`"
        for compared in rule.conditions:
            if isinstance(compared, Comparison) and not self._compares(compared, bound):
                yield f"`{compared}` does not hold"
        # the end of the window of whatever is counted or denied
        aside = [c.event for c in rule.conditions if isinstance(c, Aggregate)]
        ends = [self._closes(event, bound) for event in (*aside, *rule.absences)]
        wanted = max([*(f.known_at for f in firing.evidence), *ends])
        if wanted != known_at or known_at > self.last_turn:
            yield f"known at turn {wanted}, not {known_at} (last turn {self.last_turn})"
        strengths = [fact.strength for fact in firing.evidence]
        for judged in rule.conditions:
            if isinstance(judged, Aggregate):
                value, weakest = self._aggregate(judged, bound, known_at)
                strengths.append(weakest)
                if value < judged.at_least - CLOSE:
                    yield f"`{judged}` comes to {value:g} only"
            if isinstance(judged, Static) and judged.negated:
                yield from self._found(judged, judged.name, bound, known_at, BLOCKS_AT)
        for event in rule.absences:
            least = BLOCKS_AT if event.at_least is None else event.at_least
            for name in event.predicates:
                yield from self._found(event, name, bound, known_at, least)
        if rule.mutual:
            pair = Event(SAFETY, "_", rule.params[:2], "<->")
            for name in SAFETY:
                yield from self._found(pair, name, bound, known_at, BLOCKS_AT)
        if firing.weight != rule.weight or abs(rule.weight * min(strengths) - strength) > CLOSE:
            yield f"strength {rule.weight:g} x {min(strengths):g}, not {strength:g}"
        turns = [bound[c.turn] for c in rule.conditions if isinstance(c, Event)]
        anchor = bound[rule.at] if rule.at else max(map(int, turns))
        args = tuple(self._value(term, bound) for term in rule.params)
        if atom != Atom(rule.head, int(anchor), args):  # type: ignore[arg-type]
            yield f"concludes {rule.head} turn {anchor} of {args}"

    def _found(
        self, literal: Event | Static, name: str, bound: Bound, known_at: int, least: float
    ) -> Iterator[str]:
        for fact in self.of.get(name, ()):
            strong = fact.known_at <= known_at and fact.strength >= least
            if strong and self._matches(literal, fact, bound, denied=True):
                yield f"{_told(fact)} stands against it"

    def _aggregate(self, literal: Aggregate, bound: Bound, known_at: int) -> tuple[float, float]:
        best: dict[int, float] = {}
        for fact in (f for name in literal.event.predicates for f in self.of.get(name, ())):
            known = fact.known_at <= known_at
            if known and self._matches(literal.event, fact, bound, denied=True):
                turn = fact.atom.turn
                best[turn] = max(best.get(turn, 0.0), fact.strength)
        ranked = sorted(best.values(), reverse=True)
        if literal.kind == "count":
            nth = int(literal.at_least)
            return len(ranked), ranked[nth - 1] if nth <= len(ranked) else 0.0
        if literal.kind == "max":
            return max(ranked, default=0.0), max(ranked, default=0.0)
        return (1.0 - prod(1.0 - s for s in ranked),) * 2

    def _matches(
        self, literal: Event | Static, fact: Fact, bound: Bound, *, denied: bool = False
    ) -> bool:
        """Whether a fact is what a literal says; where it is denied, its turn may be unbound."""
        terms, args, atom = _terms(literal), fact.atom.args, fact.atom
        if isinstance(literal, Static):
            return atom.predicate == literal.name and self._are(terms, args, bound, arrow="")
        if atom.predicate not in literal.predicates:
            return False
        if not denied and bound[literal.turn] != atom.turn:
            return False
        if denied and bound.get(literal.turn, atom.turn) != atom.turn:
            return False
        if not denied and fact.strength < (literal.at_least or 0.0):
            return False
        ways = (args, args[::-1]) if literal.arrow == "<->" else (args,)
        return all(self._lies(w, atom.turn, bound) for w in literal.windows) and (
            terms is None or any(self._are(terms, way, bound, arrow=literal.arrow) for way in ways)
        )

    def _are(
        self, terms: tuple[Term, ...] | None, args: tuple[str, ...], bound: Bound, *, arrow: str
    ) -> bool:
        if terms is None or len(terms) != len(args) or (arrow and args[0] == args[1]):
            return False
        return all(
            term.kind == "any"
            or (
                self._value(term, bound) == arg
                and not (arrow and term.kind == "variable" and arg in ("group", "nobody"))
            )
            for term, arg in zip(terms, args, strict=True)
        )

    def _value(self, term: Term, bound: Bound) -> str | int:
        if term.kind == "variable":
            return bound[term.name]
        return self.therapist if term.kind == "therapist" else term.name

    def _compares(self, literal: Comparison, bound: Bound) -> bool:
        left, right = self._value(literal.left, bound), self._value(literal.right, bound)
        if not literal.of_turns:
            return (left == right) == (literal.operator == "=")
        apart = int(left) - int(right) - literal.offset
        return {
            "=": apart == 0, "!=": apart != 0, "<": apart < 0, "<=": apart <= 0,
            ">": apart > 0, ">=": apart >= 0,
        }[literal.operator]  # fmt: skip

    def _lies(self, window: Window, turn: int, bound: Bound) -> bool:
        other = int(bound[window.turn])
        if window.kind == "between":
            return other < turn < int(bound[window.until])
        side = {
            "after": turn > other, "before": turn < other, "up to": turn <= other,
            "at": turn == other,
        }[window.kind]  # fmt: skip
        if window.unit == "seconds":
            first, last = min(turn, other), max(turn, other)
            # a turn after `other` begins, or `other` begins after the end of a turn before
            known = self.end[other] if window.kind == "after" else self.start[other]
            gap = self.start[last] - self.end[first]
            return side and known > -inf and gap <= (window.limit or 0.0)
        return side and (window.limit is None or abs(turn - other) <= window.limit)

    def _closes(self, event: Event, bound: Bound) -> int:
        """Returns the turn at which nothing more can enter the windows of an event."""
        ends = [int(bound[event.turn])] if event.turn in bound else []
        for window in event.windows:
            other = int(bound[window.turn])
            if window.kind == "between":
                ends.append(int(bound[window.until]) - 1)
            elif window.kind != "after":
                ends.append(other - (window.kind == "before"))
            elif window.unit == "turns":
                ends.append(other + int(window.limit or 0))
            elif window.unit == "seconds":
                late = (
                    t for t in range(other + 1, self.last_turn + 1)
                    if not self._lies(window, t, bound)
                )  # fmt: skip
                ends.append(next(late, self.last_turn + 1))
        return min(ends)


def _terms(literal: Event | Static) -> tuple[Term, ...] | None:
    return literal.args if isinstance(literal, Static) else literal.people


def _of_words(given: tuple[Fact, ...], conversation: Conversation) -> Iterator[str]:
    """Yields cues whose words do not stand in their turn, nor behind it, in this order."""
    said = {
        t.index: " ".join((t.text, *(b.text for b in t.background))) for t in conversation.turns
    }
    for fact in given:
        cue = fact.cue
        if cue is None or cue.by not in ("words", "grammar"):
            continue
        text = said.get(cue.turn, "")
        # several signs of one cue are told with commas between them
        parts = (cue.words, *cue.words.split(", "))
        stand = [_plain(part) in _plain(text) for part in parts]
        if cue.turn != fact.atom.turn or not (stand[0] or all(stand[1:])):
            yield f"{_told(fact)}: the words {cue.words!r} do not stand in turn {cue.turn}"


def _plain(text: str) -> str:
    """Returns the words alone: how they are spaced and pointed does not matter."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def _told(fact: Fact) -> str:
    return f"{fact.atom.predicate} turn {fact.atom.turn} of {', '.join(fact.atom.args)}"
