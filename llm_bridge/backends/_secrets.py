"""Keys and logins stay out of everything that is said or kept, logs of client libraries too."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

TALKERS = ("openai", "anthropic", "httpx", "httpx2", "httpcore", "httpcore2")
"""Libraries that log requests and responses where their loggers are switched on."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """What must not be seen.

    Attributes:
        keys: environment variables that may hold a key.
        addresses: an address with what it holds of a login -> how it is shown.
    """

    keys: Sequence[str]
    addresses: Mapping[str, str]

    def out_of(self, text: str) -> str:
        """Returns the text without them."""
        for name in self.keys:
            key = os.environ.get(name, "").strip()
            if key:
                text = text.replace(key, "(key)")
        for address, shown in self.addresses.items():
            if address and address != shown:
                text = text.replace(address, shown)
        return text


class _Filter(logging.Filter):
    """Takes secrets out of what a logger says, error texts included."""

    def __init__(self, secrets: Secrets) -> None:
        super().__init__()
        self._secrets = secrets

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        record.msg, record.args = self._secrets.out_of(said), ()
        if record.exc_info:
            text = logging.Formatter().formatException(record.exc_info)
            record.exc_text = self._secrets.out_of(text)
            record.exc_info = None
        return True


def keep_from_logs(secrets: Secrets) -> None:
    """Takes secrets out of what client libraries log from now on, at any level."""
    hides = _Filter(secrets)
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in TALKERS:
            logger = logging.getLogger(name)
            if not any(isinstance(f, _Filter) and f._secrets == secrets for f in logger.filters):
                logger.addFilter(hides)
