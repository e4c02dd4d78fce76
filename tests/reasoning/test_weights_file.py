"""The file of learnt weights, and what it is bound to."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from relgraph.errors import DataError
from relgraph.reasoning.ruleset import RuleSet
from relgraph.reasoning.weights import Trained, Weighing, Weights, read_weights, write_weights

TEXT = """
pack mine "Mine"
  answers rpp
  scenario couple

rule pursue_withdraw(A, B)  "A presses, B pulls back"
  weight 0.9
  when   demand    T1: A -> B
  and    refusal   T2: B -> A   within 3 turns after T1

rule attack_attack(A, B)  "both blame"
  weight 0.8
  when   blame   T1: A -> B
  and    blame   T2: B -> A   within 3 turns after T1
"""


def weights_for(rules: RuleSet) -> Weights:
    return Weights(
        weighings=(
            Weighing(
                task="rpp",
                scenario="couple",
                half_lives=(3.0, 12.0),
                options=("pursue_withdraw", "attack_attack"),
                bias={"": (0.1, -0.1)},
                weights={
                    "mine:pursue_withdraw": {
                        "pursue_withdraw": (0.5, 0.25),
                        "attack_attack": (-0.1, 0.0),
                    },
                    "mine:attack_attack": {
                        "pursue_withdraw": (0.0, 0.0),
                        "attack_attack": (1.5, 0.125),
                    },
                },
            ),
        ),
        rules={rule.id: rule.hash for rule in rules.rules},
        trained_on=(Trained("c1", "f00", "r1"),),
        settings={"embedder": "hashing"},
        reader={"types": []},
    )


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "weights.json"
    write_weights(path, weights_for(RuleSet.parse(TEXT)))
    return path


def test_what_is_read_is_what_was_written(saved: Path) -> None:
    rules = RuleSet.parse(TEXT)
    assert read_weights(saved, rules) == weights_for(rules)


def test_spacing_and_comments_of_a_rule_may_change(saved: Path) -> None:
    text = TEXT.replace("  when   demand", "  # who asks\n  when demand")
    assert read_weights(saved, RuleSet.parse(text)).weighings


def test_a_changed_rule_is_refused_by_its_name(saved: Path) -> None:
    text = TEXT.replace(
        "within 3 turns after T1\n\nrule attack", "within 4 turns after T1\n\nrule attack"
    )
    with pytest.raises(DataError, match=r"weights\.json: rule mine:pursue_withdraw has changed"):
        read_weights(saved, RuleSet.parse(text))


def test_a_rule_that_is_gone_is_refused_by_its_name(saved: Path) -> None:
    text = TEXT[: TEXT.index("rule attack_attack")]
    with pytest.raises(DataError, match="rule mine:attack_attack is in this file and not among"):
        read_weights(saved, RuleSet.parse(text))


def test_a_new_rule_is_refused_by_its_name(saved: Path) -> None:
    text = (
        TEXT.replace("rule attack_attack(", "rule attack_attack/again(")
        + TEXT[TEXT.index("rule attack_attack") :]
    )
    with pytest.raises(DataError, match="rule mine:attack_attack/again has no learnt weight"):
        read_weights(saved, RuleSet.parse(text))


def broken(saved: Path, **changes: object) -> Path:
    value = json.loads(saved.read_text(encoding="utf-8"))
    value.update(changes)
    saved.write_text(json.dumps(value), encoding="utf-8")
    return saved


def weighing(**changes: object) -> list[dict[str, object]]:
    whole = asdict(weights_for(RuleSet.parse(TEXT)).weighings[0])
    return [{**whole, **changes}]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": "something"}, "its `format` is 'something'"),
        ({"version": 99}, "version 99"),
        ({"weighings": None}, "not a whole weights file"),
        ({"weighings": weighing(half_lives=[3.0])}, "one weight a half-life"),
        ({"weighings": weighing(half_lives=[3.0, -1.0])}, "half-life is not above 0"),
        ({"weighings": weighing(bias={"": [0.0]})}, "one number an option"),
        ({"weighings": weighing(bias={"": [float("nan"), 0.0]})}, "not finite"),
        ({"weighings": weighing(options=["a", "b"])}, "has weights for"),
        ({"weighings": weighing(bias={"": [1e300, 0.0]})}, "not finite, or beyond"),
        ({"weighings": weighing(bias={"": [10**400, 0.0]})}, "not a whole weights file"),
        ({"weighings": weighing(bias={})}, "no bias"),
        ({"weighings": 2 * weighing()}, "weighed twice"),
        ({"trained_on": [{}]}, "not a whole weights file"),
    ],
)
def test_a_damaged_file_is_refused_with_its_name_and_the_cause(
    saved: Path, changes: dict[str, object], said: str
) -> None:
    with pytest.raises(DataError, match=r"weights\.json: .*Train again") as caught:
        read_weights(broken(saved, **changes), RuleSet.parse(TEXT))
    assert said in str(caught.value)


def test_a_file_that_is_no_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text("not json", encoding="utf-8")
    with pytest.raises(DataError, match=r"weights\.json: not JSON"):
        read_weights(path, RuleSet.parse(TEXT))


def test_a_missing_file_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.json: no such file"):
        read_weights(tmp_path / "none.json", RuleSet.parse(TEXT))


def test_numbers_that_are_not_finite_are_not_written(tmp_path: Path) -> None:
    of = weights_for(RuleSet.parse(TEXT))
    endless = replace(of.weighings[0], bias={"": (float("inf"), 0.0)})
    with pytest.raises(ValueError, match="JSON"):
        write_weights(tmp_path / "w.json", replace(of, weighings=(endless,)))
    assert list(tmp_path.iterdir()) == []
