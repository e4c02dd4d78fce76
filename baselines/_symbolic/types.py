"""A small trained reader of client turns: the type of the utterance, the intensity of feeling.

Linear models on frozen sentence embeddings of a turn and the one before, with the cues of the turn.
Names are taken out of the words first. What it says of the types enters the rules as cues
(`type_accusation`, ...). It is trained on training conversations only, and what it says of these
themselves comes from models that have not seen their relationship: else the rules' weights would
be learnt from answers that were known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relgraph.baselines._channels import Vectors
from relgraph.baselines._names import names_known, without_names
from relgraph.cues.codebook import CODEBOOK, TYPES
from relgraph.cues.records import Cue
from relgraph.reasoning.weights import LARGEST
from relgraph.records import Conversation, Turn
from relgraph.splits import folds, relationships

Floats = NDArray[np.float64]

LEAST = 0.15
"""A type less probable than this is no cue."""

SHRINKING = 1.0
"""Inverse regularisation of the types.

One number for all trainings: chosen anew in each, it would let what is said of a relationship
depend on its own annotations.
"""

RIDGE = 30.0
"""Regularisation of the intensity; parts of an input are of about unit length."""

INNER_FOLDS = 4
LARGEST_INTENSITY = 10.0
BEFORE = 0.5
"""How much the words of the turn before weigh beside the turn's own."""

SIGNS = tuple(
    (name, detail)
    for name, entry in CODEBOOK.items()
    if entry.family != "type"
    for detail in (entry.details or ("",))
)
"""Cues that are read, one number each; those with kinds once a kind."""

FLAGS = 6


@dataclass(frozen=True, slots=True)
class Lines:
    """Straight lines over inputs: `inputs @ weights.T + bias`.

    Attributes:
        weights: `[line, feature]`.
        bias: `[line]`.
    """

    weights: Floats
    bias: Floats

    def at(self, inputs: Floats) -> Floats:
        """Returns `[turn, line]`."""
        found: Floats = inputs @ self.weights.T + self.bias
        return found


@dataclass(frozen=True, slots=True)
class Reader:
    """A trained reader.

    Attributes:
        types: the types it knows, in the order of the lines of `sorting`.
        sorting: of the types; None where training had no type, or only one.
        feeling: one line, the intensity in [0, 10]; None where training had none.
    """

    types: tuple[str, ...]
    sorting: Lines | None
    feeling: Lines | None

    def chances(self, inputs: Floats) -> Floats:
        """Returns the probability of each of `TYPES`, `[turn, type]`; all 0 where it knows none."""
        found = np.zeros((len(inputs), len(TYPES)))
        if self.sorting is not None and len(inputs):
            raw = self.sorting.at(inputs)
            raw = np.exp(raw - raw.max(axis=1, keepdims=True))
            found[:, [TYPES.index(t) for t in self.types]] = raw / raw.sum(axis=1, keepdims=True)
        return found

    def intensities(self, inputs: Floats) -> Floats | None:
        """Returns `[turn]`, each in [0, 10], or None."""
        if self.feeling is None:
            return None
        found: Floats = np.clip(self.feeling.at(inputs)[:, 0], 0.0, LARGEST_INTENSITY)
        return found


NOTHING = Reader((), None, None)
"""What knows no type and no intensity."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One training conversation: its inputs `[turn, feature]` beside it."""

    conversation: Conversation
    inputs: Floats


def inputs_of(
    conversation: Conversation, cues: Sequence[Cue], vectors: Vectors, dim: int
) -> Floats:
    """Returns `[turn, feature]` for all turns, each made of the turn and those before it.

    Args:
        conversation: whole or cut.
        cues: what was found in it.
        vectors: embeddings of the texts that `texts_of` lists.
        dim: length of an embedding.
    """
    turns = conversation.turns
    found = np.zeros((len(turns), 2 * dim + len(SIGNS) + FLAGS))
    place = {turn.index: k for k, turn in enumerate(turns)}
    columns = {sign: 2 * dim + k for k, sign in enumerate(SIGNS)}
    for k, text in enumerate(texts_of(conversation)):
        words = np.asarray(vectors[text], np.float64)
        found[k, :dim] = words
        if k + 1 < len(turns):
            found[k + 1, dim : 2 * dim] = BEFORE * words
        found[k, -FLAGS:] = _flags(conversation, turns, k)
    for cue in cues:
        k, column = place[cue.turn], columns.get((cue.name, cue.detail))
        if column is not None and cue.source == turns[k].speaker:
            found[k, column] = max(found[k, column], cue.strength)
    return found


def texts_of(conversation: Conversation) -> list[str]:
    """Returns what is embedded, one text a turn: its words without the people's names."""
    return [without_names(turn.text, people) for turn, people in names_known(conversation)]


def _flags(conversation: Conversation, turns: Sequence[Turn], k: int) -> list[float]:
    turn, before = turns[k], turns[k - 1] if k else None
    return [
        float(before is None),
        float(before is not None and before.speaker == conversation.supporter),
        float(before is not None and before.speaker == turn.speaker),
        float(conversation.supporter in turn.addressees),
        float(len(turn.addressees) > 1 or conversation.group in turn.addressees),
        min(len(turn.text.split()), 60) / 60,
    ]


