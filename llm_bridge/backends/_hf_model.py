"""Loading a causal language model with transformers: weights as safetensors, no code of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from relgraph.embed import choose_device
from relgraph.embed._sentence import is_full, quiet
from relgraph.errors import RelgraphError, RunError, missing_package
from relgraph.llm_bridge.prompts import LETTERS, Prompt

PURPOSE = "a transformers model (--model hf:NAME)"
WHAT_COUNTS = (".safetensors", ".json", ".jinja", ".model", ".txt")
"""Files of a model folder that decide what it answers: weights, configuration, tokenizer."""

SPACES = ("", " ", "\u2581", "\u0120")
"""What a tokenizer may put before a letter that begins a word."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model is, and how it is to be run; equal places share one loaded model."""

    name: str
    folder: str
    revision: str
    device: str
    precision: str

    @property
    def source(self) -> str:
        """What transformers is given: the folder, or the name on the hub."""
        return self.folder or self.name

    @property
    def shown(self) -> str:
        """As for `--model`; a folder by its last name alone."""
        return f"hf:{self.name}{f'@{self.revision}' if self.revision else ''}"


def find(argument: str, device: str) -> Place:
    """Returns where the model `argument` is: a folder, or NAME or NAME@REVISION on the hub.

    Raises:
        RelgraphError: the folder holds no such model, or the device is not there.
    """
    if not argument:
        raise RelgraphError("--model hf: no model given; wanted: hf:NAME or hf:FOLDER.")
    chosen = choose_device(device)
    precision = "float32" if chosen == "cpu" else "bfloat16"
    folder = Path(argument).expanduser()
    if not folder.is_dir():
        if folder.exists() or argument.startswith((".", "/", "~")):
            raise RelgraphError(f"--model hf:{argument}: no such folder.")
        name, _, revision = argument.partition("@")
        return Place(name, "", revision, chosen, precision)
    if not (folder / "config.json").is_file():
        raise RelgraphError(
            f"{folder}: no config.json in it; wanted: a folder as transformers saves a model."
        )
    if not any(folder.glob("*.safetensors")):
        raise RelgraphError(
            f"{folder}: no *.safetensors in it. Pickled weights are never loaded: loading them "
            f"can run code. Save the model anew with safe_serialization=True."
        )
    return Place(folder.resolve().name, str(folder.resolve()), "", chosen, precision)


def identity(place: Place) -> str:
    """Returns which model exactly: its name, the hash of its files or its commit, the precision.

    Raises:
        RelgraphError: the hub cannot be reached and the model is not kept from earlier.
    """
    if place.folder:
        return f"{place.name}@{_folder_hash(place.folder)} {place.precision}"
    config = _from_hub(place, "AutoConfig")
    commit = getattr(config, "_commit_hash", None) or place.revision or "unknown"
    return f"{place.name}@{commit[:16]} {place.precision}"


@lru_cache(maxsize=8)
def _folder_hash(folder: str) -> str:
    digest = sha256()
    for file in sorted(Path(folder).iterdir()):
        if file.suffix in WHAT_COUNTS and file.is_file():
            digest.update(f"{file.name}\x1f".encode())
            with file.open("rb") as stream:
                while block := stream.read(1 << 20):
                    digest.update(block)
    return digest.hexdigest()[:16]


