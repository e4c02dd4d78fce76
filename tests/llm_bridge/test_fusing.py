"""Two sides pooled: weights that can be worked out on paper, and who may decide on them."""

from math import exp, log, sqrt

import pytest

from relgraph.approach import Settings
from relgraph.llm_bridge.fusing import BLUR, PRIOR_INSTANCES, FittedFusion, Fusion, Pool, fit
from relgraph.records import Case, Conversation, Gold, Instance, Prediction
from relgraph.registry import load

OPTIONS = ("a", "b", "c", "d")
EVEN = (0.25, 0.25, 0.25, 0.25)


def instance(number: int, task: str = "rpp") -> Instance:
    return Instance(f"i{number}", task, Conversation("c", ()), options=OPTIONS)


def case(number: int, gold: str) -> Case:
    return Case(instance(number), Gold(label=gold), "c", "r", number)


def sure(number: int, label: str) -> Prediction:
    """All chances on one option."""
    rest = tuple(o for o in OPTIONS if o != label)
    return Prediction(f"i{number}", (label, *rest), (1.0, 0.0, 0.0, 0.0))


def even(number: int) -> Prediction:
    return Prediction(f"i{number}", OPTIONS, EVEN)


def ranked(number: int, *labels: str) -> Prediction:
    return Prediction(f"i{number}", labels)


def likely(number: int, label: str, chance: float = 0.7) -> Prediction:
    rest = tuple(o for o in OPTIONS if o != label)
    return Prediction(f"i{number}", (label, *rest), (chance, *((1 - chance) / 3,) * 3))


GOLD = [OPTIONS[k % 4] for k in range(200)]


def test_a_language_model_that_is_always_wrong_gets_the_least_weight() -> None:
    pairs = [(case(k, g), sure(k, OPTIONS[(k + 1) % 4]), likely(k, g)) for k, g in enumerate(GOLD)]
    assert fit(pairs).weight == pytest.approx(PRIOR_INSTANCES * 0.5 / (200 + PRIOR_INSTANCES))


def test_a_language_model_that_knows_nothing_gets_the_least_weight() -> None:
    pairs = [(case(k, g), even(k), likely(k, g)) for k, g in enumerate(GOLD)]
    assert fit(pairs).weight == pytest.approx(PRIOR_INSTANCES * 0.5 / (200 + PRIOR_INSTANCES))


def test_a_language_model_that_is_always_right_gets_the_most_weight() -> None:
    pairs = [(case(k, g), sure(k, g), likely(k, OPTIONS[(k + 1) % 4])) for k, g in enumerate(GOLD)]
    weight = (200 + PRIOR_INSTANCES * 0.5) / (200 + PRIOR_INSTANCES)
    assert fit(pairs).weight == pytest.approx(weight)


def test_with_nothing_to_fit_on_both_sides_count_alike() -> None:
    assert fit([]) == Pool(weight=0.5, temperature=1.0, decay=0.5, instances=0)


def test_few_instances_move_the_weight_by_their_share() -> None:
    pairs = [(case(k, g), sure(k, g), likely(k, OPTIONS[(k + 1) % 4])) for k, g in
             enumerate(GOLD[:5])]  # fmt: skip
    assert fit(pairs).weight == pytest.approx((5 * 1.0 + PRIOR_INSTANCES * 0.5) / 25)


def blurred(chance: float) -> float:
    return (1 - BLUR) * chance + BLUR / 4


def test_an_even_pool_is_the_geometric_mean_scaled_to_one() -> None:
    chances = Pool(weight=0.5).of(instance(0), likely(0, "a", 0.7), likely(0, "b", 0.4))
    by = [
        sqrt(blurred(x) * blurred(y)) for x, y in [(0.7, 0.2), (0.1, 0.4), (0.1, 0.2), (0.1, 0.2)]
    ]
    assert list(chances) == pytest.approx([v / sum(by) for v in by])


@pytest.mark.parametrize(("weight", "side"), [(1.0, 0.7), (0.0, 0.4)])
def test_a_side_of_all_the_weight_is_left_as_it_is(weight: float, side: float) -> None:
    said = likely(0, "a", 0.7), likely(0, "a", 0.4)
    assert Pool(weight=weight).of(instance(0), *said)[0] == pytest.approx(blurred(side))


def test_a_temperature_above_one_flattens() -> None:
    said = likely(0, "a"), likely(0, "a")
    cold, hot = (Pool(temperature=t).of(instance(0), *said) for t in (1.0, 2.0))
    odds = log(cold[0] / cold[1])
    assert log(hot[0] / hot[1]) == pytest.approx(odds / 2)
    assert exp(odds) > 1


