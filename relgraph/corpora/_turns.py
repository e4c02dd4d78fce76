"""Turns and annotations as objects of our own format, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from relgraph.corpora._base import Notes
from relgraph.corpora._fields import (
    Field,
    indexes,
    items,
    names,
    needs,
    number,
    one,
    plain,
    read_fields,
    text,
    word,
    write_fields,
)
from relgraph.records import (
    NONVERBAL_KINDS,
    AddresseeSource,
    Annotation,
    Background,
    Emotion,
    Nonverbal,
    Relation,
    RelationField,
    Strategy,
    Turn,
    Viewpoint,
)

Item = Mapping[str, Any]


def _background(item: Item, place: str, notes: Notes) -> Background:
    needs(item, place, notes, ("speaker", "text"))
    return Background(
        speaker=text(item.get("speaker"), f"{place}.speaker", notes),
        addressees=names(item.get("addressees"), f"{place}.addressees", notes),
        text=text(item.get("text"), f"{place}.text", notes),
    )


def _nonverbal(item: Item, place: str, notes: Notes) -> Nonverbal:
    needs(item, place, notes, ("kind", "person", "description"))
    return Nonverbal(
        # a kind that is unknown is noted; the item is kept as the broadest kind
        kind=word(  # type: ignore[arg-type]
            item.get("kind"), f"{place}.kind", notes, NONVERBAL_KINDS, "interaction_behavior"
        ),
        person=text(item.get("person"), f"{place}.person", notes),
        description=text(item.get("description"), f"{place}.description", notes),
        addressees=names(item.get("addressees"), f"{place}.addressees", notes),
    )


def _emotion(item: Item, place: str, notes: Notes) -> Emotion:
    needs(item, place, notes, ("person", "phrase"))
    return Emotion(
        person=text(item.get("person"), f"{place}.person", notes),
        phrase=text(item.get("phrase"), f"{place}.phrase", notes),
        intensity=number(item.get("intensity"), f"{place}.intensity", notes),
    )


def _viewpoint(item: Item, place: str, notes: Notes) -> Viewpoint:
    needs(item, place, notes, ("source", "target", "viewpoint"))
    return Viewpoint(
        source=text(item.get("source"), f"{place}.source", notes),
        target=text(item.get("target"), f"{place}.target", notes),
        viewpoint=text(item.get("viewpoint"), f"{place}.viewpoint", notes),
        attitude=text(item.get("attitude"), f"{place}.attitude", notes),
    )


def _strategy(item: Item, place: str, notes: Notes) -> Strategy:
    needs(item, place, notes, ("provider", "type"))
    return Strategy(
        provider=text(item.get("provider"), f"{place}.provider", notes),
        targets=names(item.get("targets"), f"{place}.targets", notes),
        type=text(item.get("type"), f"{place}.type", notes),
        content=text(item.get("content"), f"{place}.content", notes),
    )


def _relation(item: Item, place: str, notes: Notes) -> Relation:
    needs(item, place, notes, ("field", "label"))
    return Relation(
        field=word(  # type: ignore[arg-type]
            item.get("field"), f"{place}.field", notes, get_args(RelationField), "relation_pattern"
        ),
        label=text(item.get("label"), f"{place}.label", notes),
        reason=text(item.get("reason"), f"{place}.reason", notes),
        evidence_turns=indexes(item.get("evidence_turns"), f"{place}.evidence_turns", notes),
    )


def _trim(item: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the item without what is empty or unknown."""
    return {key: value for key, value in item.items() if value not in (None, "", [])}


def _list(
    key: str, make: Callable[[Item, str, Notes], Any], render: Callable[[Any], Item]
) -> Field:
    return one(
        key,
        lambda raw, name, notes: items(raw, name, notes, make),
        lambda value: [dict(render(item)) for item in value],
        omit=lambda value: not value,
    )


GOLD_FIELDS: tuple[Field, ...] = (
    one("utterance_type", text, lambda v: v, omit=lambda v: not v),
    _list(
        "emotions",
        _emotion,
        lambda e: (
            {"person": e.person, "phrase": e.phrase}
            | ({} if e.intensity is None else {"intensity": plain(e.intensity)})
        ),
    ),
    _list(
        "viewpoints",
        _viewpoint,
        lambda v: (
            {"source": v.source, "target": v.target, "viewpoint": v.viewpoint}
            | _trim({"attitude": v.attitude})
        ),
    ),
    _list(
        "strategies",
        _strategy,
        lambda s: (
            {"provider": s.provider, "type": s.type}
            | _trim({"targets": list(s.targets), "content": s.content})
        ),
    ),
    _list(
        "relations",
        _relation,
        lambda r: (
            {"field": r.field, "label": r.label}
            | _trim({"reason": r.reason, "evidence_turns": list(r.evidence_turns)})
        ),
    ),
)


