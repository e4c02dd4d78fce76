"""Addressees are inferred causally, blind to annotation, and marked as inferred."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relgraph.addressees import CONFIDENCE, infer, inferences, with_addressees
from relgraph.records import Background, Conversation, Nonverbal, Turn, View, renumber
from relgraph.registry import load, names


def talk(*said: tuple[str, str], people: tuple[str, ...] = ("Ana", "Ben")) -> Conversation:
    return Conversation(
        id="a",
        turns=renumber(Turn(1, speaker, text) for speaker, text in said),
        scenario="couple",
        participants=people,
    )


def last(*said: tuple[str, str], people: tuple[str, ...] = ("Ana", "Ben")) -> tuple[str, str]:
    found = inferences(talk(*said, people=people))[-1]
    assert found is not None
    return found.addressee, found.rule


@pytest.mark.parametrize(
    ("said", "addressee", "rule"),
    [
        ((("Ana", "It rained."), ("Therapist", "Ben, how was that?")), "Ben", "name"),
        ((("Ana", "It rained."), ("Therapist", "How was that, Ben?")), "Ben", "name"),
        ((("Ana", "It rained."), ("Therapist", "So Ben what is it like?")), "Ben", "name"),
        ((("Ana", "It rained."), ("Therapist", "And Ben stayed quiet.")), "Ana", "last speaker"),
        ((("Ana", "It rained."), ("Therapist", "You two are far apart.")), "Couple", "everyone"),
        ((("Ana", "No."), ("Therapist", "You hear that from Ana?")), "Ben", "one left"),
        ((("Ana", "It rained."), ("Therapist", "Mm-hm.")), "Ana", "last speaker"),
        ((("Therapist", "Hello."),), "Couple", "opening"),
        ((("Ben", "I came late."),), "Therapist", "opening"),
        ((("Therapist", "What now?"), ("Ana", "I do not know.")), "Therapist", "answer"),
        ((("Ben", "Fine."), ("Ana", "You always say that.")), "Ben", "second person"),
        ((("Ben", "Fine."), ("Ana", "He always says that.")), "Therapist", "third person"),
        ((("Ben", "Fine."), ("Ana", "That is what Ben says.")), "Therapist", "third person"),
        ((("Ben", "Fine."), ("Ana", "Right.")), "Ben", "last speaker"),
        ((("Ana", "Ben, wait."), ("Ana", "It rained.")), "Ben", "same speaker"),
        ((("Ana", "Ben, wait."), ("Ana", "He never waits.")), "Therapist", "third person"),
        ((("Ana", "It rained."), ("Ana", "You left me there.")), "Ben", "second person"),
        ((("Ana", "It rained."), ("Ana", "You see, he left.")), "Therapist", "same speaker"),
    ],
)
def test_each_rule_decides_where_it_is_meant_to(
    said: tuple[tuple[str, str], ...], addressee: str, rule: str
) -> None:
    assert last(*said) == (addressee, rule)


def test_a_name_inside_a_longer_word_is_no_call() -> None:
    assert last(("Ana", "Hm."), ("Therapist", "Benign, you say?")) == ("Ana", "last speaker")


def test_where_nobody_supports_a_remark_goes_to_whoever_else_spoke_last() -> None:
    team = Conversation(
        id="t", turns=renumber(Turn(1, who, "Well, he knows.") for who in ("Ana", "Ben", "Cy"))
    )
    found = inferences(team)
    assert found[0] is None
    assert [f.addressee for f in found[1:] if f] == ["Ana", "Ben"]


def test_an_inferred_addressee_is_marked_and_carries_its_confidence(couple: Conversation) -> None:
    turn = infer(couple).turns[3]
    assert (turn.addressees, turn.addressee_source) == (("Ben",), "inferred")
    assert turn.addressee_confidence == CONFIDENCE["name"]


def test_given_keeps_what_is_given_and_infers_only_what_is_missing(couple: Conversation) -> None:
    assert with_addressees(couple, "given") is couple
    bare = replace(couple.turns[3], addressees=(), addressee_source="none")
    partly = replace(couple, turns=(*couple.turns[:3], bare, couple.turns[4]))
    shown = with_addressees(partly, "given")
    assert [t.addressee_source for t in shown.turns] == [*["given"] * 3, "inferred", "given"]
    assert shown.turns[3].addressees == ("Ben",)


@pytest.mark.parametrize("view", ["inferred", "none"])
def test_no_annotated_addressee_is_left_under_the_other_views(
    couple: Conversation, view: str
) -> None:
    shown = with_addressees(couple, view)  # type: ignore[arg-type]
    assert {t.addressee_source for t in shown.turns} == {view}
    assert {b.addressees for t in shown.turns for b in t.background} == {()}
    assert {n.addressees for t in shown.turns for n in t.nonverbal} == {()}


spoken = st.lists(
    st.builds(
        Turn,
        index=st.just(1),
        speaker=st.sampled_from(["Ana", "Ben", "Cy", "Therapist", "Couple", ""]),
        text=st.lists(
            st.sampled_from(["Ana,", "Ben", "Cy?", "you", "he", "she", "you two", "well", "?", ""]),
            max_size=4,
        ).map(" ".join),
        addressees=st.lists(st.sampled_from(["Ana", "Ben", "Therapist"]), max_size=2).map(tuple),
        background=st.just((Background("Ben", ("Ana",), "mm"),)),
        nonverbal=st.just((Nonverbal("interaction_behavior", "Ana", "nods", ("Ben",)),)),
    ),
    max_size=6,
).map(renumber)
rosters = st.sampled_from([(), ("Ana", "Ben"), ("Ana", "Ben", "Cy")])
scenarios = st.sampled_from(["couple", "family", ""])


@settings(max_examples=150, deadline=None)
@given(spoken, rosters, scenarios, st.integers(0, 6), spoken)
def test_what_comes_later_and_what_is_annotated_change_no_inference(
    turns: tuple[Turn, ...],
    roster: tuple[str, ...],
    scenario: str,
    cut: int,
    others: tuple[Turn, ...],
) -> None:
    whole = Conversation("a", turns, scenario=scenario, participants=roster)
    unlike = tuple(replace(t, addressees=("Cy",), background=()) for t in turns[:cut])
    changed = replace(whole, turns=renumber((*unlike, *others)))
    assert inferences(changed)[: len(unlike)] == inferences(whole)[: len(unlike)]


@settings(max_examples=150, deadline=None)
@given(spoken, rosters, scenarios)
def test_nobody_is_inferred_to_speak_to_themselves_or_to_a_stranger(
    turns: tuple[Turn, ...], roster: tuple[str, ...], scenario: str
) -> None:
    conversation = Conversation("a", turns, scenario=scenario, participants=roster)
    known = {*roster, *(t.speaker for t in turns), "Therapist", conversation.group}
    for turn, found in zip(turns, inferences(conversation), strict=True):
        if found:
            assert found.addressee in known
            assert found.addressee != turn.speaker or turn.speaker == conversation.group


@pytest.mark.parametrize("task", names("task"))
def test_a_view_takes_effect_in_the_instances_of_every_task_and_changes_no_gold(
    task: str, couple: Conversation, family: Conversation
) -> None:
    for conversation in (couple, family):
        by_view = {
            source: load("task", task).cases(conversation, View(addressee=source))  # type: ignore[arg-type]
            for source in ("given", "inferred", "none")
        }
        keys = {
            source: [(c.turn, c.gold, c.instance.id) for c in cases]
            for source, cases in by_view.items()
        }
        assert keys["inferred"] == keys["none"] == keys["given"]
        for source, cases in by_view.items():
            shown = {t.addressee_source for c in cases for t in c.instance.conversation.turns}
            assert shown <= {source}
