"""What a run may cost, told before anything is asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from math import ceil
from statistics import fmean

from relgraph.approach import Settings
from relgraph.llm_bridge.backends._base import Backend
from relgraph.llm_bridge.calls.caller import Caller
from relgraph.llm_bridge.prompts import Prompt
from relgraph.spending import Estimate

SAMPLED = 30
"""So many prompts stand for all."""


def estimate(
    backend: Backend,
    settings: Settings,
    prompts: Callable[[], Iterable[Prompt]],
    count: int,
    room_tokens: int,
) -> Estimate | None:
    """Returns what asking about `count` instances may cost; None for a model without a price here.

    Answers count as long as they may be. Where the sampled prompts are complete, the share of them
    whose replies are kept counts as nothing.

    Args:
        backend: the model.
        settings: number of samples, length of answers.
        prompts: gives a sample of what will be asked.
        count: instances to be asked about.
        room_tokens: what a summary may add to each sampled prompt; 0 where they are complete.
    """
    price = backend.price if isinstance(backend, Caller) else None
    if price is None and not backend.remote:
        return None
    samples = max(1, settings.samples)
    tokens, kept = [], 0
    for prompt in prompts():
        schema = json.dumps(dict(prompt.schema)) if prompt.schema else ""
        parts = (prompt.system, prompt.user, schema)
        tokens.append(sum(map(backend.count_tokens, parts)) + room_tokens)
        if not room_tokens and isinstance(backend, Caller):
            kept += sum(backend.has(prompt, sample=k) for k in range(samples))
    if not tokens:
        return Estimate(backend.name, 0, 0, 0, 0.0 if price else None)
    questions = ceil(count * samples * (1 - kept / (len(tokens) * samples)))
    read, written = ceil(fmean(tokens) * questions), settings.answer_tokens * questions
    cost_usd = price.of(read, written) if price else None
    return Estimate(backend.name, questions, read, written, cost_usd)
