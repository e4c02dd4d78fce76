"""The file of learnt weights: by rule, bound to the texts of the rules they were learnt for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relgraph.errors import DataError
from relgraph.files import open_text, write_json

if TYPE_CHECKING:
    from relgraph.reasoning.ruleset import RuleSet

FORMAT = "relgraph rule weights"
VERSION = 1
LARGEST = 1e6
"""No number of a file is larger: a weight that large was never learnt."""
RETRAIN = "Train again: relgraph train-rules --data FILE -o FILE"


@dataclass(frozen=True, slots=True)
class Trained:
    """A conversation that weights were learnt from."""

    id: str
    fingerprint: str
    relationship: str


@dataclass(frozen=True, slots=True)
class Weighing:
    """The weights of one task in one scenario.

    Attributes:
        task: name of the task.
        scenario: of the conversations it was learnt from.
        half_lives: turns after which what a rule said counts half; a weight each.
        options: the labels; () where options are people.
        bias: kind of instance (or of person) -> one number a label (or one).
        weights: rule id -> option -> one weight a half-life; people have the one option "".
    """

    task: str
    scenario: str
    half_lives: tuple[float, ...]
    options: tuple[str, ...]
    bias: Mapping[str, tuple[float, ...]]
    weights: Mapping[str, Mapping[str, tuple[float, ...]]]


@dataclass(frozen=True, slots=True)
class Weights:
    """All that a weights file holds.

    Attributes:
        weighings: one a task and scenario.
        rules: id -> hash of the text, of every rule of the set that was learnt for; a rule is also
            changed by a change in the rules it is made of.
        trained_on: the conversations.
        settings: what was shown in training, as JSON values.
        reader: the trained reader of utterances, as JSON values of its own.
    """

    weighings: tuple[Weighing, ...]
    rules: Mapping[str, str]
    trained_on: tuple[Trained, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    reader: Mapping[str, Any] = field(default_factory=dict)


def write_weights(path: Path, weights: Weights) -> None:
    """Writes the file whole, as JSON.

    Raises:
        RunError: the place cannot be written.
    """
    write_json(path, {"format": FORMAT, "version": VERSION, **asdict(weights)})


def read_weights(path: Path, rules: RuleSet) -> Weights:
    """Returns the weights of a file, if they were learnt for these rules.

    Raises:
        DataError: the file is missing, damaged or of another form.
        DataError: a rule has changed since, is gone, or is new.
    """
    value = _json(path)
    try:
        found = _weights(value)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise DataError(f"{path}: not a whole weights file ({error!r}). {RETRAIN}") from None
    _refuse_other_rules(path, found.rules, {rule.id: rule.hash for rule in rules.rules})
    return found


def _json(path: Path) -> Mapping[str, Any]:
    with open_text(path) as file:
        try:
            value = json.load(file)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{path}: not JSON ({error}). {RETRAIN}") from None
    form = value.get("format") if isinstance(value, dict) else None
    if form != FORMAT:
        raise DataError(
            f"{path}: no weights file: its `format` is {_short(form)}, wanted {FORMAT!r}. {RETRAIN}"
        )
    if value.get("version") != VERSION:
        raise DataError(
            f"{path}: version {_short(value.get('version'))} of the form, this relgraph reads "
            f"{VERSION}. {RETRAIN}"
        )
    found: Mapping[str, Any] = value
    return found


def _short(value: object) -> str:
    return repr(value)[:60]


def _weights(value: Mapping[str, Any]) -> Weights:
    weighings = tuple(map(_weighing, value["weighings"]))
    if len({(w.task, w.scenario) for w in weighings}) < len(weighings):
        raise ValueError("a task and scenario is weighed twice")
    return Weights(
        weighings=weighings,
        rules={str(k): str(v) for k, v in value["rules"].items()},
        trained_on=tuple(
            Trained(str(t["id"]), str(t["fingerprint"]), str(t["relationship"]))
            for t in value["trained_on"]
        ),
        settings=dict(value["settings"]),
        reader=dict(value["reader"]),
    )


def _weighing(value: Mapping[str, Any]) -> Weighing:
    half_lives = _numbers(value["half_lives"])
    options = tuple(map(str, value["options"]))
    bias = {str(kind): _numbers(row) for kind, row in value["bias"].items()}
    weights = {
        str(rule): {str(option): _numbers(row) for option, row in rows.items()}
        for rule, rows in value["weights"].items()
    }
    if any(h <= 0 for h in half_lives):
        raise ValueError("a half-life is not above 0")
    if not bias:
        raise ValueError("no bias")
    if any(len(row) != max(1, len(options)) for row in bias.values()):
        raise ValueError("a bias has not one number an option")
    for rule, rows in weights.items():
        if any(len(row) != len(half_lives) for row in rows.values()):
            raise ValueError(f"rule {rule} has not one weight a half-life")
        if unknown := set(rows) - set(options or ("",)):
            raise ValueError(f"rule {rule} has weights for {sorted(unknown)}")
    return Weighing(str(value["task"]), str(value["scenario"]), half_lives, options, bias, weights)


def _numbers(row: Sequence[Any]) -> tuple[float, ...]:
    found = tuple(float(x) for x in row)
    if not all(abs(x) <= LARGEST for x in found):
        raise ValueError(f"a number is not finite, or beyond {LARGEST:g}")
    return found


def _refuse_other_rules(path: Path, learnt: Mapping[str, str], present: Mapping[str, str]) -> None:
    for rule, text in learnt.items():
        if rule not in present:
            raise DataError(
                f"{path}: rule {rule} is in this file and not among the rules in use. "
                f"Use the rules that the weights were learnt for, or learn anew. {RETRAIN}"
            )
        if present[rule] != text:
            raise DataError(
                f"{path}: rule {rule} has changed since its weight was learnt (text hash "
                f"{text[:12]}, now {present[rule][:12]}). Use the rule as it was, or "
                f"learn anew. {RETRAIN}"
            )
    for rule in present:
        if rule not in learnt:
            raise DataError(
                f"{path}: rule {rule} has no learnt weight: it was not there in "
                f"training. Leave it out, or learn anew. {RETRAIN}"
            )
