"""The reader of utterance types: causal, out of fold where it trains, cues that rules can use."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from relgraph.approach import Settings
from relgraph.baselines._symbolic import types
from relgraph.baselines._symbolic.types import Lesson, cues_of, inputs_of, parts_of, texts_of, train
from relgraph.baselines._words import Words
from relgraph.cues import Cue
from relgraph.cues.codebook import TYPES
from relgraph.embed import load_embedder
from relgraph.records import Annotation, Conversation, Emotion, Turn

BLAME, WARM = "you never help me at home", "thank you, that helped me a lot"


def couple(number: int, *, liar: bool = False) -> Conversation:
    """Returns four client turns, blame and warmth in turn; a liar's labels are the other way."""
    people = (f"Ida{number}", f"Max{number}")
    turns, gold = [], []
    for k in range(8):
        cold = (k // 2) % 2 == 0
        speaker = "Therapist" if k % 2 else people[(k // 2) % 2]
        text = "go on" if k % 2 else f"{BLAME if cold else WARM}, {people[1]}"
        turns.append(Turn(k + 1, speaker, text, (people[1],)))
        label = "accusation" if cold != liar else "validation"
        felt = Emotion(speaker, "x", 8.0 if cold else 2.0)
        gold.append(Annotation() if k % 2 else Annotation(utterance_type=label, emotions=(felt,)))
    return Conversation(
        f"c{number}", tuple(turns), tuple(gold), "couple", people, relationship=f"r{number}"
    )


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Words:
    cache = str(tmp_path_factory.mktemp("vectors"))
    return Words(load_embedder(Settings(embedder="hashing:64", cache=cache)))


def lesson(conversation: Conversation, words: Words, cues: tuple[Cue, ...] = ()) -> Lesson:
    words.learn(texts_of(conversation))
    return Lesson(conversation, inputs_of(conversation, cues, words.known, words.dim))


def test_it_reads_types_and_intensity_of_an_unseen_couple(words: Words) -> None:
    reader, _ = train([lesson(couple(k), words) for k in range(6)], seed=0)
    inputs = lesson(couple(9), words).inputs
    said = [TYPES[k] for k in reader.chances(inputs)[::2].argmax(axis=1)]
    assert said == ["accusation", "validation"] * 2
    felt = reader.intensities(inputs)
    assert felt is not None
    assert [f > 5 for f in felt[::2]] == [True, False] * 2


def test_what_is_said_of_a_training_couple_comes_from_others(words: Words) -> None:
    """A couple whose labels are the wrong way round is read as the others are."""
    couples = [couple(k) for k in range(5)] + [couple(5, liar=True)]
    lessons = [lesson(c, words) for c in couples]
    _, others = train(lessons, seed=0)
    said = others[5].chances(lessons[5].inputs)[::2].argmax(axis=1)
    assert [TYPES[k] for k in said] == ["accusation", "validation"] * 2


def test_the_labels_of_a_couple_change_nothing_in_what_is_said_of_it(words: Words) -> None:
    honest = [lesson(couple(k), words) for k in range(6)]
    lying = [*honest[:5], lesson(couple(5, liar=True), words)]
    said = [train(lessons, seed=0)[1][5].chances(honest[5].inputs) for lessons in (honest, lying)]
    assert np.array_equal(*said)


def test_a_relationship_is_held_out_whole() -> None:
    two = [replace(couple(k), relationship=f"r{k // 2}") for k in range(8)]
    parts = parts_of(two, seed=0)
    assert len(set(parts)) == 4
    assert all(parts[k] == parts[k + 1] for k in range(0, 8, 2))


def test_one_relationship_alone_says_nothing_of_itself(words: Words) -> None:
    lessons = [lesson(replace(couple(k), relationship="r"), words) for k in range(3)]
    reader, others = train(lessons, seed=0)
    assert reader.sorting is not None
    assert not others[0].chances(lessons[0].inputs).any()


def test_what_is_read_of_a_turn_needs_no_later_turn(words: Words) -> None:
    whole = couple(1)
    cue = Cue("blame", 7, "Max1", "Ida1", 0.8, "never")
    shorter = replace(whole, turns=whole.turns[:5], gold=())
    whole_inputs = lesson(whole, words, (cue,)).inputs
    assert np.array_equal(whole_inputs[:5], lesson(shorter, words).inputs)
    assert whole_inputs[6].sum() == pytest.approx(lesson(whole, words).inputs[6].sum() + 0.8)


def test_names_are_not_read(words: Words) -> None:
    assert texts_of(couple(1)) == texts_of(couple(2))


def test_likely_types_are_cues_towards_everybody_spoken_to() -> None:
    of = Conversation(
        "f",
        (
            Turn(1, "Uli", "all of you", ("Family",)),
            Turn(2, "Therapist", "go on", ("Uli",)),
            Turn(3, "Pia", "well"),
        ),
        scenario="family",
        participants=("Uli", "Pia", "Kei"),
    )
    chances = np.zeros((3, len(TYPES)))
    chances[:, TYPES.index("accusation")] = 0.6
    chances[:, TYPES.index("repair")] = types.LEAST
    chances[:, TYPES.index("defense")] = types.LEAST - 0.01
    found = [(c.name, c.turn, c.source, c.target, c.strength) for c in cues_of(of, chances)]
    assert found == [
        ("type_accusation", 1, "Uli", "Pia", 0.6),
        ("type_repair", 1, "Uli", "Pia", 0.15),
        ("type_accusation", 1, "Uli", "Kei", 0.6),
        ("type_repair", 1, "Uli", "Kei", 0.15),
        ("type_accusation", 3, "Pia", "", 0.6),
        ("type_repair", 3, "Pia", "", 0.15),
    ]
    assert {c.by for c in cues_of(of, chances)} == {"classifier"}


def test_a_reader_is_the_same_after_it_was_written_and_read(words: Words) -> None:
    lessons = [lesson(couple(k), words) for k in range(4)]
    reader, _ = train(lessons, seed=0)
    again = types.of_json(types.as_json(reader), words.dim)
    inputs = lessons[0].inputs
    assert np.array_equal(again.chances(inputs), reader.chances(inputs))
    assert np.array_equal(again.intensities(inputs), reader.intensities(inputs))


def test_a_reader_of_other_cues_is_refused(words: Words) -> None:
    reader, _ = train([lesson(couple(k), words) for k in range(4)], seed=0)
    value = types.as_json(reader)
    value["signs"] = value["signs"][1:]
    with pytest.raises(ValueError, match="other cues"):
        types.of_json(value, words.dim)


def test_a_reader_of_other_embeddings_is_refused(words: Words) -> None:
    reader, _ = train([lesson(couple(k), words) for k in range(4)], seed=0)
    with pytest.raises(ValueError, match="shape"):
        types.of_json(types.as_json(reader), words.dim + 1)
