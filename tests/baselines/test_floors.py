"""The floors, on conversations whose answers are worked out on paper."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from relgraph import registry
from relgraph.approach import Settings
from relgraph.records import (
    Annotation,
    Conversation,
    Emotion,
    Instance,
    Prediction,
    Relation,
    Strategy,
    Turn,
    Viewpoint,
    fingerprint,
)

PEOPLE = ("Iris", "Noor", "Tom")


def talk(
    *speakers: str, scenario: str = "family", roster: tuple[str, ...] = PEOPLE
) -> Conversation:
    turns = tuple(Turn(k, s, f"words {k}") for k, s in enumerate(speakers, start=1))
    return Conversation("c", turns, scenario=scenario, participants=roster)


def target(*speakers: str, name: str = "i") -> Instance:
    return Instance(name, "stp", talk(*speakers), (*PEOPLE, "Family"))


def say(
    approach: str, *instances: Instance, train: tuple[Conversation, ...] = ()
) -> list[Prediction]:
    fitted = registry.load("approach", approach)(Settings()).fit(train, seed=0)
    return list(fitted.predict(instances, {}))


def annotated(
    *layers: Annotation, scenario: str = "couple", speaker: str = "Therapist"
) -> Conversation:
    """One therapist turn (or client turn) a layer, after one client turn each."""
    turns: list[Turn] = []
    gold: list[Annotation] = []
    for layer in layers:
        turns += [Turn(len(turns) + 1, "Iris", "well I just do not know")]
        turns += [Turn(len(turns) + 1, speaker, "so what happens there for you now")]
        gold += [Annotation(), layer]
    return Conversation(
        "t", tuple(turns), tuple(gold), scenario=scenario, participants=("Iris", "Noor")
    )


def test_last_speaker_ranks_the_last_client_then_the_group_then_by_who_spoke_last() -> None:
    (said,) = say("last-speaker", target("Tom", "Iris", "Noor", "Therapist"))
    assert said.ranking == ("Noor", "Family", "Iris", "Tom")


def test_last_speaker_puts_those_who_did_not_speak_last_in_roster_order() -> None:
    (said,) = say("last-speaker", target("Noor"))
    assert said.ranking == ("Noor", "Family", "Iris", "Tom")


def test_last_speaker_names_the_group_before_anybody_spoke() -> None:
    (said,) = say("last-speaker", target("Therapist"))
    assert said.ranking == ("Family", "Iris", "Noor", "Tom")


def test_always_yes_is_sure() -> None:
    (said,) = say("always-yes", Instance("i", "itp", talk("Iris"), ("yes", "no")))
    assert (said.ranking, said.probabilities) == (("yes", "no"), (1.0, 0.0))


def test_random_order_holds_every_option_once_and_differs_between_instances() -> None:
    many = [target("Iris", name=f"i{k}") for k in range(2000)]
    said = say("random-order", *many)
    assert {tuple(sorted(p.ranking)) for p in said} == {tuple(sorted((*PEOPLE, "Family")))}
    first = [p.ranking[0] for p in said]
    assert all(430 <= first.count(name) <= 570 for name in (*PEOPLE, "Family"))


def test_random_order_is_drawn_from_the_seed() -> None:
    make = registry.load("approach", "random-order")
    many = [target("Iris", name=f"i{k}") for k in range(20)]
    orders = [
        [p.ranking for p in make(Settings(seed=seed)).fit((), seed=seed).predict(many, {})]
        for seed in (0, 0, 1)
    ]
    assert orders[0] == orders[1] != orders[2]


def relation(label: str) -> Annotation:
    return Annotation(relations=(Relation("relation_cycle_state", label),))


def test_majority_ranks_the_labels_of_the_scenario_by_how_often_training_has_them() -> None:
    options = registry.load("task", "rpp").options(talk(scenario="couple"))
    train = annotated(*map(relation, ("repair_softening",) * 3 + ("attack_attack",)))
    (said,) = say(
        "majority", Instance("i", "rpp", talk("Iris", scenario="couple"), options), train=(train,)
    )
    assert said.ranking[:3] == ("repair_softening", "attack_attack", "pursue_withdraw")
    # one is added to each of the six counts
    assert said.probabilities[:3] == pytest.approx((4 / 10, 2 / 10, 1 / 10))


def test_majority_keeps_couples_and_families_apart() -> None:
    options = registry.load("task", "rpp").options(talk())
    train = annotated(relation("repair_softening"))
    (said,) = say("majority", Instance("i", "rpp", talk("Iris"), options), train=(train,))
    assert said.ranking == options


def test_majority_counts_targets_by_their_place_in_the_roster() -> None:
    second = Annotation(strategies=(Strategy("Therapist", ("Noor",), "evoke"),))
    of = Conversation("c", (Turn(1, "Ada", "hm"),), scenario="couple", participants=("Ada", "Bo"))
    instance = Instance("i", "stp", of, ("Ada", "Bo", "Couple"))
    (said,) = say("majority", instance, train=(annotated(second, second),))
    assert said.ranking[0] == "Bo"


def test_majority_does_not_count_somebody_unseen_as_the_group() -> None:
    late = Annotation(strategies=(Strategy("Therapist", ("Noor",), "evoke"),))
    turns = (Turn(1, "Therapist", "hm"), Turn(2, "Therapist", "hm"), Turn(3, "Noor", "hm"))
    train = Conversation("t", turns, (late, late, Annotation()), scenario="couple")
    of = Conversation("c", (Turn(1, "Ada", "hm"),), scenario="couple")
    (said,) = say("majority", Instance("i", "stp", of, ("Ada", "Couple")), train=(train,))
    assert said.because == ("0 of 0 in training",)


def feeling(intensity: float, phrase: str) -> Annotation:
    return Annotation(emotions=(Emotion("Noor", phrase, intensity),))


def test_majority_feels_the_median_intensity_and_the_most_frequent_phrase() -> None:
    train = annotated(
        feeling(9, "early and skipped"),
        feeling(2, "calm"),
        feeling(8, "hurt"),
        feeling(6, "hurt"),
        speaker="Noor",
    )
    (said,) = say("majority", Instance("i", "er", talk("Tom")), train=(train,))
    assert said.emotion == Emotion("Tom", "hurt", 6.0)


def test_majority_sees_the_speaker_against_the_first_other_person() -> None:
    held = Annotation(viewpoints=(Viewpoint("Noor", "Iris", "she will leave"),))
    train = (annotated(held, speaker="Noor"),)
    said = say(
        "majority",
        Instance("i", "vp", talk("Iris")),
        Instance("j", "vp", talk("Tom")),
        train=train,
    )
    assert [p.viewpoints for p in said] == [
        (Viewpoint("Iris", "Noor", "she will leave"),),
        (Viewpoint("Tom", "Iris", "she will leave"),),
    ]


@pytest.mark.parametrize("task", ["er", "vp"])
def test_majority_fails_with_a_cause_where_training_has_nothing(task: str) -> None:
    (said,) = say("majority", Instance("i", task, talk("Iris")))
    assert "the training fold holds no" in said.failure


def test_majority_says_what_it_has_seen() -> None:
    train = (replace(annotated(relation("attack_attack")), relationship="Iris and Noor"),)
    fitted = registry.load("approach", "majority")(Settings()).fit(train, seed=0)
    assert fitted.trained_on == {fingerprint(train[0])}
    assert fitted.trained_relationships == {"Iris and Noor"}


@pytest.mark.rescue
def test_the_floors_give_the_independent_figures_on_the_benchmark(
    rescue_folder: Path, tmp_path: Path
) -> None:
    from relgraph.corpora import read
    from relgraph.evaluation.plan import Request
    from relgraph.evaluation.runner import Data, prepare, run

    corpus = read(rescue_folder / "rescue_dev.jsonl")
    data = Data(corpus.conversations, "rescue_dev.jsonl", corpus.digest)
    done = run(prepare(Request(("majority",), ("itp", "rpp", "ssp", "stp", "vp")), data), tmp_path)

    def percent(task: str, approach: str, metric: str) -> float:
        row = done.scores["tasks"][task]["approaches"][approach]["metrics"][metric]
        return round(100 * row["value"], 2)

    assert percent("rpp", "majority", "accuracy") == 37.73
    assert percent("ssp", "majority", "recall@1") <= 21.71
    assert percent("stp", "last-speaker", "recall@1") == 59.70
    assert percent("stp", "last-speaker", "mrr") == 75.06
    assert percent("itp", "always-yes", "f1") == 66.67
    assert percent("vp", "majority", "source_target_f1") > 90
    assert json.dumps(done.scores, allow_nan=False)
