"""Descriptions without judgement, and at other moments: worked out on a few turns."""

from copy import deepcopy
from dataclasses import replace

import pytest

from relgraph.evaluation._affect_words import AFFECT, is_affect
from relgraph.evaluation._physical import count_words, physical
from relgraph.evaluation.stripping import change, physical_words_only, shuffled_within_speaker
from relgraph.records import Annotation, Conversation, Emotion, Nonverbal, Turn


def behaves(person: str, description: str, kind: str = "body_posture") -> Nonverbal:
    return Nonverbal(kind, person, description)  # type: ignore[arg-type]


def talk(*turns: tuple[str, str, tuple[Nonverbal, ...]], id: str = "t") -> Conversation:
    """Turns as (speaker, tone, behaviour), each with an annotated emotion."""
    return Conversation(
        id=id,
        participants=("Joy", "Ben"),
        turns=tuple(
            Turn(k, speaker, f"words {k}", tone=tone, nonverbal=nonverbal)
            for k, (speaker, tone, nonverbal) in enumerate(turns, start=1)
        ),
        gold=tuple(Annotation(emotions=(Emotion(t[0], "angry", 5.0),)) for t in turns),
    )


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("angrily", ""),
        ("Angrily.", ""),
        ("with a sad smile", "with a smile"),
        ("SAD SMILE", "SMILE"),
        ("seems annoyed", ""),
        ("looks at her sadly", "looks at her"),
        ("turns to her angry", "turns to her"),
        ("slightly annoyed, quiet", "quiet"),
        ("quiet, sincere, and vulnerable", "quiet"),
        ("calm but slow", "slow"),
        ("frowns angrily and turns", "frowns and turns"),
        ("frowning with irritation at him", "frowning at him"),
        ("with a hint of anger, arms crossed", "arms crossed"),
        ("face hardens with resentment and pain", "face hardens"),
        ("gives him an angry glance", "gives him a glance"),
        ("A sad open smile", "An open smile"),
        ("self-critical sigh", "sigh"),
        ("Smiles sadly.", "Smiles."),
        ("not angry; still", "still"),
        ("her tone is cold", ""),
    ],
)
def test_a_word_of_feeling_goes_with_what_is_nothing_without_it(text: str, left: str) -> None:
    assert physical(text) == left


@pytest.mark.parametrize(
    "text",
    ["", "  ", "leans forward slightly", "crying, on the verge of tears", "looks  down , still "],
)
def test_a_description_of_what_is_seen_and_heard_stays_letter_by_letter(text: str) -> None:
    assert physical(text) == text


def test_other_scripts_and_curly_marks_stay_what_they_are() -> None:
    assert physical("l\u00e9g\u00e8rement pench\u00e9e \u2013 angry") == (
        "l\u00e9g\u00e8rement pench\u00e9e"
    )
    assert physical("\u6012\u3063\u3066\u3044\u308b, sad") == "\u6012\u3063\u3066\u3044\u308b"
    assert physical("anger\u2019s edge, leans in") == "leans in"


def test_only_whole_words_are_of_feeling() -> None:
    for word in ("made", "gladiolus", "career", "happens", "curtain", "ironing", "showed"):
        assert not is_affect(word), word
    for word in ("mad", "glad", "caring", "happily", "curtly", "ironic", "Angrier", "sadness"):
        assert is_affect(word), word


def test_a_name_with_a_capital_is_a_person_and_no_feeling() -> None:
    assert physical("turns to Joy with joy", names={"joy"}) == "turns to Joy"
    assert physical("takes Joy's hand", names={"joy"}) == "takes Joy's hand"
    assert physical("full of Joy") == ""


def test_no_entry_stands_twice_within_a_kind() -> None:
    for kind, text in AFFECT.items():
        entries = text.split()
        assert len(entries) == len(set(entries)), kind


def test_physical_words_only_drops_what_is_empty_and_keeps_all_that_is_said_and_gold() -> None:
    before = talk(
        ("Joy", "angry, loud", (behaves("Joy", "sadly"), behaves("Ben", "tired, looks down"))),
        ("Ben", "tender", ()),
    )
    kept = deepcopy(before)
    after = physical_words_only(before)
    assert before == kept
    first, second = after.turns
    assert first.tone == "loud"
    assert first.nonverbal == (behaves("Ben", "looks down"),)
    assert second.tone == ""
    assert after.gold == before.gold
    assert [replace(t, tone="", nonverbal=()) for t in after.turns] == [
        replace(t, tone="", nonverbal=()) for t in before.turns
    ]


