"""`openai:NAME`: any endpoint that speaks OpenAI's chat completions."""

from __future__ import annotations

import os
import re
import weakref
from contextlib import suppress
from functools import cached_property
from ipaddress import ip_address
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from relgraph.approach import Settings
from relgraph.errors import RelgraphError, RunError
from relgraph.llm_bridge.backends._base import Backend, Reply
from relgraph.llm_bridge.backends._deadline import Line, send_off
from relgraph.llm_bridge.backends._http import (
    BYTES_PER_TOKEN,
    Rejected,
    Retrying,
    read_completion,
)
from relgraph.llm_bridge.calls.key import temperature_of
from relgraph.llm_bridge.prompts import AnswerForm, Prompt
from relgraph.terminal import tell

if TYPE_CHECKING:
    import openai

KEYS = ("RELGRAPH_API_KEY", "OPENAI_API_KEY")
NO_KEY = "none"
"""What is sent to an endpoint of one's own that asks for no key."""

LONGEST_CHECK_S = 30.0
LONGEST_CLOSE_S = 5.0
HOME = "https://api.openai.com/v1"
SUBSTITUTES: dict[str, tuple[str, ...]] = {
    "max_tokens": ("max_tokens", "max_completion_tokens"),
    "response_format": ("response_format", "json_schema", "structured", "guided"),
    "temperature": ("temperature",),
    "seed": ("seed",),
}
"""Options that some servers and models refuse, and the words by which a refusal names them."""


