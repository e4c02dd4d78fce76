"""Own feelings, primary and secondary ones, and how strongly a turn speaks."""

import pytest

from relgraph.cues import Cue, find_cues
from relgraph.cues._seen import see_all
from relgraph.cues.feelings import intensities, intensity
from relgraph.records import Background, Conversation, Turn


def said(text: str, *, speaker: str = "Ana", to: str = "Ben") -> Conversation:
    return Conversation(
        id="c",
        turns=(Turn(index=1, speaker=speaker, text=text, addressees=(to,)),),
        scenario="couple",
        participants=("Ana", "Ben"),
    )


def kinds(text: str, **how: str) -> list[str]:
    """The feelings that are named."""
    return [c.detail for c in find_cues(said(text, **how)) if c.name == "emotion"]


def cues(name: str, text: str, **how: str) -> list[Cue]:
    return [c for c in find_cues(said(text, **how)) if c.name == name]


def strength(text: str) -> float:
    return cues("emotion", text)[0].strength


def felt(text: str) -> float:
    return intensity(see_all([said(text)])[0][0])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I'm so angry with you.", "anger"),
        ("I am disgusted.", "contempt"),
        ("I was, like, um, terrified.", "fear"),
        ("I feel guilty.", "guilt"),
        ("I felt really, really hurt.", "hurt"),
        ("I'm hopeful.", "hope"),
        ("I'm happy for you.", "joy"),
        ("I've been so lonely.", "loneliness"),
        ("I love you.", "love"),
        ("It makes me sad.", "sadness"),
        ("I feel ashamed.", "shame"),
        ("I was shocked.", "surprise"),
        ("I'm exhausted.", "tiredness"),
        ("I\u2019m worried.", "worry"),
        ("You hurt me.", "hurt"),
        ("It hurts.", "hurt"),
        ("My fear is that she leaves.", "fear"),
        ("I miss you so much.", "loneliness"),
    ],
)
def test_an_own_feeling_has_its_kind(text: str, kind: str) -> None:
    assert kinds(text) == [kind]


def test_two_feelings_joined_are_both_own() -> None:
    assert kinds("I feel ashamed and guilty.") == ["guilt", "shame"]


@pytest.mark.parametrize(
    "text",
    [
        "I'm not angry.",
        "I don't feel lonely.",
        "I never felt ashamed.",
        "It doesn't hurt.",
        "He doesn't scare me.",
        "I never wanted to hurt you.",
    ],
)
def test_a_denied_feeling_is_none(text: str) -> None:
    assert not kinds(text)


def test_what_is_denied_does_not_hide_what_is_felt() -> None:
    assert kinds("I'm not angry, I'm sad.") == ["sadness"]


@pytest.mark.parametrize(
    "text",
    [
        "He was angry.",
        "I felt like he was angry.",
        "I know you're scared.",
        "I think that's sad.",
        "She was like, I'm so angry.",
        "He said, 'I am scared.'",
        'He said, "I am scared."',
        "I want her to be happy.",
    ],
)
def test_somebody_elses_feeling_is_not_own(text: str) -> None:
    assert not kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "I would be scared.",
        "If I'm scared, I hide.",
        "Am I angry?",
        "I'm afraid we're late.",
        "I'm afraid so.",
        "I would love to go.",
        "I love that.",
    ],
)
def test_a_feeling_that_is_supposed_asked_or_a_manner_of_speech_is_none(text: str) -> None:
    assert not kinds(text)


def test_the_supporter_names_no_own_feeling() -> None:
    assert not kinds("I'm scared of losing you.", speaker="Therapist", to="Ana")


def test_a_remark_behind_a_turn_names_feelings_too() -> None:
    turn = Turn(
        1,
        "Ana",
        "We went home.",
        ("Ben",),
        background=(Background("Ben", ("Ana",), "I was so sad."),),
    )
    found = find_cues(Conversation(id="c", turns=(turn,), participants=("Ana", "Ben")))
    assert [(c.source, c.detail) for c in found if c.name == "emotion"] == [("Ben", "sadness")]


def test_words_of_degree_make_a_feeling_stronger_or_weaker() -> None:
    assert strength("I'm a little hurt.") < strength("I'm hurt.") < strength("I'm really hurt.")
    assert strength("I'm annoyed.") < strength("I'm angry.") < strength("I'm furious.")
    assert strength("Hurt.") < strength("I'm hurt.")


@pytest.mark.parametrize(
    "text",
    ["I feel so hurt.", "I'm scared of losing you.", "I was lonely.", "I just want to feel loved."],
)
def test_softer_feelings_and_longing_are_primary(text: str) -> None:
    assert [c.target for c in cues("primary_emotion", text)] == ["Ben"]
    assert not cues("secondary_emotion", text)


@pytest.mark.parametrize("text", ["I'm so angry.", "I'm disgusted.", "I don't care anymore."])
def test_anger_contempt_and_indifference_are_secondary(text: str) -> None:
    assert [c.target for c in cues("secondary_emotion", text)] == ["Ben"]
    assert not cues("primary_emotion", text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm scared of spiders.",
        "I'm happy.",
        "I don't feel hurt.",
        "I don't want to feel loved by it.",
    ],
)
def test_fear_of_things_and_denied_longing_are_not_primary(text: str) -> None:
    assert not cues("primary_emotion", text)


@pytest.mark.parametrize("text", ["I care about you.", "I'm not angry.", "He doesn't care."])
def test_care_is_no_indifference(text: str) -> None:
    assert not cues("secondary_emotion", text)


def test_a_feeling_told_to_the_supporter_is_directed_at_who_is_meant_too() -> None:
    found = cues("primary_emotion", "I'm scared of losing him.", to="Therapist")
    assert {c.target for c in found} == {"Ben", "Therapist"}


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ("We went home.", "I was hurt."),
        ("I was annoyed.", "I was furious."),
        ("I was hurt.", "I was really hurt."),
        ("We went home.", "We went home!"),
        ("You come home late.", "You always come home late."),
        ("That is late.", "That is fucking late."),
        ("We went home.", "No, no, no, we went home."),
        ("Maybe a little bit.", "It is late."),
    ],
)
def test_intensity_rises_with_words_of_feeling_degree_and_force(less: str, more: str) -> None:
    assert felt(less) < felt(more)


def test_intensity_stays_in_its_range() -> None:
    loud = "I am so so so furious, I hate it, fuck, fuck, I am terrified and devastated!!!! " * 8
    assert felt("") == 6.0
    assert 9.0 < felt(loud) <= 10.0


def test_intensities_are_of_turns_by_their_index_and_not_of_remarks_behind_them() -> None:
    def of(text: str, *, behind: str = "") -> dict[int, float]:
        remarks = (Background("Ben", ("Ana",), behind),) if behind else ()
        turns = (
            Turn(4, "Ben", "Fine.", ("Ana",), "given"),
            Turn(5, "Ana", text, ("Ben",), "given", background=remarks),
        )
        (found,) = intensities([Conversation("c", turns, participants=("Ana", "Ben"))])
        return found

    mild, strong = of("I was a bit sad."), of("I am absolutely terrified and so, so furious!!")
    assert list(mild) == [4, 5]
    assert mild[4] == strong[4]
    assert mild[5] < strong[5]
    assert of("I was a bit sad.", behind="I am absolutely terrified!!") == mild