def test_a_ranking_without_chances_falls_by_the_decay_and_ends_in_what_it_left_out() -> None:
    chances = Pool(weight=1.0, decay=0.5).of(instance(0), ranked(0, "c", "a"), even(0))
    whole = 1 + 0.5 + 0.25 + 0.25
    a, b, c, d = (blurred(v / whole) for v in (0.5, 0.25, 1, 0.25))
    assert list(chances) == pytest.approx([a, b, c, d])


def test_a_ranking_that_is_always_right_at_the_top_falls_steeply() -> None:
    right = [(case(k, g), ranked(k, g), even(k)) for k, g in enumerate(GOLD)]
    wrong = [(case(k, g), ranked(k, *(o for o in OPTIONS if o != g)), even(k)) for k, g in
             enumerate(GOLD)]  # fmt: skip
    assert fit(right).decay < 0.1
    assert fit(wrong).decay > 0.9


def found(said: dict[str, list[Prediction]]) -> dict[str, dict[str, Prediction]]:
    return {name: {p.instance: p for p in of} for name, of in said.items()}


def fitted(cases: list[Case]) -> FittedFusion:
    of = {c.instance.id: c for c in cases}
    return FittedFusion(("llm", "gnn"), of, frozenset(), frozenset())


@pytest.mark.parametrize("name", ["llm", "gnn"])
def test_an_item_that_one_side_failed_fails_with_its_cause(name: str) -> None:
    said = {"llm": [likely(0, "a")], "gnn": [likely(0, "a")]}
    said[name] = [Prediction("i0", failure="busy")]
    (answer,) = fitted([]).predict([instance(0)], found(said))
    assert (answer.failure, answer.ranking) == (f"{name}: busy", ())


def test_an_item_that_the_language_model_was_not_asked_fails() -> None:
    (answer,) = fitted([]).predict([instance(0)], found({"llm": [], "gnn": [likely(0, "a")]}))
    assert answer.failure == "llm: it gave no answer"


def test_only_training_instances_decide_on_the_weight_and_their_number_is_told() -> None:
    train = [case(k, g) for k, g in enumerate(GOLD[:30])]
    right = [sure(k, g) for k, g in enumerate(GOLD[:30])]
    off = [likely(k, OPTIONS[(k + 1) % 4]) for k in range(30)]
    tested = [sure(k, "a") for k in range(100, 110)]
    said = found({"llm": [*right, *tested], "gnn": [*off, *tested]})
    (answer,) = fitted(train).predict([instance(100)], said)
    weight = (30 + PRIOR_INSTANCES * 0.5) / 50
    assert f"llm counts {weight:.2f}, gnn {1 - weight:.2f}" in answer.because[0]
    assert "fitted on 30 training instances" in answer.because[0]


def test_the_ranking_is_by_chance_best_first() -> None:
    (answer,) = fitted([]).predict(
        [instance(0)], found({"llm": [likely(0, "c")], "gnn": [likely(0, "c")]})
    )
    assert answer.ranking == ("c", "a", "b", "d")
    assert list(answer.probabilities) == sorted(answer.probabilities, reverse=True)


def test_training_instances_that_failed_are_not_fitted_on() -> None:
    train = [case(k, g) for k, g in enumerate(GOLD[:3])]
    failed = [Prediction("i0", failure="x"), sure(1, "b"), sure(2, "c")]
    said = found({"llm": failed, "gnn": [even(0), Prediction("i1", failure="x"), even(2)]})
    assert fitted(train).pools(said)["rpp"].instances == 1


def test_each_task_has_a_weight_of_its_own() -> None:
    other = Case(instance(1, "stp"), Gold(label="a"), "c", "r", 1)
    said = found({"llm": [sure(0, "a"), sure(1, "b")], "gnn": [even(0), likely(1, "a")]})
    pools = fitted([case(0, "a"), other]).pools(said)
    assert pools["rpp"].weight > 0.5 > pools["stp"].weight


@pytest.mark.parametrize(
    ("name", "needs"), [("fusion", ("llm", "gnn")), ("fusion+text-head", ("llm", "text-head"))]
)
def test_the_control_differs_in_the_trained_side_alone(name: str, needs: tuple[str, ...]) -> None:
    approach = load("approach", name)(Settings())
    assert isinstance(approach, Fusion)
    assert approach.needs == needs
    assert approach.tasks == {"itp", "rpp", "ssp", "stp"}
