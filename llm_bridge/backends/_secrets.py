"""Keys and logins stay out of everything that is said or kept, logs of client libraries too."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

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


_hidden: list[Secrets] = []


def keep_from_logs(secrets: Secrets) -> None:
    """Takes secrets out of what client libraries log from now on, at any level.

    Where records are made, since loggers that a library makes later have to be held too.
    """
    if not _hidden:
        logging.setLogRecordFactory(partial(_record, logging.getLogRecordFactory()))
    if secrets not in _hidden:
        _hidden.append(secrets)


def _record(make: Callable[..., logging.LogRecord], *given: Any, **named: Any) -> logging.LogRecord:
    record = make(*given, **named)
    if record.name.partition(".")[0] in TALKERS:
        text = record.getMessage()
        trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
        for secrets in _hidden:
            text, trace = secrets.out_of(text), secrets.out_of(trace)
        record.msg, record.args, record.exc_info, record.exc_text = text, (), None, trace or None
    return record
