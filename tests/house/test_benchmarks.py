"""The benchmarks of the graph network run, on little data, and keep step with the code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SITE = [entry for entry in sys.path if entry.endswith("site-packages")]
"""Where libraries are; python's -S leaves an editable installation of ours out of it."""

pytestmark = pytest.mark.slow


def printed(name: str, *options: str, bare: bool = False) -> dict:
    """Returns the JSON that a benchmark prints; `bare`: where relgraph is not installed."""
    command = [sys.executable, *(["-S"] if bare else []), str(ROOT / "benchmarks" / name), *options]
    env = {"PYTHONPATH": ":".join(SITE), "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=ROOT / "docs")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_all_ways_to_answer_give_the_same_logits_and_speeds_are_told() -> None:
    found = printed("gnn.py", "--json", "--repeats", "1", "--turns", "6")
    assert found["ways"]["largest_difference"] < 1e-5
    assert found["ways"]["conversations"] == 4
    assert found["speed"]["turns"] == 4 * 5  # no case lies after the last turn
    assert set(found["speed"]["turns_a_second"]) == {"encoding", "training", "inference"}


def test_each_size_is_measured_in_a_process_of_its_own() -> None:
    found = printed("gnn_growth.py", "--json", "--sizes", "3,2", "--turns", "6")
    assert [row["conversations"] for row in found["sizes"]] == [2, 3]
    assert [row["turns"] for row in found["sizes"]] == [12, 18]
    assert set(found["growth_a_conversation"]) == {"encoding", "training", "inference"}


def test_the_script_for_a_gpu_runs_from_a_bare_checkout_and_stays_within_its_tolerances() -> None:
    options = ("--device", "cpu", "--conversations", "4", "--texts", "8")
    found = printed("gnn_gpu.py", *options, bare=True)
    assert found["measured_on"]["device"].startswith("CPU")
    assert all(entry["within"] for entry in found["tolerances"].values())
    assert found["tolerances"]["rerun"]["difference"] == 0
    assert found["training"]["first_step"]["mixed"] != found["training"]["first_step"]["float32"]
