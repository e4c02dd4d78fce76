"""The rules of the six tasks, on conversations whose instances can be read off by eye."""

from dataclasses import replace
from typing import Any

import pytest

from relgraph.records import (
    Annotation,
    Conversation,
    Emotion,
    Relation,
    Strategy,
    Turn,
    View,
    Viewpoint,
    renumber,
)
from relgraph.registry import load
from relgraph.tasks._base import evenly


def cases(task: str, conversation: Conversation) -> list[Any]:
    return list(load("task", task).cases(conversation, View()))


def labels(task: str, conversation: Conversation) -> list[tuple[int, str]]:
    return [(c.turn, c.gold.label) for c in cases(task, conversation)]


def talk(speakers: str, gold: dict[int, Annotation] | None = None, **about: Any) -> Conversation:
    """A conversation from initials: T is the therapist, F the whole family."""
    full = {"T": "Therapist", "F": "Family", "C": "Couple", "a": "Ana", "b": "Ben", "c": "Cy"}
    turns = renumber(
        Turn(1, full[s], "one two three four five", ("Ana",), "given") for s in speakers
    )
    given = gold or {}
    return Conversation(
        **{
            "id": "x",
            "turns": turns,
            "gold": tuple(given.get(t.index, Annotation()) for t in turns),
            "scenario": "couple",
            "participants": ("Ana", "Ben"),
            **about,
        }
    )


@pytest.mark.parametrize(
    ("count", "limit", "positions"),
    [
        (3, 5, [0, 1, 2]),
        (5, 5, [0, 1, 2, 3, 4]),
        (9, 5, [0, 2, 4, 6, 8]),
        (6, 5, [0, 1, 2, 4, 5]),  # 0, 1.25, 2.5 -> 2 (Python rounds halves to even), 3.75, 5
        (4, 2, [0, 3]),
        (4, 3, [0, 2, 3]),  # 1.5 -> 2
        (7, 1, [0]),
        (7, 0, []),
        (0, 5, []),
    ],
)
def test_evenly_picks_rounded_positions_with_both_ends(
    count: int, limit: int, positions: list[int]
) -> None:
    assert evenly(range(count), limit) == tuple(positions)


@pytest.mark.parametrize("count", range(1, 60))
@pytest.mark.parametrize("limit", [2, 3, 5, 17])
def test_evenly_always_gives_as_many_as_it_may(count: int, limit: int) -> None:
    found = evenly(range(count), limit)
    assert len(found) == min(count, limit)
    assert sorted(set(found)) == list(found)
    assert {found[0], found[-1]} == {0, count - 1}


def test_itp_has_a_yes_before_the_therapist_and_a_no_before_a_client() -> None:
    assert labels("itp", talk("abTa")) == [(1, "no"), (2, "yes")]


def test_itp_has_no_boundary_after_the_therapist_or_the_last_turn() -> None:
    assert labels("itp", talk("TTab")) == []


def test_itp_thins_the_larger_class_evenly() -> None:
    # no after 1 2 3 4, yes after 5 and 7: of the four, the first and the last stay
    assert labels("itp", talk("abababaTaT"[:5] + "TaTa")) == [
        (1, "no"), (4, "no"), (5, "yes"), (7, "yes"),
    ]  # fmt: skip


def test_itp_takes_the_whole_family_for_a_client() -> None:
    family = talk("aFT", scenario="family", participants=("Ana", "Ben", "Cy"))
    assert labels("itp", family) == [(1, "no"), (2, "yes")]


def relation(cycle: str | None = None, pattern: str | None = None) -> Annotation:
    found = []
    if cycle is not None:
        found.append(Relation("relation_cycle_state", cycle))
    if pattern is not None:
        found.append(Relation("relation_pattern", pattern))
    return Annotation(relations=tuple(found))


def test_rpp_reads_the_cycle_state_of_couples_only() -> None:
    gold = {1: relation("attack_attack"), 2: relation(pattern="pursue_withdraw")}
    gold[3] = relation("repair_softening", "attack_attack")
    assert labels("rpp", talk("aTb", gold)) == [(1, "attack_attack"), (3, "repair_softening")]


