"""The bank: training phrases, and the embeddings of the turns that they are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from relgraph.baselines._channels import Vectors
from relgraph.baselines._names import SOMEONE
from relgraph.baselines._phrases.stance import Stance

Role = Literal["supporter", "group", "self", "client"]
SPEAKER, TARGET = "[speaker]", "[target]"
ROLES: tuple[Role, ...] = get_args(Role)
STANCES: tuple[Stance, ...] = get_args(Stance)
ARRAYS = ("felt", "felt_phrases", "held", "held_phrases")

Floats32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Felt:
    """An emotion phrase of a training turn.

    Attributes:
        text: words of the turn, without names; "" in a bank that was read from a checkpoint.
        phrase: as it can be said of anybody, with `[speaker]` for the one who feels it and
            `[target]` for the other of two people.
        intensity: in [0, 10], None where it was not given.
        plain: whether the annotated phrase had neither `he` nor `she` nor a name.
        relationship: whose phrase it is, so that it can be kept out; "" from a checkpoint.
        place: position of the conversation among those gathered from, and index of the turn.
    """

    text: str
    phrase: str
    intensity: float | None = None
    plain: bool = True
    relationship: str = ""
    place: tuple[int, int] = (-1, 0)

    @property
    def shown(self) -> str:
        """Returns the phrase as it is embedded: nobody is named."""
        return _nobody(self.phrase)


@dataclass(frozen=True, slots=True)
class Held:
    """A viewpoint of a training turn; who is meant stands as a placeholder.

    Attributes:
        text: words of the turn, without names; "" in a bank that was read from a checkpoint.
        role: what the one thought of is to the speaker.
        viewpoint: as it can be said of anybody, with `[speaker]` and `[target]` for names.
        attitude: likewise; "" where it was not given.
        stance: for, against, or neither.
        plain: whether the annotated viewpoint had neither `he` nor `she` nor a name.
        relationship: whose viewpoint it is, so that it can be kept out; "" from a checkpoint.
        place: position of the conversation among those gathered from, and index of the turn.
    """

    text: str
    role: Role
    viewpoint: str
    attitude: str
    stance: Stance = "mixed"
    plain: bool = True
    relationship: str = ""
    place: tuple[int, int] = (-1, 0)

    @property
    def shown(self) -> str:
        """Returns the viewpoint as it is embedded: nobody is named."""
        return _nobody(self.viewpoint)


@dataclass(frozen=True, slots=True)
class Phrases:
    """A bank of training phrases with embeddings, all of unit length.

    Attributes:
        felt: emotion phrases.
        felt_vectors: `[phrase, dim]`, of the turns that they are about.
        felt_phrases: `[phrase, dim]`, of the phrases themselves.
        held: viewpoints.
        held_vectors: `[viewpoint, dim]`, of the turns that they are about.
        held_phrases: `[viewpoint, dim]`, of the viewpoints themselves.
    """

    felt: tuple[Felt, ...]
    felt_vectors: Floats32
    felt_phrases: Floats32
    held: tuple[Held, ...]
    held_vectors: Floats32
    held_phrases: Floats32

    def strings(self) -> dict[str, list[dict[str, Any]]]:
        """Returns the phrases without turns and relationships, for a JSON file."""
        return {
            "felt": [
                {"phrase": f.phrase, "intensity": f.intensity, "plain": f.plain} for f in self.felt
            ],
            "held": [
                {
                    "role": h.role,
                    "viewpoint": h.viewpoint,
                    "attitude": h.attitude,
                    "stance": h.stance,
                    "plain": h.plain,
                }
                for h in self.held
            ],
        }

    def arrays(self) -> dict[str, Floats32]:
        """Returns the embeddings by name, `[phrase, dim]` each, for a file beside the strings."""
        return dict(
            zip(
                ARRAYS,
                (self.felt_vectors, self.felt_phrases, self.held_vectors, self.held_phrases),
                strict=True,
            )
        )

    @staticmethod
    def of(
        strings: Mapping[str, Sequence[Mapping[str, Any]]], arrays: Mapping[str, Floats32]
    ) -> Phrases:
        """Returns the bank that `strings` and `arrays` describe; other arrays are passed over.

        Raises:
            KeyError: a field or an array is missing.
            ValueError: phrases and arrays do not match in number or shape, or a value is none
                that a phrase can have.
        """
        felt = tuple(
            Felt("", str(f["phrase"]), _intensity(f["intensity"]), bool(f["plain"]))
            for f in strings["felt"]
        )
        held = tuple(
            Held(
                "",
                _one_of(ROLES, h["role"]),
                str(h["viewpoint"]),
                str(h["attitude"]),
                _one_of(STANCES, h["stance"]),
                bool(h["plain"]),
            )
            for h in strings["held"]
        )
        stacks = [np.asarray(arrays[name], np.float32) for name in ARRAYS]
        rows = (len(felt), len(felt), len(held), len(held))
        if any(s.ndim != 2 for s in stacks) or tuple(len(s) for s in stacks) != rows:
            raise ValueError("phrases and vectors differ in number")
        if len({s.shape[1] for s in stacks}) != 1:
            raise ValueError("the vectors of phrases differ in length")
        return Phrases(felt, stacks[0], stacks[1], held, stacks[2], stacks[3])


def texts(felt: Iterable[Felt], held: Iterable[Held]) -> list[str]:
    """Returns all that `bank` needs embedded: the turns' words and the phrases."""
    return [
        *(text for f in felt for text in (f.text, f.shown)),
        *(text for h in held for text in (h.text, h.shown)),
    ]


def bank(felt: Sequence[Felt], held: Sequence[Held], vectors: Vectors, dim: int) -> Phrases:
    """Returns the bank of the gathered phrases; `vectors` holds the embeddings of `texts`."""

    def stack(parts: Iterable[str]) -> Floats32:
        rows = [unit(vectors[text]) for text in parts]
        return np.stack(rows) if rows else np.zeros((0, dim), np.float32)

    return Phrases(
        tuple(felt),
        stack(f.text for f in felt),
        stack(f.shown for f in felt),
        tuple(held),
        stack(h.text for h in held),
        stack(h.shown for h in held),
    )


def unit(vector: Floats32) -> Floats32:
    """Returns the vector at length 1; zeros stay zeros."""
    length = float(np.linalg.norm(vector))
    return (vector / np.float32(length) if length > 0 else vector).astype(np.float32)


def _nobody(phrase: str) -> str:
    return phrase.replace(SPEAKER, SOMEONE).replace(TARGET, SOMEONE)


def _intensity(value: Any) -> float | None:
    return None if value is None else float(value)


def _one_of(known: Sequence[Any], value: Any) -> Any:
    if value not in known:
        raise ValueError(f"{value!r} is none of {', '.join(known)}")
    return value
