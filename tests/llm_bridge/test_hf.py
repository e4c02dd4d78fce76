"""The transformers backend on a tiny model with random weights, saved and loaded as real ones are.

Its answers mean nothing; that they do not depend on what was read before or beside is the point.
"""

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from relgraph.approach import Settings
from relgraph.errors import RelgraphError
from relgraph.llm_bridge.asking import Asking, AskingApproach, Model
from relgraph.llm_bridge.backends import hf
from relgraph.llm_bridge.prompts import Layout, Prompt, render
from relgraph.records import Conversation, Instance, Turn
from relgraph.registry import load

TALK = ("Will you come on Sunday?", "Maybe.", "You never say yes.", "Ana plans, I hear of it.")
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
NO_SYSTEM = (
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
    + TEMPLATE
)
CLOSE = 1e-4
"""Between ways of reading the same prompt, in float32 on a CPU: log-probabilities."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved model of two layers, and a tokenizer trained on a few sentences."""
    place = tmp_path_factory.mktemp("models") / "tiny"
    save_tokenizer(place)
    save_model(place)
    return place


def save_tokenizer(place: Path, template: str = TEMPLATE) -> None:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    words.train_from_iterator([*TALK, " A B C D E"], trainer)
    saved = PreTrainedTokenizerFast(tokenizer_object=words, eos_token="<|im_end|>")
    saved.chat_template = template or None
    saved.save_pretrained(place)


SMALL = {
    "vocab_size": 400,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "initializer_range": 0.5,
}


def save_model(place: Path, **changes: Any) -> None:
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    ends = {"max_position_embeddings": 2048, "bos_token_id": 0, "eos_token_id": 2}
    config = LlamaConfig(**SMALL, **ends, **changes)
    LlamaForCausalLM(config).save_pretrained(place)


def model(folder: Path, **settings: Any) -> hf.TransformersBackend:
    made = hf.BACKEND(str(folder), Settings(device="cpu", **settings))
    assert isinstance(made, hf.TransformersBackend)
    made.close()
    return made


def prompts(task: str = "stp", *, turns: int = len(TALK)) -> list[Prompt]:
    """The questions after each turn of a conversation: each begins as the one before."""
    said = [
        Turn(k, "Ana" if k % 2 else "Ben", text, ("Ben" if k % 2 else "Ana",))
        for k, text in enumerate(TALK, start=1)
    ]
    options = ("Ana", "Ben", "Group") if task == "stp" else ()
    layout = Layout("letter", 0, 1000, len)
    return [
        render(
            load("task", task),
            Instance(f"{n}", task, Conversation("c", tuple(said[:n])), options=options),
            layout,
        )
        for n in range(1, turns + 1)
    ]


def test_each_letter_of_the_options_gets_its_log_probability(folder: Path) -> None:
    reply = model(folder).ask(prompts()[0])
    assert sorted(reply.letters) == ["A", "B", "C"]
    assert all(log < 0 for log in reply.letters.values())
    assert sum(math.exp(log) for log in reply.letters.values()) < 1
    assert reply.answer_tokens == 1


def test_the_letters_have_the_probabilities_that_the_model_gives_them(folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    prompt = prompts()[-1]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    text = (
        f"<|im_start|>system\n{prompt.system}<|im_end|>\n<|im_start|>user\n{prompt.user}"
        "<|im_end|>\n<|im_start|>assistant\n"
    )
    with torch.inference_mode():
        tokens = tokenizer(text, return_tensors="pt", add_special_tokens=False).input_ids
        shares = AutoModelForCausalLM.from_pretrained(folder)(tokens).logits[0, -1].softmax(-1)
    known = tokenizer.get_vocab()
    reply = model(folder).ask(prompt)
    for letter in "ABC":
        both = shares[known[letter]] + shares[known[f"\u0120{letter}"]]
        assert reply.letters[letter] == pytest.approx(math.log(both), abs=CLOSE)
    assert reply.prompt_tokens == tokens.shape[1]


def test_a_later_prompt_reads_only_what_the_earlier_one_did_not(folder: Path) -> None:
    backend = model(folder)
    asked = prompts()
    replies = [backend.ask(p) for p in asked]
    assert replies[0].cached_tokens == 0
    for earlier, later in zip(asked, replies[1:], strict=False):
        shared = earlier.user[: earlier.user.index("\nEnd of the transcript.")]
        assert later.cached_tokens >= backend.count_tokens(earlier.system + shared)
        assert later.cached_tokens < later.prompt_tokens


@pytest.mark.parametrize(
    "order",
    [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)],
    ids=["forwards", "backwards", "mixed"],
)
def test_what_was_read_before_does_not_matter(folder: Path, order: tuple[int, ...]) -> None:
    backend, asked = model(folder), prompts()
    anew = []
    for p in asked:
        backend.close()
        anew.append(backend.ask(p).letters)
    backend.close()
    for k in order:
        assert backend.ask(asked[k]).letters == pytest.approx(anew[k], abs=CLOSE)


