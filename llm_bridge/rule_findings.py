"""Rule findings to text: what the shipped rules, and the user's own, found before the cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from relgraph.approach import Settings
from relgraph.errors import RelgraphError, RunError
from relgraph.llm_bridge.quoting import name, quote
from relgraph.llm_bridge.summary import Summary
from relgraph.reasoning import Fact, Firing, RuleSet, reason
from relgraph.reasoning.wording import put_in
from relgraph.records import Instance

HEAD = (
    "Rules that came true, those on the question first, then the newest first "
    "(turn, finding, strength from 0 to 1, words):"
)
NOTHING = "No rule came true so far."
KINDS = {"rpp": "pattern", "vp": "stance", "stp": "need", "ssp": "strategy", "itp": "floor"}
"""Task that a pack answers -> what its conclusions are called; others are not shown."""

MOST_QUOTES = 3


def of_rules(instance: Instance, settings: Settings, count: Callable[[str], int]) -> Summary:
    """Returns the rule findings before the instance's cut, within the settings' budget of tokens.

    One line a finding: the turn at which it is known, its reading with the names in it, its
    strength, and the words that it rests on. Of the same finding between the same people the
    newest stands for all. What bears on the instance's task stands first, then the newest; what
    does not fit is left out from the end, and the text says so.
    Nothing in it is learnt: cues come from words, grammar and turn-taking, weights from the rules.

    Raises:
        RelgraphError: a rule file is wrong, or the conversation is too much for a rule; the latter
            fails an instance and no run.
    """
    try:
        lines = tuple(_lines(instance, _rules(settings.rules)))
    except RunError as error:
        raise RelgraphError(str(error)) from None
    if not lines:
        return Summary(NOTHING) if count(NOTHING) <= settings.summary_tokens else _none()
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        if count(_compose(lines, middle)) <= settings.summary_tokens:
            low = middle
        else:
            high = middle - 1
    if not low:
        return _none()
    left = len(lines) - low
    return Summary(_compose(lines, low), (f"{left} rule findings",) if left else ())


def _rules(own: Sequence[str]) -> RuleSet:
    files = ((name, Path(name)) for name in own)
    return _read(tuple((n, f.stat().st_mtime_ns if f.is_file() else 0) for n, f in files))


@lru_cache(maxsize=4)
def _read(own: tuple[tuple[str, int], ...]) -> RuleSet:
    """Reads a file again only where it has changed."""
    return RuleSet.shipped(*(name for name, _ in own))


def _lines(instance: Instance, rules: RuleSet) -> Iterator[str]:
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
    people = {name: k for k, name in enumerate(conversation.roster)}

    def place(fact: Fact) -> tuple[float | str | list[int], ...]:
        about = [people.get(name, len(people)) for name in fact.atom.args]
        apart = kinds[fact.atom.predicate] != asked
        return apart, -fact.known_at, -fact.strength, fact.atom.predicate, about, -fact.atom.turn

    for fact in sorted(facts, key=place):
        same = (fact.atom.predicate, fact.atom.args)
        if same in told:
            continue
        told.add(same)
        firing = max(found.firings_for(fact), key=lambda f: f.conclusion.strength)
        yield f"- [{fact.known_at}] {kinds[fact.atom.predicate]} {_finding(fact, firing, rules)}"


def _finding(fact: Fact, firing: Firing, rules: RuleSet) -> str:
    shown = {variable: name(value) if isinstance(value, str) else value
             for variable, value in firing.bindings}  # fmt: skip
    reading = put_in(rules.rule(firing.rule).reading, shown) or fact.atom.predicate
    cues = [f.cue for f in firing.evidence if f.cue and f.cue.words and f.cue.by != "turns"]
    words = "; ".join(f"[{cue.turn}] {quote(cue.words)}" for cue in cues[:MOST_QUOTES])
    said = f" ({words})" if words else ""
    return f"{fact.atom.predicate}: {reading}, {fact.strength:.2f}{said}"


def _compose(lines: tuple[str, ...], size: int) -> str:
    left = len(lines) - size
    more = (f"Left out for want of room: {left} findings.",) if left else ()
    return "\n".join((HEAD, *lines[:size], *more))


def _none() -> Summary:
    return Summary("", ("the whole summary",))
