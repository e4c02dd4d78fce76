"""Recipe files: what they may say, what is refused, and which recipe a training gets."""

from __future__ import annotations

import json
from dataclasses import asdict, fields, replace
from pathlib import Path

import pytest

from relgraph.baselines.gnn.recipe import (
    FORMAT,
    RANGES,
    Recipe,
    Recipes,
    read_recipes,
    recipe_of,
    training_key,
    write_recipes,
)
from relgraph.baselines.gnn.space import SPACE, Choice
from relgraph.errors import DataError
from relgraph.records import fingerprint

WHOLE = tuple(name for name in RANGES if isinstance(getattr(Recipe(), name), int))


def refused(values: object) -> str:
    with pytest.raises(DataError) as caught:
        recipe_of(values, where="r.json")
    return str(caught.value)


def test_every_number_of_a_recipe_has_a_range_and_the_default_lies_in_it() -> None:
    numbers = {f.name for f in fields(Recipe) if not isinstance(getattr(Recipe(), f.name), bool)}
    assert set(RANGES) == numbers
    assert all(low <= getattr(Recipe(), name) <= high for name, (low, high) in RANGES.items())


def test_the_documented_table_has_every_entry_with_its_default_and_its_range() -> None:
    page = (Path(__file__).parents[3] / "docs" / "tuning.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    table = {cells[0].strip("`"): cells[1:3] for cells in rows if len(cells) == 4}
    table = {name: cells for name, cells in table.items() if name.isidentifier()}
    assert table.keys() == {f.name for f in fields(Recipe)}
    for name, (default, ends) in table.items():
        value = getattr(Recipe(), name)
        assert json.loads(default) == value
        if not isinstance(value, bool):
            assert tuple(map(float, ends.split(", "))) == RANGES[name]


def test_all_that_a_search_may_draw_is_allowed_in_a_recipe() -> None:
    for name, of in SPACE.items():
        for value in of.values if isinstance(of, Choice) else (of.low, of.high):
            assert recipe_of({name: value}, where="space")


def test_what_a_recipe_leaves_out_is_as_the_network_has_it() -> None:
    assert recipe_of({"hidden": 32}, where="r") == replace(Recipe(), hidden=32)
    assert recipe_of({}, where="r") == Recipe()


@pytest.mark.parametrize("name", RANGES)
def test_the_ends_of_a_range_are_allowed_and_what_lies_beyond_is_refused(name: str) -> None:
    low, high = RANGES[name]
    for value in (low, high):
        assert getattr(recipe_of({name: value}, where="r.json"), name) == value
    for beyond in (low - 1, high + 1):
        said = refused({name: beyond})
        assert said.startswith(f"r.json: {name} is {beyond}, wanted a number from {low:g} to ")


@pytest.mark.parametrize("name", WHOLE)
def test_a_fraction_is_refused_where_whole_numbers_are_counted(name: str) -> None:
    assert "without a fraction" in refused({name: RANGES[name][0] + 0.5})
    low = RANGES[name][0]
    assert type(getattr(recipe_of({name: float(low)}, where="r"), name)) is int


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "3", None, True, [0.1]])
def test_what_is_no_number_in_the_range_is_refused(value: object) -> None:
    assert "wanted a number from 0 to 0.95" in refused({"dropout": value})


@pytest.mark.parametrize("value", [1, 0, "true", None])
def test_a_switch_is_true_or_false(value: object) -> None:
    assert recipe_of({"memory": False}, where="r").memory is False
    assert refused({"memory": value}) == f"r.json: memory is {value!r}, wanted true or false."


def test_an_unknown_entry_is_refused_with_those_that_are_known() -> None:
    said = refused({"hiden": 64})
    assert said.startswith("r.json: unknown entry 'hiden'.")
    assert "hidden, " in said


@pytest.mark.parametrize("values", [[], 3, "hidden", None])
def test_a_recipe_is_an_object(values: object) -> None:
    assert "wanted an object of numbers" in refused(values)


def test_recipes_that_were_written_are_read_as_they_were(tmp_path) -> None:
    recipes = Recipes(
        general=Recipe(hidden=32, rate=0.00123, memory=False),
        by_training={"ab": Recipe(epochs=8), "cd": Recipe()},
        chosen_on=frozenset({"f1", "f2"}),
        relationships=frozenset({"oak"}),
    )
    write_recipes(tmp_path / "r.json", recipes)
    assert read_recipes(tmp_path / "r.json") == recipes


def test_a_bare_object_of_entries_is_a_recipe_that_nothing_was_chosen_on(tmp_path) -> None:
    (tmp_path / "r.json").write_text('{"layers": 2}', encoding="utf-8")
    assert read_recipes(tmp_path / "r.json") == Recipes(Recipe(layers=2))


def whole_file() -> dict[str, object]:
    return {
        "format": FORMAT,
        "recipe": asdict(Recipe()),
        "by_training": {"ab": {"epochs": 8}},
        "chosen_on": {"conversations": ["f1"], "relationships": []},
    }


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "relgraph-recipe/9"}, "format 'relgraph-recipe/9', wanted 'relgraph-recipe/1'"),
        ({"recipe": None}, "recipe: got NoneType"),
        ({"by_training": {"ab": {"epochs": 0}}}, "training ab: epochs is 0, wanted a number"),
        ({"by_training": 3}, "not a whole recipe file"),
        ({"chosen_on": {}}, "not a whole recipe file"),
        ({"chosen_on": None}, "not a whole recipe file"),
    ],
)
def test_a_file_that_is_no_whole_recipe_file_is_refused(tmp_path, change, said) -> None:
    (tmp_path / "r.json").write_text(json.dumps(whole_file() | change), encoding="utf-8")
    with pytest.raises(DataError, match=said):
        read_recipes(tmp_path / "r.json")


@pytest.mark.parametrize("text", ["", "{", "\xff", "[" * 100_000])
def test_a_file_that_is_no_json_is_one_message(tmp_path, text) -> None:
    (tmp_path / "r.json").write_text(text, encoding="latin-1")
    with pytest.raises(DataError, match=r"r\.json: not a recipe .*`relgraph tune` writes one"):
        read_recipes(tmp_path / "r.json")


def test_a_missing_file_is_one_message(tmp_path) -> None:
    with pytest.raises(DataError, match="not a recipe"):
        read_recipes(tmp_path / "none.json")


def test_the_name_of_a_training_set_heeds_its_conversations_and_not_their_order(corpus) -> None:
    assert training_key(corpus) == training_key(corpus[::-1])
    assert len({training_key(corpus[:k]) for k in range(1, 9)}) == 8


def test_a_training_gets_what_was_chosen_on_it_and_has_seen_nothing_else(corpus) -> None:
    own = Recipe(hidden=8)
    everything = frozenset(fingerprint(c) for c in corpus)
    recipes = Recipes(
        by_training={training_key(corpus[:5]): own},
        chosen_on=everything,
        relationships=frozenset({"oak"}),
    )
    assert recipes.of(corpus[4::-1]) == (own, frozenset(), frozenset())
    assert recipes.of(corpus[:4]) == (Recipe(), everything, frozenset({"oak"}))


def test_a_wrong_recipe_is_refused_before_a_run_has_a_folder(tmp_path, settings, capsys) -> None:
    recipe, folder = tmp_path / "recipe.json", tmp_path / "run"
    recipe.write_text('{"hiden": 32}', encoding="utf-8")
    with pytest.raises(DataError, match="unknown entry 'hiden'"):
        run_eval(
            ["--approach", "gnn", "--data", "sample", "--embedder", "hashing:16",
             "--task", "rpp", "--recipe", str(recipe), "--run", str(folder)]
        )  # fmt: skip
    assert not folder.exists()


def run_eval(arguments: list[str]) -> None:
    from relgraph._cli import cli

    cli.main(["eval", *arguments], standalone_mode=False)
