"""Calibration, classes and confusions against scikit-learn, and by hand."""

import io
import json
from collections.abc import Sequence

import numpy as np
import pytest
from sklearn import metrics as sk

from relgraph.evaluation.choices import (
    ANOTHER,
    GROUP,
    LAST,
    by_class,
    calibration,
    choice_details,
    confusion,
)
from relgraph.evaluation.metrics import Item
from relgraph.evaluation.scores import Scoring, score
from relgraph.evaluation.tables import show
from relgraph.labels import patterns
from relgraph.records import Case, Conversation, Gold, Instance, Prediction, Turn

COUPLE = patterns("couple")
FAMILY = patterns("family")


def item(
    gold: str,
    ranking: Sequence[str],
    probabilities: Sequence[float] = (),
    *,
    options: Sequence[str] = COUPLE,
    scenario: str = "couple",
    place: int = 0,
    failure: str = "",
) -> Item:
    of = Conversation("c", (), scenario=scenario)
    name = f"i{place}"
    case = Case(Instance(name, "rpp", of, tuple(options)), Gold(gold), "c", f"r{place % 3}", place)
    said = () if failure else tuple(ranking)
    return Item(case, Prediction(name, said, tuple(probabilities), failure=failure), 0)


def drawn(count: int = 90, *, scenario: str = "couple", seed: int = 0) -> list[Item]:
    options = patterns(scenario)
    draw = np.random.default_rng(seed)
    items = []
    for place in range(count):
        chances = draw.dirichlet(np.ones(len(options)))
        order = np.argsort(-chances)
        gold = options[int(draw.integers(0, len(options)))]
        if draw.random() < 0.4:
            gold = options[order[0]]
        ranking, sorted_ = [options[k] for k in order], [float(chances[k]) for k in order]
        items.append(item(gold, ranking, sorted_, options=options, scenario=scenario, place=place))
    return items


def golds(items: Sequence[Item]) -> list[str]:
    return [i.case.gold.label for i in items]


def matrix(items: Sequence[Item]) -> np.ndarray:
    """Probabilities with a column a label, labels sorted as scikit-learn has them."""
    told = [dict(zip(i.prediction.ranking, i.prediction.probabilities, strict=True)) for i in items]
    return np.array([[p[o] for o in sorted(COUPLE)] for p in told])


def test_log_loss_is_that_of_scikit_learn() -> None:
    items = drawn()
    wanted = sk.log_loss(golds(items), matrix(items), labels=sorted(COUPLE))
    assert calibration(items)["log_loss"] == pytest.approx(wanted)  # type: ignore[index]


def test_the_brier_score_is_that_of_scikit_learn_over_all_options() -> None:
    items = drawn()
    wanted = sk.brier_score_loss(
        golds(items), matrix(items), labels=sorted(COUPLE), scale_by_half=False
    )
    assert calibration(items)["brier"] == pytest.approx(wanted)  # type: ignore[index]


def test_a_certain_wrong_answer_costs_as_much_as_in_scikit_learn() -> None:
    items = [item("a", ("b", "a"), (1.0, 0.0), options=("a", "b")) for _ in range(2)]
    wanted = sk.log_loss(["a", "a"], [[0.0, 1.0]] * 2, labels=["a", "b"])
    assert calibration(items)["log_loss"] == pytest.approx(wanted)  # type: ignore[index]


def test_options_left_out_of_a_ranking_share_what_is_left() -> None:
    found = calibration([item("c", ("a",), (0.6,), options=("a", "b", "c"))])
    assert found is not None
    assert found["log_loss"] == pytest.approx(-np.log(0.2))
    assert found["brier"] == pytest.approx(0.6**2 + 0.2**2 + 0.8**2)


def test_the_calibration_error_is_the_gap_of_each_bin_by_its_count() -> None:
    # surest last: 0.5 wrong, 0.6 right | 0.7 right, 0.9 wrong
    told = ((0.9, False), (0.5, False), (0.7, True), (0.6, True))
    items = [
        item("a" if right else "b", ("a", "b"), (p, 1 - p), options=("a", "b")) for p, right in told
    ]
    found = calibration(items, bins=2)
    assert found is not None
    assert [(b["count"], b["share_right"]) for b in found["reliability"]] == [(2, 0.5), (2, 0.5)]
    assert [b["mean_confidence"] for b in found["reliability"]] == pytest.approx([0.55, 0.8])
    assert found["ece"] == pytest.approx((0.05 + 0.3) / 2)


def test_answers_of_equal_confidence_are_never_torn_into_two_bins() -> None:
    items = [
        item("a" if k < 5 else "b", ("a", "b"), (0.5, 0.5), options=("a", "b")) for k in range(10)
    ]
    found = calibration(items, bins=5)
    assert found is not None
    assert [b["count"] for b in found["reliability"]] == [10]
    assert found["ece"] == 0


def test_bins_hold_about_equally_many_answers() -> None:
    found = calibration(drawn(95))
    assert found is not None
    assert found["bins"] == 10
    assert {b["count"] for b in found["reliability"]} == {9, 10}


