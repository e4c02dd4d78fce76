"""Which couple, family or team a conversation belongs to, where the data does not say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from relgraph.corpora._base import Notes
from relgraph.corpora._json import document
from relgraph.errors import DataError
from relgraph.labels import PATTERNS
from relgraph.records import Conversation


def derive(conversations: Sequence[Conversation]) -> dict[str, str]:
    """Returns the relationship of each conversation by id, from ids and rosters alone.

    A family: all conversations that are linked by shared participants, named after the smallest
    of their ids. Anything else: the folder in its id (`ana_and_ben/03` is of `ana_and_ben`), or
    without a folder its roster. Linking may put two families with a namesake together; that costs
    a little data and never leaks. Who a couple or family is without a given roster, all turns say.
    """
    families = [c for c in conversations if c.scenario == "family"]
    found = _linked(families)
    for c in conversations:
        if c.id not in found:
            folders = c.id.split("/")[:-1]
            found[c.id] = folders[-1] if folders else "+".join(sorted(_people(c)))
    return found


def related(
    conversations: Sequence[Conversation], given: Mapping[str, str] | None = None
) -> tuple[Conversation, ...]:
    """Returns the conversations with a relationship each: given, else their own, else derived.

    Where only some of those that belong together by derivation have a name, the others take the
    first such name: with another one, they could be learnt from while the named ones are tested.
    """
    given = given or {}
    said = {c.id: given.get(c.id) or c.relationship for c in conversations}
    derived = derive(conversations)
    named: dict[str, str] = {}
    for c in conversations:
        if derived[c.id] and said[c.id]:
            named.setdefault(derived[c.id], said[c.id])
    return tuple(
        replace(c, relationship=said[c.id] or named.get(derived[c.id], derived[c.id]))
        for c in conversations
    )


def _people(conversation: Conversation) -> tuple[str, ...]:
    """Returns the roster; of other groups than couples and families only a given one.

    Speakers of a table without a scenario are often called S1 and S2, whoever they are.
    """
    known = conversation.participants or conversation.scenario in PATTERNS
    return conversation.roster if known else ()


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
        for person in _people(c):
            one, other = sorted((top(c.id), top(first.setdefault(person, c.id))))
            above[other] = one
    return {c.id: top(c.id) for c in families}
