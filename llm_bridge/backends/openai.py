"""`openai:NAME`: any endpoint that speaks OpenAI's chat completions."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable, Mapping
from types import ModuleType
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from relgraph.approach import Settings
from relgraph.errors import RelgraphError
from relgraph.llm_bridge.backends._address import require_address
from relgraph.llm_bridge.backends._base import Backend, Reply
from relgraph.llm_bridge.backends._dialect import Tokens
from relgraph.llm_bridge.backends._endpoint import Endpoint
from relgraph.llm_bridge.backends._http import Garbled
from relgraph.llm_bridge.calls.key import temperature_of
from relgraph.llm_bridge.prompts import Prompt

MOST_ALTERNATIVES = 20
"""First tokens whose log-probabilities an endpoint reports at most."""

WRITTEN_LETTER_TOKENS = 8
"""Room for a letter that is read as text: some models put a space or a bracket before it."""

LENIENT = ConfigDict(extra="ignore")


class _Token(BaseModel):
    model_config = LENIENT
    token: str
    logprob: float


class _Place(BaseModel):
    model_config = LENIENT
    top_logprobs: list[_Token] | None = None


class _Likelihoods(BaseModel):
    model_config = LENIENT
    content: list[_Place] | None = None


class _Message(BaseModel):
    model_config = LENIENT
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    model_config = LENIENT
    message: _Message
    finish_reason: str | None = None
    logprobs: _Likelihoods | None = None


class _Details(BaseModel):
    model_config = LENIENT
    cached_tokens: Tokens = 0


class _Usage(BaseModel):
    model_config = LENIENT
    prompt_tokens: Tokens = 0
    completion_tokens: Tokens = 0
    prompt_tokens_details: _Details | None = None


class _Completion(BaseModel):
    model_config = LENIENT
    choices: list[_Choice]
    usage: _Usage | None = None


class ChatCompletions:
    """OpenAI's chat completions; see `relgraph.llm_bridge.backends._dialect.Dialect`."""

    kind = "openai"
    keys: tuple[str, ...] = ("RELGRAPH_API_KEY", "OPENAI_API_KEY")
    home = "https://api.openai.com/v1"
    home_variable = "OPENAI_BASE_URL"
    keyless = "none"
    substitutes: Mapping[str, tuple[str, ...]] = {
        "max_tokens": ("max_tokens", "max_completion_tokens"),
        "response_format": ("response_format", "json_schema", "structured", "guided"),
        "temperature": ("temperature",),
        "seed": ("seed",),
        "logprobs": ("logprobs", "top_logprobs", "log probabilities"),
    }

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @property
    def sdk(self) -> ModuleType:
        """The client library."""
        import openai

        return openai

    def open(self, key: str, url: str, *, timeout_s: float) -> Any:
        """Returns the library's client."""
        import openai

        # A redirection would take transcripts, and a key, to where nobody allowed them to go.
        direct = openai.DefaultAsyncHttpxClient(follow_redirects=False)
        return openai.AsyncOpenAI(
            api_key=key, base_url=url, timeout=timeout_s, max_retries=0, http_client=direct
        )

    def create(self, client: Any) -> Callable[..., Awaitable[Any]]:
        """Returns what sends a request; the raw response is not parsed a second time."""
        create: Callable[..., Awaitable[Any]] = client.chat.completions.with_raw_response.create
        return create

    def request(self, prompt: Prompt, *, sample: int, left_out: frozenset[str]) -> dict[str, Any]:
        """Returns the arguments of a request, without what the server has refused."""
        settings = self._settings
        most_tokens = settings.answer_tokens
        wanted: dict[str, Any] = {
            "temperature": temperature_of(settings),
            "seed": settings.seed + sample,
        }
        if prompt.form == "letter":
            # One token is enough where its likelihoods come along.
            most_tokens = WRITTEN_LETTER_TOKENS if "logprobs" in left_out else 1
            wanted |= {"logprobs": True, "top_logprobs": MOST_ALTERNATIVES}
        else:
            schema = {"name": "answer", "schema": dict(prompt.schema), "strict": True}
            wanted["response_format"] = {"type": "json_schema", "json_schema": schema}
        most = "max_completion_tokens" if "max_tokens" in left_out else "max_tokens"
        refused = left_out | ({"top_logprobs"} if "logprobs" in left_out else set())
        return {
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            most: most_tokens,
            **{name: value for name, value in wanted.items() if name not in refused},
        }

    def read(self, body: str) -> Reply:
        """Returns the reply in the body of a chat completion.

        Raises:
            Garbled: the body is not one.
        """
        try:
            completion = _Completion.model_validate(json.loads(body))
            choice = completion.choices[0]
        except (ValueError, ValidationError, IndexError, RecursionError) as error:
            kind = "no choices" if isinstance(error, IndexError) else "not a chat completion"
            raise Garbled(f"garbled: the server's reply is {kind}", body) from None
        usage = completion.usage or _Usage()
        details = usage.prompt_tokens_details or _Details()
        refusal = (choice.message.refusal or "").strip()
        return Reply(
            text=choice.message.content or refusal,
            finish=choice.finish_reason or "stop",
            letters=_letters(choice.logprobs),
            prompt_tokens=usage.prompt_tokens,
            cached_tokens=min(details.cached_tokens, usage.prompt_tokens),
            answer_tokens=usage.completion_tokens,
            failure=f"refused: {refusal[:200]}" if refusal else "",
        )


def _letters(likelihoods: _Likelihoods | None) -> Mapping[str, float]:
    """Natural-log probability of each capital letter as the first token; spaces do not count."""
    if likelihoods is None or not likelihoods.content:
        return {}
    found: dict[str, float] = {}
    for said in likelihoods.content[0].top_logprobs or ():
        letter = said.token.strip()
        if len(letter) == 1 and "A" <= letter <= "Z" and math.isfinite(said.logprob):
            before = found.get(letter)
            found[letter] = said.logprob if before is None else _log_sum(before, said.logprob)
    return found


def _log_sum(one: float, other: float) -> float:
    return max(one, other) + math.log1p(math.exp(-abs(one - other)))


def backend(argument: str, settings: Settings) -> Backend:
    """Returns the model `argument` behind `settings.base_url`, else behind OpenAI's own.

    Raises:
        RelgraphError: no model name, or the address is not one.
    """
    if not argument:
        raise RelgraphError("--model openai: no model given; wanted: openai:NAME.")
    if settings.base_url:
        require_address(settings.base_url)
    return Endpoint(argument, settings, ChatCompletions(settings))


BACKEND = backend
