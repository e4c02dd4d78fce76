"""Predictions as JSON objects and back, and what makes one valid for its instance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from math import inf, isfinite
from typing import Any

from relgraph.errors import DataError
from relgraph.records import Cost, Emotion, Instance, Prediction, Viewpoint
from relgraph.registry import load

TOLERANCE = 1e-4
LARGEST_INTENSITY = 10
FIELDS = frozenset(
    {
        "instance",
        "ranking",
        "probabilities",
        "emotion",
        "viewpoints",
        "because",
        "cost",
        "failure",
        "raw",
        "calls",
    }
)


def to_json(prediction: Prediction) -> dict[str, Any]:
    """Returns a prediction as a JSON object; fields that say nothing are left out."""
    row: dict[str, Any] = {"instance": prediction.instance}
    if prediction.failure:
        row["failure"] = prediction.failure
    for name in ("ranking", "probabilities", "because", "calls"):
        if value := getattr(prediction, name):
            row[name] = list(value)
    if prediction.emotion is not None:
        row["emotion"] = asdict(prediction.emotion)
    if not prediction.failure and not prediction.ranking and prediction.emotion is None:
        row["viewpoints"] = [asdict(v) for v in prediction.viewpoints]
    if prediction.raw:
        row["raw"] = prediction.raw
    if prediction.cost != Cost():
        row["cost"] = asdict(prediction.cost)
    return row


def from_json(row: Any) -> Prediction:
    """Returns the prediction that a JSON object holds.

    Raises:
        DataError: it is not an object, lacks its instance, or a field is unknown or of another
            type; the message says which field, what was got and what was wanted.
    """
    if not isinstance(row, Mapping):
        raise DataError(f"got {_short(row)}, wanted a JSON object")
    if unknown := sorted(set(row) - FIELDS):
        raise DataError(f"unknown field {unknown[0]!r}; known are {', '.join(sorted(FIELDS))}")
    try:
        return Prediction(
            instance=_text(row, "instance", needed=True),
            ranking=tuple(_list(row, "ranking", str)),
            probabilities=tuple(float(p) for p in _list(row, "probabilities", float)),
            emotion=_emotion(row.get("emotion")),
            viewpoints=tuple(_viewpoint(v) for v in _list(row, "viewpoints", Mapping)),
            because=tuple(_list(row, "because", str)),
            cost=_cost(row.get("cost")),
            failure=_text(row, "failure"),
            raw=_text(row, "raw"),
            calls=tuple(_list(row, "calls", str)),
        )
    except OverflowError as error:
        raise DataError(f"a number beyond all bounds ({error})") from None


def invalid(prediction: Prediction, instance: Instance) -> str:
    """Returns what makes a prediction no answer to its instance, "" when it is one.

    A ranking holds options of the instance, each once; it may leave some out. Probabilities are
    one for each place of the ranking and sum to 1, or to less where the ranking leaves some out.
    """
    if prediction.instance != instance.id:
        return f"is for instance {prediction.instance!r}, wanted {instance.id!r}"
    if prediction.failure:
        said = prediction.ranking or prediction.emotion or prediction.viewpoints
        return "has an answer and a cause of failure" if said else ""
    if instance.options:
        return _invalid_ranking(prediction, instance.options)
    if prediction.ranking or prediction.probabilities:
        return f"has a ranking, and task {instance.task} has no options"
    if load("task", instance.task).answer == "emotion":
        return _invalid_emotion(prediction.emotion)
    return "has an emotion, and viewpoints were asked for" if prediction.emotion else ""


def _invalid_ranking(prediction: Prediction, options: Sequence[str]) -> str:
    ranking, probabilities = prediction.ranking, prediction.probabilities
    if not ranking:
        return "has neither a ranking nor a cause of failure"
    if strange := [option for option in ranking if option not in options]:
        return f"ranks {strange[0]!r}, which is none of the options {', '.join(options)}"
    if len(set(ranking)) < len(ranking):
        return "ranks an option twice"
    if not probabilities:
        return ""
    if len(probabilities) != len(ranking):
        return f"has {len(probabilities)} probabilities for {len(ranking)} ranked options"
    if not all(isfinite(p) and -TOLERANCE <= p <= 1 + TOLERANCE for p in probabilities):
        return f"has a probability outside 0 to 1: {list(probabilities)}"
    total = sum(probabilities)
    if total > 1 + TOLERANCE or (len(ranking) == len(options) and total < 1 - TOLERANCE):
        return f"has probabilities that sum to {total:.6g}, wanted 1"
    return ""


def _invalid_emotion(emotion: Emotion | None) -> str:
    if emotion is None:
        return "has neither an emotion nor a cause of failure"
    if not emotion.phrase.strip():
        return "has an emotion without a phrase"
    if emotion.intensity is None or not 0 <= emotion.intensity <= LARGEST_INTENSITY:
        return f"has intensity {emotion.intensity}, wanted a number from 0 to {LARGEST_INTENSITY}"
    return ""


def _text(row: Mapping[str, Any], name: str, *, needed: bool = False) -> str:
    value = row.get(name)
    if value is None and not needed:
        return ""
    if not isinstance(value, str) or (needed and not value):
        raise DataError(f"field {name!r}: got {_short(value)}, wanted a string")
    return value


def _list(row: Mapping[str, Any], name: str, kind: type) -> list[Any]:
    value = row.get(name)
    if value is None:
        return []
    kinds = (int, float) if kind is float else (kind,)
    fits = isinstance(value, list) and all(
        isinstance(v, kinds) and not isinstance(v, bool) for v in value
    )
    if not fits:
        words = {str: "strings", float: "numbers"}.get(kind, "objects")
        raise DataError(f"field {name!r}: got {_short(value)}, wanted a list of {words}")
    return list(value)


def _cost(value: Any) -> Cost:
    if value is None:
        return Cost()
    known = tuple(field.name for field in fields(Cost))
    if not isinstance(value, Mapping) or not all(
        name in known and _is_amount(amount, whole=name.endswith(("_tokens", "_calls")))
        for name, amount in value.items()
    ):
        wanted = f"an object of numbers from 0 on: {', '.join(known)}"
        raise DataError(f"field 'cost': got {_short(value)}, wanted {wanted}")
    return Cost(**value)


def _is_amount(value: Any, *, whole: bool) -> bool:
    kinds = int if whole else (int, float)
    return isinstance(value, kinds) and not isinstance(value, bool) and 0 <= value < inf


def _emotion(value: Any) -> Emotion | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise DataError(f"field 'emotion': got {_short(value)}, wanted an object")
    intensity = value.get("intensity")
    if isinstance(intensity, bool) or not isinstance(intensity, int | float):
        raise DataError(f"field 'emotion.intensity': got {_short(intensity)}, wanted a number")
    return Emotion(_text(value, "person"), _text(value, "phrase", needed=True), float(intensity))


def _viewpoint(value: Mapping[str, Any]) -> Viewpoint:
    source, target, viewpoint = (
        _text(value, name, needed=True) for name in ("source", "target", "viewpoint")
    )
    return Viewpoint(source, target, viewpoint, _text(value, "attitude"))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
