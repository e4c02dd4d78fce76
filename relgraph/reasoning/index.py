"""Facts as the engine holds them: rows, found by predicate, by people, and by turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Final, NamedTuple

from relgraph.errors import DataError
from relgraph.reasoning.language import Arrow
from relgraph.reasoning.records import Atom, Fact
from relgraph.reasoning.vocabulary import NOT_PEOPLE

Row = tuple[int, tuple[str, ...], int, float, int, str]
"""turn, args, known_at, strength, number of the fact, predicate."""
TURN: Final = 0
ARGS: Final = 1
KNOWN_AT: Final = 2
STRENGTH: Final = 3
NUMBER: Final = 4
PREDICATE: Final = 5
Entry = tuple[list[int], list[Row]]
"""Rows in order of turns, and beside them their turns, for bisection."""
Key = str | tuple[str, ...]
Table = dict[Key, Entry]
by_turn = itemgetter(TURN)


class Source(NamedTuple):
    """Which facts a literal looks at, and by which of their arguments it looks them up.

    Attributes:
        predicates: any of these.
        arity: how many arguments; -1 for whatever there are.
        arrow: `->` wants two different ones; `<->` has every fact in both directions.
        people: positions that must be people, not `group` or `nobody`.
        equal: pairs of positions where the same variable stands twice.
        at_least: the strength wanted.
        keys: positions of the arguments that are known when the literal is looked at.
    """

    predicates: tuple[str, ...]
    arity: int
    arrow: Arrow
    people: tuple[int, ...]
    equal: tuple[tuple[int, int], ...]
    at_least: float
    keys: tuple[int, ...]


class Facts:
    """All facts of one evaluation, given and concluded, and the tables that find them."""

    def __init__(self, given: Iterable[Fact], sources: list[Source], last_turn: int) -> None:
        self.sources = sources
        self.tables: list[Table | None] = [None] * len(sources)
        self.rows: dict[str, list[Row]] = {}
        self.all: list[Row] = []
        self.facts: dict[int, Fact] = {}
        self.therapist = "therapist"
        self._give(given, last_turn)

    def _give(self, given: Iterable[Fact], last_turn: int) -> None:
        """Takes the facts known by the last turn; of equal atoms known at once, the strongest."""
        kept: dict[tuple[int, str, tuple[str, ...], int], Fact] = {}
        for fact in given:
            (predicate, turn, args), known_at = fact.atom, fact.known_at
            if known_at > last_turn:
                continue
            if known_at < turn or not 0 < fact.strength <= 1:
                raise DataError(
                    f"fact {predicate} at turn {turn}, known at {known_at}, strength "
                    f"{fact.strength}: expected known_at from {turn} on, strength in (0, 1]."
                )
            key = (turn, predicate, args, known_at)
            other = kept.setdefault(key, fact)
            if other is not fact and _rank(fact) > _rank(other):
                kept[key] = fact
        rows, everything, facts = self.rows, self.all, self.facts
        for number, key in enumerate(sorted(kept)):
            fact = facts[number] = kept[key]
            turn, predicate, args, known_at = key
            row = (turn, args, known_at, fact.strength, number, predicate)
            everything.append(row)
            if predicate in rows:
                rows[predicate].append(row)
            else:
                rows[predicate] = [row]
        supporters = [r[ARGS][0] for r in rows.get("therapist", ()) if r[KNOWN_AT] == 0]
        if supporters:
            self.therapist = supporters[0]

    def add(self, predicate: str, rows: list[Row]) -> None:
        """Takes concluded facts; tables that were built before are built anew."""
        here = self.rows.setdefault(predicate, [])
        here += rows
        here.sort(key=by_turn)
        self.all += rows

    def forget(self, predicates: frozenset[str]) -> None:
        """Lets go of the tables over these predicates."""
        for slot, source in enumerate(self.sources):
            if not predicates.isdisjoint(source.predicates):
                self.tables[slot] = None

    def fact(self, number: int) -> Fact:
        """Returns a fact by its number."""
        fact = self.facts.get(number)
        if fact is None:
            turn, args, known_at, strength, _, predicate = self.all[number]
            fact = self.facts[number] = Fact(Atom(predicate, turn, args), known_at, strength)
        return fact

    def build(self, slot: int) -> Table:
        """Returns the table of a source, built from the facts as they are now."""
        source = self.sources[slot]
        table = self.tables[slot] = built(source, self.rows)
        return table


def built(source: Source, all_rows: Mapping[str, list[Row]]) -> Table:
    """Returns rows by the values of their known arguments, in order of turns."""
    predicates, arity, arrow, people, equal, at_least, keys = source
    rows = all_rows.get(predicates[0], [])
    if len(predicates) > 1:
        rows = [row for name in predicates for row in all_rows.get(name, ())]
    if at_least > 0:
        rows = [row for row in rows if row[STRENGTH] >= at_least]
    if arrow:
        rows = [row for row in rows if len(row[ARGS]) == 2 and row[ARGS][0] != row[ARGS][1]]
    elif arity >= 0:
        rows = [row for row in rows if len(row[ARGS]) == arity]
    if arrow == "<->":
        rows = rows + [(row[TURN], row[ARGS][::-1], *row[2:]) for row in rows]
    for position in people:
        rows = [row for row in rows if row[ARGS][position] not in NOT_PEOPLE]
    for one, other in equal:
        rows = [row for row in rows if row[ARGS][one] == row[ARGS][other]]
    if len(predicates) > 1 or arrow == "<->":
        rows.sort(key=by_turn)
    if not keys:
        return {(): ([row[TURN] for row in rows], rows)} if rows else {}
    table: Table = {}
    single = keys[0]
    for row in rows:
        args = row[ARGS]
        key: Key = args[single] if len(keys) == 1 else tuple([args[k] for k in keys])
        entry = table.get(key)
        if entry is None:
            table[key] = ([row[TURN]], [row])
        else:
            entry[0].append(row[TURN])
            entry[1].append(row)
    return table


def _rank(fact: Fact) -> tuple[float, str, str]:
    """What decides between equal atoms: the strength, then the cue, never the order given."""
    cue = fact.cue
    return (fact.strength, cue.words if cue else "", cue.by if cue else "")