def test_the_names_of_the_people_at_hand_stay_in_descriptions() -> None:
    after = physical_words_only(talk(("Ben", "", (behaves("Ben", "points at Joy"),))))
    assert after.turns[0].nonverbal[0].description == "points at Joy"


def test_change_counts_words_and_descriptions_before_and_after() -> None:
    before = talk(
        ("Joy", "angry, loud", (behaves("Joy", "sadly"), behaves("Joy", "looks down"))),
    )
    assert count_words("half-smile, isn\u2019t it") == 3
    found = change([before], [physical_words_only(before)])
    assert (found.words, found.words_removed) == (5, 2)
    assert (found.descriptions, found.descriptions_removed) == (3, 1)
    assert found.descriptions_changed == 1  # "loud"
    same = change([before], [before])
    assert (same.words_removed, same.descriptions_removed, same.descriptions_changed) == (0, 0, 0)
    assert same.digest != found.digest


def swapped(seed: int, id: str = "t") -> bool:
    """Whether Joy's two turns change places; Ben's only turn lies between them."""
    one, two = (behaves("Joy", "leans in"),), (behaves("Joy", "sits back"),)
    before = talk(("Joy", "loud", one), ("Ben", "flat", ()), ("Joy", "low", two), id=id)
    after = shuffled_within_speaker(before, seed)
    held = [(t.tone, t.nonverbal) for t in after.turns]
    same = [("loud", one), ("flat", ()), ("low", two)]
    assert held in (same, same[::-1])
    return held != same


def test_tone_and_behaviour_move_together_among_the_turns_of_their_speaker() -> None:
    assert {swapped(seed) for seed in range(12)} == {True, False}


def test_the_order_is_drawn_from_the_seed_and_the_conversation() -> None:
    drawn = [swapped(seed) for seed in range(12)]
    assert drawn == [swapped(seed) for seed in range(12)]
    assert drawn != [swapped(seed, id="another") for seed in range(12)]


def test_what_one_does_while_others_speak_moves_among_the_turns_of_others() -> None:
    nods = behaves("Ben", "nods")
    before = talk(("Joy", "a", (nods,)), ("Ben", "b", ()), ("Joy", "c", ()), ("Joy", "d", ()))
    places = set()
    for seed in range(20):
        after = shuffled_within_speaker(before, seed)
        places |= {k for k, t in enumerate(after.turns) if nods in t.nonverbal}
        assert sum(t.nonverbal == (nods,) for t in after.turns) == 1
        assert after.turns[1].tone == "b"
        assert sorted(t.tone for t in after.turns if t.speaker == "Joy") == ["a", "c", "d"]
    assert places == {0, 2, 3}


def test_the_order_of_descriptions_within_a_turn_does_not_tell_where_they_come_from() -> None:
    face = behaves("Joy", "frowns", "facial_expressions")
    sits, nods = behaves("Joy", "sits"), behaves("Ben", "nods")
    before = talk(("Joy", "", (face, nods, sits)))
    assert shuffled_within_speaker(before, 0).turns[0].nonverbal == (sits, nods, face)


def test_shuffling_changes_neither_its_input_nor_what_is_said_nor_gold() -> None:
    before = talk(*(("Joy", f"tone {k}", (behaves("Joy", f"move {k}"),)) for k in range(6)))
    kept = deepcopy(before)
    after = shuffled_within_speaker(before, 3)
    assert before == kept
    assert after != before
    assert after.gold == before.gold
    assert [(t.index, t.speaker, t.text) for t in after.turns] == [
        (t.index, t.speaker, t.text) for t in before.turns
    ]


def test_a_conversation_without_turns_or_descriptions_stays_as_it_is() -> None:
    empty = Conversation(id="none", turns=())
    bare = talk(("Joy", "", ()), ("Ben", "", ()))
    for c in (empty, bare):
        assert physical_words_only(c) == c
        assert shuffled_within_speaker(c, 0) == c
    assert change([empty], [empty]).words == 0
