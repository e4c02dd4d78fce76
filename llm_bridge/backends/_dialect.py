"""What a kind of endpoint speaks: its client library, its requests, its replies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import ModuleType
from typing import Any, Protocol

from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.prompts import Prompt

BYTES_PER_TOKEN = 3.5


class Dialect(Protocol):
    """One way to ask over HTTP.

    Attributes:
        kind: name of the backend, as `openai`.
        keys: environment variables that may hold the key, the first that does counts.
        home: address where none is given.
        home_variable: environment variable that names another.
        keyless: what is sent where an endpoint of one's own asks for no key.
        substitutes: options that some servers and models refuse, and the words by which a refusal
            names them.
    """

    kind: str
    keys: tuple[str, ...]
    home: str
    home_variable: str
    keyless: str
    substitutes: Mapping[str, tuple[str, ...]]

    @property
    def sdk(self) -> ModuleType:
        """The client library.

        Raises:
            MissingPackageError: it is not installed.
        """
        ...

    def open(self, key: str, url: str, *, timeout_s: float) -> Any:
        """Returns the library's asynchronous client, without retries of its own."""
        ...

    def create(self, client: Any) -> Callable[..., Awaitable[Any]]:
        """Returns what sends a request and gives back the raw response."""
        ...

    def request(self, prompt: Prompt, *, sample: int, left_out: frozenset[str]) -> dict[str, Any]:
        """Returns the arguments of `create`.

        Args:
            prompt: what is asked.
            sample: which of several answers.
            left_out: the options in `substitutes` that the server has refused.
        """
        ...

    def read(self, body: str) -> Reply:
        """Returns the reply in the body of a good response.

        Raises:
            Garbled: it is none.
        """
        ...


def estimated_tokens(text: str) -> int:
    """Returns an estimate for a tokenizer that is not at hand: 3.5 bytes a token."""
    return -int(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)
