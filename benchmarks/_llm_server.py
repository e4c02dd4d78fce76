"""A chat-completions server on this machine with seeded bad days; run as a program of its own.

    python benchmarks/_llm_server.py SEED

Which fault a request meets depends on the seed, the prompt and how often that prompt has come, so
a simulation and several clients meet the same ones. Prints its port; `GET /v1/stats` tells every
request that came.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from hashlib import sha256
from typing import Any

ANSWER_S = 0.2
RETRY_AFTER_S = 1
SHARES = {"limit": 0.05, "error": 0.03, "hang": 0.02, "garbage": 0.02, "cut": 0.01}
"""429 with Retry-After, 500, no answer at all, a body that is none, a connection that breaks."""


def key_of(user: str) -> str:
    """Returns the short name of a prompt."""
    return sha256(user.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def fate_of(seed: int, key: str, tries_before: int) -> str:
    """Returns what becomes of a request: `good`, or one of `SHARES`; a negative seed has none."""
    if seed < 0:
        return "good"
    digest = sha256(f"{seed}\x1f{key}\x1f{tries_before}".encode()).digest()
    number = int.from_bytes(digest[:7]) / 2**56
    for fate, share in SHARES.items():
        number -= share
        if number < 0:
            return fate
    return "good"


class Log:
    """Every request: prompt, how often it had come before, fate, begin and end in seconds."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rows: list[list[Any]] = []
        self._came: Counter[str] = Counter()

    def begin(self, body: bytes) -> list[Any]:
        """Returns the row of a new request."""
        asked = json.loads(body)
        key = key_of(asked["messages"][-1]["content"])
        before = self._came[key]
        self._came[key] += 1
        row = [key, before, fate_of(self.seed, key, before), time.monotonic(), None]
        self.rows.append(row)
        return row


def response(status: str, body: str, *headers: str) -> bytes:
    """Returns a whole HTTP response."""
    data = body.encode()
    head = (f"HTTP/1.1 {status}", "Content-Type: application/json", *headers)
    return "\r\n".join((*head, f"Content-Length: {len(data)}", "", "")).encode() + data


MESSAGE = {"role": "assistant", "content": '{"ranking": ["attack_attack"]}'}
GOOD = response(
    "200 OK",
    json.dumps(
        {
            "id": "c",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "finish_reason": "stop", "message": MESSAGE}],
            "usage": {"prompt_tokens": 700, "completion_tokens": 9, "total_tokens": 709},
        }
    ),
)
SAID = {
    "good": GOOD,
    "limit": response(
        "429 Too Many Requests", '{"error": {"message": "slow"}}', f"Retry-After: {RETRY_AFTER_S}"
    ),
    "error": response("500 Internal Server Error", '{"error": {"message": "it broke"}}'),
    "garbage": response("200 OK", '{"choices": [{"mess'),
    "cut": GOOD[:150],
}


class Connection(asyncio.Protocol):
    """One connection; requests on it are answered one after the other."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._read = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keeps the connection."""
        assert isinstance(transport, asyncio.Transport)
        self._out = transport

    def data_received(self, data: bytes) -> None:
        """Answers each request that is whole, after its time."""
        self._read += data
        while b"\r\n\r\n" in self._read:
            head, _, rest = self._read.partition(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").split("\r\n")
            fields = dict(line.lower().split(": ", 1) for line in lines)
            length = int(fields.get("content-length", 0))
            if len(rest) < length:
                return
            body, self._read = rest[:length], rest[length:]
            self._answer(first.split(" ")[1], body)

    def _answer(self, path: str, body: bytes) -> None:
        if not path.endswith("/chat/completions"):
            said = self._log.rows if path.endswith("/stats") else {"object": "list", "data": []}
            self._out.write(response("200 OK", json.dumps(said)))
            return
        row = self._log.begin(body)
        if row[2] != "hang":
            asyncio.get_running_loop().call_later(ANSWER_S, self._say, row)

    def _say(self, row: list[Any]) -> None:
        row[4] = time.monotonic()
        if not self._out.is_closing():
            self._out.write(SAID[row[2]])
            if row[2] == "cut":
                self._out.close()


async def serve(seed: int) -> None:
    """Serves until the program is ended."""
    log = Log(seed)
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(log), "127.0.0.1", 0, backlog=1024
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
