"""The figures of cues are those that come out on paper."""

from dataclasses import replace

import pytest
from sklearn.metrics import cohen_kappa_score

from relgraph.cues.annotations import Annotated, Coding
from relgraph.cues.records import Cue
from relgraph.evaluation.cue_measures import measure
from relgraph.records import Annotation, Conversation, Turn


def conversation(name: str, *said: tuple[str, str]) -> Conversation:
    return Conversation(
        id=name,
        turns=tuple(Turn(k, speaker, "Well.") for k, (speaker, _) in enumerate(said, start=1)),
        gold=tuple(Annotation(utterance_type=label) for _, label in said),
        participants=("Ana", "Ben"),
        relationship=name,
        timing="edited",
    )


def cue(name: str, turn: int, source: str, target: str, detail: str = "") -> Cue:
    return Cue(name, turn, source, target, 0.8, "Well.", detail)


ONE = conversation(
    "one",
    ("Therapist", ""),
    ("Ana", "accusation"),
    ("Ben", "defense"),
    ("Ana", "accusation"),
    ("Ben", "withdrawal"),
)
TWO = conversation("two", ("Ana", "accusation"), ("Ben", "disclosure"), ("Ana", ""))
CUES = (
    (cue("blame", 2, "Ana", "Ben"), cue("blame", 3, "Ben", "Ana"), cue("defence", 4, "Ben", "Ana")),
    (cue("blame", 1, "Ana", "Ben"), cue("blame", 1, "Ana", "Therapist")),
)


def test_a_base_rate_counts_each_turn_once() -> None:
    blame = measure([ONE, TWO], CUES)["cues"]["blame"]
    assert blame["turns"] == 3
    assert blame["share_of_turns"] == pytest.approx(3 / 8)
    assert blame["share_of_client_turns"] == pytest.approx(3 / 7, abs=1e-4)


def test_a_cue_is_held_against_its_type_on_client_turns_that_have_one() -> None:
    # said in 1.2, 1.3 and 2.1; meant in 1.2, 1.4 and 2.1: two hits, one false, one missed
    gold = measure([ONE, TWO], CUES)["cues"]["blame"]["gold"]
    assert gold["type"] == "accusation"
    assert (gold["found"], gold["to_find"], gold["both"]) == (3, 3, 2)
    assert gold["precision"] == gold["recall"] == pytest.approx(2 / 3, abs=1e-4)
    assert gold["f1"]["value"] == pytest.approx(2 / 3, abs=1e-4)


def test_the_interval_resamples_relationships() -> None:
    # alone, the first has F1 1/2 and the second 1; each is drawn twice in a quarter of resamples
    f1 = measure([ONE, TWO], CUES)["cues"]["blame"]["gold"]["f1"]
    assert (f1["low"], f1["high"]) == (0.5, 1.0)


def test_one_relationship_has_no_interval() -> None:
    f1 = measure([ONE], CUES[:1])["cues"]["blame"]["gold"]["f1"]
    assert f1 == {"value": 0.5, "low": None, "high": None}


def test_a_cue_of_somebody_who_does_not_hold_the_floor_says_nothing_of_the_type() -> None:
    defence = measure([ONE, TWO], CUES)["cues"]["defence"]
    assert defence["turns"] == 1
    assert defence["gold"]["found"] == 0


def test_what_is_not_defined_is_none_and_never_0() -> None:
    cues = measure([ONE, TWO], CUES)["cues"]
    assert cues["refusal"]["gold"]["precision"] is None
    assert cues["refusal"]["gold"]["recall"] == 0.0
    assert cues["apology"]["gold"]["recall"] is None
    assert cues["apology"]["gold"]["f1"]["value"] is None
    sorry = [(cue("apology", 2, "Ana", "Ben"),), ()]
    found = measure([ONE, TWO], sorry)["cues"]["apology"]["gold"]
    assert (found["precision"], found["f1"]["value"]) == (0.0, None)


def test_a_cue_that_no_type_comes_near_has_no_gold() -> None:
    cues = measure([ONE, TWO], CUES)["cues"]
    assert cues["no_reply"]["gold"] is None
    assert cues["humour"]["gold"] is None


def test_cues_of_times_have_figures_only_where_times_are_recorded() -> None:
    silent = [(cue("silence", 5, "Ben", "Ana"),), ()]
    assert measure([ONE, TWO], silent)["cues"]["silence"]["turns"] is None
    recorded = replace(ONE, timing="recorded")
    silence = measure([recorded, TWO], silent)["cues"]["silence"]
    assert (silence["turns"], silence["share_of_turns"]) == (1, pytest.approx(1 / 5))
    assert silence["gold"]["precision"] == 1.0


