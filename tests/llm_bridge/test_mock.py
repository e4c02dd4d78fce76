"""The scripted model: which rule answers, in which form, and how a bad script is refused."""

import json
import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from relgraph.approach import Settings
from relgraph.errors import DataError, RunError
from relgraph.llm_bridge.answers import read_answer, read_letters
from relgraph.llm_bridge.asking import AskingApproach
from relgraph.llm_bridge.backends import mock
from relgraph.llm_bridge.backends._base import Backend, Reply
from relgraph.llm_bridge.prompts import Layout, Option, Prompt, content_free, render
from relgraph.llm_bridge.summary import Summary
from relgraph.records import Conversation, Instance, Prediction, Turn
from relgraph.registry import load

TURNS = (Turn(1, "Ana", "You never come home on time.", ("Ben",)),)
PLAIN = Settings()
ASKED = Instance("1", "stp", Conversation("c", TURNS), options=("Ana", "Ben", "Group"))


def question(instance: Instance = ASKED, *, form: str = "json", summary: str = "") -> Prompt:
    layout = Layout("letter" if form == "letter" else "json", 0, 1000, len)
    said = Summary(summary) if summary else None
    return render(load("task", instance.task), instance, layout, summary=said)


def scripted(tmp_path: Path, *lines: str, settings: Settings = PLAIN) -> Backend:
    file = tmp_path / "script.jsonl"
    file.write_text("\n".join(lines))
    return mock.BACKEND(str(file), settings)


def ranked(prompt: Prompt, reply: Reply) -> tuple[str, ...]:
    return read_answer(prompt, reply, instance="i").ranking


def test_the_first_rule_that_fits_answers(tmp_path: Path) -> None:
    model = scripted(
        tmp_path,
        "# who is asked about",
        '{"task": "rpp", "says": "not this task"}',
        '{"contains": "Nobody said this", "says": "not this text"}',
        '{"matches": "You (always|never)", "says": "this one"}',
        '{"says": "too late"}',
    )
    assert model.ask(question()).text == "this one"


def test_an_open_answer_is_made_up_in_the_shape_that_is_asked_for() -> None:
    word = {"type": "string", "minLength": 1}
    person = {"type": "string", "enum": ["Ana", "Ben"]}
    held = {"type": "object", "properties": {"by": person, "why": word}}
    whole = {"type": "integer", "minimum": 2, "maximum": 4}
    schema = {
        "type": "object",
        "properties": {"turn": word, "grade": whole, "views": {"type": "array", "items": held}},
    }
    asked = replace(question(Instance("1", "er", ASKED.conversation)), schema=schema)
    drawn = [json.loads(mock.BACKEND("", PLAIN).ask(asked, sample=k).text) for k in range(40)]
    assert all(set(d) == {"turn", "grade", "views"} and d["turn"] for d in drawn)
    assert {d["grade"] for d in drawn} == {2, 3, 4}
    assert {d["views"][0]["by"] for d in drawn} == {"Ana", "Ben"}
    assert len({d["views"][0]["why"] for d in drawn}) > 1


def test_a_prompt_that_no_rule_fits_fails_and_says_so(tmp_path: Path) -> None:
    model = scripted(tmp_path, '{"task": "rpp", "option": 1}')
    assert model.ask(question()).failure == "no rule: none of 1 fits this prompt"


@pytest.mark.parametrize(("place", "at"), [(1, 0), (2, 1), (-1, 2)])
def test_an_option_is_chosen_by_its_place(place: int, at: int, tmp_path: Path) -> None:
    prompt = question()
    reply = scripted(tmp_path, f'{{"option": {place}}}').ask(prompt)
    assert ranked(prompt, reply)[0] == prompt.options[at].label
    assert sorted(ranked(prompt, reply)) == ["Ana", "Ben", "Group"]


def test_a_place_that_the_options_do_not_have_is_left_to_the_next_rule(tmp_path: Path) -> None:
    model = scripted(tmp_path, '{"option": 4}', '{"label": "Cleo"}', '{"says": "next"}')
    assert model.ask(question()).text == "next"


def test_a_label_goes_before_the_others_in_both_forms(tmp_path: Path) -> None:
    model = scripted(tmp_path, '{"label": "Ben"}')
    assert ranked(question(), model.ask(question()))[0] == "Ben"
    lettered = question(form="letter")
    reply = model.ask(lettered)
    shares = {o.label: math.exp(reply.letters[o.letter]) for o in lettered.options}
    assert shares == pytest.approx({"Ben": 0.9, "Ana": 0.05, "Group": 0.05})
    assert reply.text == next(o.letter for o in lettered.options if o.label == "Ben")


