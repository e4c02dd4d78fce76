"""Ablations: which variants run, that each is a run like any other, and what is made of them."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from relgraph._cli import cli
from relgraph.approach import Settings
from relgraph.baselines.gnn.recipe import recipe_of
from relgraph.errors import DataError, RelgraphError, UnknownNameError
from relgraph.evaluation.ablation_runs import ablate
from relgraph.evaluation.ablations import VARIANTS, chosen, recipe_with, varied
from relgraph.evaluation.plan import Request
from relgraph.evaluation.runner import Data
from relgraph.intervals import holm
from relgraph.records import Conversation, Nonverbal

Plugin = Callable[[str, str], Path]
Couples = tuple[Conversation, ...]

# Keeps the options' order; where it hears tones it turns it round. Every fit leaves a line in the
# log, every instance the tone of its first turn.
HEARS = """
learns = True
def fit(self, train, *, seed):
    from pathlib import Path
    s = self.settings
    home = Path(r"{home}")
    if (home / "stop").exists() and s.view.mode == "audio":
        raise RuntimeError("stopped")
    with (home / "log").open("a") as log:
        recipe = Path(s.recipe).read_text() if s.recipe else ""
        row = [s.view.mode, s.view.addressee, s.rule_edges, "".join(recipe.split()), seed]
        print(*row, sorted({{t.tone for c in train for t in c.turns}}), sep="|", file=log)
    return self
def predict(self, instances, findings):
    for i in instances:
        options = tuple(i.options)
        heard = self.settings.view.mode == "audio"
        yield Prediction(i.id, options[::-1] if heard else options)
