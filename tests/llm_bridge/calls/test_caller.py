"""A model behind the call cache: asked once, paid once, and otherwise itself."""

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from relgraph.approach import Settings
from relgraph.errors import RelgraphError, RunError
from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.calls import through
from relgraph.llm_bridge.calls.caller import Caller
from relgraph.llm_bridge.calls.prices import Price
from relgraph.spending import ledger

from .conftest import GOOD, BatchModel, Model, prompt_of

Calling = Callable[..., Caller]
A_CENT_A_CALL = Price(input=0.0, output=10_000 / 9, cached_input=0.0)
"""GOOD has 9 tokens of answer: a cent each time."""


def test_a_question_is_asked_once_and_found_from_then_on(calling: Calling) -> None:
    model = Model()
    first = calling(model).ask(prompt_of())
    again = calling(model).ask(prompt_of())
    assert len(model.asked) == 1
    assert (first.kept, again.kept) == (False, True)
    assert first.call == again.call != ""
    assert replace(again, kept=False) == first
    assert first.time_s > 0


def test_letters_come_back_as_they_were(calling: Calling) -> None:
    letters = {"A": -0.1, "B": float("-inf")}
    model = Model([Reply(letters=letters, cached_tokens=3, retries=2, finish="length")])
    calling(model).ask(prompt_of())
    again = calling(model).ask(prompt_of())
    assert again.letters == letters
    assert (again.cached_tokens, again.retries, again.finish) == (3, 2, "length")


@pytest.mark.parametrize(
    "other",
    [
        {"user": "Ana: “Yes.”"},
        {"system": "Listen."},
        {"form": "letter"},
        {"schema": {"type": "object"}},
    ],
)
def test_another_question_is_asked(other: dict[str, str], calling: Calling) -> None:
    model = Model()
    caller = calling(model)
    caller.ask(prompt_of())
    caller.ask(replace(prompt_of(), **other))
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    "other",
    [{"temperature": 0.5}, {"seed": 1}, {"answer_tokens": 10}, {"samples": 3}],
)
def test_another_way_of_answering_is_another_question(
    other: dict[str, int], calling: Calling
) -> None:
    model = Model()
    calling(model).ask(prompt_of())
    calling(model, **other).ask(prompt_of())
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    "other", [{"identity": "some-model at http://there/v1"}, {"name": "anthropic:some-model"}]
)
def test_another_model_is_asked(other: dict[str, str], calling: Calling) -> None:
    model, second = Model(), Model(**other)
    calling(model).ask(prompt_of())
    calling(second).ask(prompt_of())
    assert len(second.asked) == 1


def test_samples_and_attempts_are_draws_of_their_own(calling: Calling) -> None:
    model = Model()
    caller = calling(model)
    for _ in range(2):
        for sample in (0, 1):
            caller.ask(prompt_of(), sample=sample)
        caller.ask(prompt_of(), sample=1, attempt=2)
    assert [sample for _, sample in model.asked] == [0, 1, 2001]


def test_settings_without_effect_on_answers_share_replies(calling: Calling) -> None:
    model = Model()
    calling(model).ask(prompt_of())
    others = {"concurrency": 1, "timeout_s": 1.0, "retries": 0, "threads": 4, "device": "cpu"}
    assert calling(model, **others, base_url="http://user:word@here/v1").ask(prompt_of()).kept


def test_the_device_counts_for_a_model_on_this_machine(calling: Calling) -> None:
    model = Model(remote=False)
    calling(model).ask(prompt_of())
    assert not calling(model, device="cpu").ask(prompt_of()).kept


def test_a_failure_is_no_answer_and_is_asked_again(calling: Calling) -> None:
    model = Model([Reply(failure="HTTP 500: no after 5 tries"), GOOD])
    caller = calling(model)
    assert caller.ask(prompt_of()).call == ""
    assert caller.ask(prompt_of()).text == GOOD.text
    assert len(model.asked) == 2


def test_a_refusal_and_an_answer_that_nobody_can_read_were_paid_for_and_stay(
    calling: Calling,
) -> None:
    for said in (Reply("I may not.", failure="refused: I may not."), Reply("Well ...")):
        model = Model([said])
        calling(model).ask(prompt_of(said.text))
        again = calling(model).ask(prompt_of(said.text))
        assert (again.text, again.failure, again.kept) == (said.text, said.failure, True)
        assert len(model.asked) == 1


