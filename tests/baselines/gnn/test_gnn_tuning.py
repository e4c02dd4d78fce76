"""Nested selection: a search sees its own conversations alone, and goes on where it was killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict, replace
from math import log
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from relgraph import registry
from relgraph._cli import cli
from relgraph.baselines.gnn import space
from relgraph.baselines.gnn.recipe import Recipe, read_recipes, training_key
from relgraph.baselines.gnn.space import SPACE, Choice, Draws, Span
from relgraph.baselines.gnn.trials import Merit, Sums, Trial, merit
from relgraph.baselines.gnn.tuned import Found, agreement
from relgraph.baselines.gnn.tuning import Budget, _sums, _together, journal_of, plan, tune
from relgraph.corpora import write
from relgraph.errors import DataError, LeakError, MissingPackageError, RelgraphError, RunError
from relgraph.files import exclusive
from relgraph.records import fingerprint, renumber
from relgraph.splits import folds

CLI = Path(__file__).parents[3] / "cli.py"
BASE = {"members": 2, "hidden": 16, "relation": 4, "epochs": 1}
SMALL = {"hidden": Choice((8, 16)), "epochs": Span(1, 2, 1), "rate": Span(1e-3, 6e-3)}
TWO = Budget(configurations=2)


@pytest.fixture
def start(settings, tmp_path):
    """Settings whose recipe is quick to train."""
    (tmp_path / "base.json").write_text(json.dumps(BASE), encoding="utf-8")
    return replace(settings, recipe=str(tmp_path / "base.json"), epochs=0, seed=0)


def lines(path: Path) -> list[dict]:
    """The trainings in the journal beside `path`, without what they cost."""
    text = journal_of(path).read_text(encoding="utf-8")
    return [{**json.loads(line), "cpu_s": 0} for line in text.splitlines()[1:]]


def without_gold(corpus, relationship: str):
    return tuple(
        replace(c, gold=tuple(replace(g, relations=(), strategies=()) for g in c.gold))
        if c.relationship == relationship
        else c
        for c in corpus
    )


def test_gold_of_tested_conversations_changes_nothing_of_what_is_chosen_for_their_fold(
    corpus, start, tmp_path
) -> None:
    for name, data in {"a.json": corpus, "b.json": without_gold(corpus, "elm")}.items():
        tune(tmp_path / name, data, start, count=3, budget=TWO, ranges=SMALL)
    one, other = lines(tmp_path / "a.json"), lines(tmp_path / "b.json")
    tests_elm = [
        training_key(fold.train)
        for fold in folds(corpus, count=3, seed=0)
        if any(c.relationship == "elm" for c in fold.test)
    ]
    assert len(tests_elm) == 1
    assert len(one) == len(other) == 16
    for before, after in zip(one, other, strict=True):
        same = before["tasks"] == after["tasks"]
        assert same == (before["search"] in tests_elm), before["search"]
    chosen = [read_recipes(tmp_path / n).by_training or {} for n in ("a.json", "b.json")]
    assert chosen[0][tests_elm[0]] == chosen[1][tests_elm[0]]


def test_searches_are_of_the_folds_that_eval_tests_and_of_everything(corpus) -> None:
    found = plan(corpus, count=4, seed=7, inner=2)
    assert [s.name for s in found] == ["fold 1", "fold 2", "fold 3", "fold 4", "all data"]
    assert [s.train for s in found[:-1]] == [f.train for f in folds(corpus, count=4, seed=7)]
    assert found[-1].train == corpus
    assert [s.name for s in plan(corpus, count=0, seed=7, inner=2)] == ["all data"]


def test_each_fold_gets_its_own_choice_and_the_general_one_names_what_it_was_chosen_on(
    corpus, start, tmp_path
) -> None:
    found = tune(tmp_path / "r.json", corpus, start, count=3, budget=TWO, ranges=SMALL)
    recipes = read_recipes(tmp_path / "r.json")
    everything = frozenset(fingerprint(c) for c in corpus)
    for fold, search in zip(folds(corpus, count=3, seed=0), found["searches"], strict=False):
        recipe, seen, names = recipes.of(fold.train)
        assert asdict(recipe) == search["configurations"][search["chosen"]]["recipe"]
        assert not seen
        assert not names
        assert recipe.members == 2, "a search trains one network; the recipe keeps its number"
    general, seen, names = recipes.of(corpus)
    last = found["searches"][-1]
    assert asdict(general) == last["configurations"][last["chosen"]]["recipe"]
    assert seen == everything
    assert names == {c.relationship for c in corpus}


def test_the_first_configuration_is_the_recipe_as_it_is(corpus, start, tmp_path) -> None:
    tune(tmp_path / "r.json", corpus, start, count=0, budget=TWO, ranges=SMALL)
    recipes = [line["recipe"] for line in lines(tmp_path / "r.json")]
    assert recipes[0] == recipes[1] == asdict(replace(Recipe(), **BASE))
    assert recipes[2] == recipes[3] != recipes[0]


def test_both_inner_folds_are_held_out_in_turn_and_asked_all_their_cases(
    corpus, start, tmp_path
) -> None:
    uneven = corpus[:-1]
    tune(tmp_path / "r.json", uneven, start, count=0, budget=TWO, ranges=SMALL)
    trained = lines(tmp_path / "r.json")
    assert [(t["configuration"], t["inner"]) for t in trained] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    asked = []
    for inner, fold in enumerate(folds(uneven, count=2, seed=0)):
        for name in ("rpp", "ssp", "stp"):
            task = registry.load("task", name)
            cases = sum(len(list(task.cases(c, start.view))) for c in fold.test)
            assert trained[inner]["tasks"][name]["weight"] == cases
            asked.append(cases)
    assert asked[:3] != asked[3:], "else it could be one inner fold twice"


def test_nothing_is_learnt_from_the_inner_fold_that_is_held_out(corpus, start, tmp_path) -> None:
    first = {c.id for c in folds(corpus, count=2, seed=0)[0].test}
    # The kind of utterance is learnt beside the tasks, and no merit asks for it.
    other = tuple(
        replace(c, gold=tuple(replace(g, utterance_type="") for g in c.gold))
        if c.id in first
        else c
        for c in corpus
    )
    for name, data in {"a.json": corpus, "b.json": other}.items():
        tune(tmp_path / name, data, start, count=0, budget=Budget(configurations=1))
    before, after = ([t["tasks"] for t in lines(tmp_path / n)] for n in ("a.json", "b.json"))
    assert before[0] == after[0], "held out"
    assert before[1] != after[1], "learnt from"


def trial(number: int, inner: int, failure: str = "", **tasks: tuple[float, float, float]) -> Trial:
    sums = {task: Sums(*of) for task, of in tasks.items()}
    return Trial("s", number, inner, {"hidden": number}, sums, 1.0, failure)


def test_inner_folds_are_pooled_by_what_they_hold_and_tasks_count_the_same() -> None:
    parts = trial(0, 0, rpp=(1, 1, -1.0), stp=(2, 1, -2.0)), trial(0, 1, rpp=(3, 1, -5.0))
    assert merit(parts) == Merit(log_likelihood=(-6 / 4 - 2 / 2) / 2, accuracy=(2 / 4 + 1 / 2) / 2)


def found(*values: float | None) -> Found:
    """A search whose configurations have these log-likelihoods; None could not be trained."""
    trials = [
        [trial(k, 0, "" if v is not None else "no number", **({"rpp": (1, 0, v)} if v else {}))]
        for k, v in enumerate(values)
    ]
    return Found("fold 1", (), trials)


def test_the_likeliest_configuration_is_chosen_and_of_equal_ones_the_earlier() -> None:
    assert found(-2.0, -1.5, -1.0, -1.25).best == 2
    assert found(-2.0, -1.0, -1.0).best == 1
    assert found(-1.0, -1.0, -1.0).best == 0


def test_a_configuration_that_cannot_be_trained_is_not_chosen() -> None:
    assert found(None, -3.0, -2.0).best == 2
    with pytest.raises(RunError, match="fold 1: no configuration could be trained: no number"):
        found(None, None).best  # noqa: B018


def test_a_training_without_a_finite_loss_is_told_and_kept_as_failed(
    corpus, start, tmp_path
) -> None:
    (tmp_path / "base.json").write_text(
        json.dumps({**BASE, "rate": 1.0, "decay": 10.0, "epochs": 100})
    )
    steps = []
    with pytest.raises(RunError, match="no configuration could be trained: gnn: the loss"):
        tune(
            tmp_path / "r.json", corpus, start, count=0, budget=Budget(configurations=1),
            report=steps.append,
        )  # fmt: skip
    assert [step.merit for step in steps] == [None, None]
    assert not (tmp_path / "r.json").exists()


def test_an_answer_counts_by_its_probability_and_by_its_rank() -> None:
    votes = [
        (np.array([log(3.0), 0.0]), 0, 2.0),  # 3/4 for the right one
        (np.array([0.0, log(4.0), -np.inf]), 0, 1.0),  # 1/5
    ]
    got = _sums(votes)
    assert (got.weight, got.right) == (3.0, 2.0)
    assert got.log_likelihood == pytest.approx(2 * log(3 / 4) + log(1 / 5))


def test_exaggeration_alone_costs_nothing_where_a_temperature_can_be_fitted() -> None:
    mild = [(np.array([1.0, 0.0, -0.5]), int(k % 3 == 2), 1.0) for k in range(30)]
    loud = [(2 * logits, label, weight) for logits, label, weight in mild]
    assert _sums(loud).log_likelihood == pytest.approx(_sums(mild).log_likelihood, rel=1e-4)


def test_several_networks_say_their_mean_probability() -> None:
    sure, unsure = np.log([0.9, 0.1]), np.log([0.5, 0.5])
    (logits, label, weight), *rest = _together([[(sure, 1, 2.0)], [(unsure, 1, 2.0)]])
    assert not rest
    assert np.exp(logits) == pytest.approx([0.7, 0.3])
    assert (label, weight) == (1, 2.0)


def test_inner_folds_agree_as_far_as_they_rank_configurations_alike() -> None:
    def ranked(*pairs: tuple[float, float]) -> list[list[Trial]]:
        return [
            [trial(k, i, rpp=(1, v, -v)) for i, v in enumerate(pair)]
            for k, pair in enumerate(pairs)
        ]

    rising = ranked((1, 10), (2, 20), (3, 21), (4, 50))
    right, likely = "accuracy", "log_likelihood"
    assert agreement(rising, right, right) == pytest.approx(1)
    assert agreement(rising, likely, likely) == pytest.approx(1)
    assert agreement(rising, likely, right) == pytest.approx(-1), "here what is likelier is worse"
    falling = ranked((1, 4), (2, 3), (3, 2), (4, 1))
    assert agreement(falling, right, right) == pytest.approx(-1)
    assert agreement(rising[:3], right, right) is None, "three ranks say nothing"
    assert agreement(ranked((1, 4), (1, 3), (1, 2), (1, 1)), right, right) is None


def configurations(seed: int, values=lambda k: float(k)) -> list[Recipe]:
    draws = Draws(Recipe(), seed)
    drawn = []
    for k in range(14):
        drawn.append(draws.next())
        draws.tell(values(k))
    return drawn


def test_draws_depend_on_the_seed_and_on_what_was_told() -> None:
    assert configurations(3) == configurations(3)
    assert configurations(3)[1] != configurations(4)[1]
    told = configurations(3, lambda k: -float(k))
    assert told[1 : space.AT_RANDOM] == configurations(3)[1 : space.AT_RANDOM]
    assert told[-1] != configurations(3)[-1]


def test_every_draw_lies_in_the_space_and_changes_nothing_else() -> None:
    drawn = configurations(0)
    assert drawn[0] == Recipe()
    kept = set(asdict(Recipe())) - set(SPACE)
    assert {"members", "partner", "batch", "words", "structure"} <= kept
    for recipe in drawn[1:]:
        values = asdict(recipe)
        assert all(values[name] == asdict(Recipe())[name] for name in kept)
        for name, of in SPACE.items():
            if isinstance(of, Choice):
                assert values[name] in of.values
            else:
                assert of.low <= values[name] <= of.high
                assert type(values[name]) is type(getattr(Recipe(), name))


def test_the_recipe_as_it_is_lies_in_the_space_so_that_it_guides_the_draws() -> None:
    guided = Draws(Recipe(), 0)
    guided.next()
    guided.tell(-1.0)
    assert len(guided._study.trials) == 1


def test_a_start_outside_the_space_and_a_failure_are_taken() -> None:
    draws = Draws(Recipe(hidden=48, epochs=3), 0)
    assert draws.next() == Recipe(hidden=48, epochs=3)
    draws.tell(-1.0)
    assert draws.next() != draws.next()
    draws.tell(None)
    assert draws.next()


def test_what_is_kept_is_not_trained_again_and_a_torn_line_is(corpus, start, tmp_path) -> None:
    calm, torn = tmp_path / "calm.json", tmp_path / "torn.json"
    tune(calm, corpus, start, count=2, budget=TWO, ranges=SMALL)
    kept = journal_of(calm).read_bytes().splitlines(keepends=True)
    journal_of(torn).write_bytes(b"".join(kept[:6]) + kept[6][:-9])
    steps = []
    tune(torn, corpus, start, count=2, budget=TWO, ranges=SMALL, report=steps.append)
    assert [step.done for step in steps] == list(range(6, 13))
    assert steps[0].total == 12
    assert torn.read_bytes() == calm.read_bytes()
    assert journal_of(torn).read_bytes().splitlines(keepends=True)[:6] == kept[:6]
    assert lines(torn) == lines(calm)


def test_a_kill_before_the_first_line_was_whole_leaves_nothing_to_mend(
    corpus, start, tmp_path
) -> None:
    path = tmp_path / "r.json"
    journal_of(path).write_bytes(b'{"format": "relg')
    steps = []
    for _ in range(2):
        one = Budget(configurations=1)
        tune(path, corpus, start, count=0, budget=one, ranges=SMALL, report=steps.append)
    assert len(lines(path)) == len(steps) == 2


def test_a_finished_search_goes_on_with_more_configurations_and_with_folds(
    corpus, start, tmp_path
) -> None:
    grown, straight = tmp_path / "grown.json", tmp_path / "straight.json"
    tune(grown, corpus, start, count=0, budget=Budget(configurations=1), ranges=SMALL)
    steps = []
    tune(grown, corpus, start, count=2, budget=TWO, ranges=SMALL, report=steps.append)
    assert len(steps) == 10, "12 trainings, two of them kept"
    tune(straight, corpus, start, count=2, budget=TWO, ranges=SMALL)
    assert grown.read_bytes() == straight.read_bytes()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 5}, "seed was '0', now '5'"),
        ({"embedder": "hashing:32"}, "embedder was"),
    ],
)
def test_a_journal_of_other_settings_is_refused(corpus, start, tmp_path, change, said) -> None:
    path = tmp_path / "r.json"
    one = Budget(configurations=1)
    tune(path, corpus, start, count=0, budget=one, ranges=SMALL)
    before = path.read_bytes(), journal_of(path).read_bytes()
    with pytest.raises(RelgraphError, match="journal of another search: .*" + said) as caught:
        tune(path, corpus, replace(start, **change), count=0, budget=one, ranges=SMALL)
    assert f"Delete {journal_of(path)} to search anew" in str(caught.value)
    assert (path.read_bytes(), journal_of(path).read_bytes()) == before


def test_a_journal_of_other_data_space_inner_folds_or_code_is_refused(
    corpus, start, tmp_path
) -> None:
    path, one = tmp_path / "r.json", Budget(configurations=1)
    tune(path, corpus, start, count=0, budget=one, ranges=SMALL)
    with pytest.raises(RelgraphError, match="data was"):
        tune(path, without_gold(corpus, "elm"), start, count=0, budget=one, ranges=SMALL)
    with pytest.raises(RelgraphError, match="space was"):
        tune(path, corpus, start, count=0, budget=one, ranges={"hidden": Choice((4, 8))})
    with pytest.raises(RelgraphError, match="inner folds was '2', now '3'"):
        tune(path, corpus, start, count=0, budget=replace(one, inner=3), ranges=SMALL)
    with pytest.raises(RelgraphError, match="members of a training was '1', now '2'"):
        tune(path, corpus, start, count=0, budget=replace(one, members=2), ranges=SMALL)
    journal = journal_of(path)
    head, rest = journal.read_text().split("\n", 1)
    other = json.loads(head)
    other["job"]["code"] = "0" * 16
    journal.write_text(f"{json.dumps(other)}\n{rest}")
    with pytest.raises(RelgraphError, match=r"code was '0{16}', now '\w{16}'"):
        tune(path, corpus, start, count=0, budget=one, ranges=SMALL)


@pytest.mark.parametrize("line", ["nonsense", '{"search": 1}', "[]", '{"tasks": {"rpp": {}}}'])
def test_a_damaged_line_is_named(corpus, start, tmp_path, line) -> None:
    path, one = tmp_path / "r.json", Budget(configurations=1)
    tune(path, corpus, start, count=0, budget=one, ranges=SMALL)
    with journal_of(path).open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(DataError, match=r"r\.json\.trials\.jsonl, line 4: no journal line"):
        tune(path, corpus, start, count=0, budget=one, ranges=SMALL)


@pytest.mark.parametrize(
    "change",
    [
        *({"cpu_s": cost} for cost in (None, "1", -1.0, float("nan"), 10**400)),
        *({"weight": total} for total in (None, "1", 0.0, -1.0, float("nan"), float("inf"))),
        *({"right": share} for share in (None, [1.0], float("nan"))),
        *({"log_likelihood": value} for value in (None, "1", 0.5, float("nan"), float("-inf"))),
        {"search": 1},
        {"configuration": "0"},
        {"inner": 0.0},
        {"failure": None},
    ],
)
def test_a_line_with_a_value_that_no_training_gives_is_damaged(
    corpus, start, tmp_path, change
) -> None:
    path, one = tmp_path / "r.json", Budget(configurations=1)
    tune(path, corpus, start, count=0, budget=one, ranges=SMALL)
    kept = journal_of(path).read_text().splitlines()
    line = json.loads(kept[1])
    (line["tasks"]["rpp"] if change.keys() <= {*Sums.__slots__} else line).update(change)
    journal_of(path).write_text("\n".join([kept[0], json.dumps(line), *kept[2:], ""]))
    with pytest.raises(DataError, match=r"r\.json\.trials\.jsonl, line 2: no journal line"):
        tune(path, corpus, start, count=0, budget=one, ranges=SMALL)


def test_a_kept_training_of_another_configuration_is_not_taken_for_this_one(
    corpus, start, tmp_path
) -> None:
    path = tmp_path / "r.json"
    tune(path, corpus, start, count=0, budget=TWO, ranges=SMALL)
    kept = journal_of(path).read_text().splitlines()
    other = json.loads(kept[-1])
    other["recipe"]["rate"] = 0.5
    journal_of(path).write_text("\n".join([*kept[:-1], json.dumps(other), ""]))
    with pytest.raises(RelgraphError, match="configuration 1 of all data is another one"):
        tune(path, corpus, start, count=0, budget=TWO, ranges=SMALL)


def test_two_processes_do_not_work_on_one_search(corpus, start, tmp_path) -> None:
    path = tmp_path / "r.json"
    with journal_of(path).open("ab") as file:
        exclusive(file)
        with pytest.raises(RelgraphError, match="another process works on this search"):
            tune(path, corpus, start, count=0, budget=TWO, ranges=SMALL)


def test_a_recipe_that_data_chose_is_no_start(corpus, start, tmp_path) -> None:
    path, one = tmp_path / "r.json", Budget(configurations=1)
    tune(path, corpus, start, count=0, budget=one, ranges=SMALL)
    chosen = replace(start, recipe=str(path))
    with pytest.raises(DataError, match="was chosen by a search"):
        tune(tmp_path / "again.json", corpus, chosen, count=0, budget=one, ranges=SMALL)


def test_a_place_that_recipes_cannot_go_to_is_refused_before_anything_is_done(
    corpus, start, tmp_path
) -> None:
    with pytest.raises(DataError, match="is a folder"):
        tune(tmp_path, corpus, start, count=0, budget=TWO)
    (tmp_path / "diary.txt").write_text("dear diary")
    with pytest.raises(DataError, match="not a recipe"):
        tune(tmp_path / "diary.txt", corpus, start, count=0, budget=TWO)
    assert (tmp_path / "diary.txt").read_text() == "dear diary"
    assert not journal_of(tmp_path / "diary.txt").exists()


def test_more_inner_folds_than_relationships_are_refused(corpus, start, tmp_path) -> None:
    with pytest.raises(RelgraphError, match="fold 1: 4 relationships to choose on, and 5 inner"):
        tune(tmp_path / "r.json", corpus, start, count=3, budget=Budget(inner=5))
    assert not journal_of(tmp_path / "r.json").exists()


def among_themselves(conversation):
    """Returns what the clients say, with their views and feelings and no other gold."""
    kept = [k for k, turn in enumerate(conversation.turns) if turn.speaker != "Therapist"]
    gold = tuple(replace(conversation.gold[k], relations=(), strategies=()) for k in kept)
    return replace(conversation, turns=renumber(conversation.turns[k] for k in kept), gold=gold)


def test_data_with_nothing_to_choose_by_is_refused_with_what_it_needs(
    corpus, start, tmp_path
) -> None:
    alone = tuple(among_themselves(c) for c in corpus)
    with pytest.raises(DataError, match="all data: the conversations hold no case of RPP, SSP"):
        tune(tmp_path / "r.json", alone, start, count=0, budget=TWO, ranges=SMALL)


def test_an_inner_fold_that_asks_nothing_has_no_value_of_its_own() -> None:
    empty, judged = trial(0, 0), trial(0, 1, rpp=(2, 1, -4.0))
    assert merit([empty]) is None
    assert merit([empty, judged]) == Merit(-2.0, 0.5)


def test_without_optuna_one_line_says_how_to_get_it(corpus, start, tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'relgraph\[tune\]'"):
        tune(tmp_path / "r.json", corpus, start, count=0, budget=TWO)


@pytest.fixture
def shell(corpus, start, tmp_path, monkeypatch):
    """Runs a command on the corpus, with embeddings kept apart."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write(tmp_path / "talk.jsonl", corpus, format="jsonl")

    def run(command: str, *more: str):
        given = ["--data", str(tmp_path / "talk.jsonl"), "--embedder", "hashing:48"]
        return CliRunner().invoke(cli, [command, *given, "--device", "cpu", *more])

    return run