"""


@pytest.fixture
def voiced(couples: Couples) -> Couples:
    """The couples with a tone and a behaviour in every turn."""

    def with_descriptions(c: Conversation) -> Conversation:
        turns = (
            replace(
                t,
                tone=f"angry, tone {t.index}",
                nonverbal=(Nonverbal("body_posture", t.speaker, "sadly leaning"),),
            )
            for t in c.turns
        )
        return replace(c, turns=tuple(turns))

    return tuple(map(with_descriptions, couples))


@pytest.fixture
def voiced_file(tmp_path: Path, voiced: Couples) -> Path:
    from relgraph.corpora import write

    path = tmp_path / "voiced.jsonl"
    write(path, voiced, format="jsonl")
    return path


@pytest.fixture
def log(tmp_path: Path, plugin: Plugin) -> Callable[[], list[str]]:
    """Installs the approach `hears`; gives the lines of its log."""
    plugin("hears", HEARS.format(home=tmp_path))
    place = tmp_path / "log"
    return lambda: place.read_text().splitlines() if place.exists() else []


def call(*argv: object) -> Result:
    return CliRunner().invoke(cli, [str(a) for a in argv], standalone_mode=False)


def ablation(file: Path, folder: Path, *more: object) -> Result:
    common = ("--data", file, "--approach", "hears", "--task", "rpp", "--task", "stp")
    return call("ablate", *common, "--folds", 3, "-o", folder, *more)


def result(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "ablations.json").read_text(encoding="utf-8"))
    return found


def names(*asked: str, rule_edges: bool = False, data: Couples) -> list[str]:
    return [v.name for v in chosen(asked, data, rule_edges=rule_edges)[0]]


def test_each_variant_differs_from_what_it_is_compared_with_in_one_thing() -> None:
    by_name = {v.name: v for v in VARIANTS}
    for v in VARIANTS[1:]:
        other = by_name[v.against]
        fields = ("mode", "addressee", "recipe", "rule_edges", "transform")
        changed = {f for f in fields if getattr(v, f) != getattr(other, f)}
        if v.name in ("text-only", "structure-only"):  # rules read words, and say who to whom
            assert v.rule_edges is False
            changed -= {"rule_edges"}
        assert len(changed) == 1, v.name


def test_a_variant_is_averaged_with_the_same_model_as_what_it_is_compared_with() -> None:
    # a recipe without words, structure or times takes no partner, whatever weight it names
    by_name = {v.name: v for v in VARIANTS}
    share = {v.name: recipe_of(v.recipe, where=v.name).share for v in VARIANTS}
    assert share["reference"] > 0
    assert share["no-partner"] == 0
    for v in VARIANTS[1:]:
        if v.name != "no-partner":
            assert share[v.name] == share[by_name[v.against].name], v.name


def test_without_auxiliary_heads_no_partner_learns_from_annotations_either() -> None:
    (variant,) = (v for v in VARIANTS if v.name == "no-auxiliary")
    assert recipe_of(variant.recipe, where="").share == 0


def test_what_a_variant_is_compared_with_joins_it_before_it(voiced: Couples) -> None:
    assert names("mode-audio", data=voiced) == ["reference", "mode-audio"]
    assert names("audiovisual-shuffled", data=voiced) == [
        "mode-audiovisual",
        "audiovisual-shuffled",
    ]


def test_an_unknown_variant_is_told_with_the_one_that_may_be_meant(voiced: Couples) -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'no-memory'"):
        chosen(["no-memry"], voiced, rule_edges=False)


def test_rule_edges_are_added_where_there_are_none_and_else_taken_away(voiced: Couples) -> None:
    assert "rule-edges" in names(data=voiced)
    assert "no-rule-edges" not in names(data=voiced)
    assert "no-rule-edges" in names(data=voiced, rule_edges=True)
    assert "rule-edges" not in names(data=voiced, rule_edges=True)
    with pytest.raises(RelgraphError, match="nothing of what the rules found"):
        chosen(["no-rule-edges"], voiced, rule_edges=False)
    with pytest.raises(RelgraphError, match="Leave out --rule-edges"):
        chosen(["rule-edges"], voiced, rule_edges=True)


def test_a_variant_that_the_data_has_nothing_for_is_left_out_or_refused(couples: Couples) -> None:
    variants, left_out = chosen([], couples, rule_edges=False)
    assert left_out["mode-audiovisual"] == "the data has no tones and no behaviour"
    assert left_out["no-timing"] == "the data has no times"
    assert "addressee-none" not in left_out
    assert not {v.name for v in variants} & set(left_out)
    with pytest.raises(DataError, match="variant mode-audio: the data has no tones"):
        chosen(["mode-audio"], couples, rule_edges=False)


def test_a_request_is_varied_in_view_recipe_and_rule_edges_alone() -> None:
    base = Request(("gnn",), ("rpp",), folds=4, settings=Settings(seed=3, rule_edges=True))
    by_name = {v.name: v for v in VARIANTS}
    none = varied(base, by_name["addressee-none"], "").settings
    assert (none.view.addressee, none.view.mode, none.rule_edges) == ("none", "dialogue", True)
    assert varied(base, by_name["no-rule-edges"], "").settings.rule_edges is False
    heard = varied(base, by_name["mode-audio"], "r.json")
    assert (heard.settings.view.mode, heard.settings.recipe) == ("audio", "r.json")
    assert (heard.folds, heard.settings.seed) == (4, 3)


def test_entries_are_merged_over_every_recipe_of_the_users_file(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    assert recipe_with({"words": False}, "") == {"words": False}
    own.write_text('{"hidden": 8, "words": true}')
    assert recipe_with({"words": False}, str(own)) == {"hidden": 8, "words": False}
    own.write_text(
        '{"format": "relgraph-recipe/1", "recipe": {"hidden": 8}, "chosen_on": {},'
        ' "by_training": {"ab": {"hidden": 16}}}'
    )
    assert recipe_with({"words": False}, str(own)) == {
        "format": "relgraph-recipe/1",
        "recipe": {"hidden": 8, "words": False},
        "chosen_on": {},
        "by_training": {"ab": {"hidden": 16, "words": False}},
    }


@pytest.mark.parametrize(
    "text",
    [
        *("", "[1]", "3", '"words"', '{"format": "relgraph-recipe/1"}'),
        *('{"rate": NaN}', '{"rate": 1e400}', r'{"\ud800": 1}', "[" * 100_000),
    ],
)
def test_a_file_that_is_no_recipe_is_told(tmp_path: Path, text: str) -> None:
    own = tmp_path / "own.json"
    own.write_text(text)
    with pytest.raises(DataError, match=r"own\.json: not a recipe"):
        recipe_with({"words": False}, str(own))


def test_an_approach_is_set_up_and_trained_as_each_variant_says(
    voiced_file: Path, tmp_path: Path, log: Callable[[], list[str]]
) -> None:
    asked = ("structure-only", "addressee-none", "rule-edges", "mode-audiovisual")
    done = ablation(voiced_file, tmp_path / "out", *(x for n in asked for x in ("--variant", n)))
    assert done.return_value == 0, done.output
    settings = dict.fromkeys(line.rsplit("|", 2)[0] for line in log())
    assert list(settings) == [
        "dialogue|given|False|",
        'dialogue|given|False|{"partner":0.0}',
        'dialogue|given|False|{"words":false,"partner":0.0}',
        "dialogue|given|True|",
        "dialogue|none|False|",
        "audiovisual|given|False|",
    ]


def test_a_transform_holds_for_the_conversations_of_training_too(
    voiced_file: Path, tmp_path: Path, log: Callable[[], list[str]]
) -> None:
    ablation(voiced_file, tmp_path / "out", "--variant", "audiovisual-physical")
    tones = [line.rsplit("|", 1)[1] for line in log()]
    assert ["angry" in t for t in tones] == [True] * 3 + [False] * 3
    assert all("'tone 1'" in t for t in tones[3:])


def test_the_tested_instances_are_transformed_as_well(
    voiced: Couples, tmp_path: Path, plugin: Plugin
) -> None:
    body = """
    def predict(self, instances, findings):
        for i in instances:
            tones = tuple(t.tone for t in i.conversation.turns)
            yield Prediction(i.id, tuple(i.options), because=tones)
    """
    plugin("tells", body)
    variants, _ = chosen(["audiovisual-physical"], voiced, rule_edges=False)
    ablate(
        Request(("tells",), ("rpp",), folds=3),
        Data(voiced, "v.jsonl", "d1"),
        variants,
        tmp_path / "out",
    )
    said = (tmp_path / "out" / "audiovisual-physical" / "items.jsonl").read_text()
    assert "tone 1" in said
    assert "angry" not in said


def test_the_figures_of_a_variant_are_those_of_eval_and_the_difference_is_paired(
    voiced_file: Path, tmp_path: Path, log: Callable[[], list[str]]
) -> None:
    done = ablation(voiced_file, tmp_path / "out", "--variant", "mode-audio", "--json")
    assert done.return_value == 0, done.output
    found = result(tmp_path / "out")
    assert json.loads(done.stdout) == found
    common = ("--data", voiced_file, "--approach", "hears", "--folds", 3, "--json")
    for variant, mode in (("reference", "dialogue"), ("mode-audio", "audio")):
        out = call("eval", *common, "--mode", mode, "--run", tmp_path / mode, "--task", "rpp")
        theirs = json.loads(out.stdout)["tasks"]["rpp"]["approaches"]["hears"]
        ours = found["tasks"]["rpp"]["variants"][variant]
        assert {k: ours[k] for k in ("value", "low", "high")} == {
            k: theirs["metrics"]["accuracy"][k] for k in ("value", "low", "high")
        }
        assert ours["answered"] == theirs["n"]
    # patterns go round and round over 24 instances, so each is meant 8 times; the first option is
    # pursue_withdraw, and the last one, mixed_transition, is never meant
    first, heard = (found["tasks"]["rpp"]["variants"][n] for n in ("reference", "mode-audio"))
    assert (first["value"], heard["value"]) == (8 / 24, 0.0)
    assert heard["compared"]["difference"] == pytest.approx(-8 / 24)
    assert heard["compared"]["against"] == "reference"
    assert first["compared"] is None


def test_p_values_are_corrected_for_all_variants_of_a_task(
    voiced_file: Path, tmp_path: Path, log: Callable[[], list[str]]
) -> None:
    ablation(voiced_file, tmp_path / "out")
    for task in result(tmp_path / "out")["tasks"].values():
        rows = [r["compared"] for r in task["variants"].values() if r["compared"]]
        assert len(rows) == 13
        assert [r["p_holm"] for r in rows] == list(holm([r["p"] for r in rows]))


def test_variants_that_change_no_answer_are_said_to_be_the_same(
    voiced_file: Path, tmp_path: Path, log: Callable[[], list[str]]
) -> None:
    asked = ("--variant", "no-memory", "--variant", "mode-audio")
    done = ablation(voiced_file, tmp_path / "out", *asked)
    rows = result(tmp_path / "out")["tasks"]["rpp"]["variants"]
    assert rows["no-memory"]["compared"]["same_answers"]
    assert not rows["mode-audio"]["compared"]["same_answers"]
    assert "Same answers as what they are compared with: no-memory." in done.stdout


def test_with_several_seeds_figures_are_means_over_them(
    voiced_file: Path, tmp_path: Path, plugin: Plugin
) -> None:
    body = """
    learns = True
    def fit(self, train, *, seed):
        self.turned = self.settings.view.mode == "audio" and seed == 1
        return self
    def predict(self, instances, findings):
        for i in instances:
            options = tuple(i.options)
            yield Prediction(i.id, options[::-1] if self.turned else options)
    """
    plugin("wavers", body)
    more = ("--folds", 3, "--task", "rpp", "--variant", "mode-audio", "--seeds", 2)
    common = ("ablate", "--data", voiced_file, "--approach", "wavers", "-o", tmp_path / "out")
    assert call(*common, *more).return_value == 0
    rows = result(tmp_path / "out")["tasks"]["rpp"]["variants"]
    assert rows["reference"]["value"] == pytest.approx(8 / 24)
    assert rows["mode-audio"]["value"] == pytest.approx(4 / 24)
    assert rows["mode-audio"]["by_seed"] == [pytest.approx(8 / 24), 0.0]
    assert rows["mode-audio"]["compared"]["difference"] == pytest.approx(-4 / 24)
    assert rows["mode-audio"]["answered"] == 48


def test_a_stopped_ablation_goes_on_and_trains_no_finished_variant_again(
    voiced_file: Path, tmp_path: Path, log: Callable[[], list[str]]
) -> None:
    asked = ("--variant", "no-memory", "--variant", "mode-audio")
    (tmp_path / "stop").touch()
    assert isinstance(ablation(voiced_file, tmp_path / "out", *asked).exception, RuntimeError)
    assert not (tmp_path / "out" / "ablations.json").exists()
    before = log()
    assert len(before) == 6
    (tmp_path / "stop").unlink()
    assert ablation(voiced_file, tmp_path / "out", *asked).return_value == 0
    assert log()[:6] == before
    assert [line.split("|")[0] for line in log()[6:]] == ["audio"] * 3
    whole = ablation(voiced_file, tmp_path / "whole", *asked)
    assert whole.return_value == 0
    ours, theirs = (result(tmp_path / name) for name in ("out", "whole"))
    assert ours["tasks"] == theirs["tasks"]


def test_a_finished_ablation_is_shown_again_without_training_or_new_costs(
    voiced_file: Path, tmp_path: Path, log: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ("--variant", "no-memory")
    first = ablation(voiced_file, Path("out"), *asked)
    kept = {p: p.read_bytes() for p in Path("out").glob("*.json")}
    # the same folder by another name: a recipe is what it says, not where it lies
    again = ablation(voiced_file, tmp_path / "out", *asked)
    assert again.return_value == 0, again.output
    assert again.stdout == first.stdout
    assert len(log()) == 6
    assert {p: p.read_bytes() for p in Path("out").glob("*.json")} == kept
    assert set(json.loads(Path("out/costs.json").read_text())) == {"reference", "no-memory"}


@pytest.mark.parametrize(
    "text", ['{"reference": NaN, "own": 1}', '{"reference": [1]}', r'{"\ud800": 1}', "[" * 100_000]
)
def test_costs_that_cannot_be_read_are_measured_anew(
    voiced_file: Path, tmp_path: Path, log: Callable[[], list[str]], text: str
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "costs.json").write_text(text)
    assert ablation(voiced_file, tmp_path / "out", "--variant", "reference").return_value == 0
    costs = json.loads((tmp_path / "out" / "costs.json").read_text())
    assert list(costs) == ["reference"]
    assert costs["reference"] > 0


def test_another_ablation_does_not_mix_with_one_that_is_there(
    voiced_file: Path, couples_file: Path, tmp_path: Path, log: Callable[[], list[str]]
) -> None:
    ablation(voiced_file, tmp_path / "out", "--variant", "no-memory")
    before = (tmp_path / "out" / "ablations.json").read_bytes()
    done = ablation(couples_file, tmp_path / "out", "--variant", "no-memory")
    assert isinstance(done.exception, RelgraphError)
    assert "holds another run" in str(done.exception)
    assert (tmp_path / "out" / "ablations.json").read_bytes() == before


def test_a_folder_that_holds_something_else_is_refused_untouched(
    voiced_file: Path, tmp_path: Path, log: Callable[[], list[str]]
) -> None:
    home = tmp_path / "papers"
    home.mkdir()
    (home / "draft.txt").write_text("mine")
    for place, told in ((home, "holds 'draft.txt'"), (home / "draft.txt", "is a file")):
        done = ablation(voiced_file, place)
        assert isinstance(done.exception, DataError)
        assert told in str(done.exception)
    assert [p.name for p in home.iterdir()] == ["draft.txt"]
    assert log() == []


def test_what_shows_the_future_is_marked_in_the_json_and_in_the_table(
    voiced_file: Path, tmp_path: Path, log: Callable[[], list[str]]
) -> None:
    asked = ("--variant", "audiovisual-shuffled", "--variant", "audiovisual-physical")
    done = ablation(voiced_file, tmp_path / "out", *asked)
    variants = result(tmp_path / "out")["variants"]
    assert [n for n, v in variants.items() if not v["causal"]] == ["audiovisual-shuffled"]
    assert "not a performance" in variants["audiovisual-shuffled"]["note"]
    assert "audiovisual-shuffled *" in done.stdout
    assert "* audiovisual-shuffled shows later descriptions at earlier turns" in done.stdout
    # 8 conversations of 9 turns: "angry, tone 1" and "sadly leaning" are 5 words, 2 of them judge
    assert variants["audiovisual-physical"]["descriptions"]["words"] == 360
    assert "144 of 360 described words are taken out (40.0%)" in done.stdout


def test_the_best_floor_stands_in_every_table(
    voiced_file: Path, tmp_path: Path, log: Callable[[], list[str]]
) -> None:
    ablation(voiced_file, tmp_path / "out", "--variant", "reference")
    scores = json.loads((tmp_path / "out" / "reference" / "scores.json").read_text())
    for name, metric in (("rpp", "accuracy"), ("stp", "recall@1")):
        rows = scores["tasks"][name]["approaches"]
        best = max(r["metrics"][metric]["value"] for r in rows.values() if r["floor"])
        floor = result(tmp_path / "out")["tasks"][name]["floor"]
        assert floor["value"] == best
        assert rows[floor["name"]]["metrics"][metric]["value"] == best


def test_the_list_needs_neither_data_nor_folder() -> None:
    done = call("ablate", "--list")
    assert done.return_value == 0
    for v in VARIANTS:
        assert v.name in done.stdout


def test_equal_figures_give_an_equal_plot_whose_text_is_text(
    voiced_file: Path, tmp_path: Path, log: Callable[[], list[str]]
) -> None:
    pytest.importorskip("matplotlib")
    from relgraph.report.ablation import plot_ablations

    ablation(voiced_file, tmp_path / "out", "--variant", "audiovisual-shuffled")
    first = (tmp_path / "out" / "ablations.svg").read_bytes()
    assert plot_ablations(result(tmp_path / "out"), tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == first
    assert b">audiovisual-shuffled *</text>" in first
    assert b"<dc:date>" not in first


def test_nothing_is_drawn_where_nothing_is_compared(
    voiced_file: Path, tmp_path: Path, log: Callable[[], list[str]]
) -> None:
    pytest.importorskip("matplotlib")
    done = ablation(voiced_file, tmp_path / "out", "--variant", "reference")
    assert done.return_value == 0
    assert not (tmp_path / "out" / "ablations.svg").exists()


def test_without_matplotlib_one_line_says_how_to_have_the_plot(
    voiced_file: Path,
    tmp_path: Path,
    log: Callable[[], list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    done = ablation(voiced_file, tmp_path / "out", "--variant", "no-memory")
    assert done.return_value == 0
    assert "note: the plot needs the package 'matplotlib'" in done.stderr
    assert "relgraph[plots]" in done.stderr
    assert (tmp_path / "out" / "ablations.json").exists()


def test_failed_items_are_told_and_the_exit_code_is_1(
    voiced_file: Path, tmp_path: Path, plugin: Plugin
) -> None:
    body = """
    def predict(self, instances, findings):
        for k, i in enumerate(instances):
            heard = self.settings.view.mode == "audio"
            yield Prediction(i.id, failure="too loud") if heard and k == 0 else (
                Prediction(i.id, tuple(i.options)))
    """
    plugin("frail", body)
    common = ("ablate", "--data", voiced_file, "--approach", "frail", "--task", "rpp")
    done = call(*common, "--variant", "mode-audio", "-o", tmp_path / "out")
    assert done.return_value == 1
    rows = result(tmp_path / "out")["tasks"]["rpp"]["variants"]
    assert rows["mode-audio"]["compared"]["n"] == rows["reference"]["answered"] - 1
    assert "mode-audio: 1 items failed." in done.stdout


def test_the_page_of_ablations_has_every_variant_and_no_other() -> None:
    page = (Path(__file__).parents[2] / "docs" / "ablations.md").read_text(encoding="utf-8")
    table = page.partition("## Variants")[2].partition("The last two")[0]
    firsts = (line.split("|")[1] for line in table.splitlines() if line.startswith("| `"))
    told = [name for cell in firsts for name in cell.replace("`", "").replace(",", "").split()]
    assert [n for n in told if n != "or"] == [v.name for v in VARIANTS]


def test_a_name_that_is_unknown_leaves_no_folder(voiced_file: Path, tmp_path: Path) -> None:
    common = ("ablate", "--data", voiced_file, "-o", tmp_path / "out")
    for more in (("--approach", "gmn"), ("--variant", "no-memry"), ("--task", "rrp")):
        assert isinstance(call(*common, *more).exception, UnknownNameError), more
    assert not (tmp_path / "out").exists()
