"""How large a difference data could show, against formulas by hand and against simulation."""

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from relgraph.evaluation.comparing.power import detectable, least_p, needed, power_of, spread
from relgraph.intervals import compare
from relgraph.sums import Floats, Sums


def shares(hits: object, counts: object) -> Sums:
    def ratio(t: Floats) -> Floats:
        blank = np.full(t.shape[:-1], np.nan)
        return np.divide(t[..., 0], t[..., 1], out=blank, where=t[..., 1] > 0)

    return Sums(np.array([hits, counts], dtype=float).T, ratio)


def test_of_equally_many_instances_each_it_is_the_standard_error_of_a_mean() -> None:
    # differences of 4, 2, 0 and 2 of 10: mean .2, variance (.04 + 0 + .04 + 0) / 3
    first, second = shares([9, 7, 5, 6], [10] * 4), shares([5, 5, 5, 4], [10] * 4)
    assert spread(first, second, 4) == pytest.approx(sqrt(0.08 / 3) / sqrt(4))


def test_of_unequal_numbers_it_is_the_jackknife_worked_out_by_leaving_one_out() -> None:
    d, n = np.array([3.0, -1.0, 4.0]), np.array([5.0, 2.0, 8.0])
    first, second = shares(d, n), shares([0.0] * 3, n)
    without = [(d.sum() - d[r]) / (n.sum() - n[r]) for r in range(3)]
    by_hand = sqrt(2 / 3 * sum((w - np.mean(without)) ** 2 for w in without))
    assert spread(first, second, 3) == pytest.approx(by_hand)


def test_relationships_without_instances_do_not_count() -> None:
    one, other = shares([9, 0, 2, 6], [10, 0, 4, 20]), shares([5, 0, 2, 4], [10, 0, 4, 20])
    alone = spread(shares([9, 2, 6], [10, 4, 20]), shares([5, 2, 4], [10, 4, 20]), 3)
    assert spread(one, other, 4) == pytest.approx(alone)


def test_one_relationship_has_no_spread() -> None:
    assert spread(shares([9], [10]), shares([5], [10]), 1) is None


def test_the_detectable_difference_is_that_of_the_tables_of_t() -> None:
    # t(0.975, 9) = 2.262157 and t(0.8, 9) = 0.883404, as printed in any table
    assert detectable(0.05, 10) == pytest.approx(0.05 * (2.262157 + 0.883404), rel=1e-5)


def test_a_stricter_level_asks_for_a_larger_difference() -> None:
    # t(1 - 0.05 / 12, 9) = 3.3642
    found = detectable(0.05, 10, level=0.05 / 6)
    assert found == pytest.approx(0.05 * (stats.t.isf(0.05 / 12, 9) + stats.t.isf(0.2, 9)))
    assert found > detectable(0.05, 10)


def test_a_shift_of_that_size_is_found_four_times_of_five() -> None:
    """Coarse: 400 data sets of 15 relationships, tested by the sign flips of the comparison."""
    draw = np.random.default_rng(7)
    relationships, sd = 15, 0.1
    shift = detectable(sd / sqrt(relationships), relationships)
    zeros = shares([0.0] * relationships, [1] * relationships)
    found = 0
    for _ in range(400):
        d = draw.normal(shift, sd, relationships)
        p = compare(shares(d, [1] * relationships), zeros, seed=0).p
        found += p is not None and p < 0.05
    assert 0.74 < found / 400 < 0.86


def test_the_needed_number_is_the_least_that_would_do() -> None:
    one = 0.05 * sqrt(10)  # of one relationship
    count = needed(0.06, 0.05, 10)
    assert count is not None
    assert detectable(one / sqrt(count), count) <= 0.06
    assert detectable(one / sqrt(count - 1), count - 1) > 0.06


def test_a_difference_that_could_be_shown_here_needs_no_more_relationships_than_these() -> None:
    size = detectable(0.05, 10)
    assert needed(-size - 1e-9, 0.05, 10) == 10


def test_no_number_of_relationships_shows_a_difference_of_nothing() -> None:
    assert needed(0.0, 0.05, 10) is None


def test_relationships_that_are_all_alike_say_nothing_of_the_power() -> None:
    same = shares([3, 3, 3], [10] * 3)
    assert power_of(same, same, 3, difference=0.0, tests=6) is None
    ahead = shares([5, 5, 5], [10] * 3)
    assert power_of(ahead, same, 3, difference=0.2, tests=6) is None


def test_few_relationships_can_give_no_small_p_value() -> None:
    # all signs equal, either way: 2 of 2^R patterns
    assert least_p(3) == 2 / 8
    assert least_p(21) == 1 / 10_000


def test_the_power_line_says_what_all_tests_together_could_show() -> None:
    first, second = shares([9, 7, 5, 6], [10] * 4), shares([5, 5, 5, 4], [10] * 4)
    line = power_of(first, second, 4, difference=0.2, tests=6)
    error = sqrt(0.08 / 3) / 2
    assert line is not None
    assert line["standard_error"] == pytest.approx(error)
    assert line["detectable"] == pytest.approx(detectable(error, 4))
    assert line["detectable_of_all_tests"] == pytest.approx(detectable(error, 4, level=0.05 / 6))
    assert line["needed_relationships"] == needed(0.2, error, 4)
    assert line["relationships"] == 4
