"""Random rule files and random facts, the same for the same seed: every construct occurs."""

import random

from relgraph.reasoning import Atom, Fact
from relgraph.reasoning.language import Aggregate, Comparison, Event, Rule, Static
from relgraph.reasoning.ruleset import RuleSet, check

CUES = ("blame", "demand", "refusal", "softening", "threat")
KINDS = ("fear", "anger")
PEOPLE = ("Ana", "Ben", "Cem")


def program(draw: random.Random, *, graded: bool = False, seconds: bool = False) -> RuleSet:
    """Returns a rule set without errors; `graded` adds weights, thresholds, max and noisy_or."""
    while True:
        text = "pack made\n" + "\n".join(_rules(draw, graded=graded, seconds=seconds))
        if not any(p.severity == "error" for p in check(text)):
            return RuleSet.parse(text)


def facts(
    draw: random.Random, turns: int, *, graded: bool = False, times: bool = False
) -> tuple[list[Fact], dict[int, tuple[float | None, float | None]] | None]:
    """Returns facts of a conversation, some of them known late, and times of its turns."""

    def fact(predicate: str, turn: int, *args: str) -> Fact:
        late = draw.choice((0, 0, 0, 1, 3))
        strength = draw.choice((0.2, 0.4, 0.5, 0.7, 0.9)) if graded else 1.0
        return Fact(Atom(predicate, turn, args), turn + late, strength)

    found = [Fact(Atom("therapist", 0, ("Cem",)), 0, 1.0)]
    found += [Fact(Atom("person", 0, (name,)), 0, 1.0) for name in PEOPLE]
    found += [Fact(Atom("client", 0, (name,)), 0, 1.0) for name in ("Ana", "Ben")]
    found += [Fact(Atom("partner", 0, pair), 0, 1.0) for pair in (("Ana", "Ben"), ("Ben", "Ana"))]
    for role, name in (("parent", "Ana"), ("child", "Ben"), ("parent", "Cem")):
        if draw.random() < 0.6:
            known = draw.choice((0, 2, 5))
            strength = draw.choice((0.4, 0.5, 0.9)) if graded else 1.0
            found.append(Fact(Atom(role, 0, (name,)), known, strength))
    for turn in range(1, turns + 1):
        speaker, other = draw.sample(PEOPLE[: draw.choice((2, 2, 3))], 2)
        found.append(Fact(Atom("said", turn, (speaker,)), turn, 1.0))
        found.append(Fact(Atom("addressed", turn, (speaker, other)), turn, 1.0))
        for _ in range(draw.choice((1, 1, 2, 3, 4))):
            cue = draw.choice(CUES[:-1]) if draw.random() < 0.95 else "threat"
            target = draw.choice((other, other, other, "group", "nobody"))
            found.append(fact(cue, turn, speaker, target))
        if draw.random() < 0.3:
            found.append(fact("emotion", turn, speaker, draw.choice(KINDS)))
    draw.shuffle(found)
    clock: dict[int, tuple[float | None, float | None]] | None = None
    if times:
        clock, now = {}, 0.0
        for turn in range(1, turns + 1):
            start = max(0.0, now + draw.choice((-12.0, -2.0, 0.0, 1.0, 6.0)))
            now = start + draw.choice((1.0, 3.0, 8.0))
            clock[turn] = (start, now) if draw.random() < 0.95 else (None, None)
    return found, clock


