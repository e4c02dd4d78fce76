"""A model that counts what it is asked, and a server on this machine that does the same."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from relgraph.approach import Settings
from relgraph.calls import CallStore
from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.calls.caller import Caller
from relgraph.llm_bridge.calls.prices import Price
from relgraph.llm_bridge.prompts import AnswerForm, Prompt

GOOD = Reply(text='{"ranking": ["yes", "no"]}', prompt_tokens=70, answer_tokens=9)
KEY = "sk-a-key-that-nobody-may-see"


def prompt_of(user: str = "Ana: “No.”", **more: Any) -> Prompt:
    return Prompt(task="itp", kind="choice", form="json", system="Read.", user=user, **more)


@dataclass
class Model:
    """Says what it is told to, after a while, and counts."""

    said: Sequence[Reply | Exception] = (GOOD,)
    wait_s: float = 0.0
    name: str = "openai:some-model"
    identity: str = "some-model at http://here/v1"
    answers: AnswerForm = "json"
    concurrency: int = 8
    keeps_prefix: bool = False
    remote: bool = True
    notice: str = "a notice"
    asked: list[tuple[str, int]] = field(default_factory=list)
    checked: int = 0
    closed: int = 0

    def check(self) -> None:
        self.checked += 1

    def close(self) -> None:
        self.closed += 1

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def ask(self, prompt: Prompt, *, sample: int = 0) -> Reply:
        reply = self.said[min(len(self.asked), len(self.said) - 1)]
        self.asked.append((prompt.user, sample))
        time.sleep(self.wait_s)
        if isinstance(reply, Exception):
            raise reply
        return reply


class BatchModel(Model):
    """Takes several prompts at once."""

    batch = 4

    def ask_many(self, prompts: Sequence[Prompt], *, sample: int = 0) -> list[Reply]:
        return [self.ask(prompt, sample=sample) for prompt in prompts]


@pytest.fixture
def calling(tmp_path: Path) -> Callable[..., Caller]:
    """Returns what puts a call cache, the same for all of a test, before a model."""

    def through(
        model: Model, *, price: Price | None = None, kept: bool = True, **given: Any
    ) -> Caller:
        store = CallStore(tmp_path / "calls.sqlite3") if kept else None
        return Caller(model, replace(Settings(), **given), store=store, price=price)

    return through


class Server:
    """Speaks chat completions; `says` gets the number of the request, and its body."""

    def __init__(self, says: Callable[[int, Any], tuple[int, str]]) -> None:
        self.requests: list[Any] = []
        outer, lock = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                self.say(404, "{}")

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    number = len(outer.requests)
                    outer.requests.append(body)
                self.say(*says(number, self.headers))

            def say(self, status: int, text: str) -> None:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                with suppress(OSError):  # who asked may have been killed
                    self.wfile.write(text.encode())

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()


def completion(content: str, *, read: int = 1000, written: int = 50) -> tuple[int, str]:
    choice = {"index": 0, "finish_reason": "stop", "message": {"content": content}}
    usage = {"prompt_tokens": read, "completion_tokens": written}
    return 200, json.dumps({"choices": [choice], "usage": usage})


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    running: list[Server] = []

    def start(says: Callable[[int, Any], tuple[int, str]] | tuple[int, str]) -> Server:
        running.append(Server(says if callable(says) else lambda _n, _h: says))
        return running[-1]

    yield start
    for server in running:
        server.http.shutdown()
        server.http.server_close()


@pytest.fixture
def endpoint_key(monkeypatch: pytest.MonkeyPatch) -> str:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RELGRAPH_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return KEY
