"""What the rules said along a stretch, and what is left of it at a cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from relgraph.baselines._stretches import Stretch
from relgraph.cues.records import Cue
from relgraph.errors import RunError
from relgraph.reasoning import Fact, RuleSet, reason
from relgraph.reasoning.engine import Reasoning
from relgraph.records import Conversation, Instance


@dataclass(frozen=True, slots=True)
class Said:
    """One firing of a rule that answers a task.

    Attributes:
        rule: its id.
        head: what it concludes.
        args: about whom.
        turn: its anchor.
        known_at: the last turn that had to be seen.
        strength: of this firing.
        fact: the conclusion that it supports, of the strength of its strongest firing.
    """

    rule: str
    head: str
    args: tuple[str, ...]
    turn: int
    known_at: int
    strength: float
    fact: Fact


@dataclass(frozen=True, slots=True)
class Stand:
    """What the rules said along one stretch; one reading serves every cut.

    Attributes:
        conversation: the longest seen prefix.
        cues: that it was read from.
        reasoning: the whole of it.
        by_task: task -> firings of the rules that answer it, by `known_at`.
    """

    conversation: Conversation
    cues: tuple[Cue, ...]
    reasoning: Reasoning
    by_task: Mapping[str, tuple[Said, ...]]

    def known(self, task: str, cut: int) -> Iterator[Said]:
        """Yields what rules that answer `task` said and was known at turn `cut`."""
        for said in self.by_task.get(task, ()):
            if said.known_at > cut:
                return
            yield said


def stand(conversation: Conversation, cues: Sequence[Cue], rules: RuleSet) -> Stand:
    """Returns what the rules of the conversation's scenario say along it."""
    own = rules.for_scenario(conversation.scenario)
    reasoning = reason(conversation, rules, cues=tuple(cues))
    conclusions = {(f.atom, f.known_at): f for f in reasoning.conclusions}
    answers = {rule.id: pack.answers for pack in own.packs for rule in pack.rules}
    by_task: dict[str, list[Said]] = {}
    for firing in reasoning.firings:
        fact = firing.conclusion
        for task in answers.get(firing.rule, ()):
            by_task.setdefault(task, []).append(
                Said(
                    rule=firing.rule,
                    head=fact.atom.predicate,
                    args=fact.atom.args,
                    turn=fact.atom.turn,
                    known_at=fact.known_at,
                    strength=fact.strength,
                    fact=conclusions[fact.atom, fact.known_at],
                )
            )
    return Stand(
        conversation,
        tuple(cues),
        reasoning,
        {task: tuple(sorted(own, key=lambda s: s.known_at)) for task, own in by_task.items()},
    )


def stands(
    stretch: Stretch, instances: Sequence[Instance], cues: Sequence[Cue], rules: RuleSet
) -> dict[int, Stand | RunError]:
    """Returns what the rules say for each instance of a stretch, or why they cannot.

    What is too much for the rules as a whole is read for each instance by itself: what comes
    later does not decide whether there is an answer.
    """
    try:
        whole = stand(stretch.conversation, cues, rules)
    except RunError:
        return {k: _alone(instances[k].conversation, cues, rules) for k in stretch.instances}
    return dict.fromkeys(stretch.instances, whole)


def _alone(conversation: Conversation, cues: Sequence[Cue], rules: RuleSet) -> Stand | RunError:
    last = conversation.turns[-1].index if conversation.turns else 0
    try:
        return stand(conversation, [cue for cue in cues if cue.turn <= last], rules)
    except RunError as error:
        return error


def speaks_for(said: Said, instance: Instance) -> str:
    """Returns the option that a firing speaks for, "" for none.

    RPP, ITP: the option of the rule's name. SSP: that too, if the rule is about the target. STP:
    the first person that the rule is about, or the group.
    """
    if instance.task == "stp":
        name = _name(said.args[0], instance.conversation) if said.args else ""
        return name if name in instance.options else ""
    if said.head not in instance.options:
        return ""
    if instance.task == "ssp" and not _about(said, instance):
        return ""
    return said.head


def _about(said: Said, instance: Instance) -> bool:
    names = [_name(arg, instance.conversation) for arg in said.args]
    return not names or names[0] == instance.target or instance.conversation.group in names


def _name(arg: str, conversation: Conversation) -> str:
    return conversation.group if arg == "group" else arg


def left(firings: Iterable[Said], *, cut: int, half_life: float) -> float:
    """Returns how much still speaks at turn `cut`: a noisy-or over anchor turns, in [0, 1].

    Of several firings at one anchor the strongest counts; each has faded by half for every
    `half_life` turns since.
    """
    silent = 1.0
    for turn, strength in _strongest(firings):
        silent *= 1.0 - strength * 0.5 ** ((cut - turn) / half_life)
    return 1.0 - silent


def share(firings: Iterable[Said], *, cut: int, half_life: float) -> float:
    """Returns how much of late it was said, in [0, 1]: a mean over turns, the latest weigh most.

    A turn weighs half as much as one `half_life` turns later; of several firings at one anchor
    the strongest counts, and a turn without any counts as 0. What is said all the time stays
    apart from what is said now and then, which a noisy-or would not tell.
    """
    fading: float = 0.5 ** (1.0 / half_life)
    turns: float = (1.0 - fading**cut) / (1.0 - fading)
    said = sum(s * fading ** (cut - turn) for turn, s in _strongest(firings))
    return said / max(1.0, turns)


def _strongest(firings: Iterable[Said]) -> list[tuple[int, float]]:
    best: dict[int, float] = {}
    for said in firings:
        best[said.turn] = max(best.get(said.turn, 0.0), said.strength)
    return sorted(best.items())
