"""What it saves that prompts share their beginning, with an embedded model.

    python benchmarks/llm_prefix.py [--json] [--data FILE] [--task ssp] [--model local:qwen-1.5b]
        [--approach llm+graph] [--conversations N] [--instances N] [--count]

For each conversation: its instances in turn order, each prompt counted in tokens, with those that
it shares with the prompt before it. Then one of them is asked twice: right after the one before
it, and read anew. The ratio is of CPU seconds of this process, the engine's included. Both
answers are compared to the last bit. `--count` leaves the asking out.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import process_time
from typing import Any

from relgraph import read
from relgraph.approach import Settings
from relgraph.llm_bridge.asking import Asking
from relgraph.llm_bridge.prompts import Prompt
from relgraph.records import Instance, View
from relgraph.registry import load


@dataclass(frozen=True)
class Pair:
    """A prompt after the one before it: all its tokens, and those that need no reading.

    Attributes:
        prompt_tokens: of the later one.
        common_tokens: at the beginning of both.
        kept_tokens: of these, those in steps that are whole in both: what the engine keeps.
    """

    prompt_tokens: int
    common_tokens: int
    kept_tokens: int


@dataclass(frozen=True)
class Cost:
    """CPU seconds of one prompt, after the one before it and read anew."""

    after_s: float
    anew_s: float
    equal: bool


def units(data: str, task: str, *, conversations: int, instances: int) -> list[list[Instance]]:
    """Returns instances of conversations spread over the data that have at least two."""
    cases = (load("task", task).cases(c, View()) for c in read(data))
    found = [[case.instance for case in unit[:instances]] for unit in cases if len(unit) > 1]
    step = max(1, len(found) // conversations)
    return found[::step][:conversations]


def pairs(engine: Any, prompts: Sequence[Prompt]) -> list[Pair]:
    """Returns what each prompt shares with the one before it."""
    read_as = [engine.steps(p.system, p.user, p.portions) for p in prompts]
    found = []
    for earlier, later in pairwise(read_as):
        same = [a == b for a, b in zip(earlier.tokens, later.tokens, strict=False)]
        common = same.index(False) if False in same else len(same)
        found.append(Pair(len(later.tokens), common, earlier.shared(later)))
    return found


def ask(backend: Any, prompt: Prompt, *, keep: bool) -> tuple[float, dict[str, float]]:
    """Returns the CPU seconds of asking, and the letters."""
    backend.keeps_prefix = keep
    start = process_time()
    reply = backend.ask(prompt)
    if reply.failure:
        raise SystemExit(reply.failure)
    return process_time() - start, dict(reply.letters)


def cost(backend: Any, earlier: Prompt, later: Prompt) -> Cost:
    """Asks the later prompt after the earlier one, and anew."""
    ask(backend, earlier, keep=False)
    after_s, one = ask(backend, later, keep=True)
    anew_s, other = ask(backend, later, keep=False)
    return Cost(after_s, anew_s, equal=one == other)


def measure(
    fitted: Asking, backend: Any, found: list[list[Instance]], *, count: bool
) -> dict[str, Any]:
    """Returns the figures of one approach; those of asking are left out where only `count`."""
    shares: list[Pair] = []
    costs: list[Cost] = []
    for instances in found:
        prompts = [fitted.render(instance) for instance in instances]
        shares += pairs(backend._engine, prompts)
        middle = len(prompts) // 2
        if not count:
            costs.append(cost(backend, prompts[middle - 1], prompts[middle]))
    tokens = sum(s.prompt_tokens for s in shares)
    figures = {
        "conversations": len(found),
        "prompts": len(shares),
        "mean_prompt_tokens": tokens / len(shares),
        "common_share": sum(s.common_tokens for s in shares) / tokens,
        "kept_share": sum(s.kept_tokens for s in shares) / tokens,
    }
    if count:
        return figures
    return figures | {
        "second_cpu_s": sum(c.after_s for c in costs),
        "anew_cpu_s": sum(c.anew_s for c in costs),
        "second_of_anew": sum(c.after_s for c in costs) / sum(c.anew_s for c in costs),
        "answers_equal": all(c.equal for c in costs),
    }


def main() -> None:
    """Measures each approach in one process and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--data", default="sample", help="corpus or file (default sample)")
    parser.add_argument("--task", default="ssp", help="a task with a closed set (default ssp)")
    parser.add_argument("--model", default="local", help="an embedded model (default local)")
    parser.add_argument("--approach", action="append", help="llm and llm+graph when left out")
    parser.add_argument("--conversations", type=int, default=6, help="so many (default 6)")
    parser.add_argument("--instances", type=int, default=12, help="most of each (default 12)")
    parser.add_argument("--count", action="store_true", help="count tokens and ask nothing")
    options = parser.parse_args()
    settings = Settings(model=options.model, calls="none")
    kind, _, argument = options.model.partition(":")
    backend = load("backend", kind)(argument, settings)
    found = units(
        options.data,
        options.task,
        conversations=options.conversations,
        instances=options.instances,
    )
    rows: dict[str, dict[str, Any]] = {}
    for name in options.approach or ("llm", "llm+graph"):
        fitted = load("approach", name)(settings).fit((), seed=0)
        rows[name] = measure(fitted, backend, found, count=options.count)
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    for name, row in rows.items():
        print(
            f"{name}: {row['conversations']} conversations, {row['prompts']} prompts after "
            f"another one, {row['mean_prompt_tokens']:.0f} tokens in the mean"
        )
        print(
            f"  shared with the one before: {row['common_share']:.1%}; in whole steps, which the "
            f"engine keeps: {row['kept_share']:.1%}"
        )
        if options.count:
            continue
        print(
            f"  CPU of a prompt after another one: {row['second_of_anew']:.2f} of the same prompt "
            f"read anew ({row['second_cpu_s']:.1f} s of {row['anew_cpu_s']:.1f} s); answers "
            f"{'equal' if row['answers_equal'] else 'NOT EQUAL'} to the last bit"
        )


if __name__ == "__main__":
    main()
