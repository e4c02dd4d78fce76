"""Every shipped rule fires in a conversation made for it, not in those that narrowly miss, and
none can be changed a little without a case turning red.

The cases stand in `packs/*.cases`. The first line of a block names a rule; `+` begins a
conversation in which it fires, with what it then concludes; `-` one in which it does not conclude
that (or what stands behind `=>`) in any turn. A conversation is its cues, as `blame 3 Ana>Ben`;
`a|b` stands for either, each tried; `said 3 Ana>Ben` says who holds the floor, and to whom; `T` is
the supporter.
"""

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from relgraph.cues import Cue, RoleSign
from relgraph.labels import NO, PATTERNS, STRATEGIES, YES
from relgraph.reasoning import RuleSet
from relgraph.reasoning.engine import evaluate
from relgraph.reasoning.facts import facts_of
from relgraph.reasoning.language import Aggregate, Condition, Event, Rule, Window
from relgraph.reasoning.records import Atom, Fact
from relgraph.reasoning.ruleset import check
from relgraph.reasoning.safety import unsafe
from relgraph.reasoning.strata import uses
from relgraph.reasoning.vocabulary import SAFETY
from relgraph.records import Conversation, Turn

FOLDER = Path(__file__).parent / "packs"
TURNS = 40
"""Long enough for every window to close."""
COUPLE = ("Ana", "Ben", "Cy")
"""Cy, on the roster where named, is no partner of theirs."""
FAMILY = ("Mia", "Tom", "Kit", "Zoe", "Lou", "Pia")
PARENTS, CHILDREN = ("Mia", "Tom"), ("Kit", "Zoe")
STRENGTH = 0.9


@dataclass(frozen=True)
class Case:
    """One conversation for one rule.

    Attributes:
        rule: its id.
        fires: whether it is to conclude.
        facts: who does what, one entry a cue.
        predicate: of the conclusion.
        turn: of the conclusion; None for any.
        args: of the conclusion.
        line: file and line, to find it again.
    """

    rule: str
    fires: bool
    facts: tuple[str, ...]
    predicate: str
    turn: int | None
    args: tuple[str, ...]
    line: str

    @property
    def scenario(self) -> str:
        """`couple` where none but Ana and Ben are named."""
        return (
            "family"
            if any(re.search(rf"\b{n}\b", f) for n in FAMILY for f in self.facts)
            else "couple"
        )


def _name(word: str) -> str:
    return "Therapist" if word == "T" else word


def _terms(text: str) -> tuple[str, ...]:
    return tuple(_name(w) for w in re.split(r"\s*[>,]\s*", text.strip()) if w)


def _conclusion(text: str) -> tuple[str, int | None, tuple[str, ...]]:
    found = re.fullmatch(r"(\w+)(?: (\d+))?(?: (.*))?", text.strip())
    assert found, text
    return found[1], int(found[2]) if found[2] else None, _terms(found[3] or "")


def _alternatives(fact: str) -> list[str]:
    names, *rest = fact.strip().split(" ", 1)
    return [" ".join([name, *rest]) for name in names.split("|")]


def cases() -> list[Case]:
    """Returns all cases; those with alternatives once for each."""
    found = []
    for path in sorted(FOLDER.glob("*.cases")):
        rule, wanted = "", ""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if not line.strip() or line.startswith("#"):
                continue
            if line[0] not in "+-":
                rule, wanted = line.strip(), ""
                continue
            conversation, _, conclusion = line[1:].partition("=>")
            if line[0] == "+":
                assert conclusion, f"{path.name}:{number}: what does it conclude?"
                wanted = wanted or conclusion
            predicate, turn, args = _conclusion(conclusion or wanted)
            for facts in itertools.product(*map(_alternatives, conversation.split(";"))):
                found.append(
                    Case(
                        rule,
                        line[0] == "+",
                        facts,
                        predicate,
                        turn if line[0] == "+" else None,
                        args,
                        f"{path.name}:{number}",
                    )
                )
    return found


