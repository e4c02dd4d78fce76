"""What `scores.json` says, and how its tables read."""

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from relgraph.evaluation.plan import Request, select
from relgraph.evaluation.scores import Scoring, score
from relgraph.evaluation.tables import published, show
from relgraph.records import Case, Conversation, Emotion, Prediction, Viewpoint

Couples = tuple[Conversation, ...]
Say = Callable[[Case], Prediction]


def best(case: Case) -> Prediction:
    """The gold answer, as an oracle would give it."""
    gold, name = case.gold, case.instance.id
    if gold.label:
        rest = (o for o in case.instance.options if o != gold.label)
        return Prediction(name, (gold.label, *rest))
    if gold.emotion:
        return Prediction(name, emotion=gold.emotion)
    return Prediction(name, viewpoints=gold.viewpoints)


def worst(case: Case) -> Prediction:
    name = case.instance.id
    if case.gold.label:
        return Prediction(name, tuple(o for o in case.instance.options if o != case.gold.label))
    if case.gold.emotion:
        return Prediction(name, emotion=Emotion("Ana", "fine", 0.0))
    return Prediction(name, viewpoints=(Viewpoint("Nobody", "Nobody", "nothing"),))


def failing(case: Case) -> Prediction:
    return Prediction(case.instance.id, failure="busy") if case.turn == 3 else best(case)


def scored(couples: Couples, **say: Say) -> dict[str, object]:
    cases = select(couples, Request((), ("er", "itp", "rpp", "ssp", "stp", "vp")))
    answers = {
        name: {c.instance.id: of(c) for cases_ in cases.values() for c in cases_}
        for name, of in say.items()
    }
    scores = score(cases, answers, Scoring(floors=("worst", "poor")))
    return {"protocol": "strict", **scores}


def printed(scores: dict[str, object], **how: object) -> str:
    out = io.StringIO()
    show(scores, out, **how)  # type: ignore[arg-type]
    return out.getvalue()


def test_the_gold_answers_score_best_and_their_contraries_worst(couples: Couples) -> None:
    scores = scored(couples, best=best, worst=worst)
    for name, task in scores["tasks"].items():  # type: ignore[attr-defined]
        first = {
            a: row["metrics"][task["primary"]]["value"] for a, row in task["approaches"].items()
        }
        assert first["best"] == (0 if name == "er" else 1), name
        assert (first["worst"] > 4) if name == "er" else (first["worst"] == 0), name


def test_scores_are_json_without_nan(couples: Couples) -> None:
    json.dumps(scored(couples, best=best, worst=worst, failing=failing), allow_nan=False)


def test_the_mean_over_relationships_counts_each_of_them_once(couples: Couples) -> None:
    only = [f"couple{n}" for n in (0, 1, 2)]  # with two, two and one conversation

    def say(case: Case) -> Prediction:
        return best(case) if case.relationship == "couple0" else worst(case)

    some = tuple(c for c in couples if c.relationship in only)
    figures = scored(some, say=say)["tasks"]["rpp"]["approaches"]["say"]["metrics"]["accuracy"]  # type: ignore[index]
    assert figures["value"] == pytest.approx(2 / 5)
    assert figures["over_relationships"] == pytest.approx(1 / 3)


def test_approaches_are_compared_with_the_best_floor_and_each_other(couples: Couples) -> None:
    def poor(case: Case) -> Prediction:
        return best(case) if case.turn == 6 else worst(case)

    task = scored(couples, worst=worst, poor=poor, best=best, other=best)["tasks"]["rpp"]  # type: ignore[index]
    pairs = [(c["first"], c["second"], c["n"]) for c in task["comparisons"]]
    assert pairs == [("best", "poor", 24), ("other", "poor", 24), ("best", "other", 24)]
    (first, _, equal) = task["comparisons"]
    assert first["difference"] == pytest.approx(2 / 3)
    assert first["p"] == 2 / 2**6
    assert first["p_holm"] == pytest.approx(3 * 2 / 2**6)
    assert (equal["difference"], equal["p_holm"]) == (0, 1)


def test_a_comparison_holds_only_what_both_answered(couples: Couples) -> None:
    task = scored(couples, worst=worst, failing=failing)["tasks"]["rpp"]  # type: ignore[index]
    assert [c["n"] for c in task["comparisons"]] == [16]


