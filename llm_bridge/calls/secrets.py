"""What must never be kept: keys and passwords, should a server say them back."""

from __future__ import annotations

import os
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

SHORTEST = 6
"""Shorter values are no keys, and would be found in words."""


def secrets_of(base_url: str) -> tuple[str, ...]:
    """Returns the keys in the environment, and password and query of an address, longest first."""
    return tuple(sorted({s for s in _found(base_url) if len(s) >= SHORTEST}, key=len, reverse=True))


def without(text: str, secrets: Iterable[str]) -> str:
    """Returns the text with every secret in it replaced."""
    for secret in secrets:
        text = text.replace(secret, "(key)")
    return text


def _found(base_url: str) -> Iterable[str]:
    for name, value in os.environ.items():
        if name.endswith(("API_KEY", "_TOKEN")):
            yield value.strip()
    for url in (base_url, os.environ.get("OPENAI_BASE_URL", "")):
        parts = urlsplit(url)
        for said in (parts.password or "", *(p.partition("=")[2] for p in parts.query.split("&"))):
            yield from (said, unquote(said))