@pytest.mark.slow
def test_the_command_prints_its_budget_and_what_was_chosen(shell, start, tmp_path) -> None:
    out = str(tmp_path / "r.json")
    small = ("--recipe", start.recipe, "--configurations", "2", "-o", out)
    done = shell("tune", *small, "--folds", "2")
    assert done.exit_code == 0, done.output
    assert (
        "budget: 3 searches (2 folds and all data) x 2 configurations x 2 inner folds = "
        "12 trainings of 1 network(s), one seed" in done.stderr
    )
    assert done.stderr.count(" min left") == 12
    assert "12/12  all data, configuration 1, inner fold 2: log-likelihood -" in done.stderr
    assert done.stdout.startswith("criterion: log-likelihood of the right answers")
    for name in ("fold 1 (", "fold 2 (", "all data (6 relationships): configuration "):
        assert name in done.stdout
    again = json.loads(shell("tune", *small, "--folds", "2", "--json").stdout)
    assert [s["name"] for s in again["searches"]] == ["fold 1", "fold 2", "all data"]
    changed = again["searches"][-1]["changed"]
    assert all(f"{k} {before} -> {now}" in done.stdout for k, (before, now) in changed.items())
    assert again["cpu_s"] == pytest.approx(sum(s["cpu_s"] for s in again["searches"]))


