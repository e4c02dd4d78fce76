"""The explanation of a conversation as text: what was concluded, proofs, and what was missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from relgraph.reasoning.explain import Proof, prove_all
from relgraph.reasoning.nearly import blocked_words, miss_words, open_words
from relgraph.reasoning.proof_text import headline, proof_text
from relgraph.reasoning.sections import Found, Section
from relgraph.reasoning.wording import wrapped
from relgraph.terminal import one_line

if TYPE_CHECKING:
    from relgraph.reasoning.engine import Reasoning
    from relgraph.reasoning.near import Blocked
    from relgraph.reasoning.records import Fact, Firing
    from relgraph.records import Conversation

MOST_STOPPED = 3


def explanation_text(
    conversation: Conversation,
    reasoning: Reasoning,
    parts: Sequence[Section],
    *,
    brief: bool = False,
    everything: bool = False,
) -> str:
    """Returns the explanation as lines of at most 80 columns.

    Args:
        conversation: what was reasoned about, cut as it was seen.
        reasoning: about it.
        parts: what to show.
        brief: the proof of each pack's strongest conclusion only, the others on a line.
        everything: all that was blocked or is unconfirmed, not just the latest; in brief, only
            what the safety check blocked is told.
    """
    told: set[Fact] = set()
    lines = list(_head(conversation, reasoning))
    for part in parts:
        lines += ("", *_title(part))
        lines += _found(reasoning, part, brief=brief, told=told)
        if not brief or not part.found:
            lines += _missing(part)
        if not brief:
            most = len(part.blocked) + len(part.unconfirmed) if everything else MOST_STOPPED
            lines += _stopped(reasoning, part.blocked, part.unconfirmed, most)
        else:
            lines += _stopped(reasoning, _for_safety(reasoning, part), (), MOST_STOPPED)
    if reasoning.unavailable:
        lines += ("", *_unavailable(reasoning))
    return "\n".join(lines) + "\n"


def _head(conversation: Conversation, reasoning: Reasoning) -> Iterator[str]:
    scenario = f", {one_line(conversation.scenario)}" if conversation.scenario else ""
    seen = f"after turn {reasoning.last_turn}" if reasoning.last_turn else "before the first turn"
    yield wrapped("", f"{one_line(conversation.id)}{scenario}: what is known {seen}", hang=2)
    rules = reasoning.rules.rules
    cues = sum(fact.cue is not None for fact in reasoning.given)
    yield (f"{len(rules)} rules, {cues} facts from cues, {len(reasoning.conclusions)} conclusions")


def _title(part: Section) -> Iterator[str]:
    pack = part.pack
    answers = f" ({', '.join(pack.answers)})" if pack.answers else ""
    title = one_line(pack.title or pack.name) + answers
    yield wrapped("", title)
    yield "-" * min(len(title), 80)


def _found(reasoning: Reasoning, part: Section, *, brief: bool, told: set[Fact]) -> Iterator[str]:
    proofs = prove_all(reasoning, tuple(found.fact for found in part.found))
    for number, (found, proof) in enumerate(zip(part.found, proofs, strict=True)):
        if brief and number:
            yield wrapped("", _line(found, proof), hang=4)
            continue
        if number:
            yield ""
        yield proof_text(proof, told=told).rstrip("\n")
        if found.also:
            yield wrapped("", f"holds at {_turns(found.also)} too", indent=2, hang=4)
        if brief and len(part.found) > 1:
            yield ""
            yield "concluded as well:"


def _line(found: Found, proof: Proof) -> str:
    also = f" (and at {_turns(found.also)})" if found.also else ""
    return headline(found.fact, proof.reading) + also


def _missing(part: Section) -> Iterator[str]:
    if not part.nearest:
        return
    if part.found:
        yield ""
    yield "not concluded, and what came nearest:"
    silent = [head for head, miss in part.nearest if miss is None]
    for _, miss in part.nearest:
        if miss is not None:
            yield wrapped("", miss_words(miss), indent=2, hang=4)
    if silent:
        yield wrapped("", f"nothing spoke for {', '.join(silent)}", indent=2, hang=4)


def _for_safety(reasoning: Reasoning, part: Section) -> list[Blocked]:
    """Returns what the safety check stopped: this is told even in brief."""
    literals = {rule.id: len(rule.literals) for rule in reasoning.rules.rules}
    return [stopped for stopped in part.blocked if stopped.literal == literals[stopped.rule]]


def _stopped(
    reasoning: Reasoning, blocked: Sequence[Blocked], open_: Sequence[Firing], most: int
) -> Iterator[str]:
    for title, lines in (
        ("blocked:", [blocked_words(stopped, reasoning.rules) for stopped in blocked]),
        ("unconfirmed:", [open_words(firing, reasoning.rules) for firing in open_]),
    ):
        lines = list(dict.fromkeys(lines))
        if lines:
            yield ""
            yield title
        for line in lines[-most:]:
            yield wrapped("", line, indent=2, hang=4)
        if len(lines) > most:
            yield f"  and {len(lines) - most} more (--all)"


def _unavailable(reasoning: Reasoning) -> Iterator[str]:
    yield "could not be looked at, for want of recorded times:"
    yield wrapped("", ", ".join(reasoning.unavailable), indent=2, hang=4)


def _turns(turns: tuple[int, ...]) -> str:
    return f"turn{'s' * (len(turns) > 1)} {', '.join(map(str, turns))}"
