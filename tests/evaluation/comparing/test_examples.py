"""Items to read: which ones, and what is shown of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from relgraph.evaluation.comparing.arms import arms_of
from relgraph.evaluation.comparing.examples import Recall, examples
from relgraph.evaluation.comparing.pairs import pair
from relgraph.evaluation.comparing.runs import read_run
from tests.evaluation.comparing.made import TASKS, WriteRun, cases_in, data_of, talk

DATA = data_of(talk("x", "pppp"), talk("y", "pppp"))
SAID = {"llm": {"x": "ppaa", "y": "paaa"}, "gnn": {"x": "aapa", "y": "aaa!"}}


def found(folder: Path, *, most: int = 10, recall: Recall | None = None) -> dict[str, list[Any]]:
    arms = arms_of([read_run(folder)])
    of = pair(TASKS["rpp"], cases_in(DATA), arms["llm"], arms["gnn"]).answered
    return examples(of, most=most, recall=recall)


def places(rows: list[Any]) -> set[tuple[str, int]]:
    return {(row["conversation"], row["turn"]) for row in rows}


def test_better_and_worse_items_are_those_that_only_one_has_right(write_run: WriteRun) -> None:
    items = found(write_run(DATA, SAID))
    assert places(items["better"]) == {("x", 2), ("x", 4), ("y", 2)}
    assert places(items["worse"]) == {("x", 6)}


def test_an_item_says_where_it_is_what_is_right_and_what_both_said(write_run: WriteRun) -> None:
    (item,) = found(write_run(DATA, SAID))["worse"]
    assert item["gold"] == "pursue_withdraw"
    assert item["gain"] == -1
    assert (item["relationship"], item["scenario"], item["task"]) == ("x", "couple", "rpp")
    assert item["first"]["ranking"] == ["attack_attack"]
    assert item["second"]["ranking"] == ["pursue_withdraw"]


def test_equal_gains_are_dealt_over_the_relationships(write_run: WriteRun) -> None:
    said = {"llm": {"x": "pppp", "y": "paaa"}, "gnn": {"x": "aaaa", "y": "aaaa"}}
    items = found(write_run(DATA, said), most=2)["better"]
    assert {item["relationship"] for item in items} == {"x", "y"}


def test_the_same_items_are_chosen_again(write_run: WriteRun) -> None:
    folder = write_run(DATA, SAID)
    assert found(folder, most=2) == found(folder, most=2)


def test_prompts_and_replies_are_shown_where_the_calls_are_kept(write_run: WriteRun) -> None:
    folder = write_run(DATA, SAID, calls=("k1", "k2"))
    kept: Mapping[str, Mapping[str, str]] = {"k2": {"prompt": "what?", "reply": "this"}}
    (item,) = found(folder, recall=kept.get)["worse"]
    assert item["first"]["asked"] == 2
    assert item["first"]["calls"] == [{"prompt": "what?", "reply": "this"}]


def test_without_kept_calls_an_item_stands_without_prompts(write_run: WriteRun) -> None:
    (item,) = found(write_run(DATA, SAID, calls=("k1",)), recall=lambda _: None)["worse"]
    assert item["first"]["asked"] == 1
    assert "calls" not in item["first"]
