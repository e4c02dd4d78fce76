"""Embedding through relgraph, cache empty, against the bare model on the same texts.

    python benchmarks/embedding.py [--embedder minilm|mpnet] [--json] [--repeats N] [--texts N]

Texts are the turns of the corpus that comes with relgraph, each once. Both ways use one
packaged model on the CPU with one thread, in turn; the ratio is that of the medians. Above 1
relgraph is faster. The third figure is a second run, which finds every text in the cache.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from statistics import median
from time import perf_counter

from relgraph import read
from relgraph.approach import Settings
from relgraph.embed import VectorStore
from relgraph.embed._cached import CachedEmbedder
from relgraph.embed._sentence import quiet
from relgraph.embed.minilm import find_model as find_minilm
from relgraph.embed.mpnet import find_model as find_mpnet
from relgraph.registry import load

FOLDERS = {"minilm": find_minilm, "mpnet": find_mpnet}


def main() -> None:
    """Measures both ways in turn and prints the medians."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--embedder", choices=FOLDERS, default="minilm")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--repeats", type=int, default=5, help="rounds (default 5)")
    parser.add_argument("--texts", type=int, default=600, help="how many texts (default 600)")
    options = parser.parse_args()
    said = (turn.text for conversation in read("sample") for turn in conversation.turns)
    texts = list(dict.fromkeys(said))[: options.texts]

    settings = Settings(device="cpu", threads=1)
    ours = load("embedder", options.embedder)("", settings)
    ours.encode(texts[:32])
    from sentence_transformers import SentenceTransformer

    with quiet():
        bare = SentenceTransformer(str(FOLDERS[options.embedder]()), device="cpu")
    bare.encode(texts[:32], show_progress_bar=False)

    taken: dict[str, list[float]] = {"bare": [], "relgraph": [], "cached": []}
    for turn in range(options.repeats):
        with tempfile.TemporaryDirectory() as folder:

            def through_us(way: str, where: str = folder) -> None:
                begun = perf_counter()
                CachedEmbedder(ours, VectorStore.at(where)).encode(texts)
                taken[way].append(perf_counter() - begun)

            def through_bare() -> None:
                begun = perf_counter()
                bare.encode(texts, show_progress_bar=False)
                taken["bare"].append(perf_counter() - begun)

            # Each way goes first in every other round.
            if turn % 2:
                through_us("relgraph")
                through_bare()
            else:
                through_bare()
                through_us("relgraph")
            through_us("cached")
    seconds = {way: median(some) for way, some in taken.items()}
    ratio = seconds["bare"] / seconds["relgraph"]
    if options.json:
        document = {
            "embedder": options.embedder,
            "texts": len(texts),
            "seconds": seconds,
            "speed_ratio": ratio,
        }
        print(json.dumps(document, indent=2))
        return
    print(f"{options.embedder}: {len(texts)} texts, median of {options.repeats} rounds")
    for way, second in seconds.items():
        print(f"{way:>10} {second:>8.3f} s {len(texts) / second:>10.1f} texts/s")
    print(f"speed through relgraph over the bare model: {ratio:.3f}")


if __name__ == "__main__":
    main()
