"""Explanations as JSON: tables of facts and firings that refer to each other by number.

`docs/explanations.md` describes the form; `FORMAT` changes when it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from relgraph.reasoning.records import Checked, Fact, Firing
from relgraph.reasoning.wording import put_in

if TYPE_CHECKING:
    from relgraph.reasoning.engine import Reasoning
    from relgraph.reasoning.near import Blocked, Miss
    from relgraph.reasoning.sections import Section
    from relgraph.records import Conversation

FORMAT = "relgraph-explanation/1"


class Tables:
    """Facts and firings of one reasoning, each once, numbered as they are first named."""

    def __init__(self, reasoning: Reasoning) -> None:
        self._reasoning = reasoning
        self._rules = {rule.id: rule for rule in reasoning.rules.rules}
        self._derived = frozenset(reasoning.conclusions)
        self._numbers: dict[Fact, int] = {}
        self._firings: dict[Firing, int] = {}
        self._open: list[Fact] = []
        self.facts: list[dict[str, Any]] = []
        self.firings: list[dict[str, Any]] = []

    def fact(self, fact: Fact) -> int:
        """Returns the number of a fact, with all that supports it taken up as well."""
        number = self._number(fact)
        self._take_up()
        return number

    def firing(self, firing: Firing) -> int:
        """Returns the number of a firing, with all that it rests on taken up as well."""
        number = self._firing_number(firing)
        self._take_up()
        return number

    def _take_up(self) -> None:
        while self._open:  # no recursion: chains of rules may be longer than Python's stack
            now = self._open.pop()
            record = self.facts[self._numbers[now]]
            record["firings"] = [
                self._firing_number(firing) for firing in self._reasoning.firings_for(now)
            ]

    def _firing_number(self, firing: Firing) -> int:
        if firing not in self._firings:
            self._firings[firing] = len(self.firings)
            self.firings.append(self._firing(firing))
        return self._firings[firing]

    def _number(self, fact: Fact) -> int:
        if fact not in self._numbers:
            self._numbers[fact] = len(self.facts)
            self.facts.append(_fact(fact) | {"firings": []})
            if fact in self._derived:
                self._open.append(fact)
        return self._numbers[fact]

    def _firing(self, firing: Firing) -> dict[str, Any]:
        rule = self._rules[firing.rule]
        atom = firing.conclusion.atom
        return {
            "rule": firing.rule,
            "reading": put_in(rule.reading or rule.head, dict(firing.bindings)),
            "cites": list(rule.cites),
            "turn": atom.turn,
            "args": list(atom.args),
            "known_at": firing.conclusion.known_at,
            "strength": firing.conclusion.strength,
            "weight": firing.weight,
            "bindings": dict(firing.bindings),
            "evidence": [self._number(fact) for fact in firing.evidence],
            "checked": [self._checked(checked) for checked in firing.checked],
        }

    def _checked(self, checked: Checked) -> dict[str, Any]:
        return {
            "condition": checked.condition,
            "literal": checked.literal,
            "value": checked.value,
            "facts": [self._number(fact) for fact in checked.facts],
        }


def _fact(fact: Fact) -> dict[str, Any]:
    cue = fact.cue
    return {
        "predicate": fact.atom.predicate,
        "turn": fact.atom.turn,
        "args": list(fact.atom.args),
        "known_at": fact.known_at,
        "strength": fact.strength,
        "words": cue.words if cue else "",
        "by": cue.by if cue else "",
    }


def explanation_record(
    conversation: Conversation, reasoning: Reasoning, parts: Sequence[Section]
) -> dict[str, Any]:
    """Returns the explanation as a JSON object: all that its text says, and every firing."""
    tables = Tables(reasoning)
    answers = {pack.name: list(pack.answers) for pack in reasoning.rules.packs}
    conclusions, nearest, blocked, open_ = [], [], [], []
    for part in parts:
        pack = part.pack.name
        conclusions += [
            {"pack": pack, "answers": answers[pack], "fact": number}
            for number in dict.fromkeys(tables.fact(found.fact) for found in part.found)
        ]
        nearest += [_miss(pack, head, miss, tables) for head, miss in part.nearest]
        blocked += [_blocked(pack, stopped, tables) for stopped in part.blocked]
        open_ += [tables.firing(firing) for firing in part.unconfirmed]
    return {
        "format": FORMAT,
        "conversation": conversation.id,
        "scenario": conversation.scenario,
        "after_turn": reasoning.last_turn,
        "rules": reasoning.rules.hash,
        "conclusions": conclusions,
        "nearest": nearest,
        "blocked": blocked,
        "unconfirmed": open_,
        "unavailable": list(reasoning.unavailable),
        "firings": tables.firings,
        "facts": tables.facts,
    }


def _miss(pack: str, head: str, miss: Miss | None, tables: Tables) -> dict[str, Any]:
    if miss is None:
        return {"pack": pack, "head": head, "rule": None}
    return {
        "pack": pack,
        "head": head,
        "rule": miss.rule,
        "evidence": [tables.fact(fact) for fact in miss.evidence],
        "unmet": miss.unmet,
        "literal": miss.literal,
        "by": None if miss.by is None else tables.fact(miss.by),
        "matched": miss.matched,
        "wanted": miss.wanted,
    }


def _blocked(pack: str, stopped: Blocked, tables: Tables) -> dict[str, Any]:
    return {
        "pack": pack,
        "head": stopped.head,
        "args": list(stopped.args),
        "rule": stopped.rule,
        "known_at": stopped.known_at,
        "evidence": [tables.fact(fact) for fact in stopped.evidence],
        "condition": stopped.condition,
        "literal": stopped.literal,
        "by": tables.fact(stopped.by),
    }
