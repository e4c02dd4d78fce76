"""The learnt model as plain arrays and JSON values, and back: nothing is pickled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relgraph.baselines._findings import RuleReader
from relgraph.baselines._interaction.aspects import Guess
from relgraph.baselines._interaction.labels import LABELS
from relgraph.baselines._interaction.linear import Scale
from relgraph.baselines._interaction.model import Choice, Heads, Model
from relgraph.baselines._interaction.rows import BLOCKS, CANDIDATE_FEATURES, names_of
from relgraph.baselines._structure import TURN_FEATURES

Arrays = dict[str, NDArray[np.float32]]
SCALE = ("mean", "spread", "weight")


def to_arrays(model: Model) -> tuple[Arrays, dict[str, Any]]:
    """Returns the numbers of a model by name, and what else it is as JSON values."""
    arrays: Arrays = {"guess.weights": model.guess.weights, "guess.bias": model.guess.bias}
    for task, heads in model.heads.items():
        arrays |= _of_scale(task, heads.scale)
        arrays[f"{task}.weights"] = heads.weights
    if model.choice:
        arrays |= _of_scale("stp", model.choice.scale)
        arrays["stp.weights"] = model.choice.weights
    card = {
        "channels": list(model.channels),
        "dim": model.dim,
        "aspects": list(model.guess.names),
        "taught": {task: list(heads.taught) for task, heads in model.heads.items()},
        "stp": model.choice is not None,
        "rules": model.reader.described() if model.reader else {},
        "columns": _columns(model.guess.names),
        "labels": {task: labels.places for task, labels in LABELS.items()},
    }
    return {name: np.ascontiguousarray(values) for name, values in arrays.items()}, card


def of_arrays(
    arrays: Mapping[str, NDArray[np.float32]],
    card: Mapping[str, Any],
    *,
    reader: RuleReader | None = None,
) -> Model:
    """Returns the model that `to_arrays` took apart.

    Args:
        arrays: as `to_arrays` gave them.
        card: likewise, from JSON.
        reader: of the rules that it was trained with; None where it was trained without.

    Raises:
        ValueError: it was made with other features, labels or rules, or a part is missing, of
            another shape, or not a number.
    """
    try:
        return _build(arrays, card, reader)
    except KeyError as missing:
        raise ValueError(f"the interaction-feature model lacks {missing}") from None


def _build(
    arrays: Mapping[str, NDArray[np.float32]], card: Mapping[str, Any], reader: RuleReader | None
) -> Model:
    names = tuple(card["aspects"])
    columns = _columns(names)
    if card["columns"] != columns:
        raise ValueError("the interaction-feature model was made with other features")
    if card["labels"] != {task: labels.places for task, labels in LABELS.items()}:
        raise ValueError("the interaction-feature model was made with other label sets")
    if card["rules"] != (reader.described() if reader else {}):
        raise ValueError("the interaction-feature model was made with other rules or cues")
    bias = _array(arrays, "guess.bias", (len(names),))
    channels, dim = tuple(card["channels"]), int(card["dim"])
    rules = reader.turn_features if reader else 0
    inputs = (len(channels) + 1) * dim + len(TURN_FEATURES) + rules
    heads = {}
    for task, taught in card["taught"].items():
        width, labels = len(columns[task]), LABELS[task]
        scenarios = tuple(labels.places)
        shape = (len(scenarios), width + 1, len(labels.names))
        heads[task] = Heads(
            _scale(arrays, task, width),
            _array(arrays, f"{task}.weights", shape),
            scenarios=scenarios,
            taught=tuple(taught),
        )
    choice = None
    if card["stp"]:
        width = len(CANDIDATE_FEATURES)
        choice = Choice(_scale(arrays, "stp", width), _array(arrays, "stp.weights", (width,)))
    return Model(
        guess=Guess(names, _array(arrays, "guess.weights", (inputs, len(names))), bias),
        heads=heads,
        choice=choice,
        channels=channels,
        dim=dim,
        reader=reader,
    )


def _columns(aspects: tuple[str, ...]) -> dict[str, list[str]]:
    """Returns task -> the names of its columns, which have to be equal for weights to fit."""
    found = {
        task: [name for block in blocks for name in names_of(block, aspects)]
        for task, blocks in BLOCKS.items()
    }
    return {**found, "stp": list(CANDIDATE_FEATURES)}


def _of_scale(task: str, scale: Scale) -> Arrays:
    return {f"{task}.{name}": getattr(scale, name) for name in SCALE}


def _scale(arrays: Mapping[str, NDArray[np.float32]], task: str, width: int) -> Scale:
    mean, spread, weight = (_array(arrays, f"{task}.{name}", (width,)) for name in SCALE)
    return Scale(mean=mean, spread=spread, weight=weight)


def _array(
    arrays: Mapping[str, NDArray[np.float32]], name: str, shape: tuple[int, ...]
) -> NDArray[np.float32]:
    found = np.asarray(arrays[name], np.float32)
    if found.shape != shape:
        raise ValueError(f"{name} has the shape {found.shape}, wanted {shape}")
    if not np.isfinite(found).all():
        raise ValueError(f"{name} has a number that is not finite")
    return found
