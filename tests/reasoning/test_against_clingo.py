"""The crisp core concludes what an answer set solver concludes, and nothing else."""

import os
import random
from collections import Counter

from relgraph.reasoning import evaluate
from relgraph.reasoning.vocabulary import EVENTS

ROUNDS = int(os.environ.get("RELGRAPH_DIFFERENTIAL", "200"))
"""How many random programs; `RELGRAPH_DIFFERENTIAL=2000` for the long run."""
CORE = {
    "any of", "->", "<->", "commas", "nobody named", "any", "variable", "therapist", "constant",
    "window after", "window before", "window up to", "window at", "window between",
    "window after turns", "window before turns", "window up to turns",
    "unless", "count", "static", "not static", "people =", "people !=", "turns =", "turns !=",
    "turns <", "turns <=", "turns >", "turns >=", "offset", "mutual", "repeat", "at",
    "head of 0", "head of 1", "head of 2", "head of 3", "constant in the head",
}  # fmt: skip


def test_random_programs_conclude_what_clingo_concludes(made, asp):
    fired: Counter[str] = Counter()
    concluded = 0
    for seed in range(ROUNDS):
        draw = random.Random(seed)
        rules = made.program(draw)
        turns = draw.randint(4, 16)
        facts, _ = made.facts(draw, turns)
        result = evaluate(rules, facts, last_turn=turns)
        ours = {(fact.atom, fact.known_at) for fact in result.conclusions}
        arities = {name: EVENTS[name].arity for name in made.CUES}
        arities |= {rule.head: len(rule.params) for rule in rules.rules}
        text = "\n".join((
            asp.facts_text(facts), asp.program_text(rules, therapist="Cem"),
            asp.projections(arities),
        ))  # fmt: skip
        theirs = asp.answer(text, {rule.head for rule in rules.rules}, turns)
        assert ours == theirs, f"seed {seed}\n" + "\n".join(r.text for r in rules.rules)
        concluded += len(ours)
        came = {firing.rule for firing in result.firings}
        for rule in rules.rules:
            if rule.id in came:
                fired.update(made.constructs(rule))
    assert set(fired) >= CORE, CORE - set(fired)
    rarest = min(CORE, key=lambda name: fired[name])
    assert fired[rarest] >= ROUNDS // 100, rarest
    assert concluded > ROUNDS
