"""How many requests run at a time, and when an endpoint is left alone: worked out by hand."""

from relgraph.llm_bridge.backends import _breaker
from relgraph.llm_bridge.backends._breaker import Breaker
from relgraph.llm_bridge.backends._pace import Pace


def turn_down(pace: Pace, times: int, *, wait_s: float | None = None) -> None:
    began_in = pace.round
    for _ in range(times):
        pace.turned_down(began_in, now=100.0, wait_s=wait_s)


def take(pace: Pace, times: int) -> None:
    for _ in range(times):
        pace.taken(pace.round)


def test_one_request_in_twenty_turned_down_does_not_slow_the_others() -> None:
    pace = Pace(32)
    for _ in range(50):
        take(pace, 19)
        turn_down(pace, 1, wait_s=5.0)
    assert pace.limit == 32
    assert pace.paused_until == 0


def test_more_than_a_quarter_of_a_round_turned_down_leaves_the_share_that_was_taken() -> None:
    pace = Pace(32)
    take(pace, 9)
    turn_down(pace, 8)
    assert pace.limit == 32
    turn_down(pace, 1)  # 9 of 18, and more than a quarter of 32
    assert pace.limit == 16


def test_all_turned_down_leaves_a_quarter_at_a_time_and_never_less_than_one() -> None:
    pace = Pace(32)
    turn_down(pace, 9)
    assert pace.limit == 8
    for _ in range(5):
        turn_down(pace, 9)
    assert pace.limit == 1


def test_what_began_before_a_decrease_does_not_cause_another() -> None:
    pace = Pace(32)
    turn_down(pace, 32)  # all of one round
    assert pace.limit == 8


def test_a_good_round_adds_one_up_to_the_most() -> None:
    pace = Pace(10)
    turn_down(pace, 10)
    assert pace.limit == 2
    take(pace, 8)
    assert pace.limit == 3
    take(pace, 8 * 5 + 9)
    assert pace.limit == 9
    take(pace, 99)
    assert pace.limit == 10


def test_where_many_are_turned_down_all_wait_as_long_as_the_server_asks() -> None:
    pace = Pace(8)
    turn_down(pace, 2, wait_s=5.0)
    assert pace.paused_until == 0
    turn_down(pace, 1, wait_s=5.0)
    assert pace.paused_until == 105.0


def fail(breaker: Breaker, *requests: int, now: float = 100.0, is_down: bool = True) -> None:
    for request in requests:
        breaker.failed(request, "no", now=now, is_down=is_down)


def test_ten_failures_in_a_row_of_three_requests_open_the_breaker() -> None:
    breaker = Breaker()
    fail(breaker, *[1, 2] * 8)
    assert not breaker.is_open  # two bad prompts
    fail(breaker, 3)
    assert breaker.is_open
    assert breaker.next_probe == 100.5


def test_a_success_in_between_keeps_it_closed() -> None:
    breaker = Breaker()
    for _ in range(9):
        fail(breaker, 1, 2, 3)
        breaker.succeeded()
    assert not breaker.is_open


def test_a_server_that_turns_requests_down_is_there() -> None:
    breaker = Breaker()
    fail(breaker, *range(50), is_down=False)
    assert not breaker.is_open
    assert breaker.is_suspect


def test_probes_grow_rarer_and_a_success_closes_it() -> None:
    breaker = Breaker()
    fail(breaker, *range(10))
    waits = []
    for now in (200.0, 300.0, 400.0, 500.0, 600.0):
        breaker.failed(1, "no", now=now, is_down=True, is_probe=True)
        waits.append(breaker.next_probe - now)
    assert waits == [1.0, 2.0, 4.0, 8.0, 8.0]
    breaker.succeeded()
    assert not breaker.is_open
    assert not breaker.is_suspect


def test_what_was_under_way_when_it_opened_is_no_probe() -> None:
    breaker = Breaker()
    fail(breaker, *range(32))
    assert breaker.next_probe == 100.5


def test_the_time_to_give_up_counts_from_the_first_failure() -> None:
    breaker = Breaker()
    fail(breaker, 1, now=50.0)
    fail(breaker, *range(20))
    assert breaker.gives_up_at == 50.0 + _breaker.PATIENCE_S
    assert breaker.failing_for_s(60.0) == 10.0
