"""Several training seeds: the same folds, a run for each, and figures over all of them."""

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from relgraph._cli import cli
from relgraph.approach import Settings
from relgraph.evaluation.metrics import PairSums, stacked
from relgraph.evaluation.plan import Request, select
from relgraph.evaluation.runner import Data, Run, prepare, run
from relgraph.evaluation.scores import Scoring, score
from relgraph.evaluation.seeds import prepare_seeds, run_seeds
from relgraph.evaluation.tables import show
from relgraph.intervals import compare, interval, resamples
from relgraph.records import Annotation, Case, Conversation, Prediction, Relation
from relgraph.sums import Sums

Plugin = Callable[[str, str], Path]
Plain = Callable[[Path], object]
Couples = tuple[Conversation, ...]

TELLS_SEED = """
learns = True
def fit(self, train, *, seed):
    fitted = type(self)(self.settings)
    fitted.seen = (str(seed), str(self.settings.seed), *sorted({c.relationship for c in train}))
    return fitted
def predict(self, instances, findings):
    for i in instances:
        yield Prediction(i.id, tuple(i.options), because=self.seen)
"""


def asked(*approaches: str, seed: int = 7, tasks: tuple[str, ...] = ("rpp", "stp")) -> Request:
    return Request(approaches, tasks, folds=3, settings=Settings(seed=seed))


def go(request: Request, couples: Couples, folder: Path, seeds: int) -> Run:
    plans = prepare_seeds(request, Data(couples, "couples.jsonl", "d1"), seeds=seeds)
    return run_seeds(plans, folder)


def said(folder: Path, approach: str) -> dict[tuple[object, ...], list[str]]:
    text = (folder / "items.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    return {
        (r["conversation"], r["task"], r["turn"], r["fold"]): r["prediction"]["because"]
        for r in rows
        if r["approach"] == approach
    }


