"""What a run may cost, told from some of its prompts."""

from dataclasses import replace
from pathlib import Path

import pytest

from relgraph.approach import Settings
from relgraph.llm_bridge.asking import AskingApproach, open_model
from relgraph.records import Conversation, Instance, Turn
from relgraph.spending import Estimate


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A scripted model elsewhere that counts words as tokens; a token costs a dollar."""
    open_model.cache_clear()
    (tmp_path / "script.jsonl").write_text('{"setup": {"remote": true}}\n{"option": 1}\n')
    (tmp_path / "prices.json").write_text('{"*": {"input": 1000000, "output": 1000000}}')
    return Settings(
        model=f"mock:{tmp_path / 'script.jsonl'}",
        prices=str(tmp_path / "prices.json"),
        calls=str(tmp_path / "calls.db"),
        answer_tokens=100,
        summary_tokens=50,
    )


def instances(count: int) -> list[Instance]:
    """They differ in one word, and not in length."""
    turns = [(Turn(1, "Ana", f"No {k}."),) for k in range(count)]
    return [
        Instance(f"i{k}", "itp", Conversation(f"c{k}", t), ("yes", "no"))
        for k, t in enumerate(turns)
    ]


def estimated(settings: Settings, count: int, blocks: tuple[str, ...] = ()) -> Estimate:
    found = AskingApproach("llm", settings, blocks=blocks).estimate(instances(count))
    assert found is not None
    return found


def test_all_count_as_the_sampled_ones_and_answers_as_long_as_they_may_be(
    settings: Settings,
) -> None:
    one, many = estimated(settings, 1), estimated(settings, 100)
    assert (one.questions, many.questions) == (1, 100)
    assert many.prompt_tokens == 100 * one.prompt_tokens
    assert many.answer_tokens == 10_000
    assert many.cost_usd == many.prompt_tokens + many.answer_tokens


def test_each_sample_is_a_question(settings: Settings) -> None:
    assert estimated(replace(settings, samples=3), 4).questions == 12


def test_a_summary_of_what_is_not_known_yet_counts_with_all_its_room(settings: Settings) -> None:
    plain, told = estimated(settings, 4), estimated(settings, 4, ("gnn",))
    assert told.prompt_tokens == plain.prompt_tokens + 4 * 50


def test_a_summary_of_the_conversation_alone_counts_as_it_is(settings: Settings) -> None:
    plain, told = estimated(settings, 4), estimated(settings, 4, ("roster",))
    assert plain.prompt_tokens < told.prompt_tokens < plain.prompt_tokens + 4 * 50


def test_what_is_kept_counts_as_nothing(settings: Settings) -> None:
    asking = AskingApproach("llm", settings)
    assert not any(p.failure for p in asking.fit((), seed=0).predict(instances(4)[:1]))
    assert estimated(settings, 4).questions == 3


def test_a_model_on_this_machine_without_a_price_has_no_bill(settings: Settings) -> None:
    own = replace(settings, model="mock", prices="")
    assert AskingApproach("llm", own).estimate(instances(2)) is None
    assert estimated(replace(settings, model="mock"), 2).cost_usd
