"""From an LLM's reply to a prediction: into the closed set, or a failure with its cause.

Nothing is guessed and nothing is repaired: an answer that is not exactly one of those asked for is
a failed item, and keeps the reply as it came.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.prompts import Option, Prompt
from relgraph.records import Emotion, Prediction, Viewpoint

THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
BEGUN_THOUGHT = re.compile(r"\A.*</(think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
"""Some chat templates open the thinking themselves: the reply then only closes it."""
OPEN_THOUGHT = re.compile(r"<(think|thinking|reasoning)>", re.IGNORECASE)
REFUSAL = re.compile(
    r"\b(?:i['\u2019]?m sorry|i am sorry|i apologi[sz]e|i (?:can(?:no|['\u2019])?t|am unable to|"
    r"won['\u2019]?t|will not)|as an ai\b)",
    re.IGNORECASE,
)
OPENING = re.compile(r"\{|\[(?=\s*\{)")
LETTERED = re.compile(r"\(?([A-Za-z])[).:]\s*(.+)", re.DOTALL)

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
CUT = "the JSON does not end; allow more answer tokens"
M = TypeVar("M", bound=BaseModel)
STRICT = ConfigDict(strict=True, extra="ignore", frozen=True)


class AnswerError(ValueError):
    """An answer that cannot be used; its text is the cause: a word, a colon, the details."""


class RankingAnswer(BaseModel):
    """The answer to a closed question."""

    model_config = STRICT
    ranking: list[Words] = Field(min_length=1)


class EmotionAnswer(BaseModel):
    """The answer to ER. An intensity outside 0 to 10 is no answer; it is not clamped."""

    model_config = STRICT
    emotion: Words
    intensity: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)]


class ViewpointAnswer(BaseModel):
    """One viewpoint of an answer to VP."""

    model_config = STRICT
    source: Words
    target: Words
    viewpoint: Words


class ViewpointsAnswer(BaseModel):
    """The answer to VP."""

    model_config = STRICT
    viewpoints: list[ViewpointAnswer] = Field(min_length=1)


def read_answer(prompt: Prompt, reply: Reply, *, instance: str) -> Prediction:
    """Returns the prediction that a JSON reply holds; without cost and reasons.

    Text around the object, code fences and thoughts in `<think>` are left aside. A failure names
    its cause first: `empty`, `truncated`, `refused`, `filtered`, `no JSON`, `two answers`,
    `wrong shape`, `out of range`, `unknown label`; or the backend's own. A label counts in any
    case, and by its letter; a label named twice keeps its first place.
    """
    if reply.failure:
        return Prediction(instance=instance, failure=reply.failure, raw=reply.text)
    try:
        found = extract_object(reply.text, finish=reply.finish)
        if prompt.kind == "emotion":
            felt = _validated(EmotionAnswer, found)
            emotion = Emotion(_speaker(prompt), felt.emotion, felt.intensity)
            return Prediction(instance=instance, emotion=emotion)
        if prompt.kind == "viewpoints":
            views = _validated(ViewpointsAnswer, found).viewpoints
            return Prediction(
                instance=instance, viewpoints=tuple(_viewpoint(v, prompt) for v in views)
            )
        labels = [_label(said, prompt.options) for said in _validated(RankingAnswer, found).ranking]
        place = [o.label for o in prompt.options].index(labels[0]) + 1
        return Prediction(
            instance=instance,
            ranking=tuple(dict.fromkeys(labels)),
            because=(f"position {place} of {len(prompt.options)}",),
        )
    except AnswerError as error:
        return Prediction(instance=instance, failure=str(error), raw=reply.text)


def read_letters(
    prompt: Prompt, reply: Reply, prior: Mapping[str, float], *, instance: str
) -> Prediction:
    """Returns the ranking of a closed set by the probabilities of its letters.

    A letter's probability is divided by what the model gives it when there is nothing to choose
    by (`prior`), then all are scaled to sum to 1. Both are natural logs. A letter without a
    probability fails the item: the rest would be ranked on a set that was never asked.
    """
    if reply.failure:
        return Prediction(instance=instance, failure=reply.failure, raw=reply.text)
    letters = [o.letter for o in prompt.options]
    absent = [x for x in letters if x not in reply.letters or x not in prior]
    if absent:
        cause = f"missing letter: no probability for {', '.join(absent)} of {len(letters)} options"
        return Prediction(instance=instance, failure=cause, raw=reply.text)
    scores = [reply.letters[x] - prior[x] for x in letters]
    top = max(scores)
    weights = [math.exp(s - top) for s in scores]
    order = sorted(range(len(letters)), key=lambda k: -weights[k])
    total = sum(weights)
    mass = sum(math.exp(reply.letters[x]) for x in letters)
    return Prediction(
        instance=instance,
        ranking=tuple(prompt.options[k].label for k in order),
        probabilities=tuple(weights[k] / total for k in order),
        because=(
            f"position {order[0] + 1} of {len(letters)}",
            f"{100 * mass:.0f}% of the probability on letters",
        ),
    )


def extract_object(text: str, *, finish: str = "stop") -> dict[str, Any]:
    """Returns the one JSON object that a reply holds.

    Raises:
        AnswerError: there is none, or there are several that differ.
    """
    if finish == "content_filter":
        raise AnswerError("filtered: the server held the answer back")
    said = BEGUN_THOUGHT.sub("", THOUGHT.sub("", text)).strip()
    thinking = OPEN_THOUGHT.search(said)
    if thinking:
        said = said[: thinking.start()]
    if thinking and not OPENING.search(said):
        raise AnswerError("truncated: the thinking did not end; allow more answer tokens")
    if not said:
        if finish == "length":
            raise AnswerError("truncated: no answer before the tokens ended; allow more")
        raise AnswerError("empty: the reply holds nothing" + (" but thoughts" if text else ""))
    found = _objects(said)
    if not found:
        raise AnswerError(_why_none(said, finish))
    if any(other != found[0] for other in found[1:]):
        raise AnswerError(f"two answers: {len(found)} JSON objects that differ")
    return found[0]


def _objects(text: str) -> list[dict[str, Any]]:
    decoder = json.JSONDecoder(
        object_pairs_hook=_no_repeats, parse_constant=_no_constant, parse_int=_whole_number
    )
    found: list[dict[str, Any]] = []
    place = 0
    while (opening := OPENING.search(text, place)) is not None:
        try:
            value, place = decoder.raw_decode(text, opening.start())
        except json.JSONDecodeError as error:
            # What stands inside a broken object is a part of an answer, never an answer.
            ends = error.pos >= len(text) or error.msg.startswith("Unterminated string")
            broken = f"no JSON: {error.msg} at character {error.pos + 1}"
            raise AnswerError(f"truncated: {CUT}" if ends else broken) from None
        except RecursionError:
            raise AnswerError("no JSON: nested too deep") from None
        if not isinstance(value, dict):
            raise AnswerError("wrong shape: a list where one object was wanted")
        found.append(value)
    return found


def _no_repeats(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise AnswerError("two answers: a key stands twice in the JSON object")
    return made


def _whole_number(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise AnswerError("out of range: a number of thousands of digits") from None


def _no_constant(word: str) -> Any:
    raise AnswerError(f"out of range: {word} is not a number")


def _why_none(said: str, finish: str) -> str:
    if finish == "length":
        return f"truncated: {CUT}"
    if REFUSAL.search(said):
        return "refused: the model declined to answer"
    if said.startswith("["):
        return "wrong shape: a list where one object was wanted"
    return "no JSON: the reply holds no object"


def _validated(model: type[M], found: dict[str, Any]) -> M:
    try:
        return model.model_validate(found)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        ranges = ("greater_than_equal", "less_than_equal", "finite_number")
        cause = "out of range" if first["type"] in ranges else "wrong shape"
        raise AnswerError(f"{cause}: {where}: {first['msg']}") from None


def _label(said: str, options: Sequence[Option]) -> str:
    """The option meant: its name as shown, in any case if that is clear, or its letter."""
    for form in (str, str.casefold):
        named = [o.label for o in options if form(said) in (form(o.shown), form(o.label))]
        if len(named) == 1:
            return named[0]
    lone = [o.label for o in options if said.upper() == o.letter]
    if lone:
        return lone[0]
    lettered = LETTERED.fullmatch(said)
    if lettered:
        label = _label(lettered[2].strip(), options)
        if any(o.letter == lettered[1].upper() and o.label == label for o in options):
            return label
    raise AnswerError(f"unknown label: {said[:80]!r} is none of the {len(options)} options")


def _viewpoint(said: ViewpointAnswer, prompt: Prompt) -> Viewpoint:
    return Viewpoint(
        _person(said.source, prompt.people), _person(said.target, prompt.people), said.viewpoint
    )


def _person(said: str, people: Sequence[tuple[str, str]]) -> str:
    for form in (str, str.casefold):
        named = [label for label, shown in people if form(said) in (form(label), form(shown))]
        if len(named) == 1:
            return named[0]
    raise AnswerError(f"unknown label: {said[:80]!r} is none of the people of the conversation")


def _speaker(prompt: Prompt) -> str:
    return prompt.people[0][0] if prompt.people else ""
