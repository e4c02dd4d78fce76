"""What a model may remember: next turns said by heart, and answers that hang on the names."""

import json
from dataclasses import replace
from math import isclose
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from relgraph._cli import cli
from relgraph.approach import Settings
from relgraph.errors import RelgraphError
from relgraph.llm_bridge.asking import open_model
from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.probes import _continuing, memorisation
from relgraph.llm_bridge.probes._clusters import difference, mean, rare
from relgraph.llm_bridge.probes._continuing import moments, question, read_turn, shown
from relgraph.llm_bridge.probes._likeness import likeness
from relgraph.llm_bridge.probes._renaming import dealt
from relgraph.llm_bridge.replies import AnswerError
from relgraph.records import Conversation, Turn, View
from relgraph.registry import load

LONG = "{0} one {0} two {0} three {0} four {0} five"


def talk(id: str, word: str, *, turns: int = 7) -> Conversation:
    """Ana and Ben in turn; turns from the fifth on are long, each with words of its own."""
    of = [
        Turn(
            index=k,
            speaker="Ana" if k % 2 else "Ben",
            text=LONG.format(f"{word}{'abcdefghij'[k]}") if k > 4 else "Short.",
            addressees=("Ben",),
            addressee_source="given",
        )
        for k in range(1, turns + 1)
    ]
    return Conversation(
        id=id, turns=tuple(of), scenario="couple", participants=("Ana", "Ben"), relationship=id
    )


def script(folder: Path, *rules: dict[str, Any], remote: bool = False) -> str:
    file = folder / "model.jsonl"
    lines = ({"setup": {"remote": remote}}, *rules)
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return f"mock:{file}"


def says(turn: str, **when: str) -> dict[str, Any]:
    return {"task": "next-turn", "says": json.dumps({"turn": turn}), **when}


def test_likeness_of_two_texts_worked_out_on_paper() -> None:
    found = likeness("You never, ever listen!", "you never listen to me")
    # common: you never listen (3 of 4 and 5); row: you never; edits: -ever +to +me
    assert (found.run, found.near_verbatim) == (2, False)
    assert isclose(found.rouge_l, 2 * 3 / 9)
    assert isclose(found.edit, 1 - 3 / 5)


@pytest.mark.parametrize(
    ("said", "true", "near"),
    [
        ("x a b c d e f g h y", "a b c d e f g h i j k l m n o p", True),
        ("x a b c d e f g y", "a b c d e f g i j k l m n o p q", False),
        ("a b c d e x", "a b c d e f", True),
        ("a b c d e", "a b c d e", False),
        ("", "a b c d e f g h", False),
        ("Don\u2019t can\u2019t won\u2019t, do it SO", "don't can't won't do it so", True),
    ],
)
def test_near_verbatim_is_eight_words_in_a_row_or_nearly_all_of_six(
    said: str, true: str, near: bool
) -> None:
    assert likeness(said, true).near_verbatim is near


def test_moments_are_long_turns_with_four_before_them_dealt_over_relationships() -> None:
    data = [talk("a", "red"), talk("b", "blue"), talk("c", "green", turns=5)]
    found = moments(data, 4)
    assert sorted(m.conversation.id for m in found) == ["a", "a", "b", "c"] or sorted(
        m.conversation.id for m in found
    ) == ["a", "b", "b", "c"]
    assert len(moments(data, 99)) == 3 + 3 + 1
    assert all(m.turn.index > 4 for m in found)


def test_the_first_four_turns_are_never_asked_for() -> None:
    data = [talk(id, id) for id in ("a", "b")]
    long = [
        replace(c, turns=tuple(replace(t, text=LONG.format(c.id)) for t in c.turns)) for c in data
    ]
    assert {m.turn.index for m in moments(long, 99)} == {5, 6, 7}


def test_a_moment_is_compared_with_another_relationship_and_with_a_later_turn() -> None:
    data = [talk("a", "red"), talk("b", "blue")]
    of = {(m.conversation.id, m.turn.index): m for m in moments(data, 99)}
    assert "blue" in of["a", 5].other.text
    later = of["a", 5].later
    assert later is not None
    assert (later.index, later.speaker) == (7, "Ana")
    assert of["a", 7].later is None


def test_data_of_one_relationship_has_no_moment() -> None:
    assert moments([talk("a", "red")], 9) == []


def test_the_question_shows_the_turns_before_and_not_the_one_asked_for() -> None:
    (moment, *_) = moments([talk("a", "red"), talk("b", "blue")], 9)
    backend = open_model(Settings(model="mock", calls="none")).backend
    asked = question(
        shown(moment, Settings()), moment.turn.index, moment.turn.speaker, backend, 3000
    )
    assert moment.turn.text not in asked.user
    assert asked.user.count("Short.") == 4
    assert f"[{moment.turn.index}], spoken by {moment.turn.speaker}" in asked.user
    assert list(asked.schema["properties"]) == ["turn"]