def test_probabilities_go_by_label_or_letter_and_what_is_left_out_has_none(
    tmp_path: Path,
) -> None:
    model = scripted(tmp_path, '{"probabilities": {"Ana": 0.25, "Ben": 0.5}}')
    prompt = question(form="letter")
    reply = model.ask(prompt)
    letter = {o.label: o.letter for o in prompt.options}
    assert reply.letters == pytest.approx(
        {letter["Ana"]: math.log(0.25), letter["Ben"]: math.log(0.5)}
    )
    by_letter = scripted(tmp_path, '{"probabilities": {"A": 0.25, "B": 0.5, "C": 0.25}}')
    assert set(by_letter.ask(prompt).letters) == {"A", "B", "C"}
    assert ranked(question(), model.ask(question())) == ("Ben", "Ana")


def test_the_question_without_a_conversation_is_answered_evenly_unless_a_rule_is_for_it(
    tmp_path: Path,
) -> None:
    prompt = question(form="letter")
    free = content_free(load("task", "stp"), prompt)
    model = scripted(tmp_path, '{"label": "Ben"}')
    assert set(model.ask(free).letters.values()) == {math.log(1 / 3)}
    said = read_letters(prompt, model.ask(prompt), model.ask(free).letters, instance="i")
    assert said.probabilities == pytest.approx((0.9, 0.05, 0.05))
    liking = '{"free": true, "probabilities": {"A": 0.8, "B": 0.1, "C": 0.1}}'
    partial = scripted(tmp_path, liking, '{"label": "Ben"}')
    assert partial.ask(free).letters["A"] == pytest.approx(math.log(0.8))


def test_a_copier_says_what_the_summary_names_first(tmp_path: Path) -> None:
    model = scripted(tmp_path, '{"copies": "Network:"}', '{"says": "nothing to copy"}')
    told = question(summary="Talk: Group 3 turns.\nNetwork: Anabel, then Ben, then Ana.")
    assert ranked(told, model.ask(told))[0] == "Ben"
    assert model.ask(question(summary="Talk: Ben.")).text == "nothing to copy"
    assert model.ask(question()).text == "nothing to copy"


def test_nothing_that_is_said_in_the_conversation_is_copied(tmp_path: Path) -> None:
    turns = (Turn(1, "Ana", "Network: Ana.", ("Ben",)),)
    model = scripted(tmp_path, '{"copies": "Network:"}', '{"says": "nothing to copy"}')
    asked = replace(ASKED, conversation=Conversation("c", turns))
    assert model.ask(question(asked)).text == "nothing to copy"


def timing(**hints: str) -> Prompt:
    return question(
        Instance("1", "itp", Conversation("c", TURNS), options=("yes", "no"), hints=hints)
    )


@pytest.mark.parametrize(
    ("hints", "label"),
    [
        ({"candidate_type": "actual_therapist_entry"}, "yes"),
        ({"candidate_type": "continue_listening"}, "no"),
        ({"boundary_type": "client_to_therapist"}, "yes"),
        ({"boundary_type": "client_to_client"}, "no"),
        ({"candidate_id": "pos_12"}, "yes"),
        ({"candidate_id": "neg_12", "example": "yes"}, "no"),
    ],
)
def test_a_reader_of_the_fields_alone_finds_the_answer_there(
    hints: dict[str, str], label: str
) -> None:
    prompt = timing(**hints)
    assert ranked(prompt, mock.BACKEND("fields", Settings()).ask(prompt))[0] == label


def test_a_reader_of_the_fields_alone_takes_the_first_option_where_there_are_none() -> None:
    prompt = question()
    reply = mock.BACKEND("fields", Settings()).ask(prompt)
    assert ranked(prompt, reply)[0] == prompt.options[0].label


def test_fields_are_read_where_the_prompt_shows_them_and_not_in_what_is_said() -> None:
    said = 'Fields of this item: candidate_type: "actual_therapist_entry"'
    turns = (Turn(1, "Ana", said, ("Ben",)),)
    prompt = question(Instance("1", "itp", Conversation("c", turns), options=("yes", "no")))
    assert mock.field_of(prompt, "candidate_type") == ""


def test_a_failure_keeps_its_cause_and_what_came(tmp_path: Path) -> None:
    reply = scripted(tmp_path, '{"fail": "HTTP 500: oops", "says": "<html>", "retries": 4}').ask(
        question()
    )
    assert (reply.failure, reply.text, reply.retries) == ("HTTP 500: oops", "<html>", 4)


def test_a_rule_can_end_the_run(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="the endpoint is gone"):
        scripted(tmp_path, '{"stop": "the endpoint is gone"}').ask(question())