def constructs(rule: Rule) -> set[str]:
    """Returns names of the constructs that a rule is made of."""
    found = {"weight"} if rule.weight < 1 else set()
    found |= {"mutual"} if rule.mutual else set()
    found |= {"repeat"} if rule.repeat else set()
    found |= {"at"} if rule.at else set()
    found |= {"unless"} if rule.absences else set()
    found |= {f"head of {len(rule.params)}"}
    found |= {"constant in the head" for t in rule.params if t.kind == "constant"}
    for literal in rule.literals:
        if isinstance(literal, Static):
            found.add("not static" if literal.negated else "static")
        elif isinstance(literal, Comparison):
            found.add(f"{'turns' if literal.of_turns else 'people'} {literal.operator}")
            found |= {"offset"} if literal.offset else set()
        else:
            event = literal.event if isinstance(literal, Aggregate) else literal
            found |= {literal.kind} if isinstance(literal, Aggregate) else set()
            found |= {"any of"} if len(event.predicates) > 1 else set()
            found |= {event.arrow or ("nobody named" if event.people is None else "commas")}
            found |= {t.kind for t in event.people or ()}
            found |= {f"window {w.kind} {w.unit}".strip() for w in event.windows}
            if isinstance(literal, Event) and literal.at_least is not None:
                found.add("at least")
    return found


def _rules(draw: random.Random, *, graded: bool, seconds: bool) -> list[str]:
    heads: list[str] = []
    rules = []
    for level in range(draw.randint(3, 7)):
        head = f"h{level}"
        if draw.random() < 0.3:
            rules += _chain(draw, head)
        else:
            for variant in range(draw.randint(1, 2)):
                rules.append(_rule(draw, head, variant, heads, graded=graded, seconds=seconds))
        if any(f"rule {head}{way}" in rule for rule in rules for way in ("(A, B)", "(B, A)")):
            heads.append(head)
    draw.shuffle(rules)
    return rules


def _chain(draw: random.Random, head: str) -> list[str]:
    """A recursion: with one or two predicates, with one or two rests on itself."""
    cue, other = draw.sample(CUES, 2)
    near = draw.choice(("within 2 turns after T", "after T", "within 4 turns after T"))
    first = f"rule {head}(A, B)\n  when any of {cue}, {other} T: A -> B"
    form = draw.randrange(3)
    times = draw.randint(1, 3)
    if form == 0:
        second = (
            f"rule {head}/on(A, B) repeat at most {times}\n"
            f"  when {head} T: A -> B and {cue} T2: A -> B {near}"
        )
        return [first, second]
    if form == 1:
        second = (
            f"rule {head}/on(A, B) repeat at most {times}\n"
            f"  when {head} T: A -> B and any of {head}, {cue} T2: A -> B {near}\n"
            f"  unless {other} U: B -> A between T and T2"
        )
        return [first, second]
    turned = (
        f"rule {head}_back(A, B) repeat at most {times}\n"
        f"  when {head} T: B -> A and {other} T2: A -> B {near}"
    )
    back = (
        f"rule {head}/back(A, B) repeat at most {draw.randint(1, 3)}\n"
        f"  when {head}_back T: B -> A and {cue} T2: A -> B {near}"
    )
    return [first, turned, back]