def test_rpp_reads_the_relation_pattern_of_families_only() -> None:
    gold = {
        1: relation("pursue_withdraw"),
        2: relation(pattern="mutual_disengagement"),
        3: relation("mutual_disengagement", "mixed_transition"),
    }
    assert labels("rpp", talk("aTb", gold, scenario="family")) == [
        (2, "mutual_disengagement"),
        (3, "mixed_transition"),
    ]


@pytest.mark.parametrize("label", ["", "escalation_conflict", "Attack_attack"])
def test_rpp_makes_no_instance_of_an_empty_label_or_one_outside_the_set(label: str) -> None:
    assert labels("rpp", talk("aT", {2: relation(label)})) == []


def test_rpp_sees_nothing_of_the_turn_that_it_is_about() -> None:
    (case,) = cases("rpp", talk("abT", {3: relation("attack_attack")}))
    assert [t.index for t in case.instance.conversation.turns] == [1, 2]


def strategy(*targets: str, type: str = "evoke") -> Annotation:
    return Annotation(strategies=(Strategy("Therapist", targets, type),))


@pytest.mark.parametrize(
    ("targets", "label"),
    [
        (("Ben",), "Ben"),
        (("Ana", "Ben"), "Couple"),
        (("Couple",), "Couple"),
        (("Ana", "Ana"), "Ana"),
        ((), "Ana"),  # the turn's own addressee
    ],
)
def test_stp_and_ssp_resolve_one_person_and_several_to_the_group(
    targets: tuple[str, ...], label: str
) -> None:
    conversation = talk("aT", {2: strategy(*targets)})
    assert labels("stp", conversation) == [(2, label)]
    (case,) = cases("ssp", conversation)
    assert (case.gold.label, case.instance.target) == ("evoke", label)


@pytest.mark.parametrize("targets", [("Dora",), ("Therapist",)])
def test_stp_and_ssp_have_no_instance_for_a_target_that_is_nobody_there(
    targets: tuple[str, ...],
) -> None:
    conversation = talk("aT", {2: strategy(*targets)})
    assert labels("stp", conversation) == labels("ssp", conversation) == []


def test_stp_and_ssp_have_no_instance_where_a_client_supports() -> None:
    conversation = talk("ab", {2: strategy("Ana")})
    assert labels("stp", conversation) == labels("ssp", conversation) == []


def test_ssp_leaves_out_a_strategy_outside_the_set_and_stp_keeps_its_target() -> None:
    conversation = talk("aT", {2: strategy("Ben", type="boundary")})
    assert labels("ssp", conversation) == []
    assert labels("stp", conversation) == [(2, "Ben")]


def test_ssp_takes_the_first_of_several_strategies() -> None:
    both = Annotation(
        strategies=(*strategy("Ben", type="track").strategies, *strategy("Ana").strategies)
    )
    (case,) = cases("ssp", talk("aT", {2: both}))
    assert (case.gold.label, case.instance.target) == ("track", "Ben")


def test_stp_offers_the_participants_and_the_group_whoever_has_spoken() -> None:
    (case,) = cases("stp", talk("aT", {2: strategy("Ben")}))
    assert case.instance.options == ("Ana", "Ben", "Couple")
    assert case.instance.next_speaker == "Therapist"


def test_stp_offers_each_person_once_whatever_the_roster_says() -> None:
    odd = ("Ana", "Therapist", "Ben", "Couple", "Ana", "")
    (case,) = cases("stp", talk("aT", {2: strategy("Ben")}, participants=odd))
    assert case.instance.options == ("Ana", "Ben", "Couple")
    assert case.instance.conversation.participants == ("Ana", "Ben")


def test_stp_without_a_roster_offers_who_appeared_and_neither_nobody_nor_another_group() -> None:
    of = talk("aT", {2: strategy("Ana")}, participants=())
    turns = renumber((Turn(1, "", "hm", ("Family",)), *of.turns))
    (case,) = cases("stp", replace(of, turns=turns, gold=(Annotation(), *of.gold)))
    assert case.instance.options == ("Ana", "Couple")