class OpenAIBackend:
    """A model behind an OpenAI-compatible endpoint; closed sets are answered in JSON.

    The key comes from the environment alone and appears nowhere else.
    """

    answers: AnswerForm = "json"
    keeps_prefix = False
    notice = ""

    def __init__(self, model: str, settings: Settings) -> None:
        self.name = f"openai:{model}"
        self.concurrency = max(1, settings.concurrency)
        self._model = model
        self._settings = settings
        self._url = settings.base_url or os.environ.get("OPENAI_BASE_URL", "") or HOME
        self._place = without_login(self._url)
        self.identity = f"{model} at {self._place}"
        self.remote = not on_this_machine(self._url)
        self._retrying = Retrying(retries=settings.retries)
        self._line = Line()
        self._refused: frozenset[str] = frozenset()
        self._lock = Lock()

    def count_tokens(self, text: str) -> int:
        """Returns an estimate, 3.5 bytes a token: an endpoint's tokenizer is not at hand."""
        return -int(-len(text.encode()) // BYTES_PER_TOKEN)

    def check(self) -> None:
        """Asks for the endpoint's list of models, which costs nothing.

        Raises:
            RelgraphError: there is no key.
            RunError: the endpoint cannot be reached, or refuses the key.
        """
        import openai

        try:
            wait_s = min(self._settings.timeout_s, LONGEST_CHECK_S)
            listing = self._client.with_options(timeout=wait_s).models.with_raw_response.list
            self._line.run(listing, timeout_s=wait_s)
        except TimeoutError:
            raise self._unreachable(f"no answer in {wait_s:g} s") from None
        except openai.APIConnectionError as error:
            raise self._unreachable(str(error.__cause__ or error)) from None
        except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
            raise self._denied(error.status_code) from None
        except openai.OpenAIError:
            # Reached: that it lists no models says nothing about answering questions.
            return

    def ask(self, prompt: Prompt, *, sample: int = 0) -> Reply:
        """Returns the reply, after as many tries as it takes and the settings allow."""
        tries, retrying = 0, self._retrying
        while True:
            refused = self._refused
            try:
                reply = retrying.run(lambda: self._send(prompt, sample), redact=self._redact)
            except Rejected as error:
                option = self._option_refused(error, refused)
                tries += 1
                if option and tries <= len(SUBSTITUTES):
                    self._leave_out(option)
                    continue
                reply = self._final(error)
            if reply.failure.startswith("connection") and not retrying.stopped:
                # One answer lost is one failed item; an endpoint gone fails the run, to be resumed.
                self.check()
            return reply

    def close(self) -> None:
        """Ends all waiting and asking; the next question opens the connection again."""
        self._retrying.stop()
        self._line.drop()
        client = self.__dict__.pop("_client", None)
        if client is not None:
            self._farewell.detach()
            # A farewell that hangs must not stand before the error that ended the run.
            with suppress(TimeoutError):
                self._line.run(client.close, timeout_s=LONGEST_CLOSE_S)
        self._retrying = Retrying(retries=self._settings.retries)

    @cached_property
    def _client(self) -> openai.AsyncOpenAI:
        import openai

        client = openai.AsyncOpenAI(
            api_key=self._key, base_url=self._url, timeout=self._settings.timeout_s, max_retries=0
        )
        # Connections are kept for the next question; a backend that goes takes them along.
        self._farewell = weakref.finalize(self, send_off, client.close)
        return client

    @property
    def _key(self) -> str:
        found = next((os.environ[k] for k in KEYS if os.environ.get(k)), "")
        if found or self._url != HOME:
            return found.strip() or NO_KEY
        raise RelgraphError(
            f"--model {self.name}: no API key. Set the environment variable {KEYS[0]} or "
            f"{KEYS[1]}, or name an endpoint of your own with --base-url."
        )

    def _send(self, prompt: Prompt, sample: int) -> Reply:
        create = self._client.chat.completions.with_raw_response.create
        reply = self._line.run(
            lambda: create(**self._request(prompt, sample)), timeout_s=self._settings.timeout_s
        )
        return read_completion(reply.http_response.text)

    def _request(self, prompt: Prompt, sample: int) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
        }
        wanted = {
            "max_tokens": self._settings.answer_tokens,
            "temperature": temperature_of(self._settings),
            "seed": self._settings.seed + sample,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": dict(prompt.schema), "strict": True},
            },
        }
        request |= {k: v for k, v in wanted.items() if k not in self._refused}
        if "max_tokens" in self._refused:
            request["max_completion_tokens"] = self._settings.answer_tokens
        return request

    def _option_refused(self, error: Rejected, refused: frozenset[str]) -> str:
        """The option that a refusal names, if it was sent; what another thread dropped counts."""
        if error.status not in (400, 404, 415, 422, 500, 501):
            return ""
        for option, words in SUBSTITUTES.items():
            # Only the beginning: some servers go on to quote the whole request.
            named = re.search(rf"\b(?:{'|'.join(words)})\b", error.said[:300])
            if option not in refused and (named or error.parameter.split(".")[0] == option):
                return option
        return ""

    def _leave_out(self, option: str) -> None:
        with self._lock:
            if option not in self._refused:
                self._refused = self._refused | {option}
                tell(f"note: {self._place} does not take {option}; asking without it")

    def _final(self, error: Rejected) -> Reply:
        if error.status in (401, 403):
            raise self._denied(error.status)
        if error.status == 404:
            raise RunError(
                f"{self._place} knows no model {self._model!r}, or no chat completions there "
                f"(HTTP 404). Check --model and --base-url (most end in /v1)."
            )
        if error.code == "insufficient_quota":
            raise RunError(
                f"{self._place}: the account's quota is used up (HTTP 429). Mend that, then run "
                f"the same command again: it goes on where it stopped."
            )
        return Reply(
            failure=f"HTTP {error.status}: {self._redact(error.said)[:300]}", retries=error.retries
        )

    def _denied(self, status: int) -> RunError:
        sent = next((k for k in KEYS if os.environ.get(k)), "")
        which = f"the key in {sent}" if sent else f"a request without a key (set {KEYS[0]})"
        return RunError(f"{self._place} refuses {which} (HTTP {status}).")

    def _unreachable(self, cause: str) -> RunError:
        reason = self._redact(cause).strip() or "no reason given"
        return RunError(
            f"{self._place} cannot be reached ({reason}). Check --base-url, the network, and "
            f"whether the server runs; then run the same command again."
        )

    def _redact(self, text: str) -> str:
        for name in KEYS:
            key = os.environ.get(name, "").strip()
            if key:
                text = text.replace(key, "(key)")
        return text.replace(self._url, self._place)


def without_login(url: str) -> str:
    """Returns the address without user name, password and query."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def on_this_machine(url: str) -> bool:
    """Returns whether an address is this machine's own, so that nothing leaves it."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def backend(argument: str, settings: Settings) -> Backend:
    """Returns the model `argument` behind `settings.base_url`, else behind OpenAI's own.

    Raises:
        RelgraphError: no model name, or the address is not one.
    """
    if not argument:
        raise RelgraphError("--model openai: no model given; wanted: openai:NAME.")
    if settings.base_url and urlsplit(settings.base_url).scheme not in ("http", "https"):
        raise RelgraphError(
            f"--base-url {without_login(settings.base_url)}: wanted an address like "
            f"http://localhost:8000/v1."
        )
    return OpenAIBackend(argument, settings)


BACKEND = backend
