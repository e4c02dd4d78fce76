"""Open answers graded by language models: how close to the gold ones, and how sure that is.

A judge is loaded from the registry (kind `judge`) and is asked `repeats` times about each answer;
a grade that cannot be had is a failed grade with its cause and never a low one. Grades are kept in
the run folder as they come (`judgements.jsonl`, append-only), so that none is asked for twice.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean, pvariance
from typing import Any

from relgraph.evaluation.metrics import BEST_MATCH, WORST_MATCH
from relgraph.files import whole, write_json
from relgraph.grading import RANGES, Asked, Grade, Judge
from relgraph.intervals import mean
from relgraph.progress import progress
from relgraph.records import Case, Prediction
from relgraph.terminal import tell

KEPT, SCORES = "judgements.jsonl", "judged.json"
FEW = 2


Answers = Mapping[str, Mapping[str, Prediction]]


def judge_answers(
    folder: Path,
    cases: Mapping[str, Sequence[Case]],
    answers: Answers,
    judges: Sequence[Judge],
    *,
    repeats: int,
    seed: int = 0,
) -> dict[str, Any]:
    """Returns the judged scores of ER and VP, and writes them to `judged.json` of the folder.

    Failed items are not graded; neither is an emotion without words. Failed grades are asked
    again each time.

    Args:
        folder: the run folder, for grades as they come.
        cases: the instances with their gold, by task.
        answers: approach -> instance -> prediction.
        judges: who grades; with several their agreement is reported.
        repeats: how often each answer is graded, half of the times in the other order.
        seed: of the bootstrap.
    """
    kept = Kept(folder / KEPT)
    wanted = {
        judge.identity: [
            Asked(case, of[case.instance.id], name, k)
            for task in RANGES
            for case in cases.get(task, ())
            for name, of in answers.items()
            if case.instance.id in of and gradable(of[case.instance.id])
            for k in range(repeats)
        ]
        for judge in judges
    }
    for judge in judges:
        todo = [a for a in wanted[judge.identity] if a.key(judge.identity) not in kept]
        with progress(f"judge {judge.identity}", len(todo)) as advance:
            for grade in judge.grade(todo):
                kept.add(grade)
                advance(1)
    scores = judged_scores(
        cases, answers, [g for g in kept if g.judge in wanted], judges=tuple(wanted), seed=seed
    )
    scores["failures"] = [
        {"judge": judge, "cause": cause, "n": n}
        for (judge, cause), n in kept.failures.most_common()
    ]
    write_json(folder / SCORES, scores)
    return scores


def gradable(prediction: Prediction) -> bool:
    """Returns whether there is something to grade: an answer, and words in it if on emotion."""
    emotion = prediction.emotion
    return not prediction.failure and (emotion is None or bool(emotion.phrase.strip()))


class Kept:
    """The grades of a run folder; a file that only grows.

    `failures` counts the grades that could not be had, by judge and cause.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._of: dict[tuple[str, str, str, int], Grade] = {}
        self.failures: Counter[tuple[str, str]] = Counter()
        if path.is_file():
            self._read()

    def __contains__(self, key: object) -> bool:
        return key in self._of

    def __iter__(self) -> Iterator[Grade]:
        return iter(self._of.values())

    def add(self, grade: Grade) -> None:
        """Appends a grade; a failed one is counted and not kept, so that it is asked again."""
        if grade.failure:
            self.failures[grade.judge, grade.failure] += 1
            return
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(_row(grade), ensure_ascii=True) + "\n")
        self._of[grade.key] = grade

    def _read(self) -> None:
        text = self._path.read_text(encoding="utf-8", errors="replace")
        good: list[str] = []
        lines = text.split("\n")
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                grade = _grade(json.loads(line))
            except (ValueError, KeyError, TypeError, RecursionError):
                tell(f"note: {self._path}:{number} is damaged; its answer is graded again")
                continue
            self._of[grade.key] = grade
            good.append(line)
        if len(good) != sum(bool(line.strip()) for line in lines) or not text.endswith("\n"):
            with whole(self._path) as part:
                part.write_text("".join(f"{line}\n" for line in good), encoding="utf-8")


def _row(grade: Grade) -> dict[str, Any]:
    return {
        "judge": grade.judge,
        "approach": grade.approach,
        "instance": grade.instance,
        "repeat": grade.repeat,
        "answer_first": grade.answer_first,
        "parts": dict(grade.parts),
    }


def _grade(row: Mapping[str, Any]) -> Grade:
    parts = {str(name): float(value) for name, value in row["parts"].items()}
    known = [dict(of) for of in RANGES.values()]
    if not any(
        parts.keys() == of.keys() and all(of[n][0] <= v <= of[n][1] for n, v in parts.items())
        for of in known
    ):
        raise ValueError("no grades of a known rubric")
    return Grade(
        judge=str(row["judge"]),
        approach=str(row["approach"]),
        instance=str(row["instance"]),
        repeat=int(row["repeat"]),
        answer_first=bool(row["answer_first"]),
        parts=parts,
    )


