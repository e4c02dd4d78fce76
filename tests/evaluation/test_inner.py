"""What an approach that learns says of training instances: from folds within the training."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from relgraph.errors import RelgraphError
from relgraph.evaluation.inner import planned
from relgraph.evaluation.jobs import jobs
from relgraph.evaluation.plan import Request
from relgraph.evaluation.runner import Data, Plan, prepare, run
from relgraph.records import Conversation, Relation

Plugin = Callable[[str, str], Path]
Couples = tuple[Conversation, ...]

LEARNER = """
learns = True
def fit(self, train, *, seed):
    fitted = type(self)(self.settings)
    fitted.seen = tuple(sorted({c.relationship for c in train}))
    fitted.gold = tuple(sorted({r.label for c in train for g in c.gold for r in g.relations}))
    return fitted
def predict(self, instances, findings):
    import os, signal
    from pathlib import Path
    for i in instances:
        if "ASKED" in os.environ:
            log = Path(os.environ["ASKED"])
            with log.open("a") as file:
                file.write(" ".join((*self.seen, i.id)) + "\\n")
            if str(len(log.read_text().splitlines())) in os.environ.get("DIE_AT", "").split():
                os.kill(os.getpid(), signal.SIGKILL)
        yield Prediction(i.id, i.options, because=(*self.seen, *self.gold))
"""
READER = """
needs = {needs}
learns = True
reads_training = {reads}
def fit(self, train, *, seed):
    return self
def predict(self, instances, findings):
    import json
    for i in instances:
        shown = {{n: {{k: p.because for k, p in of.items()}} for n, of in findings.items()}}
        yield Prediction(i.id, i.options, because=(json.dumps(shown),))
