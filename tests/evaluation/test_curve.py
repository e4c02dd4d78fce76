"""The learning curve: nested choices, the fit, what is run and kept, and what is said of it."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from relgraph._cli import cli
from relgraph.errors import RelgraphError
from relgraph.evaluation.curve_fit import fit
from relgraph.evaluation.subsets import nested_order, smaller
from relgraph.records import Conversation
from relgraph.splits import folds, relationships

Couples = tuple[Conversation, ...]
Plugin = Callable[[str, str], Path]

RIGHT_WHEN_MANY = """
learns = True
def fit(self, train, *, seed):
    fitted = type(self)(self.settings)
    names = sorted({c.relationship for c in train})
    fitted.seen = (str(len(names)), *names)
    return fitted
def predict(self, instances, findings):
    for i in instances:
        yield Prediction(i.id, tuple(i.options), because=self.seen)
"""


def mixed(couples: Couples) -> Couples:
    """Nine couples and three families, a conversation each."""
    return tuple(
        replace(couples[-1], id=f"c{n}", relationship=f"r{n:02}", scenario=scenario)
        for n, scenario in enumerate(["couple"] * 9 + ["family"] * 3)
    )


def test_every_beginning_holds_the_scenarios_in_their_shares(couples: Couples) -> None:
    data = mixed(couples)
    scenario = {c.relationship: c.scenario for c in data}
    order = nested_order(data, key="0")
    assert sorted(order) == sorted(scenario)
    for size in (4, 8, 12):
        assert [scenario[r] for r in order[:size]].count("family") == size / 4
    for size in range(1, 13):
        assert abs([scenario[r] for r in order[:size]].count("family") - size / 4) <= 1


def test_which_relationships_come_first_is_drawn_from_the_key(couples: Couples) -> None:
    data = mixed(couples)
    assert nested_order(data, key="0") == nested_order(data[::-1], key="0")
    assert len({nested_order(data, key=str(k)) for k in range(5)}) == 5


def test_a_larger_size_holds_the_smaller_one_and_tests_stay(couples: Couples) -> None:
    whole = folds(mixed(couples), count=3, seed=0)
    chosen = {n: smaller(whole, n, seed=0, draw=0) for n in (2, 4, 8)}
    for k, fold in enumerate(whole):
        names = {n: set(relationships(of[k].train)) for n, of in chosen.items()}
        assert {n: len(of) for n, of in names.items()} == {2: 2, 4: 4, 8: 8}
        assert names[2] < names[4] < names[8] <= set(relationships(fold.train))
        assert all(of[k].test == fold.test for of in chosen.values())
    assert smaller(whole, None, seed=0, draw=0) == whole
    again = smaller(whole, 4, seed=0, draw=1)
    assert [f.train for f in again] != [f.train for f in chosen[4]]


def test_all_conversations_of_a_chosen_relationship_are_learnt_from(couples: Couples) -> None:
    whole = folds(couples, count=3, seed=0)  # two couples have two conversations
    for before, after in zip(whole, smaller(whole, 3, seed=0, draw=0), strict=True):
        kept = set(relationships(after.train))
        assert after.train == tuple(c for c in before.train if c.relationship in kept)


def test_the_fit_finds_the_law_that_the_points_lie_on() -> None:
    sizes = (4.0, 8.0, 16.0, 20.0)
    values = np.array([[0.6 - 0.5 * n**-0.7 for n in sizes], [0.4 - 0.3 * n**-1.5 for n in sizes]])
    law = fit(sizes, values)
    assert law.c == pytest.approx([0.7, 1.5])
    assert law.a == pytest.approx([0.6, 0.4])
    assert law.b == pytest.approx([0.5, 0.3])
    assert law.at(40) == pytest.approx([0.6 - 0.5 * 40**-0.7, 0.4 - 0.3 * 40**-1.5])


def test_the_fit_is_the_least_squares_one_of_scipy() -> None:
    from scipy.optimize import least_squares

    sizes = np.array([2.0, 4.0, 8.0, 12.0])
    values = np.array([0.20, 0.31, 0.29, 0.36])
    wanted = least_squares(
        lambda p: p[0] - p[1] * sizes ** -p[2] - values,
        x0=(0.4, 0.3, 0.5),
        bounds=([-np.inf, 0, 0.1], [np.inf, np.inf, 2]),
    )
    law = fit(sizes, values[None])
    off = law.a - law.b * sizes**-law.c - values
    assert (off**2).sum() == pytest.approx(2 * wanted.cost, rel=1e-4)
    assert law.at(48)[0] == pytest.approx(wanted.x[0] - wanted.x[1] * 48 ** -wanted.x[2], abs=2e-3)


def test_a_falling_share_is_fitted_flat_and_a_falling_error_is_not() -> None:
    sizes, values = (1.0, 2.0, 4.0), np.array([[0.9, 0.6, 0.3]])
    flat = fit(sizes, values)
    assert flat.b == 0
    assert flat.at(100) == pytest.approx(0.6)
    better = fit(sizes, np.array([[1.0 + n**-1.0 for n in sizes]]), lower_is_better=True)
    assert (better.a[0], better.b[0], better.c[0]) == pytest.approx((1, 1, 1))
    assert better.at(10) == pytest.approx(1.1)


def test_the_exponent_stays_within_its_bounds() -> None:
    sizes = (1.0, 2.0, 4.0)
    steep = fit(sizes, np.array([[1 - n**-3.0 for n in sizes]]))
    straight = fit(sizes, np.array([[0.1, 0.2, 0.4]]))
    assert (steep.c[0], straight.c[0]) == pytest.approx((2.0, 0.1))


def test_two_sizes_are_too_few_for_three_numbers() -> None:
    with pytest.raises(ValueError, match="2 sizes, at least 3"):
        fit((1.0, 2.0, 2.0), np.zeros((1, 3)))


def call(data: Path, folder: Path, *more: object, approach: str = "majority") -> Result:
    argv = ["curve", "--approach", approach, "--data", data, "-o", folder, "--folds", 3]
    argv += ["--task", "rpp", "--task", "stp", *more]
    return CliRunner().invoke(cli, [str(a) for a in argv], standalone_mode=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "curve"


def seen(folder: Path) -> dict[int, tuple[str, ...]]:
    """What the approach `mine` was trained on, by fold, number first."""
    text = (folder / "items.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    return {r["fold"]: tuple(r["prediction"]["because"]) for r in rows if r["approach"] == "mine"}


def test_each_size_trains_on_so_many_and_is_tested_on_everything(
    couples_file: Path, folder: Path, plugin: Plugin
) -> None:
    plugin("mine", RIGHT_WHEN_MANY)
    more = ("--sizes", "2,3,all", "--json")
    result = call(couples_file, folder, *more, approach="mine")
    assert result.return_value == 0, result.output
    found = json.loads(result.stdout)
    for size, count in (("2", "2"), ("3", "3"), ("all", "4")):
        assert {of[0] for of in seen(folder / f"size-{size}").values()} == {count}
    two, three = (seen(folder / f"size-{n}") for n in (2, 3))
    assert all(set(two[k][1:]) < set(three[k][1:]) for k in range(3))
    points = found["tasks"]["rpp"]["approaches"]["mine"]["points"]
    assert [p["relationships"] for p in points] == [2, 3, 4]
    assert [p["coverage"] for p in points] == [1, 1, 1]
    assert found["tasks"]["rpp"]["n"] == 24
    # the 8 conversations have 9 turns each, and each is in two of the three training parts
    assert points[-1]["turns"] == pytest.approx(2 * 8 * 9 / 3)


def test_all_is_what_eval_gives(couples_file: Path, folder: Path) -> None:
    found = json.loads(call(couples_file, folder, "--sizes", "2,all", "--json").stdout)
    argv = ["eval", "--approach", "majority", "--data", couples_file, "--folds", 3, "--json"]
    argv += ["--task", "rpp", "--task", "stp", "--run", folder.parent / "run"]
    run = CliRunner().invoke(cli, [str(a) for a in argv], standalone_mode=False)
    for name, task in json.loads(run.stdout)["tasks"].items():
        wanted = task["approaches"]["majority"]["metrics"][task["primary"]]
        point = found["tasks"][name]["approaches"]["majority"]["points"][-1]
        assert {k: point[k] for k in ("value", "low", "high")} == {
            k: wanted[k] for k in ("value", "low", "high")
        }


def test_several_draws_are_meant_and_all_is_run_once(
    couples_file: Path, folder: Path, plugin: Plugin
) -> None:
    plugin("mine", RIGHT_WHEN_MANY)
    call(couples_file, folder, "--sizes", "2,all", "--draws", 2, approach="mine")
    runs = sorted(p.name for p in folder.iterdir() if p.is_dir())
    assert runs == ["size-2", "size-2-draw-2", "size-all"]
    assert seen(folder / "size-2") != seen(folder / "size-2-draw-2")


def test_a_curve_that_was_stopped_trains_only_what_is_left(
    couples_file: Path, folder: Path, plugin: Plugin
) -> None:
    fits, go = folder.parent / "fits", folder.parent / "go"
    note = f"""
    count = len({{c.relationship for c in train}})
    with open({str(fits)!r}, "a") as file:
        file.write(f"{{count}} ")
    if count == 3 and not __import__("os").path.exists({str(go)!r}):
        raise KeyboardInterrupt