def test_threads_with_the_same_question_make_one_call(calling: Calling) -> None:
    model, replies = Model(wait_s=0.2), []
    caller = calling(model, price=A_CENT_A_CALL)
    threads = [
        threading.Thread(target=lambda: replies.append(caller.ask(prompt_of()))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(model.asked) == 1
    assert sorted(r.kept for r in replies) == [False] + [True] * 7
    assert sum(r.cost_usd for r in replies) == pytest.approx(0.01)


def test_threads_that_wait_for_a_call_that_ends_the_run_end_too(calling: Calling) -> None:
    model, ends = Model([RunError("gone")], wait_s=0.2), []
    caller = calling(model)

    def ask() -> None:
        try:
            caller.ask(prompt_of())
        except RunError as error:
            ends.append(str(error))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ends == ["gone"] * 4
    model.said = (GOOD,)
    assert caller.ask(prompt_of()).text == GOOD.text


def test_a_model_is_reached_for_once_and_only_when_a_reply_is_not_kept(calling: Calling) -> None:
    first, second = Model(), Model()
    caller = calling(first)
    caller.check()
    assert first.checked == 0
    for user in "ab":
        caller.ask(prompt_of(user))
    assert first.checked == 1
    other = calling(second)
    other.check()
    other.ask(prompt_of("a"))
    assert second.checked == 0


def test_without_a_cache_every_question_is_asked_and_the_model_reached_at_once(
    calling: Calling,
) -> None:
    model = Model()
    caller = calling(model, kept=False)
    caller.check()
    assert model.checked == 1
    for _ in range(2):
        assert caller.ask(prompt_of()).call == ""
    assert len(model.asked) == 2


def test_all_else_of_a_model_is_its_own(calling: Calling) -> None:
    model = BatchModel()
    caller = calling(model)
    for name in ("name", "identity", "answers", "concurrency", "keeps_prefix", "remote", "notice"):
        assert getattr(caller, name) == getattr(model, name)
    assert caller.batch == 4
    model.concurrency = 3
    assert caller.concurrency == 3
    assert caller.count_tokens("a b") == 2
    caller.close()
    assert model.closed == 1
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = caller.nothing_of_the_kind


def test_of_several_questions_only_the_new_ones_are_asked_and_each_once(calling: Calling) -> None:
    model = BatchModel([Reply("one"), Reply("two"), Reply("three")])
    caller = calling(model)
    caller.ask(prompt_of("a"))
    replies = caller.ask_many([prompt_of(user) for user in "babc"], sample=0)
    assert [r.text for r in replies] == ["two", "one", "two", "three"]
    assert [user for user, _ in model.asked] == ["a", "b", "c"]
    assert [r.text for r in caller.ask_many([prompt_of("c")])] == ["three"]
    assert caller.ask_many([]) == []


def test_a_model_that_takes_one_question_at_a_time_is_asked_several(calling: Calling) -> None:
    model = Model([Reply("one"), Reply("two")])
    replies = calling(model).ask_many([prompt_of("a"), prompt_of("b")])
    assert [r.text for r in replies] == ["one", "two"]


def test_a_call_costs_what_its_tokens_cost_and_nothing_the_next_time(calling: Calling) -> None:
    caller = calling(Model(), price=A_CENT_A_CALL)
    before = ledger().spent_usd
    first, again = caller.ask(prompt_of()), caller.ask(prompt_of())
    assert (first.cost_usd, again.cost_usd) == (pytest.approx(0.01), 0)
    assert ledger().spent_usd - before == pytest.approx(0.01)


def test_a_server_that_counts_no_tokens_is_counted_for(calling: Calling) -> None:
    caller = calling(Model([Reply("three words here")]), price=Price(1e6, 1e6, 1e6), kept=False)
    # "Read." and "a b" are 3 words, and the answer has 3
    assert caller.ask(prompt_of("a b")).cost_usd == 6


def test_what_was_given_up_cut_off_or_garbled_counts_as_its_highest_cost(calling: Calling) -> None:
    causes = ("timeout: no answer", "connection: cut", "garbled: no reply", "HTTP 500: no")
    model = Model([Reply(failure=cause) for cause in causes])
    caller = calling(model, price=Price(0, 10_000, 0), answer_tokens=100)
    assert [caller.ask(prompt_of()).cost_usd for _ in causes] == [1.0, 1.0, 1.0, 0.0]


def test_the_limit_stops_before_the_call_that_could_pass_it(calling: Calling) -> None:
    spent = ledger().spent_usd
    # each call costs a cent, and 0.02 at most, with 18 tokens of answer
    limits = {"max_cost_usd": spent + 0.05, "answer_tokens": 18}
    model = Model()
    caller = calling(model, price=A_CENT_A_CALL, kept=False, **limits)
    for _ in range(4):
        caller.ask(prompt_of())
    with pytest.raises(RunError, match="--max-cost"):
        caller.ask(prompt_of())
    assert len(model.asked) == 4
    assert ledger().spent_usd - spent == pytest.approx(0.04)


def test_what_is_kept_is_had_beyond_the_limit(calling: Calling) -> None:
    model = Model()
    calling(model).ask(prompt_of())
    assert calling(model, price=A_CENT_A_CALL, max_cost_usd=1e-9).ask(prompt_of()).kept


def test_a_limit_needs_a_price(tmp_path) -> None:
    settings = Settings(max_cost_usd=1.0, calls="none")
    with pytest.raises(RelgraphError, match=r"openai:some-model is not known .*--prices"):
        through(Model(), settings)
    through(Model(remote=False), settings)
    prices = tmp_path / "prices.toml"
    prices.write_text("['some-*']\ninput = 1\noutput = 2\n")
    assert through(Model(), replace(settings, prices=str(prices))).price == Price(1, 2, 1)


def test_a_model_without_a_price_costs_nothing_and_that_is_said(tmp_path, capsys) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text("['another']\ninput = 1\noutput = 2\n")
    caller = through(Model(), Settings(calls="none", prices=str(prices)))
    assert caller.ask(prompt_of()).cost_usd == 0
    assert "no price of openai:some-model" in capsys.readouterr().err
