"""Turns a second of the graph network, and one pass against a pass for every decision point.

    python benchmarks/gnn.py [--json] [--repeats N] [--turns N]

The conversations are those of the shipped corpus, or with `--turns` made-up ones of that length;
the decision points are all cuts with the cases of the six tasks. Three ways give the same logits:

- one pass: the longest prefix of each conversation once, read at every cut;
- loop: one prefix at a time, a pass for each;
- batched: all prefixes of a conversation in one padded batch.

Each way is timed twice: the network alone, and with the encoding of turns into tensors. Then, in
a process of their own, so that their memory can be told: encoding lessons, an epoch of training
(forward, backward and step, all heads), and inference as in the first way. Weights are random, as
they change nothing about the time; embeddings are 384-dimensional and known beforehand. One
thread, CPU seconds, medians of interleaved rounds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from statistics import median
from typing import Any

import _gnn_work as work
import torch
from torch import Tensor

from relgraph.baselines._channels import Vectors
from relgraph.baselines._stretches import Stretch, stretches
from relgraph.baselines.gnn.heads import Network
from relgraph.baselines.gnn.reading import Said, place
from relgraph.baselines.gnn.recipe import Recipe
from relgraph.corpora import read
from relgraph.records import Conversation, Instance

WAYS = ("one pass", "loop", "batched")


def conversations(turns: int) -> list[Conversation]:
    """Returns the shipped corpus, or four made-up conversations of so many turns."""
    return [work.talk(number, turns) for number in range(4)] if turns else list(read("sample"))


def ways(instances: Sequence[Instance]) -> dict[str, list[list[Stretch]]]:
    """Returns the three ways to answer the instances of one conversation."""
    by_cut: dict[int, list[int]] = {}
    for k, instance in enumerate(instances):
        by_cut.setdefault(len(instance.conversation.turns), []).append(k)
    each = [Stretch(instances[ks[0]].conversation, tuple(ks)) for ks in by_cut.values()]
    return {"one pass": [stretches(instances)], "loop": [[s] for s in each], "batched": [each]}


def encoded(
    vectors: Vectors, instances: Sequence[Instance], groups: list[list[Stretch]]
) -> work.Work:
    """Returns the groups of stretches as batches, each with the places of its instances."""
    found: work.Work = []
    for group in groups:
        batch, asks = place(group, instances, vectors, work.DIM, device=work.CPU)
        found.append((batch, list(asks.values())))
    return found


def compare_ways(talks: Sequence[Conversation], vectors: Vectors, repeats: int) -> dict[str, Any]:
    """Returns CPU seconds of each way, and the largest difference of a logit between them."""
    asked = [work.instances_of(one) for one in talks]
    plans = [ways(instances) for instances in asked]
    net = work.network()
    rounds = []
    worst = 0.0
    for _ in range(repeats):
        taken, answers = {}, {}
        for way in WAYS:
            taken[way], answers[way] = _answer(net, vectors, asked, [p[way] for p in plans])
        rounds.append(taken)
        worst = max(worst, *(_difference(answers["one pass"], answers[w]) for w in WAYS[1:]))
    seconds = {
        way: {part: median(r[way][part] for r in rounds) for part in ("network", "whole")}
        for way in WAYS
    }
    return {
        "conversations": len(talks),
        "cuts": sum(len(plan["loop"]) for plan in plans),
        "instances": sum(map(len, asked)),
        "seconds": seconds,
        "ratio_to_one_pass": {
            way: {part: parts[part] / seconds["one pass"][part] for part in parts}
            for way, parts in seconds.items()
        },
        "largest_difference": worst,
    }


def _answer(
    net: Network,
    vectors: Vectors,
    asked: Sequence[Sequence[Instance]],
    plans: Sequence[list[list[Stretch]]],
) -> tuple[dict[str, float], dict[str, Said]]:
    ready: work.Work = []
    said: dict[str, Said] = {}

    def encode() -> None:
        for instances, plan in zip(asked, plans, strict=True):
            ready.extend(encoded(vectors, instances, plan))

    encoding = work.timed(encode)
    network = work.timed(lambda: said.update(work.read_off(net, ready)))
    return {"network": network, "whole": encoding + network}, said


def _difference(ours: dict[str, Said], theirs: dict[str, Said]) -> float:
    """Returns the largest absolute difference; slots that neither knows of count for nothing.

    A longer row has slots for people who appear after the cut: none of these may have a score.
    """
    gaps = [0.0]
    for name, said in ours.items():
        row, other = said.logits, theirs[name].logits
        size = min(len(row), len(other))
        both = torch.isfinite(row[:size]) | torch.isfinite(other[:size])
        gaps.append(_most((row[:size] - other[:size])[both]))
        gaps.append(_most(said.guess - theirs[name].guess))
        if torch.isfinite(row[size:]).any() or torch.isfinite(other[size:]).any():
            return float("inf")
    return max(gaps)


def _most(gap: Tensor) -> float:
    return float(gap.abs().max()) if gap.numel() else 0.0


def speeds(talks: Sequence[Conversation], vectors: Vectors, repeats: int) -> dict[str, Any]:
    """Returns turns a CPU-second of encoding, training and inference, and peak memory."""
    net = work.network()
    asked = [instance for one in talks for instance in work.instances_of(one)]
    before_mb = work.peak_mb()
    learn = work.lessons_of(talks, vectors)
    epochs = work.course(learn, Recipe(epochs=repeats + 1)).run(1)
    next(epochs)
    trained_mb = work.peak_mb()
    rounds = [
        {
            "encoding": work.timed(lambda: work.lessons_of(talks, vectors)),
            "training": work.timed(lambda: next(epochs)),
            "inference": work.timed(lambda: work.read_off(net, work.placed(asked, vectors))),
        }
        for _ in range(repeats)
    ]
    turns = sum(lesson.encoded.turns for lesson in learn)
    seconds = {name: median(r[name] for r in rounds) for name in rounds[0]}
    return {
        "turns": turns,
        "instances": len(asked),
        "turns_a_second": {name: turns / second for name, second in seconds.items()},
        "peak_mb": {"before": before_mb, "training": trained_mb, "inference": work.peak_mb()},
    }


def in_a_process(turns: int, repeats: int) -> dict[str, Any]:
    """Returns `speeds` of a fresh process."""
    command = [sys.executable, __file__, "--speeds"]
    command += ["--turns", str(turns), "--repeats", str(repeats)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def show(compared: dict[str, Any], fast: dict[str, Any]) -> None:
    """Prints the figures as a table."""
    print(
        f"{compared['conversations']} conversations, {compared['cuts']} decision points, "
        f"{compared['instances']} instances"
    )
    print(f"{'way':>10} {'network s':>10} {'x':>6} {'with encoding s':>16} {'x':>6}")
    for way, parts in compared["seconds"].items():
        times = compared["ratio_to_one_pass"][way]
        print(
            f"{way:>10} {parts['network']:>10.3f} {times['network']:>6.1f} "
            f"{parts['whole']:>16.3f} {times['whole']:>6.1f}"
        )
    print(f"largest difference of a logit: {compared['largest_difference']:.1e}")
    print(f"turns a second, of {fast['turns']} turns with {fast['instances']} instances:")
    for name, number in fast["turns_a_second"].items():
        print(f"{name:>10} {number:>10.0f}")
    memory = ", ".join(f"{name} {mb:.0f}" for name, mb in fast["peak_mb"].items())
    print(f"peak memory in MB: {memory}")


def main() -> None:
    """Measures in interleaved rounds and prints the medians."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--repeats", type=int, default=5, help="rounds (default 5)")
    parser.add_argument("--turns", type=int, default=0, help="made-up conversations of this length")
    parser.add_argument("--speeds", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    torch.set_num_threads(1)
    talks = conversations(options.turns)
    vectors = work.drawn(talks)
    if options.speeds:
        print(json.dumps(speeds(talks, vectors, options.repeats)))
        return
    fast = in_a_process(options.turns, options.repeats)
    compared = compare_ways(talks, vectors, options.repeats)
    if options.json:
        print(json.dumps({"ways": compared, "speed": fast}, indent=2))
        return
    show(compared, fast)


if __name__ == "__main__":
    main()
