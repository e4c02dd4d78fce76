"""How much a class counts, worked out by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from relgraph.baselines._channels import texts_of_all
from relgraph.baselines._words import Words
from relgraph.baselines.gnn.lessons import lessons, texts_in
from relgraph.baselines.gnn.losses import balance, share
from relgraph.baselines.gnn.recipe import Recipe
from relgraph.embed import load_embedder
from relgraph.labels import patterns


@pytest.fixture
def couple(corpus, settings):
    words = Words(load_embedder(settings))
    words.learn([*texts_of_all(corpus[:1]), *texts_in(corpus[:1], settings.view)])
    return lessons(corpus[0], settings.view, words.known, words.dim)


def test_rare_patterns_count_more_and_the_mean_over_instances_is_one(couple) -> None:
    # oak/1: the patterns change every four rows, and the therapist speaks in rows 3, 6, 9, 12.
    labels = [patterns("couple")[k] for k in couple[0].answers["pattern"].label]
    assert Counter(labels) == {
        "pursue_withdraw": 6, "attack_attack": 4, "repair_softening": 4
    }  # fmt: skip
    weights = balance(couple, Recipe(balance=1.0)).classes["pattern"]["couple"]
    by_name = dict(zip(patterns("couple"), weights.tolist(), strict=True))
    # Power 1: 14/6 and 14/4, scaled so that 6 a + 4 b + 4 b = 14: each class has the same sum.
    assert by_name["pursue_withdraw"] == pytest.approx(14 / 18)
    assert by_name["attack_attack"] == pytest.approx(14 / 12)
    assert by_name["mixed_transition"] == 1.0


def test_without_balance_all_patterns_count_alike(couple) -> None:
    weights = balance(couple, Recipe(balance=0.0)).classes["pattern"]["couple"]
    assert weights.tolist() == [1.0] * len(weights)


def test_yes_and_no_of_itp_weigh_the_same_in_a_conversation(couple) -> None:
    time = couple[0].answers["time"]
    yes = sum(w for w, label in zip(time.weight, time.label, strict=True) if label)
    no = sum(w for w, label in zip(time.weight, time.label, strict=True) if not label)
    assert 0 < len([label for label in time.label if label]) != len(time.label) / 2
    assert yes == pytest.approx(no)
    assert yes + no == pytest.approx(len(time.label))


def test_the_prior_of_intensities_is_how_often_each_level_was_felt(couple) -> None:
    felt = Counter(round(v) for v in couple[0].answers["intensity"].label)
    prior = balance(couple, Recipe()).intensity
    total = sum(felt.values()) + 0.5 * 11
    assert prior.exp().tolist() == pytest.approx([(felt[k] + 0.5) / total for k in range(11)])


def test_auxiliary_losses_of_a_recipe_without_them_count_nothing() -> None:
    alone = Recipe(auxiliary=0.0)
    assert share("pattern", alone) == 1.0
    assert {share(h, alone) for h in ("utterance", "next", "feeling", "next_words")} == {0.0}
    assert share("feeling", Recipe(auxiliary=2.0, phrases=0.25)) == 0.5
