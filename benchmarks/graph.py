"""How many graphs are built a second, and how the time grows with the number of turns.

    python benchmarks/graph.py [--json] [--repeats N]

Conversations are made up by a seeded draw: three people, 12 words a turn, a name or a `you` in
every other turn. Seconds a turn at 10,000 turns over those at 10 is the ratio that tells whether
building is linear (about 1) or not.
"""

from __future__ import annotations

import argparse
import json
import random
from statistics import median
from time import process_time

from relgraph import Conversation, Turn, build_graph

SIZES = (10, 30, 100, 1000, 10000)
TURNS_A_MEASUREMENT = 10_000
TALK = (
    "when we talk about this it always ends with one of us leaving the room and then nothing "
    "is said for days you know Mara what Ilya wants I do not see how"
)


def conversation(turns: int) -> Conversation:
    """Returns a made-up conversation of so many turns, the same for the same number."""
    draw = random.Random(turns)
    people = ("Mara", "Ilya", "Therapist")
    words = TALK.split()
    made = []
    start = 0.0
    for index in range(1, turns + 1):
        speaker, addressee = draw.sample(people, 2)
        end = start + draw.uniform(1, 8)
        text = " ".join(draw.choices(words, k=12))
        made.append(Turn(index, speaker, text, (addressee,), "given", None, start, end))
        start = end + draw.uniform(-0.5, 1)
    return Conversation(f"made-{turns}", tuple(made), scenario="couple", participants=people[:2])


def seconds_a_graph(one: Conversation) -> float:
    """Returns CPU seconds for building one graph, over as many as make a measurement."""
    rounds = max(1, TURNS_A_MEASUREMENT // len(one.turns))
    begun = process_time()
    for _ in range(rounds):
        build_graph(one)
    return (process_time() - begun) / rounds


def main() -> None:
    """Measures in interleaved rounds and prints the medians."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--repeats", type=int, default=7, help="rounds (default 7)")
    options = parser.parse_args()
    made = {size: conversation(size) for size in SIZES}
    rounds = [{size: seconds_a_graph(made[size]) for size in SIZES} for _ in range(options.repeats)]
    seconds = {size: median(r[size] for r in rounds) for size in SIZES}
    growth = (seconds[SIZES[-1]] / SIZES[-1]) / (seconds[SIZES[0]] / SIZES[0])
    if options.json:
        print(json.dumps({"seconds_a_graph": seconds, "growth_a_turn": growth}, indent=2))
        return
    print(f"{'turns':>8} {'graphs/s':>10} {'us a turn':>10}")
    for size, taken in seconds.items():
        print(f"{size:>8} {1 / taken:>10.1f} {1e6 * taken / size:>10.1f}")
    print(f"time a turn at {SIZES[-1]} turns over that at {SIZES[0]}: {growth:.2f}")


if __name__ == "__main__":
    main()
