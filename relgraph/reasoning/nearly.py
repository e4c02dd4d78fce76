"""What did not hold, in words: what came nearest, what was blocked, what is still open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relgraph.reasoning.wording import atom_words, fact_words, put_in
from relgraph.terminal import one_line

if TYPE_CHECKING:
    from relgraph.reasoning.near import Blocked, Miss
    from relgraph.reasoning.records import Fact, Firing
    from relgraph.reasoning.ruleset import RuleSet


def miss_words(miss: Miss) -> str:
    """Returns what a conclusion lacked: `attack_attack: missing attack Ben -> Ana ...`.

    What was there of the rule that came nearest follows in brackets.
    """
    unmet = one_line(miss.unmet)
    if miss.by is not None:
        lack = f"blocked by {_against(miss.by)} ({unmet})"
    else:
        lack = unmet if unmet.startswith("a window") else f"missing {unmet}"
    there = ", ".join(atom_words(fact.atom) for fact in miss.evidence if fact.atom.turn)
    seen = f"; there was {there}" if there else ""
    return f"{miss.head}: {lack} [{miss.rule}, {miss.matched} of {miss.wanted}{seen}]"


def blocked_words(blocked: Blocked, rules: RuleSet) -> str:
    """Returns what stopped a firing: `blocked: pursue_withdraw, ...: fear_of turn 4: ...`."""
    rule = rules.rule(blocked.rule)
    reading = put_in(rule.reading or rule.head, dict(blocked.bindings))
    turns = _turns(blocked.evidence)
    return f"{blocked.head} ({reading}; {turns}): {_against(blocked.by)} [{blocked.rule}]"


def open_words(firing: Firing, rules: RuleSet) -> str:
    """Returns what would be concluded once a window has closed, and when that is."""
    rule = rules.rule(firing.rule)
    reading = put_in(rule.reading or rule.head, dict(firing.bindings))
    return (
        f"{rule.head} ({reading}; {_turns(firing.evidence)}): "
        f"to be seen up to turn {firing.conclusion.known_at} [{firing.rule}]"
    )


def _against(fact: Fact) -> str:
    if not fact.atom.turn:
        return atom_words(fact.atom)
    return f"turn {fact.atom.turn} {fact_words(fact)}"


def _turns(facts: tuple[Fact, ...]) -> str:
    turns = sorted({fact.atom.turn for fact in facts if fact.atom.turn})
    return f"turn{'s' * (len(turns) > 1)} {', '.join(map(str, turns))}"
