"""Calls to a model: what was answered once is not asked, or paid for, again."""

from __future__ import annotations

from relgraph.approach import Settings
from relgraph.calls import CallStore
from relgraph.llm_bridge.backends._base import Backend, Reply
from relgraph.llm_bridge.calls.caller import Caller, require_price
from relgraph.llm_bridge.calls.estimate import SAMPLED, estimate
from relgraph.llm_bridge.calls.prices import price_of
from relgraph.llm_bridge.prompts import Prompt

__all__ = ["SAMPLED", "ask", "estimate", "through"]


def through(backend: Backend, settings: Settings) -> Caller:
    """Returns the backend with the call cache, the costs and the limits of `settings` before it.

    Raises:
        DataError: the call cache or the file of prices is something else.
        RelgraphError: costs are limited and not known.
    """
    price = price_of(settings.prices, backend.name)
    require_price(backend, settings, price)
    return Caller(backend, settings, store=CallStore.at(settings.calls), price=price)


def ask(backend: Backend, prompt: Prompt, *, sample: int = 0, attempt: int = 0) -> Reply:
    """Returns the reply of a model with or without a call cache.

    Args:
        backend: the model.
        prompt: what is asked.
        sample: which of several answers.
        attempt: how often a kept reply was found that cannot be read; from 1 on it has to be one
            that is kept, so a call cache is there.
    """
    if isinstance(backend, Caller):
        return backend.ask(prompt, sample=sample, attempt=attempt)
    return backend.ask(prompt, sample=sample)
