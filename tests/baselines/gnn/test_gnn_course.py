"""Training on other hardware: mixed precision, and float32 that is the same everywhere."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
import torch

from relgraph.approach import Settings
from relgraph.baselines.gnn.course import Course, computing
from relgraph.baselines.gnn.fitting import prepare
from relgraph.baselines.gnn.losses import balance
from relgraph.baselines.gnn.recipe import Recipe

STEADY = Recipe(hidden=32, relation=4, epochs=1, dropout=0.0, word_dropout=0.0)
"""Without dropout, whose draws differ between devices and precisions."""

NEAR = 0.02
"""Largest relative difference of a head's loss in mixed precision."""


@pytest.fixture(scope="module")
def learn_once(corpus, settings: Settings):
    """Gives a function: trains one step on eight conversations, returns the course."""
    work = prepare(corpus, settings, 0)
    learn = work.school.of(work.school.conversations)

    def learn_on(device: str, *, mixed: bool | None = None) -> tuple[Course, Mapping[str, float]]:
        course = Course(
            0,
            learn=learn,
            counted=balance(learn, STEADY),
            shape=work.shape,
            recipe=STEADY,
            seed=5,
            device=torch.device(device),
            mixed=mixed,
        )
        with computing(torch.device(device), 1):
            (epoch,) = course.run(1)
        return course, epoch.losses

    return learn_on


def assert_near(ours: Mapping[str, float], theirs: Mapping[str, float]) -> None:
    assert ours.keys() == theirs.keys()
    for head, loss in ours.items():
        assert theirs[head] == pytest.approx(loss, rel=NEAR), head


def test_mixed_precision_costs_every_head_what_float32_does_within_two_percent(
    learn_once,
) -> None:
    (_, exact), (_, mixed) = learn_once("cpu", mixed=False), learn_once("cpu", mixed=True)
    assert mixed != exact
    assert_near(exact, mixed)


def test_weights_stay_float32_in_mixed_precision(learn_once) -> None:
    course, _ = learn_once("cpu", mixed=True)
    weights = course.result().weights.values()
    assert {w.dtype for w in weights} == {torch.float32}
    assert all(torch.isfinite(w).all() for w in weights)


def test_the_cpu_trains_in_float32_unless_told_otherwise(learn_once) -> None:
    assert learn_once("cpu")[1] == learn_once("cpu", mixed=False)[1]


def test_float32_is_not_rounded_on_cuda_while_it_computes_and_is_as_before_after() -> None:
    before = torch.backends.cudnn.allow_tf32
    try:
        torch.backends.cudnn.allow_tf32 = True
        with computing(torch.device("cpu"), 1):
            inside = torch.backends.cudnn.allow_tf32
        assert (inside, torch.backends.cudnn.allow_tf32) == (False, True)
    finally:
        torch.backends.cudnn.allow_tf32 = before


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device on this machine")
def test_a_step_on_the_gpu_costs_what_it_costs_on_the_cpu_within_two_percent(learn_once) -> None:
    assert_near(learn_once("cpu")[1], learn_once("cuda")[1])
