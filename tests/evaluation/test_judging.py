"""Grades of open answers: kept once, averaged by answer, compared between judges."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from relgraph.evaluation.judging import (
    KEPT,
    SCORES,
    gradable,
    judge_answers,
    judged_scores,
)
from relgraph.grading import Asked, Grade
from relgraph.records import (
    Case,
    Conversation,
    Emotion,
    Gold,
    Instance,
    Prediction,
    Turn,
    Viewpoint,
)


def case(name: str, *, relationship: str, task: str = "er", intensity: float = 6) -> Case:
    turns = (Turn(1, "Ana", "I was so afraid that night."),)
    gold = Gold(emotion=Emotion("Ana", "fear", intensity))
    if task == "vp":
        gold = Gold(viewpoints=(Viewpoint("Ana", "Ben", "He is late."),))
    return Case(Instance(name, task, Conversation("c", turns)), gold, name, relationship, 1)


def felt(name: str, phrase: str = "dread", intensity: float = 5) -> Prediction:
    return Prediction(name, emotion=Emotion("Ana", phrase, intensity))


class Table:
    """A judge whose grades stand in a table; what is not in it fails."""

    def __init__(self, identity: str, grades: Mapping[tuple[str, int], float]) -> None:
        self.identity = identity
        self.grades = grades
        self.asked: list[tuple[str, int]] = []

    def grade(self, asked: Sequence[Asked]) -> Iterator[Grade]:
        for one in asked:
            place = (one.case.instance.id, one.repeat)
            self.asked.append(place)
            grade = Grade(*one.key(self.identity), answer_first=one.repeat % 2 == 0)
            if place in self.grades:
                yield replace(grade, parts={"emotion": self.grades[place]})
            else:
                yield replace(grade, failure="timeout: no answer in time")


CASES = {"er": [case("a", relationship="x"), case("b", relationship="y", intensity=9)]}
SAID = {"ours": {"a": felt("a"), "b": felt("b")}}
GRADES = {("a", 0): 5.0, ("a", 1): 3.0, ("b", 0): 2.0, ("b", 1): 2.0}


def test_a_grade_is_the_mean_of_its_repeats_and_a_score_the_mean_over_answers(
    tmp_path: Path,
) -> None:
    found = judge_answers(tmp_path, CASES, SAID, [Table("j", GRADES)], repeats=2)
    row = found["tasks"]["er"]["approaches"]["ours"]["j"]
    assert row["emotion"]["value"] == 3  # (4 + 2) / 2
    assert row["er_score"]["value"] == 2.75  # ((4 + 4) / 2 + (2 + 1) / 2) / 2
    assert row["sd_repeats"] == 1  # variances 2 and 0
    assert row["order_effect"] == 1  # (2 + 0) / 2
    assert (row["n"], row["graded"], row["repeats"]) == (2, 2, 2)


def test_answers_with_more_repeats_tell_more_of_the_spread_between_repeats(tmp_path: Path) -> None:
    """Squares from the mean: 5, 3, 1 have 8 in all with 2 free, 2 and 2 have 0 with 1 free."""
    judge = Table("j", {**GRADES, ("a", 2): 1.0})
    found = judge_answers(tmp_path, CASES, SAID, [judge], repeats=3)
    row = found["tasks"]["er"]["approaches"]["ours"]["j"]
    assert row["sd_repeats"] == pytest.approx((8 / 3) ** 0.5)


def test_a_grade_is_asked_for_once(tmp_path: Path) -> None:
    judge_answers(tmp_path, CASES, SAID, [Table("j", GRADES)], repeats=1)
    again = Table("j", GRADES)
    judge_answers(tmp_path, CASES, SAID, [again], repeats=2)
    assert again.asked == [("a", 1), ("b", 1)]


def test_a_failed_grade_is_no_grade_and_is_asked_for_again(tmp_path: Path) -> None:
    found = judge_answers(tmp_path, CASES, SAID, [Table("j", {("a", 0): 4.0})], repeats=1)
    row = found["tasks"]["er"]["approaches"]["ours"]["j"]
    assert (row["graded"], row["emotion"]["value"]) == (1, 4)
    assert found["failures"] == [{"judge": "j", "cause": "timeout: no answer in time", "n": 1}]
    later = Table("j", GRADES)
    judge_answers(tmp_path, CASES, SAID, [later], repeats=1)
    assert later.asked == [("b", 0)]


def test_a_torn_line_is_graded_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judge_answers(tmp_path, CASES, SAID, [Table("j", GRADES)], repeats=1)
    file = tmp_path / KEPT
    file.write_bytes(file.read_bytes()[:-9])
    later = Table("j", GRADES)
    judge_answers(tmp_path, CASES, SAID, [later], repeats=1)
    assert later.asked == [("b", 0)]
    assert len(file.read_text("utf-8").splitlines()) == 2
    assert "is damaged" in capsys.readouterr().err


@pytest.mark.parametrize("parts", ['{"emotion": 9}', '{"mood": 3}', '{"emotion": NaN}'])
def test_a_grade_outside_its_range_is_not_believed(tmp_path: Path, parts: str) -> None:
    line = '{"judge":"j","approach":"ours","instance":"a","repeat":0,"answer_first":true,"parts":'
    (tmp_path / KEPT).write_text(f"{line}{parts}}}\n", encoding="utf-8")
    judge = Table("j", GRADES)
    judge_answers(tmp_path, CASES, SAID, [judge], repeats=1)
    assert judge.asked == [("a", 0), ("b", 0)]


def test_what_failed_or_has_no_words_is_not_graded(tmp_path: Path) -> None:
    said = {"ours": {"a": Prediction("a", failure="refused"), "b": felt("b", " ")}}
    judge = Table("j", GRADES)
    found = judge_answers(tmp_path, CASES, said, [judge], repeats=1)
    assert judge.asked == []
    assert found["tasks"]["er"]["approaches"]["ours"] == {"j": {"n": 2, "graded": 0, "repeats": 0}}
    assert gradable(Prediction("v", viewpoints=()))


def grades(judge: str, *values: int) -> list[Grade]:
    ids = [f"i{k}" for k in range(len(values))]
    return [
        Grade(judge, "ours", i, 0, True, {"emotion": float(v)})
        for i, v in zip(ids, values, strict=True)
    ]


def test_two_judges_are_compared_on_the_same_answers() -> None:
    cases = [case(f"i{k}", relationship=f"r{k}") for k in range(4)]
    said = {"ours": {c.instance.id: felt(c.instance.id) for c in cases}}
    both = grades("one", 1, 2, 4, 5) + grades("two", 1, 2, 5, 5)
    found = judged_scores({"er": cases}, said, both, judges=["one", "two"])["tasks"]["er"][
        "agreement"
    ]
    # by hand: squares 0 0 1 0, over all 16 pairs: 92 / 16
    assert found == [
        {
            "part": "emotion",
            "judges": ["one", "two"],
            "n": 4,
            "kappa": pytest.approx(1 - 0.25 / 5.75),
            "mean_difference": -0.25,
        }
    ]


def test_without_spread_there_is_no_kappa() -> None:
    cases = [case(f"i{k}", relationship=f"r{k}") for k in range(2)]
    said = {"ours": {c.instance.id: felt(c.instance.id) for c in cases}}
    both = grades("one", 3, 3) + grades("two", 3, 3)
    found = judged_scores({"er": cases}, said, both, judges=["one", "two"])["tasks"]["er"][
        "agreement"
    ]
    assert found[0]["kappa"] is None


def test_the_scores_are_written_to_the_run(tmp_path: Path) -> None:
    judge_answers(tmp_path, CASES, SAID, [Table("j", GRADES)], repeats=1)
    assert (tmp_path / SCORES).is_file()
