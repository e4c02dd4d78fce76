"""Parents and children, told by how people call and speak of each other."""

import pytest

from relgraph.cues import RoleSign, infer_roles
from relgraph.records import Conversation, Turn

Row = tuple[str, str, str]
Told = set[tuple[str, str, str]]


def signs(
    *rows: Row, people: str = "Ana Ben Cleo", scenario: str = "family"
) -> tuple[RoleSign, ...]:
    return infer_roles(
        Conversation(
            id="c",
            turns=tuple(
                Turn(index=i, speaker=speaker, text=text, addressees=(to,))
                for i, (speaker, to, text) in enumerate(rows, start=1)
            ),
            scenario=scenario,
            participants=tuple(people.split()),
        )
    )


def told(*rows: Row, people: str = "Ana Ben Cleo") -> Told:
    """Person, role, and towards whom."""
    return {(s.person, s.role, s.other) for s in signs(*rows, people=people)}


BEN_AND_ANA = {("Ben", "parent", "Ana"), ("Ana", "child", "Ben")}


@pytest.mark.parametrize(
    "row",
    [
        ("Ana", "Ben", "Mom, you never listen."),
        ("Ana", "Ben", "You never listen, Dad."),
        ("Ana", "Ben", "Oh Mum, please."),
        ("Ben", "Ana", "Young lady, sit down."),
        ("Ana", "Therapist", "My mother Ben told me."),
        ("Ben", "Therapist", "My little daughter, Ana, is tired."),
        ("Ben", "Therapist", "Ana is my daughter."),
        ("Ben", "Therapist", "I\u2019m Ana\u2019s dad."),
        ("Therapist", "Ben", "You're Ana's father."),
        ("Therapist", "Ana", "Ben is your mother."),
        ("Ana", "Ben", "You are my mother."),
        ("Ben", "Ana", "You're my son."),
    ],
)
def test_who_is_older_is_told_with_whom(row: Row) -> None:
    assert told(row) == BEN_AND_ANA


@pytest.mark.parametrize(
    ("row", "sign"),
    [
        (("Ben", "Therapist", "As her father, I worry."), ("Ben", "parent", "")),
        (("Ben", "Therapist", "My kids are loud."), ("Ben", "parent", "")),
        (("Ana", "Therapist", "I'm fifteen."), ("Ana", "child", "")),
        (("Ana", "Therapist", "Mom, stop it."), ("Ana", "child", "")),
        (("Therapist", "Ben", "Dad, what do you think?"), ("Ben", "parent", "")),
        (("Therapist", "Ben", "How are your children?"), ("Ben", "parent", "")),
        (("Therapist", "Ana", "What does your mum say?"), ("Ana", "child", "")),
    ],
)
def test_a_role_may_be_told_of_one_alone(row: Row, sign: tuple[str, str, str]) -> None:
    assert told(row) == {sign}


@pytest.mark.parametrize(
    "row",
    [
        ("Ana", "Ben", "She goes, Mom, stop it."),
        ("Ana", "Ben", 'It read: "You were late. Dad, stop it."'),
        ("Therapist", "Ana", "My son does that too."),
        ("Ana", "Ben", "I'm fifteen minutes late."),
        ("Ana", "Ben", "Mom said so."),
        ("Ana", "Ben", "And then he said I'm fifteen."),
        ("Ana", "Ben", "Come on, you two."),
    ],
)
def test_what_tells_no_role_gives_none(row: Row) -> None:
    assert not told(row)


def test_a_couple_has_no_parents_and_children() -> None:
    assert not signs(("Ana", "Ben", "Mom, stop it."), people="Ana Ben", scenario="couple")


def test_people_named_by_their_role_are_known_before_anybody_speaks() -> None:
    found = signs(("Father", "Son", "Hello."), people="Father Son Grandmother")
    assert {s.known_at for s in found} == {0}
    assert {(s.person, s.role, s.other) for s in found} == {
        ("Father", "parent", "Son"),
        ("Son", "child", "Father"),
        ("Grandmother", "parent", "Father"),
        ("Father", "child", "Grandmother"),
        ("Grandmother", "parent", "Son"),
        ("Son", "child", "Grandmother"),
    }


def test_the_middle_of_three_generations_is_parent_and_child_without_contradiction() -> None:
    found = signs(
        ("Ben", "Therapist", "My mother Ana lives with us."),
        ("Ben", "Therapist", "My son Cleo does not like it."),
    )
    ben = {(s.role, s.other): s.strength for s in found if s.person == "Ben"}
    assert ben == {("child", "Ana"): 0.9, ("parent", "Cleo"): 0.9}


def test_further_evidence_makes_a_sign_stronger_but_never_certain() -> None:
    row = ("Ana", "Ben", "Mom, stop it.")
    strengths = [s.strength for s in signs(*[row] * 8) if s.person == "Ben"]
    assert strengths == sorted(strengths)
    assert strengths[0] == 0.8 < strengths[-1] <= 0.95


def test_what_contradicts_earlier_evidence_is_weaker() -> None:
    alone = signs(("Ana", "Therapist", "My son Ben is loud."))
    after = signs(
        ("Ben", "Therapist", "My son Ana is loud."), ("Ana", "Therapist", "My son Ben is loud.")
    )
    ana = [s for s in after if (s.person, s.role, s.other) == ("Ana", "parent", "Ben")]
    assert ana[0].strength < alone[0].strength


def test_repeating_contradictory_evidence_makes_neither_more_sure() -> None:
    rows = [
        ("Ben", "Therapist", "My son Ana is loud."),
        ("Ana", "Therapist", "My son Ben is loud."),
    ]
    for person, limit in (("Ben", 0.9), ("Ana", 0.5)):
        found = [s.strength for s in signs(*rows * 5) if (s.person, s.role) == (person, "parent")]
        assert max(found) <= limit


def test_a_grown_up_who_speaks_of_a_mother_is_hardly_a_child() -> None:
    [sign] = signs(("Ana", "Therapist", "My mother always said so."))
    assert (sign.role, sign.strength) == ("child", 0.3)


def test_names_are_matched_whole_and_as_spelt() -> None:
    row = ("Zoë", "Therapist", "My son Ed likes Edith.")
    assert told(row, people="Zoë Ed Edith") == {("Zoë", "parent", "Ed"), ("Ed", "child", "Zoë")}
    assert told(("Ben", "Therapist", "My son will come."), people="Ben Will") == {
        ("Ben", "parent", "")
    }


def test_signs_of_a_prefix_are_the_prefix_of_the_signs() -> None:
    rows = (
        ("Ana", "Ben", "Mom, stop it."),
        ("Therapist", "Ana", "How old are you?"),
        ("Ana", "Therapist", "I'm twelve."),
        ("Ben", "Therapist", "My daughter Ana, and my son Cleo."),
        ("Ana", "Therapist", "My daughter Ben."),
    )
    for people in ("Ana Ben Cleo", ""):
        every = signs(*rows, people=people)
        assert len(every) > 3
        for cut in range(len(rows) + 1):
            assert signs(*rows[:cut], people=people) == tuple(s for s in every if s.known_at <= cut)
