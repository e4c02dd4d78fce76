"""Intervals and comparisons over relationships."""

from itertools import product

import numpy as np
import pytest

from relgraph import intervals
from relgraph.intervals import compare, holm, interval, resamples
from relgraph.sums import Sums


def mean(sums: list[float], counts: list[int]) -> Sums:
    return Sums(np.array([sums, counts], dtype=float).T, lambda t: t[..., 0] / t[..., 1])


def test_a_resample_draws_as_many_relationships_as_there_are() -> None:
    drawn = resamples(7, seed=3)
    assert drawn.shape == (2000, 7)
    assert set(drawn.sum(axis=1)) == {7.0}


def test_a_seed_gives_the_same_resamples_again_and_another_one_others() -> None:
    assert np.array_equal(resamples(5, seed=1), resamples(5, seed=1))
    assert not np.array_equal(resamples(5, seed=1), resamples(5, seed=2))


def test_the_interval_is_that_of_a_loop_over_resamples() -> None:
    measure = mean([3, 1, 4, 1, 5], [5, 2, 8, 3, 6])
    drawn = resamples(5, seed=0)
    one_by_one = [(w @ [3, 1, 4, 1, 5]) / (w @ [5, 2, 8, 3, 6]) for w in drawn]
    assert interval(measure, drawn) == pytest.approx(np.percentile(one_by_one, [2.5, 97.5]))


def test_relationships_that_differ_give_a_wide_interval_however_many_instances_they_hold() -> None:
    low, high = interval(mean([1000, 0, 1000, 0], [1000] * 4), resamples(4, seed=0)) or (0, 0)
    assert high - low > 0.9


def test_equal_relationships_give_no_width() -> None:
    assert interval(mean([2, 2, 2], [4, 4, 4]), resamples(3, seed=0)) == (0.5, 0.5)


def test_a_metric_that_most_resamples_leave_undefined_has_no_interval() -> None:
    undefined = Sums(np.zeros((3, 1)), lambda t: np.full(t.shape[:-1], np.nan))
    assert interval(undefined, resamples(3, seed=0)) is None


def test_a_comparison_of_three_relationships_tries_all_eight_patterns() -> None:
    # differences 3, 2 and 1 of 10: only all signs equal are as far from zero as 6
    a, b = mean([9, 8, 7], [10, 10, 10]), mean([6, 6, 6], [10, 10, 10])
    found = compare(a, b, seed=0)
    assert found.difference == pytest.approx(0.2)
    assert found.p == pytest.approx(2 / 8)


def test_the_p_value_is_that_of_sign_flips_of_the_sums_of_differences() -> None:
    a, b = [5, 9, 2, 7, 6, 3], [4, 5, 3, 5, 6, 1]
    d = np.array(a) - np.array(b)
    flips = [abs(np.dot(s, d)) >= abs(d.sum()) for s in product((1, -1), repeat=6)]
    found = compare(mean(a, [10] * 6), mean(b, [10] * 6), seed=0)
    assert found.p == pytest.approx(np.mean(flips))


def test_many_relationships_are_sampled_and_the_observed_pattern_counts() -> None:
    a, b = [10.0] * 20, [0.0] * 20
    found = compare(mean(a, [10] * 20), mean(b, [10] * 20), seed=0)
    assert found.p == pytest.approx(1 / 10_000, rel=3)
    assert found.p is not None
    assert found.p >= 1 / 10_000


def test_equal_approaches_do_not_differ() -> None:
    a = mean([4, 5, 6], [10, 10, 10])
    found = compare(a, a, seed=0)
    assert (found.difference, found.low, found.high, found.p) == (0, 0, 0, 1)


def test_relationships_without_instances_take_no_part() -> None:
    a, b = mean([9, 0, 8, 7], [10, 0, 10, 10]), mean([6, 0, 6, 6], [10, 0, 10, 10])
    assert compare(a, b, seed=0).p == pytest.approx(2 / 8)


def test_one_relationship_gives_a_difference_and_nothing_more() -> None:
    found = compare(mean([9], [10]), mean([6], [10]), seed=0)
    assert found.difference == pytest.approx(0.3)
    assert (found.low, found.high, found.p) == (None, None, None)


def test_holm_corrects_the_smallest_most_and_keeps_the_order() -> None:
    # sorted .01 .02 .03 .04 times 4 3 2 1, never falling
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx((0.06, 0.04, 0.06, 0.06))


def test_holm_never_goes_beyond_one() -> None:
    assert holm([0.9, 0.8]) == (1.0, 1.0)
    assert holm([]) == ()


def test_a_mean_is_over_values_and_its_interval_over_whole_relationships() -> None:
    # Two relationships drawn twice: only a (1), only b (0), or both (3 of 4).
    found = intervals.mean([1, 1, 1, 0], ["a", "a", "a", "b"], seed=0)
    assert found == {"value": 0.75, "low": 0, "high": 1}


def test_a_mean_over_one_relationship_has_no_interval() -> None:
    assert intervals.mean([1, 0], ["a", "a"], seed=0) == {"value": 0.5, "low": None, "high": None}