def test_a_scenario_of_few_relationships_is_marked_as_descriptive(couples: Couples) -> None:
    many = tuple(
        replace(couples[5], id=f"c{n}", relationship=f"c{n}", scenario=s)
        for n, s in enumerate(["couple"] * 10 + ["family"] * 9)
    )
    scenarios = scored(many, best=best)["tasks"]["stp"]["scenarios"]  # type: ignore[index]
    assert {s: v["descriptive"] for s, v in scenarios.items()} == {"couple": False, "family": True}


def test_classes_without_gold_are_listed_by_scenario(couples: Couples) -> None:
    task = scored(couples, best=best)["tasks"]["rpp"]  # type: ignore[index]
    assert task["classes_without_gold"] == [
        "couple: withdraw_withdraw",
        "couple: constructive_alignment",
        "couple: mixed_transition",
    ]


@pytest.mark.parametrize("with_published", [False, True])
def test_tables_fit_into_100_columns(couples: Couples, with_published: bool) -> None:
    names = {"best": best, "worst": worst, "failing": failing, "a_rather_long_name": best}
    text = printed(scored(couples, **names), with_published=with_published)
    assert max(map(len, text.splitlines())) <= 100
    assert "…" not in text


def test_floors_stand_above_whatever_their_order(couples: Couples) -> None:
    text = printed(scored(couples, best=best, worst=worst))
    assert text.index("worst") < text.index("best")


def test_every_table_names_the_protocol(couples: Couples) -> None:
    scores = {**scored(couples, best=best), "protocol": "paper"}
    text = printed(scores)
    assert text.count("protocol paper") == 6


def test_failures_are_shown_with_their_cause_and_as_wrong(couples: Couples) -> None:
    text = printed(scored(couples, failing=failing))
    assert "failing: 8 of 24 failed." in text
    assert "8 x busy" in text
    assert "failures as wrong" in " ".join(text.split())
    assert "67%" in text


def test_a_table_of_distances_says_that_lower_is_better(couples: Couples) -> None:
    text = printed(scored(couples, best=best, poor=worst))
    assert text.count("intensity MAE: lower is better.") == 1


def test_the_published_figures_follow_only_when_asked_for_and_say_what_they_are(
    couples: Couples,
) -> None:
    scores = scored(couples, best=best)
    assert "GPT" not in printed(scores)
    text = " ".join(printed(scores, with_published=True).split())
    assert text.count("other sample, other protocol, zero-shot, not directly comparable") == 6


def test_the_published_means_are_those_that_were_printed() -> None:
    models = published()["models"]
    assert len(models) == 10
    wanted = {("itp", "f1"): 82.62, ("rpp", "accuracy"): 40.45, ("stp", "recall@1"): 64.34}
    wanted |= {("stp", "mrr"): 78.35, ("ssp", "recall@1"): 31.88, ("ssp", "mrr"): 44.96}
    wanted |= {("er", "judge"): 4.05, ("vp", "judge"): 3.58, ("vp", "bertscore_f1"): 0.8611}
    for (task, metric), mean in wanted.items():
        values = [m["figures"][task][metric] for m in models]
        assert sum(values) / 10 == pytest.approx(mean, abs=0.006), (task, metric)


def test_words_are_compared_by_minilm_under_its_own_name(couples: Couples, tmp_path: Path) -> None:
    from relgraph.approach import Settings
    from relgraph.evaluation._text import similarities

    texts, lacking = similarities(Settings(cache=str(tmp_path)))
    said = ["she is sad", "the bus was late", ""]
    equal, other, empty = texts["minilm_cosine"].of(
        said, ["she is sad", "she is sad", "she is sad"]
    )
    assert equal == pytest.approx(1)
    assert other < 0.5
    assert empty == 0
    assert "bertscore_f1" in {*texts, *lacking}


def test_a_table_of_few_relationships_says_that_its_intervals_say_little(couples: Couples) -> None:
    few = "Relationships tested: 1. With so few, intervals and differences say next to nothing."
    assert few in " ".join(printed(scored(couples[:1], best=best, worst=worst)).split())
    assert "With so few" not in printed(scored(couples, best=best, worst=worst))