def test_after_a_choice_on_all_data_the_next_command_tests_on_none_of_it(
    shell, start, tmp_path
) -> None:
    out = str(tmp_path / "r.json")
    done = shell(
        "tune", "--recipe", start.recipe, "--configurations", "1", "--folds", "0", "-o", out
    )
    assert f"next: relgraph train-gnn --seed 0 --recipe {out} --data " in done.stdout


def test_the_command_does_not_write_over_its_data(shell, tmp_path) -> None:
    done = shell("tune", "-o", str(tmp_path / "talk.jsonl"))
    assert done.exit_code == 2
    assert "is a file to be read" in done.stderr


def test_eval_takes_each_folds_choice_and_refuses_the_general_one_as_a_leak(
    shell, start, corpus, tmp_path
) -> None:
    out = str(tmp_path / "r.json")
    small = ("--recipe", start.recipe, "--configurations", "1", "--folds", "3", "-o", out)
    tuned = shell("tune", *small)
    assert tuned.exit_code == 0
    assert "next: relgraph eval --approach gnn --folds 3 --seed 0 --recipe " in tuned.stdout
    assert tuned.stdout.endswith(" --embedder hashing:48\n")
    asked = ("--approach", "gnn", "--task", "stp", "--recipe", out, "--no-text-metrics")
    own = shell("eval", *asked, "--folds", "3", "--run", str(tmp_path / "three"))
    assert own.exit_code == 0, own.output
    for more in (("--folds", "4"), ("--folds", "3", "--seed", "1")):
        other = shell("eval", *asked, *more, "--run", str(tmp_path / more[1] / more[-1]))
        assert isinstance(other.exception, LeakError)
        said = str(other.exception)
        assert "hint: its recipe was chosen on conversations under test" in said
        assert "Give the --folds and --seed that `relgraph tune` had" in said


