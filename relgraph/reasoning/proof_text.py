"""A proof as text of 80 columns, for people to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from relgraph.reasoning.explain import Check, Proof, Step
from relgraph.reasoning.records import Fact, Firing
from relgraph.reasoning.wording import atom_words, fact_words, wrapped
from relgraph.terminal import one_line

DEEPEST = 20
"""Spaces beyond which what lies deeper is not indented further."""
MOST_OTHERS = 3


def proof_text(proof: Proof, *, told: set[Fact] | None = None) -> str:
    """Returns the proof as lines: what holds, its strength, what it was read from and checked.

    Names and words come from the conversation and are made harmless for a terminal.

    Args:
        proof: what to tell.
        told: conclusions whose proof stands above already and is not repeated; those told here
            are added.
    """
    told = set() if told is None else told
    atom = proof.conclusion.atom
    lines = [wrapped("", f"{atom.predicate} turn {atom.turn}: {proof.reading}", hang=4)]
    lines += _body(proof, 2, told)
    return "\n".join(lines) + "\n"


def headline(fact: Fact, reading: str) -> str:
    """Returns a conclusion on one line, without its proof."""
    atom = fact.atom
    return f"{atom.predicate} turn {atom.turn} {fact.strength:.2f}: {reading}"


def _body(proof: Proof, indent: int, told: set[Fact]) -> Iterator[str]:
    told.add(proof.conclusion)
    late = proof.conclusion.known_at
    known = f", known at turn {late}" if late != proof.conclusion.atom.turn else ""
    about = f"{proof.arithmetic}{known}, by {proof.rule.id}"
    yield wrapped("", f"strength {about}", indent=indent, hang=indent + 2)
    for step in proof.steps:
        if step.fact.atom.turn:
            yield from _step(step, indent, told)
    if any(not step.fact.atom.turn for step in proof.steps):
        yield wrapped("", f"given: {_statics(proof)}", indent=indent, hang=indent + 2)
    for check in proof.checks:
        yield from _check(check, indent, told)
    others = Counter(map(_also, proof.others))
    for other, ways in list(others.items())[:MOST_OTHERS]:
        said = f"also by {other}" + (f" ({ways} ways)" if ways > 1 else "")
        yield wrapped("", said, indent=indent, hang=indent + 2)
    rest = sum(list(others.values())[MOST_OTHERS:])
    if rest:
        yield f"{' ' * indent}also in {rest} other way{'s' * (rest > 1)}"


def _statics(proof: Proof) -> str:
    facts = (step.fact for step in proof.steps if not step.fact.atom.turn)
    said = (
        atom_words(fact.atom) + (f" {fact.strength:.2f}" if fact.strength < 1 else "")
        for fact in facts
    )
    return ", ".join(dict.fromkeys(said))


def _step(step: Step, indent: int, told: set[Fact]) -> Iterator[str]:
    fact = step.fact
    above = step.proof is not None and fact in told
    said = fact_words(fact) + ("  (proof above)" if above else "")
    yield wrapped("", f"turn {fact.atom.turn}  {said}", indent=indent, hang=indent + 2)
    if step.proof is not None and not above:
        yield from _body(step.proof, min(indent + 2, DEEPEST), told)


def _check(check: Check, indent: int, told: set[Fact]) -> Iterator[str]:
    checked = check.checked
    value = f" = {checked.value:.4g}" if check.counted else ""
    said = f"checked: {one_line(checked.condition)}{value}"
    yield wrapped("", said, indent=indent, hang=indent + 2)
    for step in check.steps:
        if check.counted:
            yield from _step(step, indent + 2, told)
        else:
            weak = f"turn {step.fact.atom.turn}  {fact_words(step.fact)}  (too weak to block)"
            yield wrapped("", weak, indent=indent + 2, hang=indent + 4)


def _also(firing: Firing) -> str:
    turns = sorted({f.atom.turn for f in firing.evidence if f.atom.turn})
    where = ", ".join(map(str, turns))
    return f"{firing.rule} {firing.conclusion.strength:.2f}, turn{'s' * (len(turns) > 1)} {where}"
