"""Checks what a conversation says, once it has been read.

An error is what would give a wrong score or a wrong graph without anybody noticing: a label that
no set has, a person who is not on the roster, times that run backwards. A warning is what can be
true and is worth a look: overlapping talk, an empty turn, two spellings of one name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from unicodedata import normalize

from relgraph.corpora._base import Found, Notes
from relgraph.labels import SCORED_FIELD, UTTERANCE_TYPES, patterns, strategies
from relgraph.records import Annotation, Conversation, Turn

INTENSITY = (0, 10)
SHOWN_ROWS = 8


def check(found: Found, fields: Mapping[str, str]) -> Found:
    """Returns the find with the defects of its content added.

    Args:
        found: with a conversation.
        fields: what the source calls the fields of our records, where it has other names for
            them, such as `emotions[].person`.
    """
    conversation = found.conversation
    assert conversation is not None
    notes = Notes(found.file, found.line, conversation.id)
    place = _Place(conversation, notes, fields)
    _check_names(place)
    _check_relations(place)
    latest_start = latest_end = None
    for position, turn in enumerate(conversation.turns):
        notes.row = turn.index
        notes.line = found.lines[position] if found.lines else found.line
        _check_turn(place, turn)
        _check_times(place, turn, latest_start, latest_end)
        _check_gold(place, conversation.annotation(turn.index))
        latest_start = _later(latest_start, turn.start_s)
        latest_end = _later(latest_end, turn.end_s)
    return replace(found, defects=(*found.defects, *notes.defects))


UNKNOWN_PERSON = "Add the person, mend the name, or say in `supporter` who supports."


@dataclass(slots=True)
class _Place:
    """The conversation under check, who belongs to it, and what its fields are called."""

    conversation: Conversation
    notes: Notes
    fields: Mapping[str, str]

    @property
    def people(self) -> tuple[str, ...]:
        return (*self.conversation.participants, self.conversation.supporter)

    def field(self, path: str, item: int | None = None) -> str:
        name = self.fields.get(path, path)
        return name if item is None else name.replace("[]", f"[{item}]")

    def known(self, name: str, field: str, *, grave: bool) -> None:
        """Notes a person who is neither on the roster nor the supporter nor the group."""
        c = self.conversation
        if not c.participants or not name or name in self.people or name == c.group:
            return
        near = get_close_matches(_plain(name), map(_plain, self.people), n=1, cutoff=0.6)
        meant = [p for p in self.people if near and _plain(p) == near[0]]
        self.notes.add(
            "error" if grave else "warning",
            "unknown-person",
            "a person who is not among the participants",
            field=field,
            got=name,
            wanted=", ".join((*self.people, c.group)),
            hint=f"Did you mean {meant[0]!r}?" if meant else UNKNOWN_PERSON,
        )


def _check_names(place: _Place) -> None:
    """Notes names that differ only in case, spaces or Unicode form; they are kept apart."""
    spellings: dict[str, set[str]] = defaultdict(set)
    for name in _names(place.conversation):
        spellings[_plain(name)].add(name)
    for names in spellings.values():
        if len(names) > 1:
            place.notes.warning(
                "similar-names",
                "names that differ only in case, spaces or Unicode form are taken for different "
                "people",
                got=sorted(names),
                wanted="one spelling a person",
            )
    conversation = place.conversation
    if conversation.participants != conversation.listed:
        place.notes.warning(
            "odd-roster",
            "the roster names somebody twice, the supporter, or everybody at once; the tasks take "
            "each participant once",
            field=place.field("participants"),
            got=conversation.participants,
            wanted=", ".join(conversation.listed),
        )
    scenario = place.conversation.scenario
    if scenario and scenario not in SCORED_FIELD:
        place.notes.warning(
            "unknown-scenario",
            "no label sets belong to this scenario, so it gives no RPP and no SSP instances",
            field=place.field("scenario"),
            got=scenario,
            wanted=" | ".join(SCORED_FIELD),
        )


def _check_relations(place: _Place) -> None:
    """Notes what the relation labels of a conversation need a reader to know."""
    c = place.conversation
    used = {r.field for gold in c.gold for r in gold.relations if r.label}
    scored = SCORED_FIELD.get(c.scenario)
    other = [
        i
        for i, gold in enumerate(c.gold, 1)
        for r in gold.relations
        if r.label and r.field != scored
    ]
    if scored and other and scored in used:
        place.notes.warning(
            "second-relation-field",
            f"{len(other)} rows have a label in the other relation field too; in a {c.scenario} "
            f"only {scored} is scored",
            field=next(iter(used - {scored})),
            got=_few(other),
        )
    ahead = [
        i
        for i, gold in enumerate(c.gold, 1)
        for r in gold.relations
        if r.field == scored and any(e > i for e in r.evidence_turns)
    ]
    if ahead:
        place.notes.warning(
            "evidence-ahead",
            f"{len(ahead)} relation labels rest on later rows: they were given with hindsight",
            field=place.field("relations[].evidence_turns"),
            got=_few(ahead),
        )


def _check_turn(place: _Place, turn: Turn) -> None:
    c, notes = place.conversation, place.notes
    if not turn.speaker:
        notes.error("no-speaker", "a turn without a speaker", field=place.field("speaker"))
    elif turn.speaker == c.group:
        notes.warning(
            "group-speaker",
            "the whole group as speaker of a turn",
            field=place.field("speaker"),
            got=turn.speaker,
        )
    place.known(turn.speaker, place.field("speaker"), grave=True)
    for name in turn.addressees:
        place.known(name, place.field("addressees"), grave=True)
    if not turn.text.strip():
        notes.warning("empty-text", "a turn without text", field=place.field("text"))
    for i, remark in enumerate(turn.background):
        place.known(remark.speaker, place.field("background[].speaker", i), grave=False)
        for name in remark.addressees:
            place.known(name, place.field("background[].addressees", i), grave=False)
    of_kind: Counter[str] = Counter()
    for i, seen in enumerate(turn.nonverbal):
        # a format may hold each kind of behaviour in a list of its own
        apart = f"{seen.kind}[].person" in place.fields
        list_, item = (seen.kind, of_kind[seen.kind]) if apart else ("nonverbal", i)
        of_kind[seen.kind] += 1
        place.known(seen.person, place.field(f"{list_}[].person", item), grave=False)
        for name in seen.addressees:
            place.known(name, place.field(f"{list_}[].addressees", item), grave=False)


def _check_times(
    place: _Place, turn: Turn, latest_start: float | None, latest_end: float | None
) -> None:
    notes, start, end = place.notes, turn.start_s, turn.end_s
    if start is not None and end is not None and end <= start:
        if end < start:
            notes.error(
                "reversed-times",
                "the turn ends before it starts",
                field=place.field("end_s"),
                got=end,
                wanted=f"{start} or later",
            )
        else:
            notes.warning(
                "no-duration", "the turn takes no time", field=place.field("end_s"), got=end
            )
    for key, value in (("start_s", start), ("end_s", end)):
        if value is not None and value < 0:
            notes.error("negative-time", "a time below 0", field=place.field(key), got=value)
    if start is None:
        return
    if latest_start is not None and start < latest_start:
        notes.warning(
            "unordered-times",
            "the turn starts before an earlier row does; rows are kept in their order",
            field=place.field("start_s"),
            got=start,
            wanted=f"{latest_start} or later",
        )
    elif latest_end is not None and start < latest_end:
        notes.warning(
            "overlapping-times",
            f"the turn starts {latest_end - start:.2f} s before an earlier one ends",
            field=place.field("start_s"),
            got=start,
        )


def _check_gold(place: _Place, gold: Annotation) -> None:
    c, notes = place.conversation, place.notes
    if gold.utterance_type:
        _check_label(place, gold.utterance_type, UTTERANCE_TYPES, place.field("utterance_type"))
    low, high = INTENSITY
    for i, emotion in enumerate(gold.emotions):
        place.known(emotion.person, place.field("emotions[].person", i), grave=False)
        if emotion.intensity is not None and not low <= emotion.intensity <= high:
            notes.error(
                "intensity-range",
                "an intensity off the scale",
                field=place.field("emotions[].intensity", i),
                got=emotion.intensity,
                wanted=f"{low} to {high}",
            )
    for i, view in enumerate(gold.viewpoints):
        place.known(view.source, place.field("viewpoints[].source", i), grave=False)
        place.known(view.target, place.field("viewpoints[].target", i), grave=False)
    for i, strategy in enumerate(gold.strategies):
        place.known(strategy.provider, place.field("strategies[].provider", i), grave=False)
        for name in strategy.targets:
            place.known(name, place.field("strategies[].targets", i), grave=True)
        if strategies(c.scenario):
            field = place.field("strategies[].type", i)
            _check_label(place, strategy.type, strategies(c.scenario), field)
    for relation in gold.relations:
        if relation.label and patterns(c.scenario):
            _check_label(place, relation.label, patterns(c.scenario), relation.field)
        beyond = [e for e in relation.evidence_turns if not 1 <= e <= len(c.turns)]
        if beyond:
            notes.add(
                "error" if relation.field == SCORED_FIELD.get(c.scenario) else "warning",
                "evidence-range",
                "evidence rows that the conversation does not have",
                field=place.field(f"{relation.field}.evidence_turns"),
                got=beyond,
                wanted=f"1 to {len(c.turns)}",
            )


def _check_label(place: _Place, label: str, known: tuple[str, ...], field: str) -> None:
    if label in known:
        return
    near = get_close_matches(_plain(label).replace(" ", "_"), known, n=1, cutoff=0.6)
    place.notes.error(
        "unknown-label",
        "a label outside its set; no instance is made of it",
        field=field,
        got=label,
        wanted=", ".join(known),
        hint=f"Did you mean {near[0]!r}?" if near else "",
    )


def _names(conversation: Conversation) -> Iterator[str]:
    yield from conversation.participants
    yield conversation.supporter
    for turn in conversation.turns:
        yield turn.speaker
        yield from turn.addressees


def _plain(name: str) -> str:
    return " ".join(normalize("NFC", name).casefold().split())


def _later(one: float | None, other: float | None) -> float | None:
    return max((t for t in (one, other) if t is not None), default=None)


def _few(rows: Iterable[int]) -> str:
    found = list(rows)
    more = f" and {len(found) - SHOWN_ROWS} more" if len(found) > SHOWN_ROWS else ""
    return f"rows {', '.join(map(str, found[:SHOWN_ROWS]))}{more}"
