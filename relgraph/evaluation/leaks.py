"""What a prompt gives away: its fields that hold the answer, and what reading them alone scores.

A published prompt may show, beside the transcript, fields whose value is the answer in other
words; and a request that asks about several cuts of one conversation shows, in a later cut, what
came right after an earlier one. Neither says anything about how well a model reads people.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from relgraph.intervals import mean
from relgraph.labels import NO, YES
from relgraph.records import Case, Instance, Turn
from relgraph.registry import load
from relgraph.tasks._base import is_client, resolve_target

BATCH = 8
"""Items of one conversation in one request, as `relgraph.llm_bridge.prompts.paper` shows them."""
LATER = "a later item of the request"
ROSTER = "people listed and not in the turns shown"
NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Shown:
    """A field of a prompt beside the transcript before the cut.

    Attributes:
        field: what it is called.
        value: what it shows.
        answer: what a reader takes from it; "" where it says nothing to him.
    """

    field: str
    value: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader of the fields alone makes of one instance.

    Attributes:
        case: the instance with its answer.
        shown: all fields.
        answer: what the reader says: by the field that is right most often elsewhere, or, where
            no field is right more often than that, the answer most frequent elsewhere.
        by: that field; "" for none.
    """

    case: Case
    shown: tuple[Shown, ...]
    answer: str
    by: str

    @property
    def right(self) -> bool:
        """Whether it is the gold answer."""
        return self.answer == self.case.gold.label


def read_fields(cases: Sequence[Case]) -> tuple[Reading, ...]:
    """Returns what a reader of the fields alone says to the instances of one closed task.

    He knows nothing of the conversation. A value that is one of the options he takes as the
    answer; any other he looks up among the instances of other relationships: the answer that most
    of those with the same value have (numbers left aside). So nothing he says rests on the
    relationship he is asked about.

    Args:
        cases: of one task, in the order of conversations and turns, as requests are made of them.
    """
    fields = [tuple(_fields(case, beside)) for case, beside in _requests(cases)]
    tables = _Tables(cases, fields)
    return tuple(
        _reading(case, of, tables.without(_unit(case)))
        for case, of in zip(cases, fields, strict=True)
    )


class _Counts:
    """How often values of fields and answers stand together, and readings are right."""

    def __init__(self) -> None:
        self.answers: dict[str, Counter[str]] = {}
        self.beside: dict[tuple[str, str], Counter[str]] = {}
        self.direct: dict[str, Counter[bool]] = {}

    def add(self, case: Case, fields: Sequence[Shown]) -> None:
        gold, scenario = case.gold.label, case.instance.conversation.scenario
        self.answers.setdefault(scenario, Counter())[gold] += 1
        for shown in fields:
            if shown.value in case.instance.options:
                self.direct.setdefault(shown.field, Counter())[shown.value == gold] += 1
            else:
                key = shown.field, NUMBERS.sub("#", shown.value)
                self.beside.setdefault(key, Counter())[gold] += 1


class _Tables:
    """The counts over all relationships but one."""

    def __init__(self, cases: Sequence[Case], fields: Sequence[Sequence[Shown]]) -> None:
        self._all = list(zip(cases, fields, strict=True))
        self._made: dict[str, _Counts] = {}

    def without(self, unit: str) -> _Counts:
        if unit not in self._made:
            counts = _Counts()
            for case, fields in self._all:
                if _unit(case) != unit:
                    counts.add(case, fields)
            self._made[unit] = counts
        return self._made[unit]


def _reading(case: Case, fields: Sequence[Shown], counts: _Counts) -> Reading:
    options = case.instance.options
    read = [_answered(shown, options, counts) for shown in fields]
    shown = tuple(of for of, _ in read)
    usual, floor = _frequent(case, counts)
    trusted = [(trust, -k) for k, (of, trust) in enumerate(read) if of.answer and trust > floor]
    if not trusted:
        return Reading(case, shown, usual, "")
    best = shown[-max(trusted)[1]]
    return Reading(case, shown, best.answer, best.field)


def _frequent(case: Case, counts: _Counts) -> tuple[str, float]:
    """The option that is the answer most often elsewhere in this scenario, and its share there."""
    options = case.instance.options
    of = counts.answers.get(case.instance.conversation.scenario, Counter())
    for label, count in of.most_common():
        if label in options:
            return label, _share(count, of.total())
    return options[0], 0.0


