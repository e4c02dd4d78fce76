"""Answers as models really write them, good and bad; what is not exactly an answer is a failure."""

import math

import pytest

from relgraph.llm_bridge.answers import read_answer, read_letters
from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.prompts import Option, Prompt
from relgraph.records import Emotion, Viewpoint

LABELS = ("pursue_withdraw", "attack_attack", "repair_softening")
OPTIONS = tuple(Option(x, label, label) for x, label in zip("ABC", LABELS, strict=True))
PEOPLE = (("Ana", "Ana"), ("Ben", "Ben"), ("A) x", '"A) x"'))
CHOICE = Prompt("rpp", "choice", "json", "", "", options=OPTIONS)
EMOTION = Prompt("er", "emotion", "json", "", "", people=PEOPLE)
VIEWS = Prompt("vp", "viewpoints", "json", "", "", people=PEOPLE)

ONE = '{"ranking": ["attack_attack", "pursue_withdraw"]}'
GOOD = {
    "plain": ONE,
    "prose around": f"Sure! Here is the JSON you asked for:\n{ONE}\nLet me know [if it helps].",
    "a code fence": f"```json\n{ONE}\n```",
    "thoughts before": f'<think>Maybe {{"ranking": ["repair_softening"]}}? No.</think>\n{ONE}',
    "thoughts that the template began": f'Set {{A}}? {{"ranking": ["x"]}}.</think>{ONE}',
    "thoughts after it": f"{ONE}\n<think>Was that right?",
    "the same twice": f"{ONE}\n\n{ONE}",
    "other case": '{"ranking": ["ATTACK_ATTACK", "Pursue_Withdraw"]}',
    "letters": '{"ranking": ["B", "a"]}',
    "letters before names": '{"ranking": ["B) attack_attack", "(A) pursue_withdraw"]}',
    "spaces": '{"ranking": [" attack_attack ", "pursue_withdraw"]}',
    "a key too many": '{"why": "they blame", "ranking": ["attack_attack", "pursue_withdraw"]}',
    "a name again": '{"ranking": ["attack_attack", "pursue_withdraw", "attack_attack"]}',
}
BAD = {
    "nothing": ("", "stop", "empty"),
    "only thoughts": ("<think>hm</think>", "stop", "empty"),
    "nothing, tokens ended": ("", "length", "truncated"),
    "thoughts without end": ("<think>well, it could be", "length", "truncated"),
    "a draft in thoughts without end": (f"Well. <think>Perhaps {ONE}, or", "length", "truncated"),
    "only thoughts that the template began": (f"So {ONE}? </think>", "length", "truncated"),
    "cut in a name": ('{"ranking": ["attack_at', "length", "truncated"),
    "cut after a comma": ('{"ranking": ["attack_attack",', "stop", "truncated"),
    "cut around an object": (f'{{"a": {ONE}, "b', "length", "truncated"),
    "held back": (ONE, "content_filter", "filtered"),
    "a refusal": ("I'm sorry, but I can't help with that.", "stop", "refused"),
    "a bare word": ("attack_attack", "stop", "no JSON"),
    "single quotes": ("{'ranking': ['attack_attack']}", "stop", "no JSON"),
    "a trailing comma": ('{"ranking": ["attack_attack"],}', "stop", "no JSON"),
    "two that differ": (f'{ONE} or {{"ranking": ["repair_softening"]}}', "stop", "two answers"),
    "one key twice": ('{"ranking": ["attack_attack"], "ranking": ["x"]}', "stop", "two answers"),
    "a list on top": ('["attack_attack", "pursue_withdraw"]', "stop", "wrong shape"),
    "a list of objects": (f"[{ONE}]", "stop", "wrong shape"),
    "another key": ('{"label": "attack_attack"}', "stop", "wrong shape"),
    "a word for a list": ('{"ranking": "attack_attack"}', "stop", "wrong shape"),
    "an empty list": ('{"ranking": []}', "stop", "wrong shape"),
    "numbers": ('{"ranking": [2, 1]}', "stop", "wrong shape"),
    "null": ('{"ranking": null}', "stop", "wrong shape"),
    "a label of its own": ('{"ranking": ["stonewalling"]}', "stop", "unknown label"),
    "a label inside words": ('{"ranking": ["mostly attack_attack"]}', "stop", "unknown label"),
    "letter and name apart": ('{"ranking": ["A) attack_attack"]}', "stop", "unknown label"),
    "a letter too far": ('{"ranking": ["D"]}', "stop", "unknown label"),
    "a number of thousands of digits": (f'{{"ranking": {"9" * 6000}}}', "stop", "out of range"),
    "deep nesting": ("[{" + '"a":[' * 100_000, "stop", "no JSON"),
}  # fmt: skip


@pytest.mark.parametrize("kind", GOOD)
def test_an_answer_is_found_in(kind: str) -> None:
    said = read_answer(CHOICE, Reply(GOOD[kind]), instance="i")
    assert said.failure == ""
    assert said.ranking == ("attack_attack", "pursue_withdraw")
    assert said.because == ("position 2 of 3",)


