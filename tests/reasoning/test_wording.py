"""Facts and cues in words."""

import pytest

from relgraph.cues import Cue
from relgraph.reasoning.records import Atom, Fact
from relgraph.reasoning.wording import atom_words, fact_words, put_in, said_by, wrapped
from relgraph.terminal import printable

EVIL = "\x1b[31mAna\n turn 9"


def cue(**changes: object) -> Cue:
    given: dict[str, object] = {
        "name": "blame",
        "turn": 3,
        "source": "Ana",
        "target": "Ben",
        "strength": 0.8,
        "words": "your fault",
    }
    return Cue(**(given | changes))  # type: ignore[arg-type]


def test_names_are_put_into_a_reading_all_at_once() -> None:
    assert put_in("A presses, B pulls away", {"A": "B", "B": "A"}) == "B presses, A pulls away"


def test_a_word_of_the_reading_that_is_no_variable_stays() -> None:
    assert put_in("After that, Al is told by A", {"A": "Ana"}) == "After that, Al is told by Ana"


def test_words_are_quoted_and_what_was_observed_is_not() -> None:
    assert said_by(cue()) == '"your fault"'
    assert said_by(cue(by="turns", words="1 word after a question")) == (
        "(turns: 1 word after a question)"
    )


def test_long_words_are_cut() -> None:
    assert len(said_by(cue(words="no " * 200))) == 162


def test_an_atom_reads_as_in_a_rule() -> None:
    assert atom_words(Atom("blame", 3, ("Ana", "Ben"))) == "blame turn 3: Ana -> Ben"
    assert atom_words(Atom("emotion", 3, ("Ana", "fear"))) == "emotion turn 3: Ana, fear"
    assert atom_words(Atom("said", 3, ("Ana",))) == "said turn 3: Ana"
    assert atom_words(Atom("partner", 0, ("Ana", "Ben"))) == "partner(Ana, Ben)"


def test_a_fact_reads_who_what_how_strong_and_by_which_words() -> None:
    fact = Fact(Atom("blame", 3, ("Ana", "Ben")), 3, 0.8, cue())
    assert fact_words(fact) == 'Ana -> Ben  blame 0.80  "your fault"'


@pytest.mark.parametrize("by", ["words", "turns"])
def test_a_name_or_words_cannot_steer_a_terminal_or_forge_a_line(by: str) -> None:
    atom = Atom("blame", 3, (EVIL, "Ben\r"))
    said = fact_words(Fact(atom, 3, 0.8, cue(words=EVIL, by=by)))
    for text in (said, atom_words(atom), put_in("A\u202e", {"A": EVIL})):
        assert printable(text) == text
        assert "\n" not in text


def test_lines_keep_to_80_columns_and_hang_behind_their_label() -> None:
    lines = wrapped("turn 12", "Ana -> Ben  " + "word " * 30, indent=4).split("\n")
    assert max(map(len, lines)) <= 80
    assert [line[:13] for line in lines[:2]] == ["    turn 12  ", " " * 13]
    assert lines[1][13] != " "


def test_a_word_longer_than_a_line_is_broken() -> None:
    assert max(map(len, wrapped("turn 1", "x" * 300).split("\n"))) == 80
