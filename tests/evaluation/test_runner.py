"""The runner: folds, leaks, order, failures, resuming; with approaches installed as plugins."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from relgraph.approach import Settings
from relgraph.errors import DataError, LeakError, RelgraphError, RunError, UnknownNameError
from relgraph.evaluation.plan import Request, known_tasks, select
from relgraph.evaluation.runner import Data, Run, prepare, run
from relgraph.records import Conversation, View

Plugin = Callable[[str, str], Path]
Couples = tuple[Conversation, ...]

TELLS_TRAINING = """
learns = True
def fit(self, train, *, seed):
    fitted = type(self)(self.settings)
    fitted.seen = tuple(sorted({c.relationship for c in train}))
    return fitted
def predict(self, instances, findings):
    for i in instances:
        yield Prediction(i.id, tuple(i.options), because=self.seen)
"""


def asked(*approaches: str, tasks: tuple[str, ...] = ("rpp", "stp"), **more: object) -> Request:
    return Request(approaches, tasks, **{"folds": 3, **more})  # type: ignore[arg-type]


def go(request: Request, couples: Couples, folder: Path, **how: bool) -> Run:
    return run(prepare(request, Data(couples, "couples.jsonl", "d1")), folder, **how)


def lines(folder: Path) -> list[dict[str, object]]:
    text = (folder / "items.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_every_floor_of_the_tasks_stands_in_the_run_though_nobody_asked(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin("mine", "")
    scores = go(asked("mine"), couples, tmp_path / "run").scores
    assert list(scores["tasks"]["rpp"]["approaches"]) == ["majority", "random-order", "mine"]
    assert "last-speaker" in scores["tasks"]["stp"]["approaches"]
    assert "always-yes" not in scores["tasks"]["stp"]["approaches"]


def test_what_learns_is_set_up_for_the_context_that_is_tested(couples: Couples) -> None:
    data = Data(couples, "couples.jsonl", "d1")
    for given, meant in ((2, 2), (0, 0), (-1, -1), (None, -1)):
        team = prepare(asked("text-head", context_turns=given), data).team
        learner, floor = team.members["text-head"], team.members["majority"]
        assert learner._settings.view.context_turns == meant  # type: ignore[attr-defined]
        assert floor.settings.view.context_turns == meant  # type: ignore[attr-defined]


def test_what_learns_is_trained_on_other_relationships_only(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin("mine", TELLS_TRAINING)
    go(asked("mine"), couples, tmp_path / "run")
    mine = [row for row in lines(tmp_path / "run") if row["approach"] == "mine"]
    assert {row["relationship"] for row in mine} == {c.relationship for c in couples}
    for row in mine:
        assert row["relationship"] not in row["prediction"]["because"]
        assert len(row["prediction"]["because"]) == 4  # six couples, two in each of three folds


def test_what_does_not_learn_is_fitted_once_with_nothing(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin(
        "mine",
        """
        def fit(self, train, *, seed):
            self.fits = getattr(self, "fits", 0) + 1
            self.seen = len(train)
            return self
        def predict(self, instances, findings):
            for i in instances:
                yield Prediction(i.id, i.options, because=(str(self.fits), str(self.seen)))
        """,
    )
    go(asked("mine"), couples, tmp_path / "run")
    mine = [row for row in lines(tmp_path / "run") if row["approach"] == "mine"]
    assert {tuple(row["prediction"]["because"]) for row in mine} == {("1", "0")}
    assert {row["fold"] for row in mine} == {-1}


def test_an_approach_is_given_what_the_ones_it_needs_said(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    body = """
    needs = ("last-speaker",)
    tasks = frozenset({"stp"})
    def predict(self, instances, findings):
        for i in instances:
            yield Prediction(i.id, findings["last-speaker"][i.id].ranking)
    """
    plugin("echo", body)
    scores = go(asked("echo", tasks=("stp",)), couples, tmp_path / "run").scores
    rows = scores["tasks"]["stp"]["approaches"]
    assert rows["echo"]["metrics"] == rows["last-speaker"]["metrics"]


def test_what_is_needed_joins_the_run_before_the_one_that_needs_it(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin("first", "")
    plugin("second", 'needs = ("first",)')
    done = go(asked("second"), couples, tmp_path / "run")
    assert list(done.answers)[-2:] == ["first", "second"]


def test_approaches_that_need_each_other_are_refused(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin("first", 'needs = ("second",)')
    plugin("second", 'needs = ("first",)')
    with pytest.raises(RelgraphError, match="circle: first -> second -> first"):
        go(asked("first"), couples, tmp_path / "run")


def test_an_approach_that_answers_none_of_the_tasks_is_refused(couples: Couples) -> None:
    with pytest.raises(RelgraphError, match=r"'last-speaker' answers stp, none of .* rpp"):
        prepare(asked("last-speaker", tasks=("rpp",)), Data(couples, "x", ""))


def test_an_unknown_approach_gets_a_suggestion(couples: Couples) -> None:
    with pytest.raises(UnknownNameError, match="mean 'majority'"):
        prepare(asked("majorty"), Data(couples, "x", ""))


def test_what_saw_a_tested_conversation_is_refused_with_the_list(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    from relgraph.records import fingerprint

    plugin("mine", f"trained_on = frozenset({{{fingerprint(couples[3])!r}}})")
    with pytest.raises(LeakError, match=r"mine was trained on 1 of the 8 .*\n  couple1/2\n"):
        go(asked("mine"), couples, tmp_path / "run")


def test_what_saw_another_conversation_of_a_tested_couple_is_refused(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin("mine", 'trained_relationships = frozenset({"couple0"})')
    with pytest.raises(LeakError, match=r"2 of the 8 .*\n  couple0/1\n  couple0/2\n"):
        go(asked("mine"), couples, tmp_path / "run")


WRONG = {
    "none of the options": "Prediction(i.id, ('nobody',))",
    "twice": "Prediction(i.id, (i.options[0],) * 2)",
    "sum to 0.5": "Prediction(i.id, i.options, (0.5,) + (0.0,) * (len(i.options) - 1))",
    "outside 0 to 1": "Prediction(i.id, i.options[:2], (1.5, -0.5))",
    "outside 0 to 1: \\[nan": "Prediction(i.id, i.options[:2], (float('nan'), 1.0))",
    "probabilities for": "Prediction(i.id, i.options, (1.0,))",
    "neither a ranking nor": "Prediction(i.id)",
    "is for instance 'x'": "Prediction('x', i.options)",
    "an answer and a cause": "Prediction(i.id, i.options, failure='no')",
}


@pytest.mark.parametrize("cause", WRONG)
def test_a_prediction_that_is_no_answer_stops_the_run_by_the_name_of_the_approach(
    cause: str, couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin(
        "mine",
        f"""
        def predict(self, instances, findings):
            for i in instances:
                yield {WRONG[cause]}
        """,
    )
    place = "approach mine, task rpp, conversation couple0/1, turn 3"
    with pytest.raises(RunError, match=f"{place}.*{cause}"):
        go(asked("mine"), couples, tmp_path / "run")


def test_an_emotion_is_no_answer_when_it_is_left_out(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin(
        "mine",
        """
        tasks = frozenset({"er"})
        def predict(self, instances, findings):
            yield from (Prediction(i.id) for i in instances)
        """,
    )
    with pytest.raises(RunError, match=r"task er.*neither an emotion nor a cause"):
        go(asked("mine", tasks=("er",)), couples, tmp_path / "run")


@pytest.mark.parametrize(
    ("many", "cause"), [("instances[1:]", "gave 47 .*48 were asked"), ("[*instances] * 2", "more")]
)
def test_too_few_or_too_many_predictions_stop_the_run(
    many: str, cause: str, couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin(
        "mine",
        f"""
        def predict(self, instances, findings):
            asked = list(instances)
            for i, j in zip({many}, [*asked, *asked]):
                yield Prediction(j.id, j.options)
        """,
    )
    with pytest.raises(RunError, match=f"approach mine gave.*{cause}|{cause}"):
        go(asked("mine"), couples, tmp_path / "run")


FAILS_AT_FIRST = """
def predict(self, instances, findings):
    from pathlib import Path
    tried = Path({tried!r})
    again = tried.exists()
    tried.touch()
    for k, i in enumerate(instances):
        if k % 4 == 0 and not again:
            yield Prediction(i.id, failure="busy", raw="503")
        else:
            yield Prediction(i.id, i.options)
