"""Several approaches asked instance by instance in turn, and what needs them after that."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from relgraph.errors import RunError
from relgraph.evaluation.plan import Request
from relgraph.evaluation.runner import Data, prepare, run
from relgraph.records import Conversation

Plugin = Callable[[str, str], Path]
Couples = tuple[Conversation, ...]

LOGS = """
in_step = {in_step}
learns = {learns}
needs = {needs}
def predict(self, instances, findings):
    import os, signal
    from pathlib import Path
    log = Path(os.environ["ASKED"])
    for i in instances:
        with log.open("a") as file:
            file.write(self.name + " " + i.id + "\\n")
        if str(len(log.read_text().splitlines())) in os.environ.get("DIE_AT", "").split():
            os.kill(os.getpid(), signal.SIGKILL)
        yield Prediction(i.id, i.options, because=tuple(findings))
"""


def logs(*, in_step: bool = True, learns: bool = False, needs: tuple[str, ...] = ()) -> str:
    return LOGS.format(in_step=in_step, learns=learns, needs=needs)


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[list[str]]]:
    """Gives what was asked so far, in order: approach and instance."""
    log = tmp_path / "asked.txt"
    monkeypatch.setenv("ASKED", str(log))
    return lambda: [line.split() for line in log.read_text().splitlines()]


def go(couples: Couples, folder: Path, *names: str) -> None:
    request = Request(names, ("rpp", "stp"), folds=3)
    run(prepare(request, Data(couples, "couples.jsonl", "d")), folder)


def test_approaches_that_go_in_step_answer_each_instance_in_turn(
    couples: Couples, tmp_path: Path, plugin: Plugin, asked: Callable[[], list[list[str]]]
) -> None:
    plugin("first", logs())
    plugin("second", logs(learns=True))
    go(couples, tmp_path / "run", "first", "second")
    seen = asked()
    assert [name for name, _ in seen] == ["first", "second"] * 48
    assert [i for _, i in seen[::2]] == [i for _, i in seen[1::2]]


def test_they_go_through_the_conversations_in_their_order_whatever_the_folds(
    couples: Couples, tmp_path: Path, plugin: Plugin, asked: Callable[[], list[list[str]]]
) -> None:
    plugin("first", logs(learns=True))
    go(couples, tmp_path / "run", "first")
    todo = prepare(Request(("first",), ("rpp", "stp"), folds=3), Data(couples, "x", "d"))
    home = {c.instance.id: c.conversation_id for of in todo.cases.values() for c in of}
    seen = list(dict.fromkeys(home[i] for _, i in asked()))
    assert seen == [c.id for c in couples]


def test_the_keys_of_what_learns_keep_their_fold(
    couples: Couples, tmp_path: Path, plugin: Plugin, asked: Callable[[], list[list[str]]]
) -> None:
    import json

    plugin("first", logs())
    plugin("second", logs(learns=True))
    go(couples, tmp_path / "run", "first", "second")
    lines = (tmp_path / "run" / "items.jsonl").read_text(encoding="utf-8").splitlines()
    found: dict[str, set[int]] = {}
    for row in map(json.loads, lines):
        found.setdefault(row["approach"], set()).add(row["fold"])
    assert found["first"] == {-1}
    assert found["second"] == {0, 1, 2}


def test_what_does_not_go_in_step_answers_on_its_own_before_them(
    couples: Couples, tmp_path: Path, plugin: Plugin, asked: Callable[[], list[list[str]]]
) -> None:
    plugin("first", logs())
    plugin("alone", logs(in_step=False))
    plugin("second", logs())
    go(couples, tmp_path / "run", "first", "alone", "second")
    names = [name for name, _ in asked()]
    assert names == ["alone"] * 48 + ["first", "second"] * 48


def test_what_needs_one_of_them_waits_and_does_not_part_the_others(
    couples: Couples, tmp_path: Path, plugin: Plugin, asked: Callable[[], list[list[str]]]
) -> None:
    plugin("first", logs())
    plugin("after", logs(needs=("first",)))
    plugin("second", logs())
    go(couples, tmp_path / "run", "first", "after", "second")
    names = [name for name, _ in asked()]
    assert names == ["first", "second"] * 48 + ["after"] * 48


def test_too_few_answers_in_step_stop_the_run(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin(
        "mine",
        """
        in_step = True
        def predict(self, instances, findings):
            for i in instances[:-1]:
                yield Prediction(i.id, i.options)
        """,
    )
    with pytest.raises(RunError, match="gave 47 predictions, 48"):
        go(couples, tmp_path / "run", "mine")


def test_too_many_answers_in_step_stop_the_run(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin(
        "mine",
        """
        in_step = True
        def predict(self, instances, findings):
            for i in [*instances, instances[-1]]:
                yield Prediction(i.id, i.options)
        """,
    )
    with pytest.raises(RunError, match="more predictions than the 48"):
        go(couples, tmp_path / "run", "mine")


def test_killed_in_step_a_run_leaves_the_files_of_an_undisturbed_one(
    couples_file: Path, tmp_path: Path, plugin: Plugin, plain: Callable[[Path], object]
) -> None:
    plugin("first", logs())
    site = plugin("second", logs(learns=True))

    def evaluate(folder: Path, die_at: str) -> int:
        argv = ["eval", "--approach", "first", "--approach", "second", "--folds", "3", "--json"]
        argv += ["--data", str(couples_file), "--run", str(folder), "--task", "rpp"]
        env = {**os.environ, "PYTHONPATH": str(site), "DIE_AT": die_at}
        env["ASKED"] = str(tmp_path / f"{folder.name}.txt")
        code = "from relgraph._cli import main; main()"
        command = [sys.executable, "-c", code, *argv]
        return subprocess.run(command, env=env, capture_output=True, check=False).returncode

    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert evaluate(whole, "") == 0
    assert [evaluate(broken, "2 21 40") for _ in range(3)] == [-signal.SIGKILL] * 3
    assert evaluate(broken, "") == 0
    for name in ("items.jsonl", "scores.json"):
        assert plain(broken / name) == plain(whole / name), name
    asked = (tmp_path / "broken.txt").read_text().splitlines()
    # what was in flight when it died is all that was asked twice
    assert (len(set(asked)), len(asked)) == (48, 51)
