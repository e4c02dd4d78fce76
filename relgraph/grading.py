"""The records of graded open answers, and what a judge is: see the registry kind `judge`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from relgraph.records import Case, Prediction

RANGES: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "er": {"emotion": (1, 5)},
    "vp": {"source_target": (0, 2), "viewpoint": (0, 4)},
}
"""Task -> what is graded -> lowest and highest grade, as in RESCUE-Bench (arXiv 2609.09657)."""


@dataclass(frozen=True, slots=True)
class Grade:
    """One grade of one answer.

    Attributes:
        judge: identity of the judge.
        approach: whose answer it is; the judge is not told.
        instance: of what.
        repeat: which of the repeated grades, from 0.
        answer_first: whether the answer stood before the gold one.
        parts: the grades by name; empty where there is none.
        failure: why there is none.
    """

    judge: str
    approach: str
    instance: str
    repeat: int
    answer_first: bool
    parts: Mapping[str, float] = field(default_factory=dict, hash=False)
    failure: str = ""

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What is graded by whom, and which time."""
        return self.judge, self.approach, self.instance, self.repeat


@dataclass(frozen=True, slots=True)
class Asked:
    """What a judge is asked to grade."""

    case: Case
    prediction: Prediction
    approach: str
    repeat: int

    def key(self, judge: str) -> tuple[str, str, str, int]:
        """Returns the key of the grade that `judge` gives."""
        return judge, self.approach, self.case.instance.id, self.repeat


class Judge(Protocol):
    """Who grades open answers.

    Attributes:
        identity: which model exactly, with the version of the rubric.
    """

    identity: str

    def grade(self, asked: Sequence[Asked]) -> Iterator[Grade]:
        """Yields one grade for each answer, in order, as soon as each is known."""
        ...
