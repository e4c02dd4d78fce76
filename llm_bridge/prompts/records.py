"""The records of a prompt: what is sent, and what is needed to read the answer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from relgraph.tasks import Answer

AnswerForm = Literal["letter", "json"]
"""How a closed question is answered: by one letter whose probability is read, or in JSON."""


def _no_schema() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Layout:
    """How prompts are laid out.

    Attributes:
        answers: the form of answers to closed questions that the backend can give.
        seed: of the draw that orders the options.
        context_tokens: budget of the transcript; the oldest turns go first.
        count: how many tokens a text has, by the backend's tokenizer or its estimate.
    """

    answers: AnswerForm
    seed: int
    context_tokens: int
    count: Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Option:
    """An option as it is asked: its letter, its label in the data, the label as it is shown."""

    letter: str
    label: str
    shown: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question to an LLM.

    Attributes:
        task: name of the task.
        kind: what is answered: `choice` of a closed set, `emotion` or `viewpoints`.
        form: `letter` or `json`; open answers are always JSON.
        system: the fixed words and the definitions of the labels.
        user: the transcript, the summary if there is one, and the question.
        options: the closed set in the order asked.
        people: open answers: the people they may name, the speaker of the last turn first, as
            (name in the data, name shown).
        schema: JSON Schema of the answer; empty for a letter.
        dropped: what did not fit and is not in the prompt, in words.
        remarks: what else a reader of the answer has to know of the prompt, in words.
        portions: ends of the parts of `user` that other prompts begin with too, as numbers of
            characters, ascending; an engine that keeps what it has read reads in these steps, so
            that its answer does not depend on what it had kept.
    """

    task: str
    kind: Answer
    form: AnswerForm
    system: str
    user: str
    options: tuple[Option, ...] = ()
    people: tuple[tuple[str, str], ...] = ()
    schema: Mapping[str, Any] = field(default_factory=_no_schema, hash=False)
    dropped: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    portions: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The prompt as a person reads it: both messages, each under its role."""
        return f"### system\n{self.system}\n\n### user\n{self.user}\n"

    @property
    def key(self) -> str:
        """A hash of all that is sent."""
        return hashlib.sha256(f"{self.system}\x1f{self.user}".encode()).hexdigest()
