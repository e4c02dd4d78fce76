"""What people do to each other: for every act, turns that are it and turns that only look like it.

All turns were made up for these tests. In a couple Ana and Ben sit with the therapist; unless a
row says otherwise Ana speaks to Ben.
"""

import pytest

from relgraph.cues import CODEBOOK, Cue, find_cues
from relgraph.records import Conversation, Turn

ACTS = {name for name, entry in CODEBOOK.items() if entry.family == "act"}
PLAIN = 0.45
"""From here on a sign is more than weak."""


def couple(*said: tuple[str, str, str], scenario: str = "couple") -> Conversation:
    """Rows of speaker, addressee, text; the addressee "" is unknown."""
    return Conversation(
        id="c",
        turns=tuple(
            Turn(
                index=i,
                speaker=speaker,
                text=text,
                addressees=(to,) if to else (),
                addressee_source="given" if to else "none",
            )
            for i, (speaker, to, text) in enumerate(said, start=1)
        ),
        scenario=scenario,
        participants=("Ana", "Ben") if scenario == "couple" else ("Ana", "Ben", "Cleo"),
    )


def last(name: str, *said: tuple[str, str, str], scenario: str = "couple") -> list[Cue]:
    """The cues of one name in the last turn, by its speaker."""
    cues = find_cues(couple(*said, scenario=scenario))
    return [c for c in cues if c.name == name and c.turn == len(said) and c.source == said[-1][0]]


def strength(name: str, text: str, *, to: str = "Ben", target: str = "Ben") -> float:
    """How strongly Ana does it to the target."""
    return max((c.strength for c in last(name, ("Ana", to, text)) if c.target == target), default=0)


TO_BEN = {
    "blame": [
        "It's your fault that we lost the house.",
        "You lied to me about the money.",
        "You don't listen to me.",
        "You made me give up my job.",
        "You're the one who left.",
        "You should have called me.",
        "This is your fault, not mine.",
        "I blame you for this.",
        "You're the one to blame.",
        "You brought this on yourself.",
        "None of it would have happened without you.",
        "You turned the kids against me.",
        "You got us into this mess.",
    ],
    "criticism": [
        "You always leave me with the dishes.",
        "You never help with the kids.",
        "You're lazy and selfish.",
        "You are so careless.",
        "All you do is watch television.",
        "That's typical of you.",
        "You can't do anything right.",
        "You're never home.",
        "You're never there when I need you.",
        "Everything is about you.",
        "You only think of yourself.",
        "You never let me finish.",
        "You never stop complaining.",
    ],
    "contempt": [
        "You're such a loser.",
        "You are pathetic.",
        "Oh please, grow up.",
        "You behave like a spoiled brat, you make me sick.",
        "You're a waste of space.",
        "I can't stand you.",
        "I have no respect for you.",
        "What kind of a man are you?",
    ],
    "belligerence": [
        "What are you going to do about it?",
        "Who do you think you are?",
        "How dare you?",
        "Are you kidding me?",
    ],
    "domineering": [
        "Shut up.",
        "Let me finish.",
        "You need to listen.",
        "Because I said so.",
        "You're not allowed to go out.",
    ],
    "defence": [
        "That's not true.",
        "It's not my fault that the car broke down.",
        "I never said that.",
        "I'm not lazy.",
        "I do listen to you.",
        "What was I supposed to do?",
        "You're twisting my words.",
        "I'm not the only one to blame.",
    ],
    "minimising": [
        "It's not a big deal.",
        "You're overreacting.",
        "You're making a mountain out of it.",
        "Get over it.",
    ],
    "demand": [
        "You have to stop drinking.",
        "I want you to come home at six.",
        "Why don't you just say it?",
        "Answer me.",
        "Don't walk out again.",
        "Just tell me where you were.",
    ],
    "request": [
        "Could you pick up the kids on Friday?",
        "I'd like you to come with me.",
        "Would you mind if we talked later?",
        "Please help me with this.",
    ],
    "disclosure": [
        "I felt so alone that night.",
        "I'm scared of losing us.",
        "I'm worried about my mother.",
        "My fear is too big for me.",
    ],
    "softening": [
        "I'm scared of losing you.",
        "I feel so lonely at night.",
        "I miss you.",
        "It hurts me when we are like this.",
    ],
    "apology": [
        "I'm so sorry.",
        "I apologise for last night.",
        "I was wrong about that.",
        "I shouldn't have yelled.",
        "It's all my fault.",
        "Sorry about last night.",
        "It was my fault.",
        "I take it back.",
        "I am deeply sorry.",
    ],
    "repair_bid": [
        "Can we start over?",
        "Let's calm down.",
        "I don't want to fight.",
        "That came out wrong, let me try again.",
        "We're on the same team.",
    ],
    "accepting_influence": [
        "You're right about the money.",
        "Okay, I'll do that.",
        "That's a fair point.",
        "I can try.",
    ],
    "validation": [
        "I understand why you felt left out.",
        "That makes sense.",
        "I can see how hard that was.",
        "It must have been hard for you.",
        "Anyone would feel that way.",
        "I know how much it hurt you.",
        "I see how lonely you've been.",
        "I believe you.",
        "No wonder you were upset.",
    ],
    "acknowledgement": ["Yeah, okay.", "Right.", "Mm-hmm.", "I see."],
    "reassurance": [
        "It's going to be okay.",
        "I'm not going anywhere.",
        "Don't worry.",
        "You can count on me.",
    ],
    "affection": [
        "I love you.",
        "You're an amazing father.",
        "I'm so proud of you.",
        "You make me feel safe.",
    ],
    "interest": [
        "How do you feel about it?",
        "What do you think?",
        "Tell me more.",
        "What was it like for you?",
    ],
    "humour": ["I'm just kidding.", "Only joking."],
    "we_framing": [
        "We both lost something there.",
        "We need to work on this.",
        "It came between us.",
        "As a couple we are strong.",
    ],
    "problem_solving": [
        "What if we took turns?",
        "Maybe we could eat together on Sundays.",
        "Next time I will call first.",
        "Let's make a list.",
    ],
    "reflection": [
        "I realise that I shut down when it gets loud.",
        "Part of me wants to run away.",
        "I tend to hide.",
        "I wonder why I do that.",
    ],
    "recollection": [
        "When I was six my father left and we moved to the coast.",
        "We met in spring, and she brought her dog along.",
    ],
    "speaks_for": ["You don't want to be here.", "You think that I am weak."],
    "tension": [
        "I-- I-- I don't know what to say.",
        "Um, uh, it was, um, hard.",
        "I can't explain it.",
    ],
}
ELSEWHERE = {
    "counterattack": [
        (
            ("Ben", "Ana", "You never listen to me."),
            ("Ana", "Ben", "You lied to me about the money."),
            "Ben",
        ),
    ],
    "third_person": [(("Ana", "Cleo", "Ben is asleep on the couch."), "Ben")],
    "triangulation": [
        (("Ana", "Therapist", "You see how he does it?"), "Ben"),
        (("Ana", "Therapist", "Tell him that it can't go on like this."), "Ben"),
        (("Ana", "Therapist", "Even his mother says so."), "Ben"),
    ],
    "sides_with": [
        (("Cleo", "Ana", "I agree with Ben."), "Ben"),
        (("Cleo", "Ana", "Leave him alone, Ben has a point."), "Ben"),
    ],
}
"""Rows of turns and at last whom the act of the last turn is directed at; a family of three."""

