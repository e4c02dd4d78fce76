"""What leaves the machine is told once; sensitive data leaves it only where that is allowed."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from relgraph._cli import cli
from relgraph.approach import Settings
from relgraph.corpora import read, write
from relgraph.errors import RelgraphError
from relgraph.llm_bridge.asking import AskingApproach
from relgraph.llm_bridge.privacy import consent
from relgraph.records import Conversation, Instance, View
from relgraph.registry import load

ASKED = '{"stop": "it was asked"}\n'
ANSWERS = '{"option": 1}\n'


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has been told before, and no switch is on."""
    monkeypatch.setattr(consent, "_told", set())
    monkeypatch.delenv(consent.SWITCH, raising=False)


def script(folder: Path, rules: str, *, remote: bool = True) -> str:
    file = folder / "model.jsonl"
    file.write_text(f'{{"setup": {{"remote": {str(remote).lower()}}}}}\n{rules}')
    return f"mock:{file}"


def instances(conversation: Conversation, *, sensitive: bool = True) -> list[Instance]:
    marked = replace(conversation, sensitive=sensitive)
    return [case.instance for case in load("task", "rpp").cases(marked, View())]


def ask(model: str, asked: list[Instance], **settings: bool) -> int:
    approach = AskingApproach("llm", Settings(model=model, calls="none", **settings))
    return len([p for p in approach.fit((), seed=0).predict(asked) if not p.failure])


def test_sensitive_data_does_not_leave_the_machine(couple: Conversation, tmp_path: Path) -> None:
    with pytest.raises(RelgraphError, match="marked sensitive") as refused:
        ask(script(tmp_path, ASKED), instances(couple))
    assert refused.value.exit_code == 2
    assert "--remote-ok" in str(refused.value)


def test_a_model_on_this_machine_may_read_sensitive_data(
    couple: Conversation, tmp_path: Path
) -> None:
    assert ask(script(tmp_path, ANSWERS, remote=False), instances(couple)) == 1


def test_the_option_allows_it(couple: Conversation, tmp_path: Path) -> None:
    assert ask(script(tmp_path, ANSWERS), instances(couple), remote_ok=True) == 1


@pytest.mark.parametrize(("switch", "allowed"), [("1", True), ("0", False), ("", False)])
def test_the_environment_allows_it(
    couple: Conversation,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    switch: str,
    allowed: bool,
) -> None:
    monkeypatch.setenv(consent.SWITCH, switch)
    model, asked = script(tmp_path, ANSWERS), instances(couple)
    if allowed:
        assert ask(model, asked) == 1
    else:
        with pytest.raises(RelgraphError):
            ask(model, asked)


def test_pseudonyms_alone_do_not_allow_it(couple: Conversation, tmp_path: Path) -> None:
    with pytest.raises(RelgraphError, match="marked sensitive"):
        ask(script(tmp_path, ASKED), instances(couple), pseudonymize=True)


def test_a_training_conversation_that_is_sensitive_may_not_leave_either(
    couple: Conversation, tmp_path: Path
) -> None:
    model = load("backend", "mock")(script(tmp_path, ASKED).removeprefix("mock:"), Settings())
    with pytest.raises(RelgraphError, match="marked sensitive"):
        consent.before_asking(
            model, instances(couple, sensitive=False), Settings(), [replace(couple, sensitive=True)]
        )


def test_what_leaves_is_told_once(
    couple: Conversation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, asked = script(tmp_path, ANSWERS), instances(couple, sensitive=False)
    ask(model, asked)
    ask(model, asked)
    told = capsys.readouterr().err
    assert told.count("what leaves this machine") == 1
    assert "transcripts of 1 conversation" in told
    assert "names and places as they are" in told
    ask(model, asked, pseudonymize=True)
    assert "names and places replaced" in capsys.readouterr().err


def test_nothing_is_told_of_a_model_on_this_machine(
    couple: Conversation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(script(tmp_path, ANSWERS, remote=False), instances(couple, sensitive=False))
    assert "leaves this machine" not in capsys.readouterr().err


def test_an_evaluation_ends_with_2_before_anything_is_sent_or_written(tmp_path: Path) -> None:
    data, run = tmp_path / "data.jsonl", tmp_path / "run"
    write(data, [replace(c, sensitive=True) for c in read("sample")[:2]], format="jsonl")
    arguments = ["eval", "--approach", "llm", "--data", str(data), "--task", "rpp", "--limit", "2"]
    arguments += ["--model", script(tmp_path, ASKED), "--run", str(run)]
    refused = CliRunner().invoke(cli, arguments)
    assert isinstance(refused.exception, RelgraphError)
    assert refused.exception.exit_code == 2
    assert not run.exists()


def test_a_judge_elsewhere_is_refused_sensitive_data_too(
    couple: Conversation, tmp_path: Path
) -> None:
    from relgraph.evaluation.judging import Asked
    from relgraph.records import Prediction

    cases = load("task", "er").cases(replace(couple, sensitive=True), View())
    judge = load("judge", "rubric")(Settings(model=script(tmp_path, ASKED), calls="none"))
    asked = [Asked(c, Prediction(c.instance.id, emotion=c.gold.emotion), "a", 0) for c in cases]
    assert asked
    with pytest.raises(RelgraphError, match="marked sensitive"):
        list(judge.grade(asked))


def test_a_judge_sees_invented_names(couple: Conversation) -> None:
    from relgraph.evaluation.judging import Asked
    from relgraph.llm_bridge.judges.rubric import disguised, question
    from relgraph.llm_bridge.privacy.pseudonyms import Pseudonyms
    from relgraph.records import Prediction

    (case, *_) = load("task", "vp").cases(couple, View())
    asked = Asked(case, Prediction("i", viewpoints=case.gold.viewpoints), "a", 0)
    shown = question(disguised(asked, Pseudonyms())).user
    assert "Ana" in question(asked).user
    assert "Ana" not in shown
    assert "Ben" not in shown
