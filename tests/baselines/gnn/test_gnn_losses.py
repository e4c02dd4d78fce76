"""How much a class counts, worked out by hand."""

from __future__ import annotations

import pytest

from relgraph.baselines._channels import texts_of_all
from relgraph.baselines._words import Words
from relgraph.baselines.gnn.lessons import lessons
from relgraph.baselines.gnn.losses import balance
from relgraph.embed import load_embedder
from relgraph.labels import strategies


@pytest.fixture
def couple(corpus, settings):
    words = Words(load_embedder(settings))
    words.learn(texts_of_all(corpus[:1]))
    return lessons(corpus[0], settings.view, words.known, words.dim)


def test_rare_strategies_count_more_and_the_mean_over_instances_is_one(couple) -> None:
    # oak/1: the therapist speaks in rows 3, 6, 9, 12; row k has `track` where k - 1 is even.
    labels = [strategies("couple")[k] for k in couple[0].answers["strategy"].label]
    assert labels == ["track", "enact", "track", "enact"]
    couple[0].answers["strategy"].label[3] = strategies("couple").index("track")
    weights = balance(couple, powers={"strategy": 1.0}).classes["strategy"]["couple"]
    by_name = dict(zip(strategies("couple"), weights.tolist(), strict=True))
    # Three `track`, one `enact`, power 1: weights as 4/3 to 4, scaled to a mean of 1.
    assert by_name["track"] == pytest.approx(2 / 3)
    assert by_name["enact"] == pytest.approx(2.0)
    assert by_name["repair"] == 1.0


def test_yes_and_no_of_itp_weigh_the_same_in_a_conversation(couple) -> None:
    time = couple[0].answers["time"]
    yes = sum(w for w, label in zip(time.weight, time.label, strict=True) if label)
    no = sum(w for w, label in zip(time.weight, time.label, strict=True) if not label)
    assert 0 < len([label for label in time.label if label]) != len(time.label) / 2
    assert yes == pytest.approx(no)
    assert yes + no == pytest.approx(len(time.label))


def test_the_usual_intensity_is_the_median_of_the_training_turns(couple) -> None:
    felt = sorted(couple[0].answers["intensity"].label)
    assert balance(couple).intensity == felt[len(felt) // 2]