def test_what_is_asked_beside_does_not_matter(folder: Path) -> None:
    backend, asked = model(folder), prompts()
    alone = [backend.ask(p).letters for p in asked]
    for group in ([0, 1, 2, 3], [3, 0], [1, 1, 2]):
        backend.close()
        together = backend.ask_many([asked[k] for k in group])
        for k, reply in zip(group, together, strict=True):
            assert reply.letters == pytest.approx(alone[k], abs=CLOSE)


def test_a_prompt_that_is_the_beginning_of_another_is_read_to_its_end(folder: Path) -> None:
    reader = model(folder)._reader
    rows = [[5, 6, 7], [5, 6, 7, 8, 9], [5, 6, 7, 8, 9]]
    together = reader.read(rows).logits
    for k, row in enumerate(rows):
        reader.forget()
        assert together[k].tolist() == pytest.approx(
            reader.read([row]).logits[0].tolist(), abs=CLOSE
        )


def test_prompts_asked_together_read_what_they_share_once(folder: Path) -> None:
    backend, asked = model(folder), prompts()
    replies = backend.ask_many(asked)
    read = sum(r.prompt_tokens - r.cached_tokens for r in replies)
    backend.close()
    one_by_one = [backend.ask(p) for p in asked]
    assert read == sum(r.prompt_tokens - r.cached_tokens for r in one_by_one)
    assert read < 0.6 * sum(r.prompt_tokens for r in replies)
    assert [r.prompt_tokens for r in replies] == [r.prompt_tokens for r in one_by_one]


def test_the_next_batch_finds_what_the_last_one_read(folder: Path) -> None:
    backend, asked = model(folder), prompts()
    backend.ask_many(asked[:3])
    first = backend.ask_many(asked[1:])
    assert all(r.cached_tokens > 100 for r in first)
    backend.close()
    assert [r.letters for r in first] == [
        pytest.approx(r.letters, abs=CLOSE) for r in backend.ask_many(asked[1:])
    ]


