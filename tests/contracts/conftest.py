"""Every approach of the registry, fitted once on a small corpus, and a model server of our own."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any

import pytest

from relgraph import registry
from relgraph.approach import Approach, Fitted, Settings
from relgraph.corpora import read
from relgraph.records import Conversation

TRAINING, TESTED = 5, 2
TURNS = 14


def answer(schema: dict[str, Any], draw: Random) -> Any:
    """A value that fits a JSON schema, drawn."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return draw.choice(schema["enum"])
    kind = schema.get("type")
    if kind == "object":
        return {name: answer(part, draw) for name, part in schema["properties"].items()}
    if kind == "array":
        values = schema["items"].get("enum")
        if values:
            return draw.sample(values, len(values))
        return [answer(schema["items"], draw)]
    if kind in ("number", "integer"):
        return draw.randint(schema.get("minimum", 0), schema.get("maximum", 10))
    return draw.choice(["worn out and sad", "hopeful again", "afraid of the next word"])


class Model(BaseHTTPRequestHandler):
    """Answers chat completions in the schema asked for; equal questions get equal answers."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._reply({"object": "list", "data": [{"id": "contract", "object": "model"}]})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        seed = sha256(json.dumps(asked["messages"]).encode()).hexdigest()
        schema = asked["response_format"]["json_schema"]["schema"]
        text = json.dumps(answer(schema, Random(seed)))
        choice = {"index": 0, "finish_reason": "stop"}
        self._reply(
            {
                "id": "1",
                "object": "chat.completion",
                "created": 0,
                "model": "contract",
                "choices": [{**choice, "message": {"role": "assistant", "content": text}}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
        )

    def _reply(self, value: dict[str, Any]) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """The address of an OpenAI-compatible server on this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def settings(endpoint: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings under which every approach is quick."""
    return Settings(
        embedder="hashing",
        epochs=2,
        device="cpu",
        model="openai:contract",
        base_url=endpoint,
        concurrency=2,
        cache=str(tmp_path_factory.mktemp("cache")),
    )


def shortened(conversation: Conversation) -> Conversation:
    return replace(conversation, turns=conversation.turns[:TURNS], gold=conversation.gold[:TURNS])


@pytest.fixture(scope="session")
def corpus() -> dict[str, tuple[Conversation, ...]]:
    """`train` and `tested`: one conversation a relationship, couples and families in turn."""
    first: dict[str, Conversation] = {}
    for c in read("sample"):
        first.setdefault(c.relationship, shortened(c))
    kinds = [[c for c in first.values() if c.scenario == s] for s in ("couple", "family")]
    mixed = [c for pair in zip(*kinds, strict=False) for c in pair]
    return {
        "tested": tuple(mixed[:TESTED]),
        "train": tuple(mixed[TESTED : TESTED + TRAINING]),
    }


@pytest.fixture(scope="session")
def fitted(
    settings: Settings, corpus: dict[str, tuple[Conversation, ...]]
) -> Callable[[str], tuple[Approach, Fitted]]:
    """Gives an approach and what its `fit` made of the training conversations; once a session."""
    made: dict[str, tuple[Approach, Fitted]] = {}

    def get(name: str) -> tuple[Approach, Fitted]:
        if name not in made:
            approach = registry.load("approach", name)(settings)
            train = corpus["train"] if approach.learns else ()
            made[name] = (approach, approach.fit(train, seed=0))
        return made[name]

    return get


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server of these tests asks for no key; a real one must not be sent to it."""
    for name in ("RELGRAPH_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