def judged_scores(
    cases: Mapping[str, Sequence[Case]],
    answers: Answers,
    grades: Iterable[Grade],
    *,
    judges: Sequence[str],
    seed: int = 0,
) -> dict[str, Any]:
    """Returns what grades say of each approach, as a JSON object.

    For each judge and approach: the mean over graded answers (an answer's grade is the mean of
    its repeats) with its 95% interval over relationships; `sd_repeats`, the standard deviation
    between repeats of one answer, pooled; `order_effect`, mean grade with the answer first minus
    mean grade with it last. ER also has `er_score`, the mean of grade and intensity match
    (max(1, 5 - |difference|)), as in RESCUE-Bench; VP has `total`, the sum of its two grades.
    `agreement` compares judges pairwise, and each judge with himself, on the same answers.
    """
    given: dict[tuple[str, str, str], list[Grade]] = {}
    for grade in grades:
        given.setdefault((grade.judge, grade.approach, grade.instance), []).append(grade)
    found: dict[str, Any] = {"format": 1, "judges": list(judges), "tasks": {}}
    for task in RANGES:
        of = cases.get(task, ())
        if not of:
            continue
        names = [n for n, said in answers.items() if of[0].instance.id in said]
        found["tasks"][task] = {
            "approaches": {
                name: {
                    judge: _standing(task, of, answers[name], given, judge, name, seed)
                    for judge in judges
                }
                for name in names
            },
            "agreement": list(_agreements(task, of, names, given, judges)),
        }
    return found


def _standing(
    task: str,
    cases: Sequence[Case],
    said: Mapping[str, Prediction],
    given: Mapping[tuple[str, str, str], Sequence[Grade]],
    judge: str,
    approach: str,
    seed: int,
) -> dict[str, Any]:
    graded = [(c, given[key]) for c in cases if (key := (judge, approach, c.instance.id)) in given]
    row: dict[str, Any] = {
        "n": len(cases),
        "graded": len(graded),
        "repeats": max((len(of) for _, of in graded), default=0),
    }
    if not graded:
        return row
    rows = [_cluster(c) for c, _ in graded]
    values = {part: [fmean(g.parts[part] for g in of) for _, of in graded] for part in RANGES[task]}
    if task == "er":
        match = [_match(c, said[c.instance.id]) for c, _ in graded]
        pairs = zip(values["emotion"], match, strict=True)
        values["er_score"] = [(grade + near) / 2 for grade, near in pairs]
    else:
        values["total"] = [sum(of) for of in zip(*values.values(), strict=True)]
    row |= {name: mean(of, rows, seed=seed) for name, of in values.items()}
    row["sd_repeats"] = _spread([[sum(g.parts.values()) for g in of] for _, of in graded])
    row["order_effect"] = _order_effect(graded)
    return row


def _spread(totals: Sequence[Sequence[float]]) -> float | None:
    """The standard deviation within answers, pooled: one with more repeats tells more of it."""
    free = sum(len(of) - 1 for of in totals)
    return (sum(pvariance(of) * len(of) for of in totals) / free) ** 0.5 if free else None


def _order_effect(graded: Sequence[tuple[Case, Sequence[Grade]]]) -> float | None:
    """Over answers graded in both orders: the mean of the differences within an answer."""
    found = []
    for _, of in graded:
        first, last = (
            [sum(g.parts.values()) for g in of if g.answer_first is where]
            for where in (True, False)
        )
        if first and last:
            found.append(fmean(first) - fmean(last))
    return fmean(found) if found else None


def _match(case: Case, prediction: Prediction) -> float:
    said, gold = prediction.emotion, case.gold.emotion
    if said is None or gold is None or said.intensity is None or gold.intensity is None:
        return WORST_MATCH
    return max(WORST_MATCH, BEST_MATCH - abs(said.intensity - gold.intensity))


def _agreements(
    task: str,
    cases: Sequence[Case],
    approaches: Sequence[str],
    given: Mapping[tuple[str, str, str], Sequence[Grade]],
    judges: Sequence[str],
) -> Iterator[dict[str, Any]]:
    places = [(name, c.instance.id) for name in approaches for c in cases]
    for part, (low, high) in RANGES[task].items():
        labels = list(range(low, high + 1))
        firsts = {
            judge: {
                place: min(of, key=lambda g: g.repeat).parts[part]
                for place in places
                if (of := given.get((judge, *place)))
            }
            for judge in judges
        }
        for one, other in combinations(judges, 2):
            shared = [p for p in places if p in firsts[one] and p in firsts[other]]
            pairs = [(firsts[one][p], firsts[other][p]) for p in shared]
            yield {"part": part, "judges": [one, other], **_agreement(pairs, labels)}
        for judge in judges:
            pairs = [
                (of[0].parts[part], of[1].parts[part])
                for place in places
                if len(of := sorted(given.get((judge, *place), ()), key=lambda g: g.repeat)) >= FEW
            ]
            if pairs:
                yield {"part": part, "judges": [judge, judge], **_agreement(pairs, labels)}


def _agreement(pairs: Sequence[tuple[float, float]], labels: Sequence[int]) -> dict[str, Any]:
    """Cohen's kappa with quadratic weights (Cohen, 1968), by scikit-learn; None without spread."""
    from sklearn.metrics import cohen_kappa_score

    row: dict[str, Any] = {"n": len(pairs), "kappa": None, "mean_difference": None}
    if not pairs:
        return row
    one, other = ([int(x) for x in side] for side in zip(*pairs, strict=True))
    row["mean_difference"] = fmean(a - b for a, b in zip(one, other, strict=True))
    if len({*one, *other}) > 1:
        row["kappa"] = float(cohen_kappa_score(one, other, labels=labels, weights="quadratic"))
    return row


def _cluster(case: Case) -> str:
    return case.relationship or case.conversation_id
