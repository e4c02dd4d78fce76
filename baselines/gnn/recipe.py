"""How the network is built and trained: every number that can be chosen, in one record.

A recipe file says one recipe for any training, and may say others for certain sets of training
conversations: those that a nested search chose within each fold (`relgraph tune`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from relgraph.errors import DataError
from relgraph.files import write_json
from relgraph.records import Conversation, fingerprint

FORMAT = "relgraph-recipe/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Sizes, inputs, losses and steps of a training; the defaults are what `gnn` uses.

    Attributes:
        hidden: size of turn and person states, 4 to 1024.
        layers: of message passing between turns, 0 to 8.
        relation: size of what is kept of an ordered pair, a fade; 0 keeps nothing of pairs.
        dropout: share of units dropped in training, in [0, 0.95].
        word_dropout: share of embedding dimensions dropped in training, in [0, 0.95].
        words: whether it reads words, and what the mode shows of tone and behaviour.
        structure: whether it reads who speaks to whom.
        memory: whether people have states of their own that evolve; the group's, which hears
            every turn, evolves in any case.
        timing: whether it reads pauses, durations and overlaps in seconds.
        epochs: passes over the training conversations, 1 to 500.
        members: networks that are averaged, 1 to 32.
        batch: conversations a step, 1 to 256.
        rate: highest learning rate of AdamW, above 0, at most 1.
        decay: weight decay, 0 to 10.
        average: share of the running average of weights that one step keeps, in [0, 1).
        auxiliary: how much the auxiliary heads' losses count, 0 to 10; 0 leaves them out.
        phrases: how much, times `auxiliary`, guessing annotated phrases counts, 0 to 10.
        foresight: how much, times `auxiliary`, guessing the next turn's words counts, 0 to 10.
        balance: how far classes of patterns are balanced, 0 (as they are) to 1 (all the same).
        adjust: how far frequencies of patterns are taken out of the logits in training (logit
            adjustment, Menon et al. 2021), 0 to 2.
        partner: weight of the interaction-feature model in closed choices, 0 (none) to 1; it has
            none where `words`, `structure` or `timing` are left out, as it reads all of them.
    """

    hidden: int = 64
    layers: int = 1
    relation: int = 16
    dropout: float = 0.5
    word_dropout: float = 0.5
    words: bool = True
    structure: bool = True
    memory: bool = True
    timing: bool = True
    epochs: int = 14
    members: int = 2
    batch: int = 8
    rate: float = 3e-3
    decay: float = 0.05
    average: float = 0.97
    auxiliary: float = 1.0
    phrases: float = 0.3
    foresight: float = 0.0
    balance: float = 0.0
    adjust: float = 0.0
    partner: float = 0.5

    @property
    def share(self) -> float:
        """The weight of the interaction-feature model, 0 where it would read what is left out."""
        return self.partner if self.words and self.structure and self.timing else 0.0


RANGES: Mapping[str, tuple[float, float]] = {
    "hidden": (4, 1024),
    "layers": (0, 8),
    "relation": (0, 256),
    "dropout": (0.0, 0.95),
    "word_dropout": (0.0, 0.95),
    "epochs": (1, 500),
    "members": (1, 32),
    "batch": (1, 256),
    "rate": (1e-7, 1.0),
    "decay": (0.0, 10.0),
    "average": (0.0, 0.9999),
    "auxiliary": (0.0, 10.0),
    "phrases": (0.0, 10.0),
    "foresight": (0.0, 10.0),
    "balance": (0.0, 1.0),
    "adjust": (0.0, 2.0),
    "partner": (0.0, 1.0),
}
"""Number -> its least and largest value."""


@dataclass(frozen=True, slots=True)
class Recipes:
    """Recipes for trainings, and what they were chosen on.

    Attributes:
        general: for any set of training conversations.
        by_training: `training_key` -> the recipe that was chosen on just these conversations.
        chosen_on: fingerprints of the conversations that `general` was chosen on.
        relationships: their relationships.
    """

    general: Recipe = Recipe()
    by_training: Mapping[str, Recipe] | None = None
    chosen_on: frozenset[str] = frozenset()
    relationships: frozenset[str] = frozenset()

    def of(self, train: Iterable[Conversation]) -> tuple[Recipe, frozenset[str], frozenset[str]]:
        """Returns the recipe for a training, and what it has seen beyond the training itself.

        That is: fingerprints and relationships of the conversations that the choice was made on;
        empty for a recipe that was chosen on just these training conversations.
        """
        own = (self.by_training or {}).get(training_key(train))
        if own is not None:
            return own, frozenset(), frozenset()
        return self.general, self.chosen_on, self.relationships


def training_key(train: Iterable[Conversation]) -> str:
    """Returns a name for a set of training conversations, whatever their order."""
    return sha256("".join(sorted(fingerprint(c) for c in train)).encode()).hexdigest()[:16]


def recipe_of(values: object, *, where: str) -> Recipe:
    """Returns the recipe of JSON values; what they leave out is as `gnn` has it.

    Raises:
        DataError: a name is unknown, or a value is of the wrong type or out of its range.
    """
    if not isinstance(values, dict):
        raise DataError(f"{where}: got {type(values).__name__}, wanted an object of numbers.")
    known = {f.name: type(getattr(Recipe(), f.name)) for f in fields(Recipe)}
    found: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known:
            raise DataError(
                f"{where}: unknown entry {name!r}. A recipe has: {', '.join(sorted(known))}."
            )
        found[name] = _checked(name, value, known[name], where)
    return replace(Recipe(), **found)


def read_recipes(path: Path) -> Recipes:
    """Returns the recipes in a file; a bare object of recipe entries will do.

    Raises:
        DataError: the file cannot be read or is no recipe.
    """
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(
            f"{path}: not a recipe ({error}). `relgraph tune` writes one; an object of entries in "
            """JSON will do too, such as {"hidden": 32}."""
        ) from None
    if not isinstance(values, dict) or "format" not in values:
        return Recipes(recipe_of(values, where=str(path)))
    if values["format"] != FORMAT:
        raise DataError(f"{path}: format {values['format']!r}, wanted {FORMAT!r}. Tune again.")
    try:
        return Recipes(
            general=recipe_of(values["recipe"], where=f"{path}, recipe"),
            by_training={
                str(key): recipe_of(own, where=f"{path}, training {key}")
                for key, own in dict(values["by_training"]).items()
            },
            chosen_on=frozenset(map(str, values["chosen_on"]["conversations"])),
            relationships=frozenset(map(str, values["chosen_on"]["relationships"])),
        )
    except (LookupError, TypeError, ValueError) as error:
        raise DataError(f"{path}: not a whole recipe file ({error!r}). Tune again.") from None


def write_recipes(path: Path, recipes: Recipes) -> None:
    """Writes the recipes whole."""
    write_json(
        path,
        {
            "format": FORMAT,
            "recipe": asdict(recipes.general),
            "by_training": {k: asdict(r) for k, r in (recipes.by_training or {}).items()},
            "chosen_on": {
                "conversations": sorted(recipes.chosen_on),
                "relationships": sorted(recipes.relationships),
            },
        },
    )


def _checked(name: str, value: Any, kind: type, where: str) -> object:
    if kind is bool:
        if not isinstance(value, bool):
            raise DataError(f"{where}: {name} is {value!r}, wanted true or false.")
        return value
    low, high = RANGES[name]
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not low <= value <= high or (kind is int and value != int(value)):
        whole = " without a fraction" if kind is int else ""
        raise DataError(
            f"{where}: {name} is {value!r}, wanted a number from {low:g} to {high:g}{whole}."
        )
    return kind(value)
