"""With --pseudonymize no request holds an original name: real evaluations against a real server."""

import json
import os
import re
import threading
import unicodedata
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from relgraph._cli import cli
from relgraph.corpora import read

MENTIONED = frozenset(
    "andre roland cian leila ellis jonah kamala mila lika otar sfax bia dimaano mae".split()  # noqa: SIM905
)
"""People and places of the shipped corpus who are spoken of and do not speak."""
ROLES = frozenset({"therapist"})
KEY = "sk-nothing"


def words(text: str) -> set[str]:
    """The words of a text without case and accents."""
    bare = unicodedata.normalize("NFKD", text).casefold()
    kept = "".join(c for c in bare if not unicodedata.combining(c))
    return set(re.findall(r"[^\W\d_]+", kept))


def originals() -> set[str]:
    people = {name for c in read("sample") for name in c.roster}
    return (set().union(*map(words, people)) - ROLES) | MENTIONED


def filled(schema: Mapping[str, Any]) -> Any:
    """The first answer that a schema allows."""
    match schema.get("type"):
        case "object":
            return {key: filled(of) for key, of in schema["properties"].items()}
        case "array":
            return [filled(schema["items"])]
        case "integer":
            return schema.get("minimum", 0)
    return schema["enum"][0] if "enum" in schema else "nothing to say"


@pytest.fixture
def server() -> Iterator[tuple[str, list[bytes]]]:
    """An endpoint that answers by the schema asked for; its address and the bodies it was sent."""
    bodies: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self.say({"data": []})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            bodies.append(body)
            asked = json.loads(body).get("response_format", {}).get("json_schema", {})
            content = json.dumps(filled(asked.get("schema", {"type": "object", "properties": {}})))
            message = {"index": 0, "finish_reason": "stop", "message": {"content": content}}
            self.say({"choices": [message], "usage": {"prompt_tokens": 9, "completion_tokens": 9}})

        def say(self, value: Mapping[str, Any]) -> None:
            body = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=httpd.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}/v1", bodies
    httpd.shutdown()
    httpd.server_close()


def evaluate(url: str, folder: Path, *options: str) -> str:
    arguments = ["eval", "--data", "sample", "--model", "openai:m", "--base-url", url]
    arguments += ["--limit", "2", "--conversations", "2", "--folds", "2"]
    arguments += ["--embedder", "hashing", "--no-text-metrics"]
    os.environ["RELGRAPH_API_KEY"] = KEY
    done = CliRunner().invoke(cli, [*arguments, "--run", str(folder), *options])
    assert done.exit_code == 0, done.output[-2000:]
    return (folder / "items.jsonl").read_text()


def every_text(bodies: list[bytes]) -> str:
    """All that was sent, with the escapes of JSON undone."""
    return "\n".join(json.dumps(json.loads(body), ensure_ascii=False) for body in bodies)


@pytest.mark.parametrize(
    "options",
    [
        ("--approach", "llm", "--mode", "audiovisual"),
        ("--approach", "llm+graph", "--approach", "llm+rules", "--approach", "llm+placebo"),
        ("--approach", "llm-fewshot",),
        ("--approach", "llm", "--protocol", "paper", "--mode", "audiovisual"),
        ("--approach", "llm", "--context", "3", "--task", "stp", "--task", "vp"),
    ],
    ids=["all channels", "summaries", "training moments", "paper protocol", "a window"],
)  # fmt: skip
def test_no_request_holds_a_name_and_all_answers_do(
    server: tuple[str, list[bytes]], tmp_path: Path, options: tuple[str, ...]
) -> None:
    url, bodies = server
    items = evaluate(url, tmp_path / "run", "--pseudonymize", *options)
    assert bodies
    assert words(every_text(bodies)) & originals() == set()
    assert words(items) & originals()
    assert '"failure": "' not in items.replace('"failure": ""', "")


def test_the_search_would_find_names_that_were_sent(
    server: tuple[str, list[bytes]], tmp_path: Path
) -> None:
    url, bodies = server
    evaluate(url, tmp_path / "run", "--approach", "llm", "--task", "rpp")
    assert words(every_text(bodies)) & originals()
