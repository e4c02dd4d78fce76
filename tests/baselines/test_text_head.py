"""The supervised approach without a graph."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relgraph import registry
from relgraph.approach import Settings
from relgraph.records import (
    Annotation,
    Conversation,
    Emotion,
    Instance,
    Relation,
    Strategy,
    Turn,
    View,
    Viewpoint,
    fingerprint,
)

TASKS = ("er", "itp", "rpp", "ssp", "stp", "vp")
WARM, COLD = "thank you for saying that", "you are always late and never sorry"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(embedder="hashing:64", cache=str(tmp_path_factory.mktemp("vectors")))


def couple(number: int) -> Conversation:
    """Returns a couple whose words tell the label: cold words before an attack, warm before repair.

    Of three rows the third is the therapist's; its label depends on the words just before it.
    """
    people = (f"Anna{number}", f"Jon{number}")
    turns, gold = [], []
    for k in range(12):
        cold = (k // 3 + number) % 2 == 0
        supporter = k % 3 == 2
        speaker = "Therapist" if supporter else people[k % 2]
        turns.append(Turn(k + 1, speaker, f"{COLD if cold else WARM}, {people[0]}", people[:1]))
        label = "attack_attack" if cold else "repair_softening"
        gold.append(
            Annotation(
                emotions=() if supporter else (Emotion(speaker, "hurt", 8.0 if cold else 3.0),),
                viewpoints=() if supporter else (Viewpoint(speaker, people[0], "is late"),),
                strategies=(Strategy("Therapist", people[:1], "track"),) if supporter else (),
                relations=(Relation("relation_cycle_state", label),) if supporter else (),
            )
        )
    return Conversation(
        f"c{number}", tuple(turns), tuple(gold), "couple", people, relationship=f"r{number}"
    )


def cases(conversation: Conversation, *tasks: str):
    return [c for t in tasks for c in registry.load("task", t).cases(conversation, View())]


@pytest.fixture(scope="module")
def fitted(settings: Settings):
    return registry.load("approach", "text-head")(settings).fit(
        [couple(k) for k in range(6)], seed=0
    )


def test_it_learns_from_words_what_an_unseen_couple_s_words_tell(fitted) -> None:
    unseen = cases(couple(7), "rpp")
    found = fitted.predict([c.instance for c in unseen], {})
    assert [p.ranking[0] for p in found] == [c.gold.label for c in unseen]


def test_intensity_follows_the_words(fitted) -> None:
    asked = cases(couple(7), "er")
    found = list(fitted.predict([c.instance for c in asked], {}))
    for case, prediction in zip(asked, found, strict=True):
        assert (prediction.emotion.intensity > 5.5) == (case.gold.emotion.intensity > 5.5)


def test_every_option_is_ranked_once_with_probabilities_that_sum_to_one(fitted) -> None:
    asked = [c.instance for c in cases(couple(7), *TASKS)]
    for instance, prediction in zip(asked, fitted.predict(asked, {}), strict=True):
        assert prediction.instance == instance.id
        assert sorted(prediction.ranking) == sorted(instance.options)
        if instance.options:
            assert sum(prediction.probabilities) == pytest.approx(1)


def test_a_family_of_five_is_ranked_whole_though_training_had_couples(settings) -> None:
    people = ("Oma", "Pia", "Kei", "Uli", "Zoe")
    train = [replace(couple(k), scenario="family", gold=couple(k).gold) for k in range(4)]
    fitted = registry.load("approach", "text-head")(settings).fit(train, seed=0)
    seen = Conversation("f", (Turn(1, "Uli", COLD),), scenario="family", participants=people)
    asked = Instance("i", "stp", seen, options=(*people, "Family"))
    (found,) = fitted.predict([asked], {})
    assert sorted(found.ranking) == sorted(asked.options)
    assert sum(found.probabilities) == pytest.approx(1)


def test_who_speaks_to_whom_changes_nothing(fitted) -> None:
    asked = [c.instance for c in cases(couple(7), "rpp", "itp", "ssp")]
    swapped = [
        replace(
            i,
            conversation=replace(
                i.conversation,
                turns=tuple(
                    replace(t, speaker=i.conversation.participants[1], addressees=())
                    for t in i.conversation.turns
                ),
            ),
        )
        for i in asked
    ]
    assert list(fitted.predict(asked, {})) == list(fitted.predict(swapped, {}))


def test_an_empty_context_is_answered_and_an_untrained_scenario_is_not(fitted) -> None:
    empty = replace(couple(7), turns=(), gold=())
    options = registry.load("task", "rpp").options(empty)
    family = replace(empty, scenario="family")
    known, unknown = fitted.predict(
        [
            Instance("a", "rpp", empty, options=options),
            Instance("b", "rpp", family, options=("x",)),
        ],
        {},
    )
    assert len(known.ranking) == 6
    assert "no training conversation of scenario 'family'" in unknown.failure


def test_two_fits_with_one_seed_say_the_same(settings) -> None:
    train = [couple(k) for k in range(4)]
    asked = [c.instance for c in cases(couple(7), *TASKS)]
    one, two = (
        list(registry.load("approach", "text-head")(settings).fit(train, seed=1).predict(asked, {}))
        for _ in range(2)
    )
    assert one == two


def test_it_names_what_it_was_trained_on(fitted) -> None:
    assert fitted.trained_on == {fingerprint(couple(k)) for k in range(6)}
    assert fitted.trained_relationships == {f"r{k}" for k in range(6)}
