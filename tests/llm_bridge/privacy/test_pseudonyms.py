"""Names and places are replaced in all that a prompt may show, and come back in the answers."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relgraph.approach import Settings
from relgraph.llm_bridge.asking import AskingApproach
from relgraph.llm_bridge.privacy import Disguise, disguise_of
from relgraph.llm_bridge.privacy.pseudonyms import Pseudonyms
from relgraph.records import (
    Background,
    Conversation,
    Emotion,
    Instance,
    Nonverbal,
    Prediction,
    Turn,
    View,
    Viewpoint,
)
from relgraph.registry import load


def said(*texts: str, people: tuple[str, ...] = ("Ana", "Benjamin"), id: str = "c") -> Instance:
    turns = tuple(
        Turn(index=k, speaker=people[(k - 1) % len(people)], text=text)
        for k, text in enumerate(texts, start=1)
    )
    return Instance("i", "rpp", Conversation(id=id, turns=turns, participants=people))


def seen(*texts: str, people: tuple[str, ...] = ("Ana", "Benjamin")) -> str:
    instance = Pseudonyms().instance(said(*texts, people=people))
    return " | ".join(turn.text for turn in instance.conversation.turns)


def words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text)


def test_without_the_option_nothing_is_changed() -> None:
    assert type(disguise_of(Settings())) is Disguise
    assert isinstance(disguise_of(Settings(pseudonymize=True)), Pseudonyms)


def test_a_person_has_one_name_as_speaker_addressee_and_in_what_is_said() -> None:
    instance = said("Benjamin, listen.", "Why, Ana?")
    shown = Pseudonyms().instance(instance).conversation
    ana, ben = shown.participants
    assert [t.speaker for t in shown.turns] == [ana, ben]
    assert [t.text for t in shown.turns] == [f"{ben}, listen.", f"Why, {ana}?"]
    assert not {"Ana", "Benjamin"} & {ana, ben}


def everything(couple: Conversation) -> Instance:
    turn = replace(
        couple.turns[1],
        text="Ana said",
        tone="like Ana",
        addressees=("Ben", "Couple"),
        background=(Background("Ben", ("Ana",), "Ana!"),),
        nonverbal=(Nonverbal("interaction_behavior", "Ana", "nudges Ben", ("Ben",)),),
    )
    return Instance(
        "i",
        "stp",
        replace(couple, turns=(turn,), gold=()),
        options=("Ana", "Ben", "Couple"),
        target="Ben",
        next_speaker="Therapist",
        hints={"example": "Ana of Ben"},
    )


def test_no_field_of_an_instance_keeps_a_name(couple: Conversation) -> None:
    shown = Pseudonyms().instance(everything(couple))
    kept = replace(
        shown, conversation=replace(shown.conversation, relationship="", id="", extra={})
    )
    assert not {"Ana", "Ben"} & set(words(repr(kept)))


def test_roles_and_names_of_everybody_stay(couple: Conversation) -> None:
    shown = Pseudonyms().instance(everything(couple))
    assert (shown.next_speaker, shown.conversation.supporter) == ("Therapist", "Therapist")
    assert shown.options[2] == "Couple"
    of_roles = Pseudonyms().instance(said("Yes.", people=("Mother", "Child 2", "Dr. Okoro")))
    mother, child, doctor = of_roles.conversation.participants
    assert (mother, child) == ("Mother", "Child 2")
    assert doctor.startswith("Dr. ")
    assert "Okoro" not in doctor


def test_labels_of_a_taxonomy_are_no_names(couple: Conversation) -> None:
    (case,) = load("task", "rpp").cases(couple, View())
    assert Pseudonyms().instance(case.instance).options == case.instance.options


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Ana", "ANA'S bag, ana\u2019s bag, and Ana's."),
        ("Ana-Maria", "Ana-Maria, Ana and Maria"),
        ("O'Neil", "Mr O\u2019Neil, Neil"),
        ("Zo\u00eb", "Zoe\u0308 and Zoe and ZO\u00cb"),
        ("Zo\u00eb", "I told zoe so"),
        ("ana_lopez", "Lopez, ana"),
        ("\u674e\u660e", "\u4f60\u597d\u674e\u660e\u3002"),
        ("\ubbfc\uc218", "\ubbfc\uc218\uac00 \uc654\ub2e4"),
        (
            "\u092a\u094d\u0930\u093f\u092f\u093e",
            "\u092a\u094d\u0930\u093f\u092f\u093e \u0906\u0908",
        ),
    ],
)
def test_a_name_is_found_in_every_form_and_script(name: str, text: str) -> None:
    def bare(of: str) -> str:
        marked = unicodedata.normalize("NFKD", of.casefold())
        return "".join(c for c in marked if not unicodedata.combining(c))

    shown = bare(seen(text, people=(name, "Tom")))
    for part in re.split(r"[-'_]", bare(name)):
        if len(part) > 1:
            assert part not in shown


def test_a_part_of_another_word_is_no_name() -> None:
    assert "banana" in seen("Eat a banana and Anabaptist bread.", people=("Ana", "Tom"))


def test_the_case_of_a_name_is_kept() -> None:
    _, small, large = words(seen("Ben ben BEN", people=("Ben", "Tom")))
    assert small.islower()
    assert large.isupper()


def test_a_name_that_is_also_a_word_is_left_where_it_is_the_word() -> None:
    shown = seen("Will you come? I will. Ask Will about it.", people=("Will", "Tom"))
    assert shown.startswith("Will you come? I will. Ask ")
    assert "Ask Will" not in shown


def test_a_short_form_has_the_name_of_the_person() -> None:
    full, short = (
        words(seen("Benjamin left. I saw Ben there."))[0],
        seen("Benjamin left. I saw Ben there.").split()[4],
    )
    assert short == full


def test_people_and_places_that_no_roster_lists_are_replaced() -> None:
    shown = seen("We moved from Chicago to Lisbon with my brother Karim.")
    assert not {"Chicago", "Lisbon", "Karim"} & set(words(shown))
    assert shown.startswith("We moved from ")


def test_a_name_once_found_is_replaced_in_talk_without_capitals_too() -> None:
    assert "lisbon" in seen("lisbon was warm, i liked it")
    shown = seen("We lived in Lisbon for years.", "lisbon was warm, i liked it")
    there = words(shown)[3]
    assert shown == f"We lived in {there} for years. | {there.lower()} was warm, i liked it"


@pytest.mark.parametrize(
    "real",
    [
        "ana.lopez@mail.example",
        "https://www.example.com/ana",
        "+44 20 7946 0018",
        "3/12/85",
        "@analopez",
        "AB123456C",
    ],
)
def test_addresses_numbers_and_dates_are_replaced_and_come_back(real: str) -> None:
    instance = said(f"It is {real} now.")
    disguise = Pseudonyms()
    shown = disguise.instance(instance).conversation.turns[0].text
    assert real not in shown
    back = disguise.reveal(Prediction("i", failure="x", raw=shown), instance)
    assert back.raw == f"It is {real} now."


def test_years_and_small_numbers_stay() -> None:
    text = "In 1998 we paid 300 for the 1980s sofa, at 10am."
    assert seen(text) == text


def test_what_is_said_later_changes_nothing_before() -> None:
    first, disguise = "Karim came from Lisbon, Benjamin.", Pseudonyms()
    short, long = said(first), said(first, "And Paula went to Oslo.", "Ben, did she?")
    shown = [disguise.instance(i).conversation.turns[0].text for i in (short, long)]
    assert shown[0] == shown[1]


def test_names_differ_between_conversations_and_seeds_and_not_between_runs() -> None:
    def name(id: str, seed: int) -> str:
        return Pseudonyms(seed=seed).instance(said("Hi.", id=id)).conversation.participants[0]

    assert name("c", 0) == name("c", 0)
    assert len({name("c", seed) for seed in range(8)}) > 4
    assert len({name(f"c{k}", 0) for k in range(8)}) > 4


def test_an_invented_name_is_none_that_the_conversation_has() -> None:
    invented = Pseudonyms().instance(said("Hi.")).conversation.participants[0]
    instance = said("Hi.", f"{invented.lower()} is a word here.")
    shown = Pseudonyms().instance(instance).conversation
    assert shown.participants[0] != invented


def test_no_two_people_get_the_same_name() -> None:
    people = ("Ana", "ANA", "A\u0301na", "Ana 2", *(f"Person{chr(97 + k)}" for k in range(60)))
    shown = Pseudonyms().instance(said("Hi.", people=people)).conversation.participants
    assert len(set(shown)) == len(people)


def test_disguising_twice_with_what_was_found_changes_what_a_model_may_see_only_once() -> None:
    instance = said("Karim came from Lisbon.")
    first = Pseudonyms().instance(instance)
    assert first == Pseudonyms().instance(instance)
    assert instance == said("Karim came from Lisbon.")


def test_answers_get_the_names_back(couple: Conversation) -> None:
    instance, disguise = everything(couple), Pseudonyms()
    shown = disguise.instance(instance)
    ana, ben, _ = shown.options
    answered = Prediction(
        "i",
        ranking=(ben, "Couple", ana),
        probabilities=(0.5, 0.3, 0.2),
        emotion=Emotion(ana, f"angry with {ben}", 3.0),
        viewpoints=(Viewpoint(ana, ben, f"{ben.lower()} never listens to {ana}'s plans"),),
        because=(f"votes of 2 samples: {ben} 2",),
    )
    assert disguise.reveal(answered, instance) == Prediction(
        "i",
        ranking=("Ben", "Couple", "Ana"),
        probabilities=(0.5, 0.3, 0.2),
        emotion=Emotion("Ana", "angry with Ben", 3.0),
        viewpoints=(Viewpoint("Ana", "Ben", "ben never listens to Ana's plans"),),
        because=("votes of 2 samples: Ben 2",),
    )


def test_findings_of_others_are_shown_in_the_same_names(couple: Conversation) -> None:
    instance, disguise = everything(couple), Pseudonyms()
    ana, ben, _ = disguise.instance(instance).options
    found = Prediction(
        "i", ranking=("Ben", "Ana"), viewpoints=(Viewpoint("Ana", "Ben", "Ben hid it in Oslo"),)
    )
    shown = disguise.finding(found, instance)
    assert shown.ranking == (ben, ana)
    assert (shown.viewpoints[0].source, shown.viewpoints[0].target) == (ana, ben)
    assert shown.viewpoints[0].viewpoint.startswith(f"{ben} hid it in ")
    assert "Oslo" not in shown.viewpoints[0].viewpoint


def test_a_failed_answer_keeps_its_reply_with_the_real_names(couple: Conversation) -> None:
    instance, disguise = everything(couple), Pseudonyms()
    ana = disguise.instance(instance).options[0]
    back = disguise.reveal(Prediction("i", failure="no JSON", raw=f"I think {ana}."), instance)
    assert back.raw == "I think Ana."


def test_an_approach_shows_the_model_invented_names_and_answers_with_real_ones(
    couple: Conversation,
) -> None:
    approach = AskingApproach(
        "llm", Settings(model="mock", pseudonymize=True, calls="none", answers="json")
    )
    asking = approach.fit((), seed=0)
    cases = load("task", "stp").cases(couple, View())
    for case in cases:
        assert not {"Ana", "Ben"} & set(words(asking.prompt(case.instance)))
    answers = list(asking.predict([case.instance for case in cases]))
    assert [set(a.ranking) for a in answers] == [{"Ana", "Ben", "Couple"}] * len(cases)


LETTERS = st.sampled_from("abcdefghijklmnopqrstuvwxyz\u00e9\u00f1\u0161\u0436\u0438\u03b1\u03b4")
NAMES = st.text(LETTERS, min_size=4, max_size=9).map(str.capitalize)
FRAMES = ("{} left.", "I told {} so", "it is {}'s", "NOT {}!", "well,{};", "({})", "x {} y", "{}")


@settings(max_examples=60, deadline=None)
@given(st.lists(NAMES, min_size=2, max_size=4, unique=True), st.data())
def test_made_up_names_never_stand_in_what_a_model_sees(
    people: list[str], data: st.DataObject
) -> None:
    forms = (str, str.lower, str.upper, lambda n: unicodedata.normalize("NFD", n))
    texts = [
        data.draw(st.sampled_from(FRAMES)).format(data.draw(st.sampled_from(forms))(name))
        for name in people
    ]
    instance = Pseudonyms().instance(said(*texts, people=tuple(people)))
    shown = {fold(w) for text in shown_texts(instance) for w in words(composed(text))}
    from relgraph.llm_bridge.privacy._words import WORDS_TOO

    assert not shown & {fold(name) for name in people if name.lower() not in WORDS_TOO}


def composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def fold(word: str) -> str:
    return composed(word).casefold()


def shown_texts(instance: Instance) -> Iterator[str]:
    yield from instance.conversation.participants
    for turn in instance.conversation.turns:
        yield from (turn.speaker, turn.text)