"""


def test_failed_items_show_as_coverage_with_their_cause(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin("mine", FAILS_AT_FIRST.format(tried=str(tmp_path / "tried")))
    done = go(asked("mine"), couples, tmp_path / "run")
    assert done.failed == 12
    row = done.scores["tasks"]["rpp"]["approaches"]["mine"]
    assert (row["n"], row["failed"], row["causes"]) == (24, row["failed"], {"busy": row["failed"]})
    assert row["coverage"] == 1 - row["failed"] / 24
    assert row["failures_as_wrong"]["accuracy"] < row["metrics"]["accuracy"]["value"]


def test_failed_items_are_asked_again_only_on_request(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin("mine", FAILS_AT_FIRST.format(tried=str(tmp_path / "tried")))
    assert go(asked("mine"), couples, tmp_path / "run").failed == 12
    assert go(asked("mine"), couples, tmp_path / "run").failed == 12
    assert go(asked("mine"), couples, tmp_path / "run", retry_failed=True).failed == 0
    before = (tmp_path / "run" / "attempts.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["prediction"]["failure"] for line in before] == ["busy"] * 12


def test_an_error_of_an_approach_keeps_what_was_answered_before_it(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin(
        "mine",
        """
        def predict(self, instances, findings):
            from relgraph.errors import RunError
            yield Prediction(instances[0].id, instances[0].options)
            raise RunError("the endpoint is gone")
        """,
    )
    with pytest.raises(RunError, match="the endpoint is gone"):
        go(asked("mine"), couples, tmp_path / "run")
    rows = lines(tmp_path / "run")
    assert [row["turn"] for row in rows if row["approach"] == "mine"] == [3]


def test_a_run_of_another_seed_or_of_other_data_is_not_resumed(
    couples: Couples, tmp_path: Path
) -> None:
    request = asked("majority")
    go(request, couples, tmp_path / "run")
    other = replace(request, settings=Settings(seed=4))
    with pytest.raises(RelgraphError, match=r"settings.seed: the run has 0, asked for is 4"):
        go(other, couples, tmp_path / "run")
    todo = prepare(request, Data(couples, "couples.jsonl", "d2"))
    with pytest.raises(RelgraphError, match=r'data.digest: the run has "d1", asked for is "d2"'):
        run(todo, tmp_path / "run")


def test_the_name_of_the_folder_tells_runs_apart_and_equal_ones_not(couples: Couples) -> None:
    data = Data(couples, "couples.jsonl", "d1")
    names = {
        prepare(request, data).folder_name
        for request in (
            asked("majority"),
            asked("majority"),
            replace(asked("majority"), settings=Settings(concurrency=9, cache="/elsewhere")),
            asked("majority", limit=5),
            replace(asked("majority"), settings=Settings(seed=1)),
        )
    }
    assert len(names) == 3
    assert all(name.startswith("couples-") for name in names)


def test_nothing_secret_of_the_endpoint_gets_into_the_run(couples: Couples, tmp_path: Path) -> None:
    url = "https://user:hunter2@llm.example/v1?key=hunter2"
    go(replace(asked("majority"), settings=Settings(base_url=url)), couples, tmp_path / "run")
    text = (tmp_path / "run" / "run.json").read_text(encoding="utf-8")
    assert "hunter2" not in text
    assert "https://llm.example/v1" in text


def test_a_limit_deals_instances_over_conversations_and_the_seed_does_not_matter(
    couples: Couples,
) -> None:
    chosen = [
        select(couples, asked("x", limit=10, settings=Settings(seed=seed)))["rpp"]
        for seed in (0, 1)
    ]
    assert chosen[0] == chosen[1]
    per = [sum(c.conversation_id == of.id for c in chosen[0]) for of in couples]
    assert sorted(per) == [1, 1, 1, 1, 1, 1, 2, 2]


def test_a_limit_draws_from_the_whole_of_a_conversation(couples: Couples) -> None:
    turns = {c.turn for c in select(couples, asked("x", limit=8))["rpp"]}
    assert len(turns) > 1


def test_a_limit_beyond_what_there_is_takes_everything(couples: Couples) -> None:
    assert select(couples, asked("x", limit=999)) == select(couples, asked("x"))


def test_few_conversations_are_tested_and_all_the_others_still_train(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin("mine", TELLS_TRAINING)
    go(asked("mine", conversations=2), couples, tmp_path / "run")
    mine = [row for row in lines(tmp_path / "run") if row["approach"] == "mine"]
    assert len({row["conversation"] for row in mine}) == 2
    assert {len(row["prediction"]["because"]) for row in mine} == {4}


def test_fewer_couples_than_folds_are_refused_with_what_is_possible(couples: Couples) -> None:
    with pytest.raises(RelgraphError, match="choose --folds between 2 and 6"):
        prepare(asked("majority", folds=7), Data(couples, "x", ""))


def test_a_floor_that_nobody_asked_for_does_not_ask_for_more_folds_than_there_are(
    couples: Couples, plugin: Plugin
) -> None:
    plugin("mine", "")
    todo = prepare(asked("mine", folds=5), Data(couples[:3], "x", ""))
    assert len(todo.folds) == 2
    alone = prepare(asked("mine", folds=5), Data(couples[:2], "x", ""))
    assert "majority" in alone.what["floors_left_out"]
    assert "majority" not in alone.team.members


def test_two_conversations_of_one_id_are_refused(couples: Couples) -> None:
    with pytest.raises(DataError, match="'couple0/1' is in the data twice"):
        select((*couples, couples[0]), asked("x"))


def test_data_without_any_instance_is_refused(couples: Couples) -> None:
    bare = tuple(replace(c, gold=()) for c in couples)
    with pytest.raises(DataError, match="holds no instance of rpp, stp"):
        prepare(asked("majority"), Data(bare, "bare.jsonl", ""))


def test_the_paper_protocol_shows_what_the_published_runs_showed(couples: Couples) -> None:
    request = asked("x", tasks=("rpp", "stp"), settings=Settings(view=View(protocol="paper")))
    cases = select(couples, request)
    assert max(len(c.instance.conversation.turns) for c in cases["stp"]) == 3
    assert max(len(c.instance.conversation.turns) for c in cases["rpp"]) == 8
    wide = select(couples, replace(request, context_turns=1))
    assert {len(c.instance.conversation.turns) for c in wide["rpp"]} == {1}


def test_an_instance_id_is_that_of_one_task_in_both_protocols(couples: Couples) -> None:
    for protocol in ("strict", "paper"):
        request = asked(
            "x",
            tasks=known_tasks(("all",)),
            settings=Settings(view=View(protocol=protocol)),  # type: ignore[arg-type]
        )
        ids = [c.instance.id for of in select(couples, request).values() for c in of]
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize("line", ["import a_package_that_is_not_there", "1 / 0"])
def test_a_plugin_that_cannot_be_imported_does_not_stop_others(
    line: str,
    couples: Couples,
    tmp_path: Path,
    plugin: Plugin,
    capsys: pytest.CaptureFixture[str],
) -> None:
    plugin("broken", line)
    go(asked("majority"), couples, tmp_path / "run")
    assert "approach broken cannot be loaded" in capsys.readouterr().err


DIES = """
restarts_unit = {restarts}
learns = {learns}
def predict(self, instances, findings):
    import os, signal
    from pathlib import Path
    for i in instances:
        with Path(os.environ["PAID"]).open("a") as file:
            file.write(i.id + "\\n")
        count = len(Path(os.environ["PAID"]).read_text().splitlines())
        if str(count) in os.environ["DIE_AT"].split():
            os.kill(os.getpid(), signal.SIGKILL)
        drawn = int(i.id, 16)
        yield Prediction(
            i.id,
            tuple(sorted(i.options, key=lambda o: hash((drawn, len(o))))),
            cost=Cost(prompt_tokens=count, time_s=count / 7),
        )
