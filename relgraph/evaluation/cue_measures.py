"""How often each cue is there, and how far it agrees with gold labels and with coders."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relgraph.cues.annotations import Annotated, Coding
from relgraph.cues.codebook import CODEBOOK, Entry
from relgraph.cues.records import Cue
from relgraph.intervals import interval, resamples
from relgraph.records import Conversation
from relgraph.sums import Floats, Sums

Unit = tuple[str, int]
"""A turn: id of the conversation and index."""
Item = tuple[str, int, str, str]
"""A cue in a turn: the unit, its source, and its target, or its detail where it has kinds."""

MEASURED = tuple(e for e in CODEBOOK.values() if e.family != "type")
NEEDS_TIMES = frozenset({"silence", "overlap"})
"""Looked for only where times are those of a recording; elsewhere their absence says nothing."""
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Table:
    """Turns that are said and meant to have something: `counts[relationship, part]`.

    The parts are hits (said and meant), false (said), missed (meant), and neither.
    """

    counts: Floats

    @property
    def total(self) -> Floats:
        """The counts over all relationships, `[part]`."""
        total: Floats = self.counts.sum(axis=0)
        return total


def measure(
    conversations: Sequence[Conversation],
    cues: Sequence[Sequence[Cue]],
    *,
    coding: Coding | None = None,
    second: Coding | None = None,
    at_least: float = 0.0,
    seed: int = 0,
) -> dict[str, Any]:
    """Returns the figures of every cue of the codebook but `type_*`, ready for JSON.

    What is not defined is None: a precision where nothing was found, a recall, F1 or kappa where
    nothing was to be found. `gold` is None for a cue that no gold label comes near ("no gold").

    Args:
        conversations: with gold where there is some.
        cues: of each conversation, as `find_all` gives them.
        coding: what a coder noted; figures are over the conversations that were read.
        second: what another coder noted, for the agreement of the two where both read.
        at_least: weaker cues are left out.
        seed: of the resamples of relationships that the intervals come from.
    """
    found = {
        c.id: [q for q in own if q.strength >= at_least]
        for c, own in zip(conversations, cues, strict=True)
    }
    timed = [c for c in conversations if c.timing == "recorded"]
    client_turns = sum(t.speaker != c.supporter for c in conversations for t in c.turns)
    report: dict[str, Any] = {
        "conversations": len(conversations),
        "relationships": len({_relationship(c) for c in conversations}),
        "turns": sum(len(c.turns) for c in conversations),
        "client_turns": client_turns,
        "at_least": at_least,
        "cues": {},
        "types": _types(conversations, found, seed),
    }
    for entry in MEASURED:
        own = timed if entry.name in NEEDS_TIMES else conversations
        report["cues"][entry.name] = {
            **_rates(entry, own, found),
            "gold": _against_gold(entry, own, found, seed) if entry.gold else None,
        }
    if coding is not None:
        report["coding"] = _agreement(conversations, found, None, coding, seed)
        if second is not None:
            report["coders"] = _agreement(conversations, found, coding, second, seed)
    return report


def _rates(
    entry: Entry, conversations: Sequence[Conversation], found: Mapping[str, Sequence[Cue]]
) -> dict[str, Any]:
    """Returns in how many turns a cue is, from whomever, and how it was found."""
    units = {(c.id, q.turn) for c in conversations for q in found[c.id] if q.name == entry.name}
    turns = [(c, t) for c in conversations for t in c.turns]
    clients = [(c.id, t.index) in units for c, t in turns if t.speaker != c.supporter]
    by = Counter(q.by for c in conversations for q in found[c.id] if q.name == entry.name)
    return {
        "turns": len(units) if turns else None,
        "share_of_turns": _share(len(units), len(turns)),
        "share_of_client_turns": _share(sum(clients), len(clients)),
        "by": dict(sorted(by.items())),
    }


def _types(
    conversations: Sequence[Conversation], found: Mapping[str, Sequence[Cue]], seed: int
) -> dict[str, Any]:
    """Returns for each gold type how well any of its cues tells it.

    `always` is the F1 of saying the type of every turn: what no reading at all reaches.
    """
    names: dict[str, list[str]] = defaultdict(list)
    for entry in MEASURED:
        if entry.gold:
            names[entry.gold].append(entry.name)
    report = {}
    for gold in sorted(names):
        table = _gold_table(gold, names[gold], conversations, found)
        hit, false, missed, neither = table.total
        share = _share(hit + missed, hit + false + missed + neither)
        always = None if not share else _rounded(2 * share / (1 + share))
        report[gold] = {"cues": names[gold], **_figures(table, seed), "always": always}
    return report


def _against_gold(
    entry: Entry,
    conversations: Sequence[Conversation],
    found: Mapping[str, Sequence[Cue]],
    seed: int,
) -> dict[str, Any]:
    table = _gold_table(entry.gold, [entry.name], conversations, found)
    return {"type": entry.gold, **_figures(table, seed)}


def _gold_table(
    gold: str,
    names: Collection[str],
    conversations: Sequence[Conversation],
    found: Mapping[str, Sequence[Cue]],
) -> Table:
    """Counts client turns that have a type: said where the speaker gives one of the cues."""
    said, meant, units = set(), set(), {}
    for c in conversations:
        speakers = {t.index: t.speaker for t in c.turns}
        said |= {
            (c.id, q.turn) for q in found[c.id] if q.name in names and q.source == speakers[q.turn]
        }
        for t in c.turns:
            label = c.annotation(t.index).utterance_type
            if t.speaker != c.supporter and label:
                units[c.id, t.index] = _relationship(c)
                if label == gold:
                    meant.add((c.id, t.index))
    return _table(units, said, meant)


def _agreement(
    conversations: Sequence[Conversation],
    found: Mapping[str, Sequence[Cue]],
    first: Coding | None,
    second: Coding,
    seed: int,
) -> dict[str, Any]:
    """Returns the agreement a cue, of what was found (or of a first coder) with a coder.

    `all` counts every cue of every turn as one thing to agree on.
    """
    read = set(second.conversations) & set(first.conversations if first else found)
    own = [c for c in conversations if c.id in read]
    units = {(c.id, t.index): _relationship(c) for c in own for t in c.turns}
    said = _items(first.cues) if first else _found_items(found)
    meant = _items(second.cues)
    timed = {u for c in own if c.timing == "recorded" for u in units if u[0] == c.id}
    report = {}
    every = _table(units, (), ()).counts * 0
    for entry in MEASURED:
        mine = units
        if entry.name in NEEDS_TIMES and first is None:
            mine = {u: r for u, r in units.items() if u in timed}
        a = {i for i in said[entry.name] if i[:2] in mine}
        b = {i for i in meant[entry.name] if i[:2] in mine}
        table = _table(mine, {i[:2] for i in a}, {i[:2] for i in b})
        # beside the turn, the people (or the kind): there is no `neither` to count here
        counts = np.array([len(a & b), len(a - b), len(b - a), 0.0])
        report[entry.name] = {**_figures(table, seed, kappa=True), "with_target": _plain(counts)}
        if mine is units:
            every += table.counts
    pooled = _figures(Table(every), seed, kappa=True)
    return {"conversations": len(own), "turns": len(units), "all": pooled, "cues": report}


def _items(cues: Iterable[Annotated]) -> Mapping[str, set[Item]]:
    items: dict[str, set[Item]] = defaultdict(set)
    for q in cues:
        what = q.detail if CODEBOOK[q.cue].details else q.target
        items[q.cue].add((q.conversation, q.turn, q.source, what))
    return items


def _found_items(found: Mapping[str, Sequence[Cue]]) -> Mapping[str, set[Item]]:
    return _items(
        Annotated(name, q.turn, q.name, q.source, q.target, q.detail)
        for name, own in found.items()
        for q in own
    )


def _table(units: Mapping[Unit, str], said: Collection[Unit], meant: Collection[Unit]) -> Table:
    rows = {name: k for k, name in enumerate(sorted(set(units.values())))}
    counts = np.zeros((len(rows), 4))
    for unit, relationship in units.items():
        part = (0 if unit in meant else 1) if unit in said else (2 if unit in meant else 3)
        counts[rows[relationship], part] += 1
    return Table(counts)


def _figures(table: Table, seed: int, *, kappa: bool = False) -> dict[str, Any]:
    drawn = resamples(len(table.counts), seed=seed) if len(table.counts) else None
    figures = _plain(table.total)
    for name, value in (("f1", _f1), ("kappa", _kappa)):
        if name == "f1" or kappa:
            figures[name] = _with_interval(Sums(table.counts, value), drawn)
    return figures


def _with_interval(sums: Sums, drawn: Floats | None) -> dict[str, float | None]:
    if drawn is None:
        return {"value": None, "low": None, "high": None}
    value = _rounded(float(sums.at(np.ones(len(sums.table)))))
    ends = interval(sums, drawn) if value is not None and len(sums.table) > 1 else None
    low, high = map(_rounded, ends) if ends else (None, None)
    return {"value": value, "low": low, "high": high}


def _plain(counts: Floats) -> dict[str, Any]:
    hit, false, missed, _ = counts
    return {
        "found": int(hit + false),
        "to_find": int(hit + missed),
        "both": int(hit),
        "precision": _share(hit, hit + false),
        "recall": _share(hit, hit + missed),
        "f1": _rounded(float(_f1(counts))),
    }


def _f1(t: Floats) -> Floats:
    """Returns F1; NaN where nothing is to be found: then it says nothing about the finder."""
    hit, false, missed = t[..., 0], t[..., 1], t[..., 2]
    return _quotient(2 * hit, np.where(hit + missed > 0, 2 * hit + false + missed, 0.0))


def _kappa(t: Floats) -> Floats:
    """Returns Cohen's kappa; NaN where nothing is to be found, or all turns have it by both.

    Where nothing is to be found the formula gives 0 whatever was found, so we do not give it.
    """
    hit, false, missed, neither = np.moveaxis(t, -1, 0)
    n = np.where(hit + missed > 0, t.sum(-1), 0.0)
    same = _quotient(hit + neither, n)
    by_chance = _quotient(
        (hit + false) * (hit + missed) + (missed + neither) * (false + neither), n**2
    )
    return _quotient(same - by_chance, 1 - by_chance)


def _quotient(above: Floats, below: Floats) -> Floats:
    above, below = np.asarray(above, dtype=float), np.asarray(below, dtype=float)
    quotient: Floats = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    return quotient


def _relationship(conversation: Conversation) -> str:
    return conversation.relationship or conversation.id


def _share(part: float, whole: float) -> float | None:
    return _rounded(part / whole) if whole else None


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), DIGITS)
