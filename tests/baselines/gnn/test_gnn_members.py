"""What each member learns from and leaves out, and that nothing of a recipe is idle."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
import torch

from relgraph.baselines._channels import texts_of_all
from relgraph.baselines._interaction import fitting as interaction
from relgraph.baselines._words import Words
from relgraph.baselines.gnn import fitting
from relgraph.baselines.gnn.calibration import temperatures
from relgraph.baselines.gnn.fitting import prepare as prepare_work
from relgraph.baselines.gnn.heads import Network
from relgraph.baselines.gnn.lessons import lessons, texts_in
from relgraph.baselines.gnn.losses import balance, losses, prepare
from relgraph.baselines.gnn.model import Shape
from relgraph.baselines.gnn.recipe import Recipe
from relgraph.baselines.gnn.training import School, divide, train
from relgraph.embed import load_embedder
from relgraph.records import View

CPU = torch.device("cpu")
BARE = Recipe(hidden=8, relation=2, epochs=1, members=1, batch=2)


@pytest.fixture(scope="module")
def school(corpus, settings) -> School:
    words = Words(load_embedder(settings))
    words.learn([*texts_of_all(corpus), *texts_in(corpus, settings.view)])
    own = (tuple(lessons(c, settings.view, words.known, words.dim)) for c in corpus)
    return School(corpus, tuple(own))


@pytest.fixture(scope="module")
def shape(school) -> Shape:
    return Shape(dim=school.lessons[0][0].encoded.channels["text"].shape[1])


def home_of(school: School, chosen) -> set[str]:
    """Returns the relationships that lessons are of."""
    pairs = zip(school.conversations, school.lessons, strict=True)
    homes = {id(lesson): c.relationship for c, own in pairs for lesson in own}
    return {homes[id(lesson)] for lesson in chosen}


def test_a_member_learns_nothing_of_the_relationships_that_it_leaves_out(school) -> None:
    parts = divide(school, replace(BARE, members=2), seed=0)
    everything = {c.relationship for c in school.conversations}
    for learn, held in parts:
        assert home_of(school, held)
        assert not home_of(school, learn) & home_of(school, held)
        assert home_of(school, learn) | home_of(school, held) == everything


def test_two_members_leave_out_different_relationships(school) -> None:
    (_, one), (_, other) = divide(school, replace(BARE, members=2), seed=0)
    assert not home_of(school, one) & home_of(school, other)


def test_what_is_left_out_does_not_grow_with_the_number_of_members(school) -> None:
    # six relationships, about four at least a part: two parts of three, which members share
    for members in (2, 3, 6):
        parts = divide(school, replace(BARE, members=members), seed=0)
        assert [len(home_of(school, held)) for _, held in parts] == [3] * members


def test_a_single_member_learns_from_everything_and_has_no_temperature(school) -> None:
    ((learn, held),) = divide(school, BARE, seed=0)
    assert learn == school.of(school.conversations)
    assert held == []
    assert set(temperatures([], View(), {}, 1).values()) == {1.0}


def test_temperatures_are_fitted_on_what_neither_member_nor_partner_has_learnt(
    corpus, settings, tmp_path, monkeypatch
) -> None:
    recipe = tmp_path / "recipe.json"
    recipe.write_text('{"members": 2, "hidden": 8, "relation": 2}', encoding="utf-8")
    work = prepare_work(corpus, replace(settings, recipe=str(recipe)), 0)
    asked = []
    monkeypatch.setattr(
        fitting, "temperatures", lambda alone, *rest: asked.extend(alone) or temperatures([], *rest)
    )
    work.train(keeper=None, report=lambda _: None)
    assert len(asked) == 2
    for ensemble, held in asked:
        assert len(ensemble.members) == 1
        assert ensemble.temperatures == {}
        assert held
    whole = interaction_of(work, corpus)
    for ensemble, held in asked:
        own = interaction_of(work, [c for c in corpus if c not in held])
        assert np.array_equal(ensemble.partner.guess.weights, own.guess.weights)
        assert not np.array_equal(ensemble.partner.guess.weights, whole.guess.weights)


def interaction_of(work, conversations):
    return interaction.fit(
        conversations, work.settings.view, work.words.known, work.words.dim, ("text",), seed=0
    )


OTHER = {
    "hidden": 12, "layers": 2, "relation": 3, "dropout": 0.1, "word_dropout": 0.1, "words": False,
    "structure": False, "memory": False, "timing": False, "epochs": 2, "members": 2, "batch": 3,
    "rate": 1e-3, "decay": 0.5, "average": 0.0, "auxiliary": 0.5, "phrases": 0.9, "foresight": 0.5,
    "balance": 1.0, "adjust": 1.0,
}  # fmt: skip
"""For each entry another value; the partner is no part of the network's training."""


def test_every_entry_of_a_recipe_has_another_value_here() -> None:
    assert {f.name for f in fields(Recipe)} - {"partner"} == set(OTHER)
    assert all(getattr(BARE, name) != value for name, value in OTHER.items())


@pytest.mark.parametrize("entry", OTHER)
def test_every_entry_of_a_recipe_changes_what_is_learnt(school, shape, entry: str) -> None:
    def learnt(recipe: Recipe) -> list[dict[str, torch.Tensor]]:
        trained = train(school, shape=shape, recipe=recipe, seed=0, device=CPU)
        return list(trained.members)

    plain, other = learnt(BARE), learnt(replace(BARE, **{entry: OTHER[entry]}))
    same = len(plain) == len(other) and all(
        a.keys() == b.keys() and all(torch.equal(a[k], b[k]) for k in a)
        for a, b in zip(plain, other, strict=True)
    )
    assert not same


def test_adjusted_logits_cost_what_the_frequencies_are_taken_out_for(school, shape) -> None:
    # logits of zeros: the cost of a label is its log share, with 0.05 spread over all labels
    lesson = [x for x in school.of(school.conversations) if x.scenario == "couple"][:1]
    recipe = replace(BARE, adjust=1.0, dropout=0.0, word_dropout=0.0)
    net = Network(shape, recipe).eval()
    for weight in net.pattern.parameters():
        torch.nn.init.zeros_(weight)
    counted = balance(lesson, recipe)
    cost, count = losses(net, prepare(lesson, CPU), counted, recipe)["pattern"]
    prior = counted.prior["pattern"]["couple"]
    log = (prior - prior.exp().sum().log()).numpy()
    labels = lesson[0].labels("pattern")
    wanted = -(0.95 * log[labels] + 0.05 * log.mean())
    assert count == len(labels)
    assert cost.item() == pytest.approx(np.sum(wanted), rel=1e-4)