def facts(case: Case) -> tuple[Fact, ...]:
    """Returns the facts of a case's conversation, with roles where it is a family."""
    couple = case.scenario == "couple"
    cy = any(re.search(r"\bCy\b", fact) for fact in case.facts)
    floor: dict[int, tuple[str, tuple[str, ...]]] = {}
    cues = []
    for fact in case.facts:
        predicate, turn, people = fact.split(" ", 2)
        source, *rest = _terms(people)
        if predicate == "said":
            floor[int(turn)] = (source, tuple(rest))
            continue
        floor.setdefault(int(turn), (source, ()))
        detailed = "," in people
        cues.append(
            Cue(
                name=predicate,
                turn=int(turn),
                source=source,
                target="" if detailed else rest[0],
                strength=STRENGTH,
                words=predicate,
                detail=rest[0] if detailed else "",
            )
        )
    conversation = Conversation(
        id="case",
        scenario=case.scenario,
        participants=(COUPLE if cy else COUPLE[:2]) if couple else FAMILY,
        turns=tuple(
            Turn(
                index=i,
                speaker=floor.get(i, ("Therapist", ()))[0],
                text="...",
                addressees=floor.get(i, ("", ()))[1],
                addressee_source="given",
            )
            for i in range(1, TURNS + 1)
        ),
    )
    roles = [
        RoleSign(person=name, role=role, known_at=1, strength=1.0, words=role)
        for names, role in ((PARENTS, "parent"), (CHILDREN, "child"))
        for name in names
    ]
    cues.sort(key=lambda c: c.turn)
    return facts_of(conversation, tuple(cues), roles=() if couple else tuple(roles))


def concluded(case: Case, atoms: list[Atom]) -> bool:
    """Says whether what the case names is among what its rule concluded."""
    return any(
        a.predicate == case.predicate and a.args == case.args and case.turn in (None, a.turn)
        for a in atoms
    )


SHIPPED = RuleSet.read()
BY_SCENARIO = {name: SHIPPED.for_scenario(name) for name in ("couple", "family")}
BY_RULE: dict[str, list[Case]] = defaultdict(list)
for each in cases():
    BY_RULE[each.rule].append(each)


def conclusions(case: Case) -> list[Atom]:
    rules = BY_SCENARIO[case.scenario]
    found = evaluate(rules, facts(case), last_turn=TURNS)
    return [f.conclusion.atom for f in found.firings if f.rule == case.rule]


@pytest.mark.parametrize("rule", sorted(BY_RULE))
def test_the_rule_fires_in_its_cases_and_in_no_near_miss(rule: str) -> None:
    for case in BY_RULE[rule]:
        said = concluded(case, conclusions(case))
        wanted = "is not concluded" if case.fires else "is concluded"
        assert said == case.fires, f"{case.line}: {'; '.join(case.facts)}: {case} {wanted}"


@pytest.mark.parametrize("rule", SHIPPED.rules, ids=lambda r: r.id)
def test_a_rule_has_a_case_where_it_fires_and_one_where_it_does_not(rule: Rule) -> None:
    assert {case.fires for case in BY_RULE[rule.id]} == {True, False}


def test_no_case_is_of_a_rule_that_is_not_shipped() -> None:
    assert set(BY_RULE) <= {rule.id for rule in SHIPPED.rules}


def test_the_shipped_rules_have_no_problem_and_nothing_doubtful() -> None:
    assert check(SHIPPED) == []


@pytest.mark.parametrize("rule", SHIPPED.rules, ids=lambda r: r.id)
def test_a_reading_names_the_people_and_the_topic_of_its_conclusion(rule: Rule) -> None:
    words = rule.reading.replace("'s", "").replace(",", "").replace(":", "").split()
    assert {t.name for t in rule.params if t.kind == "variable"} <= set(words)


@pytest.mark.parametrize("rule", SHIPPED.rules, ids=lambda r: r.id)
def test_a_rule_says_where_it_leans_and_how_sure_it_is(rule: Rule) -> None:
    assert rule.cites
    assert 0.3 <= rule.weight <= 1


@pytest.mark.parametrize(
    ("task", "scenario", "labels"),
    [
        *(("rpp", scenario, set(labels)) for scenario, labels in PATTERNS.items()),
        *(("ssp", scenario, set(labels)) for scenario, labels in STRATEGIES.items()),
        *(("itp", scenario, {YES, NO}) for scenario in PATTERNS),
    ],
)
def test_each_label_of_a_task_and_nothing_else_is_concluded(
    task: str, scenario: str, labels: set[str]
) -> None:
    assert set(BY_SCENARIO[scenario].answers(task)) == labels


def test_who_needs_support_is_a_person_or_the_group() -> None:
    assert set(SHIPPED.answers("stp")) == {"needs_support", "group_needs_support"}


@pytest.mark.parametrize("rule", [r for r in SHIPPED.rules if r.mutual], ids=lambda r: r.id)
@pytest.mark.parametrize("cue", SAFETY)
@pytest.mark.parametrize("way", ["{0}>{1}", "{1}>{0}"])
def test_a_safety_cue_forbids_a_mutual_rule(rule: Rule, cue: str, way: str) -> None:
    case = next(c for c in BY_RULE[rule.id] if c.fires)
    people = [a.replace("Therapist", "T") for a in case.args[:2]]
    unsafe = replace(case, facts=(*case.facts, f"{cue} 1 {way.format(*people)}"))
    assert concluded(case, conclusions(case))
    assert not concluded(unsafe, conclusions(unsafe))