@pytest.mark.parametrize("kind", BAD)
def test_no_answer_is_made_of(kind: str) -> None:
    text, finish, cause = BAD[kind]
    said = read_answer(CHOICE, Reply(text, finish), instance="i")
    assert said.failure.startswith(f"{cause}: ")
    assert said.raw == text
    assert (said.ranking, said.probabilities, said.emotion, said.viewpoints) == ((), (), None, ())


def test_a_failure_of_the_backend_is_passed_on_with_what_came() -> None:
    said = read_answer(CHOICE, Reply("<html>", failure="garbled: no"), instance="i")
    assert (said.failure, said.raw) == ("garbled: no", "<html>")


def test_an_option_named_like_a_letter_means_itself() -> None:
    people = (Option("A", "B", "B"), Option("B", "Ana", "Ana"))
    prompt = Prompt("stp", "choice", "json", "", "", options=people)
    assert read_answer(prompt, Reply('{"ranking": ["B"]}'), instance="i").ranking == ("B",)


def test_two_names_equal_but_for_case_are_told_apart_by_case_alone() -> None:
    people = (Option("A", "ana", "ana"), Option("B", "Ana", "Ana"))
    prompt = Prompt("stp", "choice", "json", "", "", options=people)
    assert read_answer(prompt, Reply('{"ranking": ["Ana"]}'), instance="i").ranking == ("Ana",)
    assert (
        "unknown label" in read_answer(prompt, Reply('{"ranking": ["ANA"]}'), instance="i").failure
    )


def test_an_emotion_is_that_of_the_last_speaker() -> None:
    said = read_answer(EMOTION, Reply('{"emotion": "hurt", "intensity": 7.5}'), instance="i")
    assert said.emotion == Emotion("Ana", "hurt", 7.5)


@pytest.mark.parametrize(
    ("intensity", "cause"),
    [
        ("11", "out of range"),
        ("-1", "out of range"),
        ("NaN", "out of range"),
        ("1e999", "out of range"),
        ('"7"', "wrong shape"),
        ("true", "wrong shape"),
        ("null", "wrong shape"),
    ],
)
def test_an_intensity_that_is_none_is_not_made_one(intensity: str, cause: str) -> None:
    text = f'{{"emotion": "hurt", "intensity": {intensity}}}'
    assert read_answer(EMOTION, Reply(text), instance="i").failure.startswith(f"{cause}: ")


def test_an_emotion_without_words_fails() -> None:
    text = '{"emotion": "  ", "intensity": 3}'
    assert read_answer(EMOTION, Reply(text), instance="i").failure.startswith("wrong shape: ")


def test_viewpoints_name_people_of_the_conversation() -> None:
    text = (
        '{"viewpoints": [{"source": "ana", "target": "\\"A) x\\"", "viewpoint": "is late"},'
        ' {"source": "Ana", "target": "A) x", "viewpoint": "tries"}]}'
    )
    assert read_answer(VIEWS, Reply(text), instance="i").viewpoints == (
        Viewpoint("Ana", "A) x", "is late"),
        Viewpoint("Ana", "A) x", "tries"),
    )


def test_a_viewpoint_of_a_stranger_fails() -> None:
    text = '{"viewpoints": [{"source": "Ana", "target": "her boss", "viewpoint": "x"}]}'
    assert read_answer(VIEWS, Reply(text), instance="i").failure.startswith("unknown label: ")


def letters(**given: float) -> Reply:
    return Reply("A", letters={x: math.log(p) for x, p in given.items()})


EVEN = {x: math.log(1 / 3) for x in "ABC"}


def test_letters_are_ranked_by_probability_and_sum_to_one() -> None:
    said = read_letters(CHOICE, letters(A=0.1, B=0.3, C=0.1), EVEN, instance="i")
    assert said.ranking[0] == "attack_attack"
    assert said.probabilities == pytest.approx((0.6, 0.2, 0.2))
    assert said.because == ("position 2 of 3", "50% of the probability on letters")


def test_a_liking_for_a_letter_is_divided_out() -> None:
    # Prior 0.8 on A: 0.6/0.8 = 0.75 for A, 0.2/0.1 = 2 for B and C each; 2/4.75 and 0.75/4.75.
    liking = {"A": math.log(0.8), "B": math.log(0.1), "C": math.log(0.1)}
    said = read_letters(CHOICE, letters(A=0.6, B=0.2, C=0.2), liking, instance="i")
    assert said.ranking == ("attack_attack", "repair_softening", "pursue_withdraw")
    assert said.probabilities == pytest.approx((2 / 4.75, 2 / 4.75, 0.75 / 4.75))


@pytest.mark.parametrize("absent", ["reply", "prior"])
def test_a_letter_without_a_probability_fails_the_item(absent: str) -> None:
    two = {x: p for x, p in EVEN.items() if x != "C"}
    reply = letters(A=0.5, B=0.4) if absent == "reply" else letters(A=0.5, B=0.4, C=0.1)
    prior = two if absent == "prior" else EVEN
    said = read_letters(CHOICE, reply, prior, instance="i")
    assert said.failure == "missing letter: no probability for C of 3 options"
    assert said.ranking == ()