def _gold(raw: Mapping[str, Any], notes: Notes) -> Annotation | None:
    value = raw.get("gold")
    if value is None:
        return None
    if not isinstance(value, dict):
        notes.error(
            "wrong-type",
            "the field is of the wrong type and taken as unknown",
            field="gold",
            got=value,
            wanted="an object",
        )
        return None
    inner = Notes(notes.file, notes.line, notes.conversation, notes.row, notes.defects)
    values, _ = read_fields(value, GOLD_FIELDS, inner, exact=False)
    return Annotation(**values)


def _gold_object(value: Annotation | None) -> dict[str, Any]:
    if value is None:
        return {}
    values = {field.name: getattr(value, field.name) for field in GOLD_FIELDS}
    return {"gold": write_fields(values, GOLD_FIELDS, {}, exact=False)[0]}


def _addressees(raw: Mapping[str, Any], notes: Notes) -> tuple[tuple[str, ...], str, float | None]:
    people = names(raw.get("addressees"), "addressees", notes)
    usual = "given" if people else "none"
    source = word(
        raw.get("addressee_source"), "addressee_source", notes, get_args(AddresseeSource), usual
    )
    confidence = number(raw.get("addressee_confidence"), "addressee_confidence", notes)
    return people, source, confidence


def _addressees_object(value: tuple[tuple[str, ...], str, float | None]) -> dict[str, Any]:
    people, source, confidence = value
    usual = "given" if people else "none"
    return _trim(
        {
            "addressees": list(people),
            "addressee_source": "" if source == usual else source,
            "addressee_confidence": confidence,
        }
    )


TURN_FIELDS: tuple[Field, ...] = (
    one("speaker", text, lambda v: v, missing="error"),
    Field(
        "addressees",
        ("addressees", "addressee_source", "addressee_confidence"),
        _addressees,
        _addressees_object,
    ),
    one("text", text, lambda v: v, missing="error"),
    one("start_s", number, lambda v: v, omit=lambda v: v is None),
    one("end_s", number, lambda v: v, omit=lambda v: v is None),
    _list(
        "background",
        _background,
        lambda b: (
            {"speaker": b.speaker, "text": b.text} | _trim({"addressees": list(b.addressees)})
        ),
    ),
    one("tone", text, lambda v: v, omit=lambda v: not v),
    _list(
        "nonverbal",
        _nonverbal,
        lambda n: (
            {"kind": n.kind, "person": n.person, "description": n.description}
            | _trim({"addressees": list(n.addressees)})
        ),
    ),
    Field("gold", ("gold",), _gold, _gold_object),
)


def read_turn(
    raw: Mapping[str, Any], more: Mapping[str, Any], index: int, notes: Notes
) -> tuple[Turn, Annotation | None]:
    """Returns the turn at position `index`, and its annotation where it has one."""
    values, extra = read_fields(raw, TURN_FIELDS, notes, exact=False)
    people, source, confidence = values["addressees"]
    turn = Turn(
        index=index,
        speaker=values["speaker"],
        text=values["text"],
        addressees=people,
        addressee_source=source,
        addressee_confidence=confidence,
        start_s=values["start_s"],
        end_s=values["end_s"],
        background=values["background"],
        tone=values["tone"],
        nonverbal=values["nonverbal"],
        extra=extra | dict(more),
    )
    return turn, values["gold"]


def write_turn(turn: Turn, gold: Annotation | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the known keys of a turn, and those of its `extra` that are left."""
    values = {
        "speaker": turn.speaker,
        "addressees": (turn.addressees, turn.addressee_source, turn.addressee_confidence),
        "text": turn.text,
        "start_s": turn.start_s,
        "end_s": turn.end_s,
        "background": turn.background,
        "tone": turn.tone,
        "nonverbal": turn.nonverbal,
        "gold": gold,
    }
    return write_fields(values, TURN_FIELDS, turn.extra, exact=False)
