"""The choice of instances that stands for the whole data."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from relgraph._cli import cli
from relgraph.evaluation.plan import Request, select
from relgraph.evaluation.runner import Data, prepare
from relgraph.evaluation.stratified import apportion, preferred, stratify
from relgraph.records import Annotation, Case, Conversation, Gold, Instance, Strategy, Turn

Couples = tuple[Conversation, ...]


def case(home: str, turn: int, label: str, *, scenario: str = "couple", part: int = 1) -> Case:
    name = f"{home}/{part}"
    seen = Conversation(id=name, turns=(), scenario=scenario)
    instance = Instance(f"{name}#{turn}", "ssp", seen, options=("a", "b", "c"))
    return Case(instance, Gold(label=label), name, home, turn)


def cases_of(*of: Case) -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = {}
    for one in of:
        found.setdefault(one.conversation_id, []).append(one)
    return found


def kept(chosen: dict[str, Sequence[Case]]) -> list[Case]:
    return [one for of in chosen.values() for one in of]


def asked(*tasks: str, **more: object) -> Request:
    return Request((), tasks, stratified=True, **more)  # type: ignore[arg-type]


def ids(cases: Sequence[Case]) -> set[str]:
    return {c.instance.id for c in cases}


def test_seats_go_by_largest_remainder() -> None:
    # 10 seats at 47, 16, 15.8, 12, 6.1 and 3.1 of 100: 4+1, 1+1, 1+1, 1, 0+1, 0
    votes = {"a": 47.0, "b": 16.0, "c": 15.8, "d": 12.0, "e": 6.1, "f": 3.1}
    room = dict.fromkeys(votes, 99)
    assert apportion(10, votes, room) == {"a": 5, "b": 2, "c": 1, "d": 1, "e": 1, "f": 0}


def test_what_does_not_fit_into_ones_room_goes_to_the_others() -> None:
    assert apportion(6, {"a": 5, "b": 1}, {"a": 2, "b": 9}) == {"a": 2, "b": 4}
    assert apportion(6, {"a": 5, "b": 1}, {"a": 2, "b": 1}) == {"a": 2, "b": 1}


def test_whoever_has_a_weight_gets_one_as_long_as_there_are_any() -> None:
    weights, room = {"a": 97, "b": 2, "c": 1, "d": 0}, dict.fromkeys("abcd", 9)
    assert apportion(4, weights, room, least=1) == {"a": 2, "b": 1, "c": 1, "d": 0}
    assert apportion(2, weights, room, least=1) == {"a": 1, "b": 1, "c": 0, "d": 0}


def test_every_relationship_takes_part_about_equally() -> None:
    # three couples with 8, 2 and 8 instances: 7 are dealt 3, 2, 2 or 2, 2, 3
    of = [case(h, t, "a") for h, n in (("x", 8), ("y", 2), ("z", 8)) for t in range(n)]
    found = Counter(c.relationship for c in kept(stratify(cases_of(*of), ["x/1", "y/1", "z/1"], 7)))
    assert sorted(found.values()) == [2, 2, 3]
    assert found["y"] == 2


def test_scenarios_come_in_the_proportion_of_the_data() -> None:
    couples = [case(f"c{k}", t, "a") for k in range(3) for t in range(4)]
    family = [case("f", t, "a", scenario="family") for t in range(4)]
    of = cases_of(*couples, *family)
    found = Counter(c.relationship[0] for c in kept(stratify(of, list(of), 8)))
    assert found == {"c": 6, "f": 2}


def test_a_scenario_of_few_instances_is_still_tested() -> None:
    of = cases_of(*(case("c", t, "a") for t in range(99)), *(case("f", 1, "a", scenario="family"),))
    assert Counter(c.relationship for c in kept(stratify(of, list(of), 5))) == {"c": 4, "f": 1}


def test_gold_answers_come_in_the_proportion_of_the_data() -> None:
    labels = "aaaaaabbbc" * 2  # 12, 6, 2 of 20
    of = cases_of(*(case(f"h{t % 4}", t, label) for t, label in enumerate(labels)))
    found = Counter(c.gold.label for c in kept(stratify(of, list(of), 10)))
    assert found == {"a": 6, "b": 3, "c": 1}


def test_classes_are_met_also_where_dealing_them_one_after_another_would_fail() -> None:
    # each home gives one; `a` stands in both, `b` only in x: so `a` has to come from y
    of = cases_of(case("x", 1, "a"), case("x", 2, "b"), case("y", 1, "a"), case("y", 2, "a"))
    more = cases_of(*(case("z", t, "b") for t in range(2)))
    chosen = kept(stratify({**of, **more}, ["x/1", "y/1"], 2))
    assert {(c.relationship, c.gold.label) for c in chosen} == {("x", "b"), ("y", "a")}


def test_the_proportions_are_those_of_all_data_and_not_of_the_chosen_conversations() -> None:
    of = cases_of(
        *(case("x", t, "ab"[t % 2]) for t in range(8)), *(case("y", t, "a") for t in range(8))
    )
    found = Counter(c.gold.label for c in kept(stratify(of, ["x/1"], 4)))
    assert found == {"a": 3, "b": 1}


def test_further_conversations_are_opened_only_where_the_first_hold_too_little() -> None:
    # half of all is `b`, which only the second conversation has; four are twice two, not twice four
    first = [case("x", t, "a") for t in range(4)]
    second = [case("x", t, "b", part=2) for t in range(4)]
    of, order = cases_of(*first, *second), ["x/1", "x/2"]
    assert {c.conversation_id for c in kept(stratify(of, order, 2))} == {"x/1"}
    assert Counter(c.gold.label for c in kept(stratify(of, order, 4))) == {"a": 2, "b": 2}


def test_cases_stay_in_turn_order() -> None:
    of = cases_of(*(case("x", t, "abc"[t % 3]) for t in range(9)))
    turns = [c.turn for c in kept(stratify(of, ["x/1"], 6))]
    assert turns == sorted(turns)


def test_relationships_take_turns_among_the_first_conversations(couples: Couples) -> None:
    order = [c.relationship for c in preferred(couples)]
    assert sorted(order[:6]) == [f"couple{n}" for n in range(6)]
    assert sorted(order[6:]) == ["couple0", "couple1"]


def test_the_first_conversations_hold_every_scenario(
    couples: Couples, family: Conversation
) -> None:
    assert {c.scenario for c in preferred((*couples, family))[:2]} == {"couple", "family"}


def test_of_a_relationship_the_conversation_with_most_tasks_comes_first(couples: Couples) -> None:
    bare = [replace(c, gold=()) if c.id == "couple0/1" else c for c in couples]
    order = [c.id for c in preferred(bare)]
    assert order.index("couple0/2") < order.index("couple0/1")
    bare = [replace(c, gold=()) if c.id == "couple0/2" else c for c in couples]
    order = [c.id for c in preferred(bare)]
    assert order.index("couple0/1") < order.index("couple0/2")


def test_the_choice_depends_neither_on_the_order_of_the_data_nor_of_the_tasks(
    couples: Couples,
) -> None:
    there = select(couples, asked("rpp", "ssp", limit=5))
    back = select(tuple(reversed(couples)), asked("ssp", "rpp", limit=5))
    alone = select(couples, asked("ssp", limit=5))
    assert ids(there["ssp"]) == ids(back["ssp"]) == ids(alone["ssp"])
    assert ids(there["rpp"]) == ids(back["rpp"])


def test_tasks_are_asked_at_the_same_places_where_they_can_be(couples: Couples) -> None:
    """SSP and STP decide at the same turns; here their classes leave them free to choose."""
    plain = tuple(_one_strategy(c) for c in couples)
    found = select(plain, asked("ssp", "stp", limit=6))
    places = [{(c.conversation_id, c.turn) for c in of} for of in found.values()]
    assert places[0] == places[1]


def _one_strategy(c: Conversation) -> Conversation:
    gold = tuple(
        Annotation(strategies=(Strategy("Therapist", c.listed, "track"),))
        if t.speaker == "Therapist"
        else Annotation()
        for t in c.turns
    )
    return replace(c, gold=gold)


def test_all_instances_come_from_the_asked_number_of_conversations(couples: Couples) -> None:
    found = select(couples, asked("rpp", "ssp", conversations=3, limit=8))
    homes = {c.conversation_id for of in found.values() for c in of}
    assert len(homes) <= 3
    assert [len(of) for of in found.values()] == [8, 8]


def test_without_a_limit_all_instances_of_the_chosen_conversations_are_tested(
    couples: Couples,
) -> None:
    found = select(couples, asked("rpp", conversations=2))
    assert len(found["rpp"]) == 6
    assert len({c.relationship for c in found["rpp"]}) == 2


def test_a_run_that_is_not_stratified_is_described_as_before(couples: Couples) -> None:
    data = Data(couples, "couples.jsonl", "d")
    plain = prepare(Request(("majority",), ("rpp",), limit=4), data).what
    drawn = prepare(Request(("majority",), ("rpp",), limit=4, stratified=True), data).what
    assert "stratified" not in plain
    assert drawn == {**plain, "stratified": True}


def test_stratified_without_a_number_to_keep_is_refused(couples_file: Path) -> None:
    argv = ["eval", "--approach", "majority", "--data", str(couples_file), "--stratified"]
    done = CliRunner().invoke(cli, argv)
    assert done.exit_code == 2
    assert "--limit" in done.output


def test_eval_tests_the_stratified_choice(
    couples_file: Path, couples: Couples, tmp_path: Path
) -> None:
    argv = ["eval", "--approach", "last-speaker", "--data", str(couples_file), "--task", "stp"]
    argv += ["--stratified", "--limit", "5", "--run", str(tmp_path / "run")]
    done = CliRunner().invoke(cli, argv)
    assert done.exit_code == 0, done.output
    text = (tmp_path / "run" / "items.jsonl").read_text()
    wanted = ids(select(couples, asked("stp", limit=5))["stp"])
    assert all(name in text for name in wanted)


@pytest.mark.rescue
def test_forty_of_the_benchmark_meet_all_relationships_and_keep_its_proportions(
    rescue_folder: Path,
) -> None:
    from relgraph.corpora import read

    talks = read(
        rescue_folder / "rescue_dev.jsonl", relationships=rescue_folder / "relationships.json"
    ).conversations
    tasks = ("rpp", "ssp", "stp")
    data, chosen = select(talks, Request((), tasks)), select(talks, asked(*tasks, limit=40))
    for task in tasks:
        assert len(chosen[task]) == 40
        assert len({c.relationship for c in chosen[task]}) == 21
        if task == "stp":
            continue
        kind: Callable[[Case], tuple[str, str]] = lambda c: (  # noqa: E731
            c.instance.conversation.scenario,
            c.gold.label,
        )
        whole, part = Counter(map(kind, data[task])), Counter(map(kind, chosen[task]))
        away = [abs(part[k] - 40 * n / whole.total()) for k, n in whole.items()]
        assert max(away) < 1
    homes = {c.conversation_id for of in chosen.values() for c in of}
    assert len(homes) < 30


def test_a_couple_with_nothing_annotated_takes_no_part(couples: Couples) -> None:
    bare = (*couples, Conversation("bare", (Turn(1, "A", "hm"),), (Annotation(),), "couple"))
    assert len(select(bare, asked("rpp", limit=6))["rpp"]) == 6
