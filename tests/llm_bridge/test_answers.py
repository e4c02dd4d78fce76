"""Answers as models really write them, good and bad; what is not exactly an answer is a failure."""

import math

import pytest

from relgraph.llm_bridge.answers import read_answer, read_letter_text, read_letters
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
    "a mark of byte order before it": f"\ufeff{ONE}",
    "unseen characters around it": f"\u200b\n{ONE}\u2060",
    "a template's token behind it": f"{ONE}<|im_end|>",
    "a fence that does not end": f"```json\n{ONE}",
    "a reply that its tokens cut behind it": f"{ONE}\nI chose this because",
    "thoughts in brackets": f"[THINK]Maybe {{A}}.[/THINK]{ONE}",
    "thoughts in triangles": f"\u25c1think\u25b7Maybe {{A}}.\u25c1/think\u25b7{ONE}",
    "thoughts in a channel": (
        f'<|channel|>analysis<|message|>{{"ranking": ["repair_softening"]}}?<|end|>'
        f"<|start|>assistant<|channel|>final<|message|>{ONE}"
    ),
    "escapes": '{"ranking": ["attack\\u005fattack", "pursue_withdraw"]}',
    "a name again": '{"ranking": ["attack_attack", "pursue_withdraw", "attack_attack"]}',
}
BAD = {
    "nothing": ("", "stop", "empty"),
    "only thoughts": ("<think>hm</think>", "stop", "empty"),
    "nothing, tokens ended": ("", "length", "truncated"),
    "thoughts that break off": ("<think>well, it could be", "stop", "truncated"),
    "words before thoughts that break off": ("Well. <think>it could", "stop", "truncated"),
    "thoughts without end": ("<think>well, it could be", "length", "truncated"),
    "a draft in thoughts without end": (f"Well. <think>Perhaps {ONE}, or", "length", "truncated"),
    "only thoughts that the template began": (f"So {ONE}? </think>", "length", "truncated"),
    "cut in a name": ('{"ranking": ["attack_at', "length", "truncated"),
    "cut after a comma": ('{"ranking": ["attack_attack",', "stop", "truncated"),
    "cut around an object": (f'{{"a": {ONE}, "b', "length", "truncated"),
    "held back": (ONE, "content_filter", "filtered"),
    "a refusal": ("I'm sorry, but I can't help with that.", "stop", "refused"),
    "a refusal in the server's words": ("", "refusal", "refused"),
    "a refusal by ability": ("I am not able to rank these people.", "stop", "refused"),
    "a refusal in German": ("Es tut mir leid, dabei helfe ich nicht.", "stop", "refused"),
    "a refusal in French": ("Je suis d\u00e9sol\u00e9, mais non.", "stop", "refused"),
    "a refusal in Spanish": ("Lo siento, no puedo ayudar con eso.", "stop", "refused"),
    "a refusal in Portuguese": ("Desculpe, mas n\u00e3o.", "stop", "refused"),
    "a refusal in Italian": ("Mi dispiace, ma no.", "stop", "refused"),
    "a refusal in Chinese": ("\u62b1\u6b49\uff0c\u6211\u65e0\u6cd5", "stop", "refused"),
    "a refusal in Japanese": ("\u7533\u3057\u8a33\u3042\u308a", "stop", "refused"),
    "a refusal as an object": ('{"error": "I cannot help"}', "stop", "wrong shape"),
    "a refusal as a label": ('{"ranking": ["I cannot tell"]}', "stop", "unknown label"),
    "a tool that is called": ("", "tool_calls", "empty"),
    "a tool's call as text": (
        f'<tool_call>{{"name": "answer", "arguments": {ONE}}}</tool_call>', "stop", "wrong shape"
    ),
    "unseen characters alone": ("\ufeff\u200b\n", "stop", "empty"),
    "thoughts in a channel without end": (
        f"<|channel|>analysis<|message|>Perhaps {ONE}, or", "length", "truncated"
    ),
    "thoughts in brackets without end": (f"[THINK]Perhaps {ONE}, or", "length", "truncated"),
    "prose": ("They blame each other, so it is attack_attack.", "stop", "no JSON"),
    "prose that its tokens cut": ("They blame each other, so it", "length", "truncated"),
    "a letter": ("B", "stop", "no JSON"),
    "YAML": ("ranking:\n  - attack_attack\n  - pursue_withdraw", "stop", "no JSON"),
    "a table": ("| rank | label |\n|---|---|\n| 1 | attack_attack |", "stop", "no JSON"),
    "a numbered list": ("1. attack_attack\n2. pursue_withdraw", "stop", "no JSON"),
    "an object in a string": ('"{\\"ranking\\": [\\"attack_attack\\"]}"', "stop", "no JSON"),
    "curly quotes": ("{\u201cranking\u201d: [\u201cattack_attack\u201d]}", "stop", "no JSON"),
    "keys without quotes": ('{ranking: ["attack_attack"]}', "stop", "no JSON"),
    "a comment": ('{"ranking": ["attack_attack"] // likely\n}', "stop", "no JSON"),
    "an ellipsis": ('{"ranking": ["attack_attack", ...]}', "stop", "no JSON"),
    "an underscore escaped": ('{"ranking": ["attack\\_attack"]}', "stop", "no JSON"),
    "a line break in a name": ('{"ranking": ["attack\n_attack"]}', "stop", "no JSON"),
    "a draft in braces": (f"Out of {{A, B, C}}: {ONE}", "stop", "no JSON"),
    "an object a line": ('{"ranking": ["A"]}\n{"ranking": ["B"]}', "stop", "two answers"),
    "an object within": (f'{{"answer": {ONE}}}', "stop", "wrong shape"),
    "a key in other case": ('{"Ranking": ["attack_attack"]}', "stop", "wrong shape"),
    "names with scores": ('{"ranking": [{"label": "attack_attack"}]}', "stop", "wrong shape"),
    "names by rank": ('{"ranking": {"1": "attack_attack"}}', "stop", "wrong shape"),
    "an empty name": ('{"ranking": [" "]}', "stop", "wrong shape"),
    "half a character": ('{"ranking": ["\\ud83d"]}', "stop", "wrong shape"),
    "a number in quotes": ('{"ranking": ["2"]}', "stop", "unknown label"),
    "not a number": ('{"ranking": NaN}', "stop", "out of range"),
    "an unseen character in a name": (
        '{"ranking": ["attack\u200b_attack"]}', "stop", "unknown label"
    ),
    "a name of several words": ('{"ranking": ["attack attack"]}', "stop", "unknown label"),
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


@pytest.mark.parametrize(
    "text",
    [
        "B",
        "b",
        " B.",
        "(B)",
        "**B**",
        "`B`",
        '"B"',
        "[B]",
        "B) attack_attack",
        "B: attack_attack",
        "**B) attack_attack**",
        "attack_attack",
        "Attack_Attack.",
        "<think>A or C?</think>\n\nB",
    ],
)
def test_a_letter_is_read_from(text: str) -> None:
    said = read_letter_text(CHOICE, Reply(text), instance="i")
    assert (said.failure, said.ranking, said.probabilities) == ("", ("attack_attack",), ())
    assert said.because == ("position 2 of 3",)


@pytest.mark.parametrize(
    ("text", "finish", "cause"),
    [
        ("", "stop", "empty"),
        ("", "length", "truncated"),
        ("<think>hm", "length", "truncated"),
        ("B <think>hm", "stop", "truncated"),
        ("A", "length", "truncated"),
        ("A couple that", "length", "truncated"),
        ("B", "content_filter", "filtered"),
        ("I can't answer that.", "stop", "refused"),
        ("The answer is B.", "stop", "no letter"),
        ("Answer: B", "stop", "no letter"),
        ("B because they blame each other", "stop", "no letter"),
        (ONE, "stop", "no letter"),
        ('["B"]x', "stop", "wrong shape"),
        ("2", "stop", "no letter"),
        ("\u0412", "stop", "no letter"),
        ("A, B", "stop", "two answers"),
        ("B > A > C", "stop", "two answers"),
        ("A or B", "stop", "two answers"),
        ("D", "stop", "unknown label"),
        ("A) attack_attack", "stop", "unknown label"),
        ("B) stonewalling", "stop", "unknown label"),
    ],
)
def test_no_letter_is_made_of(text: str, finish: str, cause: str) -> None:
    said = read_letter_text(CHOICE, Reply(text, finish), instance="i")
    assert said.failure.startswith(f"{cause}: ")
    assert (said.raw, said.ranking, said.because) == (text, (), ())


def test_a_letter_means_the_option_beside_it_even_where_a_person_is_called_so() -> None:
    people = (Option("A", "B", "B"), Option("B", "Ana", "Ana"))
    prompt = Prompt("stp", "choice", "letter", "", "", options=people)
    assert read_letter_text(prompt, Reply("B"), instance="i").ranking == ("Ana",)


def test_a_name_that_ends_with_a_stop_is_read_with_it() -> None:
    people = (Option("A", "Ana B.", "Ana B."), Option("B", "Ana", "Ana"))
    prompt = Prompt("stp", "choice", "letter", "", "", options=people)
    assert read_letter_text(prompt, Reply("Ana B."), instance="i").ranking == ("Ana B.",)


def test_a_tool_called_in_place_of_an_answer_is_named() -> None:
    said = read_answer(CHOICE, Reply("", "tool_calls"), instance="i")
    assert said.failure == "empty: the model called a tool in place of an answer"


def test_a_failure_of_the_backend_is_passed_on_for_letters_too() -> None:
    said = read_letter_text(CHOICE, Reply("<html>", failure="garbled: no"), instance="i")
    assert (said.failure, said.raw) == ("garbled: no", "<html>")