def test_a_type_is_told_by_any_of_its_cues_beside_always_saying_it() -> None:
    # defence and minimising tell `defense`: said in 1.3 and 2.2, meant in 1.3
    cues = [(cue("minimising", 3, "Ben", "Ana"),), (cue("defence", 2, "Ben", "Ana"),)]
    row = measure([ONE, TWO], cues)["types"]["defense"]
    assert row["cues"] == ["defence", "minimising"]
    assert (row["precision"], row["recall"]) == (0.5, 1.0)
    assert row["f1"]["value"] == pytest.approx(2 / 3, abs=1e-4)
    # one of six turns with a type: 2 (1/6) / (1 + 1/6)
    assert row["always"] == pytest.approx(2 / 7, abs=1e-4)


def test_weak_cues_can_be_left_out() -> None:
    weak = [(replace(CUES[0][0], strength=0.3), CUES[0][1]), ()]
    assert measure([ONE, TWO], weak, at_least=0.3)["cues"]["blame"]["turns"] == 2
    assert measure([ONE, TWO], weak, at_least=0.31)["cues"]["blame"]["turns"] == 1


CODING = Coding(
    ("one",),
    (Annotated("one", 2, "blame", "Ana", "Ben"), Annotated("one", 4, "blame", "Ana", "Ben")),
)


def test_agreement_is_over_the_turns_that_were_read() -> None:
    # found in 2 and 3, noted in 2 and 4, of five turns; the second conversation was not read
    found = measure([ONE, TWO], CUES, coding=CODING)["coding"]
    assert (found["conversations"], found["turns"]) == (1, 5)
    row = found["cues"]["blame"]
    assert (row["found"], row["to_find"], row["both"]) == (2, 2, 1)
    # observed 3/5, by chance (2*2 + 3*3)/25: (15 - 13) / (25 - 13)
    assert row["kappa"]["value"] == pytest.approx(1 / 6, abs=1e-4)


def test_all_cues_together_count_each_cue_of_each_turn() -> None:
    # blame: one hit, one false, one missed; defence: one false; the other cues agree on nothing
    found = measure([ONE, TWO], CUES, coding=CODING)["coding"]["all"]
    assert (found["found"], found["to_find"], found["both"]) == (3, 2, 1)


def test_kappa_is_that_of_scikit_learn() -> None:
    noted = [False, True, False, True, False, False, True, True]
    found = [False, True, True, False, False, True, False, True]
    both = [
        replace(ONE, id=name, relationship=name, gold=())
        for name in ("one", "two")
    ]  # fmt: skip
    where = [(c.id, k) for c in both for k in (1, 2, 3, 4)]
    both = [replace(c, turns=c.turns[:4]) for c in both]
    coding = Coding(
        ("one", "two"),
        tuple(
            Annotated(name, k, "blame", "Ana", "Ben")
            for (name, k), yes in zip(where, noted, strict=True)
            if yes
        ),
    )
    cues = [
        [
            cue("blame", k, "Ana", "Ben")
            for (name, k), yes in zip(where, found, strict=True)
            if yes and name == c.id
        ]
        for c in both
    ]
    row = measure(both, cues, coding=coding)["coding"]["cues"]["blame"]
    assert row["kappa"]["value"] == pytest.approx(cohen_kappa_score(found, noted), abs=1e-4)


def test_with_target_asks_for_the_same_people() -> None:
    coding = Coding(("one",), (Annotated("one", 2, "blame", "Ana", "Therapist"),))
    row = measure([ONE, TWO], CUES, coding=coding)["coding"]["cues"]["blame"]
    assert row["both"] == 1
    assert row["with_target"]["both"] == 0


def test_with_target_of_cues_with_kinds_asks_for_the_same_kind() -> None:
    coding = Coding(("one",), (Annotated("one", 2, "topic", "Ana", "", "money"),))
    for kind, both in (("money", 1), ("work", 0)):
        cues = [(cue("topic", 2, "Ana", "Ben", kind),), ()]
        row = measure([ONE, TWO], cues, coding=coding)["coding"]["cues"]["topic"]
        assert row["with_target"]["both"] == both


def test_kappa_is_not_defined_where_a_coder_noted_nothing() -> None:
    row = measure([ONE, TWO], CUES, coding=CODING)["coding"]["cues"]["defence"]
    assert row["found"] == 1
    assert row["kappa"]["value"] is None


def test_two_coders_agree_over_what_both_read() -> None:
    second = Coding(("two", "one"), (Annotated("one", 4, "blame", "Ana", "Ben"),))
    found = measure([ONE, TWO], CUES, coding=CODING, second=second)["coders"]
    assert (found["conversations"], found["turns"]) == (1, 5)
    # noted in 2 and 4, and in 4: observed 4/5, by chance (2*1 + 3*4)/25
    assert found["cues"]["blame"]["kappa"]["value"] == pytest.approx(6 / 11, abs=1e-4)
