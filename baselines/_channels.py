"""What is embedded of a turn: its words, remarks behind it, tone of voice, described behaviour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from relgraph.baselines._names import names_known, without_names
from relgraph.records import Conversation, Turn

CHANNELS = ("text", "background", "tone", "own_nonverbal", "others_nonverbal")

Vectors = Mapping[str, NDArray[np.float32]]
"""Text -> its embedding `[dim]`."""


def texts_of(turn: Turn, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Returns channel -> the texts of a turn that are embedded, without the people's names."""
    own = [n.description for n in turn.nonverbal if n.person == turn.speaker]
    others = [n.description for n in turn.nonverbal if n.person != turn.speaker]
    found = {
        "text": [turn.text],
        "background": [b.text for b in turn.background],
        "tone": [turn.tone],
        "own_nonverbal": own,
        "others_nonverbal": others,
    }
    return {
        channel: tuple(without_names(text, names) for text in texts if text.strip())
        for channel, texts in found.items()
    }


def texts_of_all(conversations: Iterable[Conversation]) -> list[str]:
    """Returns every text that has to be embedded, each once, in order."""
    texts: dict[str, None] = {}
    for conversation in conversations:
        for turn, people in names_known(conversation):
            for parts in texts_of(turn, people).values():
                texts.update(dict.fromkeys(parts))
    return list(texts)


def channels_of(
    conversation: Conversation, vectors: Vectors, dim: int
) -> dict[str, NDArray[np.float32]]:
    """Returns channel -> `[turn, dim]`, the mean over a turn's texts, zero where it has none.

    Channels that no turn has are left out.

    Args:
        conversation: whole or cut.
        vectors: the embeddings of all its texts, as `texts_of_all` lists them.
        dim: length of an embedding.
    """
    count = len(conversation.turns)
    found: dict[str, NDArray[np.float32]] = {}
    for position, (turn, people) in enumerate(names_known(conversation)):
        for channel, texts in texts_of(turn, people).items():
            if texts:
                rows = found.setdefault(channel, np.zeros((count, dim), np.float32))
                rows[position] = np.mean([vectors[text] for text in texts], axis=0)
    return found