def test_open_answers_are_written_greedily_alone_and_together(folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM

    backend, asked = model(folder, answer_tokens=12), prompts("er")
    written = [backend.ask(p) for p in asked]
    backend.close()
    assert [r.text for r in backend.ask_many(asked)] == [r.text for r in written]
    row = torch.tensor([backend._tokens.of(asked[1])])
    with torch.inference_mode():
        theirs = AutoModelForCausalLM.from_pretrained(folder).generate(
            row, attention_mask=torch.ones_like(row), max_new_tokens=12, do_sample=False
        )
    assert written[1].text == backend._tokens.text(theirs[0, row.shape[1] :].tolist())
    assert written[1].answer_tokens <= 12


def test_an_answer_that_does_not_end_is_told_from_one_that_does(folder: Path) -> None:
    # Random weights write nothing that ends; temperature 100 is as good as a die of 400 faces.
    endless = model(folder, answer_tokens=3).ask(prompts("er")[0])
    assert (endless.finish, endless.answer_tokens) == ("length", 3)
    dice = model(folder, answer_tokens=1900, temperature=100.0)
    ended = dice.ask(replace(prompts("er")[0], system="", user="x"))
    assert ended.finish == "stop"
    assert ended.answer_tokens < 1900
    assert "<|im_end|>" not in ended.text


def test_samples_differ_and_come_out_the_same_again_alone_and_together(folder: Path) -> None:
    backend, asked = model(folder, samples=3, answer_tokens=8), prompts("er")
    drawn = [[backend.ask(p, sample=k).text for p in asked] for k in range(3)]
    assert len({texts[0] for texts in drawn}) == 3
    again = model(folder, samples=3, answer_tokens=8)
    assert [[r.text for r in again.ask_many(asked, sample=k)] for k in range(3)] == drawn
    other = model(folder, samples=3, answer_tokens=8, seed=1)
    assert other.ask(asked[0]).text != drawn[0][0]


def test_closed_and_open_questions_can_be_asked_together(folder: Path) -> None:
    backend = model(folder, answer_tokens=4)
    closed, free = prompts()[0], prompts("er")[0]
    replies = backend.ask_many([closed, free, closed])
    assert [bool(r.letters) for r in replies] == [True, False, True]
    assert replies[1].answer_tokens == 4


def test_a_prompt_longer_than_the_model_takes_fails_alone(folder: Path) -> None:
    backend = model(folder)
    good = prompts()[0]
    long = replace(good, user="never " * 3000)
    said = backend.ask_many([long, good])
    assert said[0].failure.startswith("too long: ")
    assert "takes 2048" in said[0].failure
    assert said[1].failure == ""


def test_a_full_memory_halves_the_batch_and_gives_the_same_answers(folder: Path) -> None:
    import torch

    backend, asked = model(folder), prompts()
    backend.batch = 4
    whole = [r.letters for r in backend.ask_many(asked)]
    network = backend._reader._model
    forward = network.forward

    def cramped(*given: Any, **named: Any) -> Any:
        if len(named["input_ids"]) > 1:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")
        return forward(*given, **named)

    network.forward = cramped
    try:
        halved = backend.ask_many(asked)
    finally:
        network.forward = forward
    assert [r.letters for r in halved] == [pytest.approx(x, abs=CLOSE) for x in whole]
    assert backend.batch == 1


def test_a_memory_that_holds_not_even_one_prompt_fails_the_prompt_with_the_cause(
    folder: Path,
) -> None:
    import torch

    backend, asked = model(folder), prompts()
    network = backend._reader._model
    forward = network.forward

    def full(*given: Any, **named: Any) -> Any:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")

    network.forward = full
    try:
        (reply,) = backend.ask_many(asked[:1])
    finally:
        network.forward = forward
    assert reply.failure.startswith("out of memory: a prompt of ")
    assert backend.ask(asked[0]).failure == ""


def test_an_error_that_is_no_full_memory_is_not_hidden(folder: Path) -> None:
    backend = model(folder)
    network = backend._reader._model
    forward = network.forward

    def broken(*given: Any, **named: Any) -> Any:
        raise RuntimeError("shapes do not match")

    network.forward = broken
    try:
        with pytest.raises(RuntimeError, match="shapes do not match"):
            backend.ask(prompts()[0])
    finally:
        network.forward = forward


def changed(folder: Path, to: Path, template: str) -> Path:
    shutil.copytree(folder, to)
    (to / "chat_template.jinja").unlink(missing_ok=True)
    save_tokenizer(to, template)
    return to


def test_a_template_without_a_system_message_gets_it_in_the_users(
    folder: Path, tmp_path: Path
) -> None:
    backend = model(changed(folder, tmp_path / "no-system", NO_SYSTEM))
    prompt = prompts()[0]
    text = backend._tokens._tokenizer.decode(backend._tokens.of(prompt))
    assert text.startswith(f"<|im_start|>user\n{prompt.system}\n\n{prompt.user}<|im_end|>")
    assert text.endswith("<|im_start|>assistant\n")


def test_a_tokenizer_without_a_template_gets_the_messages_and_a_cue(
    folder: Path, tmp_path: Path
) -> None:
    backend = model(changed(folder, tmp_path / "bare", ""))
    prompt = prompts()[0]
    text = backend._tokens._tokenizer.decode(backend._tokens.of(prompt))
    assert text == f"{prompt.system}\n\n{prompt.user}\n\nAnswer:"


def test_models_that_cannot_cut_back_what_they_read_read_every_prompt_anew(
    tmp_path: Path,
) -> None:
    import torch
    from transformers import MistralConfig, MistralForCausalLM

    place = tmp_path / "windowed"
    save_tokenizer(place)
    torch.manual_seed(0)
    config = MistralConfig(**SMALL, sliding_window=16)
    network = MistralForCausalLM(config)
    network.save_pretrained(place)
    backend, asked = model(place, answer_tokens=6), prompts()
    replies = backend.ask_many(asked)
    assert [r.cached_tokens for r in replies] == [0] * len(asked)
    known = backend._tokens.letters["A"]
    with torch.inference_mode():
        logits = network.eval()(torch.tensor([backend._tokens.of(asked[2])])).logits[0, -1]
    wanted = float(logits.log_softmax(-1)[list(known)].logsumexp(-1))
    assert replies[2].letters["A"] == pytest.approx(wanted, abs=CLOSE)
    assert backend.ask(prompts("er")[0]).answer_tokens == 6


def test_the_identity_is_name_hash_and_precision_and_no_folder(
    folder: Path, tmp_path: Path
) -> None:
    backend = model(folder)
    assert backend.identity.startswith("tiny@")
    assert backend.identity.endswith(" float32")
    assert (backend.name, backend.remote, backend.answers) == ("hf:tiny", False, "letter")
    assert str(folder.parent) not in backend.identity + backend.name
    other = tmp_path / "tiny"
    shutil.copytree(folder, other)
    assert model(other).identity == backend.identity
    settings = json.loads((other / "generation_config.json").read_text())
    (other / "generation_config.json").write_text(json.dumps(settings | {"eos_token_id": 1}))
    hf._hf_model._folder_hash.cache_clear()
    assert model(other).identity != backend.identity


def test_json_answers_can_be_asked_for(folder: Path) -> None:
    assert model(folder, answers="json").answers == "json"


def test_a_folder_without_a_configuration_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RelgraphError, match=r"no config\.json in it"):
        hf.BACKEND(str(tmp_path), Settings(device="cpu"))


