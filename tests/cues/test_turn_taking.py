"""Who takes the floor: questions, pressed ones, the ways of not answering, cutting off."""

from dataclasses import replace

import pytest

from relgraph.cues import Cue, find_cues
from relgraph.records import Background, Conversation, Turn

Row = tuple[str, str, str]


def talk(*rows: Row, people: str = "Ana Ben") -> Conversation:
    """Rows of speaker, addressees (parted by commas), text."""
    return Conversation(
        id="c",
        turns=tuple(
            Turn(index=i, speaker=speaker, text=text, addressees=tuple(to.split(",")))
            for i, (speaker, to, text) in enumerate(rows, start=1)
        ),
        scenario="couple" if people == "Ana Ben" else "family",
        participants=tuple(people.split()),
    )


def last(name: str, *rows: Row, people: str = "Ana Ben") -> list[Cue]:
    """The cues of one name in the last turn."""
    return [
        c for c in find_cues(talk(*rows, people=people)) if c.name == name and c.turn == len(rows)
    ]


def pair(cues: list[Cue]) -> list[tuple[str, str]]:
    return [(c.source, c.target) for c in cues]


ASKED: Row = ("Ana", "Ben", "Where were you last night?")


@pytest.mark.parametrize(
    "text",
    [
        "Where were you last night?",
        "Did you pay the rent?",
        "You paid it?",
        "so do you want to go to the lake with us",
        "Why don\u2019t you answer?",
        "Zo\u00eb, w\u00e4rst du\u2026 I mean, are you coming?",
    ],
)
def test_a_question_is_one_with_a_mark_or_by_the_order_of_words(text: str) -> None:
    assert pair(last("question", ("Ana", "Ben", text))) == [("Ana", "Ben")]


@pytest.mark.parametrize(
    "text",
    ["I went home, you know?", "What I want is some peace.", "When he came I left.", "Fine. Okay?"],
)
def test_a_tag_or_a_clause_is_no_question(text: str) -> None:
    assert not last("question", ("Ana", "Ben", text))


def test_a_question_to_several_is_one_to_each() -> None:
    cues = last("question", ("Therapist", "Family", "What do you want?"), people="Ana Ben Cleo")
    assert pair(cues) == [("Therapist", p) for p in ("Ana", "Ben", "Cleo")]


def test_talk_that_goes_on_for_long_makes_a_question_weaker() -> None:
    on = ASKED[2] + " I was up all night. It was cold. I made some tea. Then I slept."
    asked, passed = last("question", ASKED), last("question", ("Ana", "Ben", on))
    assert passed[0].strength < asked[0].strength


def test_a_like_question_after_no_real_answer_is_pressed() -> None:
    again = ("Ana", "Ben", "Where were you, last night?")
    cues = last("question_pressed", ASKED, ("Ben", "Ana", "Nowhere."), again)
    assert pair(cues) == [("Ana", "Ben")]
    assert cues[0].strength >= 0.8


def test_another_question_after_no_real_answer_is_pressed_less() -> None:
    more = ("Ana", "Ben", "What is that supposed to mean?")
    alike = last("question_pressed", ASKED, ("Ben", "Ana", "Nothing."), ASKED)
    other = last("question_pressed", ASKED, ("Ben", "Ana", "Nothing."), more)
    assert 0.5 <= other[0].strength < alike[0].strength


@pytest.mark.parametrize(
    "between",
    [
        ("Ben", "Ana", "I was at my brother's place, we watched the game until two."),
        ("Ben", "Ana", "Yes."),
    ],
)
def test_a_question_put_again_after_an_answer_is_not_pressed(between: Row) -> None:
    assert not last("question_pressed", ASKED, between, ASKED)


def test_the_same_question_of_another_one_or_to_another_one_is_not_pressed() -> None:
    silent = ("Ben", "Ana", "Nothing.")
    assert not last(
        "question_pressed", ASKED, silent, ("Cleo", "Ben", ASKED[2]), people="Ana Ben Cleo"
    )
    assert not last(
        "question_pressed", ASKED, silent, ("Ana", "Cleo", ASKED[2]), people="Ana Ben Cleo"
    )


