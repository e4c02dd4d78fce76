"""What it saves that prompts share their beginning: the embedded model with and without it.

    python benchmarks/llm_prefix.py [--json] [--task ssp] [--instances N] [--model local]

The instances of one conversation of the shipped corpus are asked in turn order, once with the
engine keeping what it has read and once with every prompt read anew. Tokens read are the engine's
own count. The answers of both may differ in their last digits: a prompt read in other portions
goes through other arithmetic.
"""

from __future__ import annotations

import argparse
import json
from time import perf_counter
from typing import Any

from relgraph import read
from relgraph.approach import Settings
from relgraph.records import View
from relgraph.registry import load


def unit(task: str, most: int) -> list[Any]:
    """Returns the instances of the conversation of the corpus that has most of them."""
    found = [load("task", task).cases(c, View()) for c in read("sample")]
    return [case.instance for case in max(found, key=len)[:most]]


def ask(fitted: Any, instances: list[Any], *, reuse: bool) -> dict[str, Any]:
    """Returns tokens in the prompts, tokens read, seconds, and each instance's letters."""
    prompts = [fitted.render(instance) for instance in instances]
    backend = fitted.backend
    backend.check()
    start = perf_counter()
    replies = [backend.ask(p, fresh=not reuse or k == 0) for k, p in enumerate(prompts)]
    taken = perf_counter() - start
    return {
        "prompt_tokens": sum(r.prompt_tokens for r in replies),
        "read_tokens": sum(r.prompt_tokens - r.cached_tokens for r in replies),
        "seconds": taken,
        "letters": [dict(r.letters) for r in replies],
    }


def farthest(one: dict[str, Any], other: dict[str, Any]) -> float:
    """Returns the largest difference between the log-probabilities of a letter."""
    return max(
        abs(a[x] - b[x])
        for a, b in zip(one["letters"], other["letters"], strict=True)
        for x in set(a) & set(b)
    )


def main() -> None:
    """Measures both ways in one process, one after the other, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--task", default="ssp", help="a task with a closed set (default ssp)")
    parser.add_argument("--instances", type=int, default=8, help="at most so many (default 8)")
    parser.add_argument("--model", default="local", help="local or gguf:FILE (default local)")
    options = parser.parse_args()
    instances = unit(options.task, options.instances)
    rows: dict[str, dict[str, Any]] = {}
    for name in ("llm", "llm+graph"):
        fitted = load("approach", name)(Settings(model=options.model)).fit((), seed=0)
        both = {reuse: ask(fitted, instances, reuse=reuse) for reuse in (False, True)}
        rows[name] = {
            "instances": len(instances),
            "prompt_tokens": both[True]["prompt_tokens"],
            "read_anew": both[False]["read_tokens"],
            "read_with_reuse": both[True]["read_tokens"],
            "seconds_anew": both[False]["seconds"],
            "seconds_with_reuse": both[True]["seconds"],
            "farthest_log_probability": farthest(both[False], both[True]),
        }
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    for name, row in rows.items():
        saved = row["seconds_anew"] / row["seconds_with_reuse"]
        print(f"{name}: {row['instances']} instances, {row['prompt_tokens']} tokens in prompts")
        print(f"  read anew:  {row['read_anew']} tokens, {row['seconds_anew']:.1f} s")
        print(f"  with reuse: {row['read_with_reuse']} tokens, {row['seconds_with_reuse']:.1f} s")
        print(
            f"  {saved:.1f} times as fast; letters differ by up to "
            f"{row['farthest_log_probability']:.3f} in log-probability"
        )


if __name__ == "__main__":
    main()
