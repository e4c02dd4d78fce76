"""Temperatures: found where they are known, and not fitted on few instances."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from relgraph.baselines.gnn.answer import middle
from relgraph.baselines.gnn.calibration import FEWEST, temperature


def drawn(heat: float, *, count: int = 4000, seed: int = 0):
    """Returns votes whose logits are `heat` times those that the labels were drawn from."""
    draw = np.random.default_rng(seed)
    logits = draw.normal(size=(count, 4))
    chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    labels = [int(draw.choice(4, p=row)) for row in chances]
    return [(heat * row, label, 1.0) for row, label in zip(logits, labels, strict=True)]


@pytest.mark.parametrize("heat", [0.5, 1.0, 3.0])
def test_logits_too_sure_by_a_factor_get_that_factor_as_temperature(heat: float) -> None:
    assert temperature(drawn(heat)) == pytest.approx(heat, rel=0.1)


def test_an_impossible_slot_changes_nothing() -> None:
    plain = drawn(2.0, count=400)
    padded = [(np.append(row, -np.inf), label, w) for row, label, w in plain]
    assert temperature(padded) == pytest.approx(temperature(plain), abs=1e-3)


def test_an_instance_of_weight_two_counts_as_two() -> None:
    votes = drawn(1.5, count=60)
    double = [(row, label, 2.0 if k < 20 else 1.0) for k, (row, label, _) in enumerate(votes)]
    assert temperature(double) == pytest.approx(temperature(votes + votes[:20]), abs=1e-3)


def test_on_few_instances_nothing_is_fitted() -> None:
    assert temperature(drawn(3.0, count=FEWEST - 1)) == 1.0


def test_the_middle_of_intensities_halves_the_mass() -> None:
    # a quarter on 4, a half on 6, a quarter on 8: half of the mass is reached in the middle of 6
    levels = torch.zeros(11)
    levels[[4, 6, 8]] = torch.tensor([0.25, 0.5, 0.25])
    assert middle(levels) == pytest.approx(6.0)
    # all on 7: the middle of 7
    assert middle(torch.nn.functional.one_hot(torch.tensor(7), 11).float()) == pytest.approx(7.0)
    # three quarters on 9, a quarter on 3: the first 0.25 of 9's 0.75 is a third into 8.5 to 9.5
    levels = torch.zeros(11)
    levels[[3, 9]] = torch.tensor([0.25, 0.75])
    assert middle(levels) == pytest.approx(8.5 + 1 / 3)
