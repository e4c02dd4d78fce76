"""From an LLM's reply to a prediction: into the closed set, or a failure with its cause.

Nothing is guessed and nothing is repaired: an answer that is not exactly one of those asked for is
a failed item, and keeps the reply as it came.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.prompts import Option, Prompt
from relgraph.llm_bridge.replies import AnswerError, extract_object, spoken, why_none
from relgraph.records import Emotion, Prediction, Viewpoint

LETTERED = re.compile(r"\(?([A-Za-z])[).:]\s*(.+)", re.DOTALL)
LONE_LETTER = re.compile(r"[\s*_`\"'(\[]*([A-Za-z])[\s*_`\"')\].:]*")
SEVERAL_LETTERS = re.compile(r"[A-Z](?:(?:\s*[,;/>|&\s]\s*|\s+(?:and|or)\s+)[A-Z])+[\s.]*")

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
M = TypeVar("M", bound=BaseModel)
STRICT = ConfigDict(strict=True, extra="ignore", frozen=True)


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


def read_letter_text(prompt: Prompt, reply: Reply, *, instance: str) -> Prediction:
    """Returns the one option that a reply names by its letter; without probabilities.

    For models that report no likelihoods. The reply has to be the letter, in any case, with or
    without brackets, quotes and stops around it; or the letter and the label that belongs to it;
    or the label alone. The causes are those of `read_answer`, and `no letter`.
    """
    if reply.failure:
        return Prediction(instance=instance, failure=reply.failure, raw=reply.text)
    try:
        label = _letter(*spoken(reply.text, finish=reply.finish), prompt.options, reply.finish)
    except AnswerError as error:
        return Prediction(instance=instance, failure=str(error), raw=reply.text)
    place = [o.label for o in prompt.options].index(label) + 1
    because = (f"position {place} of {len(prompt.options)}",)
    return Prediction(instance=instance, ranking=(label,), because=because)


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


def _letter(said: str, unfinished: bool, options: Sequence[Option], finish: str) -> str:
    """The option that a whole reply names; what stands before a thought is none yet."""
    if unfinished:
        raise AnswerError("truncated: the thinking did not end; allow more answer tokens")
    lone = LONE_LETTER.fullmatch(said)
    if lone and finish == "length":
        # It may begin a word: "A couple that ...".
        raise AnswerError("truncated: cut behind the letter; allow more answer tokens")
    if lone:
        named = [o.label for o in options if o.letter == lone[1].upper()]
        if not named:
            raise AnswerError(f"unknown label: {said[:80]!r} is none of {len(options)} letters")
        return named[0]
    try:
        # A name that is shown in quotes counts with them, before what is only set in some.
        known = any(said in (o.shown, o.label) for o in options)
        return _label(said if known else said.strip("*_`\"'. \n"), options)
    except AnswerError as error:
        if SEVERAL_LETTERS.fullmatch(said):
            raise AnswerError("two answers: several letters") from None
        if LETTERED.fullmatch(said) and finish != "length":
            raise error
    raise AnswerError(why_none(said, finish) or "no letter: the reply is not one letter")


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
