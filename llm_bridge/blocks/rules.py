"""Rule findings to text: what the shipped rules, and the user's own, found before the cut."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from relgraph.errors import RelgraphError, RunError
from relgraph.llm_bridge.blocks._base import Said, Source, mention
from relgraph.llm_bridge.quoting import name, plain, quote
from relgraph.reasoning import Fact, Firing, RuleSet, reason
from relgraph.reasoning.wording import VARIABLE
from relgraph.records import Instance

HEAD = (
    "Rules that came true, those on the question first, then the newest first "
    "(turn, finding, strength from 0 to 1, words):"
)
NOTHING = "No rule came true so far."
KINDS = {"rpp": "pattern", "vp": "stance", "stp": "need", "ssp": "strategy", "itp": "floor"}
"""Task that a pack answers -> what its conclusions are called; others are not shown."""

MOST_QUOTES = 3


@dataclass(frozen=True, slots=True)
class Rules:
    """Nothing in it is learnt: cues come from words, grammar and turn-taking, weights from rules.

    Of the same finding between the same people the newest stands for all.
    """

    name: str = "rules"
    needs: tuple[str, ...] = ()
    learns: bool = False

    def say(self, source: Source) -> Said:
        """Returns the findings: those that bear on the task first, then the newest first.

        An entry has the turn at which the finding is known, its reading with the names in it, its
        strength, and the words that it rests on.

        Raises:
            RelgraphError: a rule file is wrong, or the conversation is too much for a rule; the
                latter fails an instance and no run.
        """
        try:
            entries = tuple(_entries(source.instance, _rules(source.settings.rules)))
        except RunError as error:
            raise RelgraphError(str(error)) from None
        return Said(HEAD, entries) if entries else Said("", (NOTHING,))


def _rules(own: Sequence[str]) -> RuleSet:
    files = ((name, Path(name)) for name in own)
    return _read(tuple((n, f.stat().st_mtime_ns if f.is_file() else 0) for n, f in files))


@lru_cache(maxsize=4)
def _read(own: tuple[tuple[str, int], ...]) -> RuleSet:
    """Reads a file again only where it has changed."""
    return RuleSet.shipped(*(name for name, _ in own))


def _entries(instance: Instance, rules: RuleSet) -> Iterator[str]:
    conversation, asked = instance.conversation, KINDS.get(instance.task)
    if not conversation.turns:
        return
    found = reason(conversation, rules)
    kinds = {
        rule.head: KINDS[task]
        for pack in rules.packs
        for task in pack.answers
        if task in KINDS
        for rule in pack.rules
    }
    told: set[tuple[str, tuple[str, ...]]] = set()
    facts = [fact for fact in found.conclusions if fact.atom.predicate in kinds]
    # equal ones stand by rule and roster, never by name: names mean nothing
    people = {person: k for k, person in enumerate(conversation.roster)}
    present = {*people, conversation.supporter, conversation.group}

    def place(fact: Fact) -> tuple[float | str | list[int], ...]:
        about = [people.get(person, len(people)) for person in fact.atom.args]
        apart = kinds[fact.atom.predicate] != asked
        return apart, -fact.known_at, -fact.strength, fact.atom.predicate, about, -fact.atom.turn

    for fact in sorted(facts, key=place):
        same = (fact.atom.predicate, fact.atom.args)
        if same in told:
            continue
        told.add(same)
        firing = max(found.firings_for(fact), key=lambda f: f.conclusion.strength)
        told_as = _finding(fact, firing, rules, present)
        yield f"[{fact.known_at}] {kinds[fact.atom.predicate]} {told_as}"


def _finding(fact: Fact, firing: Firing, rules: RuleSet, people: Collection[str]) -> str:
    shown = {
        variable: mention(str(value)) if value in people else name(str(value))
        for variable, value in firing.bindings
    }
    written = plain(rules.rule(firing.rule).reading)
    reading = VARIABLE.sub(lambda m: shown.get(m[0], m[0]), written) or fact.atom.predicate
    cues = [f.cue for f in firing.evidence if f.cue and f.cue.words and f.cue.by != "turns"]
    told = dict.fromkeys(f"[{cue.turn}] {quote(cue.words)}" for cue in cues)
    words = "; ".join(list(told)[:MOST_QUOTES])
    said = f" ({words})" if words else ""
    return f"{fact.atom.predicate}: {reading}, {fact.strength:.2f}{said}"


BLOCK = Rules()
