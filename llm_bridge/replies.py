"""The answer in a reply: what a model wrote beside its thoughts, and the one JSON object in it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

_OPEN = r"[<\[\u25c1](think|thinking|thought|reasoning|reflection|seed:think)[>\]\u25b7]"
THOUGHT = re.compile(rf"{_OPEN}.*?[<\[\u25c1]/\1[>\]\u25b7]", re.DOTALL | re.IGNORECASE)
BEGUN_THOUGHT = re.compile(rf"\A.*{_OPEN.replace('(', '/(', 1)}", re.DOTALL | re.IGNORECASE)
"""Some chat templates open the thinking themselves: the reply then only closes it."""
OPEN_THOUGHT = re.compile(_OPEN, re.IGNORECASE)
CHANNEL = re.compile(r"<\|channel\|>(\w+)[^<]*<\|message\|>")
"""Models that write in channels think in `analysis` and answer in `final`."""

REFUSAL = re.compile(
    r"\b(?:i['\u2019]?m sorry|i am sorry|i apologi[sz]e|i (?:can(?:no|['\u2019])?t|won['\u2019]?t|"
    r"will not)|i(?:['\u2019]m| am) (?:unable|not able) to|as an ai\b|"
    r"tut mir leid|ich kann .{0,40}nicht|d\u00e9sol\u00e9e?|je ne (?:peux|suis) pas|"
    r"lo siento|no puedo|desculpe|sinto muito|n\u00e3o posso|mi dispiace|non posso|"
    r"het spijt me|\u0438\u0437\u0432\u0438\u043d\u0438\u0442\u0435|"
    r"\u043d\u0435 \u043c\u043e\u0433\u0443)|"
    r"\u62b1\u6b49|\u5bf9\u4e0d\u8d77|\u6211(?:\u65e0\u6cd5|\u4e0d\u80fd)|\u7533\u3057\u8a33|\uc8c4\uc1a1",
    re.IGNORECASE,
)
"""English, German, French, Spanish, Portuguese, Italian, Dutch, Russian, Chinese, Japanese, Korean.
It only names the cause of a reply that holds no answer; no answer is looked for in it."""

UNSEEN = re.compile(r"[\s\u00ad\u200b-\u200f\u2060\ufeff]+")
CALLS = ("tool_calls", "tool_use", "function_call")
OPENING = re.compile(r"\{|\[(?=\s*\{)")
CUT = "the JSON does not end; allow more answer tokens"


class AnswerError(ValueError):
    """An answer that cannot be used; its text is the cause: a word, a colon, the details."""


def spoken(text: str, *, finish: str = "stop") -> tuple[str, bool]:
    """Returns what a reply says beside its thoughts, and whether it ends within a thought.

    Raises:
        AnswerError: it says nothing, or was held back.
    """
    if finish == "content_filter":
        raise AnswerError("filtered: the server held the answer back")
    if finish == "refusal":
        raise AnswerError("refused: the model declined to answer")
    said = BEGUN_THOUGHT.sub("", THOUGHT.sub("", text))
    channels = list(CHANNEL.finditer(said))
    if channels:
        last = channels[-1]
        said = said[last.end() :] if last[1] == "final" else said[: channels[0].start()]
    thinking = OPEN_THOUGHT.search(said)
    unfinished = bool(thinking) or bool(channels and channels[-1][1] != "final")
    said = (said[: thinking.start()] if thinking else said).strip()
    if UNSEEN.fullmatch(said) or not said:
        if unfinished:
            raise AnswerError("truncated: the thinking did not end; allow more answer tokens")
        if finish == "length":
            raise AnswerError("truncated: no answer before the tokens ended; allow more")
        if finish in CALLS:
            raise AnswerError("empty: the model called a tool in place of an answer")
        raise AnswerError("empty: the reply holds nothing" + (" but thoughts" if text else ""))
    return said, unfinished


def extract_object(text: str, *, finish: str = "stop") -> dict[str, Any]:
    """Returns the one JSON object that a reply holds.

    Raises:
        AnswerError: there is none, or there are several that differ.
    """
    said, unfinished = spoken(text, finish=finish)
    found = _objects(said)
    if not found and unfinished:
        raise AnswerError("truncated: the thinking did not end; allow more answer tokens")
    if not found:
        raise AnswerError(why_none(said, finish) or "no JSON: the reply holds no object")
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


def why_none(said: str, finish: str) -> str:
    """Returns why a reply that says something holds no answer; "" where that cannot be told."""
    if finish == "length":
        return f"truncated: {CUT}"
    if REFUSAL.search(said):
        return "refused: the model declined to answer"
    if said.startswith("["):
        return "wrong shape: a list where one object was wanted"
    return ""