@pytest.mark.parametrize(
    ("text", "finish", "turn"),
    [
        ('{"turn": "Go on."}', "stop", "Go on."),
        ('Sure: {"turn": "Go on."}', "stop", "Go on."),
        ('{"turn": "He said \\"go on\\" and th', "length", 'He said "go on" and th'),
        ('{"turn": "He said \\', "length", "He said "),
    ],
)
def test_a_turn_is_read_from_a_reply_also_where_it_was_cut_off(
    text: str, finish: str, turn: str
) -> None:
    assert read_turn(Reply(text, finish=finish)) == turn


def test_a_reply_without_a_turn_is_a_failure() -> None:
    with pytest.raises(AnswerError):
        read_turn(Reply('{"emotion": "calm"}'))


def test_a_share_is_over_relationships_and_a_zero_says_how_much_it_may_hide() -> None:
    found = rare([("a", 0.0), ("a", 0.0), ("b", 0.0)], seed=0)
    assert (found["value"], found["n"], found["relationships"]) == (0.0, 3, 2)
    assert isclose(found["upper"], 1 - 0.05**0.5)
    assert rare([("a", 1.0), ("b", 0.0)], seed=0)["upper"] is None
    assert mean([], seed=0)["value"] is None


def test_a_difference_is_paired_by_relationship() -> None:
    found = difference([("a", 1.0), ("b", 1.0)], [("a", 0.0), ("b", 0.0)], seed=0)
    assert (found["value"], found["low"], found["high"], found["p"]) == (1.0, 1.0, 1.0, 0.5)


def run(folder: Path, *rules: dict[str, Any], cases: bool = False, **more: Any) -> dict[str, Any]:
    data = more.pop("data", [talk("a", "red"), talk("b", "blue")])
    tasks = ("rpp",) if cases else ()
    asked = {t: [k for c in data for k in load("task", t).cases(c, View())] for t in tasks}
    model = script(folder, *rules, remote=more.pop("remote", False))
    settings = Settings(model=model, calls="none", **more)
    return dict(load("probe", "memorisation")(settings, data, asked, limit=9))


def test_a_model_that_says_the_turns_by_heart_is_found_out(tmp_path: Path) -> None:
    turns = talk("a", "red").turns[4:]
    by_heart = [says(turn.text, contains=f"[{turn.index}], spoken") for turn in turns]
    found = run(tmp_path, *by_heart)
    # It knows conversation a by heart and says the same in b: 3 of the 6 turns.
    assert found["completion"]["near_verbatim"]["value"] == 0.5
    assert found["completion"]["rouge_l"]["value"] > found["completion"]["rouge_l_other"]["value"]
    assert found["completion"]["over_other"]["value"] > 0
    assert "near-verbatim" in found["verdict"]


def test_a_model_that_talks_about_something_else_shows_no_sign_and_that_proves_nothing(
    tmp_path: Path,
) -> None:
    found = run(tmp_path, says("I went for a walk by the river today."))
    assert found["completion"]["near_verbatim"]["value"] == 0.0
    assert found["completion"]["longest_run"] == 0
    assert found["verdict"].startswith("no sign of memory was found. That is no evidence")


def test_questions_are_dealt_over_relationships_whatever_their_order(couple: Conversation) -> None:
    data = [replace(couple, id=id, relationship=id[0]) for id in ("p1", "p2", "p3", "q1")]
    cases = [case for c in data for case in load("task", "rpp").cases(c, View())]
    kept = dealt(cases, 2)
    assert [case.relationship for case in kept] == ["p", "q"]
    assert {c.conversation_id for c in dealt(cases[::-1], 2)} == {c.conversation_id for c in kept}
    assert dealt(cases, 9) == cases


def test_what_fails_is_counted_with_its_cause_and_is_no_share(tmp_path: Path) -> None:
    found = run(tmp_path, {"task": "next-turn", "fail": "refused: will not quote"})
    assert found["completion"]["failures"] == {"refused": 6}
    assert found["completion"]["near_verbatim"]["value"] is None
    assert found["verdict"] == "nothing was answered, so nothing is known."


@pytest.mark.parametrize(
    ("turns", "questions", "untold"),
    [(0, 3, "no next turn"), (3, 0, "no question with other names")],
)
def test_a_part_without_an_answer_is_not_counted_as_no_sign(
    turns: int, questions: int, untold: str
) -> None:
    completion = {"near_verbatim": {"value": 0.0 if turns else None}, "answered": turns}
    renamed = {"rpp": {"answered": questions, "difference": {"low": None}}}
    said = memorisation.verdict(completion, renamed)
    assert said.startswith(f"no sign of memory was found; but {untold} was answered")
    assert "no evidence" in said


