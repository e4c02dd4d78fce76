"""Every metric against scikit-learn or an example worked out on paper, also when resampled."""

from collections.abc import Sequence

import numpy as np
import pytest
from sklearn import metrics as sk

from relgraph.evaluation._text import Similarity
from relgraph.evaluation.metrics import Item, measures
from relgraph.labels import NO, YES, patterns
from relgraph.records import (
    Case,
    Conversation,
    Emotion,
    Gold,
    Instance,
    Prediction,
    Viewpoint,
)
from relgraph.sums import Measure

COUPLE = patterns("couple")


def item(
    gold: str,
    ranking: Sequence[str] = (),
    *,
    options: Sequence[str] = COUPLE,
    probabilities: Sequence[float] = (),
    cluster: int = 0,
    task: str = "rpp",
    scenario: str = "couple",
    failure: str = "",
) -> Item:
    of = Conversation("c", (), scenario=scenario)
    case = Case(Instance("i", task, of, tuple(options)), Gold(gold), "c", str(cluster), 1)
    said = Prediction("i", tuple(ranking), tuple(probabilities), failure=failure)
    return Item(case, said, cluster)


def felt(gold: float, said: float | None, cluster: int = 0) -> Item:
    case = Case(
        Instance("i", "er", Conversation("c", ())),
        Gold(emotion=Emotion("Ana", "sad", gold)),
        "c",
        "",
        1,
    )
    if said is None:
        return Item(case, Prediction("i", failure="no answer"), cluster)
    return Item(case, Prediction("i", emotion=Emotion("Ana", "low", said)), cluster)


def held(gold: Sequence[str], said: Sequence[str], cluster: int = 0) -> Item:
    """Viewpoints as `source>target`."""
    both = [
        tuple(Viewpoint(*pair.split(">"), f"about {pair}") for pair in pairs)
        for pairs in (gold, said)
    ]
    case = Case(Instance("i", "vp", Conversation("c", ())), Gold(viewpoints=both[0]), "c", "", 1)
    return Item(case, Prediction("i", viewpoints=both[1]), cluster)


def value(measure: Measure, weights: Sequence[float] = (1.0,)) -> float:
    return float(measure.at(np.array(weights)))


def drawn_items(count: int = 120, *, task: str = "rpp", seed: int = 1) -> list[Item]:
    draw = np.random.default_rng(seed)
    items = []
    for _ in range(count):
        gold = str(draw.choice(COUPLE[:5]))  # the sixth class never occurs
        ranking = draw.permutation(COUPLE)
        if draw.random() < 0.4:
            ranking = np.array([gold, *(o for o in ranking if o != gold)])
        cluster = int(draw.integers(0, 4))
        items.append(item(gold, [str(o) for o in ranking], cluster=cluster, task=task))
    return items


def drawn_choices(count: int = 90, *, seed: int = 2) -> list[Item]:
    draw = np.random.default_rng(seed)
    items = []
    for _ in range(count):
        gold, p = str(draw.choice([YES, NO])), round(float(draw.random()), 1)
        ranking, ps = ((YES, NO), (p, 1 - p)) if p >= 0.5 else ((NO, YES), (1 - p, p))
        cluster = int(draw.integers(0, 4))
        items.append(
            item(
                gold,
                ranking,
                options=(YES, NO),
                probabilities=ps,
                cluster=cluster,
                task="itp",
            )
        )
    return items


def golds(items: Sequence[Item]) -> list[str]:
    return [i.case.gold.label for i in items]


def firsts(items: Sequence[Item]) -> list[str]:
    return [i.prediction.ranking[0] for i in items]


def p_yes(items: Sequence[Item]) -> list[float]:
    pairs = (
        dict(zip(i.prediction.ranking, i.prediction.probabilities, strict=True)) for i in items
    )
    return [p[YES] for p in pairs]


def ranks(items: Sequence[Item]) -> list[int]:
    return [i.prediction.ranking.index(i.case.gold.label) + 1 for i in items]


def independent_rpp(items: Sequence[Item]) -> dict[str, float]:
    present = sorted(set(golds(items)))
    rank = ranks(items)
    return {
        "accuracy": sk.accuracy_score(golds(items), firsts(items)),
        "recall@2": sum(r <= 2 for r in rank) / len(rank),
        "recall@3": sum(r <= 3 for r in rank) / len(rank),
        "mrr": sum(1 / r for r in rank) / len(rank),
        "macro_f1": sk.f1_score(golds(items), firsts(items), labels=present, average="macro"),
    }


def independent_itp(items: Sequence[Item]) -> dict[str, float]:
    gold, said = golds(items), firsts(items)
    return {
        "accuracy": sk.accuracy_score(gold, said),
        "balanced_accuracy": sk.balanced_accuracy_score(gold, said),
        "precision": sk.precision_score(gold, said, pos_label=YES),
        "recall": sk.recall_score(gold, said, pos_label=YES),
        "f1": sk.f1_score(gold, said, pos_label=YES),
        "auc": sk.roc_auc_score([g == YES for g in gold], p_yes(items)),
    }


RPP, ITP = tuple(independent_rpp(drawn_items())), tuple(independent_itp(drawn_choices()))
WEIGHTS = ([1, 1, 1, 1], [2, 0, 1, 3], [0, 0, 4, 0])


def repeated(items: Sequence[Item], weights: Sequence[int]) -> list[Item]:
    return [i for i in items for _ in range(weights[i.cluster])]


