"""How time and memory of the graph network grow with the number of conversations.

    python benchmarks/gnn_growth.py [--json] [--sizes 100,1000,10000] [--turns 37]

Conversations are made up: three people, gold of every layer, a random embedding for every text.
Each size has a process of its own, with one thread. Measured are encoding (cases, structure,
links, answers), one epoch of training of one member with all heads, and inference (encoding and
one network) of all instances, 16 conversations at a time as `relgraph eval` does it. Seconds are
of CPU. Memory is the most that the process has held by the end of each stage, interpreter, torch
and the conversations themselves included.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from typing import Any

STAGES = ("encoding", "training", "inference")


def measure(count: int, turns: int) -> dict[str, Any]:
    """Returns CPU seconds and peak memory of each stage for so many conversations."""
    import _gnn_work as work
    import torch

    from relgraph.baselines._stretches import AT_ONCE
    from relgraph.baselines.gnn.recipe import Recipe

    torch.set_num_threads(1)
    # What happens once a process (kernels chosen, modules imported) is none of the growth.
    few = [work.talk(number, turns) for number in range(8)]
    known = work.drawn(few)
    next(work.course(work.lessons_of(few, known), Recipe(epochs=1)).run(1))
    base_mb = work.peak_mb()

    talks = [work.talk(number, turns) for number in range(count)]
    vectors = work.drawn(talks)
    seconds: dict[str, float] = {}
    memory_mb = {"conversations": work.peak_mb()}

    def stage(name: str, begun: float) -> None:
        seconds[name] = work.process_time() - begun
        memory_mb[name] = work.peak_mb()

    begun = work.process_time()
    learn = work.lessons_of(talks, vectors)
    stage("encoding", begun)
    begun = work.process_time()
    next(work.course(learn, Recipe(epochs=1)).run(1))
    stage("training", begun)
    del learn
    net = work.network()
    instances = 0
    begun = work.process_time()
    for first in range(0, count, AT_ONCE):
        asked = [i for t in talks[first : first + AT_ONCE] for i in work.instances_of(t)]
        work.read_off(net, work.placed(asked, vectors))
        instances += len(asked)
    stage("inference", begun)
    return {
        "conversations": count,
        "turns": count * turns,
        "instances": instances,
        "seconds": seconds,
        "memory_mb": {"before": base_mb, **memory_mb},
    }


def in_a_process(count: int, turns: int) -> dict[str, Any]:
    """Returns `measure` of a fresh process."""
    command = [sys.executable, __file__, "--one", str(count), "--turns", str(turns)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def growth(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Returns stage -> seconds a conversation at the largest size over those at the smallest."""
    first, last = rows[0], rows[-1]
    return {
        name: (last["seconds"][name] / last["conversations"])
        / (first["seconds"][name] / first["conversations"])
        for name in STAGES
    }


def main() -> None:
    """Measures each size and prints seconds and memory."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--sizes", default="100,1000", help="conversations (default 100,1000)")
    parser.add_argument("--turns", type=int, default=37, help="turns of each (default 37)")
    parser.add_argument("--one", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one, options.turns)))
        return
    rows = []
    for size in sorted(int(size) for size in options.sizes.split(",")):
        rows.append(in_a_process(size, options.turns))
        print(f"{size} conversations measured", file=sys.stderr)
    if options.json:
        print(json.dumps({"sizes": rows, "growth_a_conversation": growth(rows)}, indent=2))
        return
    print(f"{'':>13} {'ms a conversation':^32} {'peak MB by the end of':^46}")
    print(
        f"{'conversations':>13} {'encoding':>10} {'training':>10} {'inference':>10} "
        f"{'(nothing)':>10} {'encoding':>11} {'training':>11} {'inference':>11}"
    )
    for row in rows:
        count = row["conversations"]
        times = " ".join(f"{1000 * row['seconds'][name] / count:>10.2f}" for name in STAGES)
        memory = " ".join(f"{row['memory_mb'][name]:>11.0f}" for name in STAGES)
        print(f"{count:>13} {times} {row['memory_mb']['before']:>10.0f} {memory}")
    if len(rows) > 1:
        found = ", ".join(f"{name} {ratio:.2f}" for name, ratio in growth(rows).items())
        print(f"seconds a conversation, largest size over smallest: {found}")


if __name__ == "__main__":
    main()
