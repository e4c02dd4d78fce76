"""Small couples with a pattern at every therapist's turn, and what a run says of itself."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from relgraph.evaluation.plan import relationships_digest
from relgraph.evaluation.runner import Data
from relgraph.records import (
    Annotation,
    Case,
    Conversation,
    Cost,
    Prediction,
    Relation,
    Strategy,
    Turn,
    View,
)
from relgraph.tasks import rpp, stp

PATTERNS = {
    "p": "pursue_withdraw",
    "a": "attack_attack",
    "w": "withdraw_withdraw",
    "r": "repair_softening",
}
TASKS = {"rpp": rpp.TASK, "stp": stp.TASK}
Said = Mapping[str, Sequence[str]]
"""Conversation -> an answer a turn: a letter of `PATTERNS` (STP: a name), `!` for a failure."""
WriteRun = Callable[..., Path]


def talk(
    name: str, labels: str, *, relationship: str = "", scenario: str = "couple"
) -> Conversation:
    """Ann speaks at odd turns, the therapist at even ones; there the patterns are `labels`."""
    turns, gold = [], []
    for place, letter in enumerate(labels):
        turns.append(Turn(2 * place + 1, "Ann", f"{name} says {place}", ("Bob",), "given"))
        turns.append(Turn(2 * place + 2, "Therapist", "I see.", ("Ann",), "given"))
        field = "relation_cycle_state" if scenario == "couple" else "relation_pattern"
        gold += [
            Annotation(),
            Annotation(
                relations=(Relation(field, PATTERNS[letter]),),  # type: ignore[arg-type]
                strategies=(Strategy("Therapist", ("Ann",), "track"),),
            ),
        ]
    return Conversation(
        id=name,
        turns=tuple(turns),
        gold=tuple(gold),
        scenario=scenario,
        participants=("Ann", "Bob"),
        relationship=relationship or name,
    )


def data_of(*talks: Conversation) -> Data:
    return Data(talks, "talks.jsonl", "digest-1")


def cases_in(data: Data, task: str = "rpp") -> dict[str, Case]:
    found = (case for c in data.conversations for case in TASKS[task].cases(c, View()))
    return {case.instance.id: case for case in found}


def prediction(
    case: Case, letter: str, *, tokens: int = 0, calls: tuple[str, ...] = ()
) -> Prediction:
    if letter == "!":
        return Prediction(case.instance.id, failure="it broke")
    label = PATTERNS.get(letter, letter)
    return Prediction(case.instance.id, (label,), cost=Cost(prompt_tokens=tokens), calls=calls)


def what_of(
    data: Data, approaches: Sequence[str], tasks: Sequence[str], **more: Any
) -> dict[str, Any]:
    view = {
        "mode": "dialogue",
        "addressee": "given",
        "protocol": more.pop("protocol", "strict"),
        "context_turns": dict.fromkeys(tasks, more.pop("context", -1)),
    }
    return {
        "protocol": view["protocol"],
        "approaches": list(approaches),
        "floors": more.pop("floors", []),
        "tasks": list(tasks),
        "limit": more.pop("limit", 0),
        "data": {
            "source": data.source,
            "digest": more.pop("digest", data.digest),
            "relationships_sha256": relationships_digest(data.conversations),
        },
        "settings": {"model": "mock", "blocks": [], "seed": 0, "view": view, **more},
    }
