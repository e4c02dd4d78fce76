"""The parts of the interaction-feature model: memories, guesses, linear models, saving."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from relgraph.approach import Settings
from relgraph.baselines._findings import rule_reader
from relgraph.baselines._interaction import aspects, fitting
from relgraph.baselines._interaction.aspects import learn
from relgraph.baselines._interaction.labels import LABELS
from relgraph.baselines._interaction.linear import (
    Shrinking,
    chances,
    fit_candidates,
    fit_labels,
    scale_of,
)
from relgraph.baselines._interaction.reading import DOUBT, HALF_LIVES, fading
from relgraph.baselines._interaction.saved import of_arrays, to_arrays
from relgraph.records import Emotion
from tests.baselines.test_interaction import cases, fit, group


def test_a_memory_is_a_mean_in_which_a_turn_counts_half_after_its_half_life() -> None:
    stream = np.array([[1.0], [5.0], [3.0]], np.float32)
    found = fading(stream, np.array([True, False, True]))
    assert HALF_LIVES[0] == 1
    # after the third turn: 3 heard now, 1 heard two turns ago and worth a quarter
    assert found[3, 0, 0] == pytest.approx((3 + 0.25 * 1) / (1.25 + DOUBT))
    # the last memory forgets nothing
    assert found[3, -1, 0] == pytest.approx((3 + 1) / (2 + DOUBT))
    assert (found[0] == 0).all()


def test_the_memories_of_a_prefix_are_the_prefix_of_the_memories() -> None:
    stream = np.random.default_rng(0).normal(size=(9, 3)).astype(np.float32)
    heard = np.arange(9) % 2 == 0
    assert (fading(stream[:5], heard[:5]) == fading(stream, heard)[:6]).all()


def test_a_training_conversation_is_guessed_by_those_that_have_not_seen_its_part() -> None:
    """Each part notes an intensity of its own whatever its input, so only strangers are wrong."""
    inputs = [np.ones((4, 2), np.float32)] * 2
    notes = [{"intensity": np.full((4, 1), value, np.float32)} for value in (1.0, 3.0)]
    guess, found = learn(inputs, notes, [0, 1])
    assert [float(f.mean()) for f in found] == pytest.approx([3.0, 1.0])
    # a new conversation is guessed by the mean of both
    assert guess.of(inputs[0]).mean() == pytest.approx(2.0)


def test_coders_phrases_of_other_people_s_feelings_and_all_names_stay_out() -> None:
    of = group(1)
    own, other = Emotion("Edda1", "cross with Jon1", 5.0), Emotion("Jon1", "bored", 5.0)
    assert of.turns[0].speaker == "Edda1"
    noted = replace(of, gold=(replace(of.gold[0], emotions=(other, own)), *of.gold[1:]))
    first, _, third, *_ = aspects.phrases_of(noted)
    assert first["emotion"] == ["cross with someone"]
    assert third["emotion"] == []


def test_a_guess_is_a_ridge_regression() -> None:
    """Against the textbook's formula, with rows without a note left out."""
    draw = np.random.default_rng(0)
    x = draw.normal(size=(40, 3)).astype(np.float32)
    y = (x @ [[2.0], [0.0], [-1.0]] + 1).astype(np.float32)
    unknown = np.concatenate([y, np.full((2, 1), np.nan, np.float32)])
    guess, _ = learn([np.concatenate([x, x[:2] + 9])], [{"intensity": unknown}], [0])
    off = x - x.mean(axis=0)
    wanted = np.linalg.solve(off.T @ off + aspects.RIDGE * np.eye(3), off.T @ (y - y.mean()))
    assert guess.weights == pytest.approx(wanted, abs=1e-5)
    assert guess.bias == pytest.approx(y.mean() - x.mean(axis=0) @ wanted, abs=1e-5)


def test_every_block_has_the_same_say_and_what_does_not_vary_has_none() -> None:
    rows = np.array([[0, 1, 7], [2, 3, 7]], np.float32)
    scale = scale_of(rows, [2, 1], [2.0, 1.0])
    inputs = scale.of(rows)
    assert inputs[:, 2].tolist() == [0, 0]
    assert (inputs[0] ** 2).sum() == pytest.approx(4.0)
    far = scale.of(np.array([[1000.0, 1, 9]], np.float32))
    assert far[0, 0] == pytest.approx(5 * 2 / np.sqrt(2))
    assert far[0, 2] == 0


def test_labels_that_scenarios_call_alike_are_one() -> None:
    places = LABELS["rpp"].places
    assert places["family"]["escalation_conflict"] == places["couple"]["attack_attack"]
    assert places["family"]["boundary_hierarchy_strain"] not in places["couple"].values()


