"""One pass of the graph network a conversation, against a pass for every decision point.

    python benchmarks/gnn.py [--json] [--repeats N] [--turns N]

The conversations are those of the shipped corpus, or with `--turns` made-up ones of that length;
the decision points are all cuts with the cases of the six tasks. Three ways give the same logits:

- one pass: the longest prefix of each conversation once, read at every cut;
- loop: one prefix at a time, a pass for each;
- batched: all prefixes of a conversation in one padded batch.

Weights are random, as they change nothing about the time. Each way is timed twice: the network
alone, and with the encoding of turns into tensors. One thread, CPU seconds, medians of
interleaved rounds.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time

import torch
from torch import Tensor

from relgraph import registry
from relgraph.approach import Settings
from relgraph.baselines._channels import texts_of_all
from relgraph.baselines._stretches import Stretch, stretches
from relgraph.baselines._words import Words
from relgraph.baselines.gnn.answer import Ask, logits, place
from relgraph.baselines.gnn.heads import Network
from relgraph.baselines.gnn.model import Shape
from relgraph.baselines.gnn.tensors import Batch
from relgraph.corpora import read
from relgraph.embed import load_embedder
from relgraph.records import Conversation, Instance, Turn, View

TASKS = ("er", "itp", "rpp", "ssp", "stp", "vp")
CPU = torch.device("cpu")
Work = list[tuple[Batch, list[Ask]]]


def made_up(turns: int, count: int) -> list[list[Instance]]:
    """Returns conversations of three people with an ITP and an STP instance at every turn."""
    draw = random.Random(turns)
    people = ("Mara", "Ilya", "Therapist")
    found = []
    for number in range(count):
        said = []
        for index in range(1, turns + 1):
            speaker, addressee = draw.sample(people, 2)
            said.append(Turn(index, speaker, f"words of turn {index % 40}", (addressee,), "given"))
        whole = Conversation(f"made-{number}", (), scenario="couple", participants=people[:2])
        cuts = [_cut(whole, said[:size]) for size in range(1, turns + 1)]
        found.append([
            Instance(f"{task}-{size}", task, cut, options=options)
            for size, cut in enumerate(cuts)
            for task, options in (("itp", ("yes", "no")), ("stp", (*people[:2], "Couple")))
        ])  # fmt: skip
    return found


def _cut(whole: Conversation, turns: Sequence[Turn]) -> Conversation:
    from dataclasses import replace

    return replace(whole, turns=tuple(turns))


def of_the_sample() -> list[list[Instance]]:
    """Returns the instances of the shipped corpus, conversation by conversation."""
    tasks = [registry.load("task", name) for name in TASKS]
    return [
        [case.instance for task in tasks for case in task.cases(conversation, View())]
        for conversation in read("sample")
    ]


def encoded(words: Words, instances: Sequence[Instance], groups: list[list[Stretch]]) -> Work:
    """Returns the groups of stretches as batches, each with the places of its instances."""
    found: Work = []
    for group in groups:
        batch, asks = place(group, instances, words.known, words.dim, device=CPU)
        found.append((batch, list(asks.values())))
    return found


def ways(instances: Sequence[Instance]) -> dict[str, list[list[Stretch]]]:
    """Returns the three ways to answer the instances of one conversation."""
    by_cut: dict[int, list[int]] = {}
    for k, instance in enumerate(instances):
        by_cut.setdefault(len(instance.conversation.turns), []).append(k)
    each = [Stretch(instances[ks[0]].conversation, tuple(ks)) for ks in by_cut.values()]
    return {"one pass": [stretches(instances)], "loop": [[s] for s in each], "batched": [each]}


def timed(work: Callable[[], object]) -> float:
    """Returns CPU seconds of a call."""
    begun = process_time()
    work()
    return process_time() - begun


def read_off(net: Network, work: Work) -> dict[str, Tensor]:
    """Returns instance id -> logits."""
    with torch.inference_mode():
        return {
            ask.instance.id: row
            for batch, asks in work
            for ask, row in zip(asks, logits(net, batch, asks), strict=True)
        }


def main() -> None:
    """Measures in interleaved rounds and prints the medians."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--repeats", type=int, default=5, help="rounds (default 5)")
    parser.add_argument("--turns", type=int, default=0, help="made-up conversations of this length")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    talks = made_up(options.turns, 4) if options.turns else of_the_sample()
    words = Words(load_embedder(Settings(embedder="hashing:384")))
    words.learn(texts_of_all(i.conversation for talk in talks for i in talk))
    net = Network(Shape(dim=words.dim)).eval()
    plans = [ways(talk) for talk in talks]
    names = tuple(plans[0])
    seconds: dict[str, dict[str, list[float]]] = {n: {"network": [], "whole": []} for n in names}
    worst = 0.0
    for _ in range(options.repeats):
        answers = {}
        for name in names:
            ready: list[Work] = []
            encoding = timed(
                lambda name=name, ready=ready: ready.extend(
                    encoded(words, talk, plan[name])
                    for talk, plan in zip(talks, plans, strict=True)
                )
            )
            said: list[dict[str, Tensor]] = []
            network = timed(
                lambda ready=ready, said=said: said.extend(read_off(net, work) for work in ready)
            )
            seconds[name]["network"].append(network)
            seconds[name]["whole"].append(encoding + network)
            answers[name] = said
        worst = max(worst, _difference(answers["one pass"], answers["loop"]))
        worst = max(worst, _difference(answers["one pass"], answers["batched"]))
    result = {
        name: {what: median(times) for what, times in parts.items()}
        for name, parts in seconds.items()
    }
    cuts = sum(len(plan["loop"]) for plan in plans)
    if options.json:
        print(json.dumps({"seconds": result, "cuts": cuts, "largest_difference": worst}, indent=2))
        return
    print(f"{len(talks)} conversations, {cuts} decision points, {sum(map(len, talks))} instances")
    print(f"{'way':>10} {'network s':>10} {'x':>6} {'with encoding s':>16} {'x':>6}")
    first = result["one pass"]
    for name, parts in result.items():
        print(
            f"{name:>10} {parts['network']:>10.3f} {parts['network'] / first['network']:>6.1f} "
            f"{parts['whole']:>16.3f} {parts['whole'] / first['whole']:>6.1f}"
        )
    print(f"largest difference of a logit: {worst:.1e}")


def _difference(ours: list[dict[str, Tensor]], theirs: list[dict[str, Tensor]]) -> float:
    """Returns the largest absolute difference; slots that neither knows of count for nothing.

    A longer row has slots for people who appear after the cut: none of these may have a score.
    """
    found = 0.0
    for mine, others in zip(ours, theirs, strict=True):
        for name, row in mine.items():
            other = others[name]
            size = min(len(row), len(other))
            both = torch.isfinite(row[:size]) | torch.isfinite(other[:size])
            gap = (row[:size] - other[:size])[both].abs()
            found = max(found, float(gap.max()) if len(gap) else 0.0)
            if torch.isfinite(row[size:]).any() or torch.isfinite(other[size:]).any():
                return float("inf")
    return found


if __name__ == "__main__":
    main()
