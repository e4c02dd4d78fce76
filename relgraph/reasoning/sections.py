"""Which conclusions an explanation shows, pack by pack."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from relgraph.reasoning.language import Pack
from relgraph.reasoning.records import Fact

if TYPE_CHECKING:
    from relgraph.reasoning.engine import Reasoning
    from relgraph.reasoning.near import Blocked, Miss
    from relgraph.reasoning.records import Firing


@dataclass(frozen=True, slots=True)
class Found:
    """A conclusion about certain people at its strongest, and the other turns where it holds."""

    fact: Fact
    also: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """What one pack says of a conversation.

    Attributes:
        pack: which.
        found: what its rules concluded more strongly than others, the strongest first.
        nearest: for each head that was not concluded, what came nearest; None if nothing did.
            A head that several packs have stands with the first of them.
        blocked: what an absence or the safety check stopped.
        unconfirmed: what waits for a window to close.
    """

    pack: Pack
    found: tuple[Found, ...]
    nearest: tuple[tuple[str, Miss | None], ...]
    blocked: tuple[Blocked, ...]
    unconfirmed: tuple[Firing, ...]


def sections(
    reasoning: Reasoning,
    *,
    task: str = "",
    packs: Collection[str] = (),
    own: Collection[str] = (),
    everything: bool = False,
) -> tuple[Section, ...]:
    """Returns a section each pack that is to be shown and has something to say.

    Args:
        reasoning: what was concluded.
        task: only packs that answer it; "" for those that answer any task, and those of `own`.
        packs: only packs of these names; () for all of the above.
        own: sources of the user's own rule files: their packs come first.
        everything: show all packs, and each conclusion at each turn for itself.
    """
    shown = [
        pack
        for pack in reasoning.rules.packs
        if pack.rules
        and (not task or task in pack.answers)
        and (pack.name in packs if packs else everything or pack.answers or pack.source in own)
    ]
    shown.sort(key=lambda pack: pack.source not in own)
    made: list[Section] = []
    for pack in shown:
        told = {head for section in made for head, _ in section.nearest}
        section = _section(reasoning, pack, told, everything=everything)
        if section.found or section.nearest or section.blocked or section.unconfirmed:
            made.append(section)
    return tuple(made)


def _section(reasoning: Reasoning, pack: Pack, told: set[str], *, everything: bool) -> Section:
    heads = tuple(dict.fromkeys(rule.head for rule in pack.rules))
    ids = {rule.id for rule in pack.rules}
    there = {fact.atom.predicate for fact in reasoning.conclusions}
    facts = [
        fact
        for fact in reasoning.conclusions
        if fact.atom.predicate in heads and reasoning.firings_for(fact)[0].rule in ids
    ]
    return Section(
        pack=pack,
        found=tuple(Found(f, ()) for f in facts) if everything else _strongest(facts),
        nearest=tuple((h, reasoning.closest(h)) for h in heads if h not in there | told),
        blocked=tuple(b for b in reasoning.blocked if b.rule in ids),
        unconfirmed=tuple(f for f in reasoning.unconfirmed if f.rule in ids),
    )


def _strongest(facts: list[Fact]) -> tuple[Found, ...]:
    """Returns one conclusion a head and people: the strongest, of equal ones the latest."""
    groups: dict[tuple[str, tuple[str, ...]], list[Fact]] = {}
    for fact in facts:
        groups.setdefault((fact.atom.predicate, fact.atom.args), []).append(fact)
    found = []
    for group in groups.values():
        best = max(group, key=lambda f: (f.strength, f.atom.turn, -f.known_at))
        turns = {fact.atom.turn for fact in group} - {best.atom.turn}
        found.append(Found(best, tuple(sorted(turns))))
    return tuple(sorted(found, key=lambda f: (-f.fact.strength, -f.fact.atom.turn)))