"""
    plugin("mine", RIGHT_WHEN_MANY.replace("    fitted =", f"{note}    fitted =", 1))
    result = call(couples_file, folder, "--sizes", "2,3", approach="mine")
    assert result.exception is not None
    assert not (folder / "curve.json").exists()
    go.touch()
    assert call(couples_file, folder, "--sizes", "2,3", approach="mine").return_value == 0
    assert fits.read_text() == "2 2 2 3 3 3 3 "
    call(couples_file, folder, "--sizes", "2,3,all", approach="mine")
    assert fits.read_text() == "2 2 2 3 3 3 3 4 4 4 "


def test_the_fit_is_given_with_where_it_leads(couples_file: Path, folder: Path) -> None:
    found = json.loads(call(couples_file, folder, "--sizes", "1,2,3,all", "--json").stdout)
    of = found["tasks"]["stp"]["approaches"]["majority"]
    law = of["fit"]
    assert law["b"] >= 0
    assert 0.1 <= law["c"] <= 2
    assert [(m["times"], m["relationships"]) for m in of["extrapolations"]] == [(2, 8), (4, 16)]
    for more in of["extrapolations"]:
        value = law["a"] - law["b"] * more["relationships"] ** -law["c"]
        assert more["value"] == pytest.approx(min(max(value, 0), 1))
        assert more["low"] <= more["high"]


def test_fewer_than_three_sizes_have_no_fit_and_say_why(couples_file: Path, folder: Path) -> None:
    result = call(couples_file, folder, "--sizes", "2,all")
    assert "no fit: 2 sizes; a fit of three numbers needs at least 3" in result.stdout
    assert "extrapolated" not in result.stdout
    found = json.loads((folder / "curve.json").read_text(encoding="utf-8"))
    assert found["tasks"]["rpp"]["approaches"]["majority"]["fit"] is None


def test_the_table_says_that_it_extrapolates_and_fits_the_terminal(
    couples_file: Path, folder: Path
) -> None:
    text = call(couples_file, folder, "--sizes", "1,2,all").stdout
    assert "a guess" in " ".join(text.split())
    assert "extrapolated: 16" in text
    assert "all: 4" in text
    assert max(map(len, text.splitlines())) <= 100


def test_what_failed_shows_as_coverage_and_ends_with_1(
    couples_file: Path, folder: Path, plugin: Plugin
) -> None:
    body = """
    learns = True
    def predict(self, instances, findings):
        for k, i in enumerate(instances):
            yield Prediction(i.id, failure="x") if k % 2 else Prediction(i.id, i.options)
    """
    plugin("mine", body)
    result = call(couples_file, folder, "--sizes", "2,all", "--json", approach="mine")
    assert result.return_value == 1
    point = json.loads(result.stdout)["tasks"]["rpp"]["approaches"]["mine"]["points"][0]
    assert 0 < point["coverage"] < 1


def test_a_size_at_which_nothing_was_answered_has_no_value_and_no_fit(
    couples_file: Path, folder: Path, plugin: Plugin
) -> None:
    body = """
    learns = True
    def predict(self, instances, findings):
        yield from (Prediction(i.id, failure="x") for i in instances)
    """
    plugin("mine", body)
    result = call(couples_file, folder, "--sizes", "1,2,all", approach="mine")
    assert result.return_value == 1
    assert "no fit: a size at which nothing was answered" in result.stdout


def test_what_does_not_learn_has_no_curve(couples_file: Path, folder: Path) -> None:
    result = call(couples_file, folder, approach="random-order")
    assert isinstance(result.exception, RelgraphError)
    assert "'random-order' does not learn" in str(result.exception)


@pytest.mark.parametrize("sizes", ["", "0", "-2", "two", "4,,all", "1.5", "9" * 5000])
def test_sizes_that_are_none_are_told(sizes: str, couples_file: Path, folder: Path) -> None:
    result = call(couples_file, folder, f"--sizes={sizes}")
    assert "wanted whole numbers from 1 on and `all`" in str(result.exception)


def test_a_size_beyond_what_a_fold_trains_on_is_refused_before_anything_runs(
    couples_file: Path, folder: Path
) -> None:
    result = call(couples_file, folder, "--sizes", "2,5")
    assert "5 training relationships asked for, and fold 1 trains on 4" in str(result.exception)
    assert "up to 4" in str(result.exception)
    assert not folder.exists()


def test_a_folder_of_another_curve_is_refused(couples_file: Path, folder: Path) -> None:
    call(couples_file, folder, "--sizes", "2")
    result = call(couples_file, folder, "--sizes", "2", "--seed", 5)
    assert isinstance(result.exception, RelgraphError)
    assert "settings.seed: the run has 0, asked for is 5" in str(result.exception)


def test_the_plot_is_the_same_file_every_time(couples_file: Path, folder: Path) -> None:
    call(couples_file, folder, "--sizes", "1,2,all")
    first = (folder / "curve.svg").read_bytes()
    assert b"RPP relation pattern" in first
    assert b"dotted: extrapolated" in first
    (folder / "curve.svg").unlink()
    call(couples_file, folder, "--sizes", "1,2,all")
    assert (folder / "curve.svg").read_bytes() == first


def test_without_matplotlib_there_is_a_note_and_no_plot(
    couples_file: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = call(couples_file, folder, "--sizes", "2,all")
    assert result.return_value == 0
    assert "note: no plot" in result.stderr
    assert "pip install 'relgraph[plots]'" in result.stderr
    assert sorted(p.name for p in folder.iterdir()) == ["curve.json", "size-2", "size-all"]
