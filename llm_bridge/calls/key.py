"""The key of a call: a hash of all that decides on the answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from relgraph.approach import Settings
from relgraph.llm_bridge.backends._base import Backend
from relgraph.llm_bridge.prompts import Prompt

DRAWN = 0.7
"""Temperature of several samples where none is given: without one they would all be alike."""

FORMAT = 1
"""Goes up when the same key would stand for another question."""


def messages_of(prompt: Prompt) -> tuple[tuple[str, str], ...]:
    """Returns the messages of a prompt, as (role, text)."""
    return (("system", prompt.system), ("user", prompt.user))


def deciding(backend: Backend, settings: Settings) -> Mapping[str, Any]:
    """Returns what decides on the answers of a model but for the question: no place and no key.

    What a server is known to refuse is in it as it was wanted: that is found out on the way, and
    must not make the first question another one. The device counts for a model on this machine,
    where it moves the last digits.
    """
    kind = backend.name.partition(":")[0]
    return {
        "format": FORMAT,
        "backend": kind,
        "model": backend.identity,
        "device": "" if backend.remote else settings.device,
        "temperature": temperature_of(settings),
        "seed": settings.seed,
        "answer_tokens": settings.answer_tokens,
    }


def temperature_of(settings: Settings) -> float:
    """Returns the temperature of sampling."""
    return settings.temperature or (DRAWN if settings.samples > 1 else 0.0)


def key_of(decided: Mapping[str, Any], prompt: Prompt, *, sample: int, attempt: int = 0) -> str:
    """Returns the key of a question to a model, as 64 hex digits.

    Args:
        decided: as `deciding` gives it.
        prompt: what is asked.
        sample: which of several answers.
        attempt: how often it was asked anew because the answer could not be read.
    """
    asked = {
        **decided,
        "messages": messages_of(prompt),
        "form": prompt.form,
        "schema": dict(prompt.schema),
        "sample": sample,
        "attempt": attempt,
    }
    # As ASCII: half a character, as a cut-off text may hold, has a key too.
    return sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
