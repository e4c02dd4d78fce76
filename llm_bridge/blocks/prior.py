"""How often other relationships of the kind had each answer: training labels counted, no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from relgraph.errors import RelgraphError
from relgraph.llm_bridge.blocks._base import Said, Source
from relgraph.llm_bridge.blocks._estimates import option_shown, percent
from relgraph.records import Case, Conversation, Instance

CHOICE = "In other relationships of this kind these answers were right in:"
EMOTION = "In other relationships of this kind emotions had"
VIEWPOINTS = "In other relationships of this kind viewpoints were held"
GROUP, LAST, OTHER = "the group", "who spoke last", "somebody else"
SPEAKER, SELF, SUPPORTER = "the speaker", "oneself", "the supporter"


@dataclass(frozen=True, slots=True)
class Prior:
    """Frequencies in the training conversations of the scenario.

    People mean nothing elsewhere, so the target of support (STP) is counted as the group, the
    last client who spoke, or another person; what the others have together is shared evenly.
    """

    name: str = "prior"
    needs: tuple[str, ...] = ()
    learns: bool = True

    def say(self, source: Source) -> Said:
        """Returns the frequencies in one line.

        Raises:
            RelgraphError: no training conversation of the scenario has an answer to the task.
        """
        instance = source.instance
        scenario = instance.conversation.scenario
        cases = [
            c
            for c in source.training.cases.get(instance.task, ())
            if c.instance.conversation.scenario == scenario
        ]
        if not cases:
            raise RelgraphError(
                f"no training conversation of scenario {scenario!r} has an answer to "
                f"{instance.task}"
            )
        if instance.options:
            said, entry = CHOICE, "; ".join(_shares(instance, cases))
        elif instance.task == "er":
            said, entry = EMOTION, _intensities(cases)
        else:
            said, entry = VIEWPOINTS, _held(cases)
        return Said(said, (entry,), inline=True)


def _shares(instance: Instance, cases: Sequence[Case]) -> Iterator[str]:
    roles = {option: role(instance, option) for option in instance.options}
    sharing = Counter(roles.values())
    counted = Counter(role(c.instance, c.gold.label) for c in cases)
    # what nobody here could be counted as is left out, so that the shares are of what can be said
    whole = sum(n for own, n in counted.items() if own in sharing) or 1
    for option, own in roles.items():
        share = counted[own] / whole / sharing[own]
        yield f"{option_shown(instance, option)} {percent(share)}"


def role(instance: Instance, option: str) -> str:
    """Returns what an option is counted as: a label itself, a person by the part they have."""
    conversation = instance.conversation
    if instance.task != "stp":
        return option
    if option == conversation.group:
        return GROUP
    spoke = (t.speaker for t in reversed(conversation.turns) if t.speaker in conversation.roster)
    return LAST if option == next(spoke, None) else OTHER


def _intensities(cases: Sequence[Case]) -> str:
    felt = [
        c.gold.emotion.intensity
        for c in cases
        if c.gold.emotion is not None and c.gold.emotion.intensity is not None
    ]
    if not felt:
        raise RelgraphError("no training emotion of the scenario has an intensity")
    return f"a median intensity of {median(felt):.1f} of 10"


def _held(cases: Sequence[Case]) -> str:
    by, about = Counter[str](), Counter[str]()
    for case in cases:
        for view in case.gold.viewpoints:
            conversation = case.instance.conversation
            speaker = conversation.turns[-1].speaker if conversation.turns else ""
            by[SPEAKER if view.source == speaker else OTHER] += 1
            about[_part(conversation, view.source, view.target)] += 1
    return f"by {_counted(by)}; about {_counted(about)}"


def _part(conversation: Conversation, source: str, target: str) -> str:
    if target == source:
        return SELF
    if target == conversation.group:
        return GROUP
    return SUPPORTER if target == conversation.supporter else OTHER


def _counted(counts: Counter[str]) -> str:
    whole = sum(counts.values()) or 1
    return ", ".join(f"{what} {percent(n / whole)}" for what, n in sorted(counts.items()))


BLOCK = Prior()