def test_a_model_that_goes_by_the_names_is_found_out(tmp_path: Path, couple: Conversation) -> None:
    data = [replace(couple, id=id, relationship=id) for id in ("p", "q")]
    found = run(
        tmp_path,
        {"task": "rpp", "contains": "Ana", "label": "pursue_withdraw"},
        {"task": "rpp", "label": "attack_attack"},
        says("x y z"),
        cases=True,
        data=data,
    )["renaming"]["rpp"]
    assert found["accuracy_original"]["value"] == 1.0
    assert found["accuracy_renamed"]["value"] == 0.0
    assert found["difference"]["value"] == 1.0
    assert found["flips"]["value"] == 1.0
    assert found["flips_between_renamings"]["value"] == 0.0


def test_a_model_that_goes_by_the_words_does_not_flip(tmp_path: Path, couple: Conversation) -> None:
    data = [replace(couple, id=id, relationship=id) for id in ("p", "q")]
    rules = ({"task": "rpp", "label": "pursue_withdraw"}, says("x y z"))
    found = run(tmp_path, *rules, cases=True, data=data)["renaming"]["rpp"]
    assert (found["flips"]["value"], found["difference"]["value"]) == (0.0, 0.0)


def test_with_pseudonyms_the_original_names_are_never_sent(
    tmp_path: Path, couple: Conversation
) -> None:
    data = [talk("a", "red"), talk("b", "blue")]
    found = run(
        tmp_path,
        {"contains": "Ana", "stop": "a name was sent"},
        says("Nothing that I know."),
        {"option": 1},
        cases=True,
        data=[*data, couple],
        pseudonymize=True,
    )
    assert found["renaming"] == {}
    assert "not asked" in found["renaming_left_out"]


def test_names_in_a_completion_are_turned_back_before_it_is_compared(tmp_path: Path) -> None:
    data = [talk("a", "red"), talk("b", "blue")]
    text = "Ben, you and Ben and Ben and Ben and Ben"
    data = [replace(c, turns=(*c.turns[:4], replace(c.turns[4], text=text))) for c in data]
    settings = Settings(model="mock", calls="none", pseudonymize=True)
    moment = moments(data, 1)[0]

    class Parrot:
        """Says the true turn in the names that it was shown."""

        concurrency = 1

        def count_tokens(self, text: str) -> int:
            return len(text)

        def ask(self, prompt: Any) -> Reply:
            ben = prompt.user.split(" -> ")[1].split(":")[0]
            return Reply(json.dumps({"turn": text.replace("Ben", ben)}))

    (said,) = _continuing.ask([moment], Parrot(), settings)  # type: ignore[arg-type]
    assert said.text == text


def test_sensitive_data_is_not_sent_to_a_model_elsewhere(tmp_path: Path) -> None:
    data = [replace(talk(id, id), sensitive=True) for id in ("a", "b")]
    with pytest.raises(RelgraphError, match="marked sensitive"):
        run(tmp_path, {"stop": "it was asked"}, data=data, remote=True)


def test_nothing_to_ask_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RelgraphError, match="nothing to probe"):
        run(tmp_path, says("x"), data=[talk("a", "red")])


def test_the_command_writes_what_it_prints_and_goes_on_from_kept_calls(tmp_path: Path) -> None:
    folder, calls = tmp_path / "probe", tmp_path / "calls.sqlite"
    rules = [says("I went for a walk."), {"option": 1}]
    arguments = ["probe", "--data", "sample", "--task", "rpp", "--limit", "3", "--json"]
    arguments += ["--run", str(folder), "--calls", str(calls)]
    arguments += ["--model", script(tmp_path, *rules)]
    first = CliRunner().invoke(cli, arguments)
    assert first.exit_code == 0, first.output
    found = json.loads((folder / memorisation.FILE).read_text())
    assert json.loads(first.stdout) == found
    assert found["completion"]["asked"] == 3
    assert found["renaming"]["rpp"]["asked"] == 3
    again = CliRunner().invoke(cli, arguments)
    assert json.loads(again.stdout) == found


def test_the_command_leaves_nothing_behind_where_nothing_may_be_sent(tmp_path: Path) -> None:
    from relgraph.corpora import write

    data = [replace(talk(id, id), sensitive=True) for id in ("a", "b")]
    write(tmp_path / "data.jsonl", data, format="jsonl")
    folder = tmp_path / "probe"
    model = script(tmp_path, {"stop": "it was asked"}, remote=True)
    arguments = ["probe", "--data", str(tmp_path / "data.jsonl"), "--model", model]
    done = CliRunner().invoke(cli, [*arguments, "--run", str(folder), "--calls", "none"])
    assert isinstance(done.exception, RelgraphError)
    assert done.exception.exit_code == 2
    assert not folder.exists()
