"""Asking over a network: what is tried again, how long to wait, how a reply is read."""

from __future__ import annotations

import email.utils
import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import Event
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from relgraph.errors import RunError
from relgraph.llm_bridge.backends._base import Reply

BYTES_PER_TOKEN = 3.5
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
LONGEST_ASKED_WAIT_S = 600.0
"""A server that asks for more has run out for today; the run ends, to be resumed."""

RETRIED = frozenset({408, 409, 425, 429})
NEVER_RETRIED = frozenset({501})
LENIENT = ConfigDict(extra="ignore")


class Rejected(Exception):  # noqa: N818 (an answer of the server, not a fault of ours)
    """A request that the server turned down and that is not worth the same try again."""

    def __init__(
        self, status: int, said: str, *, code: str = "", parameter: str = "", retries: int = 0
    ) -> None:
        super().__init__(said)
        self.status = status
        self.said = said
        self.code = code
        self.parameter = parameter
        self.retries = retries


class Garbled(Exception):  # noqa: N818 (as above)
    """A reply with a good status that is no chat completion; may be a proxy's hiccup."""

    def __init__(self, said: str, body: str) -> None:
        super().__init__(said)
        self.body = body


class _Message(BaseModel):
    model_config = LENIENT
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    model_config = LENIENT
    message: _Message
    finish_reason: str | None = None


class _Details(BaseModel):
    model_config = LENIENT
    cached_tokens: int | None = None


class _Usage(BaseModel):
    model_config = LENIENT
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: _Details | None = None


class _Completion(BaseModel):
    model_config = LENIENT
    choices: list[_Choice]
    usage: _Usage | None = None


def read_completion(body: str) -> Reply:
    """Returns the reply in the body of a chat completion.

    Raises:
        Garbled: the body is not one.
    """
    try:
        completion = _Completion.model_validate(json.loads(body))
        choice = completion.choices[0]
    except (ValueError, ValidationError, IndexError, RecursionError) as error:
        kind = "no choices" if isinstance(error, IndexError) else "not a chat completion"
        raise Garbled(f"garbled: the server's reply is {kind}", body[:2000]) from None
    usage = completion.usage or _Usage()
    details = usage.prompt_tokens_details or _Details()
    refusal = (choice.message.refusal or "").strip()
    return Reply(
        text=choice.message.content or refusal,
        finish=choice.finish_reason or "stop",
        prompt_tokens=usage.prompt_tokens,
        cached_tokens=details.cached_tokens or 0,
        answer_tokens=usage.completion_tokens,
        failure=f"refused: {refusal[:200]}" if refusal else "",
    )


@dataclass(frozen=True, slots=True)
class _Fault:
    """One failed try: what it was, how long the server asks to wait, what came in its place."""

    cause: str
    wait_s: float | None = None
    body: str = ""


class Retrying:
    """Tries again what may pass: limits, server faults, timeouts, lost connections.

    Waits as long as the server asks (Retry-After), else twice as long each time with jitter, so
    that requests turned down together do not come back together.
    """

    def __init__(self, *, retries: int) -> None:
        self._retries = retries
        self._stop = Event()

    @property
    def stopped(self) -> bool:
        """Whether the waiting has been ended."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Ends the waiting of all threads; their questions come back as failures."""
        self._stop.set()

    def run(self, send: Callable[[], Reply], *, redact: Callable[[str], str]) -> Reply:
        """Returns the reply, or one with the cause of the last failure when tries ran out.

        Raises:
            Rejected: the server turns the request down for good.
            RunError: the server asks to wait longer than a run should.
        """
        fault = _Fault("stopped")
        for tries in range(self._retries + 1):
            if self.stopped:
                break
            answer = _try(send, tries)
            if isinstance(answer, Reply):
                return answer
            fault = answer
            if tries < self._retries:
                self._stop.wait(_wait_s(fault, tries))
        after = f" after {self._retries + 1} tries" if self._retries else ""
        return Reply(
            text=redact(fault.body),
            retries=self._retries,
            failure=f"{redact(fault.cause)}{after}",
        )


def _try(send: Callable[[], Reply], tries: int) -> Reply | _Fault:
    import openai

    try:
        reply = send()
    except (TimeoutError, openai.APITimeoutError):
        return _Fault("timeout: no answer in time")
    except openai.APIConnectionError as error:
        return _Fault(f"connection: {error.__cause__ or error}")
    except openai.APIStatusError as error:
        return _status_fault(error, tries)
    except Garbled as error:
        return _Fault(str(error), body=error.body)
    return replace(reply, retries=tries)


def rejection(error: Any, tries: int) -> Rejected:
    """Returns what the server said when it turned a request down, whatever form that has."""
    body = error.body if isinstance(error.body, Mapping) else {}
    said = body.get("message") or body.get("detail") or error.response.text or error.message
    return Rejected(
        error.status_code,
        str(said),
        code=str(body.get("code") or ""),
        parameter=str(body.get("param") or ""),
        retries=tries,
    )


def _status_fault(error: Any, tries: int) -> _Fault:
    turned_down = rejection(error, tries)
    status = turned_down.status
    passing = status in RETRIED or (status >= 500 and status not in NEVER_RETRIED)
    if not passing or turned_down.code == "insufficient_quota" or _names_format(turned_down):
        raise turned_down
    wait_s = asked_wait_s(error.response.headers)
    if wait_s is not None and wait_s > LONGEST_ASKED_WAIT_S:
        raise RunError(
            f"the server asks to wait {wait_s:.0f} s (HTTP {status}). Run the same command again "
            f"later: it goes on where it stopped."
        )
    return _Fault(f"HTTP {status}: {turned_down.said[:200]}", wait_s=wait_s)


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
    except ValueError:
        return None
    return max(0.0, date.timestamp() - (time.time() if now is None else now))


def _wait_s(fault: _Fault, tries: int) -> float:
    if fault.wait_s is not None:
        return fault.wait_s
    most = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0**tries)
    return most * (0.5 + random.random() / 2)
