"""A remote model behind a real HTTP server that does what servers do, bad days included."""

import gc
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from relgraph._cli import cli
from relgraph.approach import Settings
from relgraph.errors import RelgraphError, RunError
from relgraph.llm_bridge.asking import Asking, AskingApproach, open_model
from relgraph.llm_bridge.backends import _http, _retrying, openai
from relgraph.records import Conversation, Instance, Prediction, Turn

KEY = "sk-a-key-that-nobody-may-see"
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server says to one request."""

    status: int = 200
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    wait_s: float = 0.0
    promised: int = 0
    drip_s: float = 0.0


def completion(content: str | None, finish: str = "stop", **message: str) -> Answer:
    choice = {"index": 0, "finish_reason": finish, "message": {"content": content, **message}}
    usage = {"prompt_tokens": 70, "completion_tokens": 9}
    return Answer(body=json.dumps({"choices": [choice], "usage": usage}))


def error(status: int, message: str = "no", **more: str) -> Answer:
    return Answer(status, json.dumps({"error": {"message": message, **more}}))


RANKED = '{"ranking": ["yes", "no"]}'
GOOD = completion(RANKED)
Script = Callable[[int, Mapping[str, Any]], Answer]


class Endpoint:
    """A server on this machine; `script` gets the number of the request and its body."""

    def __init__(self, script: Script, models: Answer) -> None:
        self.requests: list[Mapping[str, Any]] = []
        self.keys: list[str] = []
        self.at_once = self.most_at_once = 0
        lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                self.say(models)

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    number = len(outer.requests)
                    outer.requests.append(body)
                    outer.keys.append(self.headers.get("Authorization", ""))
                    outer.at_once += 1
                    outer.most_at_once = max(outer.most_at_once, outer.at_once)
                answer = script(number, body)
                time.sleep(answer.wait_s)
                with lock:
                    outer.at_once -= 1
                self.say(answer)

            def say(self, answer: Answer) -> None:
                body = answer.body.encode()
                self.send_response(answer.status)
                for key, value in {"Content-Type": "application/json", **answer.headers}.items():
                    self.send_header(key, value)
                self.send_header("Content-Length", str(answer.promised or len(body)))
                self.end_headers()
                try:
                    if answer.drip_s:
                        for place in range(len(body)):
                            self.wfile.write(body[place : place + 1])
                            time.sleep(answer.drip_s)
                    else:
                        self.wfile.write(body)
                except OSError:
                    return
                self.close_connection = bool(answer.promised)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()


Serve = Callable[..., Endpoint]


@pytest.fixture
def serve() -> Iterator[Serve]:
    running: list[Endpoint] = []

    def start(script: Script | Answer, *, models: Answer = Answer(404, "{}")) -> Endpoint:
        said = (lambda _n, _b: script) if isinstance(script, Answer) else script
        running.append(Endpoint(said, models))
        return running[-1]

    yield start
    for endpoint in running:
        endpoint.server.shutdown()
        endpoint.server.server_close()


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RELGRAPH_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(_retrying, "FIRST_WAIT_S", 0.01)
    monkeypatch.setattr(_retrying, "FIRST_REST_S", 0.01)
    open_model.cache_clear()
    yield
    open_model.cache_clear()


def fitted(endpoint: Endpoint | str, **given: Any) -> Asking:
    url = endpoint if isinstance(endpoint, str) else endpoint.url
    settings = replace(Settings(model="openai:some-model", base_url=url, retries=2), **given)
    return AskingApproach(name="llm", settings=settings).fit((), seed=0)


def instances(count: int, task: str = "itp") -> list[Instance]:
    options = ("yes", "no") if task == "itp" else ()
    return [
        Instance(f"i{k}", task, Conversation(f"c{k}", (Turn(1, "Ana", f"No {k}."),)), options)
        for k in range(count)
    ]


def one(endpoint: Endpoint, **given: Any) -> Prediction:
    model = fitted(endpoint, **given)
    (said,) = model.predict(instances(1))
    return said


def test_a_good_reply_becomes_a_ranking_with_its_cost(serve: Serve) -> None:
    endpoint = serve(GOOD)
    said = one(endpoint)
    assert said.ranking == ("yes", "no")
    assert (said.cost.prompt_tokens, said.cost.answer_tokens) == (70, 9)
    assert said.cost.time_s > 0
    assert endpoint.keys == [f"Bearer {KEY}"]


def test_the_request_asks_for_the_closed_set_under_a_schema(serve: Serve) -> None:
    endpoint = serve(GOOD)
    one(endpoint)
    (request,) = endpoint.requests
    assert request["model"] == "some-model"
    assert request["temperature"] == 0
    schema = request["response_format"]["json_schema"]["schema"]
    assert sorted(schema["properties"]["ranking"]["items"]["enum"]) == ["no", "yes"]
    assert [m["role"] for m in request["messages"]] == ["system", "user"]


def test_a_limit_is_waited_out_as_long_as_the_server_asks(serve: Serve) -> None:
    limited = Answer(429, '{"error": {"message": "slow down"}}', {"Retry-After": "0.4"})
    endpoint = serve(lambda n, _: GOOD if n else limited)
    start = time.monotonic()
    said = one(endpoint)
    assert time.monotonic() - start >= 0.4
    assert said.ranking == ("yes", "no")
    assert "after 1 retry" in said.because


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_a_fault_that_may_pass_is_tried_again(status: int, serve: Serve) -> None:
    endpoint = serve(lambda n, _: GOOD if n == 2 else error(status))
    assert one(endpoint).ranking == ("yes", "no")
    assert len(endpoint.requests) == 3


def test_a_fault_that_does_not_pass_fails_the_item_with_its_cause(serve: Serve) -> None:
    endpoint = serve(error(500, "the GPU fell off"))
    said = one(endpoint)
    assert said.failure == "HTTP 500: the GPU fell off after 3 tries"
    assert said.ranking == ()
    assert len(endpoint.requests) == 3


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (Answer(body='{"choices": [{"mess'), "garbled: "),
        (Answer(body="<html>Bad gateway</html>", headers={"Content-Type": "text/html"}), "garbled"),
        (Answer(body='{"choices": []}'), "garbled: the server's reply is no choices"),
        (Answer(body="[]"), "garbled: "),
        (Answer(body="[" * 100_000), "garbled: "),
        (Answer(body=GOOD.body[:40], promised=500), "connection: "),
    ],
)
def test_a_broken_reply_is_tried_again_then_fails_with_its_cause(
    answer: Answer, cause: str, serve: Serve
) -> None:
    endpoint = serve(answer)
    said = one(endpoint)
    assert said.failure.startswith(cause)
    assert said.failure.endswith("after 3 tries")
    assert len(endpoint.requests) == 3


def test_a_connection_dropped_once_is_made_again(serve: Serve) -> None:
    dropped = Answer(body=GOOD.body[:40], promised=500)
    assert one(serve(lambda n, _: GOOD if n else dropped)).ranking == ("yes", "no")


def test_a_slow_reply_ends_in_a_timeout_and_a_failed_item(serve: Serve) -> None:
    said = one(serve(replace(GOOD, wait_s=0.5)), timeout_s=0.1, retries=1)
    assert said.failure == "timeout: no answer in time after 2 tries"


def test_a_reply_that_drips_is_given_up_when_the_time_for_the_whole_is_over(serve: Serve) -> None:
    dripping = replace(GOOD, drip_s=0.02)
    endpoint = serve(lambda n, _: GOOD if n else dripping)
    said = one(endpoint, timeout_s=0.3, retries=1)
    assert said.ranking == ("yes", "no")
    assert "after 1 retry" in said.because


def test_an_endpoint_that_drips_its_models_for_ever_is_not_waited_for(serve: Serve) -> None:
    endpoint = serve(GOOD, models=Answer(body=" " * 300, drip_s=0.02))
    with pytest.raises(RunError, match=r"cannot be reached .no answer in 0\.2 s"):
        one(endpoint, timeout_s=0.2)
    assert endpoint.requests == []


def test_stopping_in_the_middle_does_not_wait_for_replies_on_their_way(serve: Serve) -> None:
    slow = replace(GOOD, wait_s=8.0)
    endpoint = serve(lambda _, body: GOOD if "No 0." in str(body["messages"]) else slow)
    answers = iter(fitted(endpoint, concurrency=2).predict(instances(9)))
    assert next(answers).instance == "i0"
    while len(endpoint.requests) < 3:
        time.sleep(0.01)
    start = time.monotonic()
    answers.close()  # type: ignore[attr-defined]
    assert time.monotonic() - start < 6


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (completion('{"ranking": ["ye', "length"), "truncated: "),
        (completion("", "length"), "truncated: "),
        (completion(None), "empty: "),
        (completion(None, refusal="I will not judge people."), "refused: I will not"),
        (completion(RANKED, "content_filter"), "filtered: "),
        (completion('{"ranking": ["perhaps"]}'), "unknown label: "),
    ],
)
def test_a_reply_without_an_answer_fails_the_item_and_keeps_the_reply(
    answer: Answer, cause: str, serve: Serve
) -> None:
    endpoint = serve(answer)
    said = one(endpoint)
    assert said.failure.startswith(cause)
    assert said.raw in answer.body.replace('\\"', '"')
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_ends_the_run_before_an_item_is_marked(status: int, serve: Serve) -> None:
    endpoint = serve(GOOD, models=error(status, f"Incorrect API key provided: {KEY}"))
    with pytest.raises(RunError, match=f"refuses the key in RELGRAPH_API_KEY .HTTP {status}.") as e:
        one(endpoint)
    assert KEY not in str(e.value)
    assert endpoint.requests == []


def test_a_key_refused_only_when_asking_ends_the_run_at_once(serve: Serve) -> None:
    endpoint = serve(error(401, f"bad key {KEY}"))
    with pytest.raises(RunError, match="refuses the key") as caught:
        one(endpoint)
    assert KEY not in str(caught.value)
    assert len(endpoint.requests) == 1


def test_an_unknown_model_ends_the_run_at_once_with_one_message(serve: Serve) -> None:
    endpoint = serve(error(404, "The model does not exist"))
    with pytest.raises(RunError, match="knows no model 'some-model'") as caught:
        list(fitted(endpoint).predict(instances(20)))
    assert "\n" not in str(caught.value)
    assert len(endpoint.requests) <= 8  # those on their way


def test_an_account_without_quota_ends_the_run_at_once(serve: Serve) -> None:
    endpoint = serve(error(429, "You exceeded your quota", code="insufficient_quota"))
    with pytest.raises(RunError, match="quota is used up"):
        one(endpoint)
    assert len(endpoint.requests) == 1


def test_a_wait_longer_than_a_run_should_take_ends_it(serve: Serve) -> None:
    with pytest.raises(RunError, match="asks to wait 7200 s"):
        one(serve(Answer(429, "{}", {"Retry-After": "7200"})))


def test_an_endpoint_that_is_not_there_ends_the_run_before_an_item_is_marked(serve: Serve) -> None:
    endpoint = serve(GOOD)
    endpoint.server.shutdown()
    endpoint.server.server_close()
    with pytest.raises(RunError, match="cannot be reached"):
        list(fitted(endpoint).predict(instances(3)))


def test_an_endpoint_that_goes_away_ends_the_run_instead_of_failing_the_rest(serve: Serve) -> None:
    def script(number: int, _: Mapping[str, Any]) -> Answer:
        if number == 2:
            threading.Thread(target=endpoint.server.server_close).start()
            endpoint.server.shutdown()
            return Answer(body="{", promised=99)
        return GOOD

    endpoint = serve(script)
    got: list[Prediction] = []
    with pytest.raises(RunError, match="cannot be reached"):
        got.extend(fitted(endpoint, concurrency=1).predict(instances(6)))
    assert not [p for p in got if p.failure]


@pytest.mark.parametrize(
    ("option", "refusal"),
    [
        ("response_format", error(400, "'response_format' of type json_schema is not supported")),
        ("response_format", error(500, "response_format: grammar is broken")),
        ("temperature", error(400, "Unsupported value", param="temperature")),
        ("max_tokens", error(400, "Use 'max_completion_tokens' instead.", param="max_tokens")),
        ("seed", error(422, "seed: extra fields not permitted")),
    ],
)
def test_an_option_that_the_server_does_not_take_is_left_out_for_good(
    option: str, refusal: Answer, serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoint = serve(lambda _, body: refusal if option in body else GOOD)
    said = list(fitted(endpoint, concurrency=1).predict(instances(3)))
    assert [p.failure for p in said] == ["", "", ""]
    assert [option in body for body in endpoint.requests] == [True, False, False, False]
    assert capsys.readouterr().err.count(f"does not take {option}") == 1


def test_max_tokens_is_asked_for_under_its_newer_name(serve: Serve) -> None:
    refusal = error(400, "Use 'max_completion_tokens' instead.", param="max_tokens")
    endpoint = serve(lambda _, body: refusal if "max_tokens" in body else GOOD)
    one(endpoint, answer_tokens=77)
    assert endpoint.requests[-1]["max_completion_tokens"] == 77


def test_another_bad_request_fails_its_item_and_the_next_goes_on(serve: Serve) -> None:
    long = error(400, f"maximum context length is 10 tokens; your key {KEY}")
    endpoint = serve(lambda _, body: long if "No 0." in str(body["messages"]) else GOOD)
    first, second = fitted(endpoint, concurrency=1).predict(instances(2))
    assert first.failure == "HTTP 400: maximum context length is 10 tokens; your key (key)"
    assert second.ranking == ("yes", "no")


def test_predictions_keep_their_order_whoever_answers_first(serve: Serve) -> None:
    def script(_: int, body: Mapping[str, Any]) -> Answer:
        text = body["messages"][1]["content"]
        first = "no" if "No 0." in text else "yes"
        return replace(
            completion(json.dumps({"ranking": [first]})), wait_s=0.2 if first == "no" else 0.0
        )

    said = list(fitted(serve(script), concurrency=3).predict(instances(6)))
    assert [p.instance for p in said] == [f"i{k}" for k in range(6)]
    assert [p.ranking for p in said] == [("no",)] + [("yes",)] * 5


def test_no_more_requests_run_at_a_time_than_allowed(serve: Serve) -> None:
    endpoint = serve(replace(GOOD, wait_s=0.05))
    list(fitted(endpoint, concurrency=3).predict(instances(12)))
    assert endpoint.most_at_once == 3


def test_an_answer_is_given_out_before_the_last_question_is_asked(serve: Serve) -> None:
    endpoint = serve(GOOD)
    answers = iter(fitted(endpoint, concurrency=2).predict(instances(40)))
    next(answers)
    time.sleep(0.4)
    assert len(endpoint.requests) <= 9  # the one given out, and two for each of the four threads
    answers.close()  # type: ignore[attr-defined]


def test_stopping_in_the_middle_does_not_wait_out_the_retries(serve: Serve) -> None:
    limited = Answer(429, "{}", {"Retry-After": "60"})
    endpoint = serve(lambda _, body: GOOD if "No 0." in str(body["messages"]) else limited)
    answers = fitted(endpoint, concurrency=2).predict(instances(9))
    assert next(answers).instance == "i0"
    while len(endpoint.requests) < 3:
        time.sleep(0.01)
    time.sleep(0.3)  # both threads now wait out their minute
    start = time.monotonic()
    answers.close()
    assert time.monotonic() - start < 20


def test_the_key_is_in_nothing_that_is_said_or_kept(
    serve: Serve, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    echo = error(400, f"you sent {KEY}")
    garbled = Answer(body=f"<html>{KEY}</html>")
    endpoint = serve(lambda n, _: (echo, garbled, GOOD)[n % 3])
    model = fitted(endpoint, concurrency=1, retries=0)
    said = list(model.predict(instances(6)))
    kept = f"{said}{model.notice}{model.identity}{vars(model)}"
    assert {bool(p.failure) for p in said} == {True, False}
    captured = capfd.readouterr()
    assert KEY not in kept + captured.out + captured.err + caplog.text


def test_the_login_in_an_address_is_in_no_message() -> None:
    model = fitted("http://someone:secret@127.0.0.1:9/v1?token=secret", retries=0, timeout_s=2)
    with pytest.raises(RunError) as caught:
        list(model.predict(instances(1)))
    assert "secret" not in f"{caught.value}{model.identity}"


def test_without_a_key_openai_itself_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RELGRAPH_API_KEY")
    with pytest.raises(RelgraphError, match=r"no API key\. Set the environment variable") as caught:
        list(fitted("").predict(instances(1)))
    assert caught.value.exit_code == 2


def test_an_endpoint_of_ones_own_needs_no_key(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RELGRAPH_API_KEY")
    assert one(serve(GOOD)).ranking == ("yes", "no")


@pytest.mark.parametrize(("argument", "url"), [("", ""), ("m", "localhost:8000"), ("m", "ftp://x")])
def test_a_model_without_name_or_an_address_that_is_none_is_refused(
    argument: str, url: str
) -> None:
    with pytest.raises(RelgraphError, match="wanted"):
        openai.BACKEND(argument, Settings(base_url=url))


def test_the_open_tasks_are_answered_too(serve: Serve) -> None:
    felt = serve(completion('{"emotion": "worn out", "intensity": 6}'))
    (said,) = fitted(felt).predict(instances(1, task="er"))
    assert said.emotion is not None
    assert (said.emotion.person, said.emotion.intensity) == ("Ana", 6.0)


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after-ms": "250", "retry-after": "3"}, 0.25),
        ({"retry-after": "Sun, 06 Nov 1994 08:49:37 GMT"}, 7.0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": f"Fri, 31 Dec {'9' * 20} 00:00:00 GMT"}, None),
        ({"retry-after": f"Fri, 31 Dec 2020 00:00:00 +{'9' * 20}"}, None),
    ],
)
def test_retry_after_is_read_in_seconds_and_as_a_date(
    headers: Mapping[str, str], wait_s: float | None
) -> None:
    assert _http.asked_wait_s(headers, now=784111770.0) == wait_s


def test_the_command_ends_with_1_and_marks_no_item_when_nothing_is_there(tmp_path: Path) -> None:
    argv = ["eval", "--approach", "llm", "--task", "itp", "--data", "sample", "--limit", "2"]
    argv += ["--model", "openai:m", "--base-url", "http://127.0.0.1:9/v1"]
    argv += ["--run", str(tmp_path / "run"), "--no-text-metrics"]
    done = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *argv],
        capture_output=True,
        text=True,
        env={**os.environ, "RELGRAPH_API_KEY": KEY},
        cwd=tmp_path,
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: http://127.0.0.1:9/v1 cannot be reached")
    assert "Traceback" not in done.stderr
    assert KEY not in done.stdout + done.stderr
    items = tmp_path / "run" / "items.jsonl"
    assert '"llm"' not in (items.read_text() if items.exists() else "")


def test_the_command_says_how_long_an_answer_may_be_and_how_often_is_asked(
    serve: Serve, tmp_path: Path
) -> None:
    endpoint = serve(error(503))
    argv = ["eval", "--approach", "llm", "--task", "er", "--data", "sample", "--limit", "1"]
    argv += ["--model", "openai:m", "--base-url", endpoint.url, "--no-text-metrics"]
    argv += ["--run", str(tmp_path / "run"), "--answer-tokens", "77", "--retries", "1"]
    assert CliRunner().invoke(cli, argv, standalone_mode=False).return_value == 1
    assert [body["max_tokens"] for body in endpoint.requests] == [77, 77]


def test_a_model_that_is_let_go_takes_its_connections_along(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaints: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    endpoint = serve(GOOD)
    endpoint.server.RequestHandlerClass.protocol_version = "HTTP/1.1"  # keeps connections open
    model = fitted(endpoint)
    assert [p.failure for p in model.predict(instances(2))] == ["", ""]
    del model
    open_model.cache_clear()
    for _ in range(5):
        gc.collect()
        time.sleep(0.1)
    assert complaints == []
