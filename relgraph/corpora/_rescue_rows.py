"""Rows of the RESCUE schema as turns and annotations, and back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from relgraph.corpora._base import Notes
from relgraph.corpora._fields import (
    ABSENT,
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
    Annotation,
    Background,
    Emotion,
    Nonverbal,
    NonverbalKind,
    Relation,
    RelationField,
    Strategy,
    Turn,
    Viewpoint,
)

INFERRED = ("target_source", "target_confidence")
"""Our own keys beside `target`, written only where relgraph inferred the addressees."""


def _background(item: Mapping[str, Any], place: str, notes: Notes) -> Background:
    needs(item, place, notes, ("speaker", "target", "content"))
    return Background(
        speaker=text(item.get("speaker"), f"{place}.speaker", notes),
        addressees=names(item.get("target"), f"{place}.target", notes),
        text=text(item.get("content"), f"{place}.content", notes),
    )


def _emotion(item: Mapping[str, Any], place: str, notes: Notes) -> Emotion:
    needs(item, place, notes, ("person", "emotion_description", "intensity"))
    return Emotion(
        person=text(item.get("person"), f"{place}.person", notes),
        phrase=text(item.get("emotion_description"), f"{place}.emotion_description", notes),
        intensity=number(item.get("intensity"), f"{place}.intensity", notes),
    )


def _viewpoint(item: Mapping[str, Any], place: str, notes: Notes) -> Viewpoint:
    needs(item, place, notes, ("source", "target", "viewpoint"))
    return Viewpoint(
        source=text(item.get("source"), f"{place}.source", notes),
        target=text(item.get("target"), f"{place}.target", notes),
        viewpoint=text(item.get("viewpoint"), f"{place}.viewpoint", notes),
        attitude=text(item.get("attitude"), f"{place}.attitude", notes),
    )


def _strategy(item: Mapping[str, Any], place: str, notes: Notes) -> Strategy:
    needs(item, place, notes, ("provider", "target", "strategy_type"))
    return Strategy(
        provider=text(item.get("provider"), f"{place}.provider", notes),
        targets=names(item.get("target"), f"{place}.target", notes),
        type=text(item.get("strategy_type"), f"{place}.strategy_type", notes),
        content=text(item.get("strategy_content"), f"{place}.strategy_content", notes),
    )


def _behaviour(kind: NonverbalKind, item: Mapping[str, Any], place: str, notes: Notes) -> Nonverbal:
    who = "initiator" if kind == "interaction_behavior" else "person"
    needs(item, place, notes, (who, "description"))
    return Nonverbal(
        kind=kind,
        person=text(item.get(who), f"{place}.{who}", notes),
        description=text(item.get("description"), f"{place}.description", notes),
        addressees=names(item.get("target"), f"{place}.target", notes),
    )


def _nonverbal(raw: Mapping[str, Any], notes: Notes) -> tuple[Nonverbal, ...]:
    return tuple(
        seen
        for kind in NONVERBAL_KINDS
        for seen in items(raw.get(kind), kind, notes, partial(_behaviour, kind))
    )


def _nonverbal_row(value: tuple[Nonverbal, ...]) -> dict[str, Any]:
    row: dict[str, Any] = {kind: [] for kind in NONVERBAL_KINDS}
    for seen in value:
        if seen.kind == "interaction_behavior":
            item = {"initiator": seen.person, "target": list(seen.addressees)}
        else:
            item = {"person": seen.person}
            if seen.addressees:
                item["target"] = list(seen.addressees)
        row[seen.kind].append(item | {"description": seen.description})
    return row


def _addressees(raw: Mapping[str, Any], notes: Notes) -> tuple[tuple[str, ...], str, float | None]:
    people = names(raw.get("target"), "target", notes)
    given = "given" if people else "none"
    source = word(
        raw.get("target_source"), "target_source", notes, ("given", "inferred", "none"), given
    )
    confidence = number(raw.get("target_confidence"), "target_confidence", notes)
    return people, source, confidence


def _addressees_row(value: tuple[tuple[str, ...], str, float | None]) -> dict[str, Any]:
    people, source, confidence = value
    row: dict[str, Any] = {"target": list(people)}
    if source != ("given" if people else "none"):
        row["target_source"] = source
    if confidence is not None:
        row["target_confidence"] = confidence
    return row


def _relation(name: RelationField, reason: str, evidence: str) -> Field:
    """The field of a relation label; `relation_pattern` is written as null where there is none."""
    usual = name == "relation_pattern"

    def parse(raw: Mapping[str, Any], notes: Notes) -> Relation | None:
        why = text(raw.get(reason), reason, notes)
        rows = indexes(raw.get(evidence), evidence, notes)
        label = raw.get(name)
        if label is not None and not isinstance(label, str):
            text(label, name, notes)
            return None
        if label is None:
            return None
        return Relation(field=name, label=text(label, name, notes), reason=why, evidence_turns=rows)

    def render(value: Relation | None) -> dict[str, Any]:
        if value is None:
            return {name: None, reason: None, evidence: []} if usual else {}
        row: dict[str, Any] = {name: value.label}
        if usual or value.reason:
            row[reason] = value.reason
        if usual or value.evidence_turns:
            row[evidence] = list(value.evidence_turns)
        return row

    return Field(name=name, keys=(name, reason, evidence), parse=parse, render=render)


TURN_FIELDS: tuple[Field, ...] = (
    one("start_time", number, lambda v: v, missing="warning"),
    one("end_time", number, lambda v: v, missing="warning"),
    one("primary_speaker", text, lambda v: v, missing="error"),
    Field("addressees", ("target", *INFERRED), _addressees, _addressees_row, missing="warning"),
    one("dialogue_cleaned", text, lambda v: v, missing="error"),
    one("utterance_type", text, lambda v: v),
    one(
        "background_dialogue",
        lambda raw, name, notes: items(raw, name, notes, _background),
        lambda value: [
            {"speaker": b.speaker, "target": list(b.addressees), "content": b.text} for b in value
        ],
    ),
    one("tone_of_voice", text, lambda v: v),
    Field("nonverbal", NONVERBAL_KINDS, _nonverbal, _nonverbal_row),
    one(
        "internal_emotion",
        lambda raw, name, notes: items(raw, name, notes, _emotion),
        lambda value: [
            {
                "person": e.person,
                "emotion_description": e.phrase,
                "intensity": plain(e.intensity),
            }
            for e in value
        ],
    ),
    one(
        "viewpoints_attitudes",
        lambda raw, name, notes: items(raw, name, notes, _viewpoint),
        lambda value: [
            {
                "source": v.source,
                "target": v.target,
                "viewpoint": v.viewpoint,
                "attitude": v.attitude,
            }
            for v in value
        ],
    ),
    one(
        "support_strategy",
        lambda raw, name, notes: items(raw, name, notes, _strategy),
        lambda value: [
            {
                "provider": s.provider,
                "target": list(s.targets),
                "strategy_type": s.type,
                "strategy_content": s.content,
            }
            for s in value
        ],
    ),
    _relation("relation_cycle_state", "relation_cycle_reason", "relation_cycle_evidence_rows"),
    _relation("relation_pattern", "relation_pattern_reason", "relation_pattern_evidence_rows"),
)


def read_row(raw: Mapping[str, Any], index: int, notes: Notes) -> tuple[Turn, Annotation]:
    """Returns the turn at position `index` and its annotation; what they leave unsaid is extra."""
    row = {key: value for key, value in raw.items() if key != "row_index"}
    values, extra = read_fields(row, TURN_FIELDS, notes, exact=True)
    if "row_index" not in raw:
        extra[ABSENT] = [*extra.get(ABSENT, ()), "row_index"]
    elif raw["row_index"] != index or isinstance(raw["row_index"], bool):
        extra["row_index"] = raw["row_index"]
    people, source, confidence = values["addressees"]
    turn = Turn(
        index=index,
        speaker=values["primary_speaker"],
        text=values["dialogue_cleaned"],
        addressees=people,
        addressee_source=source,
        addressee_confidence=confidence,
        start_s=values["start_time"],
        end_s=values["end_time"],
        background=values["background_dialogue"],
        tone=values["tone_of_voice"],
        nonverbal=values["nonverbal"],
        extra=extra,
    )
    relations = (values["relation_pattern"], values["relation_cycle_state"])
    return turn, Annotation(
        utterance_type=values["utterance_type"],
        emotions=values["internal_emotion"],
        viewpoints=values["viewpoints_attitudes"],
        strategies=values["support_strategy"],
        relations=tuple(r for r in relations if r is not None),
    )


def write_row(turn: Turn, gold: Annotation) -> dict[str, Any]:
    """Returns the row of a turn; read from RESCUE and unchanged, it equals the row it was."""
    relations = {r.field: r for r in reversed(gold.relations)}
    values = {
        "start_time": turn.start_s,
        "end_time": turn.end_s,
        "primary_speaker": turn.speaker,
        "addressees": (turn.addressees, turn.addressee_source, turn.addressee_confidence),
        "dialogue_cleaned": turn.text,
        "utterance_type": gold.utterance_type,
        "background_dialogue": turn.background,
        "tone_of_voice": turn.tone,
        "nonverbal": turn.nonverbal,
        "internal_emotion": gold.emotions,
        "viewpoints_attitudes": gold.viewpoints,
        "support_strategy": gold.strategies,
        "relation_cycle_state": relations.get("relation_cycle_state"),
        "relation_pattern": relations.get("relation_pattern"),
    }
    row, rest = write_fields(values, TURN_FIELDS, turn.extra, exact=True)
    known = {key for field in TURN_FIELDS for key in field.keys}
    row |= {key: value for key, value in rest.items() if key not in known and key != ABSENT}
    if "row_index" not in turn.extra and "row_index" not in turn.extra.get(ABSENT, ()):
        row["row_index"] = turn.index
    return row
