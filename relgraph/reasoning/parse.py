"""Reads the text of a rule file by recursive descent. Nothing in it is ever executed."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import PurePath
from typing import cast

from relgraph.reasoning.cursor import Cursor, Stop
from relgraph.reasoning.language import (
    Aggregate,
    AggregateKind,
    Arrow,
    Comparison,
    Condition,
    Event,
    Operator,
    Pack,
    Place,
    Problem,
    Rule,
    Static,
    Term,
    Unit,
    Window,
)
from relgraph.reasoning.tokens import MOST_PROBLEMS, Token, tokens_of

AGGREGATES = ("count", "max", "noisy_or")
WINDOWS = ("within", "after", "before", "up", "at", "between")
NO_ARROWS = ("-", "=", "<", ">", "<=", ">=", "+", "to", "with")
OPERATORS = ("=", "!=", "<", "<=", ">", ">=")
MOST_RULES = 2000
MOST_ROUNDS = 1000
MOST_TURNS = 1_000_000


def parse_pack(text: str, source: str) -> tuple[Pack, list[Problem]]:
    """Returns the pack as far as it can be read, and all that hinders reading it.

    A broken rule is left out, and reading goes on at the next line that begins with `rule`.
    Whether names and variables make sense is for `relgraph.reasoning.check`.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    tokens, problems = tokens_of(text, source)
    return _Parser(tokens, problems, text, source).file()


