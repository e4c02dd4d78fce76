"""What a kind of endpoint speaks: its client library, its requests, its replies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import ModuleType
from typing import Annotated, Any, Protocol

from pydantic import BeforeValidator

from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.prompts import Prompt

BYTES_PER_TOKEN = 3.5
MOST_TOKENS = 10**9
"""No call has as many: a server that counts more has not counted."""


def _counted(said: Any) -> int:
    """What a server says it counted; 0 for what is no count, as it must not void the answer."""
    is_number = isinstance(said, int | float) and not isinstance(said, bool)
    return int(said) if is_number and 0 <= said <= MOST_TOKENS else 0


Tokens = Annotated[int, BeforeValidator(_counted)]
"""A number of tokens in a server's reply."""


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
