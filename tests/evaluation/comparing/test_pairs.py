"""Two arms on common instances: what is counted, what is left out, how far apart they are."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from relgraph.evaluation.comparing.arms import arms_of
from relgraph.evaluation.comparing.pairs import Pair, difference, pair, quality
from relgraph.evaluation.comparing.runs import read_run
from relgraph.evaluation.metrics import Item
from relgraph.evaluation.runner import Data
from relgraph.records import (
    Case,
    Conversation,
    Emotion,
    Gold,
    Instance,
    Prediction,
    Viewpoint,
)
from tests.evaluation.comparing.made import TASKS, WriteRun, cases_in, data_of, talk

DATA = data_of(talk("x", "pppp"), talk("y", "pppp"), talk("z", "pppp"))


def paired(folder: Path, first: str, second: str, data: Data = DATA) -> Pair:
    arms = arms_of([read_run(folder)])
    return pair(TASKS["rpp"], cases_in(data), arms[first], arms[second])


def test_only_what_both_were_asked_counts(write_run: WriteRun) -> None:
    said = {"llm": {"x": "pppp", "y": "pp"}, "gnn": {"x": "  pp", "y": "pppp", "z": "p"}}
    found = paired(write_run(DATA, said), "llm", "gnn")
    assert (len(found), found.only_first, found.only_second) == (4, 2, 3)


def test_what_either_failed_is_left_out_and_counted(write_run: WriteRun) -> None:
    said = {"llm": {"x": "pp!!", "y": "pppp"}, "gnn": {"x": "p!!p", "y": "pppp"}}
    found = paired(write_run(DATA, said), "llm", "gnn")
    assert found.failed() == (2, 2)
    assert len(found.answered) == 5


def test_the_difference_is_that_of_the_shares_on_common_answers(write_run: WriteRun) -> None:
    # of the five that both answered llm has four right, gnn two
    said = {"llm": {"x": "pp!!", "y": "ppap"}, "gnn": {"x": "p!pp", "y": "aapa"}}
    found = difference(paired(write_run(DATA, said), "llm", "gnn").answered, seed=0)
    assert found is not None
    assert (found["n"], found["relationships"], found["metric"]) == (5, 2, "accuracy")
    assert found["first_value"] == pytest.approx(4 / 5)
    assert found["second_value"] == pytest.approx(2 / 5)
    assert found["difference"] == pytest.approx(2 / 5)


def test_with_failures_as_wrong_they_count_against_whoever_failed(write_run: WriteRun) -> None:
    # x: llm 2 of 4 and gnn 4 of 4; y: llm 4 of 4 and gnn 3 of 4
    said = {"llm": {"x": "pp!!", "y": "pppp"}, "gnn": {"x": "pppp", "y": "!ppp"}}
    found = difference(paired(write_run(DATA, said), "llm", "gnn"), seed=0, failures_wrong=True)
    assert found is not None
    assert (found["first_value"], found["second_value"]) == (6 / 8, 7 / 8)


def test_the_p_value_of_three_relationships_is_that_of_all_eight_sign_patterns(
    write_run: WriteRun,
) -> None:
    # right answers: llm 4, 3, 1 and gnn 1, 1, 2; so the differences are 3, 2 and -1
    said = {
        "llm": {"x": "pppp", "y": "pppa", "z": "paaa"},
        "gnn": {"x": "paaa", "y": "paaa", "z": "ppaa"},
    }
    found = difference(paired(write_run(DATA, said), "llm", "gnn").answered, seed=0)
    assert found is not None
    sums = [abs(np.dot(signs, (3, 2, -1))) for signs in product((1, -1), repeat=3)]
    by_hand = sum(s >= 4 for s in sums) / 8
    assert by_hand == 4 / 8  # 3+2-1, 3+2+1 and their mirror images
    assert found["p"] == pytest.approx(by_hand)


def test_the_interval_is_that_of_whole_relationships_drawn_anew(write_run: WriteRun) -> None:
    # every relationship has a difference of 2 of 4 or of 1 of 4: no mean of them lies outside
    said = {
        "llm": {"x": "pppp", "y": "pppa", "z": "pppa"},
        "gnn": {"x": "ppaa", "y": "ppaa", "z": "ppaa"},
    }
    found = difference(paired(write_run(DATA, said), "llm", "gnn").answered, seed=0)
    assert found is not None
    assert (found["low"], found["high"]) == (0.25, 0.5)


def test_one_relationship_has_a_difference_and_neither_interval_nor_test(
    write_run: WriteRun,
) -> None:
    folder = write_run(DATA, {"llm": {"x": "pp"}, "gnn": {"x": "aa"}})
    found = difference(paired(folder, "llm", "gnn").answered, seed=0)
    assert found is not None
    assert (found["difference"], found["low"], found["high"], found["p"]) == (1, None, None, None)


def test_the_mean_over_training_seeds_stands_against_what_ran_once(write_run: WriteRun) -> None:
    # gnn is right in 4 and 2 of 4, llm in 1: 3 - 1 of 4
    folder = write_run(DATA, {"llm": {"x": "paaa", "y": ""}, "gnn": {"x": "pppp"}})
    write_run(DATA, {"gnn": {"x": "ppaa"}}, name="run/seed-1")
    found = difference(paired(folder, "gnn", "llm").answered, seed=0)
    assert found is not None
    assert found["difference"] == pytest.approx((4 + 2) / 8 - 1 / 4)


def test_an_item_that_failed_at_one_seed_is_left_out(write_run: WriteRun) -> None:
    folder = write_run(DATA, {"llm": {"x": "pppp"}, "gnn": {"x": "pppp"}})
    write_run(DATA, {"gnn": {"x": "pp!p"}}, name="run/seed-1")
    found = paired(folder, "gnn", "llm")
    assert (len(found.answered), found.failed()) == (3, (1, 0))


def test_of_different_numbers_of_seeds_the_first_ones_are_taken(write_run: WriteRun) -> None:
    folder = write_run(DATA, {"gnn": {"x": "pp", "y": "pp"}, "text-head": {"x": "aa", "y": "aa"}})
    write_run(
        DATA,
        {"gnn": {"x": "pp", "y": "pp"}, "text-head": {"x": "aa", "y": "aa"}},
        name="run/seed-1",
    )
    write_run(DATA, {"gnn": {"x": "aa", "y": "aa"}}, name="run/seed-2")
    found = paired(folder, "gnn", "text-head")
    assert (len(found.first), len(found.second)) == (2, 2)
    value = difference(found.answered, seed=0)
    assert value is not None
    assert value["difference"] == 1


def test_a_part_keeps_the_relationships_that_it_has(write_run: WriteRun) -> None:
    said = {"llm": {"x": "pp", "y": "pp"}, "gnn": {"x": "aa", "y": "aa"}}
    found = paired(write_run(DATA, said), "llm", "gnn").where(lambda c: c.conversation_id == "y")
    value = difference(found, seed=0)
    assert value is not None
    assert (value["n"], value["relationships"]) == (2, 1)


def open_case(gold: Gold) -> Case:
    return Case(Instance("i", "er", Conversation("c", ())), gold, "c", "r", 1)


def test_the_quality_of_an_intensity_is_how_far_it_is_off_below_nothing() -> None:
    case = open_case(Gold(emotion=Emotion("Ann", "sad", 7.0)))
    said = Prediction("i", emotion=Emotion("Ann", "glad", 4.5))
    assert quality(Item(case, said, 0)) == pytest.approx(-2.5)


def test_the_quality_of_viewpoints_is_the_f1_of_who_thinks_of_whom() -> None:
    # one of two said pairs is right, of one meant: 2 * 1 / (2 + 1)
    case = open_case(Gold(viewpoints=(Viewpoint("Ann", "Bob", "cold"),)))
    said = Prediction("i", viewpoints=(Viewpoint("Ann", "Bob", "x"), Viewpoint("Bob", "Ann", "y")))
    assert quality(Item(case, said, 0)) == pytest.approx(2 / 3)


def test_a_failed_answer_has_no_quality() -> None:
    assert quality(Item(open_case(Gold(label="yes")), Prediction("i", failure="no"), 0)) is None
