"""`mock` and `mock:FILE`: no model at all, but answers made up or by a script, for tests."""

from __future__ import annotations

import json
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import Any

from relgraph.approach import Settings
from relgraph.errors import RunError
from relgraph.llm_bridge.backends._base import Backend, Reply
from relgraph.llm_bridge.backends._script import FIELDS, Rule, Setup, read_script
from relgraph.llm_bridge.prompts import AnswerForm, Prompt, content_free, wording
from relgraph.registry import load

BUILT_IN: dict[str, tuple[Rule, ...]] = {"fields": FIELDS}
SURE = 0.9
"""What a scripted choice gets among letters; the other options share the rest evenly."""

NOTICE = "mock answers are made up: they show that the path works, not what an LLM can do."
FEELINGS = ("calm", "hurt", "angry", "afraid", "hopeful", "ashamed")


class MockBackend:
    """Answers by rules, the first that fits; without rules, by the hash of the prompt.

    Args:
        name: as for `--model`.
        identity: which script exactly.
        settings: form of answers, seed and number of samples are read.
        setup: what the script says of its model.
        rules: in order; a prompt that none fits fails, where `complete`.
        complete: whether a script is to answer all; else the hash answers the rest.
    """

    keeps_prefix = False
    notice = NOTICE

    def __init__(
        self,
        name: str,
        identity: str,
        settings: Settings,
        *,
        setup: Setup | None = None,
        rules: Sequence[Rule] = (),
        complete: bool = False,
    ) -> None:
        setup = setup or Setup()
        self.name = name
        self.identity = identity
        self.concurrency = setup.concurrency
        self.remote = setup.remote
        self.answers: AnswerForm = (
            setup.answers if settings.answers == "auto" else _form(settings.answers)
        )
        self._rules = tuple(rules)
        self._complete = complete
        self._seed = settings.seed
        self._draws = settings.samples > 1
        self._asked: Counter[str] = Counter()
        self._lock = Lock()

    def check(self) -> None:
        """Does nothing: it is always there."""

    def close(self) -> None:
        """Does nothing: nothing is held."""

    def count_tokens(self, text: str) -> int:
        """Returns the number of words."""
        return len(text.split())

    def ask(self, prompt: Prompt, *, sample: int = 0) -> Reply:
        """Returns the answer of the first rule that fits; equal for equal prompts and samples.

        Raises:
            RunError: a rule says so.
        """
        mark = f"{prompt.key}\x1f{sample}"
        with self._lock:
            self._asked[mark] += 1
            call = self._asked[mark]
        free = is_free(prompt)
        for rule in self._rules:
            if _fits(rule, prompt, sample=sample, call=call, free=free):
                reply = self._by(rule, prompt, sample)
                if reply is not None:
                    time.sleep(rule.wait_s)
                    return self._counted(reply, prompt, rule)
        if free:
            return self._counted(_choice(prompt, {o.label: 1.0 for o in prompt.options}), prompt)
        if self._complete:
            return Reply(failure=f"no rule: none of {len(self._rules)} fits this prompt")
        return self._counted(self._made_up(prompt, sample), prompt)

    def _by(self, rule: Rule, prompt: Prompt, sample: int) -> Reply | None:
        """What a rule answers; None where the prompt has not what it speaks of."""
        if rule.stop is not None:
            raise RunError(rule.stop)
        if rule.fail is not None:
            return Reply(rule.says or "", failure=rule.fail)
        if rule.says is not None:
            return Reply(rule.says)
        if rule.probabilities is not None:
            weights = _weights(rule.probabilities, prompt)
            if not weights:
                return None
            if self._draws and prompt.form == "json":
                weights = _drawn(weights, _number(self._seed, prompt.key, str(sample)))
            return _choice(prompt, weights)
        label = _meant(rule, prompt)
        return None if label is None else _choice(prompt, _sure(label, prompt))

    def _made_up(self, prompt: Prompt, sample: int) -> Reply:
        def number(of: str) -> float:
            return _number(self._seed, prompt.key, f"{sample}\x1f{of}")

        if not prompt.options:
            return Reply(json.dumps(_filled(prompt.schema, number), ensure_ascii=False))
        return _choice(prompt, {o.label: 0.05 + number(o.label) for o in prompt.options})

    def _counted(self, reply: Reply, prompt: Prompt, rule: Rule | None = None) -> Reply:
        read = rule.prompt_tokens if rule else None
        written = rule.answer_tokens if rule else None
        return Reply(
            text=reply.text,
            finish=rule.finish if rule else "stop",
            letters=reply.letters,
            prompt_tokens=self.count_tokens(prompt.system) + self.count_tokens(prompt.user)
            if read is None
            else read,
            answer_tokens=self.count_tokens(reply.text) if written is None else written,
            retries=rule.retries if rule else 0,
            failure=reply.failure,
        )


def _filled(schema: Mapping[str, Any], number: Callable[[str], float], at: str = "") -> Any:
    """An answer of the shape that a JSON Schema of ours asks for, drawn place by place."""
    if "enum" in schema:
        return schema["enum"][int(number(at) * len(schema["enum"]))]
    if schema["type"] == "object":
        asked: Mapping[str, Mapping[str, Any]] = schema["properties"]
        return {name: _filled(of, number, f"{at}.{name}") for name, of in asked.items()}
    if schema["type"] == "array":
        return [_filled(schema["items"], number, at)]
    if schema["type"] == "integer":
        low, high = schema["minimum"], schema["maximum"]
        return low + int(number(at) * (high - low + 1))
    return FEELINGS[int(number(at) * len(FEELINGS))]


