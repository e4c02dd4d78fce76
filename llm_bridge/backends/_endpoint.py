"""A model behind an HTTP endpoint, whatever it speaks: asked at full rate, and truthfully."""

from __future__ import annotations

import os
import re
import weakref
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from threading import Lock
from typing import Any

from relgraph.approach import Settings
from relgraph.errors import RelgraphError, RunError
from relgraph.llm_bridge.backends import _retrying
from relgraph.llm_bridge.backends._address import on_this_machine, without_login
from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.backends._deadline import Line, send_off
from relgraph.llm_bridge.backends._dialect import Dialect, estimated_tokens
from relgraph.llm_bridge.backends._gate import Gate, GivenUp
from relgraph.llm_bridge.backends._http import QUOTED, Rejected
from relgraph.llm_bridge.backends._secrets import Secrets, keep_from_logs
from relgraph.llm_bridge.prompts import AnswerForm, Prompt
from relgraph.terminal import tell

LONGEST_CHECK_S = 30.0
LONGEST_CLOSE_S = 5.0
RESUME = "Mend that, then run the same command again: it goes on where it stopped."


class Endpoint:
    """A backend that asks over HTTP; see `relgraph.llm_bridge.backends._base.Backend`.

    The key comes from the environment alone and appears nowhere else.
    """

    keeps_prefix = False
    notice = ""

    def __init__(self, model: str, settings: Settings, dialect: Dialect) -> None:
        self.name = f"{dialect.kind}:{model}"
        self.concurrency = max(1, settings.concurrency)
        self.answers: AnswerForm = "letter" if settings.answers == "letter" else "json"
        self._model, self._settings, self._dialect = model, settings, dialect
        self._url = settings.base_url or os.environ.get(dialect.home_variable, "") or dialect.home
        self._place = without_login(self._url)
        self.identity = f"{model} at {self._place}"
        self.remote = not on_this_machine(self._url)
        self._secrets = Secrets(dialect.keys, {self._url: self._place})
        self._gate = Gate(self.concurrency)
        self._line = Line()
        self._left_out: frozenset[str] = frozenset()
        self._lock = Lock()

    def count_tokens(self, text: str) -> int:
        """Returns an estimate: an endpoint's tokenizer is not at hand."""
        return estimated_tokens(text)

    def check(self) -> None:
        """Asks for the endpoint's list of models, which costs nothing.

        Raises:
            RelgraphError: there is no key, or no client library.
            RunError: the endpoint cannot be reached, or refuses the key.
        """
        sdk = self._dialect.sdk
        try:
            wait_s = min(self._settings.timeout_s, LONGEST_CHECK_S)
            listing = self._client.with_options(timeout=wait_s).models.with_raw_response.list
            self._line.run(listing, timeout_s=wait_s)
        except TimeoutError:
            raise self._unreachable(f"no answer in {wait_s:g} s") from None
        except sdk.APIConnectionError as error:
            raise self._unreachable(str(error.__cause__ or error)) from None
        except (sdk.AuthenticationError, sdk.PermissionDeniedError) as error:
            raise self._denied(error.status_code) from None
        except sdk.APIError:
            # Reached: that it lists no models says nothing about answering questions.
            return

    def ask(self, prompt: Prompt, *, sample: int = 0) -> Reply:
        """Returns the reply, after as many tries as it takes and the settings allow.

        Raises:
            RunError: no prompt can be answered, or asking was stopped.
        """
        changed, gate = 0, self._gate
        while True:
            left_out = self._left_out
            try:
                reply = _retrying.ask(
                    lambda: self._send(prompt, sample),
                    gate,
                    self._dialect.sdk,
                    retries=self._settings.retries,
                    lost=self.check,
                )
            except GivenUp as error:
                self._line.drop()
                raise self._given_up(error) from None
            except Rejected as error:
                option = self._option_refused(error, left_out)
                changed += 1
                if option and changed <= len(self._dialect.substitutes):
                    self._leave_out(option)
                    continue
                final = self._final(error)
                if final is not None:
                    raise final from None
                said = self._secrets.out_of(error.said)[:QUOTED]
                return Reply(failure=f"HTTP {error.status}: {said}")
            if not reply.failure:
                return reply
            out_of = self._secrets.out_of
            return replace(reply, text=out_of(reply.text), failure=out_of(reply.failure))

    def wind_down(self) -> None:
        """Sends nothing more: who waits to be sent is told, what is on its way may come back."""
        self._gate.stop()

    def close(self) -> None:
        """Ends all waiting and asking; the next question opens the connection again."""
        self._gate.stop()
        self._line.drop()
        client = self.__dict__.pop("_client", None)
        if client is not None:
            self._farewell.detach()
            # A farewell that hangs must not stand before the error that ended the run.
            with suppress(TimeoutError):
                self._line.run(client.close, timeout_s=LONGEST_CLOSE_S)
        self._gate = Gate(self.concurrency)

    @cached_property
    def _client(self) -> Any:
        _ = self._dialect.sdk
        keep_from_logs(self._secrets)
        client = self._dialect.open(self._key, self._url, timeout_s=self._settings.timeout_s)
        # Connections are kept for the next question; a backend that goes takes them along.
        self._farewell = weakref.finalize(self, send_off, client.close)
        return client

    @property
    def _key(self) -> str:
        found = next((os.environ[k] for k in self._dialect.keys if os.environ.get(k)), "")
        if found or self._url != self._dialect.home:
            return found.strip() or self._dialect.keyless
        raise RelgraphError(
            f"--model {self.name}: no API key. Set the environment variable "
            f"{' or '.join(self._dialect.keys)}, or name an endpoint of your own with --base-url."
        )

    def _send(self, prompt: Prompt, sample: int) -> Reply:
        request = self._dialect.request(prompt, sample=sample, left_out=self._left_out)
        create = self._dialect.create(self._client)
        raw = self._line.run(
            lambda: create(model=self._model, **request), timeout_s=self._settings.timeout_s
        )
        return self._dialect.read(raw.http_response.text)

    def _option_refused(self, error: Rejected, left_out: frozenset[str]) -> str:
        """The option that a refusal names, if it was sent; what another thread dropped counts."""
        if error.status not in (400, 404, 415, 422, 500, 501):
            return ""
        for option, words in self._dialect.substitutes.items():
            # Only the beginning: some servers go on to quote the whole request.
            named = re.search(rf"\b(?:{'|'.join(words)})\b", error.said[:QUOTED])
            if option not in left_out and (named or error.parameter.split(".")[0] == option):
                return option
        return ""

    def _leave_out(self, option: str) -> None:
        with self._lock:
            if option not in self._left_out:
                self._left_out = self._left_out | {option}
                tell(f"note: {self._place} does not take {option}; asking without it")

    def _final(self, error: Rejected) -> RunError | None:
        """The error that ends the run, where a refusal is not of one question alone."""
        if error.status in (401, 403):
            return self._denied(error.status)
        if 300 <= error.status < 400:
            return RunError(
                f"{self._place} sends questions on to another address (HTTP {error.status}), which "
                "relgraph does not follow. Name that address with --base-url."
            )
        if error.status == 404:
            return RunError(
                f"{self._place} knows no model {self._model!r}, or does not answer questions "
                f"there (HTTP 404). Check --model and --base-url."
            )
        if error.is_for_money:
            said = self._secrets.out_of(error.said)[:QUOTED]
            return RunError(
                f"{self._place}: the account's quota is used up (HTTP {error.status}: {said}). "
                f"{RESUME}"
            )
        return None

    def _denied(self, status: int) -> RunError:
        keys = self._dialect.keys
        sent = next((k for k in keys if os.environ.get(k)), "")
        which = f"the key in {sent}" if sent else f"a request without a key (set {keys[0]})"
        return RunError(f"{self._place} refuses {which} (HTTP {status}).")

    def _unreachable(self, cause: str) -> RunError:
        reason = self._secrets.out_of(cause).strip() or "no reason given"
        return RunError(
            f"{self._place} cannot be reached ({reason}). Check --base-url, the network, and "
            f"whether the server runs; then run the same command again: it goes on where it "
            f"stopped."
        )

    def _given_up(self, error: GivenUp) -> RunError:
        return RunError(
            f"{self._place}: nothing has been answered for {error.seconds:.0f} s; the last try "
            f"ended with: {self._secrets.out_of(error.cause)}. {RESUME}"
        )
