"""Endpoints that have too much to do, that go down, and that talk of keys."""

import json
import logging
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from relgraph._cli import cli
from relgraph.approach import Settings
from relgraph.errors import RelgraphError, RunError
from relgraph.llm_bridge.asking import Asking, AskingApproach
from relgraph.llm_bridge.backends import _breaker, openai
from relgraph.records import Conversation, Instance, Prediction, Turn


def asking(server: Any, **given: Any) -> Asking:
    url = f"http://127.0.0.1:{server.port}/v1"
    settings = replace(Settings(model="openai:m", base_url=url, retries=4, calls="none"), **given)
    return AskingApproach(name="llm", settings=settings).fit((), seed=0)


def instances(count: int) -> list[Instance]:
    return [
        Instance(
            f"i{k}", "itp", Conversation(f"c{k}", (Turn(1, "Ana", f"No {k}."),)), ("yes", "no")
        )
        for k in range(count)
    ]


def predictions(server: Any, count: int, **given: Any) -> Sequence[Prediction]:
    return list(asking(server, **given).predict(instances(count)))


def test_a_server_that_bears_few_at_a_time_is_asked_fewer_and_every_item_is_answered(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def script(_number: int, _body: Any) -> Any:
        seen.append(server.at_once)
        if server.at_once > 4:
            return server.refused(429, "too many")
        return server.chosen("yes", "no", wait_s=0.03)

    server.script = script
    said = predictions(server, 150, concurrency=24)
    assert [p.failure for p in said] == [""] * 150
    late = seen[len(seen) // 2 :]
    assert sum(late) / len(late) < 10  # it began with 24


def test_where_all_are_turned_down_all_wait_as_long_as_the_server_asks(server: Any) -> None:
    began = time.monotonic()
    server.script = lambda _n, _b: (
        server.refused(429, Retry_After="1")
        if time.monotonic() < began + 1
        else server.chosen("yes", "no")
    )
    said = predictions(server, 60, concurrency=16, retries=2)
    assert [p.failure for p in said] == [""] * 60
    assert len(server.requests) <= 60 + 32  # and not one more for each of the sixty


def test_a_server_error_for_all_ends_the_run_and_marks_no_item(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_breaker, "PATIENCE_S", 1.5)
    server.script = lambda n, _b: (
        server.chosen("yes", "no") if n < 20 else server.refused(500, "the disk is full")
    )
    got: list[Prediction] = []
    with pytest.raises(RunError, match=r"nothing has been answered for . s.*the disk is full"):
        got.extend(asking(server, concurrency=8).predict_any_order(instances(300)))
    assert len(got) >= 20 - 8
    assert not [p for p in got if p.failure]
    assert len(server.requests) < 20 + 16 + 10  # those under way, then a probe now and then


def test_without_tries_left_an_item_still_waits_for_the_verdict(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_breaker, "PATIENCE_S", 1.0)
    server.script = lambda _n, _b: server.refused(500)
    got: list[Prediction] = []
    with pytest.raises(RunError, match="nothing has been answered"):
        got.extend(asking(server, concurrency=8, retries=0).predict_any_order(instances(100)))
    assert len(got) < 10


def test_an_endpoint_that_comes_back_is_gone_on_with(server: Any) -> None:
    server.script = lambda n, _b: (
        server.refused(502, "restarting") if 20 <= n < 32 else server.chosen("yes", "no")
    )
    said = predictions(server, 80, concurrency=8)
    assert [p.failure for p in said] == [""] * 80


def test_a_few_bad_prompts_among_good_ones_fail_alone(server: Any) -> None:
    server.script = lambda _n, body: (
        server.refused(500, "cannot read this")
        if "No 3." in str(body["messages"])
        else server.chosen("yes", "no")
    )
    said = predictions(server, 30, concurrency=4, retries=2)
    assert [p.instance for p in said if p.failure] == ["i3"]
    assert said[3].failure == "HTTP 500: cannot read this after 3 tries"
    assert server.prompts.most_common(2)[1][1] == 1  # the others were sent once


def test_who_waits_for_another_try_holds_no_place(server: Any) -> None:
    server.script = lambda n, _b: (
        server.refused(429, Retry_After="30") if n == 0 else server.chosen("yes", "no")
    )
    coming = asking(server, concurrency=1).predict_any_order(instances(9))
    assert next(coming).instance == "i1"
    assert server.most_at_once == 1
    coming.close()


def test_what_is_known_comes_out_before_the_error_that_ends_the_run(server: Any) -> None:
    good: set[str] = set()

    def script(number: int, body: Any) -> Any:
        if number == 5:
            return server.refused(401)
        good.update(i for i in asked if f"No {i[1:]}." in body["messages"][1]["content"])
        return server.chosen("yes", "no", wait_s=0.5)

    server.script = script
    asked = [i.id for i in instances(9)]
    got: set[str] = set()
    with pytest.raises(RunError, match="refuses the key"):
        got.update(
            p.instance for p in asking(server, concurrency=6).predict_any_order(instances(9))
        )
    assert len(good) >= 5
    assert got == good


def test_an_account_that_has_to_be_paid_ends_the_run(server: Any) -> None:
    server.script = lambda _n, _b: server.refused(402, "Insufficient Balance")
    with pytest.raises(RunError, match=r"quota is used up .HTTP 402: Insufficient Balance"):
        predictions(server, 1)
    assert len(server.requests) == 1


def test_a_program_that_ends_in_the_middle_of_asking_does_end(server: Any) -> None:
    script = (
        "import sys\nfrom relgraph.approach import Settings\n"
        "from relgraph.llm_bridge.asking import AskingApproach\n"
        "from relgraph.records import Conversation, Instance, Turn\n"
        "asked = [Instance(f'i{k}', 'itp', Conversation(f'c{k}', (Turn(1, 'Ana', f'No {k}.'),)), "
        "('yes', 'no')) for k in range(9)]\n"
        "settings = Settings(model='openai:m', base_url=sys.argv[1], calls='none')\n"
        "coming = AskingApproach(name='llm', settings=settings).fit((), seed=0).predict(asked)\n"
        "print(next(coming).ranking)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, f"http://127.0.0.1:{server.port}/v1"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (0, "('yes', 'no')\n"), done.stderr


def likelihoods(*tokens: tuple[str, float]) -> dict[str, Any]:
    listed = [{"token": token, "logprob": value} for token, value in tokens]
    return {"logprobs": {"content": [{"token": "A", "logprob": -1, "top_logprobs": listed}]}}


def test_letters_come_with_their_likelihoods_from_the_first_token(server: Any) -> None:
    # A: 0.2 + 0.1 by two tokens; B: 0.6. The prompt without a conversation gets the same, half A.
    def script(_number: int, body: Any) -> Any:
        free = "No 0." not in body["messages"][1]["content"]
        tokens = (("A", -1.0), ("B", -1.0)) if free else (("A", -1.6094), (" A", -2.3026))
        more = () if free else (("B", -0.5108), ("The", -3.0), ("a", -0.1))
        return server.chosen("", **likelihoods(*tokens, *more))

    server.script = script
    (said,) = predictions(server, 1, answers="letter")
    assert said.failure == ""
    assert sorted(round(p, 2) for p in said.probabilities) == [0.33, 0.67]
    asked = server.requests[0]
    assert (asked["max_tokens"], asked["logprobs"], asked["top_logprobs"]) == (1, True, 20)
    assert "response_format" not in asked


def test_a_server_without_likelihoods_is_asked_for_the_letter_alone(server: Any) -> None:
    good = {"choices": [{"message": {"content": "(B)"}, "finish_reason": "stop"}]}
    server.script = lambda _n, body: (
        server.refused(400, "logprobs are not supported")
        if "logprobs" in body
        else server.said(good)
    )
    (said,) = predictions(server, 1, answers="letter")
    assert (said.failure, len(said.ranking), said.probabilities) == ("", 1, ())
    assert "top_logprobs" not in server.requests[-1]
    assert server.requests[-1]["max_tokens"] > 1


def test_samples_are_drawn_warm_each_with_its_own_seed(server: Any) -> None:
    predictions(server, 1, samples=3, seed=7)
    assert sorted(asked["seed"] for asked in server.requests) == [0, 1, 2]
    assert {asked["temperature"] for asked in server.requests} == {0.7}


@pytest.mark.parametrize(
    ("url", "remote"),
    [
        ("http://127.0.0.1:8000/v1", False),
        ("http://localhost:8000/v1", False),
        ("http://[::1]:8000/v1", False),
        ("https://api.example.org/v1", True),
        ("http://127.0.0.1.example.org/v1", True),
        ("http://10.0.0.7/v1", True),
    ],
)
def test_prompts_stay_here_only_where_the_address_is_this_machine(url: str, remote: bool) -> None:
    assert openai.BACKEND("m", Settings(base_url=url)).remote is remote


def test_openai_itself_is_another_machine() -> None:
    assert openai.BACKEND("m", Settings()).remote


@pytest.mark.parametrize("url", ["http://", "http://h:x/v1", "http://[::1/v1", "ftp://h/v1"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(RelgraphError, match="wanted"):
        openai.BACKEND("m", Settings(base_url=url))


def test_keys_and_logins_are_in_nothing_written_printed_or_logged(
    server: Any, key: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def script(number: int, _body: Any) -> Any:
        echo = {"x-echo": f"Bearer {key}"}
        if number % 3 == 0:
            return server.said({"error": {"message": f"wrong key {key}"}}, 400, echo)
        if number % 3 == 1:
            return server.said(f"<html>{key}</html>", 200, echo)
        return server.chosen("yes", "no")

    server.script = script
    for name in ("openai", "httpx2", "httpcore2", "httpx", "httpcore", "asyncio"):
        caplog.set_level(logging.DEBUG, logger=name)
    argv = ["eval", "--approach", "llm", "--task", "itp", "--data", "sample", "--limit", "6"]
    url = f"http://someone:a-login@127.0.0.1:{server.port}/v1"
    argv += ["--model", "openai:m", "--base-url", url, "--no-text-metrics", "--retries", "0"]
    argv += ["--run", str(tmp_path / "run"), "--calls", str(tmp_path / "calls.sqlite3")]
    done = CliRunner().invoke(cli, argv, standalone_mode=False)
    assert done.return_value == 1
    written = b"".join(f.read_bytes() for f in tmp_path.rglob("*") if f.is_file())
    said = f"{done.output}{done.stderr}{caplog.text}".encode() + written
    assert len(server.requests) >= 6
    assert "POST" in caplog.text  # the client libraries did log
    assert key.encode() not in said
    assert b"a-login" not in said
    assert b"(key)" in written  # what the server said is kept, without the key
    rows = [json.loads(x) for x in (tmp_path / "run" / "items.jsonl").read_text().splitlines()]
    assert any(row["prediction"].get("failure") for row in rows)
