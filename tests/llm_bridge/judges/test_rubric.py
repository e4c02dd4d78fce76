"""The judge by a rubric: blind to which is the answer, strict in what it reads."""

import json
from dataclasses import replace

import pytest

from relgraph.approach import Settings
from relgraph.errors import RelgraphError
from relgraph.grading import Asked, Grade
from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.judges.rubric import (
    RubricJudge,
    answer_first,
    question,
    read_grade,
)
from relgraph.llm_bridge.prompts import AnswerForm, Prompt
from relgraph.records import (
    Case,
    Conversation,
    Emotion,
    Gold,
    Instance,
    Prediction,
    Turn,
    Viewpoint,
)

TURNS = (Turn(1, "Ana", "Good."), Turn(2, "Ben", "I was <b>so</b> afraid."))
ER = Case(
    Instance("e", "er", Conversation("c", TURNS)),
    Gold(emotion=Emotion("Ben", "fear", 7)),
    "c",
    "r",
    2,
)
VIEWS = (Viewpoint("Ben", "Ana", "She is late."), Viewpoint("Ben", "Ben", "I am weak."))
VP = Case(Instance("v", "vp", Conversation("c", TURNS)), Gold(viewpoints=VIEWS), "c", "r", 2)
FELT = Prediction("e", emotion=Emotion("Ben", "dread", 5))


class Scripted:
    """Replies to each question with the next text."""

    name = identity = "scripted"
    answers: AnswerForm = "json"
    concurrency = 2
    keeps_prefix = False
    remote = False
    notice = ""

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.samples: list[int] = []
        self.prompts: list[str] = []

    def check(self) -> None: ...

    def close(self) -> None: ...

    def count_tokens(self, text: str) -> int:
        return len(text)

    def ask(self, prompt: Prompt, *, sample: int = 0) -> Reply:
        self.prompts.append(prompt.text)
        self.samples.append(sample)
        return Reply(text=self.texts.pop(0))


def er(repeat: int = 0) -> Asked:
    return Asked(ER, FELT, "ours", repeat)


def test_every_other_repeat_turns_the_order_round() -> None:
    orders = [answer_first(ER.instance, k) for k in range(4)]
    assert orders in ([True, False] * 2, [False, True] * 2)
    for repeat in (0, 1):
        user = question(er(repeat)).user
        assert (user.index('"dread"') < user.index('"fear"')) is orders[repeat]


def test_both_orders_come_first_about_equally_often() -> None:
    ids = [Instance(f"i{k}", "er", Conversation("c", ())) for k in range(400)]
    assert 160 < sum(answer_first(i, 0) for i in ids) < 240


def test_turned_round_the_two_questions_differ_in_the_order_alone() -> None:
    one, other = question(er(0)), question(er(1))
    assert one.system == other.system
    assert one.user == other.user.replace('"fear"', "\0").replace('"dread"', '"fear"').replace(
        "\0", '"dread"'
    )


def test_a_question_names_no_approach_and_marks_no_gold() -> None:
    said = question(er()).text.casefold()
    assert not [
        word for word in ("ours", "gold", "reference", "prediction", "model") if word in said
    ]


def test_texts_of_the_conversation_stay_data() -> None:
    said = question(er()).user
    assert "<b>" not in said
    assert '[2] Ben: "I was' in said


def test_the_order_of_a_list_of_viewpoints_says_nothing() -> None:
    turned = Prediction("v", viewpoints=VIEWS[::-1])
    straight = Prediction("v", viewpoints=VIEWS)
    assert question(Asked(VP, turned, "a", 0)) == question(Asked(VP, straight, "a", 0))


def test_a_grade_is_read_and_repeats_are_further_samples() -> None:
    backend = Scripted('{"emotion": 4}', 'I think: {"emotion": 2}')
    found = list(RubricJudge(backend).grade([er(0), er(1)]))
    assert sorted(g.parts["emotion"] for g in found) == [2, 4]
    assert sorted(backend.samples) == [0, 1]
    assert [g.repeat for g in found] == [0, 1]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('{"emotion": 6}', "wrong shape: emotion"),
        ('{"emotion": 3.5}', "wrong shape: emotion"),
        ('{"emotion": "4"}', "wrong shape: emotion"),
        ('{"emotion": true}', "wrong shape: emotion"),
        ('{"score": 4}', "wrong shape: emotion"),
        ("4", "no JSON"),
        ("", "empty"),
        ("I'm sorry, I cannot grade this.", "refused"),
    ],
)
def test_what_is_no_grade_fails_with_its_cause_and_is_no_low_grade(text: str, cause: str) -> None:
    found = read_grade(Reply(text=text), Grade("j", "a", "e", 0, True), "er")
    assert found.failure.startswith(cause)
    assert found.parts == {}


def test_an_answer_that_names_no_viewpoint_is_graded_lowest_without_asking() -> None:
    backend = Scripted()
    found = list(RubricJudge(backend).grade([Asked(VP, Prediction("v"), "ours", 0)]))
    assert found[0].parts == {"source_target": 0, "viewpoint": 0}


def test_the_schema_has_the_ranges_of_the_rubric() -> None:
    schema = json.loads(
        json.dumps(question(Asked(VP, Prediction("v", viewpoints=VIEWS), "a", 0)).schema)
    )
    assert schema["properties"]["viewpoint"] == {"type": "integer", "minimum": 0, "maximum": 4}
    assert schema["required"] == ["source_target", "viewpoint"]


def test_a_judge_elsewhere_is_shown_no_real_name() -> None:
    views = (Viewpoint("Ben", "Ana", "Ana is late."),)
    backend = Scripted('{"source_target": 2, "viewpoint": 1}')
    judge = RubricJudge(backend, Settings(pseudonymize=True))
    list(judge.grade([Asked(VP, Prediction("v", viewpoints=views), "ours", 0)]))
    (said,) = backend.prompts
    assert "is late" in said
    assert not [name for name in ("Ana", "Ben") if name in said]


def test_sensitive_data_is_not_judged_elsewhere_without_leave() -> None:
    backend = Scripted()
    backend.remote = True
    kept = replace(VP, instance=replace(VP.instance, conversation=replace(
        VP.instance.conversation, sensitive=True)))  # fmt: skip
    with pytest.raises(RelgraphError, match="--remote-ok"):
        list(RubricJudge(backend).grade([Asked(kept, Prediction("v", viewpoints=VIEWS), "a", 0)]))
    assert backend.prompts == []
