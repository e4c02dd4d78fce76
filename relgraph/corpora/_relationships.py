"""Which couple, family or team a conversation belongs to, where the data does not say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from relgraph.corpora._base import Notes
from relgraph.corpora._json import document
from relgraph.errors import DataError
from relgraph.records import Conversation


def derive(conversations: Sequence[Conversation]) -> dict[str, str]:
    """Returns the relationship of each conversation by id, from ids and rosters alone.

    A family: all conversations that are linked by shared participants, named after the smallest
    of their ids. Anything else: the folder in its id (`ana_and_ben/03` is of `ana_and_ben`), or
    without a folder its roster. Linking may put two families with a namesake together; that costs
    a little data and never leaks.
    """
    families = [c for c in conversations if c.scenario == "family"]
    found = _linked(families)
    for c in conversations:
        if c.id not in found:
            folders = c.id.split("/")[:-1]
            found[c.id] = folders[-1] if folders else "+".join(sorted(c.participants))
    return found


def related(
    conversations: Sequence[Conversation], given: Mapping[str, str] | None = None
) -> tuple[Conversation, ...]:
    """Returns the conversations with a relationship each: given, else their own, else derived."""
    given = given or {}
    derived = derive([c for c in conversations if not c.relationship and c.id not in given])
    return tuple(
        replace(c, relationship=given.get(c.id) or c.relationship or derived.get(c.id, ""))
        for c in conversations
    )


def read_map(path: Path) -> dict[str, str]:
    """Returns the relationship of each conversation id from a JSON object of strings.

    Raises:
        DataError: the file cannot be read as that.
    """
    notes = Notes(file=str(path))
    value = document(path, notes)
    if value is ...:
        raise DataError(str(notes.defects[-1]))
    if not isinstance(value, dict) or not all(isinstance(v, str) and v for v in value.values()):
        raise DataError(
            f"{path}: not a map of relationships. Wanted one JSON object, conversation id to "
            'relationship, such as {"ana_and_ben/01": "ana_and_ben"}.'
        )
    return value


def _linked(families: Sequence[Conversation]) -> dict[str, str]:
    """Returns the name of each family conversation's component, by conversation id."""
    above: dict[str, str] = {}

    def top(name: str) -> str:
        while above.setdefault(name, name) != name:
            above[name] = above[above[name]]
            name = above[name]
        return name

    first: dict[str, str] = {}
    for c in families:
        for person in c.participants:
            one, other = sorted((top(c.id), top(first.setdefault(person, c.id))))
            above[other] = one
    return {c.id: top(c.id) for c in families}