LOOKS_LIKE = {
    "blame": [
        "It's not your fault that we lost the house.",
        "You didn't lie to me.",
        "You listen to me.",
        "You made me laugh and feel loved.",
        "He said it's your fault.",
        "I'm not saying you lied to me.",
        "I'm not saying that you weren't there.",
        "You were betrayed.",
        "You can't listen to everybody.",
        "You made me dinner.",
        "I don't blame you for this.",
        "You didn't do anything wrong.",
    ],
    "criticism": [
        "You're always there for me.",
        "You always help me.",
        "You are not lazy.",
        "You are so kind.",
        "My sister says you never help with the kids.",
        "I don't think you're selfish.",
        "You always make me laugh.",
        "You always look beautiful.",
        "You never let me down.",
        "You never gave up on me.",
        "You never stopped believing in me.",
    ],
    "contempt": [
        "You are not a loser.",
        "My boss is such a loser.",
        "I was a fool.",
        "You're crazy good at this.",
    ],
    "belligerence": ["What are you going to do tomorrow?", "How do you feel?"],
    "domineering": ["I listen to you.", "She said shut up."],
    "defence": [
        "That's true.",
        "It's my fault.",
        "I didn't know what to feel.",
        "I listen to you.",
    ],
    "minimising": ["It's a big deal.", "This is serious."],
    "demand": [
        "You don't have to stop drinking.",
        "I like you better today.",
        "You got upset.",
        "Look, I mean it.",
        "Don't worry.",
        "My father told me to stop it.",
        "Why do you have to go?",
        'He said, "Stop it."',
        "She was like, answer the phone.",
        "Explain?",
    ],
    "request": ["How could you do that?", "You could see the sea from there.", "I can swim."],
    "disclosure": [
        "It is raining.",
        "I went to the bank.",
        "She said I was scared.",
        "I was not scared of him.",
    ],
    "softening": [
        "I'm angry with you.",
        "I don't miss you.",
        "I feel hurt because you always lie to me.",
        "I feel like you are the problem.",
    ],
    "apology": [
        "I'm not sorry.",
        "You should be sorry.",
        "You were wrong.",
        "I'm sorry to interrupt.",
        "I'm sorry you feel that way.",
        "I'm sorry, but you started it.",
        "It was not my fault.",
    ],
    "repair_bid": ["I want to fight.", "The film starts over at nine."],
    "accepting_influence": ["You're not right.", "I don't agree.", "He said you're right."],
    "validation": [
        "That doesn't make sense.",
        "I don't understand why you did that.",
        "That makes sense, but you left.",
        "It rained, if that makes sense.",
        "I don't believe you.",
        "I don't know how much it hurt you.",
    ],
    "acknowledgement": ["No.", "Right after the war we moved.", "Yes?"],
    "reassurance": ["It's not going to be okay.", "I worry a lot."],
    "affection": [
        "I don't love you.",
        "He told me I love you.",
        "I love pizza.",
        "You're kind of loud.",
        "I dried the baby.",
    ],
    "interest": ["I know how you feel.", "What time is it?"],
    "humour": ["I'm not kidding.", "It is no joke."],
    "we_framing": ["I need to work on this.", "They both left."],
    "problem_solving": ["I have no idea.", "It was next to the door."],
    "reflection": ["I think so.", "You tend to hide."],
    "recollection": ["I am here and I want to stay.", "We will move next year."],
    "speaks_for": [
        "Do you want to be here?",
        "You know.",
        "I want you to feel safe.",
        "Tell me what you think.",
        "If you think so, fine.",
        "My sister says you want to leave.",
    ],
    "tension": ["I know what to say.", "It is hard, and I said so."],
}
ELSEWHERE_LOOKS_LIKE = {
    "counterattack": [
        (("Ben", "Ana", "How are you?"), ("Ana", "Ben", "You lied to me about the money."), "Ben"),
        (("Ben", "Ana", "You never listen to me."), ("Ana", "Ben", "Okay, I hear that."), "Ben"),
    ],
    "third_person": [(("Ana", "Ben", "Ben, you are asleep."), "Ben")],
    "triangulation": [
        (("Ana", "Therapist", "He told me that it can't go on like this."), "Ben"),
        (("Ana", "Ben", "You see how it is?"), "Ben"),
    ],
    "sides_with": [
        (("Cleo", "Ana", "I don't agree with Ben."), "Ben"),
        (("Cleo", "Ana", "I agree with you."), "Ben"),
    ],
}


