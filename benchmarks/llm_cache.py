"""What a repeat costs: items answered from the call cache, against fetching the same rows.

    python benchmarks/llm_cache.py [--json] [--repeats N] [--data FILE] [--items N] [--approach A]

A server on this machine answers every question once, and the answers are kept. Then the same
instances are asked again, from the rendering of the prompt to the prediction, with nothing sent;
the same keys are looked up alone; and the plain `sqlite3` module fetches the same rows. Seconds are
those of the CPU, and for asking again those of the clock too, as medians over the repeats, the ways
in turn. The ratio is plain fetching by looking up.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from relgraph import read
from relgraph.approach import Settings
from relgraph.calls import CallStore
from relgraph.records import View
from relgraph.registry import load


class Server(ThreadingHTTPServer):
    """Ranks the options as they stand, and counts its requests."""

    daemon_threads = True
    asked = 0


class Handler(BaseHTTPRequestHandler):
    """Speaks chat completions."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def do_GET(self) -> None:
        """Lists no model."""
        self._say({"data": []})

    def do_POST(self) -> None:
        """Ranks the options that the schema names."""
        assert isinstance(self.server, Server)
        self.server.asked += 1
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        schema = body["response_format"]["json_schema"]["schema"]
        ranking = schema["properties"]["ranking"]["items"]["enum"]
        message = {"role": "assistant", "content": json.dumps({"ranking": ranking})}
        usage = {"prompt_tokens": 1000, "completion_tokens": 30}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        self._say({"choices": [choice], "usage": usage})

    def _say(self, document: Any) -> None:
        data = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def instances(data: str, most: int) -> list[Any]:
    """Returns instances of the closed tasks, in the order of the conversations."""
    found = read(data)
    tasks = [load("task", name) for name in ("itp", "rpp", "ssp", "stp")]
    cases = [case.instance for c in found for task in tasks for case in task.cases(c, View())]
    return cases[:most]


def measure(fitted: Any, asked: list[Any], calls: Path, keys: list[str]) -> dict[str, float]:
    """Returns the CPU seconds of each way, and those of the clock of asking again."""
    taken: dict[str, float] = {}
    begun, begun_cpu = perf_counter(), process_time()
    again = list(fitted.predict(asked))
    taken["predict"], taken["predict_wall"] = process_time() - begun_cpu, perf_counter() - begun
    assert all(p.cost.kept_calls == 1 and not p.failure for p in again)
    begun_cpu = process_time()
    for instance in asked:
        fitted.render(instance)
    taken["render"] = process_time() - begun_cpu
    store = CallStore(calls)
    begun_cpu = process_time()
    assert all(store.find(key) for key in keys)
    taken["look_up"] = process_time() - begun_cpu
    store.close()
    with sqlite3.connect(calls) as db:
        begun_cpu = process_time()
        for key in keys:
            query = "SELECT reply, checksum FROM calls WHERE key = ?"
            assert db.execute(query, (bytes.fromhex(key),)).fetchone()
        taken["plain"] = process_time() - begun_cpu
    db.close()
    return taken


def main() -> None:
    """Fills a cache, repeats from it, and prints items a second."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--repeats", type=int, default=5, help="rounds (default 5)")
    parser.add_argument("--data", default="sample", help="conversations (default sample)")
    parser.add_argument("--items", type=int, default=500, help="at most so many (default 500)")
    parser.add_argument("--approach", default="llm", help="without findings (default llm)")
    options = parser.parse_args()
    asked = instances(options.data, options.items)
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    os.environ.setdefault("RELGRAPH_API_KEY", "none")
    with tempfile.TemporaryDirectory() as folder:
        calls = Path(folder) / "calls.sqlite3"
        settings = Settings(
            model="openai:any",
            base_url=f"http://127.0.0.1:{server.server_port}/v1",
            calls=str(calls),
        )
        fitted = load("approach", options.approach)(settings).fit((), seed=0)
        first = list(fitted.predict(asked))
        keys = [key for prediction in first for key in prediction.calls]
        sent = server.asked
        rounds = [measure(fitted, asked, calls, keys) for _ in range(options.repeats)]
        assert server.asked == sent, "a repeat has asked"
        size = calls.stat().st_size
    server.shutdown()
    seconds = {way: median(r[way] for r in rounds) for way in rounds[0]}
    document = {
        "approach": options.approach,
        "items": len(asked),
        "sent": sent,
        "file_bytes": size,
        "items_a_second": {way: len(asked) / taken for way, taken in seconds.items()},
        "plain_by_look_up": seconds["plain"] / seconds["look_up"],
    }
    if options.json:
        print(json.dumps(document, indent=2))
        return
    print(f"{options.approach}: {len(asked)} items, {sent} calls kept in {size / 1e6:.1f} MB")
    for way, speed in document["items_a_second"].items():
        print(f"  {way:<12} {speed:>10,.0f} items a second")
    print(f"  plain sqlite3 by our look-up: {document['plain_by_look_up']:.2f}")


if __name__ == "__main__":
    main()
