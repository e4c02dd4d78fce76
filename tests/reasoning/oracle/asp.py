"""The crisp core of a rule set as an answer set program: another engine, for the same question.

Weights, strengths and seconds are left out. Every predicate has `known_at` as its last argument;
in a recursion, predicates of the recursion have the round as their first one.
"""

from collections.abc import Iterable

from relgraph.reasoning import Atom, Fact
from relgraph.reasoning.language import Aggregate, Comparison, Event, Rule, Static, Term, Window
from relgraph.reasoning.ruleset import RuleSet
from relgraph.reasoning.strata import components, uses
from relgraph.reasoning.vocabulary import SAFETY


def quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def facts_text(facts: Iterable[Fact]) -> str:
    """Returns the facts as text."""
    lines = []
    for predicate, turn, args, known_at in ((*f.atom, f.known_at) for f in facts):
        lines.append(f"p_{predicate}({', '.join([str(turn), *map(quoted, args), str(known_at)])}).")
    return "\n".join(lines)


def program_text(rules: RuleSet, *, therapist: str) -> str:
    """Returns the rules as text; `last` is a constant of the program."""
    all_rules = rules.rules
    group_of = {
        position: group
        for group, positions in components(all_rules)
        for position in positions
        if any(n in group for p in positions for n, _, _ in uses(all_rules[p]))
    }
    lines = []
    writers = []
    for position, rule in enumerate(all_rules):
        writer = _Writer(rule, position, group_of.get(position, frozenset()), therapist)
        lines += writer.lines()
        writers.append(writer)
    arity = {rule.head: len(rule.params) for rule in all_rules}
    for group in set(group_of.values()):
        for head in sorted(group):
            variables = ", ".join(["T", *(f"X{i}" for i in range(arity[head])), "K"])
            lines.append(f"p_{head}({variables}) :- r_{head}(_, {variables}).")
    return "\n".join(sorted(set(lines)))


def answer(text: str, heads: set[str], last_turn: int) -> set[tuple[Atom, int]]:
    """Returns what clingo concludes: (atom, known_at)."""
    import clingo

    control = clingo.Control(["--warn=none", f"-c last={last_turn}"], message_limit=0)
    control.add("base", [], text)
    control.ground([("base", [])])
    found: set[tuple[Atom, int]] = set()

    def keep(model: "clingo.Model") -> None:
        for symbol in model.symbols(atoms=True):
            if symbol.name.startswith("p_") and symbol.name[2:] in heads:
                turn, *args, known = symbol.arguments
                atom = Atom(symbol.name[2:], turn.number, tuple(a.string for a in args))
                found.add((atom, known.number))

    result = control.solve(on_model=keep)
    assert result.satisfiable
    return found