def test_every_act_has_turns_that_are_it_and_turns_that_only_look_like_it() -> None:
    assert {*TO_BEN, *ELSEWHERE} == ACTS
    assert {*LOOKS_LIKE, *ELSEWHERE_LOOKS_LIKE} == ACTS


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in TO_BEN.items() for t in texts])
def test_an_act_is_found_where_it_is_plain(name: str, text: str) -> None:
    assert strength(name, text) >= PLAIN


@pytest.mark.parametrize(
    ("name", "text"), [(n, t) for n, texts in LOOKS_LIKE.items() for t in texts]
)
def test_an_act_is_not_found_in_what_only_looks_like_it(name: str, text: str) -> None:
    assert strength(name, text) < 0.3


@pytest.mark.parametrize(("name", "rows"), [(n, r) for n, rows in ELSEWHERE.items() for r in rows])
def test_an_act_between_several_is_found(name: str, rows: tuple) -> None:
    *said, target = rows
    found = last(name, *said, scenario="family" if "Cleo" in str(said) else "couple")
    assert [c.target for c in found if c.strength >= 0.35] == [target]


@pytest.mark.parametrize(
    ("name", "rows"), [(n, r) for n, rows in ELSEWHERE_LOOKS_LIKE.items() for r in rows]
)
def test_an_act_between_several_is_not_seen_where_it_is_not(name: str, rows: tuple) -> None:
    *said, target = rows
    scenario = "family" if "Cleo" in str(said) else "couple"
    assert target not in [c.target for c in last(name, *said, scenario=scenario)]


