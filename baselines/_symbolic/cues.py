"""Cues of conversations, found once."""

from __future__ import annotations

from collections.abc import Sequence

from relgraph.cues import Cue, find_all
from relgraph.records import Conversation

KEPT = 20_000
"""How many conversations' cues are remembered; the oldest go first."""


class Cues:
    """Finds cues and remembers them: folds ask for those of the same conversations again."""

    def __init__(self) -> None:
        self._known: dict[object, tuple[Cue, ...]] = {}

    def of(self, conversations: Sequence[Conversation]) -> list[tuple[Cue, ...]]:
        """Returns the cues of each conversation, as `find_all` does."""
        keys = [_key(c) for c in conversations]
        new = {k: c for k, c in zip(keys, conversations, strict=True) if k not in self._known}
        self._known.update(zip(new, find_all(new.values()), strict=True))
        found = [self._known[k] for k in keys]
        for old in list(self._known)[: max(0, len(self._known) - KEPT)]:
            del self._known[old]
        return found


def _key(conversation: Conversation) -> object:
    """Returns all of a conversation that cues are read from."""
    c = conversation
    return c.turns, c.scenario, c.participants, c.supporter, c.timing