def test_each_seed_trains_on_the_folds_of_the_first(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin("mine", TELLS_SEED)
    go(asked("mine"), couples, tmp_path / "run", 3)
    first, second, third = (
        said(tmp_path / "run" / name, "mine") for name in ("", "seed-8", "seed-9")
    )
    assert {tuple(b[:2]) for b in first.values()} == {("7", "7")}
    assert {tuple(b[:2]) for b in second.values()} == {("8", "8")}
    assert {tuple(b[:2]) for b in third.values()} == {("9", "9")}
    assert {k: b[2:] for k, b in first.items()} == {k: b[2:] for k, b in third.items()}


def test_what_does_not_learn_runs_once(couples: Couples, tmp_path: Path, plugin: Plugin) -> None:
    plugin("mine", TELLS_SEED)
    plugin("still", "")
    scores = go(asked("mine", "still"), couples, tmp_path / "run", 2).scores
    again = (tmp_path / "run" / "seed-8" / "items.jsonl").read_text(encoding="utf-8")
    assert {json.loads(line)["approach"] for line in again.splitlines()} == {"majority", "mine"}
    rows = scores["tasks"]["rpp"]["approaches"]
    assert {name: row.get("seeds", 1) for name, row in rows.items()} == {
        "majority": 2,
        "random-order": 1,
        "mine": 2,
        "still": 1,
    }


def test_one_seed_leaves_the_run_folder_that_a_plain_run_leaves(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    plugin("mine", TELLS_SEED)
    data = Data(couples, "couples.jsonl", "d1")
    run(prepare(asked("mine"), data), tmp_path / "plain")
    go(asked("mine"), couples, tmp_path / "one", 1)
    for path in (tmp_path / "plain").iterdir():
        assert (tmp_path / "one" / path.name).read_bytes() == path.read_bytes(), path.name
    assert len(list((tmp_path / "one").iterdir())) == 4


def test_more_seeds_go_on_from_those_that_are_there(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    count = f"""
    with open({str(tmp_path / "fits")!r}, "a") as file:
        file.write(f"{{seed}} ")
"""
    plugin("mine", TELLS_SEED.replace("    fitted =", f"{count}    fitted =", 1))
    go(asked("mine"), couples, tmp_path / "run", 2)
    go(asked("mine"), couples, tmp_path / "run", 3)
    assert (tmp_path / "fits").read_text() == "7 7 7 8 8 8 9 9 9 "


def test_seeds_that_were_stopped_end_with_the_scores_of_undisturbed_ones(
    couples: Couples, tmp_path: Path, plugin: Plugin, plain: Plain
) -> None:
    stop = f"""
    if seed == 8 and not __import__('os').path.exists({str(tmp_path / "go")!r}):
        raise KeyboardInterrupt
"""
    plugin("mine", TELLS_SEED.replace("    fitted =", f"{stop}    fitted =", 1))
    with pytest.raises(KeyboardInterrupt):
        go(asked("mine"), couples, tmp_path / "stopped", 2)
    (tmp_path / "go").touch()
    go(asked("mine"), couples, tmp_path / "stopped", 2)
    go(asked("mine"), couples, tmp_path / "calm", 2)
    for name in ("scores.json", "items.jsonl", "seed-8/scores.json", "seed-8/items.jsonl"):
        assert plain(tmp_path / "stopped" / name) == plain(tmp_path / "calm" / name), name


def test_what_learns_is_given_what_the_needed_one_said_though_that_ran_once(
    couples: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    body = """
    needs = ("last-speaker",)
    tasks = frozenset({"stp"})
    learns = True
    def predict(self, instances, findings):
        for i in instances:
            yield Prediction(i.id, findings["last-speaker"][i.id].ranking)
    """
    plugin("echo", body)
    rows = go(asked("echo", tasks=("stp",)), couples, tmp_path / "run", 2).scores["tasks"]["stp"]
    figures = {name: row["metrics"]["mrr"]["value"] for name, row in rows["approaches"].items()}
    assert figures["echo"] == figures["last-speaker"]


def test_nothing_is_repeated_where_nothing_asked_for_learns(
    couples: Couples, tmp_path: Path, plugin: Plugin, capsys: pytest.CaptureFixture[str]
) -> None:
    plugin("still", "")
    scores = go(asked("still"), couples, tmp_path / "run", 3).scores
    assert "seeds" not in scores
    assert "nothing that was asked for learns" in capsys.readouterr().err


def repeated(couples: Couples, *rights: Callable[[Case], bool]) -> dict[str, object]:
    """Scores of one approach on RPP that is right where each of its seeds says so."""
    cases = select(couples, Request((), ("rpp",)))

    def say(case: Case, right: bool) -> Prediction:
        rest = [o for o in case.instance.options if o != case.gold.label]
        order = (case.gold.label, *rest) if right else (*rest, case.gold.label)
        return Prediction(case.instance.id, order)

    answers = [{"mine": {c.instance.id: say(c, of(c)) for c in cases["rpp"]}} for of in rights]
    answers[0]["none"] = {c.instance.id: say(c, False) for c in cases["rpp"]}
    return score(cases, answers[0], Scoring(floors=("none",)), repeats=answers[1:])["tasks"]["rpp"]  # type: ignore[no-any-return]


def test_a_figure_is_the_mean_over_the_seeds_with_their_spread(couples: Couples) -> None:
    task = repeated(couples, lambda c: c.turn == 3, lambda c: c.turn > 3)  # 1/3 and 2/3
    figures = task["approaches"]["mine"]["metrics"]["accuracy"]  # type: ignore[index]
    assert figures["value"] == pytest.approx(1 / 2)
    assert figures["sd"] == pytest.approx(1 / 3 / 2**0.5)
    assert (figures["min"], figures["max"]) == pytest.approx((1 / 3, 2 / 3))
    assert figures["by_seed"] == pytest.approx([1 / 3, 2 / 3])


def test_an_interval_over_seeds_is_about_relationships_and_not_about_training(
    couples: Couples,
) -> None:
    # every relationship is half right over the two seeds: nothing changes when they are redrawn
    first = {"couple0", "couple1", "couple2"}  # five of eight conversations
    task = repeated(
        couples, lambda c: c.relationship in first, lambda c: c.relationship not in first
    )
    figures = task["approaches"]["mine"]["metrics"]["accuracy"]  # type: ignore[index]
    assert (figures["low"], figures["value"], figures["high"]) == pytest.approx((0.5, 0.5, 0.5))
    assert figures["over_relationships"] == pytest.approx(0.5)
    assert figures["sd"] > 0


def test_a_comparison_over_seeds_swaps_a_relationship_in_all_of_them_at_once(
    couples: Couples,
) -> None:
    (c,) = repeated(couples, lambda c: c.turn == 3, lambda c: c.turn > 3)["comparisons"]  # type: ignore[misc]
    assert c["difference"] == pytest.approx(1 / 2)
    assert c["p"] == 2 / 2**6  # six couples, all in favour: only all or no swap is as far


def test_only_what_both_answered_at_every_seed_is_compared(couples: Couples) -> None:
    cases = select(couples, Request((), ("rpp",)))["rpp"]
    whole = {c.instance.id: Prediction(c.instance.id, (c.gold.label,)) for c in cases}
    torn = [
        {
            i: Prediction(i, failure="x") if k == place else p
            for k, (i, p) in enumerate(whole.items())
        }
        for place in (0, 1)
    ]
    answers = {"mine": torn[0], "other": whole}
    task = score({"rpp": cases}, answers, Scoring(), repeats=[{"mine": torn[1]}])["tasks"]["rpp"]
    assert [c["n"] for c in task["comparisons"]] == [len(cases) - 2]
    assert task["approaches"]["mine"]["failed"] == 2
    assert task["approaches"]["mine"]["coverage"] == pytest.approx(1 - 1 / len(cases))


def test_macro_f1_of_seeds_that_failed_on_other_scenarios_is_that_of_their_mean(
    couples: Couples,
) -> None:
    label = Annotation(relations=(Relation("relation_pattern", "repair_softening"),))
    gold = tuple(label if a.relations else a for a in couples[2].gold)
    both = (couples[0], replace(couples[2], scenario="family", gold=gold))
    cases = select(both, Request((), ("rpp",)))["rpp"]
    seeds = [
        {
            c.instance.id: Prediction(c.instance.id, failure="x")
            if c.instance.conversation.scenario == lost
            else Prediction(c.instance.id, (c.gold.label,))
            for c in cases
        }
        for lost in ("couple", "family")
    ]
    scores = score({"rpp": cases}, {"m": seeds[0]}, Scoring(), repeats=[{"m": seeds[1]}])
    figures = scores["tasks"]["rpp"]["approaches"]["m"]["metrics"]["macro_f1"]
    assert figures["by_seed"] == [1, 1]


def table(*rows: tuple[float, float]) -> Sums:
    return Sums(np.array(rows), lambda t: t[..., 0] / t[..., 1])


def test_stacked_tables_give_the_mean_of_both_at_every_resample() -> None:
    one, other = table((1, 4), (3, 4)), table((2, 4), (4, 4))
    drawn = resamples(2, seed=0, count=50)
    mean = (one.at(drawn) + other.at(drawn)) / 2
    assert stacked([one, other]).at(drawn) == pytest.approx(mean)
    ends = interval(stacked([one, other]), drawn)
    assert ends == pytest.approx(tuple(np.percentile(mean, [2.5, 97.5])))


def test_stacked_areas_give_the_mean_of_both_at_every_resample() -> None:
    draw = np.random.default_rng(3)
    yes, no = np.array([2.0, 3.0]), np.array([4.0, 1.0])
    one, other = (PairSums(draw.random((2, 2)) * np.outer(yes, no), yes, no) for _ in range(2))
    drawn = resamples(2, seed=0, count=50)
    mean = (one.at(drawn) + other.at(drawn)) / 2
    assert stacked([one, other]).at(drawn) == pytest.approx(mean, nan_ok=True)


def test_an_approach_of_one_table_is_compared_with_it_at_every_seed() -> None:
    seeds = [table((1, 4), (3, 4), (2, 4)), table((2, 4), (4, 4), (2, 4))]
    once = table((0, 4), (1, 4), (3, 4))
    plain = compare(stacked(seeds), once, seed=0)
    # a mean of ratios with equal counts is the ratio of the mean counts
    pooled = compare(table((1.5, 4), (3.5, 4), (2, 4)), once, seed=0)
    for name in ("difference", "low", "high", "p"):
        assert getattr(plain, name) == pytest.approx(getattr(pooled, name)), name


def test_tables_of_several_seeds_fit_into_100_columns(couples: Couples) -> None:
    cases = select(couples, Request((), ("er", "itp", "rpp", "ssp", "stp", "vp")))

    def say(case: Case, shift: int) -> Prediction:
        name, options = case.instance.id, case.instance.options
        order = (*options[shift:], *options[:shift])
        if options:
            return Prediction(name, order, tuple(1 / len(order) for _ in order))
        gold = case.gold
        return Prediction(name, emotion=gold.emotion, viewpoints=gold.viewpoints)

    answers = [
        {"a_rather_long_name": {c.instance.id: say(c, shift) for of in cases.values() for c in of}}
        for shift in (0, 1, 2)
    ]
    scores = score(cases, answers[0], Scoring(), repeats=answers[1:])
    out = io.StringIO()
    show({"protocol": "strict", **scores}, out, details=True)
    text = out.getvalue()
    assert "AUC" in text
    assert max(map(len, text.splitlines())) <= 100
    assert "…" not in text


@pytest.mark.parametrize("command", ["ablate", "curve", "eval", "train-gnn", "tune"])
def test_a_seed_below_zero_is_refused(command: str) -> None:
    done = CliRunner().invoke(cli, [command, "--data", "sample", "--seed", "-1"])
    assert done.exit_code == 2
    assert "'--seed': -1 is not in the range" in done.output
