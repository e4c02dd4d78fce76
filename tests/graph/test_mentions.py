"""Which names a text mentions."""

import pytest

from relgraph.graph._mentions import Names, count_words


def found(text: str, *names: str) -> dict[str, float]:
    known = Names()
    for name in names:
        known.add(name)
    return known.find(text)[0]


@pytest.mark.parametrize(
    "text",
    ["Ana said so", "ask Ana.", "Ana's mother", "Ana\u2019s mother", "ANA!", "(Ana)", "and ana"],
)
def test_a_name_counts_as_a_whole_word(text: str) -> None:
    assert found(text, "Ana") == {"Ana": 1.0}


@pytest.mark.parametrize("text", ["Anastasia", "Banana", "Ana-Maria came", "Hm, and ana did", ""])
def test_a_part_of_a_word_does_not_count(text: str) -> None:
    assert found(text, "Ana") == {}


def test_a_name_given_in_lower_case_counts_as_given() -> None:
    assert found("Well, ask speaker_1 or Speaker_1", "speaker_1") == {"speaker_1": 1.0}


def test_the_longer_name_wins() -> None:
    assert found("Mary Ann left", "Mary", "Mary Ann", "Ann") == {"Mary Ann": 1.0}
    assert found("Mary Anne left", "Mary", "Mary Ann") == {"Mary": 1.0}


def test_a_longer_name_that_the_text_ends_before_is_none() -> None:
    assert found("ask Mary", "Mary Ann", "Mary") == {"Mary": 1.0}


def test_names_with_apostrophe_and_hyphen_are_found() -> None:
    assert found("O'Neil's and Jean-Luc's turn", "O'Neil", "Jean-Luc") == {
        "O'Neil": 1.0,
        "Jean-Luc": 1.0,
    }


def test_accents_count_however_they_are_encoded() -> None:
    assert found("Jose\u0301 left", "Jos\u00e9", "Jose") == {"Jos\u00e9": 1.0}


def test_a_name_in_a_script_without_spaces_is_found_inside_the_text() -> None:
    assert found("你好李伟先生", "李伟", "王芳") == {"李伟": 1.0}


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("Will you come?", False),
        ("and when will you come?", False),
        ("It's fine. Will we go?", False),
        ("Will, come here.", True),
        ("Then Will came.", True),
        ("It was Will's idea.", True),
        ("Will never listens.", True),
        ("Will is late.", True),
        ("Will never be the same.", False),
    ],
)
def test_a_name_that_is_also_a_word_counts_only_where_it_must_be_a_name(
    text: str, counts: bool
) -> None:
    assert found(text, "Will") == ({"Will": 1.0} if counts else {})


@pytest.mark.parametrize(
    ("name", "text", "counts"),
    [
        ("I", "When I came, I said so.", False),
        ("You", "You never listen.", False),
        ("A", "A friend of mine has a car.", False),
        ("A", "Then A came.", True),
        ("A", "A, come here.", True),
        ("Hope", "Hope is all that I have.", False),
        ("Hope", "Hope says so.", True),
        ("Mark", "Mark and I fought.", True),
    ],
)
def test_a_name_that_is_a_word_of_grammar_hardly_counts(name: str, text: str, counts: bool) -> None:
    assert found(text, name) == ({name: 1.0} if counts else {})


def test_equal_names_but_for_case_share_a_mention_unless_one_is_spelt_so() -> None:
    assert found("LEE!", "Lee", "lee") == {"Lee": 0.5, "lee": 0.5}
    assert found("Then Lee left", "Lee", "lee") == {"Lee": 1.0}


@pytest.mark.parametrize(
    ("text", "says"), [("You're late", True), ("your", True), ("youth", False)]
)
def test_you_is_recognised_in_its_forms(text: str, says: bool) -> None:
    assert Names().find(text)[1] is says


@pytest.mark.parametrize(
    ("text", "words"), [("", 0), ("Don't \u2014 well-known, 3 times!", 4), ("... ?", 0)]
)
def test_words_are_counted_without_punctuation(text: str, words: int) -> None:
    assert count_words(text) == words
