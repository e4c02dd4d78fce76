"""Asking once more: what may pass is tried again, as often as allowed and not all at once."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType

from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.backends._gate import Entry, Gate
from relgraph.llm_bridge.backends._http import Fault, Rejected, fault_of

FIRST_WAIT_S = 0.25
"""After a fault of one request alone. It may be short: what befalls all is the gate's affair."""

FIRST_REST_S = 1.0
"""For a server that has too much to do, or is not there."""

LONGEST_WAIT_S = 30.0
SPREAD = 0.1
"""What is added at most to a wait that a server asks for, as a share of it."""


def ask(
    send: Callable[[], Reply],
    gate: Gate,
    sdk: ModuleType,
    *,
    retries: int,
    lost: Callable[[], None],
) -> Reply:
    """Returns the reply, or one with the cause of the last failure when the tries ran out.

    Waits between tries as long as the server asks (Retry-After), else twice as long each time,
    with jitter, so that requests turned down together do not come back together.

    Args:
        send: makes one try.
        gate: of the endpoint.
        sdk: the client library whose errors `send` raises.
        retries: tries after the first.
        lost: called when the last try lost its connection; raises where the endpoint is gone.

    Raises:
        Rejected: the server turns the request down for good.
        RunError: the server asks to wait longer than a run should, or asking was stopped.
        GivenUp: the endpoint is down.
    """
    request, fault = gate.number(), Fault("not asked")
    for tries in range(retries + 1):
        outcome = _one(send, gate, gate.enter(request), sdk)
        if isinstance(outcome, Reply):
            return replace(outcome, retries=tries)
        fault = outcome
        if tries < retries:
            gate.wait(_wait_s(fault, tries))
    if fault.is_lost and not gate.is_stopped:
        # One answer lost is one failed item; an endpoint gone fails the run, to be resumed.
        lost()
    gate.wait_for_verdict()
    after = f" after {retries + 1} tries" if retries else ""
    return Reply(text=fault.body, retries=retries, failure=f"{fault.cause}{after}")


def _one(send: Callable[[], Reply], gate: Gate, entry: Entry, sdk: ModuleType) -> Reply | Fault:
    try:
        outcome = _try(send, sdk)
    except Rejected:
        gate.answered(entry)
        raise
    except BaseException:
        gate.left(entry)
        raise
    if isinstance(outcome, Reply):
        gate.answered(entry)
    elif gate.is_stopped:
        gate.left(entry)  # it was broken off from here
    elif outcome.is_overload:
        gate.turned_down(entry, outcome.cause, outcome.wait_s)
    else:
        gate.failed(entry, outcome.cause)
    return outcome


def _try(send: Callable[[], Reply], sdk: ModuleType) -> Reply | Fault:
    try:
        return send()
    except Exception as error:
        return fault_of(error, sdk)


def _wait_s(fault: Fault, tries: int) -> float:
    if fault.wait_s is not None:
        return fault.wait_s * (1 + SPREAD * random.random())
    first_s = FIRST_REST_S if fault.is_overload or fault.is_lost else FIRST_WAIT_S
    most = min(LONGEST_WAIT_S, first_s * 2.0**tries)
    return most * (0.5 + random.random() / 2)
