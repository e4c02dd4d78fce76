"""Prices come from a file of the user's, and nothing is guessed."""

import json
from pathlib import Path

import pytest

from relgraph.errors import DataError
from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.calls.prices import Price, price_of
from relgraph.llm_bridge.prompts import Prompt

FILES = {
    "prices.json": json.dumps({"a": {"input": 2, "output": 8, "cached_input": 0.5}}),
    "prices.toml": '["a"]\ninput = 2\noutput = 8\ncached_input = 0.5\n',
    "prices.csv": "model,input,output,cached_input\na,2,8,0.5\n",
}


def written(folder: Path, text: str, name: str = "prices.json") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


@pytest.mark.parametrize("name", FILES)
def test_prices_are_read_from_json_toml_and_csv(name: str, tmp_path: Path) -> None:
    assert price_of(written(tmp_path, FILES[name], name), "a") == Price(2, 8, 0.5)


def test_a_model_is_found_by_its_full_name_by_its_own_and_by_pattern(tmp_path: Path) -> None:
    rows = {"a-*": (1, 1), "openai:b": (2, 2), "a-1": (3, 3), "c": (4, 4), "*:d*": (5, 5)}
    text = json.dumps({n: {"input": i, "output": o} for n, (i, o) in rows.items()})
    file = written(tmp_path, text)
    models = (
        "openai:a-2",
        "openai:a-1",
        "openai:b",
        "anthropic:b",
        "openai:c",
        "x:d/e",
        "openai:e",
    )
    found = [price_of(file, model) for model in models]
    assert [p.input if p else None for p in found] == [1, 3, 2, None, 4, 5, None]
    assert price_of("", "openai:a-1") is None


def test_cached_tokens_cost_as_much_as_others_unless_the_file_says_less(tmp_path: Path) -> None:
    price = price_of(written(tmp_path, '{"a": {"input": 2, "output": 8}}'), "a")
    assert price is not None
    assert price.cached_input == 2


def test_a_reply_costs_what_its_tokens_cost() -> None:
    reply = Reply(prompt_tokens=1_000_000, cached_tokens=400_000, answer_tokens=50_000)
    # 0.6 million at 2, 0.4 at 0.5, and 0.05 at 8
    assert Price(2, 8, 0.5).of_reply(reply) == pytest.approx(1.2 + 0.2 + 0.4)


def test_the_highest_cost_counts_a_token_a_byte_and_the_longest_answer() -> None:
    prompt = Prompt(task="itp", kind="choice", form="json", system="aé", user="bcd")
    # 3 and 3 bytes and 256 tokens around them, 100 tokens of answer
    most = Price(1, 10, 1).most(prompt, answer_tokens=100)
    assert most == pytest.approx((262 + 1000) / 1e6)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("prices.json", "{", "not JSON"),
        ("prices.toml", "[a", "not TOML"),
        ("prices.json", "[]", "wanted a table of models"),
        ("prices.json", '{"a": {"input": 1}}', "model 'a'.*wanted input, output"),
        ("prices.json", '{"a": {"input": 1, "output": -1}}', "output is -1"),
        ("prices.json", '{"a": {"input": 1, "output": "x"}}', "output is 'x'"),
        ("prices.json", '{"a": {"input": NaN, "output": 1}}', "input is nan"),
        ("prices.json", '{"a": {"input": 1, "output": 1, "per": 1}}', "wanted input, output"),
        ("prices.csv", "name,input\na,1\n", "wanted the columns"),
    ],
)
def test_a_file_of_no_prices_is_refused_with_the_place(
    name: str, text: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=said) as refused:
        price_of(written(tmp_path, text, name), "a")
    assert name in str(refused.value)
