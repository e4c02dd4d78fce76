"""Asking an endpoint with bad days, against the ideal, and against inspect_ai on the same.

    python benchmarks/llm_calls.py [--calls 2000] [--concurrency 32] [--seed 0] [--json]
        [--kill] [--cpu] [--inspect PYTHON]

A server on this machine answers in 200 ms; 5% of the requests meet a 429 with Retry-After, 3% a
500, 2% no answer, 2% garbage, 1% a cut connection. The ideal is the makespan of the same faults
on as many slots, simulated: each try takes its time (no answer: the timeout of 2 s), a request
turned down comes back after its Retry-After and holds no slot the while, other faults come back at
once, and neither client nor server takes any CPU. Rates are taken at the server, from the first
request to the last answer.

`--kill` also kills a run in the middle (SIGKILL) and goes on with it. `--cpu` also measures our
own CPU a call: that of `relgraph eval` less that of the bare client library on the same prompts,
without faults in both. `--inspect` names a Python that has inspect_ai.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from heapq import heappop, heappush
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import _checkout  # noqa: F401
from _llm_server import ANSWER_S, RETRY_AFTER_S, fate_of, key_of

from relgraph import read
from relgraph.approach import Settings
from relgraph.registry import load

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT_S, RETRIES = 2, 4
CAUSES = {
    "limit": "HTTP 429",
    "error": "HTTP 500",
    "hang": "timeout",
    "garbage": "garbled",
    "cut": "connection",
}
TURNS = 41
"""In a made-up conversation: 40 of them are asked about, the first has nothing before it."""

SAYING = "you never listen to me when I try to say what it was like that evening at home"


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=2000, help="prompts (default 2000)")
    parser.add_argument("--concurrency", type=int, default=32, help="default 32")
    parser.add_argument("--seed", type=int, default=0, help="of the faults (default 0)")
    parser.add_argument("--kill", action="store_true", help="also with SIGKILL in the middle")
    parser.add_argument("--cpu", action="store_true", help="also our own CPU a call")
    parser.add_argument("--inspect", metavar="PYTHON", help="a Python that has inspect_ai")
    parser.add_argument("--json", action="store_true", help="print JSON instead of lines")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = measured(options, Path(folder))
    if options.json:
        print(json.dumps(report, indent=2))
    else:
        for name, value in report.items():
            print(f"{name}: {value}")


def measured(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Returns all figures by name."""
    data = made_up(folder / "data.jsonl", options.calls)
    prompts = prompts_of(data, options.calls)
    keys = [key_of(user) for _, user in prompts]
    ideal_s = makespan_s(options.seed, keys, options.concurrency)
    held_s = makespan_s(options.seed, keys, options.concurrency, holds=True)
    report: dict[str, Any] = {"calls": len(keys), "ideal_s": round(ideal_s, 2)}
    report["ideal_where_waiting_holds_a_slot_s"] = round(held_s, 2)
    with served(options.seed) as url:
        with spent_cpu() as cpu:
            code = subprocess.run(command(options, data, url, folder / "run"), **QUIET).returncode
        log = rows(url)
    report["ours"] = summary(log, ideal_s) | {"exit_code": code, "cpu_s": round(cpu[0], 2)}
    report["ours"] |= truth(options.seed, keys, log, folder / "run")
    if options.kill:
        report["killed"] = killed(options, data, keys, folder)
    if options.inspect:
        report["inspect_ai"] = through_inspect(options, prompts, ideal_s, folder)
        ratio = report["ours"]["calls_a_s"] / report["inspect_ai"]["calls_a_s"]
        report["rate_over_inspect_ai"] = round(ratio, 3)
    else:
        report["inspect_ai"] = "skipped: name a Python that has it with --inspect"
    if options.cpu:
        report["cpu"] = own_cpu(options, folder)
    return report


QUIET: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def command(options: argparse.Namespace, data: Path, url: str, run: Path) -> list[str]:
    """Returns the command line of a run, with a call cache of its own."""
    return [
        *(sys.executable, str(ROOT / "cli.py"), "eval", "--approach", "llm", "--task", "rpp"),
        *("--data", str(data), "--model", "openai:m", "--base-url", url, "--no-text-metrics"),
        *("--concurrency", str(options.concurrency), "--timeout", str(TIMEOUT_S)),
        *("--retries", str(RETRIES), "--run", str(run), "--calls", f"{run}.sqlite3", "--yes"),
    ]


def made_up(file: Path, calls: int) -> Path:
    """Writes conversations with `calls` decision points of RPP, all with words of their own."""
    with file.open("w", encoding="utf-8") as out:
        for first in range(0, calls, TURNS - 1):
            number = first // (TURNS - 1)
            asked = min(TURNS - 1, calls - first)
            turns = [_turn(number, k, is_asked=0 < k <= asked) for k in range(asked + 1)]
            roster = {"scenario": "couple", "participants": ["Ana", "Ben"]}
            line = {"id": f"couple_{number:03}/01", **roster, "turns": turns}
            out.write(f"{json.dumps(line)}\n")
    return file