def test_what_has_no_probabilities_has_no_calibration_and_spoils_none() -> None:
    assert calibration([item("a", ("a", "b"))]) is None
    mixed = [item("a", ("a", "b"), (0.8, 0.2), options=("a", "b")), item("a", ("a", "b"))]
    assert calibration(mixed)["n"] == 1  # type: ignore[index]


def test_the_figures_of_each_class_are_those_of_scikit_learn_by_scenario() -> None:
    items = drawn() + drawn(60, scenario="family", seed=1)
    found = by_class(items)
    assert list(found) == ["couple", "family"]
    for scenario, labels in (("couple", COUPLE), ("family", FAMILY)):
        own = [i for i in items if i.case.instance.conversation.scenario == scenario]
        said = [i.prediction.ranking[0] for i in own]
        wanted = sk.precision_recall_fscore_support(golds(own), said, labels=labels)
        for k, label in enumerate(labels):
            figures = found[scenario][label]
            names = ("precision", "recall", "f1", "support")
            assert [figures[n] for n in names] == pytest.approx([of[k] for of in wanted])
            assert figures["said"] == said.count(label)


def test_a_class_that_is_never_said_or_never_meant_has_no_figure_there() -> None:
    found = by_class([item(COUPLE[0], (COUPLE[1],))])["couple"]
    assert found[COUPLE[0]]["precision"] is None
    assert found[COUPLE[0]]["recall"] == 0
    assert found[COUPLE[1]]["recall"] is None
    assert found[COUPLE[2]]["f1"] is None


def test_confusions_are_those_of_scikit_learn_by_scenario() -> None:
    items = drawn() + drawn(60, scenario="family", seed=1)
    for scenario, own in confusion(items).items():
        kept = [i for i in items if i.case.instance.conversation.scenario == scenario]
        said = [i.prediction.ranking[0] for i in kept]
        wanted = sk.confusion_matrix(golds(kept), said, labels=own["labels"])
        assert own["counts"] == wanted.tolist()


def to_whom(gold: str, said: str) -> Item:
    turns = (Turn(1, "Ana", "a"), Turn(2, "Ida", "b"), Turn(3, "Therapist", "c"))
    people = ("Ana", "Ben", "Ida")
    of = Conversation("c", turns, scenario="family", participants=people)
    case = Case(Instance("i", "stp", of, (*people, "Family")), Gold(gold), "c", "r", 4)
    return Item(case, Prediction("i", (said,)), 0)


def test_people_are_classed_by_their_part_and_never_named() -> None:
    items = [to_whom("Ida", "Ida"), to_whom("Ana", "Ben"), to_whom("Family", "Ida")]
    details = choice_details(items)
    found = details["by_class"]["family"]
    assert set(found) == {GROUP, LAST, ANOTHER}
    assert (found[LAST]["support"], found[LAST]["said"], found[LAST]["precision"]) == (1, 2, 0.5)
    # another person was said and meant, but not the same one
    assert (found[ANOTHER]["support"], found[ANOTHER]["said"], found[ANOTHER]["f1"]) == (1, 1, 0)
    assert "confusion" not in details


def test_failed_answers_are_in_none_of_it() -> None:
    items = [item(COUPLE[0], (COUPLE[0],)), item(COUPLE[0], (), failure="x")]
    details = choice_details(items)
    assert details["by_class"]["couple"][COUPLE[0]]["support"] == 1
    assert sum(map(sum, details["confusion"]["couple"]["counts"])) == 1
    nothing = choice_details(items[1:])
    assert (nothing["calibration"], nothing["by_class"]) == (None, {})


def scored(*repeats: Sequence[Item]) -> dict[str, object]:
    cases = {"rpp": [i.case for i in repeats[0]]}
    answers = [{"mine": {i.prediction.instance: i.prediction for i in of}} for of in repeats]
    scores = score(cases, answers[0], Scoring(), repeats=answers[1:])
    return {"protocol": "strict", **scores}


def test_the_scores_of_a_choice_hold_it_all_as_json() -> None:
    row = scored(drawn())["tasks"]["rpp"]["approaches"]["mine"]  # type: ignore[index]
    assert {"calibration", "by_class", "confusion"} <= set(row)
    json.dumps(row, allow_nan=False)


def printed(scores: dict[str, object], *, details: bool) -> str:
    out = io.StringIO()
    show(scores, out, details=details)
    return out.getvalue()


def test_details_are_printed_only_when_asked_for() -> None:
    scores = scored(drawn())
    assert "Calibration" not in printed(scores, details=False)
    text = printed(scores, details=True)
    for title in ("Calibration", "Reliability", "Classes", "Confusions, mine, couple"):
        assert title in text
    assert max(map(len, text.splitlines())) <= 100
    assert "…" not in text


def test_counts_over_seeds_are_kept_whole_and_printed_a_seed() -> None:
    items = drawn(30)
    scores = scored(items, items, items)
    row = scores["tasks"]["rpp"]["approaches"]["mine"]  # type: ignore[index]
    assert row["calibration"]["n"] == 90
    alone = printed(scored(items), details=True)
    lines = printed(scores, details=True).splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("Classes"))
    assert "\n".join(lines[first : first + 10]) in alone
