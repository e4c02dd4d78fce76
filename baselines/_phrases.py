"""Phrases for the open tasks: what was said of the most similar training turn.

An open answer is never invented here: it is the annotated phrase of the training turn whose words
are nearest, with the people's names taken out or put in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from relgraph.baselines._channels import Vectors
from relgraph.baselines._names import SOMEONE, names_known, with_names, without_names
from relgraph.records import Conversation, Viewpoint

Role = Literal["supporter", "group", "self", "client"]
SPEAKER, TARGET = "[speaker]", "[target]"
FEWEST_WORDS = 3
"""Shorter turns ("Yeah.") say too little to be anybody's nearest."""


@dataclass(frozen=True, slots=True)
class Felt:
    """An emotion phrase of a training turn: its words, the phrase without names."""

    text: str
    phrase: str


@dataclass(frozen=True, slots=True)
class Held:
    """A viewpoint of a training turn; who is meant stands as a placeholder."""

    text: str
    role: Role
    viewpoint: str
    attitude: str


@dataclass(frozen=True, slots=True)
class Phrases:
    """A bank of training phrases with the embeddings of the turns that they are about.

    Attributes:
        felt: emotion phrases; `felt_vectors` `[phrase, dim]` beside them, of unit length.
        held: viewpoints; `held_vectors` `[viewpoint, dim]` beside them, of unit length.
    """

    felt: tuple[Felt, ...]
    felt_vectors: NDArray[np.float32]
    held: tuple[Held, ...]
    held_vectors: NDArray[np.float32]

    def feeling(self, words: NDArray[np.float32]) -> tuple[str, float]:
        """Returns the phrase of the nearest turn and the cosine to it; ("", 0) for no bank."""
        if not self.felt:
            return "", 0.0
        near = self.felt_vectors @ _unit(words)
        best = int(near.argmax())
        return self.felt[best].phrase, float(near[best])

    def viewpoint(
        self, words: NDArray[np.float32], *, source: str, target: str, role: Role
    ) -> tuple[Viewpoint | None, float]:
        """Returns the nearest turn's viewpoint, put into the mouth of `source` about `target`.

        Viewpoints about people of the same role go first. The second value is the cosine; None
        and 0 for an empty bank.
        """
        if not self.held:
            return None, 0.0
        near = self.held_vectors @ _unit(words)
        same = np.array([h.role == role for h in self.held])
        best = int(np.where(same, near, near - 2).argmax())
        names = {SPEAKER: source, TARGET: target}
        found = self.held[best]
        return (
            Viewpoint(source, target, _fill(found.viewpoint, names), _fill(found.attitude, names)),
            float(near[best]),
        )

    def strings(self) -> dict[str, list[dict[str, str]]]:
        """Returns the phrases without turn texts, for a JSON file beside the vectors."""
        return {
            "felt": [{"phrase": f.phrase} for f in self.felt],
            "held": [
                {"role": h.role, "viewpoint": h.viewpoint, "attitude": h.attitude}
                for h in self.held
            ],
        }

    @staticmethod
    def of(
        strings: Mapping[str, Sequence[Mapping[str, Any]]],
        felt_vectors: NDArray[np.float32],
        held_vectors: NDArray[np.float32],
    ) -> Phrases:
        """Returns the bank that `strings` and vectors describe.

        Raises:
            KeyError: a field is missing.
            ValueError: phrases and vectors do not match in number.
        """
        felt = tuple(Felt("", str(f["phrase"])) for f in strings["felt"])
        held = tuple(
            Held("", h["role"], str(h["viewpoint"]), str(h["attitude"])) for h in strings["held"]
        )
        if len(felt) != len(felt_vectors) or len(held) != len(held_vectors):
            raise ValueError("phrases and vectors differ in number")
        return Phrases(felt, felt_vectors, held, held_vectors)


def gather(conversations: Iterable[Conversation]) -> tuple[tuple[Felt, ...], tuple[Held, ...]]:
    """Returns the emotion phrases and viewpoints that the speakers themselves had."""
    felt: list[Felt] = []
    held: list[Held] = []
    for conversation in conversations:
        for turn, people in names_known(conversation):
            if turn.speaker == conversation.supporter or len(turn.text.split()) < FEWEST_WORDS:
                continue
            gold = conversation.annotation(turn.index)
            text = without_names(turn.text, people)
            everybody = dict.fromkeys(conversation.roster, SOMEONE)
            felt += [
                Felt(text, with_names(e.phrase, everybody))
                for e in gold.emotions
                if e.person == turn.speaker and e.phrase
            ]
            for view in gold.viewpoints:
                if view.source != turn.speaker or not view.viewpoint:
                    continue
                names = {**everybody, view.target: TARGET, view.source: SPEAKER}
                held.append(
                    Held(
                        text,
                        role_of(view.target, turn.speaker, conversation),
                        with_names(view.viewpoint, names),
                        with_names(view.attitude, names),
                    )
                )
    return tuple(felt), tuple(held)


def bank(felt: Sequence[Felt], held: Sequence[Held], vectors: Vectors, dim: int) -> Phrases:
    """Returns the bank of the gathered phrases; `vectors` holds their turns' embeddings."""

    def stack(parts: Sequence[Felt] | Sequence[Held]) -> NDArray[np.float32]:
        rows = [_unit(vectors[p.text]) for p in parts]
        return np.stack(rows) if rows else np.zeros((0, dim), np.float32)

    return Phrases(tuple(felt), stack(felt), tuple(held), stack(held))


def role_of(name: str, speaker: str, conversation: Conversation) -> Role:
    """Returns what `name` is to `speaker`."""
    if name == conversation.supporter:
        return "supporter"
    if name == speaker:
        return "self"
    return "group" if name == conversation.group else "client"


def _fill(text: str, names: Mapping[str, str]) -> str:
    for place, name in names.items():
        text = text.replace(place, name)
    return text


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length > 0 else vector