def _turn(number: int, place: int, *, is_asked: bool) -> dict[str, Any]:
    words = SAYING.split()
    said = " ".join(words[(number + 3 * place + k) % len(words)] for k in range(12))
    turn: dict[str, Any] = {
        "speaker": ("Ana", "Ben")[place % 2],
        "addressees": [("Ben", "Ana")[place % 2]],
        "text": f"{said}, {number} and {place}.",
    }
    if is_asked:
        relation = {"field": "relation_cycle_state", "label": "attack_attack"}
        turn["gold"] = {"relations": [relation]}
    return turn


def prompts_of(data: Path, calls: int) -> list[tuple[str, str]]:
    """Returns the messages of all questions, in order."""
    settings = Settings(model="openai:m", base_url="http://127.0.0.1:9/v1", calls="none")
    approach: Any = load("approach", "llm")(settings)
    asking = approach.fit((), seed=0)
    task = load("task", "rpp")
    found = [
        asking.render(case.instance)
        for conversation in read(data)
        for case in task.cases(conversation, settings.view)
    ]
    prompts = [(prompt.system, prompt.user) for prompt in found]
    if len(set(prompts)) != calls:
        raise SystemExit(f"{len(set(prompts))} different prompts, wanted {calls}")
    return prompts


def makespan_s(seed: int, keys: Sequence[str], slots: int, *, holds: bool = False) -> float:
    """Returns how long the same faults take on so many slots, with no time lost between them.

    Args:
        seed: of the faults.
        keys: the prompts, in order.
        slots: requests at a time.
        holds: whether a request that waits for its Retry-After keeps its slot.
    """
    free = [0.0] * slots
    again: list[tuple[float, int, str]] = []
    fresh = iter(keys)
    waiting = next(fresh, None)
    end = 0.0
    while again or waiting is not None:
        slot = heappop(free)
        if again and (again[0][0] <= slot or waiting is None):
            due, before, key = heappop(again)
            slot = max(slot, due)
        else:
            before, key = 0, str(waiting)
            waiting = next(fresh, None)
        fate = fate_of(seed, key, before)
        done = slot + (TIMEOUT_S if fate == "hang" else ANSWER_S)
        is_last = fate == "good" or before == RETRIES
        due = done + (RETRY_AFTER_S if fate == "limit" and not is_last else 0)
        heappush(free, due if holds else done)
        end = max(end, done)
        if not is_last:
            heappush(again, (due, before + 1, key))
    return end


