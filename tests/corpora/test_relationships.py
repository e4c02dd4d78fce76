"""Which couple or family a conversation belongs to: given, own, or derived."""

import json
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from relgraph.corpora import read, write
from relgraph.corpora._relationships import derive, related
from relgraph.errors import DataError
from relgraph.records import Conversation, Turn


def talk(id: str, scenario: str, *people: str, relationship: str = "") -> Conversation:
    return Conversation(
        id=id,
        turns=(Turn(1, people[0], "Hi"),),
        scenario=scenario,
        participants=people,
        relationship=relationship,
    )


def test_a_couple_is_the_folder_of_its_id() -> None:
    found = derive([talk("ana_and_ben/01", "couple", "Ana", "Ben"), talk("x/y/2", "couple", "Ana")])
    assert found == {"ana_and_ben/01": "ana_and_ben", "x/y/2": "y"}


def test_without_a_folder_a_couple_is_its_roster_in_any_order() -> None:
    found = derive([talk("1", "couple", "Ben", "Ana"), talk("2", "couple", "Ana", "Ben")])
    assert found == {"1": "Ana+Ben", "2": "Ana+Ben"}


def test_families_that_share_a_person_by_way_of_a_third_are_one() -> None:
    found = derive(
        [
            talk("f/3", "family", "Cy", "Di"),
            talk("f/1", "family", "Ana", "Ben"),
            talk("f/2", "family", "Ben", "Cy"),
            talk("f/4", "family", "Eva"),
        ]
    )
    assert found == {"f/1": "f/1", "f/2": "f/1", "f/3": "f/1", "f/4": "f/4"}


def test_couples_and_families_are_never_linked_by_a_namesake() -> None:
    found = derive([talk("a/1", "couple", "Ana"), talk("f/1", "family", "Ana")])
    assert found == {"a/1": "a", "f/1": "f/1"}


def test_a_given_map_comes_before_the_own_word_and_that_before_derivation() -> None:
    three = [
        talk("a/1", "couple", "Ana", relationship="own"),
        talk("a/2", "couple", "Ana", relationship="own"),
        talk("b/3", "couple", "Ana"),
    ]
    assert [c.relationship for c in related(three, {"a/1": "given"})] == ["given", "own", "b"]


def test_what_a_map_leaves_out_takes_the_name_of_those_it_belongs_to() -> None:
    talks = [
        talk("f/1", "family", "Ana", "Ben"),
        talk("f/2", "family", "Ben", "Cy"),
        talk("f/3", "family", "Eva"),
        talk("a/1", "couple", "Di"),
        talk("a/2", "couple", "Di"),
    ]
    found = related(talks, {"f/2": "oaks", "a/1": "elms"})
    assert [c.relationship for c in found] == ["oaks", "oaks", "f/3", "elms", "elms"]


def test_without_a_given_roster_families_are_linked_by_who_speaks() -> None:
    bare = [replace(talk(i, "family", "Ana", "Ben"), participants=()) for i in ("f/1", "f/2")]
    assert derive(bare) == {"f/1": "f/1", "f/2": "f/1"}


def test_a_map_is_read_from_a_json_file(tmp_path: Path) -> None:
    write(tmp_path / "c.jsonl", [talk("a/1", "couple", "Ana")], format="jsonl")
    (tmp_path / "map.json").write_text('{"a/1": "the_oaks"}')
    corpus = read(tmp_path / "c.jsonl", relationships=tmp_path / "map.json")
    assert corpus[0].relationship == "the_oaks"


@pytest.mark.parametrize("content", ["[]", '{"a": 1}', "{", '{"a": ""}'])
def test_a_map_that_is_none_gets_one_clear_message(tmp_path: Path, content: str) -> None:
    write(tmp_path / "c.jsonl", [talk("a/1", "couple", "Ana")], format="jsonl")
    (tmp_path / "map.json").write_text(content)
    with pytest.raises(DataError, match=r"map\.json"):
        read(tmp_path / "c.jsonl", relationships=tmp_path / "map.json")


@pytest.mark.rescue
def test_on_the_benchmark_derivation_gives_the_known_relationships(rescue_folder: Path) -> None:
    known: dict[str, str] = json.loads((rescue_folder / "relationships.json").read_text())
    parts: tuple[dict[str, set[str]], dict[str, set[str]]] = (defaultdict(set), defaultdict(set))
    for c in read(rescue_folder / "rescue_dev.jsonl"):
        parts[0][c.relationship].add(c.id)
        parts[1][known[c.id]].add(c.id)
    derived, wanted = ({frozenset(ids) for ids in part.values()} for part in parts)
    assert derived == wanted