class _Writer:
    """One rule as text."""

    def __init__(self, rule: Rule, position: int, group: frozenset[str], therapist: str) -> None:
        self.rule, self.position, self.group, self.therapist = rule, position, group, therapist
        self.extra: list[str] = []
        self.fresh = 0
        self.turns = {c.turn for c in rule.conditions if isinstance(c, Event)}

    def lines(self) -> list[str]:
        rule = self.rule
        body: list[str] = []
        known: list[str] = []
        rounds: list[str] = []
        for condition in rule.conditions:
            if isinstance(condition, Event):
                k, r = self.new("K"), self.new("R")
                body.append(self.event(condition, condition.turn, k, r))
                if set(condition.predicates) & self.group:
                    rounds.append(r)
                known.append(k)
                for window in condition.windows:
                    body += self.window(condition.turn, window)
            elif isinstance(condition, Static) and not condition.negated:
                k = self.new("K")
                known.append(k)
                args = ", ".join(["0", *(self.term(t) for t in condition.args), k])
                body.append(f"p_{condition.name}({args})")
            elif isinstance(condition, Comparison):
                body.append(self.comparison(condition))
        aside = [c.event for c in rule.conditions if isinstance(c, Aggregate)] + list(rule.absences)
        for event in aside:
            ends = self.ends(event)
            end = self.new("E")
            body.append(f"{end} = {_extreme(ends, '-')}")
            known.append(end)
        body.append(f"K = {_extreme(known, '+')}")
        body.append("K <= last")
        for condition in rule.conditions:
            if isinstance(condition, Aggregate):
                # all strengths are 1: one turn is as much as max and noisy_or can ask for
                bound = int(condition.at_least) if condition.kind == "count" else 1
                body.append(f"{self.count(condition.event, 'W')} >= {bound}")
            elif isinstance(condition, Static) and condition.negated:
                args = ", ".join(["0", *(self.term(t) for t in condition.args), "KK"])
                body.append(f"#count{{ KK : p_{condition.name}({args}), KK <= K }} = 0")
        for event in rule.absences:
            body.append(f"{self.count(event, 'W')} = 0")
        if rule.mutual:
            one, other = (self.term(t) for t in rule.params[:2])
            elements = [
                f"W, KK : p_{cue}(W, {pair}, KK), KK <= K"
                for cue in SAFETY
                for pair in (f"{one}, {other}", f"{other}, {one}")
            ]
            body.append(f"#count{{ {'; '.join(elements)} }} = 0")
        anchor = f"v_{rule.at}" if rule.at else None
        if anchor is None:
            body.append(f"T = {_extreme(sorted(f'v_{t}' for t in self.turns), '+')}")
        else:
            body.append(f"T = {anchor}")
        body_text = ", ".join(body).replace("v_", "V")
        args = ", ".join(["T", *(self.term(t) for t in rule.params), "K"]).replace("v_", "V")
        if not self.group:
            head = f"p_{rule.head}({args})"
        elif rounds:
            head = f"r_{rule.head}(N, {args})"
            body_text += f", N = 1 + {_extreme(rounds, '+')}, N <= {rule.repeat}"
        else:
            head = f"r_{rule.head}(0, {args})"
        return [*self.extra, f"{head} :- {body_text}."]

    def new(self, letter: str) -> str:
        self.fresh += 1
        return f"{letter}{self.fresh}"

    def term(self, term: Term) -> str:
        if term.kind == "any":
            return "_"
        if term.kind == "therapist":
            return quoted(self.therapist)
        return f"v_{term.name}" if term.kind == "variable" else quoted(term.name)

    def alternatives(self, event: Event, turn: str, k: str, r: str) -> list[str]:
        """Returns the bodies of which one must hold for an event."""
        found = []
        recursive = bool(set(event.predicates) & self.group)
        for name in event.predicates:
            if event.people is None:
                # whatever arity: the generated heads and cues are listed by the caller
                orders = [None]
            elif event.arrow == "<->":
                orders = [event.people, event.people[::-1]]
            else:
                orders = [event.people]
            for people in orders:
                inside = name in self.group
                first = [r] if inside else []
                if people is None:
                    body = f"e_{name}({', '.join([*first, turn, k])})"
                else:
                    names = [self.term(t) if t.kind != "any" else self.new("Any") for t in people]
                    args = ", ".join([*first, turn, *names, k])
                    body = f"{'r' if inside else 'p'}_{name}({args})"
                    if event.arrow:
                        body += f", {names[0]} != {names[1]}"
                        for term, written in zip(people, names, strict=True):
                            if term.kind == "variable":
                                body += f', {written} != "group", {written} != "nobody"'
                if recursive and not inside:
                    body += f", {r} = -1"
                found.append(body)
        return found

    def event(self, event: Event, turn: str, k: str, r: str) -> str:
        bodies = self.alternatives(event, f"v_{turn}", k, r)
        if len(bodies) == 1:
            return bodies[0]
        variables = sorted({f"v_{t.name}" for t in event.people or () if t.kind == "variable"})
        recursive = [r] if set(event.predicates) & self.group else []
        name = f"x{self.position}_{self.fresh}"
        head = f"{name}({', '.join([*recursive, f'v_{turn}', *variables, k])})"
        self.extra += [f"{head} :- {body}.".replace("v_", "V") for body in bodies]
        return head

    def count(self, event: Event, turn: str) -> str:
        at = [] if event.turn not in self.turns else [f"W = v_{event.turn}"]
        windows = [text for w in event.windows for text in self.window(turn, w)]
        elements = [
            f"W : {', '.join([body, 'KK <= K', *at, *windows])}"
            for body in self.alternatives(event, "W", "KK", "RR")
        ]
        return f"#count{{ {'; '.join(elements)} }}"

    def window(self, turn: str, window: Window) -> list[str]:
        t = turn if turn == "W" else f"v_{turn}"
        o = f"v_{window.turn}"
        n = int(window.limit) if window.limit is not None else None
        if window.kind == "after":
            return [f"{t} > {o}"] + ([f"{t} <= {o} + {n}"] if n is not None else [])
        if window.kind == "before":
            return [f"{t} < {o}"] + ([f"{t} >= {o} - {n}"] if n is not None else [])
        if window.kind == "up to":
            return [f"{t} <= {o}"] + ([f"{t} >= {o} - {n}"] if n is not None else [])
        if window.kind == "at":
            return [f"{t} = {o}"]
        return [f"{t} > {o}", f"{t} < v_{window.until}"]

    def ends(self, event: Event) -> list[str]:
        found = [f"v_{event.turn}"] if event.turn in self.turns else []
        for window in event.windows:
            if window.kind == "after" and window.limit is not None:
                found.append(f"v_{window.turn} + {int(window.limit)}")
            elif window.kind == "before":
                found.append(f"v_{window.turn} - 1")
            elif window.kind in ("up to", "at"):
                found.append(f"v_{window.turn}")
            elif window.kind == "between":
                found.append(f"v_{window.until} - 1")
        return found

    def comparison(self, literal: Comparison) -> str:
        if not literal.of_turns:
            return f"{self.term(literal.left)} {literal.operator} {self.term(literal.right)}"
        left, right = f"v_{literal.left.name}", f"v_{literal.right.name}"
        return f"{left} {literal.operator} {right} + {literal.offset}"


def _extreme(values: list[str], sign: str) -> str:
    """Returns the largest (`+`) or smallest (`-`) value as arithmetic, which grounds fastest."""
    found = values[0]
    for value in values[1:]:
        found = f"(({found}) + ({value}) {sign} |({found}) - ({value})|) / 2"
    return f"({found})"


def projections(arities: dict[str, int]) -> str:
    """Returns what lets an event be looked at without naming anybody."""
    lines = []
    for name, arity in sorted(arities.items()):
        anybody = ", ".join(["T", *("_" for _ in range(arity)), "K"])
        lines.append(f"e_{name}(T, K) :- p_{name}({anybody}).")
    return "\n".join(lines)