@contextmanager
def served(seed: int) -> Iterator[str]:
    """Runs the server; gives its address."""
    program = [sys.executable, str(ROOT / "benchmarks" / "_llm_server.py"), str(seed)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        finally:
            server.terminate()


def rows(url: str) -> list[list[Any]]:
    """Returns every request that came, as the server saw it."""
    with urlopen(f"{url}/stats", timeout=10) as said:  # noqa: S310 (our own server)
        found: list[list[Any]] = json.loads(said.read())
    return found


def summary(log: Sequence[Sequence[Any]], ideal_s: float) -> dict[str, Any]:
    """Returns how long the requests took and how that compares."""
    taken_s = max(row[4] or row[3] for row in log) - min(row[3] for row in log)
    asked = len({row[0] for row in log})
    return {
        "seconds": round(taken_s, 2),
        "calls_a_s": round(asked / taken_s, 1),
        "requests": len(log),
        "share_of_ideal": round(ideal_s / taken_s, 3),
    }


def truth(seed: int, keys: Sequence[str], log: Sequence[Any], run: Path) -> dict[str, int]:
    """Returns what went wrong with single items, counted; all counts are 0 where nothing did."""
    lines = (run / "items.jsonl").read_text(encoding="utf-8").splitlines()
    items = [row for row in map(json.loads, lines) if row["approach"] == "llm"]
    order = {name: k for k, name in enumerate(sorted({i["conversation"] for i in items}))}
    items.sort(key=lambda i: (order[i["conversation"]], i["turn"]))
    sent = Counter(row[0] for row in log)
    found = {"scored": 0, "failed": 0, "lost": len(keys) - len(items)}
    found |= {"wrong_cause": 0, "sent_too_often": 0, "sent_too_seldom": 0}
    for key, item in zip(keys, items, strict=False):
        fates = [fate_of(seed, key, k) for k in range(RETRIES + 1)]
        tries = fates.index("good") + 1 if "good" in fates else len(fates)
        failure = item["prediction"].get("failure", "")
        found["failed" if failure else "scored"] += 1
        wanted = "" if "good" in fates else CAUSES[fates[-1]]
        found["wrong_cause"] += bool(failure) != bool(wanted) or not failure.startswith(wanted)
        found["sent_too_often"] += sent[key] > tries
        found["sent_too_seldom"] += sent[key] < tries
    return found


def killed(
    options: argparse.Namespace, data: Path, keys: Sequence[str], folder: Path
) -> dict[str, Any]:
    """Kills a run when half of the calls have been sent, and goes on with it."""
    run = folder / "killed"
    with served(options.seed) as url:
        argv = command(options, data, url, run)
        with subprocess.Popen(argv, **QUIET) as first:
            while len(before := rows(url)) < len(keys) / 2 and first.poll() is None:
                time.sleep(0.1)
            first.send_signal(signal.SIGKILL)
        time.sleep(1)
        before = rows(url)
        code = subprocess.run(argv, **QUIET).returncode
        log = rows(url)
    found = truth(options.seed, keys, log, run)
    good = Counter(row[0] for row in log if row[2] == "good")
    return {
        "requests_before": len(before),
        "requests": len(log),
        "answered_twice": sum(n > 1 for n in good.values()),
        "exit_code": code,
        **{name: found[name] for name in ("scored", "failed", "lost")},
    }


def through_inspect(
    options: argparse.Namespace, prompts: Sequence[Any], ideal_s: float, folder: Path
) -> dict[str, Any]:
    """Asks the same of the same server through inspect_ai."""
    file = folder / "prompts.json"
    file.write_text(json.dumps(prompts), encoding="utf-8")
    with served(options.seed) as url:
        script = str(ROOT / "benchmarks" / "_llm_inspect.py")
        limits = (str(options.concurrency), str(TIMEOUT_S), str(RETRIES))
        with spent_cpu() as cpu:
            done = subprocess.run(
                [options.inspect, script, str(file), url, *limits],
                capture_output=True,
                text=True,
                cwd=folder,
            )
        log = rows(url)
    if done.returncode:
        raise SystemExit(f"inspect_ai: {done.stderr[-2000:]}")
    said = json.loads(done.stdout.splitlines()[-1])
    return summary(log, ideal_s) | said | {"cpu_s": round(cpu[0], 2)}


@contextmanager
def spent_cpu() -> Iterator[list[float]]:
    """Gives the CPU seconds of the processes that were begun and ended inside."""
    found: list[float] = [0.0]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    yield found
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found[0] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


BARE = """
import asyncio, json, sys, openai
from pathlib import Path
file, url, concurrency, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
asked = json.loads(Path(file).read_text())[:count]
schema = {"type": "object", "properties": {"ranking": {"type": "array", "items": {
    "type": "string", "enum": ["a", "b", "c", "d", "e", "f"]}}}, "required": ["ranking"]}
async def main():
    client = openai.AsyncOpenAI(api_key="none", base_url=url, timeout=2, max_retries=0)
    create = client.chat.completions.with_raw_response.create
    places = asyncio.Semaphore(concurrency)
    async def one(system, user):
        async with places, asyncio.timeout(2):
            await create(model="m", max_tokens=160, temperature=0, seed=0, messages=[
                {"role": "system", "content": system}, {"role": "user", "content": user}],
                response_format={"type": "json_schema", "json_schema": {
                    "name": "answer", "schema": schema, "strict": True}})
    await asyncio.gather(*(one(*messages) for messages in asked))
asyncio.run(main())
"""


def own_cpu(options: argparse.Namespace, folder: Path) -> dict[str, float]:
    """Returns milliseconds of CPU a call: of a whole run, of the bare client, and the difference.

    Each is the slope between few and many calls, so that starting up and reading do not count.
    """
    few, many = options.calls // 10, options.calls
    spent: dict[tuple[str, int], float] = {}
    for count in (few, many):
        data = made_up(folder / f"cpu_{count}.jsonl", count)
        file = folder / f"cpu_{count}.json"
        file.write_text(json.dumps(prompts_of(data, count)), encoding="utf-8")
        with served(-1) as url:
            with spent_cpu() as cpu:
                argv = command(options, data, url, folder / f"cpu_run_{count}")
                subprocess.run(argv, check=True, **QUIET)
            spent["run", count] = cpu[0]
        with served(-1) as url:
            bare = [sys.executable, "-c", BARE, str(file), url]
            with spent_cpu() as cpu:
                subprocess.run([*bare, str(options.concurrency), str(count)], check=True)
            spent["bare", count] = cpu[0]
    slope = {
        who: 1000 * (spent[who, many] - spent[who, few]) / (many - few) for who in ("run", "bare")
    }
    found = {**slope, "ours": slope["run"] - slope["bare"]}
    return {f"{who}_ms_a_call": round(ms, 2) for who, ms in found.items()}


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
