"""What comes back over a network: refusals and faults, and which of them may pass."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from relgraph.errors import RunError

LONGEST_ASKED_WAIT_S = 600.0
"""A server that asks for more has run out for today; the run ends, to be resumed."""

OVERLOADED = frozenset({429, 503, 529})
"""Too many requests, unavailable, and overloaded as Anthropic says it: slower may help."""

RETRIED = frozenset({408, 409, 425, 429})
NEVER_RETRIED = frozenset({501})
NO_MONEY = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
QUOTED = 300
"""Characters of what a server says that are passed on."""


class Rejected(Exception):  # noqa: N818 (an answer of the server, not a fault of ours)
    """A request that the server turned down and that is not worth the same try again."""

    def __init__(self, status: int, said: str, *, code: str = "", parameter: str = "") -> None:
        super().__init__(said)
        self.status = status
        self.said = said
        self.code = code
        self.parameter = parameter

    @property
    def is_for_money(self) -> bool:
        """Whether the account has none left, so that no request will be answered."""
        return (
            self.status == 402
            or self.code in NO_MONEY
            or (self.status == 400 and "credit balance" in self.said)
        )


class Garbled(Exception):  # noqa: N818 (as above)
    """A reply with a good status that is none; may be a proxy's hiccup."""

    def __init__(self, said: str, body: str) -> None:
        super().__init__(said)
        self.body = body[:2000]


@dataclass(frozen=True, slots=True)
class Fault:
    """One failed try that may be repeated.

    Attributes:
        cause: what it was.
        is_overload: whether the server has too much to do.
        is_lost: whether there was no connection, or no more.
        wait_s: how long it asks to wait, if it does.
        body: what came in place of a reply.
    """

    cause: str
    is_overload: bool = False
    is_lost: bool = False
    wait_s: float | None = None
    body: str = ""


def fault_of(error: Exception, sdk: ModuleType) -> Fault:
    """Returns what an error of a client library, or of reading, says of the try.

    Args:
        error: what was raised.
        sdk: the library; those of OpenAI and Anthropic name their errors alike.

    Raises:
        Rejected: the server turns the request down for good.
        RunError: the server asks to wait longer than a run should.
    """
    if isinstance(error, TimeoutError | sdk.APITimeoutError):
        return Fault("timeout: no answer in time")
    if isinstance(error, Garbled):
        return Fault(str(error), body=error.body)
    if isinstance(error, sdk.APIStatusError):
        return _status_fault(error)
    if isinstance(error, sdk.APIConnectionError):
        cause = error.__cause__ or error
        said = str(cause) or type(cause).__name__
        return Fault(f"connection: {said}", is_lost=True)
    raise error


def rejection(error: Any) -> Rejected:
    """Returns what the server said when it turned a request down, whatever form that has."""
    body = error.body if isinstance(error.body, Mapping) else {}
    if isinstance(body.get("error"), Mapping):
        body = body["error"]
    said = body.get("message") or body.get("detail") or error.response.text or error.message
    return Rejected(
        error.status_code,
        str(said),
        code=str(body.get("code") or ""),
        parameter=str(body.get("param") or ""),
    )


def _status_fault(error: Any) -> Fault:
    turned_down = rejection(error)
    status = turned_down.status
    passing = status in RETRIED or (status >= 500 and status not in NEVER_RETRIED)
    if not passing or turned_down.is_for_money or _names_format(turned_down):
        raise turned_down from None
    wait_s = asked_wait_s(error.response.headers)
    if wait_s is not None and wait_s > LONGEST_ASKED_WAIT_S:
        raise RunError(
            f"the server asks to wait {wait_s:.0f} s (HTTP {status}). Run the same command again "
            f"later: it goes on where it stopped."
        ) from None
    cause = f"HTTP {status}: {turned_down.said[:QUOTED]}"
    return Fault(cause, is_overload=status in OVERLOADED, wait_s=wait_s)


def _names_format(error: Rejected) -> bool:
    """Some servers meet a JSON schema that they cannot hold with a 500; trying again is vain."""
    return error.status >= 500 and "response_format" in error.said


def asked_wait_s(headers: Mapping[str, str], *, now: float | None = None) -> float | None:
    """Returns for how many seconds a reply asks to wait; None when it does not say.

    Reads `retry-after-ms`, and `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
    """
    milliseconds, after = headers.get("retry-after-ms"), headers.get("retry-after")
    for said, unit in ((milliseconds, 1e-3), (after, 1.0)):
        try:
            seconds = float(said or "") * unit
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        date = email.utils.parsedate_to_datetime(after or "")
    except (ValueError, OverflowError):
        return None
    return max(0.0, date.timestamp() - (time.time() if now is None else now))
