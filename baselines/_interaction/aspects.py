"""What a coder would note at each turn, guessed from its words: the first of two stages.

Training conversations are annotated turn by turn: kinds of utterance, emotions, viewpoints,
strategies, patterns and the coders' reasons. Ridge regressions learn to guess these aspects from
a turn; the second stage reads memories of the guesses, never the annotations. For a training
conversation the guesses come from regressions that have not seen its relationship.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relgraph.baselines._channels import Vectors
from relgraph.baselines._interaction.reading import Floats, Reading
from relgraph.baselines._names import names_known, without_names
from relgraph.labels import UTTERANCE_TYPES, patterns, strategies
from relgraph.records import Annotation, Conversation
from relgraph.tasks.rpp import FIELD

SCENARIOS = ("couple", "family")
LABELS: dict[str, tuple[str, ...]] = {
    "utterance": UTTERANCE_TYPES,
    "pattern": tuple(f"{s} {x}" for s in SCENARIOS for x in patterns(s)),
    "strategy": tuple(f"{s} {x}" for s in SCENARIOS for x in strategies(s)),
}
"""Aspects that are one of several labels; a scenario's labels are its own."""

PHRASED = ("emotion", "viewpoint", "attitude", "purpose", "reason")
"""Aspects that are phrases: their embeddings are guessed, along `DIRECTIONS` main directions."""

INTENSITY, INTENSITY_UNIT = "intensity", 3.0
"""The aspect that is a number: how strongly the speaker feels, in units of 3 of its 0 to 10."""

DIRECTIONS = 8
RIDGE = 30.0
PARTS = 4
WORDS, BEFORE = 3.0, 1.5
"""How much embeddings (of unit length) weigh beside the structure of a turn, and those of the turn
before."""


@dataclass(frozen=True, slots=True)
class Guess:
    """Regressions from the inputs of a turn to its aspects.

    Attributes:
        names: of the aspects.
        weights: `[input, aspect]`.
        bias: `[aspect]`.
    """

    names: tuple[str, ...]
    weights: Floats
    bias: Floats

    def of(self, inputs: Floats) -> Floats:
        """Returns `[turn, aspect]`."""
        guessed: Floats = inputs @ self.weights + self.bias
        return guessed


def inputs_of(reading: Reading) -> Floats:
    """Returns `[turn, input]`: its embeddings, those of the words before it, its structure."""
    text = reading.channels["text"]
    before = np.concatenate([np.zeros((1, text.shape[1]), np.float32), text])[: len(text)]
    shown = [WORDS * channel for channel in reading.channels.values()]
    found = [] if reading.found is None else [reading.found]
    return np.concatenate([*shown, BEFORE * before, reading.structure.turn, *found], axis=1)


def phrases_of(conversation: Conversation) -> list[dict[str, list[str]]]:
    """Returns for each turn aspect -> the coders' phrases, without the people's names."""
    found = []
    for turn, people in names_known(conversation):
        gold = conversation.annotation(turn.index)
        views = [v for v in gold.viewpoints if v.source == turn.speaker]
        texts = {
            "emotion": [e.phrase for e in gold.emotions if e.person == turn.speaker],
            "viewpoint": [v.viewpoint for v in views],
            "attitude": [v.attitude for v in views],
            "purpose": [s.content for s in gold.strategies],
            "reason": [r.reason for r in gold.relations],
        }
        found.append(
            {k: [without_names(t, people) for t in texts[k] if t.strip()] for k in PHRASED}
        )
    return found


def noted(conversation: Conversation, vectors: Vectors, dim: int) -> dict[str, Floats]:
    """Returns aspect -> `[turn, ...]`, what the coders noted; NaN where they noted nothing."""
    scenario = conversation.scenario
    rows: dict[str, list[NDArray[np.float32]]] = {k: [] for k in (*LABELS, INTENSITY, *PHRASED)}
    for turn, phrases in zip(conversation.turns, phrases_of(conversation), strict=True):
        gold = conversation.annotation(turn.index)
        for aspect, label in _labels(gold, scenario).items():
            names = LABELS[aspect]
            row = np.full(len(names), np.nan, np.float32)
            if label in names:
                row[:] = 0
                row[names.index(label)] = 1
            rows[aspect].append(row)
        felt = next((e.intensity for e in gold.emotions if e.person == turn.speaker), None)
        rows[INTENSITY].append(
            np.array([np.nan if felt is None else felt / INTENSITY_UNIT], np.float32)
        )
        for aspect, texts in phrases.items():
            mean = np.mean([vectors[t] for t in texts], axis=0) if texts else np.full(dim, np.nan)
            rows[aspect].append(mean.astype(np.float32))
    return {k: np.array(v, np.float32).reshape(len(v), -1) for k, v in rows.items()}


