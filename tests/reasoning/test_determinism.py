"""The same bytes whatever the hash seed and the order in which facts come."""

import os
import random
import subprocess
import sys
from pathlib import Path

from relgraph.reasoning import evaluate

SCRIPT = """
import random, sys
sys.path.insert(0, sys.argv[1])
from conftest import module
from relgraph.reasoning import evaluate
made = module("made")
draw = random.Random(11)
for _ in range(8):
    rules = made.program(draw, graded=True, seconds=True)
    facts, times = made.facts(draw, 12, graded=True, times=True)
    found = evaluate(rules, facts, last_turn=12, times=times)
    print(rules.hash, found.conclusions, found.firings, found.unconfirmed, found.blocked)
    print([found.closest(rule.head, until=6) for rule in rules.rules])
"""


def test_the_same_bytes_under_any_hash_seed():
    here = str(Path(__file__).parent)
    found = set()
    for seed in ("0", "1", "12345"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, here], capture_output=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )  # fmt: skip
        found.add(done.stdout)
    assert len(found) == 1
    assert len(found.pop()) > 10_000


def test_the_order_of_given_facts_changes_nothing(made):
    for seed in range(20):
        draw = random.Random(seed)
        rules = made.program(draw, graded=True)
        facts, _ = made.facts(draw, 10, graded=True)
        told = set()
        for _ in range(3):
            draw.shuffle(facts)
            found = evaluate(rules, facts, last_turn=10)
            told.add(repr((found.given, found.conclusions, found.firings, found.blocked)))
        assert len(told) == 1