"""


def plan(couples: Couples, *names: str, folds: int = 3) -> Plan:
    return prepare(Request(names, ("rpp", "stp"), folds=folds), Data(couples, "couples.jsonl", "d"))


@pytest.fixture
def reader(plugin: Plugin) -> Callable[..., Path]:
    """Installs `learner`, and `reader` that needs it and tells all that it was given."""

    def install(*needs: str, reads: bool = True) -> Path:
        plugin("learner", LEARNER)
        return plugin("reader", READER.format(needs=needs or ("learner",), reads=reads))

    return install


def told(folder: Path, name: str) -> Iterator[tuple[dict[str, object], dict[str, list[str]]]]:
    """An item of `reader`, and what it was given of each instance by the approach `name`."""
    for line in (folder / "items.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["approach"] == "reader":
            yield row, json.loads(row["prediction"]["because"][0])[name]


def home(todo: Plan) -> dict[str, str]:
    return {c.instance.id: c.relationship for of in todo.cases.values() for c in of}


def test_all_training_instances_come_with_a_word_of_who_saw_neither_them_nor_the_tested(
    couples: Couples, tmp_path: Path, reader: Callable[..., Path]
) -> None:
    reader()
    todo = plan(couples, "reader")
    run(todo, tmp_path / "run")
    of = home(todo)
    tested = [{c.relationship for c in fold.test} for fold in todo.folds]
    seen = 0
    for row, given in told(tmp_path / "run", "learner"):
        out = tested[row["fold"]]  # type: ignore[index]
        training = {i: said for i, said in given.items() if of[i] not in out}
        assert set(training) == {i for i, name in of.items() if name not in out}
        for instance, said in training.items():
            assert of[instance] not in said
            assert not out & set(said)
            assert len([name for name in said if name.startswith("couple")]) in (2, 3)
        for instance in set(given) - set(training):
            assert not out & set(given[instance])
        seen += 1
    assert seen == len(of)


def relabelled(conversation: Conversation) -> Conversation:
    gold = tuple(
        replace(g, relations=tuple(Relation(r.field, "mixed_transition") for r in g.relations))
        for g in conversation.gold
    )
    return replace(conversation, gold=gold)


def test_the_gold_of_the_tested_fold_changes_nothing_of_what_is_shown(
    couples: Couples, tmp_path: Path, reader: Callable[..., Path]
) -> None:
    reader()
    todo = plan(couples, "reader")
    run(todo, tmp_path / "one")
    out = {c.id for c in todo.folds[0].test}
    other = tuple(relabelled(c) if c.id in out else c for c in couples)
    run(plan(other, "reader"), tmp_path / "other")
    shown = [
        [given for row, given in told(tmp_path / n, "learner") if row["fold"] == 0]
        for n in ("one", "other")
    ]
    assert shown[0] == shown[1]
    later = [
        [given for row, given in told(tmp_path / n, "learner") if row["fold"] == 1]
        for n in ("one", "other")
    ]
    assert later[0] != later[1]


def test_instances_have_the_same_ids_within_a_training_as_in_the_run(
    couples: Couples, reader: Callable[..., Path]
) -> None:
    reader()
    todo = plan(couples, "reader")
    outside = home(todo)
    for job in jobs(todo, todo.team.members["reader"]):
        within = home(planned(todo, job, "learner"))
        train = {c.relationship for c in job.train}
        assert within == {i: name for i, name in outside.items() if name in train}


def test_the_words_of_what_learns_nothing_are_those_of_the_run_itself(
    couples: Couples, tmp_path: Path, plugin: Plugin, reader: Callable[..., Path]
) -> None:
    plugin("plain", "")
    reader("plain")
    request = Request(("reader",), ("rpp", "stp"), folds=3, limit=10)
    run(prepare(request, Data(couples, "couples.jsonl", "d")), tmp_path / "run")
    rows = list(told(tmp_path / "run", "plain"))
    assert {len(given) for _, given in rows} == {20}
    assert not (tmp_path / "run" / "inner").exists()


def test_who_does_not_read_training_costs_no_folds_within_it(
    couples: Couples, tmp_path: Path, reader: Callable[..., Path]
) -> None:
    reader(reads=False)
    todo = plan(couples, "reader")
    run(todo, tmp_path / "run")
    assert not (tmp_path / "run" / "inner").exists()
    of = home(todo)
    tested = [{c.relationship for c in fold.test} for fold in todo.folds]
    for row, given in told(tmp_path / "run", "learner"):
        assert {of[i] for i in given} <= tested[row["fold"]]  # type: ignore[index]


def test_a_training_of_one_relationship_is_refused_before_anything_runs(
    couples: Couples, tmp_path: Path, reader: Callable[..., Path]
) -> None:
    reader()
    with pytest.raises(RelgraphError, match=r"'reader' reads what learner says.*one relat"):
        plan(couples[:3], "reader", folds=2)


def test_folds_within_are_finished_once_whoever_asks_for_them(
    couples: Couples,
    tmp_path: Path,
    plugin: Plugin,
    reader: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader()
    plugin("second", READER.format(needs=("learner",), reads=True))
    monkeypatch.setenv("ASKED", str(tmp_path / "asked.txt"))
    run(plan(couples, "reader", "second"), tmp_path / "run")
    asked = (tmp_path / "asked.txt").read_text().splitlines()
    # 48 tested ones, and each of them in the training of the two other folds
    assert (len(set(asked)), len(asked)) == (48 * 3, 48 * 3)


def test_killed_within_a_training_a_run_loses_nothing(
    couples_file: Path,
    tmp_path: Path,
    reader: Callable[..., Path],
    plain: Callable[[Path], object],
) -> None:
    site = reader()

    def evaluate(folder: Path, die_at: str) -> int:
        argv = ["eval", "--approach", "reader", "--folds", "3", "--task", "rpp", "--json"]
        argv += ["--data", str(couples_file), "--run", str(folder)]
        env = {**os.environ, "PYTHONPATH": str(site), "DIE_AT": die_at}
        env["ASKED"] = str(tmp_path / f"{folder.name}.txt")
        code = "from relgraph._cli import main; main()"
        command = [sys.executable, "-c", code, *argv]
        return subprocess.run(command, env=env, capture_output=True, check=False).returncode

    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert evaluate(whole, "") == 0
    assert [evaluate(broken, "20 30 60") for _ in range(3)] == [-signal.SIGKILL] * 3
    assert evaluate(broken, "") == 0
    files = ("items.jsonl", "inner/learner-fold-1/items.jsonl", "inner/learner-fold-3/items.jsonl")
    for name in files:
        assert plain(broken / name) == plain(whole / name), name
    asked = (tmp_path / "broken.txt").read_text().splitlines()
    assert (len(set(asked)), len(asked)) == (24 * 3, 24 * 3 + 3)


ASKER = """
learns = False
def predict(self, instances, findings):
    import os
    for k, i in enumerate(instances):
        if k == 0 and "REFUSES" in os.environ:
            yield Prediction(i.id, failure="refused")
        else:
            yield Prediction(i.id, i.options, because=("said",))
"""


def test_what_was_learnt_from_answers_that_are_asked_again_is_learnt_anew(
    couples: Couples,
    tmp_path: Path,
    plugin: Plugin,
    reader: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plugin("asker", ASKER)
    reader("asker")
    todo = plan(couples, "reader")
    monkeypatch.setenv("REFUSES", "1")
    run(todo, tmp_path / "mended")
    monkeypatch.delenv("REFUSES")
    run(todo, tmp_path / "mended", retry_failed=True)
    run(todo, tmp_path / "whole")
    one, other = ((tmp_path / name / "items.jsonl").read_text() for name in ("mended", "whole"))
    assert one == other
