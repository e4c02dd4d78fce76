"""Strengths, weights, thresholds, seconds: as an interpreter that tries everything has them."""

import os
import random
from collections import Counter

import pytest

from relgraph.reasoning import evaluate

ROUNDS = int(os.environ.get("RELGRAPH_DIFFERENTIAL", "150"))
GRADED = {
    "weight", "at least", "max", "noisy_or", "count", "unless", "not static", "mutual", "repeat",
    "window after seconds", "window before seconds", "window up to seconds",
}  # fmt: skip


def key(fact):
    return (fact.atom.predicate, fact.atom.turn, fact.atom.args, fact.known_at)


def test_strengths_firings_and_open_windows_are_those_of_trying_everything(made, brute):
    fired: Counter[str] = Counter()
    for seed in range(ROUNDS):
        draw = random.Random(f"graded {seed}")
        rules = made.program(draw, graded=True, seconds=seed % 2 == 0)
        turns = draw.randint(4, 10)
        facts, times = made.facts(draw, turns, graded=True, times=seed % 2 == 0)
        ours = evaluate(rules, facts, last_turn=turns, times=times)
        theirs = brute.everything(rules.rules, facts, turns, times)
        told = f"seed {seed}\n" + "\n".join(r.text for r in rules.rules)
        strengths = {key(fact): fact.strength for fact in ours.conclusions}
        assert strengths == pytest.approx(theirs.strengths, abs=1e-12), told
        ways = {
            (key(f.conclusion), f.rule, f.bindings, tuple(map(key, f.evidence)))
            for f in ours.firings
        }
        assert ways == {
            (k, way.rule, way.bindings, way.evidence) for k, found in theirs.ways.items()
            for way in found
        }, told  # fmt: skip
        pending = {
            (key(f.conclusion), f.rule, f.bindings, tuple(map(key, f.evidence)))
            for f in ours.unconfirmed
        }
        assert pending == {(k, w.rule, w.bindings, w.evidence) for k, w in theirs.pending}, told
        for firing in ours.firings:
            fired.update(made.constructs(rules.rule(firing.rule)))
    assert set(fired) >= GRADED, GRADED - set(fired)