def _labels(gold: Annotation, scenario: str) -> dict[str, str]:
    field = FIELD.get(scenario)
    strategy = gold.strategies[0].type if gold.strategies else ""
    return {
        "utterance": gold.utterance_type,
        "pattern": f"{scenario} {gold.relation(field) if field else ''}",
        "strategy": f"{scenario} {strategy}",
    }


def learn(
    inputs: Sequence[Floats], notes: Sequence[Mapping[str, Floats]], parts: Sequence[int]
) -> tuple[Guess, list[Floats]]:
    """Returns the regressions, and the guesses `[turn, aspect]` about each training conversation.

    A conversation is guessed by regressions that have seen no conversation of its part; the
    returned one is the mean of all parts' regressions.

    Args:
        inputs: of each conversation, as `inputs_of` gives them.
        notes: what the coders noted, likewise.
        parts: which part each belongs to; relationships are never parted.
    """
    part = np.repeat(parts, [len(x) for x in inputs])
    x = np.concatenate(inputs)
    names, wanted = _wanted({k: np.concatenate([n[k] for n in notes]) for k in notes[0]})
    held = sorted(set(parts))
    found = [_ridges(x, values, part, held) for values in wanted]
    guesses = [
        Guess(
            names,
            np.concatenate([np.zeros((x.shape[1], 0), np.float32), *(f[k][0] for f in found)], 1),
            np.concatenate([np.zeros(0, np.float32), *(f[k][1] for f in found)]),
        )
        for k in range(len(held))
    ]
    out = np.zeros((len(x), len(names)), np.float32)
    for own, guess in zip(held, guesses, strict=True):
        out[part == own] = guess.of(x[part == own])
    mean = Guess(
        names,
        np.mean([g.weights for g in guesses], axis=0),
        np.mean([g.bias for g in guesses], axis=0),
    )
    return mean, np.split(out, np.cumsum([len(rows) for rows in inputs])[:-1])


def _wanted(notes: Mapping[str, Floats]) -> tuple[tuple[str, ...], list[Floats]]:
    """Returns the names of all targets, and target arrays with NaN rows where nothing is known."""
    names: list[str] = []
    found = []
    for aspect, values in notes.items():
        known = ~np.isnan(values[:, 0])
        if not known.any():
            continue
        if aspect in PHRASED:
            values = _directions(values, known)
            names += [f"{aspect} phrases, direction {k + 1}" for k in range(values.shape[1])]
        elif aspect in LABELS:
            names += [f"{aspect} {label}" for label in LABELS[aspect]]
        else:
            names.append(aspect)
        found.append(values)
    return tuple(names), found


def _directions(values: Floats, known: NDArray[np.bool_]) -> Floats:
    """Returns the phrases along their main directions, NaN where there is none."""
    seen = values[known] - values[known].mean(axis=0)
    _, vectors = np.linalg.eigh(seen.T @ seen)
    out = np.full((len(values), min(DIRECTIONS, values.shape[1])), np.nan, np.float32)
    out[known] = 2 * seen @ vectors[:, ::-1][:, : out.shape[1]]
    return out


def _ridges(
    inputs: Floats, wanted: Floats, part: NDArray[np.intp], held: Sequence[int]
) -> list[tuple[Floats, Floats]]:
    """Returns weights and bias without each part; with it where there is no other.

    The sums over rows are made once for each part, and a part's are taken from the total.
    """
    known = ~np.isnan(wanted[:, 0])
    sums = [_Sums.of(inputs[known & (part == k)], wanted[known & (part == k)]) for k in held]
    total = sums[0]
    for more in sums[1:]:
        total = total.plus(more, 1)
    return [total.plus(own, -1 if len(held) > 1 else 0).ridge() for own in sums]


@dataclass(frozen=True, slots=True)
class _Sums:
    """What a ridge regression needs of its rows: their number, sums, and sums of products."""

    count: int
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    xx: NDArray[np.float64]
    xy: NDArray[np.float64]

    @staticmethod
    def of(inputs: Floats, wanted: Floats) -> _Sums:
        x, y = inputs.astype(np.float64), wanted.astype(np.float64)
        return _Sums(len(x), x.sum(axis=0), y.sum(axis=0), x.T @ x, x.T @ y)

    def plus(self, other: _Sums, times: int) -> _Sums:
        return _Sums(
            self.count + times * other.count,
            self.x + times * other.x,
            self.y + times * other.y,
            self.xx + times * other.xx,
            self.xy + times * other.xy,
        )

    def ridge(self) -> tuple[Floats, Floats]:
        from scipy.linalg import cho_factor, cho_solve

        if not self.count:
            return np.zeros(self.xy.shape, np.float32), np.zeros(len(self.y), np.float32)
        mean, level = self.x / self.count, self.y / self.count
        spread = self.xx - np.outer(self.x, mean) + RIDGE * np.eye(len(mean))
        weights = cho_solve(cho_factor(spread), self.xy - np.outer(self.x, level))
        return weights.astype(np.float32), (level - mean @ weights).astype(np.float32)