def test_a_question_put_twice_without_a_word_between_is_pressed() -> None:
    assert pair(last("question_pressed", ASKED, ASKED)) == [("Ana", "Ben")]


def test_a_remark_behind_the_question_is_an_answer() -> None:
    conversation = talk(ASKED, ASKED)
    first = replace(conversation.turns[0], background=(Background("Ben", ("Ana",), "At home."),))
    answered = replace(conversation, turns=(first, conversation.turns[1]))
    assert not [c for c in find_cues(answered) if c.name == "question_pressed"]


def test_a_question_put_long_ago_is_not_pressed() -> None:
    filler = [("Ana", "Cleo", f"The garden looks nice in week {i}.") for i in range(6)]
    assert not last("question_pressed", ASKED, *filler, ASKED, people="Ana Ben Cleo")


@pytest.mark.parametrize(
    ("text", "pressed"),
    [
        ("Answer me.", True),
        ("You still haven't answered.", True),
        ("I asked you to be kind.", False),
        ("She said, answer me.", False),
    ],
)
def test_insisting_on_an_answer_is_pressing(text: str, pressed: bool) -> None:
    assert bool(last("question_pressed", ("Ana", "Ben", text))) is pressed


@pytest.mark.parametrize("text", ["Nothing.", "Fine.", "I don't know.", "Um, maybe.", "Whatever."])
def test_an_answer_that_tells_nothing_is_short(text: str) -> None:
    cues = last("short_answer", ASKED, ("Ben", "Ana", text))
    assert pair(cues) == [("Ben", "Ana")]
    assert cues[0].strength >= 0.7


@pytest.mark.parametrize(
    "text", ["Yes.", "Yeah, right.", "Mm-hm.", "Okay.", "Of course.", "Exactly.", "Sure, sure."]
)
def test_assent_is_no_short_answer(text: str) -> None:
    assert not last("short_answer", ("Ana", "Ben", "Will you come along?"), ("Ben", "Ana", text))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When did you marry?", "In May."),
        ("How many years is it?", "Seven."),
        ("When will you call?", "Tomorrow morning."),
        ("How do you feel now?", "Hurt."),
        ("What do you say to her?", "Thank you."),
        ("What happened?", "I walked home along the river and then I called my mother."),
    ],
)
def test_a_full_answer_in_a_word_is_no_short_answer(question: str, text: str) -> None:
    assert not last("short_answer", ("Ana", "Ben", question), ("Ben", "Ana", text))


def test_what_may_be_thinking_or_an_answer_is_weak() -> None:
    what = ("Ana", "Ben", "What would you like for dinner?")
    for text in ("Pasta.", "I just--", "No."):
        assert all(c.strength < 0.65 for c in last("short_answer", what, ("Ben", "Ana", text)))
    refused = last("short_answer", ("Ana", "Ben", "Will you come?"), ("Ben", "Ana", "No."))
    assert refused[0].strength < 0.5


def test_a_few_words_answer_only_a_question_put_to_the_speaker() -> None:
    statement = ("Ana", "Ben", "I went to the lake.")
    assert not last("short_answer", statement, ("Ben", "Ana", "Fine."))
    assert not last("short_answer", ASKED, ("Cleo", "Ana", "Fine."), people="Ana Ben Cleo")
    assert not last(
        "short_answer", ("Ana", "Therapist", "Is it me?"), ("Therapist", "Ana", "Maybe.")
    )


