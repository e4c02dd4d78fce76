"""What reasoning by rules costs, against clingo on the same crisp core, and as talk grows.

    python benchmarks/rules.py [--json] [--repeats N]

Fifty rules of the shipped packs for couples, in their order, without rules that need seconds.
Facts are those of cues found in the shipped corpus's couples, strung together to the length that
is wanted and given the same two names; finding the cues is not timed. One evaluation serves every
cut, for clingo too: `known_at` is an argument of its predicates. clingo is given all strengths and
weights as 1, once as text and once as statements parsed beforehand, and so is the engine for the
comparison; both must conclude the same.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from statistics import median
from time import process_time
from types import ModuleType

from relgraph.corpora import read
from relgraph.cues import Cue, find_all
from relgraph.reasoning import Fact, RuleSet, evaluate
from relgraph.reasoning.facts import facts_of
from relgraph.reasoning.plan import compile_rules, needs_seconds
from relgraph.reasoning.vocabulary import EVENTS
from relgraph.records import Conversation, Turn

ROOT = Path(__file__).parents[1]
RULES = 50
TURNS = 37
SIZES = (37, 370, 5000)
IN_A_ROW = 20
PAIR = ("Ana", "Ben")


def fifty() -> RuleSet:
    """Returns the first fifty rules for couples that need no seconds."""
    packs = RuleSet.read("acts", "couple", "needs", "viewpoints", "strategies_couple")
    kept = []
    left = RULES
    for pack in packs.for_scenario("couple").packs:
        rules = tuple(rule for rule in pack.rules if not needs_seconds(rule))[:left]
        left -= len(rules)
        kept.append(replace(pack, rules=rules))
    return RuleSet(tuple(kept))


def strung(turns: int, start: int, found: Sequence[tuple[Conversation, Sequence[Cue]]]) -> Case:
    """Returns facts of so many turns, from conversation `start` on, with two names in all."""
    rows: list[Turn] = []
    cues: list[Cue] = []
    for one, seen in cycle((*found[start:], *found[:start])):
        names = {**dict(zip(one.roster, PAIR, strict=False)), one.supporter: "Therapist"}

        def named(name: str, names: dict[str, str] = names) -> str:
            return names.get(name, name)

        shift = len(rows)
        for turn in one.turns:
            rows.append(
                Turn(
                    turn.index + shift, named(turn.speaker), "",
                    tuple(map(named, turn.addressees)), turn.addressee_source,
                    turn.addressee_confidence,
                )
            )  # fmt: skip
        cues += (
            replace(c, turn=c.turn + shift, source=named(c.source), target=named(c.target))
            for c in seen
        )
        if len(rows) >= turns:
            break
    made = Conversation("strung", tuple(rows[:turns]), scenario="couple", participants=PAIR)
    return facts_of(made, [cue for cue in cues if cue.turn <= turns], roles=()), turns


Case = tuple[tuple[Fact, ...], int]


def seconds(times: int, work: Callable[..., object], *given: object) -> float:
    """Returns CPU seconds of one call, the mean over several in a row."""
    begun = process_time()
    for _ in range(times):
        work(*given)
    return (process_time() - begun) / times


def reasoned(rules: RuleSet, case: Case) -> tuple[Fact, ...]:
    """Returns what the engine concludes."""
    return evaluate(rules, case[0], last_turn=case[1]).conclusions


def oracle() -> ModuleType:
    """Returns the translation into answer set programs, which the tests use too."""
    path = ROOT / "tests" / "reasoning" / "oracle" / "asp.py"
    spec = importlib.util.spec_from_file_location("oracle_asp", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def solved(last: int, give: Callable[[object], None]) -> int:
    """Returns the number of atoms that clingo finds."""
    import clingo

    control = clingo.Control(["--warn=none", f"-c last={last}"], message_limit=0)
    give(control)
    control.ground([("base", [])])
    found = 0
    with control.solve(yield_=True) as models:
        for model in models:
            found = len(model.symbols(atoms=True))
    return found


def against_clingo(rules: RuleSet, cases: Sequence[Case], repeats: int) -> dict[str, float]:
    """Returns median CPU seconds of the engine and of clingo on the same crisp facts."""
    from clingo.ast import ProgramBuilder, parse_string

    asp = oracle()
    arities = {name: shape.arity for name, shape in EVENTS.items()}
    arities |= {rule.head: len(rule.params) for rule in rules.rules}
    program = asp.program_text(rules, therapist="Therapist") + "\n" + asp.projections(arities)
    taken: dict[str, list[float]] = {"engine": [], "clingo, text": [], "clingo, parsed": []}
    for facts, last in cases:
        crisp = tuple(replace(fact, strength=1.0) for fact in facts)
        text = asp.facts_text(crisp) + "\n" + program
        ours = {(f.atom, f.known_at) for f in reasoned(rules, (crisp, last))}
        theirs = asp.answer(text, {rule.head for rule in rules.rules}, last)
        assert ours == theirs, sorted(ours ^ theirs)[:5]
        statements: list[object] = []
        parse_string(text, statements.append)

        def parsed(control: object, statements: list[object] = statements) -> None:
            with ProgramBuilder(control) as builder:
                for statement in statements:
                    builder.add(statement)

        def told(control: object, text: str = text) -> None:
            control.add("base", [], text)

        for _ in range(repeats):
            taken["engine"].append(seconds(IN_A_ROW, reasoned, rules, (crisp, last)))
            taken["clingo, text"].append(seconds(1, solved, last, told))
            taken["clingo, parsed"].append(seconds(1, solved, last, parsed))
    return {name: median(times) for name, times in taken.items()}


def main() -> None:
    """Measures in interleaved rounds and prints the medians."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--repeats", type=int, default=7, help="rounds (default 7)")
    options = parser.parse_args()
    couples = [c for c in read("sample") if c.scenario == "couple"]
    found = list(zip(couples, find_all(couples), strict=True))
    rules = fifty()
    compiled = median(seconds(1, compile_rules, rules.rules) for _ in range(options.repeats))
    short = [strung(TURNS, start, found) for start in range(0, len(found), 2)]
    cues = sum(f.cue is not None for facts, _ in short for f in facts) / len(short) / TURNS
    one = [
        seconds(IN_A_ROW, reasoned, rules, case) for _ in range(options.repeats) for case in short
    ]
    sized = {size: strung(size, 0, found) for size in SIZES}
    rounds = [
        {
            size: seconds(max(1, SIZES[-1] // size), reasoned, rules, case)
            for size, case in sized.items()
        }
        for _ in range(options.repeats)
    ]
    grown = {size: median(r[size] for r in rounds) for size in SIZES}
    clingo = against_clingo(rules, short, max(1, options.repeats // 2))
    figures = {
        "rules": len(rules.rules),
        "facts_of_cues_a_turn": cues,
        "conclusions": median(len(reasoned(rules, case)) for case in short),
        "compile_ms": 1e3 * compiled,
        "evaluation_ms": 1e3 * median(one),
        "us_a_turn": {size: 1e6 * taken / size for size, taken in grown.items()},
        "growth_a_turn": (grown[SIZES[-1]] / SIZES[-1]) / (grown[SIZES[0]] / SIZES[0]),
        "crisp_ms": {name: 1e3 * taken for name, taken in clingo.items()},
        "clingo_text_over_engine": clingo["clingo, text"] / clingo["engine"],
        "clingo_parsed_over_engine": clingo["clingo, parsed"] / clingo["engine"],
    }
    if options.json:
        print(json.dumps(figures, indent=2))
        return
    print(f"{figures['rules']} rules, {TURNS} turns, {cues:.1f} facts of cues a turn, "
          f"{figures['conclusions']:.0f} conclusions")  # fmt: skip
    print(f"compiling the rules, once: {figures['compile_ms']:.1f} ms")
    print(f"one evaluation for every cut: {figures['evaluation_ms']:.2f} ms")
    for name, taken in clingo.items():
        times = taken / clingo["engine"]
        print(f"crisp core, {name}: {1e3 * taken:.2f} ms ({times:.1f} times the engine's)")
    for size, taken in grown.items():
        print(f"{size:>6} turns: {1e6 * taken / size:>7.1f} us a turn")
    print(f"time a turn at {SIZES[-1]} turns over that at {SIZES[0]}: "
          f"{figures['growth_a_turn']:.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
