"""Prices of models, from a file: none are built in, since they would soon be wrong."""

from __future__ import annotations

import csv
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from io import StringIO
from math import isfinite
from pathlib import Path
from typing import Any

from relgraph.errors import DataError
from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.prompts import Prompt

A_MILLION = 1_000_000
COLUMNS = ("input", "output", "cached_input")
TEMPLATE_TOKENS = 256
"""Room for what a server puts around two messages."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars a million tokens: of prompts, of answers, of prompts that the server had kept."""

    input: float
    output: float
    cached_input: float

    def of(self, prompt_tokens: float, answer_tokens: float, cached_tokens: float = 0) -> float:
        """Returns what so many tokens cost, in US dollars; the cached ones are of the prompt's."""
        read = max(0.0, prompt_tokens - cached_tokens)
        total = read * self.input + cached_tokens * self.cached_input + answer_tokens * self.output
        return total / A_MILLION

    def of_reply(self, reply: Reply) -> float:
        """Returns what a reply cost."""
        return self.of(reply.prompt_tokens, reply.answer_tokens, reply.cached_tokens)

    def most(self, prompt: Prompt, *, answer_tokens: int) -> float:
        """Returns a bound that a call's cost stays below: no token is shorter than a byte."""
        schema = json.dumps(dict(prompt.schema)) if prompt.schema else ""
        sent = sum(len(text.encode()) for text in (prompt.system, prompt.user, schema))
        return self.of(sent + TEMPLATE_TOKENS, answer_tokens)


def price_of(file: str, model: str) -> Price | None:
    """Returns the price of a model, as `openai:NAME`; None where the file has none, or is "".

    An entry's name is that of `--model`, or the part after `:`, and may hold `*`, `?` and `[...]`.
    An exact name goes before a pattern, and the earlier pattern before the later one.

    Raises:
        DataError: the file is no file of prices.
    """
    prices = _read(file) if file else {}
    called = (model, model.partition(":")[2] or model)
    for name in called:
        if name in prices:
            return prices[name]
    return next(
        (p for name, p in prices.items() if any(fnmatchcase(m, name) for m in called)), None
    )


def _read(file: str) -> Mapping[str, Price]:
    path = Path(file).expanduser()
    kind = path.suffix.casefold()
    try:
        text = path.read_text(encoding="utf-8-sig")
        if kind == ".toml":
            found: Any = tomllib.loads(text)
        elif kind == ".csv":
            found = _rows(path, text)
        else:
            found = json.loads(text)
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or error}. Name a file of prices.") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not {kind[1:].upper() or 'JSON'} ({error}).") from None
    if not isinstance(found, dict) or not found:
        raise DataError(f"{path}: wanted a table of models, each with {', '.join(COLUMNS)}.")
    return {name: _price(f"{path}: model {name!r}", row) for name, row in found.items()}


def _rows(path: Path, text: str) -> dict[str, dict[str, str]]:
    rows = csv.DictReader(StringIO(text))
    if "model" not in (rows.fieldnames or ()):
        raise DataError(f"{path}: wanted the columns model, {', '.join(COLUMNS)}.")
    return {str(row["model"]): {k: v for k, v in row.items() if k in COLUMNS and v} for row in rows}


def _price(where: str, row: Any) -> Price:
    if not isinstance(row, Mapping) or not {"input", "output"} <= set(row) <= set(COLUMNS):
        raise DataError(
            f"{where}: got {row!r}, wanted input, output and, where it differs, cached_input, in "
            "US dollars a million tokens."
        )
    numbers = {name: _number(where, name, row[name]) for name in row}
    return Price(numbers["input"], numbers["output"], numbers.get("cached_input", numbers["input"]))


def _number(where: str, name: str, value: Any) -> float:
    try:
        number = float(value) if not isinstance(value, bool) else -1.0
    except (TypeError, ValueError):
        number = -1.0
    if not (isfinite(number) and number >= 0):
        raise DataError(f"{where}: {name} is {value!r}, wanted US dollars from 0 on.")
    return number