@pytest.mark.parametrize(
    ("question", "text", "shifts"),
    [
        ("Where were you last night?", "Can we talk about something else?", True),
        ("Where were you last night?", "By the way, the car is broken.", True),
        ("Where were you last night?", "Why do you always check on me?", True),
        ("Will you come with us?", "The car needs new tyres.", True),
        ("Where were you last night?", "Last night? By the way, at work.", False),
        ("Where were you last night?", "I was working late at the office.", False),
        ("Will you come with us?", "Yes, and by the way, the car is broken.", False),
        ("Why did you leave?", "Because the car needs new tyres.", False),
    ],
)
def test_a_topic_shift_leads_elsewhere(question: str, text: str, shifts: bool) -> None:
    assert bool(last("topic_shift", ("Ana", "Ben", question), ("Ben", "Ana", text))) is shifts


def test_asking_the_supporter_back_is_no_topic_shift() -> None:
    asked = ("Therapist", "Ben", "What do you do with that?")
    assert not last("topic_shift", asked, ("Ben", "Therapist", "Do I play it out here now?"))


@pytest.mark.parametrize(
    "text",
    [
        "I don't want to talk about this.",
        "I'm not having this conversation.",
        "Let's not talk about it.",
        "I'm tired of talking.",
        "I give up.",
        "I\u2019m done.",
        "Leave it.",
        "Just drop it, please.",
        "Ana, leave me alone.",
        "Oh, just leave me alone.",
        "Can you please leave me alone?",
        "I want you to leave it.",
        "Whatever.",
        "I'm not going to discuss it.",
        "There's no point.",
        "I'm leaving.",
        "[walks out] Fine",
        "I should shut up.",
    ],
)
def test_a_refusal_will_not_talk_or_leaves(text: str) -> None:
    assert pair(last("refusal", ("Ben", "Ana", text))) == [("Ben", "Ana")]


@pytest.mark.parametrize(
    "text",
    [
        "I'm not done.",
        "I'm done with the dishes now, come and eat.",
        "Whatever you want, I'll cook it.",
        "He goes, whatever.",
        "She said, 'I don't want to talk about it.'",
        "I give up smoking next week.",
        "I'm not having this operation.",
        "I'm not saying leave it.",
        "I'm scared she will leave me.",
        "I think that one day you'll just leave me alone.",
        "I can drop it at the door, or Ana can drop it.",
        "They always forget it.",
        "If I'm done, I'll call you.",
        "I left it on the table.",
        "I don't know, I think that we went there because of the kids and the weather was fine.",
    ],
)
def test_what_only_sounds_like_a_refusal_is_none(text: str) -> None:
    assert not [c for c in last("refusal", ("Ben", "Ana", text)) if c.strength >= 0.5]


def test_the_supporter_does_not_refuse() -> None:
    assert not last("refusal", ("Therapist", "Ana", "I don't know."))


def test_not_knowing_is_a_refusal_only_by_itself() -> None:
    assert last("refusal", ASKED, ("Ben", "Ana", "I don't know."))
    long = "I don't know how the key got there but somebody must have put it back."
    assert not last("refusal", ASKED, ("Ben", "Ana", long))


def test_a_refusal_said_to_the_supporter_turns_away_from_who_asked() -> None:
    cues = last("refusal", ASKED, ("Ben", "Therapist", "I won't answer that."))
    assert pair(cues) == [("Ben", "Ana"), ("Ben", "Therapist")]


def test_no_reply_stands_at_the_turn_of_who_speaks_instead() -> None:
    rows = [ASKED, ("Cleo", "Ana", "He was with me.")]
    cues = [c for c in find_cues(talk(*rows, people="Ana Ben Cleo")) if c.name == "no_reply"]
    assert [(c.source, c.target, c.turn) for c in cues] == [("Ben", "Ana", 2)]


@pytest.mark.parametrize(
    "rows",
    [
        [ASKED, ("Ben", "Ana", "At work.")],
        [ASKED, ("Ana", "Ben", "I was worried.")],
        [("Ana", "Family", "Where were you all?"), ("Cleo", "Ana", "At school.")],
        [("Ana", "Therapist", "Is that normal?"), ("Cleo", "Ana", "It is not.")],
        [("Ana", "Ben", "I went to the lake."), ("Therapist", "Ana", "How was it?")],
    ],
)
def test_who_answers_or_was_not_asked_alone_gives_no_no_reply(rows: list[Row]) -> None:
    assert not last("no_reply", *rows, people="Ana Ben Cleo")