def test_a_rule_for_the_second_call_answers_when_the_same_is_asked_again(tmp_path: Path) -> None:
    model = scripted(tmp_path, '{"call": 1, "fail": "timeout"}', '{"option": 1}')
    other = question(replace(ASKED, options=("Ana", "Group")))
    assert [model.ask(p).failure for p in (question(), other, question(), other)] == [
        "timeout",
        "timeout",
        "",
        "",
    ]


def test_a_rule_for_a_sample_answers_that_one(tmp_path: Path) -> None:
    model = scripted(tmp_path, '{"sample": 1, "says": "second"}', '{"says": "others"}')
    assert [model.ask(question(), sample=k).text for k in range(3)] == [
        "others",
        "second",
        "others",
    ]


def test_a_share_of_the_prompts_is_drawn_and_stays_the_same(tmp_path: Path) -> None:
    lines = ('{"share": 0.3, "says": "drawn"}', '{"says": "not"}')
    model, again = scripted(tmp_path, *lines), scripted(tmp_path, *lines)
    said = [model.ask(question(), sample=k).text for k in range(200)]
    assert said == [again.ask(question(), sample=k).text for k in range(200)]
    assert 40 <= said.count("drawn") <= 80


def test_samples_of_probabilities_are_drawn_where_several_are_asked(tmp_path: Path) -> None:
    line = '{"probabilities": {"Ana": 0.7, "Ben": 0.3}}'
    prompt = question()
    one = scripted(tmp_path, line)
    assert {ranked(prompt, one.ask(prompt, sample=k)) for k in range(20)} == {("Ana", "Ben")}
    several = scripted(tmp_path, line, settings=Settings(samples=5))
    first = Counter(ranked(prompt, several.ask(prompt, sample=k))[0] for k in range(200))
    assert 120 <= first["Ana"] <= 160
    assert first["Ana"] + first["Ben"] == 200


def test_tokens_are_words_unless_a_rule_gives_them(tmp_path: Path) -> None:
    prompt = Prompt("stp", "choice", "json", "two words", "and three more")
    reply = scripted(tmp_path, '{"says": "one two", "finish": "length"}').ask(prompt)
    assert (reply.prompt_tokens, reply.answer_tokens, reply.finish) == (5, 2, "length")
    given = scripted(tmp_path, '{"says": "", "prompt_tokens": 70, "answer_tokens": 0}').ask(prompt)
    assert (given.prompt_tokens, given.answer_tokens) == (70, 0)


def test_a_script_says_what_its_model_is(tmp_path: Path) -> None:
    setup = '{"setup": {"answers": "letter", "concurrency": 3, "remote": true}}'
    model = scripted(tmp_path, setup, '{"option": 1}')
    assert (model.answers, model.concurrency, model.remote) == ("letter", 3, True)
    plain = scripted(tmp_path, '{"option": 1}')
    assert (plain.answers, plain.concurrency, plain.remote) == ("json", 1, False)


@pytest.mark.parametrize("form", ["json", "letter"])
def test_the_form_of_answers_that_is_asked_for_goes_before_the_script(
    form: str, tmp_path: Path
) -> None:
    setup = '{"setup": {"answers": "letter"}}' if form == "json" else '{"setup": {}}'
    assert scripted(tmp_path, setup, '{"option": 1}', settings=Settings(answers=form)).answers == (
        form
    )


def test_the_identity_changes_with_the_script(tmp_path: Path) -> None:
    one, other = scripted(tmp_path, '{"option": 1}'), scripted(tmp_path, '{"option": 2}')
    assert one.identity != other.identity
    assert one.identity.startswith("mock:script.jsonl@")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 2: not JSON"),
        ("[1]", "line 2: wanted one JSON object a line"),
        ('{"task": "rpp"}', "line 2: wanted one reply of says, .*; got none"),
        ('{"says": "x", "option": 1}', "line 2: wanted one reply of .*; got says and option"),
        ('{"says": 3}', "line 2: says: .*string"),
        ('{"option": 0}', "line 2: option: options are counted from 1"),
        ('{"says": "x", "wen": 1}', "line 2: wen: unknown; known: task, contains"),
        ('{"says": "x", "matches": "("}', "line 2: matches: not a regular expression"),
        ('{"field": "candidate_type"}', "line 2: field and map go together"),
        ('{"says": "x", "share": 2}', "line 2: share: .*less than or equal to 1"),
        ('{"setup": {"concurrency": 0}}', "line 2: concurrency: "),
    ],
)
def test_a_bad_line_is_named_with_file_line_and_reason(
    line: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=rf"script\.jsonl, {says}") as caught:
        scripted(tmp_path, "", line)
    assert "\n" not in str(caught.value)


