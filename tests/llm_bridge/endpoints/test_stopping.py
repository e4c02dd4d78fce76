"""A run that is stopped by a person, by the system, or killed: a real process, a real server."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow
ITEMS = 40


def start(server: Any, folder: Path, *more: str, grace_s: float = 10.0) -> subprocess.Popen[str]:
    script = (
        f"from relgraph.llm_bridge import at_once; at_once.GRACE_S = {grace_s}; "
        "from relgraph._cli import main; main()"
    )
    argv = ["eval", "--approach", "llm", "--task", "itp", "--data", "sample", "--no-text-metrics"]
    argv += ["--limit", str(ITEMS), "--model", "openai:m", "--calls", "none"]
    argv += ["--base-url", f"http://127.0.0.1:{server.port}/v1", "--run", str(folder / "run")]
    argv += ["--concurrency", "4", *more]
    return subprocess.Popen(
        [sys.executable, "-c", script, *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        cwd=folder,
    )


def until(server: Any, count: int, run: subprocess.Popen[str]) -> None:
    end = time.monotonic() + 120
    while len(server.requests) < count and run.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    assert len(server.requests) >= count


def kept(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "run" / "items.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row.get("approach") == "llm"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_when_what_is_on_its_way_has_come_and_the_same_command_goes_on(
    number: signal.Signals, code: int, server: Any, tmp_path: Path
) -> None:
    server.script = lambda _n, _b: server.chosen("yes", "no", wait_s=0.4)
    run = start(server, tmp_path)
    until(server, 8, run)
    run.send_signal(number)
    _, said = run.communicate(timeout=60)
    assert run.returncode == code, said
    assert "stopped: the same command goes on where it stopped" in said.splitlines()[-1]
    assert "Traceback" not in said
    sent = len(server.requests)
    assert sent < ITEMS
    assert len(kept(tmp_path)) == sent  # all that was sent has come, and is there
    assert not [row for row in kept(tmp_path) if row["prediction"].get("failure")]
    again = start(server, tmp_path)
    _, said = again.communicate(timeout=120)
    assert again.returncode == 0, said
    assert len(kept(tmp_path)) == len(server.requests) == ITEMS
    assert set(server.prompts.values()) == {1}


def test_who_waits_for_another_try_is_not_waited_for_and_is_no_failed_item(
    server: Any, tmp_path: Path
) -> None:
    server.script = lambda n, _b: (
        server.chosen("yes", "no") if n < 5 else server.refused(500, retry_after="60")
    )
    run = start(server, tmp_path)
    until(server, 9, run)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=45)  # and not the minute that the server asks for
    assert run.returncode == 130, said
    assert len(kept(tmp_path)) == 5
    assert not [row for row in kept(tmp_path) if row["prediction"].get("failure")]


def test_a_second_signal_ends_it_without_waiting(server: Any, tmp_path: Path) -> None:
    # They would come within the grace of 10 s.
    server.script = lambda n, _b: server.chosen("yes", "no", wait_s=0.0 if n < 5 else 8.0)
    run = start(server, tmp_path)
    until(server, 9, run)
    run.send_signal(signal.SIGINT)
    assert run.stderr is not None
    while "stopping: waiting up to 10 s" not in run.stderr.readline():
        assert run.poll() is None
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=60)
    assert run.returncode == 130, said
    assert len(kept(tmp_path)) == 5


def test_a_kill_loses_only_what_was_on_its_way(server: Any, tmp_path: Path) -> None:
    # The first question hangs: what is answered behind it is on disk all the same.
    server.script = lambda n, _b: server.chosen("yes", "no", wait_s=60.0 if n == 0 else 0.1)
    run = start(server, tmp_path)
    until(server, 20, run)
    run.kill()
    run.communicate()
    saved, sent = len(kept(tmp_path)), len(server.requests)
    assert saved >= sent - 5  # the one that hangs, and those of the other places
    again = start(server, tmp_path)
    _, said = again.communicate(timeout=120)
    assert again.returncode == 0, said
    assert len(kept(tmp_path)) == ITEMS
    assert len(server.requests) == sent + ITEMS - saved


def test_an_endpoint_that_goes_down_ends_it_with_1_and_one_message(
    server: Any, tmp_path: Path
) -> None:
    def script(number: int, _body: Any) -> Any:
        if number == 12:
            server.server.socket.close()  # nobody listens any more
            server.server.shutdown()
        return server.refused(502) if number >= 12 else server.chosen("yes", "no")

    server.script = script
    run = start(server, tmp_path, "--retries", "2")
    _, said = run.communicate(timeout=120)
    assert run.returncode == 1, said
    *_, note, last = said.splitlines()
    assert "answers so far are kept" in note
    assert last.startswith("error: http://127.0.0.1:")
    assert "same command again: it goes on where it stopped" in last
    assert "Traceback" not in said
    assert len(kept(tmp_path)) >= 8
    assert not [row for row in kept(tmp_path) if row["prediction"].get("failure")]