def test_a_remark_behind_either_turn_is_a_reply() -> None:
    conversation = talk(ASKED, ("Cleo", "Ana", "He was with me."), people="Ana Ben Cleo")
    for place in (0, 1):
        turns = list(conversation.turns)
        turns[place] = replace(turns[place], background=(Background("Ben", ("Ana",), "At home."),))
        cues = find_cues(replace(conversation, turns=tuple(turns)))
        assert not [c for c in cues if c.name == "no_reply"]


def test_a_question_left_to_the_supporter_is_a_weaker_no_reply() -> None:
    client = last("no_reply", ASKED, ("Cleo", "Ana", "He was out."), people="Ana Ben Cleo")
    helper = last("no_reply", ASKED, ("Therapist", "Ana", "Let me ask."), people="Ana Ben Cleo")
    assert helper[0].strength < client[0].strength


def test_cues_of_a_prefix_are_the_prefix_of_the_cues() -> None:
    rows: list[Row] = [
        ASKED,
        ("Ben", "Ana", "Nothing."),
        ASKED,
        ("Cleo", "Ana", "He was scared of--"),
        ("Ben", "Therapist", "No. I don't want to talk about it."),
        ("Therapist", "Ben", "Are you afraid of Ana?"),
        ("Ben", "Therapist", "Yes. When she shouts I feel so alone, and the rent is due."),
        ("Therapist", "Ben", "Can you tell her that?"),
    ]
    every = find_cues(talk(*rows, people="Ana Ben Cleo"))
    assert len({c.name for c in every}) > 10
    for cut in range(len(rows) + 1):
        before = find_cues(talk(*rows[:cut], people="Ana Ben Cleo"))
        assert before == tuple(c for c in every if c.turn <= cut)


@pytest.mark.parametrize("end", ["--", "\u2014", " -", '--"', "-"])
def test_a_turn_that_breaks_off_was_interrupted(end: str) -> None:
    cues = last(
        "interruption", ("Ana", "Ben", "I only wanted to" + end), ("Ben", "Ana", "You never do.")
    )
    assert pair(cues) == [("Ben", "Ana")]


def test_trailing_off_is_weaker_than_breaking_off() -> None:
    cues = last(
        "interruption", ("Ana", "Ben", "I only wanted to\u2026"), ("Ben", "Ana", "You never do.")
    )
    assert cues[0].strength < 0.5


@pytest.mark.parametrize(
    "rows",
    [
        [("Ana", "Ben", "I only wanted to help."), ("Ben", "Ana", "You never do.")],
        [("Ana", "Ben", "I only wanted to--"), ("Ana", "Ben", "Or maybe not.")],
        [("Ana", "Ben", "I only wanted to--"), ("Ben", "Ana", "Mm-hm.")],
        [("Ana", "Ben", "I-- I only wanted to help."), ("Ben", "Ana", "You never do.")],
    ],
)
def test_without_a_break_or_without_taking_the_floor_nobody_interrupts(rows: list[Row]) -> None:
    assert not last("interruption", *rows)


def test_among_several_nobody_stays_silent_who_is_only_guessed_to_be_spoken_to() -> None:
    rows = [("Ana", "", "We were late."), ("Ben", "", "Why?"), ("Cleo", "", "It was dark.")]

    def silent(people: str) -> list[str]:
        asked = talk(*rows, people=people)
        turns = tuple(replace(turn, addressees=()) for turn in asked.turns)
        return [c.source for c in find_cues(replace(asked, turns=turns)) if c.name == "no_reply"]

    assert silent("Ana Ben Cleo") == []
    assert silent("Ana Ben") == ["Ana"]
