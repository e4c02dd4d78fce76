"""Anthropic's messages behind a real HTTP server that speaks their shape."""

import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("anthropic", reason="the extra [anthropic] is not installed")

from relgraph.approach import Settings
from relgraph.errors import RelgraphError, RunError
from relgraph.llm_bridge.asking import Asking, AskingApproach
from relgraph.llm_bridge.backends import anthropic
from relgraph.records import Conversation, Instance, Prediction, Turn

RANKED = '{"ranking": ["yes", "no"]}'


def message(text: str | None = RANKED, stop: str = "end_turn", **usage: int) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "a-model",
        "content": [] if text is None else [{"type": "text", "text": text}],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 60, "output_tokens": 9, **usage},
    }


def asking(server: Any, **given: Any) -> Asking:
    url = f"http://127.0.0.1:{server.port}"
    settings = replace(Settings(model="anthropic:a-model", base_url=url, retries=2), **given)
    return AskingApproach(name="llm", settings=settings).fit((), seed=0)


def instances(count: int) -> list[Instance]:
    return [
        Instance(
            f"i{k}", "itp", Conversation(f"c{k}", (Turn(1, "Ana", f"No {k}."),)), ("yes", "no")
        )
        for k in range(count)
    ]


def one(server: Any, **given: Any) -> Prediction:
    (said,) = asking(server, **given).predict(instances(1))
    return said


def test_a_message_becomes_a_ranking_and_its_tokens_count_those_kept_too(server: Any) -> None:
    server.script = lambda _n, _b: server.said(message(cache_read_input_tokens=10))
    said = one(server)
    assert said.ranking == ("yes", "no")
    assert (said.cost.prompt_tokens, said.cost.answer_tokens) == (70, 9)


def test_the_request_has_the_fixed_words_as_system_and_the_key_in_its_header(
    server: Any, key: str
) -> None:
    server.script = lambda _n, _b: server.said(message())
    one(server, answer_tokens=77)
    (asked,) = server.requests
    assert asked["path"] == "/v1/messages"
    assert (asked["model"], asked["max_tokens"], asked["temperature"]) == ("a-model", 77, 0)
    assert asked["system"]
    assert [m["role"] for m in asked["messages"]] == ["user"]
    assert any(key in value for value in server.headers[0].values())


def test_the_closed_set_is_asked_under_a_schema_without_the_bounds_that_are_refused(
    server: Any,
) -> None:
    server.script = lambda _n, _b: server.said(message())
    one(server)
    held = server.requests[0]["output_config"]["format"]
    assert held["type"] == "json_schema"
    ranking = held["schema"]["properties"]["ranking"]
    assert sorted(ranking["items"]["enum"]) == ["no", "yes"]
    assert set(ranking) == {"type", "items"}


@pytest.mark.parametrize("option", ["output_config", "temperature"])
def test_an_option_that_a_model_does_not_take_is_left_out_for_good(
    option: str, server: Any
) -> None:
    refusal = {"type": "error", "error": {"type": "x", "message": f"{option}: not supported"}}
    server.script = lambda _n, body: (
        server.said(refusal, 400) if option in body else server.said(message())
    )
    said = list(asking(server, concurrency=1).predict(instances(3)))
    assert [p.failure for p in said] == ["", "", ""]
    assert sum(option in body for body in server.requests) <= 2  # those under way together


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (message('{"ranking": ["ye', "max_tokens"), "truncated: "),
        (message(None), "empty: "),
        (message("I will not.", "refusal"), "refused: I will not."),
        (message(None, "refusal"), "refused: the model declined"),
    ],
)
def test_a_message_without_an_answer_fails_the_item_with_its_cause(
    answer: dict[str, Any], cause: str, server: Any
) -> None:
    server.script = lambda _n, _b: server.said(answer)
    assert one(server).failure.startswith(cause)
    assert len(server.requests) == 1


def test_an_overloaded_endpoint_is_asked_again(server: Any) -> None:
    busy = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    server.script = lambda n, _b: server.said(busy, 529) if n < 2 else server.said(message())
    assert one(server).ranking == ("yes", "no")
    assert len(server.requests) == 3


def test_the_cause_of_a_failure_is_what_the_endpoint_says(server: Any) -> None:
    broken = {"type": "error", "error": {"type": "api_error", "message": "Internal trouble"}}
    server.script = lambda _n, _b: server.said(broken, 500)
    assert one(server).failure == "HTTP 500: Internal trouble after 3 tries"


def test_something_that_is_no_message_is_garbled(server: Any) -> None:
    server.script = lambda _n, _b: server.said("<html>")
    assert one(server, retries=0).failure == "garbled: the server's reply is not a message"


def test_an_account_without_credit_ends_the_run(server: Any) -> None:
    poor = {"type": "error", "error": {"type": "x", "message": "Your credit balance is too low"}}
    server.script = lambda _n, _b: server.said(poor, 400)
    with pytest.raises(RunError, match="quota is used up"):
        one(server)
    assert len(server.requests) == 1


def test_letters_are_read_as_text(server: Any) -> None:
    server.script = lambda _n, _b: server.said(message("A"))
    said = one(server, answers="letter")
    assert said.failure == ""
    assert len(said.ranking) == 1
    assert "output_config" not in server.requests[0]


def test_an_address_may_end_in_v1(server: Any) -> None:
    server.script = lambda _n, _b: server.said(message())
    one(server, base_url=f"http://127.0.0.1:{server.port}/v1")
    assert server.requests[0]["path"] == "/v1/messages"


def test_without_a_key_anthropic_itself_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RELGRAPH_API_KEY")
    model = anthropic.BACKEND("a-model", Settings())
    with pytest.raises(RelgraphError, match="RELGRAPH_API_KEY or ANTHROPIC_API_KEY"):
        model.check()


def test_a_missing_package_is_one_line_with_the_command_that_installs_it() -> None:
    script = (
        "import sys; sys.modules['anthropic'] = None\n"
        "from relgraph._cli import main\n"
        "sys.argv = ['relgraph', 'eval', '--approach', 'llm', '--task', 'itp', '--data', 'sample',"
        "'--limit', '1', '--model', 'anthropic:m', '--run', sys.argv[1]]\nmain()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "run"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("pip install 'relgraph[anthropic]'")
    assert "Traceback" not in done.stderr