def test_a_setup_behind_a_rule_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="line 2: setup: unknown"):
        scripted(tmp_path, '{"option": 1}', '{"setup": {}}')


def test_a_script_without_rules_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no rule in it"):
        scripted(tmp_path, '{"setup": {}}')


def test_a_script_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        mock.BACKEND(str(tmp_path / "none"), Settings())


@pytest.mark.parametrize("form", ["json", "letter"])
@pytest.mark.parametrize("task", ["stp", "itp", "rpp", "ssp", "er", "vp"])
def test_without_a_script_every_question_gets_an_answer_that_only_the_prompt_decides(
    task: str, form: str
) -> None:
    settings = Settings(model="mock", answers=form)
    conversation = Conversation("c", TURNS, scenario="couple", participants=("Ana", "Ben"))
    options = load("task", task).options(conversation)
    asked = Instance("1", task, conversation, options=options, target="Ana")
    fitted = AskingApproach(name="llm", settings=settings).fit((), seed=0)
    (one,) = fitted.predict([asked])
    assert one.failure == ""
    assert set(one.ranking) == set(options)
    (again,) = AskingApproach(name="llm", settings=settings).fit((), seed=0).predict([asked])
    assert (again.ranking, again.emotion, again.viewpoints) == (
        one.ranking,
        one.emotion,
        one.viewpoints,
    )


def test_made_up_answers_move_with_seed_and_sample() -> None:
    prompt = question(replace(ASKED, options=tuple(f"P{k}" for k in range(9))))
    texts = {
        mock.BACKEND("", Settings(seed=s)).ask(prompt, sample=k).text
        for s in range(3)
        for k in range(3)
    }
    assert len(texts) == 9


def test_many_at_once_get_the_answers_that_one_at_a_time_get(tmp_path: Path) -> None:
    model = scripted(tmp_path, '{"call": 2, "says": "again"}', '{"option": 1}')
    prompts = [question(replace(ASKED, options=(f"P{k % 40}", "Ben"))) for k in range(80)]
    with ThreadPoolExecutor(8) as pool:
        said = Counter(r.text == "again" for r in pool.map(model.ask, prompts))
    assert said == {True: 40, False: 40}


def test_an_option_named_like_a_letter_means_itself(tmp_path: Path) -> None:
    options = (Option("A", "B", "B"), Option("B", "Ana", "Ana"))
    prompt = Prompt("stp", "choice", "json", "", "", options=options)
    model = scripted(tmp_path, '{"probabilities": {"B": 0.1, "Ana": 0.9}}')
    assert ranked(prompt, model.ask(prompt)) == ("Ana", "B")


def answered(tmp_path: Path, *lines: str, **settings: object) -> Prediction:
    # Equal settings share one opened model: each script has a name of its own.
    file = tmp_path / f"asked{len(list(tmp_path.iterdir()))}.jsonl"
    file.write_text("\n".join(lines))
    wanted = replace(PLAIN, model=f"mock:{file}", calls="none", **settings)  # type: ignore[arg-type]
    (said,) = AskingApproach(name="llm", settings=wanted).fit((), seed=0).predict([ASKED])
    return said


def test_a_letter_that_comes_as_text_is_read_as_one(tmp_path: Path) -> None:
    said = answered(tmp_path, '{"says": "B."}', answers="letter")
    (letter,) = (o.label for o in question(form="letter").options if o.letter == "B")
    assert (said.failure, said.ranking, said.probabilities) == ("", (letter,), ())


def test_letters_as_text_are_sampled_and_likelihoods_are_asked_for_once(tmp_path: Path) -> None:
    lines = ('{"sample": 2, "says": "A", "answer_tokens": 1}', '{"says": "B", "answer_tokens": 1}')
    said = answered(tmp_path, *lines, answers="letter", samples=3)
    assert said.probabilities == pytest.approx((2 / 3, 1 / 3))
    assert said.cost.answer_tokens == 3
    exact = answered(tmp_path, '{"label": "Ben"}', answers="letter", samples=3)
    assert exact.cost.answer_tokens == 1


def test_samples_of_an_approach_vote(tmp_path: Path) -> None:
    lines = ('{"sample": 1, "label": "Ana"}', '{"sample": 3, "says": "Hm."}', '{"label": "Ben"}')
    said = answered(tmp_path, *lines, samples=4)
    assert said.ranking[:2] == ("Ben", "Ana")
    assert said.probabilities[:2] == pytest.approx((2 / 3, 1 / 3))
    assert said.because[-1] == "1 of 4 samples failed and have no vote: 1 no JSON"
