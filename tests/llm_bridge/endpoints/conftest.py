"""A real HTTP server for endpoints of both kinds, which a test scripts request by request."""

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from relgraph.llm_bridge.asking import open_model
from relgraph.llm_bridge.backends import _retrying

KEY = "sk-a-key-that-nobody-may-see"


@dataclass
class Said:
    """What the server answers."""

    body: Any = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait_s: float = 0.0


Script = Callable[[int, dict[str, Any]], Said]


class Server:
    """`requests` holds the body of each question, `headers` its headers; `prompts` counts them."""

    said = Said

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.prompts: Counter[str] = Counter()
        self.at_once = self.most_at_once = 0
        self.script: Script = lambda _n, _b: self.chosen("yes", "no")
        outer, lock = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                self.say(Said({"data": [], "object": "list"}))

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    number = len(outer.requests)
                    outer.requests.append({**body, "path": self.path})
                    outer.headers.append({k.lower(): v for k, v in self.headers.items()})
                    outer.prompts[body["messages"][-1]["content"]] += 1
                    outer.at_once += 1
                    outer.most_at_once = max(outer.most_at_once, outer.at_once)
                said = outer.script(number, body)
                time.sleep(said.wait_s)
                with lock:
                    outer.at_once -= 1
                self.say(said)

            def say(self, said: Said) -> None:
                body = said.body if isinstance(said.body, str) else json.dumps(said.body)
                data = body.encode()
                try:
                    self.send_response(said.status)
                    for name, value in said.headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)
                except OSError:
                    self.close_connection = True

        class Listening(ThreadingHTTPServer):
            request_queue_size = 128
            daemon_threads = True

        self.server = Listening(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    @staticmethod
    def chosen(*ranking: str, wait_s: float = 0.0, **more: Any) -> Said:
        """A good chat completion."""
        message = {"role": "assistant", "content": json.dumps({"ranking": ranking})}
        choice = {"index": 0, "finish_reason": "stop", "message": message, **more}
        usage = {"prompt_tokens": 70, "completion_tokens": 9}
        return Said({"choices": [choice], "usage": usage}, wait_s=wait_s)

    @staticmethod
    def refused(status: int, message: str = "no", **headers: str) -> Said:
        """An error as OpenAI says it."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return Said({"error": {"message": message}}, status, named)


@pytest.fixture
def server() -> Iterator[Server]:
    one = Server()
    yield one
    one.server.shutdown()
    one.server.server_close()


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("RELGRAPH_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(_retrying, "FIRST_WAIT_S", 0.01)
    monkeypatch.setattr(_retrying, "FIRST_REST_S", 0.01)
    open_model.cache_clear()
    yield
    open_model.cache_clear()


@pytest.fixture
def key() -> str:
    return KEY