class Tokens:
    """A model's tokenizer: prompts as token numbers, and text back from them."""

    def __init__(self, place: Place) -> None:
        self._tokenizer = _from_hub(place, "AutoTokenizer")

    def count(self, text: str) -> int:
        """Returns how many tokens the text has, without special ones."""
        return len(self._tokenizer.encode(text, add_special_tokens=False))

    def of(self, prompt: Prompt) -> list[int]:
        """Returns a prompt in the model's chat template, up to where the answer begins.

        A template that knows no system message gets it at the head of the user's. A tokenizer
        without a template gets both, parted by an empty line, and "Answer:".
        """
        if not self._tokenizer.chat_template:
            text = f"{prompt.system}\n\n{prompt.user}\n\nAnswer:"
            return list(self._tokenizer.encode(text))
        from jinja2 import TemplateError

        both = [{"role": "system", "content": prompt.system}]
        asked = [{"role": "user", "content": prompt.user}]
        joined = [{"role": "user", "content": f"{prompt.system}\n\n{prompt.user}"}]
        try:
            text = self._chat(both + asked)
        except TemplateError:
            text = self._chat(joined)
        # The template has written the tokens that begin a text.
        return list(self._tokenizer.encode(text, add_special_tokens=False))

    def text(self, tokens: Sequence[int]) -> str:
        """Returns what the tokens say, without special ones."""
        return str(self._tokenizer.decode(tokens, skip_special_tokens=True))

    @cached_property
    def letters(self) -> Mapping[str, tuple[int, ...]]:
        """The tokens that are one capital letter, with or without a space before it."""
        known: Mapping[str, int] = self._tokenizer.get_vocab()
        found = {x: tuple(known[s + x] for s in SPACES if s + x in known) for x in LETTERS}
        return {letter: tokens for letter, tokens in found.items() if tokens}

    @property
    def ends(self) -> frozenset[int]:
        """The token that ends a text, if there is one."""
        token: int | None = self._tokenizer.eos_token_id
        return frozenset() if token is None else frozenset({token})

    def _chat(self, messages: Sequence[Mapping[str, str]]) -> str:
        # Models that can think aloud would spend their answer on it.
        return str(
            self._tokenizer.apply_chat_template(
                messages, tokenize=False, add_generation_prompt=True, enable_thinking=False
            )
        )


@lru_cache(maxsize=2)
def open_tokens(place: Place) -> Tokens:
    """Returns the tokenizer of a model; equal places share one."""
    return Tokens(place)


@lru_cache(maxsize=1)
def open_weights(place: Place) -> Any:
    """Returns the model on its device, ready to run.

    Raises:
        RelgraphError: it cannot be loaded.
        RunError: the memory does not hold it.
    """
    import torch

    try:
        model = _from_hub(
            place,
            "AutoModelForCausalLM",
            use_safetensors=True,
            dtype=getattr(torch, place.precision),
            device_map=_device_map(place.device),
        )
    except (RuntimeError, MemoryError) as error:
        if not is_full(error):
            raise
        raise RunError(
            f"--model {place.shown}: the memory of {place.device} does not hold this model. Free "
            f"memory on it, or use --device cpu or a smaller model."
        ) from None
    return (model.to(place.device) if place.device == "mps" else model).eval()


def _device_map(device: str) -> str | None:
    """Onto the card as it is read; over all cards where there are several and none is named."""
    if device in ("cpu", "mps"):
        return None
    import torch

    return "auto" if device == "cuda" and torch.cuda.device_count() > 1 else device


def _from_hub(place: Place, kind: str, **options: Any) -> Any:
    """What the class `kind` of transformers reads there; its many errors become one line."""
    from safetensors import SafetensorError

    try:
        import transformers
    except ImportError:
        raise missing_package("transformers", PURPOSE, "pip install 'relgraph[hf]'") from None
    options |= {"revision": place.revision} if place.revision else {}
    try:
        with quiet():
            return getattr(transformers, kind).from_pretrained(
                place.source,
                trust_remote_code=False,
                local_files_only=bool(place.folder),
                **options,
            )
    except (OSError, ValueError, ImportError, KeyError, SafetensorError) as error:
        reason = " ".join(str(error).split())[:300]
        advice = (
            "Wanted: a folder as transformers saves a causal language model."
            if place.folder
            else "Wanted: a causal language model of the Hugging Face hub with safetensors "
            "weights, reachable or loaded before; or a folder with one, as hf:FOLDER."
        )
        raise RelgraphError(
            f"--model {place.shown}: cannot be loaded ({reason}) {advice}"
        ) from None
