"""A trained model as a folder: weights in safetensors, everything else in JSON one can read.

`model.safetensors` holds the members' weights, those of the interaction-feature model and the
vectors of the phrase bank; `phrases.json` the bank's phrases; `card.json` what it is and what it
was trained on. Nothing is pickled. The folder derives from the training data, annotated phrases
included: it is as sensitive as the data.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib import metadata
from math import isfinite
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from relgraph.baselines._channels import CHANNELS
from relgraph.baselines._interaction.model import Model
from relgraph.baselines._interaction.reading import shown
from relgraph.baselines._interaction.saved import of_arrays, to_arrays
from relgraph.baselines._links import EDGES
from relgraph.baselines._phrases import Phrases
from relgraph.baselines._structure import CUT_FEATURES, PERSON_FEATURES, ROLES, TURN_FEATURES
from relgraph.baselines.gnn.answer import Ensemble
from relgraph.baselines.gnn.heads import INTENSITIES, build
from relgraph.baselines.gnn.losses import share
from relgraph.baselines.gnn.model import Shape
from relgraph.baselines.gnn.recipe import Recipe, recipe_of
from relgraph.errors import DataError, RelgraphError
from relgraph.files import write_json
from relgraph.labels import PATTERNS, STRATEGIES, UTTERANCE_TYPES
from relgraph.records import MODES, Mode

FORMAT, VERSION = "relgraph-gnn", 2
MODEL, CARD, PHRASES = "model.safetensors", "card.json", "phrases.json"
FILES = (MODEL, CARD, PHRASES)
NOTE = (
    "Derived from the training data, annotated phrases included: treat it as sensitive as the "
    "data. Not for diagnosis, risk assessment, custody, surveillance or scoring of people."
)
LARGEST_SIZE = 100_000
"""Of an input: a card that says more is damaged."""
VERSIONED = ("relgraph", "torch", "torch-geometric", "safetensors", "numpy")


@dataclass(frozen=True, slots=True)
class Card:
    """What a checkpoint says of itself.

    Attributes:
        shape: sizes that the training data decided.
        recipe: how it was built and trained.
        chosen_on: fingerprints (`conversations`) and `relationships` that the recipe was chosen on
            beyond the training conversations.
        temperatures: task -> what its logits are divided by.
        intensity: log frequency of each level of the training intensities.
        scenarios: task -> scenarios whose labels it was trained on.
        embedder: name, identity and dim of the embedder.
        mode: the channels that training saw.
        rules: which rules and cues the network reads; empty where it reads none.
        settings: seed, epochs and view of the training, for the reader.
        conversations: id, fingerprint and relationship of each training conversation.
        data: SHA-256 of the training conversations.
        training: losses of each member in its last epoch.
    """

    shape: Shape
    recipe: Recipe
    chosen_on: Mapping[str, Sequence[str]]
    temperatures: Mapping[str, float]
    intensity: Sequence[float]
    scenarios: Mapping[str, Sequence[str]]
    embedder: Mapping[str, Any]
    mode: Mode
    rules: Mapping[str, Any]
    settings: Mapping[str, Any]
    conversations: Sequence[Mapping[str, str]]
    data: str
    training: Sequence[Mapping[str, Any]]


def save(folder: Path, ensemble: Ensemble, card: Card) -> None:
    """Writes the checkpoint whole; an earlier checkpoint in its place is replaced.

    Raises:
        RelgraphError: there is something else in its place.
    """
    from safetensors.torch import save_file

    check_place(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        save_file(_tensors(ensemble), part / MODEL, metadata={"format": FORMAT})
        write_json(part / PHRASES, ensemble.phrases.strings())
        files = {name: _digest(part / name) for name in (MODEL, PHRASES)}
        partner = to_arrays(ensemble.partner)[1] if ensemble.partner else None
        write_json(part / CARD, {**_card_json(card, files), "partner": partner})
        _replace(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def load(folder: Path, device: torch.device) -> tuple[Ensemble, Card]:
    """Returns the model in `folder` and its card.

    Raises:
        DataError: a file is missing or damaged, or the format, the features or the label sets
            are not those of this version.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    head = _read_json(folder, CARD)
    _check_format(folder, head)
    files = head.get("files")
    for name in (MODEL, PHRASES):
        path = folder / name
        wanted = files.get(name) if isinstance(files, dict) else None
        if not path.is_file() or _digest(path) != wanted:
            raise _damaged(folder, name, "it is missing, or its SHA-256 is not the card's")
    strings = _read_json(folder, PHRASES)
    try:
        card = _card(head)
        tensors = _finite(load_file(folder / MODEL))
        members = tuple(
            build(card.shape, card.recipe, _below(tensors, f"member.{k}."), device)
            for k in range(card.recipe.members)
        )
        phrases = Phrases.of(
            strings, {k: t.numpy() for k, t in _below(tensors, "phrases.").items()}
        )
        partner = _partner(head.get("partner"), _below(tensors, "partner."), card)
        if phrases.felt_vectors.shape[1] != card.shape.dim:
            raise ValueError(f"vectors of phrases are not of length {card.shape.dim}")
        scenarios = {task: frozenset(names) for task, names in card.scenarios.items()}
    except (SafetensorError, OSError) as error:
        raise _damaged(folder, MODEL, str(error)) from None
    except (
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        ArithmeticError,
        RuntimeError,
        DataError,
    ) as error:
        cause = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise _damaged(folder, CARD, f"card and files do not fit together: {cause}") from None
    ensemble = Ensemble(
        members=members,
        phrases=phrases,
        intensity=torch.tensor(card.intensity),
        temperatures=card.temperatures,
        scenarios=scenarios,
        device=device,
        guesses=bool(share("feeling", card.recipe)),
        partner=partner,
        share=card.recipe.share,
    )
    return ensemble, card