@pytest.mark.parametrize("pattern", ["pursue_withdraw", "attack_attack", "escalation_conflict"])
def test_a_pattern_that_shares_out_the_blame_is_mutual(pattern: str) -> None:
    alone = [r.id for r in SHIPPED.rules if r.head == pattern and not r.mutual]
    assert alone in ([], ["family:escalation_conflict/three", "family:escalation_conflict/several"])


EITHER_WAY = frozenset(
    [f"timing:no/{name}" for name in ("dialogue", "asked_each_other", "enactment")]
    + ["needs:group_needs_support/escalating_pair"]
)
"""Rules about two clients that conclude nothing of either: turning them round changes nothing."""


def events(event: Event) -> Iterator[tuple[str, Event]]:
    """Yields an event with one thing changed, and what that is."""
    if len(event.predicates) > 1:
        for name in event.predicates:
            rest = tuple(p for p in event.predicates if p != name)
            yield f"without {name}", replace(event, predicates=rest)
    if event.arrow == "->" and event.people and event.people[0] != event.people[1]:
        yield "the other way", replace(event, people=event.people[::-1])
    if event.arrow == "<->":
        yield "one way", replace(event, arrow="->")
    for i, window in enumerate(event.windows):
        for moved in windows(window):
            others = [*event.windows[:i], moved, *event.windows[i + 1 :]]
            yield f"{window} as {moved}", replace(event, windows=tuple(others))


def windows(window: Window) -> Iterator[Window]:
    if window.limit is not None:
        yield replace(window, limit=window.limit + 1)
        if window.limit > 1:
            yield replace(window, limit=window.limit - 1)


def literals(literal: Condition) -> Iterator[tuple[str, Condition]]:
    if isinstance(literal, Event):
        yield from events(literal)
    elif isinstance(literal, Aggregate):
        for what, event in events(literal.event):
            yield what, replace(literal, event=event)
        for more in (1.0, -1.0):
            bound = literal.at_least + more
            if bound > 0:
                yield (
                    f"at least {bound:g}",
                    replace(literal, event=replace(literal.event, at_least=bound)),
                )


def mutants(rule: Rule) -> Iterator[tuple[str, Rule]]:
    """Yields the rule with one change each, and the change in words."""
    for i, literal in enumerate(rule.conditions):
        without = (*rule.conditions[:i], *rule.conditions[i + 1 :])
        yield f"without `{literal}`", replace(rule, conditions=without)
        for what, changed in literals(literal):
            new = (*rule.conditions[:i], changed, *rule.conditions[i + 1 :])
            yield f"`{literal}` {what}", replace(rule, conditions=new)
    for i, absence in enumerate(rule.absences):
        without_it = (*rule.absences[:i], *rule.absences[i + 1 :])
        yield f"without `unless {absence}`", replace(rule, absences=without_it)
        for what, event in events(absence):
            new_ones = (*rule.absences[:i], event, *rule.absences[i + 1 :])
            yield f"`unless {absence}` {what}", replace(rule, absences=new_ones)


def with_needed(rule: Rule, scenario: str) -> RuleSet:
    """Returns the rule instead of the shipped one of its id, and the rules that it builds on."""
    rules = {r.id: r for r in BY_SCENARIO[scenario].rules} | {rule.id: rule}
    wanted, found = [rule], {rule.id}
    while wanted:
        names = {name for name, _, _ in uses(wanted.pop())}
        for other in rules.values():
            if other.head in names and other.id not in found:
                found.add(other.id)
                wanted.append(other)
    packs = (
        replace(pack, rules=tuple(rules[r.id] for r in pack.rules if r.id in found))
        for pack in BY_SCENARIO[scenario].packs
    )
    return RuleSet(tuple(packs))


def noticed(rule: Rule) -> bool:
    sets: dict[str, RuleSet] = {}
    for case in BY_RULE[rule.id]:
        if case.scenario not in sets:
            sets[case.scenario] = with_needed(rule, case.scenario)
        found = evaluate(sets[case.scenario], facts(case), last_turn=TURNS)
        atoms = [f.conclusion.atom for f in found.firings if f.rule == rule.id]
        if concluded(case, atoms) != case.fires:
            return True
    return False


@pytest.mark.parametrize("rule", SHIPPED.rules, ids=lambda r: r.id)
def test_some_case_notices_each_change_of_the_rule(rule: Rule) -> None:
    unnoticed = set()
    for change, mutant in mutants(rule):
        possible = mutant.conditions and not any(p.severity == "error" for p in unsafe(mutant))
        turned = rule.id in EITHER_WAY and change.endswith("the other way")
        if possible and not turned and not noticed(mutant):
            unnoticed.add(change)
    assert not unnoticed
