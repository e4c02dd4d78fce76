"""Servers that count wrongly, or send questions on to somewhere else."""

import json
from dataclasses import replace
from typing import Any

import pytest

from relgraph.approach import Settings
from relgraph.errors import RunError
from relgraph.llm_bridge.asking import AskingApproach
from relgraph.llm_bridge.backends import anthropic, openai
from relgraph.records import Conversation, Instance, Prediction, Turn

NO_COUNTS: tuple[Any, ...] = (-5_000_000, None, "many", True, 1e400, 10**30, [1])


def one(server: Any, **given: Any) -> Prediction:
    url = f"http://127.0.0.1:{server.port}/v1"
    settings = replace(Settings(model="openai:m", base_url=url, retries=2, calls="none"), **given)
    cut = Conversation("c", (Turn(1, "Ana", "No."),))
    (said,) = (
        AskingApproach(name="llm", settings=settings)
        .fit((), seed=0)
        .predict([Instance("i", "itp", cut, ("yes", "no"))])
    )
    return said


@pytest.mark.parametrize("count", NO_COUNTS, ids=str)
def test_what_is_no_count_of_tokens_voids_no_answer_and_counts_as_none(
    server: Any, count: Any
) -> None:
    good = server.chosen("yes", "no")
    details = {"cached_tokens": count}
    usage = {"prompt_tokens": count, "completion_tokens": count, "prompt_tokens_details": details}
    server.script = lambda _n, _b: server.said({**good.body, "usage": usage})
    said = one(server)
    assert said.ranking == ("yes", "no")
    assert (said.cost.prompt_tokens, said.cost.answer_tokens) == (0, 0)
    assert len(server.requests) == 1


@pytest.mark.parametrize("count", NO_COUNTS, ids=str)
def test_what_is_no_count_of_a_messages_tokens_counts_as_none(count: Any) -> None:
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens")
    body = {"content": [{"type": "text", "text": "A"}], "usage": dict.fromkeys(names, count)}
    said = anthropic.Messages(Settings()).read(json.dumps(body))
    assert said.text == "A"
    assert (said.prompt_tokens, said.answer_tokens, said.cached_tokens) == (0, 0, 0)


def test_no_more_tokens_were_kept_than_were_read() -> None:
    body = (
        '{"choices": [{"message": {"content": "A"}}], "usage": {"prompt_tokens": 7, '
        '"prompt_tokens_details": {"cached_tokens": 9}}}'
    )
    assert openai.ChatCompletions(Settings()).read(body).cached_tokens == 7


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("model", ["openai:m", "anthropic:m"])
def test_no_question_follows_a_redirection(server: Any, status: int, model: str) -> None:
    if model.startswith("anthropic"):
        pytest.importorskip("anthropic", reason="the extra [anthropic] is not installed")
    to = {"Location": f"http://127.0.0.1:{server.port}/v1/elsewhere"}
    server.script = lambda _n, _b: server.said("", status, to)
    with pytest.raises(RunError, match=rf"to another address \(HTTP {status}\).*--base-url"):
        one(server, model=model)
    assert len(server.requests) == 1