def _answered(shown: Shown, options: Sequence[str], counts: _Counts) -> tuple[Shown, float]:
    """A field with what it says, and how often such a reading is right elsewhere."""
    if shown.value in options:
        known = counts.direct.get(shown.field, Counter())
        return Shown(shown.field, shown.value, shown.value), _share(known[True], known.total())
    beside = counts.beside.get((shown.field, NUMBERS.sub("#", shown.value)), Counter())
    for label, count in beside.most_common(1):
        if label in options:
            return Shown(shown.field, shown.value, label), _share(count, beside.total())
    return shown, 0.0


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _requests(cases: Sequence[Case]) -> Iterator[tuple[Case, Sequence[Case]]]:
    """Each case with those that share its request, where the protocol has several in one."""
    for _, group in groupby(cases, key=lambda c: c.conversation_id):
        unit = list(group)
        for place, case in enumerate(unit):
            first = place - place % BATCH
            # strict instances have an opaque id and are asked alone
            yield case, unit[first : first + BATCH] if _is_paper(case.instance) else (case,)


def _is_paper(instance: Instance) -> bool:
    return instance.id.startswith(f"{instance.task}#")


def _fields(case: Case, beside: Sequence[Case]) -> Iterator[Shown]:
    for name, value in case.instance.hints.items():
        yield Shown(name, value)
    later = next(_later(case, beside), None)
    if later is not None and (said := _gives_away(case, later)):
        yield Shown(LATER, said)
    if case.instance.task == "stp" and (absent := _not_yet_seen(case.instance)):
        yield Shown(ROSTER, absent[0] if len(absent) == 1 else ", ".join(absent))


def _later(case: Case, beside: Sequence[Case]) -> Iterator[Turn]:
    """The turn right after the cut, where another item of the request shows it."""
    turns = case.instance.conversation.turns
    following = case.turn + 1 if case.instance.task == "itp" else case.turn
    if turns and turns[-1].index >= following:
        return
    for other in beside:
        yield from (t for t in other.instance.conversation.turns if t.index == following)


def _gives_away(case: Case, turn: Turn) -> str:
    """What the decided turn, once seen, says of the answer: only ITP and STP ask about it."""
    conversation = case.instance.conversation
    if case.instance.task == "itp":
        return NO if is_client(conversation, turn) else YES
    if case.instance.task == "stp":
        return resolve_target(conversation, turn.addressees)
    return ""


def _not_yet_seen(instance: Instance) -> list[str]:
    """People on the list who have neither spoken nor been spoken to: named by the future."""
    of = instance.conversation
    if not of.turns:
        return []
    seen = {name for t in of.turns for name in (t.speaker, *t.addressees)}
    return [name for name in of.participants if name not in seen]


def _unit(case: Case) -> str:
    return case.relationship or case.conversation_id


def audit(cases: Mapping[str, Sequence[Case]], *, seed: int = 0) -> dict[str, Any]:
    """Returns what the fields of each task's prompts give away, as a JSON object.

    Shares are in [0, 1]. `reader` is the accuracy of a reader of the fields alone with its 95%
    interval over relationships; `floor` that of the same reader without any field. Open tasks
    (ER, VP) have no closed answer that a field could name and are listed as `open`.

    Args:
        cases: instances with their gold by task, all under one protocol.
        seed: of the bootstrap.
    """
    found: dict[str, Any] = {"format": 1, "tasks": {}}
    for name, of in cases.items():
        if not of:
            continue
        if load("task", name).answer != "choice":
            found["tasks"][name] = {"n": len(of), "open": True}
            continue
        read, bare = read_fields(of), _Tables(of, [()] * len(of))
        found["tasks"][name] = {
            "n": len(of),
            "floor": _share(
                sum(_reading(c, (), bare.without(_unit(c))).right for c in of), len(of)
            ),
            "reader": mean([r.right for r in read], [_unit(r.case) for r in read], seed=seed),
            "given_away": _share(sum(r.right for r in read if r.by), len(of)),
            "fields": _by_field(read),
            "items": [_item(r) for r in read],
        }
    return found


def _by_field(read: Sequence[Reading]) -> dict[str, dict[str, float]]:
    """For each field: on how many instances it stands, says something, and is right."""
    found: dict[str, Counter[str]] = {}
    for r in read:
        for shown in r.shown:
            of = found.setdefault(shown.field, Counter())
            of["shown"] += 1
            of["read"] += bool(shown.answer)
            of["right"] += shown.answer == r.case.gold.label
    return {name: dict(of) for name, of in found.items()}


def _item(r: Reading) -> dict[str, Any]:
    return {
        "instance": r.case.instance.id,
        "conversation": r.case.conversation_id,
        "turn": r.case.turn,
        "fields": [{"field": s.field, "value": s.value, "answer": s.answer} for s in r.shown],
        "read": r.answer,
        "by": r.by,
        "gold": r.case.gold.label,
        "right": r.right,
    }
