"""What rules concluded as acts between people, for a graph."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from relgraph.graph.schema import Claim
from relgraph.reasoning.language import Aggregate

if TYPE_CHECKING:
    from relgraph.reasoning.engine import Reasoning
    from relgraph.reasoning.records import Fact
    from relgraph.records import Conversation


def claims_of(
    reasoning: Reasoning, facts: tuple[Fact, ...] | None = None, *, by: str = "rules"
) -> tuple[Claim, ...]:
    """Returns the conclusions between two people as claims, in the order in which they are known.

    A claim stands at the turn at which its conclusion is known, so that `InteractionGraph.until`
    shows no more of them than could be known by then; its weight is the strength. The first two
    people of a conclusion are its source and target; constants beside them (a stance, a topic)
    follow the rule's name in the label: `sees cold money`. Conclusions about one person are no
    edge and are left out.

    Args:
        reasoning: what was concluded.
        facts: which conclusions; all of them when None.
        by: who claims it.
    """
    people = {arg for f in reasoning.given if not f.atom.turn for arg in f.atom.args}
    viewpoints = set(reasoning.rules.answers("vp"))
    found = []
    for fact in reasoning.conclusions if facts is None else facts:
        source, target, *rest = (*fact.atom.args, "", "")
        if source not in people or target not in people:
            continue
        found.append(
            Claim(
                kind="stance" if fact.atom.predicate in viewpoints else "act",
                source=source,
                target=target,
                turn=fact.known_at,
                label=" ".join((fact.atom.predicate, *(r for r in rest if r))),
                weight=fact.strength,
                by=by,
            )
        )
    return tuple(sorted(found, key=lambda claim: claim.turn))


def evidence_of(reasoning: Reasoning, facts: tuple[Fact, ...]) -> list[dict[str, Any]]:
    """Returns which turns conclusions were read from: an edge from each to their anchor turn.

    Each has `from`, `to`, `conclusion` (the rule's head), `args`, `rule`, `weight` (the strength
    of that firing) and `known_at`. Turns are those of the matched and counted facts.
    """
    aggregates = {
        rule.id: {i for i, c in enumerate(rule.conditions) if isinstance(c, Aggregate)}
        for rule in reasoning.rules.rules
    }
    found: dict[str, dict[str, Any]] = {}
    for fact in facts:
        for firing in reasoning.firings_for(fact):
            counts = aggregates[firing.rule]
            counted = (f for c in firing.checked if c.literal in counts for f in c.facts)
            for turn in sorted({f.atom.turn for f in (*firing.evidence, *counted)} - {0}):
                edge = {
                    "from": turn,
                    "to": fact.atom.turn,
                    "conclusion": fact.atom.predicate,
                    "args": list(fact.atom.args),
                    "rule": firing.rule,
                    "weight": firing.conclusion.strength,
                    "known_at": fact.known_at,
                }
                found.setdefault(repr(edge), edge)
    return list(found.values())


def graph_record(
    conversation: Conversation, reasoning: Reasoning, facts: tuple[Fact, ...]
) -> dict[str, Any]:
    """Returns the interaction graph with conclusions as acts and stances, as a JSON object.

    It is what `relgraph.graph.views.from_json` reads, and beside that `evidence`: edges between
    turns, as `evidence_of` gives them.
    """
    from relgraph.graph import build_graph
    from relgraph.graph.views import to_json

    graph = build_graph(conversation, claims=claims_of(reasoning, facts))
    record: dict[str, Any] = json.loads(to_json(graph))
    return {**record, "evidence": evidence_of(reasoning, facts)}