"""


def evaluate(data: Path, folder: Path, site: Path, die_at: str) -> subprocess.CompletedProcess[str]:
    argv = ["eval", "--approach", "mine", "--data", str(data), "--folds", "3", "--run", str(folder)]
    argv += ["--task", "rpp", "--task", "stp", "--json"]
    paid = folder.parent / f"{folder.name}.paid"
    env = {**os.environ, "PYTHONPATH": str(site), "PAID": str(paid), "DIE_AT": die_at}
    code = "from relgraph._cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *argv], env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("restarts", "learns", "deaths"),
    [(False, False, ("1", "9", "30")), (False, True, ("5", "40")), (True, False, ("2", "33"))],
)
def test_killed_again_and_again_a_run_leaves_the_files_of_an_undisturbed_one(
    restarts: bool,
    learns: bool,
    deaths: tuple[str, ...],
    couples_file: Path,
    tmp_path: Path,
    plugin: Plugin,
    plain: Callable[[Path], object],
) -> None:
    site = plugin("mine", DIES.format(restarts=restarts, learns=learns))
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert evaluate(couples_file, whole, site, "").returncode == 0
    for death in deaths:
        done = evaluate(couples_file, broken, site, " ".join(deaths))
        assert done.returncode == -signal.SIGKILL, (death, done.stderr)
        assert not (broken / "scores.json").exists()
    assert evaluate(couples_file, broken, site, "").returncode == 0
    for name in ("run.json", "items.jsonl", "scores.json"):
        assert plain(broken / name) == plain(whole / name), name
    paid = (tmp_path / "broken.paid").read_text().splitlines()
    once = len(set(paid))
    assert once == 48
    # only what was being answered when it died is paid again; a broken unit as a whole
    units = (tmp_path / "broken" / "attempts.jsonl").exists()
    assert units == restarts
    assert len(paid) - once == len(deaths) if not restarts else len(paid) - once <= 3 * len(deaths)


def test_a_unit_that_was_not_begun_is_not_marked_as_superseded(
    couples_file: Path, tmp_path: Path, plugin: Plugin
) -> None:
    site = plugin("mine", DIES.format(restarts=True, learns=False))
    evaluate(couples_file, tmp_path / "run", site, "10")
    assert "superseded" not in (tmp_path / "run" / "items.jsonl").read_text(encoding="utf-8")


def test_a_finished_run_asks_nothing_again(
    couples_file: Path, tmp_path: Path, plugin: Plugin
) -> None:
    site = plugin("mine", DIES.format(restarts=False, learns=False))
    outputs = [evaluate(couples_file, tmp_path / "run", site, "").stdout for _ in range(2)]
    assert outputs[0] == outputs[1]
    assert len((tmp_path / "run.paid").read_text().splitlines()) == 48