def _rule(
    draw: random.Random, head: str, variant: int, heads: list[str], *, graded: bool, seconds: bool
) -> str:
    """A rule of one or two events and up to two things more, so that some of them hold."""
    known = ["T1"]
    people = draw.choice(("A -> B", "A -> B", "A <-> B", "A -> therapist", "A -> _", "A -> group"))
    lines = [f"{_predicates(draw, heads)} T1: {people}{_strength(draw, graded=graded)}"]
    if "B" not in people:
        lines.append(draw.choice(("partner(A, B)", "addressed T1: A -> B", "said T0: B before T1")))
    if draw.random() < 0.6:
        known.append("T2")
        turned = draw.choice(("B -> A", "A -> B", "B -> _", "A <-> B", "_ -> B"))
        window = _window(draw, "T1", seconds=seconds)
        lines.append(
            f"{_predicates(draw, heads)} T2: {turned} {window}{_strength(draw, graded=graded)}"
        )
    absences: list[str] = []
    options = f" weight {draw.choice((0.5, 0.8, 0.9))}" if graded and draw.random() < 0.6 else ""
    for _ in range(draw.choice((0, 1, 1, 2))):
        form = draw.choice(
            (
                "emotion",
                "static",
                "people",
                "turns",
                "turns",
                "aggregate",
                "aggregate",
                "unless",
                "unless",
            )
        )
        if form == "emotion":
            lines.append(draw.choice(("emotion T3: A, fear", "emotion T3: A, _")) + " up to T1")
        elif form == "static":
            lines.append(
                draw.choice(
                    ("parent(A)", "not parent(A)", "not parent(B)", "not child(B)", "person(A)")
                )
            )
        elif form == "people":
            lines.append(
                draw.choice(("A != therapist", 'A = "Ana"', "B = therapist", 'B != "Ben"'))
            )
        elif form == "turns" and len(known) > 1:
            operator = draw.choice(("<", "<=", ">", ">=", "!=", "="))
            far = draw.choice(("", " + 1", " + 2", " + 3", " - 1", " - 3"))
            lines.append(f"T2 {operator} T1{far}")
        elif form == "aggregate":
            kind, bound = "count", draw.choice((1, 1, 2, 3))
            if graded and draw.random() < 0.6:
                kind, bound = draw.choice(("max", "noisy_or")), draw.choice((0.3, 0.6, 0.8))
            turned = draw.choice((": A -> B", ": A <-> B", ": _ -> _", ": B -> _", ""))
            lines.append(
                f"{kind} of {_predicates(draw, heads)} C{turned} "
                f"{_end(draw, known, seconds=seconds)} at least {bound}"
            )
        elif form == "unless":
            turned = draw.choice((": A -> B", ": B -> A", ": A <-> B", ": _ -> A", ""))
            absences.append(
                f"{_predicates(draw, heads)} U{turned} {_end(draw, known, seconds=seconds)}"
                f"{_strength(draw, graded=graded)}"
            )
    text = draw.choice(("A, B", "A, B", "A, B", "A", "B, A", "A, fear", "A, B, fear", ""))
    options += " mutual" if text in ("A, B", "B, A") and draw.random() < 0.3 else ""
    if text not in ("A, B", "B, A"):
        head = f"{head}_{text.replace(', ', '').lower() or 'none'}"
    name = f"{head}/v{variant}" if variant else head
    anchor = f" at {draw.choice(known)}" if draw.random() < 0.3 else ""
    rule = f"rule {name}({text}){anchor}{options}\n  when {lines[0]}"
    rule += "".join(f"\n  and {line}" for line in lines[1:])
    return rule + "".join(f"\n  unless {line}" for line in absences)


def _predicates(draw: random.Random, heads: list[str]) -> str:
    pool = [*CUES, *heads, *heads]
    if draw.random() < 0.4:
        return "any of " + ", ".join(draw.sample(sorted(set(pool)), draw.choice((2, 3))))
    return draw.choice(pool)


def _strength(draw: random.Random, *, graded: bool) -> str:
    return f" at least {draw.choice((0.3, 0.6))}" if graded and draw.random() < 0.2 else ""


def _window(draw: random.Random, turn: str, *, seconds: bool) -> str:
    if seconds and draw.random() < 0.4:
        return f"within {draw.choice((1, 5, 10))} seconds {draw.choice(('after', 'before'))} {turn}"
    return draw.choice((
        f"within {draw.randint(1, 4)} turns after {turn}", f"after {turn}", f"before {turn}",
        f"within {draw.randint(1, 4)} turns before {turn}", f"up to {turn}", f"at {turn}",
        f"within {draw.randint(1, 3)} turns up to {turn}", "",
    ))  # fmt: skip


def _end(draw: random.Random, known: list[str], *, seconds: bool) -> str:
    """A window that ends."""
    turn = draw.choice(known)
    if seconds and draw.random() < 0.6:
        side = draw.choice(("after", "before", "up to"))
        return f"within {draw.choice((1, 5, 10))} seconds {side} {turn}"
    if len(known) > 1 and draw.random() < 0.4:
        return f"between {known[0]} and {known[1]}"
    return draw.choice((
        f"within {draw.randint(1, 3)} turns after {turn}", f"before {turn}", f"up to {turn}",
        f"within {draw.randint(1, 5)} turns before {turn}", f"at {turn}",
        f"after {turn} within {draw.randint(1, 4)} turns after {known[0]}",
    ))  # fmt: skip
