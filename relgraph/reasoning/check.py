"""The linter: what is wrong or doubtful in rule files, all of it at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from relgraph.reasoning.language import Event, Pack, Place, Problem, Rule, Static
from relgraph.reasoning.safety import unsafe
from relgraph.reasoning.strata import components, uses
from relgraph.reasoning.tokens import MOST_PROBLEMS
from relgraph.reasoning.vacuous import vacuous
from relgraph.reasoning.vocabulary import EVENTS, STATICS, Shape
from relgraph.registry import names


def check_packs(packs: Sequence[Pack]) -> list[Problem]:
    """Returns what is wrong or doubtful in packs that are read together, up to 100 errors."""
    rules = [rule for pack in packs for rule in pack.rules]
    heads: dict[str, Rule] = {}
    for rule in rules:
        heads.setdefault(rule.head, rule)
    problems: list[Problem] = []
    errors = 0
    for problem in _found(packs, rules, heads):
        problems.append(problem)
        errors += problem.severity == "error"
        if errors == MOST_PROBLEMS:
            break
    return sorted(problems, key=lambda p: (p.source, p.line, p.column, p.severity, p.message))


def _found(
    packs: Sequence[Pack], rules: Sequence[Rule], heads: dict[str, Rule]
) -> Iterator[Problem]:
    for pack in packs:
        yield from _tasks(pack)
    yield from _heads(rules, heads)
    for rule in rules:
        yield from _names(rule, heads)
        wrong = list(unsafe(rule))
        yield from wrong
        if not any(problem.severity == "error" for problem in wrong):
            yield from vacuous(rule)
    yield from _recursion(rules)


def _tasks(pack: Pack) -> Iterator[Problem]:
    known = names("task")
    for task in pack.answers:
        if task not in known:
            yield Problem(
                "error",
                pack.source,
                1,
                1,
                f"unknown task `{task}` in `answers`{_meant(task, known)}; "
                f"expected one of {', '.join(known)}",
            )


def _heads(rules: Sequence[Rule], heads: dict[str, Rule]) -> Iterator[Problem]:
    ids: dict[str, Rule] = {}
    for rule in rules:
        here = Place(rule.line, rule.column)
        first = ids.setdefault(rule.id, rule)
        if first is not rule:
            yield rule.problem(
                here,
                f"a second rule `{rule.id}` (the first: {first.source}:{first.line}); "
                f"expected an own variant, as in `rule {rule.head}/second(...)`",
            )
        if rule.head in EVENTS or rule.head in STATICS:
            kind = "a cue or given fact"
            yield rule.problem(
                here, f"`{rule.head}` is {kind}; expected a name of its own to conclude"
            )
        model = heads[rule.head]
        if len(model.params) != len(rule.params):
            yield rule.problem(
                here,
                f"`{rule.head}` with {len(rule.params)} terms; expected {len(model.params)}, as at "
                f"{model.source}:{model.line}",
            )


def _names(rule: Rule, heads: dict[str, Rule]) -> Iterator[Problem]:
    """Yields predicates that there are not, and those written in another shape than theirs."""
    for name, event, _ in uses(rule):
        shape = EVENTS.get(name)
        if shape is not None:
            yield from _shape(rule, name, event, shape)
        elif name in heads:
            wanted = len(heads[name].params)
            if event.people is not None and len(event.people) != wanted:
                yield rule.problem(
                    event.place,
                    f"`{name}` with {len(event.people)} terms; expected {wanted}, as its rule at "
                    f"{heads[name].source}:{heads[name].line}",
                )
        elif name in STATICS:
            yield rule.problem(
                event.place,
                f"`{name}` holds of people, not of a turn; expected "
                f"`{STATICS[name].written(name)}`",
            )
        else:
            meant = _kind_of(name) or _meant(name, (*EVENTS, *heads))
            yield rule.problem(
                event.place,
                f"unknown predicate `{name}`{meant}; expected a cue of the codebook, "
                "`said`, `addressed`, `to_group`, or what a rule concludes",
            )
    for literal in rule.conditions:
        if not isinstance(literal, Static):
            continue
        known = STATICS.get(literal.name)
        if known is None:
            other = (
                f"; it stands at turns, write `{literal.name} T: ...`"
                if literal.name in EVENTS or literal.name in heads
                else _meant(literal.name, tuple(STATICS))
            )
            yield rule.problem(
                literal.place,
                f"unknown `{literal.name}(...)`{other}; expected one of {', '.join(STATICS)}",
            )
        elif len(literal.args) != known.arity:
            yield rule.problem(
                literal.place,
                f"`{literal.name}` with {len(literal.args)} terms; expected "
                f"`{known.written(literal.name)}`",
            )


def _shape(rule: Rule, name: str, event: Event, shape: Shape) -> Iterator[Problem]:
    people = event.people
    if people is None:
        return
    if (len(people) != shape.arity) or ((shape.form == "dyadic") != bool(event.arrow)):
        got = (
            f" {event.arrow} ".join("_" for _ in people) if event.arrow else f"{len(people)} terms"
        )
        yield rule.problem(event.place, f"`{name}` with {got}; expected `{shape.written(name)}`")
    elif shape.details and people[1].kind == "constant" and people[1].name not in shape.details:
        yield rule.problem(
            event.place,
            f"unknown kind `{people[1].name}` of `{name}`"
            f"{_meant(people[1].name, shape.details)}; expected one of {', '.join(shape.details)}",
        )


def _recursion(rules: Sequence[Rule]) -> Iterator[Problem]:
    for group, positions in components(rules):
        for position in positions:
            rule = rules[position]
            inside = [(n, e, settled) for n, e, settled in uses(rule) if n in group]
            for name, event, settled in inside:
                if settled:
                    yield rule.problem(
                        event.place,
                        f"`{rule.head}` rests on itself through `{name}`, which is denied, counted "
                        "or held against a strength here (not stratified); expected a predicate "
                        "that does not rest on this rule",
                    )
            if inside and not rule.repeat and not all(s for _, _, s in inside):
                name, event, _ = inside[0]
                yield rule.problem(
                    event.place,
                    f"`{rule.head}` rests on itself through `{name}`; expected "
                    "`repeat at most N` among the rule's options",
                )
            if rule.repeat and not inside:
                yield rule.problem(
                    Place(rule.line, rule.column),
                    f"`repeat at most {rule.repeat}`, but `{rule.head}` does not rest on itself",
                    "warning",
                )


def _meant(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), 1, 0.72)
    return f"; did you mean `{near[0]}`?" if near else ""


def _kind_of(name: str) -> str:
    for cue, shape in EVENTS.items():
        if name in shape.details:
            return f"; it is a kind: write `{cue} T: A, {name}`"
    return ""
