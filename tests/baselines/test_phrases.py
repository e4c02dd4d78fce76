"""Phrases for the open tasks: taken from training turns, chosen, and said of other people."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from relgraph import registry
from relgraph.approach import Settings
from relgraph.baselines._phrases import (
    About,
    Felt,
    Held,
    Phrases,
    Sought,
    bank,
    felt_of,
    gather,
    stance_of,
    texts,
    views_of,
)
from relgraph.baselines._phrases.neutral import neutral
from relgraph.baselines._phrases.retrieve import Weights
from relgraph.records import Annotation, Conversation, Emotion, Turn, View, Viewpoint
from relgraph.splits import folds

ONLY_WORDS = Weights(state=0, centre=0, plain=0, intensity=0, role=0, stance=0)
GENDERED = re.compile(r"\b(?:he|she|him|her|hers|his|himself|herself)\b", re.IGNORECASE)


def spoken(
    *views: Viewpoint,
    people: tuple[str, ...] = ("Edda", "Ben"),
    emotion: str = "",
    intensity: float | None = 6.0,
    relationship: str = "r",
    supporter: str = "Therapist",
) -> Conversation:
    """Returns a conversation of one turn, by the first of `people`, with these annotations."""
    felt = (Emotion(people[0], emotion, intensity),) if emotion else ()
    return Conversation(
        relationship,
        (Turn(1, people[0], "well that is how it is", (people[1],)),),
        (Annotation(emotions=felt, viewpoints=views),),
        "couple" if len(people) == 2 else "family",
        people,
        supporter,
        relationship,
    )


def viewpoint(text: str, *, people: tuple[str, ...] = ("Edda", "Ben")) -> str:
    """Returns how the bank keeps what the first of `people` thinks of the second."""
    _, held = gather([spoken(Viewpoint(people[0], people[1], text), people=people)])
    return held[0].viewpoint


def axis(k: int, of: int = 4) -> np.ndarray:
    """Returns the `k`-th unit vector."""
    return np.eye(of, dtype=np.float32)[k]


def felt_bank(*rows: tuple[Felt, np.ndarray, np.ndarray]) -> Phrases:
    """Returns a bank of emotion phrases: each with the vectors of its turn and of itself."""
    none = np.zeros((0, 4), np.float32)
    return Phrases(
        tuple(f for f, _, _ in rows),
        np.stack([t for _, t, _ in rows]),
        np.stack([p for _, _, p in rows]),
        (),
        none,
        none,
    )


def held_bank(*rows: tuple[Held, np.ndarray, np.ndarray]) -> Phrases:
    none = np.zeros((0, 4), np.float32)
    return Phrases(
        (),
        none,
        none,
        tuple(h for h, _, _ in rows),
        np.stack([t for _, t, _ in rows]),
        np.stack([p for _, _, p in rows]),
    )


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Ben is late", "[target] is late"),
        ("ben's work comes before EDDA's", "[target]'s work comes before [speaker]'s"),
        ("blames ben\u2019s friends", "blames [target]\u2019s friends"),
        ("wants Benny to stay", "wants [target] to stay"),
        ("bends the rules for Ben", "bends the rules for [target]"),
    ],
)
def test_a_name_in_any_case_or_form_becomes_a_placeholder(text: str, kept: str) -> None:
    assert viewpoint(text) == kept


def test_parts_of_a_name_are_found_and_a_name_that_two_share_is_nobody_s() -> None:
    people = ("Edda Reed", "Mary-Jane Reed")
    assert viewpoint("Jane and mary are one, Edda", people=people) == (
        "[target] and [target] are one, [speaker]"
    )
    assert viewpoint("hates the Reed way", people=people) == "hates the someone way"


def test_a_name_with_accents_is_found_however_it_is_written() -> None:
    people = ("Edda", "Zo\u00eb")
    assert viewpoint("trusts Zoe\u0308's word", people=people) == "trusts [target]'s word"
    assert viewpoint("trusts zo\u00eb", people=people) == "trusts [target]"


def test_a_name_without_spaces_around_it_is_found() -> None:
    assert viewpoint("\u8ba4\u4e3a\u5c0f\u660e\u592a\u51b7", people=("Edda", "\u5c0f\u660e")) == (
        "\u8ba4\u4e3a[target]\u592a\u51b7"
    )


def test_a_name_that_is_a_word_is_a_name_with_a_capital_only() -> None:
    people = ("Edda", "Will")
    assert viewpoint("thinks Will will go", people=people) == "thinks [target] will go"


def test_somebody_who_is_only_spoken_of_is_someone() -> None:
    assert viewpoint("prefers Clara over work") == "prefers someone over work"
    assert viewpoint("Clara's calls are too many") == "someone's calls are too many"
    assert viewpoint("sides with Mom") == "sides with mom"


def test_a_word_that_begins_a_phrase_with_a_capital_is_no_name_if_it_is_a_word_elsewhere() -> None:
    views = (Viewpoint("Edda", "Ben", "Loves the sea"), Viewpoint("Edda", "Ben", "still loves it"))
    _, held = gather([spoken(*views)])
    assert [h.viewpoint for h in held] == ["Loves the sea", "still loves it"]


def test_where_phrases_begin_with_a_capital_only_who_is_spoken_of_is_a_name() -> None:
    told = spoken(Viewpoint("Edda", "Ben", "Clara is right"), emotion="Hurt by it")
    told = replace(told, turns=(Turn(1, "Edda", "so I went to Clara with it"),))
    felt, held = gather([told])
    assert (felt[0].phrase, held[0].viewpoint) == ("Hurt by it", "someone is right")


def test_in_another_language_only_people_of_the_conversation_are_names() -> None:
    german = "ich weiss nicht was er von mir will und warum er nie mit mir reden mag " * 2
    told = spoken(Viewpoint("Edda", "Ben", "findet Ben und her Arbeit wichtig"))
    _, held = gather([replace(told, turns=(Turn(1, "Edda", german),))])
    assert held[0].viewpoint == "findet [target] und her Arbeit wichtig"


def test_a_supporter_with_a_name_is_not_named_and_one_by_role_is() -> None:
    felt, _ = gather([spoken(emotion="feels safe with Dr. Keller", supporter="Dr. Keller")])
    assert felt[0].phrase == "feels safe with someone"
    felt, _ = gather([spoken(emotion="feels seen by the therapist")])
    assert felt[0].phrase == "feels seen by the therapist"


def test_an_emotion_names_the_other_of_two_and_nobody_of_three() -> None:
    felt, _ = gather([spoken(emotion="feels hurt by Ben")])
    assert felt[0].phrase == "feels hurt by [target]"
    three = ("Edda", "Ben", "Cleo")
    felt, _ = gather([spoken(emotion="feels hurt by Ben", people=three)])
    assert felt[0].phrase == "feels hurt by someone"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("he is cold", "they are cold"),
        ("she never watches and carries on", "they never watch and carry on"),
        ("he doesn't see what she wants", "they don't see what they want"),
        ("he's been distant", "they've been distant"),
        ("was hurt by her and by her words", "was hurt by them and by their words"),
        ("the choice was his, not hers", "the choice was theirs, not theirs"),
        ("She blames herself", "They blame themselves"),
        ("he has tried, she says", "they have tried, they say"),
        ("she goes, he lies", "they go, they lie"),
        ("he misses him", "they miss them"),
        ("loves cats and hates dogs", "loves cats and hates dogs"),
    ],
)
def test_he_and_she_become_they_and_their_verbs_agree(text: str, said: str) -> None:
    assert neutral([(text, "")], target="[target]") == {(text, ""): said}


def test_a_viewpoint_that_begins_with_he_names_the_target_there() -> None:
    assert viewpoint("he is blind to what he does") == "[target] is blind to what they do"
    assert viewpoint("thinks he lies to himself") == "thinks [target] lies to themselves"
    assert viewpoint("is tired of his words") == "is tired of their words"


def test_where_he_and_she_tell_two_people_apart_the_target_is_named_everywhere() -> None:
    assert viewpoint("he blames her for his debts") == ("[target] blames them for [target]'s debts")


def calls_of_both(*texts: str, of_edda: str = "she", calls: int = 5) -> list[str]:
    """Returns what the bank makes of Edda's viewpoints on Ben and of what she feels.

    Before, each is called `calls` times what they are called, Ben `he`.
    """
    ben = (Viewpoint("Edda", "Ben", "he is cold") for _ in range(calls))
    edda = (Viewpoint("Ben", "Edda", f"{of_edda} is cold") for _ in range(calls))
    now = (Viewpoint("Edda", "Ben", text) for text in texts)
    felt, held = gather(
        [
            spoken(*ben),
            spoken(*edda, people=("Ben", "Edda")),
            spoken(*now, emotion="feels hurt by him"),
        ]
    )
    return [h.viewpoint for h in held[2 * calls :]] + [felt[0].phrase]


def test_where_annotators_call_two_people_differently_each_is_told_apart() -> None:
    assert calls_of_both("is tired of his words", "she now sees his pain", "loves her work") == [
        "is tired of [target]'s words",
        "they now see [target]'s pain",
        "loves their work",
        "feels hurt by [target]",
    ]


def test_where_annotators_disagree_nobody_is_named() -> None:
    # one `she` in four is too much doubt about Ben
    said = calls_of_both("is tired of his words", "she now sees his pain", calls=3)
    assert said[0] == "is tired of their words"


def test_where_annotators_call_both_he_nobody_is_named_but_at_the_start() -> None:
    assert calls_of_both("is tired of his words", "he is cold", of_edda="he") == [
        "is tired of their words",
        "[target] is cold",
        "feels hurt by them",
    ]


def test_everybody_at_once_is_never_named_for_he() -> None:
    _, held = gather([spoken(Viewpoint("Edda", "Couple", "he is cold"))])
    assert held[0].viewpoint == "they are cold"


def test_what_each_phrase_is_kept_with() -> None:
    view = Viewpoint("Edda", "Edda", "is too soft", "ashamed")
    felt, held = gather([spoken(view, emotion="feels sad", intensity=None)])
    assert felt == (Felt("well that is how it is", "feels sad", None, True, "r", (0, 1)),)
    assert held == (
        Held(
            "well that is how it is",
            "self",
            "is too soft",
            "ashamed",
            "negative",
            True,
            "r",
            (0, 1),
        ),
    )


@pytest.mark.parametrize(
    ("attitude", "stance"),
    [
        ("warm and grateful", "positive"),
        ("critical and blaming", "negative"),
        ("loving but exhausted", "mixed"),
        ("lack of trust", "negative"),
        ("not resentful", "positive"),
        ("matter-of-fact", "mixed"),
    ],
)
def test_the_stance_is_read_from_general_words(attitude: str, stance: str) -> None:
    assert stance_of(attitude) == stance


def test_without_words_of_stance_in_the_attitude_the_viewpoint_tells() -> None:
    assert stance_of("", "admires them, a loving parent") == "positive"
    assert stance_of("critical", "is a loving parent") == "negative"


def test_by_words_alone_the_nearest_turn_decides() -> None:
    phrases = felt_bank(
        (Felt("", "feels far"), axis(0), axis(2)), (Felt("", "feels near"), axis(1), axis(3))
    )
    said = felt_of(phrases, Sought(axis(1)), speaker="Dee", weights=ONLY_WORDS)
    assert said.phrase == "feels near"


def test_the_predicted_phrase_decides_among_turns_that_are_equally_near() -> None:
    phrases = felt_bank(
        (Felt("", "feels one"), axis(0), axis(2)), (Felt("", "feels two"), axis(0), axis(3))
    )
    said = felt_of(phrases, Sought(axis(0), state=axis(3)), speaker="Dee")
    assert said.phrase == "feels two"


def test_the_last_digits_of_a_prediction_do_not_decide_between_phrases_that_are_alike() -> None:
    aside = 1e-3 * axis(1)
    bank = felt_bank(
        (Felt("one", "hurt, says one"), axis(2), axis(0) + aside),
        (Felt("other", "hurt, says the other"), axis(2), axis(0) - aside),
    )
    for state in (axis(0) + aside, axis(0) - aside):
        sought = Sought(axis(2), state=state.astype(np.float32))
        assert felt_of(bank, sought, speaker="Edda").phrase == "hurt, says one"


def test_a_nearer_turn_outweighs_a_phrase_that_is_a_little_closer_to_the_prediction() -> None:
    # sums: 1 x 1 + 10 x 0.95 against 1 x 0 + 10 x 1
    almost = np.array([0, 0, np.sqrt(1 - 0.95**2), 0.95], np.float32)
    phrases = felt_bank(
        (Felt("", "as predicted"), axis(1), axis(3)), (Felt("", "nearest"), axis(0), almost)
    )
    said = felt_of(
        phrases, Sought(axis(0), state=axis(3)), speaker="Dee", weights=Weights(centre=0)
    )
    assert said.phrase == "nearest"


def test_without_a_prediction_the_phrase_that_most_agree_with_is_said() -> None:
    # two phrases are nearly one, the third stands alone; all turns are equally near
    close = np.array([0.0, 0.0, 0.96, 0.28], np.float32)
    phrases = felt_bank(
        (Felt("", "stands alone"), axis(0), axis(1)),
        (Felt("", "feels one"), axis(0), axis(2)),
        (Felt("", "feels two"), axis(0), close),
    )
    assert felt_of(phrases, Sought(axis(0)), speaker="Dee").phrase == "feels one"


def test_only_the_nearest_turns_give_candidates() -> None:
    phrases = felt_bank(
        (Felt("", "as predicted"), axis(1), axis(3)), (Felt("", "nearest"), axis(0), axis(2))
    )
    sought = Sought(axis(0), state=axis(3))
    assert felt_of(phrases, sought, speaker="Dee", weights=Weights(near=1)).phrase == "nearest"
    assert felt_of(phrases, sought, speaker="Dee", weights=Weights(near=2)).phrase == "as predicted"


def test_of_equal_phrases_the_one_of_the_closer_intensity_is_said() -> None:
    phrases = felt_bank(
        (Felt("", "feels some anger", 3.0), axis(0), axis(2)),
        (Felt("", "feels much anger", 8.0), axis(0), axis(2)),
        (Felt("", "feels anger"), axis(0), axis(2)),
    )
    asked = {v: felt_of(phrases, Sought(axis(0), intensity=v), speaker="Dee") for v in (2.0, 9.0)}
    assert [said.phrase for said in asked.values()] == ["feels some anger", "feels much anger"]


def test_a_phrase_that_needs_no_fitting_goes_before_one_that_does() -> None:
    phrases = felt_bank(
        (Felt("", "feels hurt by them", plain=False), axis(0), axis(2)),
        (Felt("", "feels hurt"), axis(0), axis(2)),
    )
    assert felt_of(phrases, Sought(axis(0)), speaker="Dee").phrase == "feels hurt"


def test_viewpoints_of_the_role_and_the_stance_asked_for_go_first() -> None:
    far = np.array([0.9, np.sqrt(1 - 0.81), 0, 0], np.float32)
    phrases = held_bank(
        (Held("", "client", "is cold", "", "negative"), axis(0), axis(2)),
        (Held("", "client", "is kind", "", "positive"), far, axis(2)),
        (Held("", "supporter", "is fair", "", "positive"), axis(1), axis(3)),
    )
    ask = [About("Dan", "client"), About("Therapist", "supporter")]
    said = views_of(phrases, Sought(axis(0)), source="Dee", about=ask)
    assert [s.viewpoint.viewpoint for s in said] == ["is cold", "is fair"]
    liked = views_of(
        phrases, Sought(axis(0)), source="Dee", about=[About("Dan", "client", "positive")]
    )
    assert liked[0].viewpoint.viewpoint == "is kind"


def test_several_people_get_one_viewpoint_each_in_different_words() -> None:
    phrases = held_bank(
        (Held("", "client", "[target] is cold", ""), axis(0), axis(2)),
        (Held("", "client", "[target] is cold", ""), axis(0), axis(2)),
        (Held("", "client", "[target] is kind", ""), axis(1), axis(3)),
    )
    about = [About("Dan", "client"), About("Eve", "client"), About("Flo", "client")]
    said = views_of(phrases, Sought(axis(0)), source="Dee", about=about)
    assert [(s.viewpoint.target, s.viewpoint.viewpoint) for s in said] == [
        ("Dan", "Dan is cold"),
        ("Eve", "Eve is kind"),
    ]


def test_a_prediction_for_one_person_is_used_for_that_person() -> None:
    phrases = held_bank(
        (Held("", "client", "is cold", ""), axis(0), axis(2)),
        (Held("", "client", "is kind", ""), axis(0), axis(3)),
    )
    about = [About("Dan", "client", state=axis(3)), About("Eve", "client", state=axis(2))]
    said = views_of(phrases, Sought(axis(0)), source="Dee", about=about)
    assert [s.viewpoint.viewpoint for s in said] == ["is kind", "is cold"]


def test_placeholders_become_the_people_at_hand_and_everybody_is_the_family() -> None:
    phrases = held_bank(
        (
            Held("", "group", "[target] trusts [speaker]'s word", "calm with [target]"),
            axis(0),
            axis(2),
        )
    )
    (said,) = views_of(
        phrases, Sought(axis(0)), source="[target] Dee", about=[About("Family", "group")]
    )
    assert said.viewpoint == Viewpoint(
        "[target] Dee", "Family", "the family trusts [target] Dee's word", "calm with the family"
    )


def test_an_emotion_names_the_other_person_at_hand_or_nobody() -> None:
    phrases = felt_bank((Felt("", "feels hurt by [target]"), axis(0), axis(2)))
    assert felt_of(phrases, Sought(axis(0)), speaker="Dee", other="Dan").phrase == (
        "feels hurt by Dan"
    )
    assert felt_of(phrases, Sought(axis(0)), speaker="Dee").phrase == "feels hurt by someone"


def test_phrases_of_relationships_kept_apart_are_never_said() -> None:
    phrases = felt_bank(
        (Felt("", "feels own", relationship="a"), axis(0), axis(2)),
        (Felt("", "feels other", relationship="b"), axis(1), axis(3)),
    )
    sought = Sought(axis(0), state=axis(2), apart={"a"})
    assert felt_of(phrases, sought, speaker="Dee").phrase == "feels other"
    nothing = felt_of(phrases, replace(sought, apart={"a", "b"}), speaker="Dee")
    assert nothing.phrase == ""
    assert "no emotion phrase" in nothing.because


def test_an_empty_bank_says_nothing_and_silence_gets_an_answer() -> None:
    empty = bank((), (), {}, 4)
    assert felt_of(empty, Sought(axis(0)), speaker="Dee").phrase == ""
    assert views_of(empty, Sought(axis(0)), source="Dee", about=[About("Dan", "client")]) == ()
    one = felt_bank((Felt("", "feels calm"), axis(0), axis(2)))
    silence = np.zeros(4, np.float32)
    assert felt_of(one, Sought(silence), speaker="Dee").phrase == "feels calm"


def test_what_led_to_a_phrase_says_terms_and_no_source() -> None:
    phrases = felt_bank(
        (Felt("", "feels one", relationship="couple_x"), axis(0), axis(2)),
        (Felt("", "feels two", relationship="couple_y"), axis(0), axis(3)),
    )
    said = felt_of(phrases, Sought(axis(0), state=axis(3)), speaker="Dee")
    # predicted phrase: 10 x (1 - 0.5) above the mean of both candidates
    assert said.because.startswith("phrase of a training turn, 2nd of 2 by words, cosine 1.00; ")
    assert "predicted phrase +5.00" in said.because
    assert "couple" not in said.because


def test_a_bank_that_was_written_and_read_says_the_same() -> None:
    view = Viewpoint("Edda", "Ben", "Ben is late", "resentful")
    felt, held = gather([spoken(view, emotion="feels sad"), spoken(emotion="feels her loss")])
    vectors = {text: axis(k) for k, text in enumerate(dict.fromkeys(texts(felt, held)))}
    phrases = bank(felt, held, vectors, 4)
    again = Phrases.of(json.loads(json.dumps(phrases.strings())), phrases.arrays())
    assert again.strings() == phrases.strings()
    sought = Sought(axis(0), state=axis(1), intensity=5.0)
    about = [About("Dan", "client", "negative")]
    for of in (phrases, again):
        assert felt_of(of, sought, speaker="Dee") == felt_of(phrases, sought, speaker="Dee")
        assert views_of(of, sought, source="Dee", about=about) == views_of(
            phrases, sought, source="Dee", about=about
        )
    assert "r" not in json.dumps([list(f.values()) for f in phrases.strings()["felt"]]).split('"')


@pytest.mark.parametrize("name", ["felt", "felt_phrases", "held", "held_phrases"])
def test_a_bank_whose_arrays_do_not_fit_is_refused(name: str) -> None:
    felt, held = gather([spoken(Viewpoint("Edda", "Ben", "is late"), emotion="feels sad")])
    phrases = bank(felt, held, dict.fromkeys(texts(felt, held), axis(0)), 4)
    arrays = phrases.arrays()
    for wrong in (np.zeros((3, 4), np.float32), np.zeros((1, 5), np.float32), np.zeros(1)):
        with pytest.raises(ValueError, match="differ"):
            Phrases.of(phrases.strings(), {**arrays, name: wrong})


def test_a_bank_with_an_unknown_role_is_refused() -> None:
    _, held = gather([spoken(Viewpoint("Edda", "Ben", "is late"))])
    phrases = bank((), held, dict.fromkeys(texts((), held), axis(0)), 4)
    strings = phrases.strings()
    strings["held"][0]["role"] = "enemy"
    with pytest.raises(ValueError, match="'enemy' is none of supporter, group, self, client"):
        Phrases.of(strings, phrases.arrays())


def couple(number: int) -> Conversation:
    """Returns a couple that says what it feels in words of its own."""
    people = (f"Edda{number}", f"Jon{number}")
    turns = tuple(
        Turn(k + 1, people[k % 2], f"this is what number {number} says at {k}") for k in range(6)
    )
    gold = tuple(
        Annotation(
            emotions=(Emotion(t.speaker, f"feels like couple {number} at {t.index}", 5.0),),
            viewpoints=(Viewpoint(t.speaker, people[0], f"thinks of {people[0]} as {number}"),),
        )
        for t in turns
    )
    return Conversation(f"c{number}", turns, gold, "couple", people, relationship=f"r{number}")


def test_nothing_of_the_tested_relationships_is_said(tmp_path) -> None:
    settings = Settings(embedder="hashing:64", cache=str(tmp_path))
    for fold in folds([couple(k) for k in range(6)], count=3, seed=0):
        fitted = registry.load("approach", "text-head")(settings).fit(fold.train, seed=0)
        own = {c.relationship.removeprefix("r") for c in fold.test}
        for conversation in fold.test:
            for task in ("er", "vp"):
                asked = [
                    c.instance for c in registry.load("task", task).cases(conversation, View())
                ]
                for found in fitted.predict(asked, {}):
                    said = (
                        found.emotion.phrase.split()[3]
                        if found.emotion
                        else found.viewpoints[0].viewpoint.split()[-1]
                    )
                    assert said not in own


@pytest.mark.rescue
def test_no_name_and_no_gender_is_left_in_the_phrases_of_the_benchmark(rescue_folder) -> None:
    from relgraph import corpora

    given = tuple(corpora.read(rescue_folder / "rescue_dev.jsonl"))
    felt, held = gather(given)
    said = [*(f.phrase for f in felt), *(t for h in held for t in (h.viewpoint, h.attitude))]
    names = {part for c in given for n in c.roster for part in re.findall(r"[^\W\d_]+", n)}
    named = re.compile(rf"\b(?:{'|'.join(sorted(names))})\b")
    assert len(felt) > 2000
    assert not [text for text in said if named.search(text) or GENDERED.search(text)]
    assert not [text for text in said if not text.strip() and text]
