"""`relgraph eval` against a server that is paid: the bill beforehand, the limit, and repeats."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from relgraph._cli import main
from relgraph.approach import Settings
from relgraph.calls import CallStore
from relgraph.llm_bridge.approaches.llm import APPROACH as LLM
from relgraph.llm_bridge.asking import open_model
from relgraph.records import View
from relgraph.registry import load

from .conftest import KEY, Server, completion

RANKED = '{"ranking": ["yes", "no"]}'
GOOD = completion(RANKED)
Serve = Callable[..., Server]
RUNNER = """
import sys
from relgraph._cli import main
sys.argv = ["relgraph", *sys.argv[1:]]
main()
"""


@pytest.fixture(autouse=True)
def surroundings(endpoint_key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del endpoint_key
    monkeypatch.chdir(tmp_path)
    open_model.cache_clear()


def prices(*, input: float = 0.0, output: float = 0.0) -> str:
    row = {"input": input, "output": output}
    Path("prices.json").write_text(json.dumps({"openai:some-*": row}))
    return "prices.json"


def script(*lines: str) -> str:
    Path("script.jsonl").write_text("\n".join(lines))
    return "script.jsonl"


def words(server: Server, *more: object, limit: int = 6) -> list[str]:
    fixed = "eval --approach llm --task itp --data sample --model openai:some-model"
    named = ("--base-url", server.url, "--calls", "calls.db", "--limit", limit)
    return [*fixed.split(), *map(str, named), *map(str, more)]


def command(*said: str) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["relgraph", *said])
        with pytest.raises(SystemExit) as ended:
            main()
    open_model.cache_clear()
    return int(ended.value.code or 0)


def spent(folder: str) -> float:
    rows = [json.loads(line) for line in Path(folder, "spending.jsonl").read_text().splitlines()]
    return sum(row.get("cost_usd", 0.0) for row in rows)


def metrics(folder: str) -> Any:
    return json.loads(Path(folder, "scores.json").read_text())["tasks"]["itp"]["approaches"]["llm"]


def test_a_repeat_in_another_folder_asks_nothing_and_costs_nothing(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    server = serve(GOOD)
    # 1,000 tokens read and 50 written: 1.5 cents a call
    paid = ("--prices", prices(input=10, output=100))
    assert command(*words(server, "--run", "one", *paid)) == 0
    assert len(server.requests) == 6
    assert metrics("one")["cost"]["cost_usd"] == pytest.approx(0.09)
    assert "llm: 6,000 tokens read, 300 written" in capsys.readouterr().out
    assert command(*words(server, "--run", "two", *paid)) == 0
    assert len(server.requests) == 6
    cost = metrics("two")["cost"]
    assert (cost["cost_usd"], cost["calls"], cost["kept_calls"]) == (0, 6, 6)
    assert metrics("two")["metrics"] == metrics("one")["metrics"]
    assert not Path("two", "spending.jsonl").exists()
    assert "6 calls kept from before" in capsys.readouterr().out


def test_a_repeat_needs_no_endpoint(serve: Serve) -> None:
    server = serve(GOOD)
    assert command(*words(server, "--run", "one")) == 0
    server.http.shutdown()
    server.http.server_close()
    assert command(*words(server, "--run", "two")) == 0


def test_what_a_run_may_cost_is_told_before_anything_is_asked(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    server = serve(GOOD)
    assert command(*words(server, "--prices", prices(output=1000))) == 0
    err = capsys.readouterr().err
    # 6 questions with answers of up to 160 tokens: 960 at 0.1 cent
    assert "estimate: llm, openai:some-model: 6 questions, about" in err
    assert "at most 960 written, 0.9600 USD" in err
    # what is kept is not paid for again
    capsys.readouterr()
    assert command(*words(server, "--prices", prices(output=1000), "--run", "two")) == 0
    assert "estimate" not in capsys.readouterr().err


def test_the_cost_of_several_approaches_is_summed(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ("--approach", "llm+placebo", "--prices", prices(output=500))
    assert command(*words(serve(GOOD), *more)) == 0
    assert "estimate: together 0.9600 USD" in capsys.readouterr().err


def test_a_price_that_is_not_known_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    far = script('{"setup": {"remote": true}}', '{"option": 1}')
    said = f"eval --approach llm --task itp --data sample --limit 2 --model mock:{far}"
    assert command(*said.split(), "--remote-ok") == 0
    assert "2 questions" in (err := capsys.readouterr().err)
    assert "cost not known (--prices)" in err


def test_a_run_that_may_cost_much_is_not_begun_unless_that_is_agreed(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    server = serve(GOOD)
    much = words(server, "--prices", prices(output=2000), "--run", "run")
    assert command(*much) == 2
    assert "may cost up to 1.92 USD" in capsys.readouterr().err
    assert server.requests == []
    assert not Path("run").exists()
    assert command(*much, "--yes") == 0
    assert len(server.requests) == 6


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are those of POSIX")
@pytest.mark.parametrize(("said", "code", "asked"), [("n", 1, 0), ("y", 0, 6)])
def test_at_a_terminal_a_person_is_asked(said: str, code: int, asked: int, serve: Serve) -> None:
    import pty

    server = serve(GOOD)
    master, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", RUNNER, *words(server, "--prices", prices(output=2000))],
        stdin=terminal,
        stderr=terminal,
        stdout=subprocess.DEVNULL,
    )
    os.close(terminal)
    shown = b""
    while b"Go on?" not in shown:
        shown += os.read(master, 1000)
    assert b"This run may cost up to 1.92 USD" in shown
    os.write(master, f"{said}\n".encode())
    with suppress(OSError):  # the terminal ends with the process
        while os.read(master, 1000):
            pass
    assert process.wait() == code
    os.close(master)
    assert len(server.requests) == asked


def test_the_limit_holds_across_runs_and_what_was_paid_is_not_lost(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    server = serve(GOOD)
    # a call costs 10 cents, and with 160 tokens of answer 32 cents at most
    limited = words(server, "--prices", prices(output=2000), "--run", "run", "--concurrency", 1)
    for _ in range(2):
        assert command(*limited, "--max-cost", "0.6") == 1
        # three are paid; a fourth could pass the limit
        assert len(server.requests) == 3
        assert spent("run") == pytest.approx(0.3)
    assert "--max-cost 0.6: 0.3000 USD are spent" in capsys.readouterr().err
    assert command(*limited, "--max-cost", "1") == 0
    assert len(server.requests) == 6
    assert spent("run") == pytest.approx(0.6)
    assert metrics("run")["cost"]["cost_usd"] == pytest.approx(0.6)


def test_the_limit_holds_with_many_questions_at_a_time(serve: Serve) -> None:
    server = serve(GOOD)
    limited = words(server, "--prices", prices(output=2000), "--run", "run", limit=24)
    assert command(*limited, "--concurrency", "8", "--max-cost", "1", "--yes") == 1
    # after seven calls 70 cents are spent, and 32 more could pass a dollar
    assert len(server.requests) == 7
    assert CallStore(Path("calls.db")).info().models.popitem()[1].calls == 7


def test_a_limit_without_a_price_is_refused(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(*words(serve(GOOD), "--max-cost", "1")) == 2
    assert "price of openai:some-model is not known" in capsys.readouterr().err


def test_an_answer_that_cannot_be_read_costs_once_and_is_asked_anew_on_retry(
    serve: Serve,
) -> None:
    server = serve(lambda n, _: completion("Well ...") if n == 0 else GOOD)
    paid = ("--prices", prices(output=100), "--concurrency", 1)
    assert command(*words(server, *paid, "--run", "one")) == 1
    assert command(*words(server, *paid, "--run", "two")) == 1
    assert len(server.requests) == 6
    assert command(*words(server, *paid, "--run", "two", "--retry-failed")) == 0
    assert len(server.requests) == 7
    assert server.requests[6]["seed"] != server.requests[0]["seed"]
    # the second answer is kept too
    assert command(*words(server, *paid, "--run", "one", "--retry-failed")) == 0
    assert command(*words(server, *paid, "--run", "three")) == 1
    assert len(server.requests) == 7


def test_no_secret_gets_into_the_cache_or_the_run(serve: Serve) -> None:
    def echo(number: int, headers: Any) -> tuple[int, str]:
        heard = headers.get("Authorization", "")
        if number == 1:
            return 400, json.dumps({"error": {"message": f"bad key {heard} pass-in-url"}})
        return completion(f"{RANKED} for {heard} pass-in-url, {KEY}")

    server = serve(echo)
    server.url = server.url.replace("http://", "http://somebody:pass-in-url@")
    assert command(*words(server, "--run", "run", "--concurrency", 1)) == 1
    store = CallStore(Path("calls.db"))
    assert store.info().models.popitem()[1].calls == 5
    for key in (c for p in json_lines("run/items.jsonl") for c in p["prediction"].get("calls", ())):
        call = store.recall(key)
        assert call is not None
        assert "(key)" in call.text
        assert KEY not in str(call)
    store.close()
    for path in (p for p in Path().rglob("*") if p.is_file()):
        data = path.read_bytes()
        for secret in (KEY, "pass-in-url", "somebody"):
            assert secret.encode() not in data, (path, secret)


def json_lines(path: str) -> list[Any]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_the_questions_for_calibration_are_kept_and_paid_once(tmp_path: Path) -> None:
    far = script(
        '{"setup": {"answers": "letter", "remote": true}}',
        '{"option": 1, "answer_tokens": 1}',
        '{"free": true, "option": 1, "answer_tokens": 1}',
    )
    Path("prices.json").write_text('{"mock:*": {"input": 0, "output": 10000}}')
    settings = Settings(model=f"mock:{far}", calls=str(tmp_path / "calls.db"), prices="prices.json")
    task = load("task", "itp")
    from relgraph import read

    asked = [case.instance for case in task.cases(read("sample")[0], View())][:4]
    paid = []
    for _ in range(2):
        open_model.cache_clear()
        said = list(LLM(settings).fit((), seed=0).predict(asked))
        assert not any(p.failure for p in said)
        paid.append(sum(p.cost.cost_usd for p in said))
    store = CallStore(tmp_path / "calls.db")
    (of,) = store.info().models.values()
    # both orders of yes and no may be asked without a conversation
    assert 5 <= of.calls <= 6
    assert paid == [pytest.approx(of.cost_usd), 0]


def test_a_run_that_is_killed_pays_again_only_for_what_was_under_way(serve: Serve) -> None:
    def slowly(number: int, _: Any) -> tuple[int, str]:
        time.sleep(0.02)
        return GOOD

    server = serve(slowly)
    paid = ("--prices", prices(output=100), "--concurrency", 4, "--run", "run")
    todo = words(server, *paid, limit=60)
    quiet = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        [sys.executable, "-c", RUNNER, *todo], stderr=subprocess.DEVNULL, env=quiet
    )
    while len(server.requests) < 20 and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    time.sleep(0.1)
    before = len(server.requests)
    assert 20 <= before < 60
    kept = CallStore(Path("calls.db")).info().models.popitem()[1].calls
    assert before - kept <= 4
    assert command(*todo) == 0
    assert len(server.requests) == before + 60 - kept
    assert metrics("run")["coverage"] == 1