def test_without_a_roster_people_stay_known_when_they_are_out_of_sight() -> None:
    of = talk("abaaT", {5: strategy("Ana")}, participants=())
    (case,) = load("task", "stp").cases(of, View(context_turns=1))
    assert [t.index for t in case.instance.conversation.turns] == [4]
    assert case.instance.options == ("Ana", "Ben", "Couple")


@pytest.mark.parametrize(("timed", "seen"), [(4, "unknown"), (1, "recorded")])
def test_times_count_as_recorded_from_the_turn_on_that_has_some(timed: int, seen: str) -> None:
    of = talk("abaT", {4: strategy("Ana")}, timing="recorded")
    turns = tuple(replace(t, start_s=1.0 if t.index == timed else None) for t in of.turns)
    (case,) = cases("stp", replace(of, turns=turns))
    assert case.instance.conversation.timing == seen


def feels(person: str, intensity: float | None = 5.0, phrase: str = "sad") -> Annotation:
    return Annotation(emotions=(Emotion(person, phrase, intensity),))


def test_er_drops_the_first_three_tenths_rounded_up() -> None:
    # of 4 turns ceil(1.2) = 2 are dropped
    gold = {i: feels("Ana") for i in range(1, 5)}
    assert [c.turn for c in cases("er", talk("aaaa", gold))] == [3, 4]
    # of 10 turns exactly 3, though 0.3 * 10 is a little off in binary
    gold = {i: feels("Ana") for i in (3, 4)}
    assert [c.turn for c in cases("er", talk("a" * 10, gold))] == [4]


def test_er_needs_five_words() -> None:
    conversation = talk("aaaa", {3: feels("Ana"), 4: feels("Ana")})
    short = replace(conversation.turns[2], text="one two three four")
    turns = (*conversation.turns[:2], short, conversation.turns[3])
    assert [c.turn for c in cases("er", replace(conversation, turns=turns))] == [4]


@pytest.mark.parametrize(
    ("speakers", "gold"),
    [
        ("aaaT", feels("Therapist")),
        ("aaaC", feels("Couple")),
        ("aaaa", feels("Ben")),
        ("aaaa", feels("Ana", None)),
    ],
)
def test_er_needs_one_client_with_an_emotion_and_intensity_of_their_own(
    speakers: str, gold: Annotation
) -> None:
    assert cases("er", talk(speakers, {4: gold})) == []


def test_er_takes_five_at_most_evenly_and_shows_the_turn_itself() -> None:
    # turns 4 to 10 qualify: of 7, positions 0 1.5 3 4.5 6 -> 0 2 3 4 6
    found = cases("er", talk("a" * 10, {i: feels("Ana") for i in range(1, 11)}))
    assert [c.turn for c in found] == [4, 6, 7, 8, 10]
    assert found[0].instance.conversation.turns[-1].index == 4


def thinks(*sources: str) -> Annotation:
    return Annotation(viewpoints=tuple(Viewpoint(s, "Ben", "is late") for s in sources))


def test_vp_needs_a_viewpoint_of_the_speaker_and_keeps_all_of_the_turn() -> None:
    found = cases(
        "vp", talk("aaTa", {1: thinks("Ana", "Ben"), 2: thinks("Ben"), 3: thinks("Therapist")})
    )
    assert [c.turn for c in found] == [1]
    assert [v.source for v in found[0].gold.viewpoints] == ["Ana", "Ben"]


def test_vp_does_not_ask_what_the_whole_group_thinks() -> None:
    assert cases("vp", talk("C", {1: thinks("Couple")})) == []


def test_vp_takes_five_at_most_evenly() -> None:
    found = cases("vp", talk("a" * 9, {i: thinks("Ana") for i in range(1, 10)}))
    assert [c.turn for c in found] == [1, 3, 5, 7, 9]


@pytest.mark.parametrize("task", ["rpp", "ssp"])
def test_a_scenario_without_label_sets_has_no_instances(task: str) -> None:
    gold = {2: replace(strategy("Ben"), relations=relation("attack_attack").relations)}
    assert cases(task, talk("aT", gold, scenario="team")) == []


def test_an_empty_conversation_has_no_instance_of_any_task() -> None:
    for task in ("er", "itp", "rpp", "ssp", "stp", "vp"):
        assert cases(task, Conversation("x", ())) == []