def _two_scenarios(shrinking: Shrinking) -> np.ndarray:
    """Weights where scenario 0 shows that input 1 means label 1, and scenario 1 shows nothing."""
    inputs = np.array([[1.0], [-1.0]] * 8 + [[0.0]], np.float32)
    scenario = np.array([0] * 16 + [1])
    gold = np.array([1, 0] * 8 + [0])
    allowed = np.ones((2, 2), np.bool_)
    return fit_labels(inputs, scenario, gold, allowed, shrinking)


def test_what_one_scenario_teaches_about_a_shared_label_holds_in_the_other() -> None:
    weights = _two_scenarios(Shrinking(0.01))
    assert weights[1, 0, 1] - weights[1, 0, 0] > 0.5
    assert weights[0, 0, 1] > weights[1, 0, 1]


def test_a_label_that_a_scenario_does_not_have_takes_nothing_there() -> None:
    inputs = np.zeros((4, 1), np.float32)
    allowed = np.array([[True, True, False], [True, True, True]])
    weights = fit_labels(
        inputs, np.array([0, 0, 1, 1]), np.array([0, 1, 2, 2]), allowed, Shrinking(0.01)
    )
    assert chances(weights[0, -1, :2])[0] == pytest.approx(0.5, abs=1e-3)
    # not even pushed down: it is no choice there
    assert weights[0, -1, 2] == pytest.approx(0, abs=1e-6)


def test_balance_lifts_rare_labels() -> None:
    inputs = np.zeros((10, 1), np.float32)
    gold = np.array([0] * 9 + [1])

    def rare(balance: float) -> float:
        weights = fit_labels(
            inputs, np.zeros(10, np.intp), gold, np.ones((1, 2), np.bool_),
            Shrinking(0.01, balance=balance),
        )  # fmt: skip
        return float(chances(weights[0, -1])[1])

    assert rare(0) == pytest.approx(0.1, abs=0.01)
    assert rare(1) == pytest.approx(0.5, abs=0.01)


def test_candidates_are_told_apart_by_their_features_and_padding_is_never_chosen() -> None:
    inputs = np.array([[[1.0], [0.0], [9.0]], [[0.0], [1.0], [9.0]]] * 4, np.float32)
    there = np.array([[True, True, False]] * 8)
    (weight,) = fit_candidates(inputs, there, np.array([0, 1] * 4), 0.01)
    assert weight > 1


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(embedder="hashing:32", cache=str(tmp_path_factory.mktemp("vectors")))


@pytest.fixture(scope="module")
def fitted(settings: Settings):
    return fit(settings, [group(k) for k in range(4)])


def test_a_saved_model_says_the_same(fitted) -> None:
    arrays, card = to_arrays(fitted.model)
    assert {a.dtype for a in arrays.values()} == {np.dtype(np.float32)}
    again = of_arrays(arrays, json.loads(json.dumps(card)))
    asked = [c.instance for c in cases(group(7), *fitting.TASKS)]
    list(fitted.predict(asked, {}))
    vectors = fitted._words.known
    assert again.say(asked, vectors) == fitted.model.say(asked, vectors)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda _a, c: c["columns"]["itp"].pop(), "other features"),
        (lambda _a, c: c["labels"].pop("itp"), "other label sets"),
        (lambda _a, c: c["rules"].update(rules="x"), "other rules"),
        (lambda a, _c: a.pop("rpp.mean"), "lacks 'rpp.mean'"),
        (lambda _a, c: c.pop("taught"), "lacks 'taught'"),
        (lambda a, _c: a.update({"stp.weights": np.zeros(3)}), "stp.weights has the shape"),
        (lambda a, _c: a["itp.mean"].__setitem__(0, np.nan), "not finite"),
        (lambda _a, c: c.update(dim=16), "guess.weights has the shape"),
    ],
)
def test_a_model_that_does_not_fit_is_refused(fitted, change, message: str) -> None:
    arrays, card = to_arrays(fitted.model)
    arrays, card = {k: v.copy() for k, v in arrays.items()}, json.loads(json.dumps(card))
    change(arrays, card)
    with pytest.raises(ValueError, match=message):
        of_arrays(arrays, card)


def test_rules_that_are_read_are_kept_with_the_model(settings: Settings) -> None:
    ruled = fit(replace(settings, rule_edges=True), [group(k) for k in range(2)])
    arrays, card = to_arrays(ruled.model)
    with pytest.raises(ValueError, match="other rules"):
        of_arrays(arrays, card)
    assert of_arrays(arrays, card, reader=rule_reader()).reader is not None