@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
@pytest.mark.parametrize("name", RPP)
def test_a_relation_metric_equals_the_independent_one_on_every_resample(
    name: str, weights: list[int]
) -> None:
    items = drawn_items()
    found = measures(items, answer="choice", clusters=4)
    assert list(found) == list(RPP)
    assert value(found[name], weights) == pytest.approx(
        independent_rpp(repeated(items, weights))[name]
    )


@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
@pytest.mark.parametrize("name", ITP)
def test_a_timing_metric_equals_the_independent_one_on_every_resample(
    name: str, weights: list[int]
) -> None:
    items = drawn_choices()
    found = measures(items, answer="choice", clusters=4)
    assert list(found) == list(ITP)
    assert value(found[name], weights) == pytest.approx(
        independent_itp(repeated(items, weights))[name]
    )


def test_a_target_is_reported_by_recall_and_by_mrr_that_is_0_beyond_rank_3() -> None:
    items = [item(COUPLE[k], COUPLE, task="stp") for k in (0, 1, 2, 3)]
    found = measures(items, answer="choice", clusters=1)
    assert {name: value(m) for name, m in found.items()} == pytest.approx(
        {"recall@1": 1 / 4, "recall@2": 2 / 4, "recall@3": 3 / 4, "mrr": (1 + 1 / 2 + 1 / 3) / 4}
    )


def test_a_gold_answer_outside_the_ranking_scores_nothing() -> None:
    found = measures([item(COUPLE[0], COUPLE[1:3])], answer="choice", clusters=1)
    assert {value(m) for m in found.values()} == {0.0}


def test_equal_labels_of_two_scenarios_are_two_classes_of_macro_f1() -> None:
    items = [
        item("pursue_withdraw", ["pursue_withdraw"]),
        item("pursue_withdraw", ["mixed_transition"], scenario="family"),
    ]
    found = measures(items, answer="choice", clusters=1)
    assert value(found["macro_f1"]) == pytest.approx((1 + 0) / 2)


def test_precision_is_not_defined_when_yes_is_never_said() -> None:
    items = [item(g, (NO, YES), options=(YES, NO), task="itp") for g in (YES, NO)]
    found = measures(items, answer="choice", clusters=1)
    assert np.isnan(value(found["precision"]))
    assert value(found["f1"]) == 0.0


def test_there_is_no_auc_where_an_answer_has_no_probability() -> None:
    items = drawn_choices()
    items[3] = item(YES, (YES, NO), options=(YES, NO), task="itp")
    assert "auc" not in measures(items, answer="choice", clusters=4)


def test_intensity_is_scored_by_distance_and_by_a_match_from_5_down_to_1() -> None:
    items = [felt(7, 7), felt(7, 5.5), felt(7, 0)]
    found = measures(items, answer="emotion", clusters=1)
    assert value(found["intensity_mae"]) == pytest.approx((0 + 1.5 + 7) / 3)
    assert value(found["intensity_match"]) == pytest.approx((5 + 3.5 + 1) / 3)


def test_source_and_target_are_scored_as_pairs_over_all_items() -> None:
    items = [held(["Ana>Ben"], ["ana >BEN", "Ana>Ana"]), held(["Ben>Ana", "Ben>Ben"], ["Ben>Ana"])]
    found = measures(items, answer="viewpoints", clusters=1)
    hits, said, gold = 2, 3, 3
    assert value(found["source_target_f1"]) == pytest.approx(2 * hits / (said + gold))


def test_a_failed_item_is_left_out_and_never_a_class() -> None:
    items = [item(COUPLE[0], COUPLE), item(COUPLE[1], failure="no answer")]
    found = measures(items, answer="choice", clusters=1)
    assert value(found["accuracy"]) == 1.0
    assert value(found["macro_f1"]) == 1.0


def test_failures_can_be_counted_as_wrong() -> None:
    items = [item(COUPLE[0], COUPLE), item(COUPLE[1], failure="no answer")]
    found = measures(items, answer="choice", clusters=1, failures_wrong=True)
    assert value(found["accuracy"]) == 1 / 2


@pytest.mark.parametrize(("gold", "f1"), [(YES, 2 / 3), (NO, 2 / 3)])
def test_a_failed_timing_counted_as_wrong_is_the_other_answer(gold: str, f1: float) -> None:
    right = item(YES, (YES, NO), options=(YES, NO), task="itp")
    failed = item(gold, options=(YES, NO), task="itp", failure="no answer")
    found = measures([right, failed], answer="choice", clusters=1, failures_wrong=True)
    assert value(found["accuracy"]) == 1 / 2
    assert value(found["f1"]) == pytest.approx(f1)


def test_a_failed_emotion_counted_as_wrong_matches_1_and_has_no_distance() -> None:
    found = measures([felt(7, None)], answer="emotion", clusters=1, failures_wrong=True)
    assert {name: value(m) for name, m in found.items()} == {"intensity_match": 1.0}


def test_there_is_no_metric_without_an_answer() -> None:
    assert measures([felt(7, None)], answer="emotion", clusters=1) == {}


def test_words_are_compared_by_the_similarity_given_under_its_name() -> None:
    def shared(said: Sequence[str], gold: Sequence[str]) -> np.ndarray:
        pairs = zip(said, gold, strict=True)
        return np.array([len({*a.split()} & {*b.split()}) / 3 for a, b in pairs])

    found = measures(
        [held(["Ana>Ben"], ["Ana>Ben"]), held(["Ana>Ben"], ["Ana>Ana"])],
        answer="viewpoints",
        clusters=1,
        texts={"shared_words": Similarity("a count", shared)},
    )
    assert value(found["shared_words"]) == pytest.approx((2 / 3 + 1 / 3) / 2)
