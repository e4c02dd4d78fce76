"""Cues of conversations, found once."""

from __future__ import annotations

from collections.abc import Sequence

from relgraph.cues import Cue, find_all
from relgraph.records import Conversation


class Cues:
    """Finds cues and remembers them: folds ask for those of the same conversations again."""

    def __init__(self) -> None:
        self._known: dict[object, tuple[Cue, ...]] = {}

    def of(self, conversations: Sequence[Conversation]) -> list[tuple[Cue, ...]]:
        """Returns the cues of each conversation, as `find_all` does."""
        new = {key: c for c in conversations if (key := _key(c)) not in self._known}
        self._known.update(zip(new, find_all(new.values()), strict=True))
        return [self._known[_key(c)] for c in conversations]


def _key(conversation: Conversation) -> object:
    """Returns all of a conversation that cues are read from."""
    c = conversation
    return c.turns, c.scenario, c.participants, c.supporter, c.timing