EXAMPLES = [(n, e) for n, entry in CODEBOOK.items() if n in ACTS for e in entry.examples]


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_every_example_of_the_codebook_is_an_example(name: str, example: str) -> None:
    """As the codebook writes them: `Ana: ... / Ben: ...`, said to each other or the therapist."""
    rows = []
    for turn in example.split(" / "):
        who, _, text = turn.rpartition(": ")
        speaker = "Ben" if who.startswith("Ben") else "Ana"
        to = "Therapist" if "with Ben there" in who else "Ana" if speaker == "Ben" else "Ben"
        rows.append((speaker, to, text))
    speaker, _, text = rows[-1]
    aside = [*rows[:-1], (speaker, "Therapist", text)]
    assert last(name, *rows) or last(name, *aside)


def test_an_act_is_shown_by_words_of_its_turn() -> None:
    text = "Well, Ben, it\u2019s your fault [sighs] \u2013 you lied."
    for cue in find_cues(couple(("Ana", "Ben", text))):
        if cue.name in ACTS:
            assert cue.words in text, cue


def test_a_hedge_weakens_and_stress_strengthens() -> None:
    plain = strength("criticism", "You're lazy.")
    assert strength("criticism", "Maybe you're lazy.") < plain
    assert strength("criticism", "You're totally lazy.") > plain


def test_a_question_is_weaker_than_a_statement() -> None:
    assert 0 < strength("blame", "Did you lie to me?") < strength("blame", "You lied to me.")


def test_what_is_supposed_is_weaker_than_what_is_said() -> None:
    supposed = strength("blame", "If you lied to me, I would know.")
    assert 0 < supposed < strength("blame", "You lied to me.")


def test_a_feeling_that_is_a_judgement_is_a_weak_disclosure() -> None:
    assert 0 < strength("disclosure", "I feel like you are the problem.") < PLAIN


def test_nobody_is_provoked_who_is_only_spoken_of() -> None:
    assert not last("belligerence", ("Ana", "Therapist", "How dare he?"))


def test_a_supporter_is_given_no_orders() -> None:
    assert not last("demand", ("Ana", "Therapist", "Explain it."))


def test_a_demand_behind_somebodys_back_is_weaker() -> None:
    (behind,) = last("demand", ("Ana", "Therapist", "Ben has to stop drinking."))
    assert behind.target == "Ben"
    assert behind.strength < strength("demand", "You have to stop drinking.")


def test_agreeing_with_whoever_is_spoken_to_takes_no_side() -> None:
    assert not last("sides_with", ("Cleo", "Ana", "I agree with you."), scenario="family")


def test_contempt_under_an_if_is_weaker() -> None:
    supposed = strength("contempt", "If you make me sick, I will say so.")
    assert 0 < supposed < strength("contempt", "You make me sick.")


def test_a_quotation_is_not_the_speakers_own() -> None:
    assert not strength("criticism", "I hear it. 'You never help with the kids.' So I left.")
    assert not strength("criticism", 'He said, "you never help with the kids."')
    assert not strength("criticism", "He was like, you never help with the kids.")


def test_a_defence_goes_to_whoever_attacked_and_is_surer() -> None:
    attack = ("Ben", "Ana", "You never help me.")
    (answer,) = last("defence", attack, ("Ana", "Therapist", "That's not true."))
    (alone,) = last("defence", ("Ana", "Therapist", "That's not true."))
    assert (answer.target, alone.target) == ("Ben", "Therapist")
    assert answer.strength > alone.strength


def test_a_bare_no_is_a_defence_after_an_attack_only() -> None:
    attack = ("Ben", "Ana", "You lied to me about the money.")
    assert last("defence", attack, ("Ana", "Ben", "No."))
    assert not last("defence", ("Ben", "Ana", "Are you cold?"), ("Ana", "Ben", "No."))


def test_an_attack_long_ago_is_not_answered() -> None:
    attack = ("Ben", "Ana", "You never listen to me.")
    between = [("Ben", "Ana", "It rains."), ("Ana", "Ben", "It does.")] * 3
    assert not last("counterattack", attack, *between, ("Ana", "Ben", "You lied to me."))


def test_a_supporter_who_says_what_clients_feel_hardly_attacks() -> None:
    (cue,) = last("blame", ("Therapist", "Ben", "You don't listen to her."))
    assert cue.strength < 0.3


def test_softening_is_said_to_the_other_client_not_about_them() -> None:
    assert not last("softening", ("Ana", "Therapist", "I'm scared of losing him."))
    assert last("disclosure", ("Ana", "Therapist", "I'm scared of losing him."))


def test_telling_the_supporter_of_the_other_one_is_a_weak_sign_only() -> None:
    (told,) = last("third_person", ("Ana", "Therapist", "Ben is asleep."))
    (behind,) = last("third_person", ("Ana", "Cleo", "Ben is asleep."), scenario="family")
    assert told.strength < PLAIN <= behind.strength
