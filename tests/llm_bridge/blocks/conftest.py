"""What the tests of blocks share: a block asked about a hand-made conversation."""

from collections.abc import Callable, Sequence

import pytest

from relgraph.approach import Settings
from relgraph.llm_bridge.blocks._base import Source, unmarked
from relgraph.records import Conversation, Instance, Turn
from relgraph.registry import load

Ask = Callable[..., list[str]]


@pytest.fixture
def say() -> Ask:
    """Gives the entries of a block as they are shown, the most important first."""

    def entries(block: str, conversation: Conversation, *, task: str = "rpp") -> list[str]:
        source = Source(Instance("i", task, conversation), Settings())
        return [unmarked(entry) for entry in load("block", block).say(source).entries]

    return entries


@pytest.fixture
def talk() -> Callable[..., Conversation]:
    """Makes a conversation of (speaker, addressees parted by +, text) and what else is given."""

    def made(
        *rows: tuple[str, str, str],
        participants: Sequence[str] = ("Ana", "Ben"),
        scenario: str = "couple",
        **facts: str,
    ) -> Conversation:
        turns = tuple(
            Turn(k, who, text, tuple(to.split("+")) if to else (), "given" if to else "none")
            for k, (who, to, text) in enumerate(rows, start=1)
        )
        return Conversation(
            "talk", turns, participants=tuple(participants), scenario=scenario, **facts
        )

    return made
