"""What holds before any rule, from small conversations."""

import pytest

from relgraph.cues import Cue, RoleSign
from relgraph.errors import DataError, UnknownNameError
from relgraph.reasoning import Atom, facts_of
from relgraph.records import Conversation, Turn


def cue(name: str, turn: int, source: str, target: str, detail: str = "") -> Cue:
    return Cue(name, turn, source, target, 0.7, "words", detail)


def told(conversation: Conversation, *cues: Cue, roles=()) -> dict[Atom, tuple[int, float]]:
    return {f.atom: (f.known_at, f.strength) for f in facts_of(conversation, cues, roles=roles)}


FAMILY = Conversation(
    "f",
    (
        Turn(1, "Ruth", "", ("Family",)),
        Turn(2, "Ana", "", ("Ben",)),
        Turn(3, "Ben", "", ("Ana", "Ruth"), "inferred", 0.5),
    ),
    scenario="family",
    participants=("Ana", "Ben", "Cem"),
    supporter="Ruth",
)


def test_people_of_a_roster_are_known_beforehand_and_the_supporter_is_no_client():
    facts = told(FAMILY)
    assert facts[Atom("client", 0, ("Cem",))] == (0, 1.0)
    assert facts[Atom("person", 0, ("Ruth",))] == (1, 1.0)
    assert facts[Atom("therapist", 0, ("Ruth",))] == (0, 1.0)
    assert Atom("client", 0, ("Ruth",)) not in facts
    assert not [a for a in facts if a.predicate == "partner"]


def test_without_a_roster_people_are_known_when_they_turn_up():
    facts = told(Conversation("c", FAMILY.turns, supporter="Ruth"))
    assert facts[Atom("client", 0, ("Ben",))] == (2, 1.0)
    assert Atom("client", 0, ("Cem",)) not in facts


def test_the_two_of_a_couple_are_partners_in_both_directions():
    facts = told(
        Conversation("c", FAMILY.turns[1:], scenario="couple", participants=("Ana", "Ben"))
    )
    partners = {a.args for a in facts if a.predicate == "partner"}
    assert partners == {("Ana", "Ben"), ("Ben", "Ana")}


def test_talk_to_the_group_reaches_everybody_in_it_but_the_supporter():
    facts = told(FAMILY)
    assert {a.args for a in facts if a.predicate == "addressed" and a.turn == 1} == {
        ("Ruth", "Ana"), ("Ruth", "Ben"), ("Ruth", "Cem"), ("Ruth", "group"),
    }  # fmt: skip
    assert facts[Atom("to_group", 1, ("Ruth",))] == (1, 1.0)
    assert Atom("to_group", 2, ("Ana",)) not in facts


def test_an_inferred_addressee_is_as_sure_as_it_is():
    facts = told(FAMILY)
    assert facts[Atom("addressed", 3, ("Ben", "Ana"))] == (3, 0.5)
    assert facts[Atom("to_group", 3, ("Ben",))] == (3, 0.5)
    assert facts[Atom("said", 3, ("Ben",))] == (3, 1.0)


def test_a_cue_towards_the_group_is_one_fact_a_person_and_one_for_the_group():
    facts = told(FAMILY, cue("blame", 2, "Ana", "Family"), cue("demand", 2, "Ana", ""))
    assert {a.args for a in facts if a.predicate == "blame"} == {
        ("Ana", "Ben"), ("Ana", "Cem"), ("Ana", "group"),
    }  # fmt: skip
    assert facts[Atom("demand", 2, ("Ana", "nobody"))] == (2, 0.7)


def test_a_cue_with_kinds_has_its_kind_for_an_argument():
    facts = told(FAMILY, cue("emotion", 2, "Ana", "Ben", "fear"))
    assert facts[Atom("emotion", 2, ("Ana", "fear"))] == (2, 0.7)


def test_facts_of_cues_hold_their_cue():
    one = cue("blame", 2, "Ana", "Ben")
    (fact,) = (f for f in facts_of(FAMILY, [one]) if f.atom.predicate == "blame")
    assert fact.cue is one


def test_roles_are_known_when_they_are_told_and_make_the_one_older_than_the_other():
    facts = told(
        FAMILY,
        roles=[
            RoleSign("Ana", "parent", 2, 0.9, "mum"),
            RoleSign("Ben", "child", 3, 0.6, "son"),
            RoleSign("Cem", "child", 1, 0.5, "my grandson", "Ruth"),
        ],
    )
    assert facts[Atom("parent", 0, ("Ana",))] == (2, 0.9)
    assert facts[Atom("older", 0, ("Ana", "Ben"))] == (3, 0.6)
    assert facts[Atom("older", 0, ("Ruth", "Cem"))] == (1, 0.5)
    assert Atom("older", 0, ("Ana", "Cem")) not in facts


def test_a_cue_that_is_not_in_the_codebook_is_refused():
    with pytest.raises(UnknownNameError, match=r"unknown cue 'blaem'\. Did you mean 'blame'"):
        facts_of(FAMILY, [cue("blaem", 1, "Ana", "Ben")])


def test_a_kind_that_a_cue_does_not_have_is_refused():
    with pytest.raises(UnknownNameError, match=r"unknown kind of the cue emotion 'feer'.*'fear'"):
        facts_of(FAMILY, [cue("emotion", 1, "Ana", "", "feer")])


@pytest.mark.parametrize(("at", "said"), [(0, "turn 0"), (-1, "turn -1"), (4, "turn 4")])
def test_a_cue_at_a_turn_that_there_is_not_is_refused(at, said):
    talk = Conversation("gaps", tuple(Turn(i, "Ana", "") for i in (3, 5)))
    with pytest.raises(DataError, match=f"cue blame at {said}: conversation 'gaps' has no such"):
        facts_of(talk, [cue("blame", at, "Ana", "Ben")])
    assert facts_of(talk, [cue("blame", 5, "Ana", "Ben"), cue("blame", 9, "Ana", "Ben")])


@pytest.mark.parametrize("indices", [(0, 1), (1, 1), (2, 1)])
def test_turns_whose_indices_do_not_rise_are_refused(indices):
    talk = Conversation("c", tuple(Turn(i, "Ana", "") for i in indices))
    with pytest.raises(DataError, match=r"conversation 'c': turn . after turn .; expected indices"):
        facts_of(talk, [])


def test_who_is_called_group_or_nobody_is_read_as_that_and_no_person():
    talk = Conversation(
        "c",
        (Turn(1, "group", "", ("nobody",)), Turn(2, "Ana", "", ("group",))),
        scenario="family",
        participants=("Ana", "group", "nobody", "Ben"),
    )
    facts = told(talk, cue("blame", 2, "Ana", "group"), cue("demand", 2, "nobody", "Ana"))
    assert {a.args for a in facts if a.predicate == "person"} == {("Ana",), ("Ben",)}
    assert {a.args for a in facts if a.predicate == "blame"} == {("Ana", "Ben"), ("Ana", "group")}
    assert {a.args for a in facts if a.predicate == "demand"} == {("nobody", "Ana")}
    assert Atom("to_group", 2, ("Ana",)) in facts
    seen = told(Conversation("c", talk.turns))
    assert {a.args for a in seen if a.predicate == "client"} == {("Ana",)}