def is_free(prompt: Prompt) -> bool:
    """Returns whether this is the question without a conversation, by which letters are weighed."""
    if prompt.form != "letter":
        return False
    return content_free(load("task", prompt.task), prompt).user == prompt.user


def _form(word: str) -> AnswerForm:
    return "letter" if word == "letter" else "json"


def _fits(rule: Rule, prompt: Prompt, *, sample: int, call: int, free: bool) -> bool:
    return (
        rule.free == free
        and rule.task in ("", prompt.task)
        and rule.contains in prompt.user
        and (not rule.matches or re.search(rule.matches, prompt.user) is not None)
        and rule.sample in (None, sample)
        and rule.call in (None, call)
        and (rule.share == 1 or _number(0, prompt.key, f"{sample}\x1fshare") < rule.share)
    )


def _meant(rule: Rule, prompt: Prompt) -> str | None:
    labels = [o.label for o in prompt.options]
    if rule.option is not None:
        place = rule.option - 1 if rule.option > 0 else len(labels) + rule.option
        return labels[place] if 0 <= place < len(labels) else None
    wanted = rule.label
    if rule.copies is not None:
        wanted = _first_named(prompt, behind=rule.copies)
    elif rule.field is not None:
        value = field_of(prompt, rule.field)
        wanted = next((v for k, v in (rule.map or {}).items() if value.startswith(k)), None)
    return wanted if wanted in labels else None


def field_of(prompt: Prompt, name: str) -> str:
    """Returns a field that the prompt shows beside the context (`paper` protocol); "" for none."""
    _, _, shown = prompt.user.rpartition(f"\n{wording.PAPER_HINTS}\n")
    for line in shown.splitlines():
        key, colon, value = line.partition(": ")
        if not colon:
            break
        if key == name:
            return str(json.loads(value))
    return ""


def _first_named(prompt: Prompt, *, behind: str) -> str | None:
    """The option that stands first in the summary behind a text, as a word of its own."""
    _, _, summary = prompt.user.partition(f"\n\n{wording.SUMMARY}\n")
    summary, _, _ = summary.rpartition(f"\n\n{wording.QUESTION.format(question='')}")
    if behind not in summary:
        return None
    rest = summary[summary.index(behind) + len(behind) :]
    found = {
        o.label: seen.start()
        for o in prompt.options
        if (seen := re.search(rf"(?<!\w){re.escape(o.shown)}(?!\w)", rest))
    }
    return min(found, key=found.__getitem__) if found else None


def _sure(label: str, prompt: Prompt) -> Mapping[str, float]:
    others = [o.label for o in prompt.options if o.label != label]
    return {label: SURE if others else 1.0} | {o: (1 - SURE) / len(others) for o in others}


def _weights(given: Mapping[str, float], prompt: Prompt) -> Mapping[str, float]:
    """The weight of each label: one that is named like a letter means itself."""
    found = {o.label: given.get(o.label, given.get(o.letter, 0.0)) for o in prompt.options}
    return {label: weight for label, weight in found.items() if weight > 0}


def _drawn(weights: Mapping[str, float], number: float) -> Mapping[str, float]:
    """One label drawn by its weight stands before the others."""
    ends = accumulate(weights.values())
    at = number * sum(weights.values())
    label = next(label for label, end in zip(weights, ends, strict=True) if at < end)
    return dict(weights) | {label: sum(weights.values())}


def _choice(prompt: Prompt, weights: Mapping[str, float]) -> Reply:
    """An answer to a closed question, in the form asked for; the likeliest first."""
    order = sorted(
        (o for o in prompt.options if o.label in weights), key=lambda o: -weights[o.label]
    )
    if prompt.form == "json":
        return Reply(json.dumps({"ranking": [o.shown for o in order]}, ensure_ascii=False))
    total = max(1.0, sum(weights.values()))
    letters = {o.letter: math.log(weights[o.label] / total) for o in order}
    return Reply(order[0].letter, letters=letters)


def _number(seed: int, *parts: str) -> float:
    """A number in [0, 1) that depends on all parts and nothing else."""
    digest = sha256("\x1f".join((str(seed), *parts)).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:7]) / 2**56


def backend(argument: str, settings: Settings) -> Backend:
    """Returns the scripted model: `fields`, the script in the file `argument`, or without one.

    Raises:
        DataError: the script cannot be read.
    """
    if not argument:
        return MockBackend("mock", "mock, answers by hash", settings)
    if argument in BUILT_IN:
        rules = BUILT_IN[argument]
        name = f"mock:{argument}"
        digest = sha256(repr(rules).encode()).hexdigest()
        return MockBackend(name, f"{name}@{digest[:16]}", settings, rules=rules)
    file = Path(argument).expanduser()
    setup, rules = read_script(file)
    digest = sha256(file.read_bytes()).hexdigest()
    name = f"mock:{file.name}"
    identity = f"{name}@{digest[:16]}"
    return MockBackend(name, identity, settings, setup=setup, rules=rules, complete=True)


BACKEND = backend
