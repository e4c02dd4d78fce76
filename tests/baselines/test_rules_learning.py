"""The learner of rule weights, on planted data."""

from __future__ import annotations

import numpy as np
import pytest

from relgraph.baselines._symbolic.learning import (
    Candidates,
    Labelled,
    Plan,
    chances,
    choose,
    choose_balance,
    learn,
)

LOOSE = Plan(shrinking=1e-4)


def planted_labels(seed: int, n: int = 600) -> Labelled:
    """Three labels, four rules: 0 speaks for label 0, 1 for label 1; 2 says nothing; 3 lies.

    Rule 3 claims label 2 and stands where label 2 is not.
    """
    draw = np.random.default_rng(seed)
    gold = draw.integers(0, 3, n)
    inputs = np.zeros((n, 4))
    inputs[:, 0] = (gold == 0) * draw.uniform(0, 1, n)
    inputs[:, 1] = (gold == 1) * draw.uniform(0, 1, n)
    inputs[:, 2] = draw.uniform(0, 1, n)
    inputs[:, 3] = (gold != 2) * draw.uniform(0, 1, n)
    return Labelled(inputs, np.zeros(n, np.intp), gold, np.array([0, 1, 2, 2]), 3)


def planted_people(seed: int, n: int = 600) -> Candidates:
    """Two people and the group. Rule 0 points at the right one, rule 1 at a wrong one."""
    draw = np.random.default_rng(seed)
    gold = draw.integers(0, 3, n)
    inputs = np.zeros((n, 3, 2))
    inputs[np.arange(n), gold, 0] = draw.uniform(0, 1, n)
    inputs[np.arange(n), (gold + 1) % 3, 1] = draw.uniform(0, 1, n)
    return Candidates(inputs, np.tile([0, 0, 1], (n, 1)), gold, kind_count=2)


def test_a_rule_that_is_right_gets_weight_and_one_that_says_nothing_gets_little() -> None:
    found = learn(planted_labels(1), LOOSE)
    assert found.weights[0, 0] > 2
    assert found.weights[1, 1] > 2
    assert found.weights[2, 2] < 1


@pytest.mark.parametrize("seed", range(5))
def test_no_rule_speaks_against_its_own_label_or_for_another(seed: int) -> None:
    of = planted_labels(seed)
    weights = learn(of, LOOSE).weights
    mine = np.arange(3)[:, None] == of.own[None]
    assert (weights[mine] >= 0).all()
    assert (weights[~mine] <= 0).all()


def test_a_rule_that_lies_gets_no_weight_for_its_label() -> None:
    assert learn(planted_labels(2), LOOSE).weights[2, 3] == 0


def test_without_against_a_rule_changes_its_own_label_only() -> None:
    of = planted_labels(3)
    weights = learn(of, Plan(1e-4, against=False)).weights
    assert (weights[np.arange(3)[:, None] != of.own[None]] == 0).all()


def test_a_candidate_is_chosen_by_the_rule_that_is_right() -> None:
    of = planted_people(1)
    found = learn(of, LOOSE)
    assert found.weights[0] > 2
    assert found.weights[1] == 0
    said = chances(found, of)
    assert (said.argmax(axis=1) == of.gold).mean() > 0.95


def test_somebody_who_is_not_there_has_no_chance() -> None:
    of = planted_people(1)
    gone = Candidates(of.inputs, of.kinds * 1, np.zeros(len(of.gold), np.intp), 2)
    gone.kinds[:, 2] = -1
    said = chances(learn(gone, LOOSE), gone)
    assert (said[:, 2] == 0).all()
    assert said.sum(axis=1) == pytest.approx(np.ones(len(said)))


def test_without_any_evidence_the_bias_is_the_frequency_of_the_labels() -> None:
    gold = np.array([0] * 60 + [1] * 30 + [2] * 10)
    of = Labelled(np.zeros((100, 1)), np.zeros(100, np.intp), gold, np.array([0]), 3)
    said = chances(learn(of, LOOSE), of)[0]
    assert said == pytest.approx([0.6, 0.3, 0.1], abs=0.01)


def test_each_kind_of_instance_has_a_bias_of_its_own() -> None:
    gold = np.array([0] * 90 + [1] * 10 + [0] * 10 + [1] * 90)
    kinds = np.array([0] * 100 + [1] * 100)
    of = Labelled(np.zeros((200, 1)), kinds, gold, np.array([0]), 2, kind_count=2)
    said = chances(learn(of, LOOSE), of)
    assert said[0, 0] == pytest.approx(0.9, abs=0.01)
    assert said[-1, 0] == pytest.approx(0.1, abs=0.01)


def test_strong_shrinking_leaves_the_weights_where_they_start() -> None:
    weights = learn(planted_labels(4), Plan(shrinking=1e4, start=0.7)).weights
    assert weights[0, 0] == pytest.approx(0.7, abs=0.01)
    assert weights[0, 1] == pytest.approx(0, abs=0.01)


def test_noise_makes_held_out_instances_choose_strong_shrinking() -> None:
    draw = np.random.default_rng(0)
    n = 90
    of = Labelled(
        draw.uniform(0, 1, (n, 40)),
        np.zeros(n, np.intp),
        draw.integers(0, 3, n),
        draw.integers(0, 3, 40),
        3,
    )
    assert choose(of, np.arange(n) % 3, [Plan(1e-5), Plan(1.0)]) == Plan(1.0)


def test_one_part_alone_leaves_no_choice() -> None:
    of = planted_labels(1)
    assert choose(of, np.zeros(len(of.gold), np.intp), [Plan(0.5), Plan(0.1)]) == Plan(0.5)


def rare(seed: int, n: int = 300) -> Labelled:
    """One instance in ten has label 1; its rule stands at most of them, and at some others."""
    draw = np.random.default_rng(seed)
    gold = (np.arange(n) % 10 == 0).astype(np.intp)
    stands = np.where(gold == 1, draw.uniform(0, 1, n) < 0.8, draw.uniform(0, 1, n) < 0.15)
    return Labelled(stands[:, None] * 1.0, np.zeros(n, np.intp), gold, np.array([1]), 2)


def test_balance_makes_a_rare_label_more_probable() -> None:
    of = rare(1)
    plain, balanced = (
        chances(learn(of, Plan(1e-4, balance=b)), of)[:, 1].mean() for b in (0.0, 1.0)
    )
    assert plain == pytest.approx(0.1, abs=0.01)
    assert balanced > 0.2


def test_balance_is_chosen_where_it_finds_the_rare_label() -> None:
    """Plain, the rare label is hardly ever said, and macro-F1 suffers."""
    of = rare(2)
    parts = np.arange(len(of.gold)) % 3
    assert choose_balance([(of, parts, Plan(1e-4))], (0.0, 0.6)) == 0.6


def test_no_balance_is_chosen_where_it_helps_nothing() -> None:
    gold = (np.arange(300) % 10 == 0).astype(np.intp)
    of = Labelled(np.zeros((300, 1)), np.zeros(300, np.intp), gold, np.array([1]), 2)
    parts = np.arange(300) % 3
    assert choose_balance([(of, parts, Plan(1e-4))], (0.0, 0.4)) == 0.0