def cues_of(conversation: Conversation, chances: Floats) -> tuple[Cue, ...]:
    """Returns the types of the client turns as cues, towards everybody who is spoken to.

    Args:
        conversation: whole or cut.
        chances: `[turn, type]` as `Reader.chances` gives them.
    """
    found = []
    for (turn, people), row in zip(names_known(conversation), chances, strict=True):
        if turn.speaker == conversation.supporter:
            continue
        for target in _targets(conversation, turn, people):
            found += [
                Cue(
                    name=f"type_{name}",
                    turn=turn.index,
                    source=turn.speaker,
                    target=target,
                    strength=round(float(p), 4),
                    words=turn.text,
                    by="classifier",
                )
                for name, p in zip(TYPES, row, strict=True)
                if p >= LEAST
            ]
    return tuple(found)


def _targets(conversation: Conversation, turn: Turn, people: Sequence[str]) -> tuple[str, ...]:
    everybody = {conversation.group, *(a for a in turn.addressees if a == conversation.group)}
    named: dict[str, None] = {}
    for name in turn.addressees:
        named.update(dict.fromkeys(people if name in everybody else (name,)))
    named.pop(turn.speaker, None)
    return tuple(named) or ("",)


def train(lessons: Sequence[Lesson], *, seed: int) -> tuple[Reader, list[Reader]]:
    """Returns the reader of all lessons, and for each lesson one that has not seen its like.

    The latter is trained without the lesson's relationship. Where all lessons are of one
    relationship it knows nothing.
    """
    parts = parts_of([x.conversation for x in lessons], seed=seed)
    others = [NOTHING for _ in lessons]
    for part in sorted(set(parts)):
        reader = fit([x for x, its in zip(lessons, parts, strict=True) if its != part])
        others = [reader if its == part else o for o, its in zip(others, parts, strict=True)]
    return fit(lessons), others


def fit(lessons: Sequence[Lesson]) -> Reader:
    """Returns the reader of the lessons' client turns."""
    rows, types, felt, values = [], [], [], []
    for lesson in lessons:
        for k, turn in enumerate(lesson.conversation.turns):
            if turn.speaker == lesson.conversation.supporter:
                continue
            gold = lesson.conversation.annotation(turn.index)
            if gold.utterance_type in TYPES:
                rows.append(lesson.inputs[k])
                types.append(gold.utterance_type)
            own = [e for e in gold.emotions if e.person == turn.speaker]
            if own and own[0].intensity is not None:
                felt.append(lesson.inputs[k])
                values.append(own[0].intensity)
    known = tuple(sorted(set(types)))
    sorting = _sorting(np.array(rows), types) if len(known) > 1 else None
    return Reader(known, sorting, _feeling(np.array(felt), values) if felt else None)


def _sorting(inputs: Floats, types: Sequence[str]) -> Lines:
    from sklearn.linear_model import LogisticRegression

    # unweighted, so that probabilities are what they say
    model = LogisticRegression(C=SHRINKING, max_iter=300, tol=1e-3).fit(inputs, types)
    weights, bias = np.asarray(model.coef_), np.asarray(model.intercept_)
    if len(model.classes_) == 2:  # one line for the second class
        return Lines(np.vstack([0 * weights, weights]), np.concatenate([0 * bias, bias]))
    return Lines(weights, bias)


def _feeling(inputs: Floats, values: Sequence[float]) -> Lines:
    from sklearn.linear_model import Ridge

    model = Ridge(alpha=RIDGE).fit(inputs, values)
    return Lines(np.atleast_2d(model.coef_), np.atleast_1d(model.intercept_))


def parts_of(conversations: Sequence[Conversation], *, seed: int) -> list[int]:
    """Returns which inner part each conversation is held out with; 0 for all of one relationship.

    Parts hold whole relationships.
    """
    count = min(INNER_FOLDS, len(relationships(conversations)))
    if count < 2:
        return [0 for _ in conversations]
    place = {id(c): k for k, c in enumerate(conversations)}
    found = [0 for _ in conversations]
    for number, fold in enumerate(folds(conversations, count=count, seed=seed)):
        for conversation in fold.test:
            found[place[id(conversation)]] = number
    return found


def as_json(reader: Reader) -> dict[str, Any]:
    """Returns the reader as JSON values, with the names of the signs that it reads."""
    return {
        "types": list(reader.types),
        "signs": _sign_names(),
        **{
            name: None if lines is None else [lines.weights.tolist(), lines.bias.tolist()]
            for name, lines in (("sorting", reader.sorting), ("feeling", reader.feeling))
        },
    }


def of_json(value: Mapping[str, Any], dim: int) -> Reader:
    """Returns the reader that `as_json` wrote.

    Args:
        value: as `as_json` gave it.
        dim: length of an embedding.

    Raises:
        ValueError: it reads other signs, or embeddings of another length.
        KeyError: a part is missing.
    """
    if value["signs"] != _sign_names():
        raise ValueError("it reads other cues than the codebook has now")
    width = 2 * dim + len(SIGNS) + FLAGS
    lines: dict[str, Lines | None] = {}
    for name, count in (("sorting", len(value["types"])), ("feeling", 1)):
        if value[name] is None:
            lines[name] = None
            continue
        weights, bias = (np.array(part, np.float64) for part in value[name])
        if weights.shape != (count, width) or bias.shape != (count,):
            raise ValueError(f"{name} has the shape {weights.shape}, wanted {(count, width)}")
        if not (np.abs(weights) <= LARGEST).all() or not (np.abs(bias) <= LARGEST).all():
            raise ValueError(f"{name} has a number that is not finite, or beyond {LARGEST:g}")
        lines[name] = Lines(weights, bias)
    if unknown := set(value["types"]) - set(TYPES):
        raise ValueError(f"it knows the types {sorted(unknown)}")
    return Reader(tuple(value["types"]), lines["sorting"], lines["feeling"])


def _sign_names() -> list[str]:
    return [f"{name}:{detail}" if detail else name for name, detail in SIGNS]