class _Parser(Cursor):
    """One file as it is read."""

    def __init__(
        self, tokens: list[Token], problems: list[Problem], text: str, source: str
    ) -> None:
        super().__init__(tokens, problems, source)
        self.text = text

    # --- the file

    def file(self) -> tuple[Pack, list[Problem]]:
        """Returns the pack and the problems, in order of the text."""
        name, title = _name_of(self.source), ""
        answers: tuple[str, ...] = ()
        scenarios: tuple[str, ...] = ()
        rules: list[Rule] = []
        try:
            if self.peek("pack"):
                name, title, answers, scenarios = self.header()
        except Stop:
            self.recover()
        while self.now.kind != "end" and len(self.problems) < MOST_PROBLEMS:
            try:
                if len(rules) == MOST_RULES:
                    self.fail(f"more than {MOST_RULES} rules in one file; part it into packs")
                if not self.peek("rule"):
                    first = not rules and self.position == 0
                    self.expected("`pack` or `rule`" if first else "`rule`")
                rules.append(self.rule(name, scenarios))
            except Stop:
                if len(rules) == MOST_RULES:
                    break
                self.recover()
        if not rules and not self.problems:
            with suppress(Stop):
                self.fail("no rule in this file; expected `rule name(A, B) when blame T: A -> B`")
        pack = Pack(name, title, answers, scenarios, tuple(rules), self.source)
        return pack, sorted(self.problems, key=lambda p: (p.line, p.column))[:MOST_PROBLEMS]

    def header(self) -> tuple[str, str, tuple[str, ...], tuple[str, ...]]:
        """Returns name, title, tasks and scenarios of `pack ...`."""
        self.take()
        name = self.name("a name for the pack")
        title = self.take().value if self.now.kind == "text" else ""
        answers: list[str] = []
        scenarios: list[str] = []
        while self.now.value in ("answers", "scenario") and self.now.kind == "name":
            if self.take().value == "answers":
                answers.append(self.name("a task, as in `answers rpp`"))
            else:
                scenarios += self.names("a scenario, as in `scenario couple`")
        return name, title, tuple(answers), tuple(scenarios)

    def recover(self) -> None:
        """Goes on to the next line that begins with `rule`."""
        if self.now.kind != "end":
            self.position += 1
        while self.now.kind != "end" and not (self.now.begins_line and self.peek("rule")):
            self.position += 1

    # --- a rule

    def rule(self, pack: str, scenarios: tuple[str, ...]) -> Rule:
        """Returns one rule; the next token is `rule`."""
        first_at = self.position
        first = self.take()
        head = self.name("a name for what the rule concludes")
        name = f"{pack}:{head}"
        if self.take_if("/"):
            name = f"{name}/{self.name('a name for the variant')}"
        self.need("(", "`(` and the people of the conclusion")
        params = [] if self.peek(")") else self.terms()
        self.need(")", "`,` or `)`")
        at = self.variable("a turn variable") if self.take_if("at") else ""
        reading = self.take().value if self.now.kind == "text" else ""
        weight, repeat, mutual, cites, own = self.options()
        self.need("when", "`when` and a condition")
        conditions = [self.condition()]
        while self.take_if("and"):
            conditions.append(self.condition())
            self.few(len(conditions))
        absences: list[Event] = []
        while self.take_if("unless"):
            absences.append(self.event())
            self.few(len(conditions) + len(absences))
        if self.now.kind != "end" and not self.peek("rule"):
            self.expected("`and`, `unless`, a window or the next `rule`")
        used = self.tokens[first_at : self.position]
        turns = _turn_variables(at, conditions, absences)
        return Rule(
            id=name,
            head=head,
            params=tuple(params),
            at=at,
            reading=reading,
            weight=weight,
            repeat=repeat,
            mutual=mutual,
            scenarios=tuple(own) or scenarios,
            cites=tuple(cites),
            conditions=tuple(_settled(c, turns) for c in conditions),
            absences=tuple(absences),
            pack=pack,
            source=self.source,
            line=first.line,
            column=first.column,
            text=self.text[first.start : used[-1].end],
            hash=sha256("\x1f".join(f"{t.kind} {t.value}" for t in used).encode()).hexdigest()[:16],
        )

    def options(self) -> tuple[float, int, bool, list[str], list[str]]:
        """Returns weight, rounds, whether mutual, cites and scenarios of a rule."""
        weight, repeat, mutual = 1.0, 0, False
        cites: list[str] = []
        scenarios: list[str] = []
        seen: set[str] = set()
        while self.now.kind == "name":
            if self.now.value in seen & {"weight", "repeat", "mutual"}:
                self.fail(f"a second `{self.now.value}` for one rule")
            seen.add(self.now.value)
            if self.take_if("weight"):
                weight = self.number("a weight over 0 and up to 1", most=1)
            elif self.take_if("repeat"):
                self.need("at", "`at most` and a number of rounds")
                self.need("most", "`most` and a number of rounds")
                repeat = self.whole("a whole number of rounds", most=MOST_ROUNDS)
            elif self.take_if("mutual"):
                mutual = True
            elif self.take_if("scenario"):
                scenarios += self.names("a scenario, as in `scenario couple`")
            elif self.take_if("cite"):
                cites.append(self.quoted('a source in quotes, as in `cite "Name Year"`'))
            else:
                break
        return weight, repeat, mutual, cites, scenarios

    # --- conditions

    def condition(self) -> Condition:
        """Returns what follows `when` or `and`."""
        now, then = self.now, self.tokens[min(self.position + 1, len(self.tokens) - 1)]
        place = Place(now.line, now.column)
        if self.take_if("not"):
            if self.tokens[self.position + (self.now.kind == "name")].kind == "variable":
                self.position += self.now.kind == "name"
                self.expected(
                    "`(`, as in `not parent(A)`",
                    "That no event may happen is said by `unless`, behind all conditions",
                )
            return self.static(negated=True, place=place)
        if now.kind == "name" and now.value in AGGREGATES:
            kind = cast(AggregateKind, self.take().value)
            self.need("of", "`of` and what is counted")
            event = self.event()
            if event.at_least is None:
                self.expected(f"`at least` and a number, which `{kind} of` needs")
            return Aggregate(kind, event, place)
        if now.kind == "name" and then.value == "(" and then.kind == "symbol":
            return self.static(negated=False, place=place)
        comparing = then.kind == "symbol" and then.value in OPERATORS
        if now.kind == "variable" and then.kind == "variable":
            self.expected("a condition")
        if now.kind in ("variable", "text") or comparing:
            return self.comparison(place)
        return self.event()

    def static(self, *, negated: bool, place: Place) -> Static:
        """Returns `name(A, B)`."""
        name = self.name("a name, as in `partner(A, B)`")
        self.need("(", "`(`, as in `partner(A, B)`")
        args = self.terms()
        self.need(")", "`,` or `)`")
        return Static(name, tuple(args), negated, place)

    def comparison(self, place: Place) -> Comparison:
        """Returns `A != B` or `T1 < T2 + 3`; which of them, is settled when the rule is read."""
        left = self.term()
        if self.now.kind != "symbol" or self.now.value not in OPERATORS:
            self.expected("a comparison: =, !=, <, <=, > or >=")
        operator = cast(Operator, self.take().value)
        right = self.term()
        offset, of_turns = 0, operator not in ("=", "!=")
        if self.now.kind == "symbol" and self.now.value in ("+", "-"):
            sign = 1 if self.take().value == "+" else -1
            offset, of_turns = sign * self.whole("a number of turns", most=MOST_TURNS), True
        return Comparison(left, operator, right, offset, of_turns, place)

    def event(self) -> Event:
        """Returns `blame T: A -> B within 3 turns after T1`."""
        place = Place(self.now.line, self.now.column)
        if self.take_if("any"):
            self.need("of", "`of`, as in `any of blame, contempt`")
            predicates = self.names("the name of a cue or of a conclusion")
        else:
            predicates = [self.name("a condition: an event, `count of`, `partner(A, B)`, `A != B`")]
        turn = self.variable("a turn variable, as in `blame T: A -> B`")
        people: list[Term] | None = None
        arrow: Arrow = ""
        if self.now.value in ("->", "<->") and self.now.kind == "symbol":
            self.expected("a turn variable and `:` before the people, as in `blame T: A -> B`")
        if self.now.kind in ("variable", "text", "any"):
            self.expected("`:` before the people, as in `blame T: A -> B`")
        if self.take_if(":"):
            people = [self.term()]
            if self.now.kind == "symbol" and self.now.value in ("->", "<->"):
                arrow = cast(Arrow, self.take().value)
                people.append(self.term())
            elif self.now.value in NO_ARROWS and self.now.kind != "text":
                self.expected("an arrow, `->` or `<->`")
            else:
                while self.take_if(","):
                    people.append(self.term())
                    self.few_terms(len(people))
        windows: list[Window] = []
        at_least: float | None = None
        while self.now.kind == "name" and self.now.value in WINDOWS:
            if self.peek("at") and self.tokens[self.position + 1].value == "least":
                if at_least is not None:
                    self.fail("a second `at least` for one condition")
                self.position += 2
                at_least = self.number("a number over 0", most=MOST_TURNS)
            else:
                windows.append(self.window())
                self.few(len(windows))
        return Event(
            tuple(predicates),
            turn,
            None if people is None else tuple(people),
            arrow,
            tuple(windows),
            at_least,
            place,
        )

    def window(self) -> Window:
        """Returns `within 3 turns after T1`, `before T1`, `between T1 and T2` and the like."""
        place = Place(self.now.line, self.now.column)
        if self.take_if("between"):
            turn = self.variable("a turn variable")
            self.need("and", "`and` and the later turn")
            return Window("between", turn, self.variable("a turn variable"), place=place)
        limit: float | None = None
        unit: Unit = ""
        if self.take_if("within"):
            at = self.now
            limit = self.number("a number over 0", most=MOST_TURNS)
            if self.now.kind != "name" or self.now.value not in ("turns", "seconds"):
                self.expected("`turns` or `seconds`")
            unit = cast(Unit, self.take().value)
            if unit == "turns" and limit != int(limit):
                self.fail(f"expected a whole number of turns, got `{at.value}`", at)
        for kind in ("after", "before", "at"):
            if self.peek(kind) and not (kind == "at" and unit):
                self.take()
                turn = self.variable("a turn variable")
                return Window(kind, turn, "", limit, unit, place)
        if self.take_if("up"):
            self.need("to", "`to`, as in `up to T`")
            return Window("up to", self.variable("a turn variable"), "", limit, unit, place)
        return self.expected("`after`, `before` or `up to` and a turn variable")


def _name_of(source: str) -> str:
    """Returns the name of a pack that gives itself none: its file's, in letters of a name."""
    stem = PurePath(source).stem.casefold()
    kept = "".join(c if c.isascii() and c.isalnum() else "_" for c in stem).strip("_")
    return kept if kept[:1].isalpha() else "rules"


def _turn_variables(at: str, conditions: list[Condition], absences: list[Event]) -> set[str]:
    """Returns the names that stand where a turn stands."""
    found = {at} - {""}
    for literal in (*conditions, *absences):
        event = literal.event if isinstance(literal, Aggregate) else literal
        if isinstance(event, Event):
            found.add(event.turn)
            found.update(w.turn for w in event.windows)
            found.update(w.until for w in event.windows if w.until)
    return found


def _settled(condition: Condition, turns: set[str]) -> Condition:
    """Returns the condition; of a comparison, it is settled now whether it is one of turns."""
    if not isinstance(condition, Comparison) or condition.of_turns:
        return condition
    sides = {t.name for t in (condition.left, condition.right) if t.kind == "variable"}
    if not sides & turns:
        return condition
    return Comparison(condition.left, condition.operator, condition.right, 0, True, condition.place)
