"""Items to read: where the first arm of a comparison is the better one, and where the second."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from relgraph.evaluation._codec import to_json
from relgraph.evaluation.comparing.pairs import Pair, quality
from relgraph.evaluation.metrics import Item
from relgraph.records import Case, Prediction

Recall = Callable[[str], Mapping[str, str] | None]
"""Key of a call -> its `prompt` and `reply` in words; None where the call is not kept."""


def examples(
    of: Pair, *, most: int, recall: Recall | None = None
) -> dict[str, list[dict[str, Any]]]:
    """Returns up to `most` items where the first arm is `better`, and as many where it is `worse`.

    Of an answered pair, at the first training seed. The greatest differences come first, and equal
    ones are dealt over relationships, by ids. Each has its place, the gold answer, and of both arms
    the answer, the number of calls to an LLM it took (`asked`) and, where `recall` has these,
    their `prompt` and `reply`.
    """
    gained = []
    for first, second in zip(of.first[0], of.second[0], strict=True):
        one, other = quality(first), quality(second)
        if one is not None and other is not None and one != other:
            gained.append((one - other, first, second))
    return {
        name: [_shown(a, b, gain, recall) for gain, a, b in _dealt(rows)[:most]]
        for name, rows in (
            ("better", [row for row in gained if row[0] > 0]),
            ("worse", [row for row in gained if row[0] < 0]),
        )
    }


Gained = tuple[float, Item, Item]


def _dealt(rows: Sequence[Gained]) -> list[Gained]:
    """Returns the rows by size, those of one size dealt round over their relationships."""
    drawn = sorted(rows, key=lambda row: sha256(row[1].case.instance.id.encode()).digest())
    seen: dict[tuple[float, int], int] = {}
    ranked = []
    for row in drawn:
        size = round(abs(row[0]), 9)
        place = seen[size, row[1].cluster] = seen.get((size, row[1].cluster), 0) + 1
        ranked.append((-size, place, row))
    return [row for *_, row in sorted(ranked, key=lambda r: r[:2])]


def _shown(first: Item, second: Item, gain: float, recall: Recall | None) -> dict[str, Any]:
    case = first.case
    return {
        "task": case.instance.task,
        "scenario": case.instance.conversation.scenario,
        "relationship": case.relationship,
        "conversation": case.conversation_id,
        "turn": case.turn,
        "instance": case.instance.id,
        "gold": _gold(case),
        "gain": gain,
        "first": _answer(first.prediction, recall),
        "second": _answer(second.prediction, recall),
    }


def _gold(case: Case) -> Any:
    gold = case.gold
    if gold.label:
        return gold.label
    said = Prediction(case.instance.id, emotion=gold.emotion, viewpoints=gold.viewpoints)
    row = to_json(said)
    return row.get("emotion") or row.get("viewpoints")


def _answer(said: Prediction, recall: Recall | None) -> dict[str, Any]:
    row: dict[str, Any] = to_json(said)
    kept: dict[str, Any] = {
        name: row[name]
        for name in ("ranking", "probabilities", "emotion", "viewpoints", "because")
        if name in row
    }
    calls = [dict(found) for key in said.calls if recall and (found := recall(key)) is not None]
    return {**kept, "asked": len(said.calls), **({"calls": calls} if calls else {})}
