"""What every block of a summary has in common: what it may read, and what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from relgraph.approach import Findings, Settings
from relgraph.cues import Cue, find_cues
from relgraph.graph import InteractionGraph, build_graph
from relgraph.llm_bridge.privacy import Disguise
from relgraph.llm_bridge.quoting import name
from relgraph.records import Case, Conversation, Instance, Prediction

OPEN, CLOSE = "\x02", "\x03"
"""Stand around a person's name in a line. No text of a conversation holds them: `quote` and
`name` turn control characters into spaces."""
_MARKS = str.maketrans("", "", OPEN + CLOSE)


def mention(person: str) -> str:
    """Returns a person as a line has to name them, so that a placebo can permute the names."""
    return f"{OPEN}{name(person)}{CLOSE}"


def unmarked(text: str) -> str:
    """Returns the text as it is shown: without the marks around names."""
    return text.translate(_MARKS)


@dataclass(frozen=True, slots=True)
class Training:
    """What a block that learns may know: the training conversations of the instance's fold.

    Attributes:
        conversations: with their gold.
        cases: their instances by task, with the gold answers.
        findings: what the needed approaches said of these, from folds within the training
            conversations.
        key: a name for these conversations: equal for equal ones, and for no others.
        disguise: what a case has to go through before anything of it is shown.
    """

    conversations: tuple[Conversation, ...] = field(default=(), compare=False)
    cases: Mapping[str, tuple[Case, ...]] = field(default_factory=dict, compare=False)
    findings: Findings = field(default_factory=dict, compare=False)
    key: str = ""
    disguise: Disguise = field(default_factory=Disguise, compare=False)


@dataclass(frozen=True)
class Source:
    """All that a block may read for one instance; nothing of it lies after the cut.

    Attributes:
        instance: what is asked about.
        settings: seed, rules, view.
        findings: what the approaches that the block needs said of this instance.
        training: what a block that learns may know; empty for others.
    """

    instance: Instance
    settings: Settings
    findings: Mapping[str, Prediction] = field(default_factory=dict, hash=False)
    training: Training = Training()

    @cached_property
    def graph(self) -> InteractionGraph:
        """The interaction graph of the cut conversation."""
        return build_graph(self.instance.conversation)

    @cached_property
    def cues(self) -> tuple[Cue, ...]:
        """The cues of the cut conversation, by turn."""
        return find_cues(self.instance.conversation)


@dataclass(frozen=True, slots=True)
class Said:
    """What a block says of one instance.

    Attributes:
        head: the line above the entries; "" where the entries stand for themselves.
        entries: lines, the most important first: the budget cuts from the end.
        chronological: whether the kept entries are shown in reverse, so oldest first.
        inline: whether they stand behind the head on one line, parted by `;`, instead of on a
            line each; that takes fewer tokens.
    """

    head: str
    entries: tuple[str, ...]
    chronological: bool = False
    inline: bool = False


class Block(Protocol):
    """One part of a summary."""

    @property
    def name(self) -> str:
        """As in the registry."""
        ...

    @property
    def needs(self) -> tuple[str, ...]:
        """The approaches whose findings it shows."""
        ...

    @property
    def learns(self) -> bool:
        """Whether it shows training conversations."""
        ...

    def say(self, source: Source) -> Said:
        """Returns what there is to say; no entries where there is nothing.

        Names of people stand as `mention` gives them; all other text of a conversation goes
        through `quote`.

        Raises:
            RelgraphError: it cannot be said of this instance, which then fails with this cause.
        """
        ...


def known(needed: Sequence[str], findings: Findings, instance: str) -> Mapping[str, Prediction]:
    """Returns what the needed approaches said of one instance."""
    return {
        name: said for name in needed if (said := findings.get(name, {}).get(instance)) is not None
    }
