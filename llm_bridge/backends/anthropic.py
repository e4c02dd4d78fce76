"""`anthropic:NAME`: Anthropic's messages, through its own client."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from relgraph.approach import Settings
from relgraph.errors import RelgraphError, missing_package
from relgraph.llm_bridge.backends._address import require_address
from relgraph.llm_bridge.backends._base import Backend, Reply
from relgraph.llm_bridge.backends._dialect import Tokens
from relgraph.llm_bridge.backends._endpoint import Endpoint
from relgraph.llm_bridge.backends._http import Garbled
from relgraph.llm_bridge.calls.key import temperature_of
from relgraph.llm_bridge.prompts import Prompt

WRITTEN_LETTER_TOKENS = 8
FINISHES = {"max_tokens": "length", "refusal": "content_filter"}
"""How our word for why an answer ended differs from theirs; the others mean `stop`."""

UNHELD = frozenset({"minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum"})
"""Words of JSON Schema that the endpoint refuses; answers are checked when they are read."""

LENIENT = ConfigDict(extra="ignore")


class _Block(BaseModel):
    model_config = LENIENT
    type: str
    text: str = ""


class _Usage(BaseModel):
    model_config = LENIENT
    input_tokens: Tokens = 0
    output_tokens: Tokens = 0
    cache_read_input_tokens: Tokens = 0
    cache_creation_input_tokens: Tokens = 0


class _Message(BaseModel):
    model_config = LENIENT
    content: list[_Block]
    stop_reason: str | None = None
    usage: _Usage | None = None


class Messages:
    """Anthropic's messages; see `relgraph.llm_bridge.backends._dialect.Dialect`.

    It draws without a seed and reports no likelihoods: letters are read as text.
    """

    kind = "anthropic"
    keys: tuple[str, ...] = ("RELGRAPH_API_KEY", "ANTHROPIC_API_KEY")
    home = "https://api.anthropic.com"
    home_variable = "ANTHROPIC_BASE_URL"
    keyless = "none"
    substitutes: Mapping[str, tuple[str, ...]] = {
        "output_config": ("output_config", "output_format", "json_schema", "structured"),
        "temperature": ("temperature",),
    }

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @property
    def sdk(self) -> ModuleType:
        """The client library.

        Raises:
            MissingPackageError: it is not installed.
        """
        try:
            import anthropic
        except ModuleNotFoundError:
            raise missing_package(
                "anthropic", "--model anthropic:NAME", "pip install 'relgraph[anthropic]'"
            ) from None
        return anthropic

    def open(self, key: str, url: str, *, timeout_s: float) -> Any:
        """Returns the library's client."""
        # A redirection would take transcripts, and a key, to where nobody allowed them to go.
        direct = self.sdk.DefaultAsyncHttpxClient(follow_redirects=False)
        home = url.removesuffix("/v1")
        return self.sdk.AsyncAnthropic(
            api_key=key, base_url=home, timeout=timeout_s, max_retries=0, http_client=direct
        )

    def create(self, client: Any) -> Callable[..., Awaitable[Any]]:
        """Returns what sends a request; the raw response is not parsed a second time."""
        create: Callable[..., Awaitable[Any]] = client.messages.with_raw_response.create
        return create

    def request(self, prompt: Prompt, *, sample: int, left_out: frozenset[str]) -> dict[str, Any]:
        """Returns the arguments of a request, without what the server has refused."""
        del sample  # without a seed every draw is another one
        is_letter = prompt.form == "letter"
        more: dict[str, Any] = {"temperature": temperature_of(self._settings)}
        if not is_letter:
            held = {"type": "json_schema", "schema": _held(dict(prompt.schema))}
            more["output_config"] = {"format": held}
        most = WRITTEN_LETTER_TOKENS if is_letter else self._settings.answer_tokens
        # The body itself: older versions of the library know no `output_config`.
        return {
            "max_tokens": most,
            "system": prompt.system,
            "messages": [{"role": "user", "content": prompt.user}],
            "extra_body": {name: value for name, value in more.items() if name not in left_out},
        }

    def read(self, body: str) -> Reply:
        """Returns the reply in the body of a message.

        Raises:
            Garbled: the body is not one.
        """
        try:
            message = _Message.model_validate(json.loads(body))
        except (ValueError, ValidationError, RecursionError):
            raise Garbled("garbled: the server's reply is not a message", body) from None
        usage = message.usage or _Usage()
        kept = usage.cache_read_input_tokens
        said = Reply(
            text="".join(block.text for block in message.content if block.type == "text"),
            finish=FINISHES.get(message.stop_reason or "", "stop"),
            prompt_tokens=usage.input_tokens + kept + usage.cache_creation_input_tokens,
            cached_tokens=kept,
            answer_tokens=usage.output_tokens,
        )
        if message.stop_reason == "refusal":
            cause = f"refused: {said.text.strip()[:200] or 'the model declined to answer'}"
            return replace(said, failure=cause)
        return said


def _held(schema: Any) -> Any:
    """The schema without the words that the endpoint refuses."""
    if isinstance(schema, Mapping):
        return {k: _held(v) for k, v in schema.items() if k not in UNHELD}
    return [_held(v) for v in schema] if isinstance(schema, list) else schema


def backend(argument: str, settings: Settings) -> Backend:
    """Returns the model `argument` behind `settings.base_url`, else behind Anthropic's own.

    Raises:
        RelgraphError: no model name, no client library, or the address is not one.
    """
    if not argument:
        raise RelgraphError("--model anthropic: no model given; wanted: anthropic:NAME.")
    if settings.base_url:
        require_address(settings.base_url)
    dialect = Messages(settings)
    _ = dialect.sdk
    return Endpoint(argument, settings, dialect)


BACKEND = backend