@pytest.mark.slow
def test_killed_and_started_again_it_makes_the_file_of_an_undisturbed_search(
    corpus, start, tmp_path
) -> None:
    data, killed, calm = (tmp_path / name for name in ("talk.jsonl", "killed.json", "calm.json"))
    write(data, corpus, format="jsonl")
    command = [
        sys.executable, str(CLI), "tune", "--data", str(data), "-o", str(killed),
        "--embedder", "hashing:48", "--device", "cpu", "--recipe", start.recipe,
        "--folds", "0", "--configurations", "3",
    ]  # fmt: skip
    quiet = {**os.environ, "OMP_NUM_THREADS": "1", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=quiet) as process:
        for line in process.stderr or ():
            if line.startswith("3/6  "):
                process.send_signal(signal.SIGKILL)
                break
    assert process.returncode == -signal.SIGKILL
    assert not killed.exists()
    kept = journal_of(killed).read_bytes()
    steps = []
    three = Budget(configurations=3)
    tune(killed, corpus, start, count=0, budget=three, report=steps.append)
    assert steps[0].done in (4, 5), "one more may be over before the kill"
    tune(calm, corpus, start, count=0, budget=three)
    assert journal_of(killed).read_bytes().startswith(kept[: kept.rfind(b"\n")])
    assert killed.read_bytes() == calm.read_bytes()
    assert lines(killed) == lines(calm)
