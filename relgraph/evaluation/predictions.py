"""Instances for a stranger to answer, and the answers: JSON lines both (docs/predictions.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from relgraph.errors import DataError
from relgraph.evaluation._codec import from_json, invalid
from relgraph.files import open_text, whole
from relgraph.records import Case, Instance, Prediction, ProtocolName, Turn
from relgraph.registry import load

MOST_ERRORS = 20


def write_instances(path: Path, cases: Iterable[Case], *, protocol: ProtocolName) -> int:
    """Writes the instances without their answers, one JSON object a line; returns how many."""
    count = 0
    with whole(path) as part, part.open("w", encoding="utf-8") as file:
        for case in cases:
            row = instance_row(case.instance, protocol=protocol)
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


def instance_row(instance: Instance, *, protocol: ProtocolName) -> dict[str, Any]:
    """Returns all that may be known of an instance, as a JSON object."""
    of = instance.conversation
    task = load("task", instance.task)
    row: dict[str, Any] = {
        "instance": instance.id,
        "task": instance.task,
        "protocol": protocol,
        "question": task.question,
        "answer": task.answer,
        "options": list(instance.options),
        "target": instance.target,
        "next_speaker": instance.next_speaker,
        "hints": dict(instance.hints),
        "conversation": of.id,
        "scenario": of.scenario,
        "participants": list(of.participants),
        "supporter": of.supporter,
        "group": of.group,
        "turns": [_turn_row(t) for t in of.turns],
    }
    return {name: value for name, value in row.items() if value or name == "turns"}


def _turn_row(turn: Turn) -> dict[str, Any]:
    row = asdict(turn)
    del row["extra"]
    return {name: value for name, value in row.items() if value not in ("", None, (), [])}


def read_predictions(path: Path, cases: Sequence[Case]) -> dict[str, Prediction]:
    """Returns the predictions of a file by instance; an instance without one has failed.

    Args:
        path: JSON lines, one prediction a line; blank lines are passed over.
        cases: what was to be answered.

    Raises:
        DataError: a line is no prediction, answers an unknown instance, or one a second time; the
            message lists the first 20 such lines.
    """
    known = {case.instance.id: case.instance for case in cases}
    found: dict[str, Prediction] = {}
    line_of: dict[str, int] = {}
    errors = []
    for number, text in _lines(path):
        try:
            prediction = _one(text, known)
        except DataError as error:
            errors.append(f"{path}:{number}: {error}")
            continue
        first = line_of.setdefault(prediction.instance, number)
        if first != number:
            errors.append(
                f"{path}:{number}: instance {prediction.instance!r} was answered in line {first}"
            )
        found[prediction.instance] = prediction
    if errors:
        more = len(errors) - MOST_ERRORS
        tail = f"\n... and {more} more" if more > 0 else ""
        raise DataError(
            "\n".join(errors[:MOST_ERRORS])
            + tail
            + "\nhint: docs/predictions.md has the form; `relgraph instances` writes the instances."
        )
    absent = _absent(path)
    return {name: found.get(name, Prediction(name, failure=absent)) for name in known}


def answered_tasks(
    path: Path, cases: Mapping[str, Sequence[Case]]
) -> tuple[dict[str, tuple[Case, ...]], dict[str, Prediction]]:
    """Returns the tasks that a file answers, with their cases, and its predictions of these.

    A task is answered where the file has a prediction for one of its instances; the others of it
    have failed.

    Raises:
        DataError: as `read_predictions`, or the file answers no task.
    """
    theirs = read_predictions(path, [c for of in cases.values() for c in of])
    absent = _absent(path)
    answered = {
        task: tuple(of)
        for task, of in cases.items()
        if any(theirs[c.instance.id].failure != absent for c in of)
    }
    if not answered:
        raise DataError(
            f"{path}: has no prediction for any of the {len(theirs)} instances. "
            "`relgraph instances` writes them; docs/predictions.md has the form."
        )
    kept = [c.instance.id for of in answered.values() for c in of]
    return answered, {name: theirs[name] for name in kept}


def _absent(path: Path) -> str:
    return f"no prediction in {path.name}"


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with open_text(path) as file:
        for number, text in enumerate(file, start=1):
            if text.strip():
                yield number, text


def _one(text: str, known: Mapping[str, Instance]) -> Prediction:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"not JSON ({error})") from None
    prediction = from_json(row)
    instance = known.get(prediction.instance)
    if instance is None:
        raise DataError(
            f"instance {prediction.instance!r} is none of the {len(known)} asked for; were they "
            "exported from other data, or with other options?"
        )
    if wrong := invalid(prediction, instance) or _lacks(prediction, instance, row):
        raise DataError(f"the prediction for task {instance.task} {wrong}")
    return prediction


def _lacks(prediction: Prediction, instance: Instance, row: Mapping[str, Any]) -> str:
    """Returns what an answer to VP lacks: without a list nothing is said, and `[]` says none."""
    asked = load("task", instance.task).answer == "viewpoints" and not prediction.failure
    return (
        "has no viewpoints; `[]` says there are none" if asked and "viewpoints" not in row else ""
    )