def test_pickled_weights_are_refused(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "pickled")
    (tmp_path / "pickled" / "model.safetensors").rename(tmp_path / "pickled" / "pytorch_model.bin")
    with pytest.raises(RelgraphError, match="Pickled weights are never loaded"):
        hf.BACKEND(str(tmp_path / "pickled"), Settings(device="cpu"))


def test_a_folder_that_is_not_there_and_no_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RelgraphError, match="no such folder"):
        hf.BACKEND(str(tmp_path / "none"), Settings(device="cpu"))
    with pytest.raises(RelgraphError, match="no model given"):
        hf.BACKEND("", Settings(device="cpu"))


def test_a_damaged_model_ends_in_one_message(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "torn")
    (tmp_path / "torn" / "model.safetensors").write_bytes(b"\x10\0\0\0\0\0\0\0nonsense")
    with pytest.raises(RelgraphError, match="--model hf:torn: cannot be loaded") as caught:
        model(tmp_path / "torn").check()
    assert "\n" not in str(caught.value)


def test_a_name_of_the_hub_that_cannot_be_had_ends_in_one_message(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import huggingface_hub.constants as constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(RelgraphError, match="--model hf:nobody/nothing: cannot be") as caught:
        hf.BACKEND("nobody/nothing", Settings(device="cpu"))
    assert "\n" not in str(caught.value)
    assert "hf:FOLDER" in str(caught.value)


def test_an_approach_asks_several_at_once_and_gets_what_it_gets_one_by_one(folder: Path) -> None:
    settings = Settings(
        model=f"hf:{folder}", device="cpu", context_tokens=400, answer_tokens=6, calls="none"
    )
    turns = tuple(Turn(k, "Ana", text, ("Ben",)) for k, text in enumerate(TALK, start=1))
    asked = [
        Instance(f"{task}{n}", task, Conversation("c", turns[:n]), options=options)
        for task, options in (("stp", ("Ana", "Ben", "Group")), ("er", ()))
        for n in (1, 2, 3, 4)
    ]
    fitted = AskingApproach(name="llm", settings=settings).fit((), seed=0)
    one_by_one = list(fitted.predict(asked))
    backend = fitted.backend
    several = model(folder, context_tokens=400, answer_tokens=6)
    several.batch = 3
    together = Asking(settings, Model(several))
    assert backend.ask(fitted.render(asked[0])).letters
    said = list(together.predict(asked))
    assert [p.instance for p in said] == [i.id for i in asked]
    assert [(p.ranking, p.raw) for p in said] == [(p.ranking, p.raw) for p in one_by_one]
    for here, there in zip(said, one_by_one, strict=True):
        assert here.probabilities == pytest.approx(there.probabilities, abs=CLOSE)
        assert here.cost.prompt_tokens == there.cost.prompt_tokens