def check_place(folder: Path) -> None:
    """Raises an error unless `folder` is free, empty, or holds a checkpoint and nothing else."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise RelgraphError(f"{folder}: is a file; a folder for the checkpoint was wanted.")
    others = sorted({p.name for p in folder.iterdir()} - set(FILES))
    if others:
        raise RelgraphError(
            f"{folder}: holds {others[0]!r}, which is no part of a checkpoint, and would be "
            f"replaced. Choose another folder."
        )


def _replace(part: Path, folder: Path) -> None:
    part.chmod(0o700)
    if folder.exists():
        old = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
        folder.replace(old / "old")
        part.replace(folder)
        shutil.rmtree(old, ignore_errors=True)
    else:
        part.replace(folder)


def _tensors(ensemble: Ensemble) -> dict[str, Tensor]:
    found = {
        f"phrases.{name}": torch.from_numpy(array)
        for name, array in ensemble.phrases.arrays().items()
    }
    if ensemble.partner:
        arrays = to_arrays(ensemble.partner)[0]
        found |= {f"partner.{name}": torch.from_numpy(values) for name, values in arrays.items()}
    for k, net in enumerate(ensemble.members):
        found |= {f"member.{k}.{name}": t.cpu() for name, t in net.state_dict().items()}
    return {name: t.contiguous() for name, t in found.items()}


def _taxonomy() -> dict[str, Any]:
    return {
        "patterns": {scenario: list(labels) for scenario, labels in PATTERNS.items()},
        "strategies": {scenario: list(labels) for scenario, labels in STRATEGIES.items()},
        "utterance_types": list(UTTERANCE_TYPES),
    }


def _inputs() -> dict[str, list[str]]:
    return {
        "turn": list(TURN_FEATURES),
        "role": list(ROLES),
        "cut": list(CUT_FEATURES),
        "person": list(PERSON_FEATURES),
        "edges": list(EDGES),
        "channels": list(CHANNELS),
    }


def _card_json(card: Card, files: Mapping[str, str]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "note": NOTE,
        "files": dict(files),
        **asdict(card),
        "labels": _taxonomy(),
        "inputs": _inputs(),
        "versions": {name: _version(name) for name in VERSIONED},
    }


def _card(head: Mapping[str, Any]) -> Card:
    shape = Shape(**head["shape"])
    known = type(shape.dim) is int and 0 < shape.dim <= LARGEST_SIZE
    found = (shape.found, shape.found_role)
    if not known or not all(type(n) is int and 0 <= n <= LARGEST_SIZE for n in found):
        raise ValueError(f"sizes {shape} of the inputs")
    rules = dict(head.get("rules", {}))
    heads = len(rules.get("heads", ()))
    if found != (len(rules.get("cues", ())) + heads, 2 * heads):
        raise ValueError(f"{found} features of rules, which are not those of its cues and heads")
    if not head["conversations"]:
        raise ValueError("no conversation")
    return Card(
        shape=shape,
        recipe=recipe_of(head["recipe"], where="its recipe"),
        chosen_on={
            name: tuple(map(str, head["chosen_on"][name]))
            for name in ("conversations", "relationships")
        },
        temperatures=_heats(head["temperatures"]),
        intensity=_levels(head["intensity"]),
        scenarios={task: tuple(names) for task, names in head["scenarios"].items()},
        embedder={name: head["embedder"][name] for name in ("name", "identity", "dim")},
        mode=_mode(head["mode"]),
        rules=rules,
        settings=head["settings"],
        conversations=[
            {name: str(c[name]) for name in ("id", "fingerprint", "relationship")}
            for c in head["conversations"]
        ],
        data=str(head["data"]),
        training=head["training"],
    )


def _finite(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    for name, tensor in tensors.items():
        if not torch.isfinite(tensor).all():
            raise ValueError(f"{name} has a number that is not finite")
    return tensors


def _partner(found: object, arrays: Mapping[str, Tensor], card: Card) -> Model | None:
    if found is None:
        return None
    if not isinstance(found, dict):
        raise TypeError("its partner is no object")
    model = of_arrays({name: t.numpy() for name, t in arrays.items()}, found)
    reads, wanted = (model.channels, model.dim), (shown(card.mode), card.shape.dim)
    if reads != wanted:
        raise ValueError(f"the interaction-feature model reads {reads}, wanted {wanted}")
    return model


def _mode(value: Any) -> Mode:
    if value not in MODES:
        raise ValueError(f"mode {value!r}")
    return MODES[MODES.index(value)]


def _heats(values: Mapping[str, Any]) -> dict[str, float]:
    found = {str(task): float(heat) for task, heat in values.items()}
    if not all(0 < heat < float("inf") for heat in found.values()):
        raise ValueError(f"temperatures {found}")
    return found


def _levels(values: Sequence[Any]) -> tuple[float, ...]:
    found = tuple(float(value) for value in values)
    if len(found) != INTENSITIES or not all(isfinite(value) for value in found):
        raise ValueError(f"{len(found)} levels of intensity, or one that is no number")
    return found


def _check_format(folder: Path, head: Mapping[str, Any]) -> None:
    got = (head.get("format"), head.get("version"))
    if got != (FORMAT, VERSION):
        raise DataError(
            f"{folder / CARD}: is of format {got[0]!r} version {got[1]!r}, wanted {FORMAT!r} "
            f"version {VERSION}. Train it again with `relgraph train-gnn`."
        )
    for name, wanted in (("labels", _taxonomy()), ("inputs", _inputs())):
        got_parts = head.get(name)
        got_parts = got_parts if isinstance(got_parts, dict) else {}
        for part, members in wanted.items():
            if got_parts.get(part) != members:
                raise DataError(
                    f"{folder / CARD}: was trained with other {name} ({part}: "
                    f"{_difference(got_parts.get(part), members)}). Train it again with "
                    f"`relgraph train-gnn`, or use the version of relgraph that made it "
                    f"({_made_by(head)})."
                )


def _made_by(head: Mapping[str, Any]) -> str:
    versions = head.get("versions")
    return str(versions.get("relgraph", "unknown")) if isinstance(versions, dict) else "unknown"


def _difference(got: Any, wanted: Any) -> str:
    """Returns what is too much and what is missing in `got`, in few words."""
    have, want = _words(got), _words(wanted)
    extra, missing = sorted(have - want)[:3], sorted(want - have)[:3]
    said = [f"has {', '.join(extra)}"] * bool(extra) + [f"lacks {', '.join(missing)}"] * bool(
        missing
    )
    return "; ".join(said) or "the order differs"


def _words(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {f"{key}.{item}" for key, items in value.items() for item in _words(items)}
    return {str(item) for item in value} if isinstance(value, list) else set()


def _read_json(folder: Path, name: str) -> dict[str, Any]:
    path = folder / name
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(
            f"{folder}: is no checkpoint: it has no {name}. A checkpoint is a folder with "
            f"{', '.join(FILES)}; make one with `relgraph train-gnn --data FILE -o {folder}`."
        ) from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}).") from None
    except (ValueError, RecursionError) as error:
        raise _damaged(folder, name, f"no JSON text ({error})") from None
    if not isinstance(value, dict):
        raise _damaged(folder, name, "no JSON object")
    return value


def _damaged(folder: Path, name: str, cause: str) -> DataError:
    return DataError(
        f"{folder / name}: damaged checkpoint: {cause}. Copy it again from where it came from, "
        f"or train it again with `relgraph train-gnn`."
    )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        digest = sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"


def _below(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name[len(prefix) :]: t for name, t in tensors.items() if name.startswith(prefix)}
