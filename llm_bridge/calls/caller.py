"""A backend behind the call cache: what was answered once is neither asked nor paid for again."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, fields, replace
from functools import cache
from threading import Lock
from typing import Any

from relgraph.approach import Settings
from relgraph.calls import Call, CallStore
from relgraph.errors import RelgraphError
from relgraph.llm_bridge.backends._base import Backend, Reply
from relgraph.llm_bridge.calls.key import deciding, key_of, messages_of
from relgraph.llm_bridge.calls.prices import Price
from relgraph.llm_bridge.calls.secrets import secrets_of, without
from relgraph.llm_bridge.prompts import AnswerForm, Prompt
from relgraph.spending import ledger
from relgraph.terminal import tell

ATTEMPT_STEP = 1000
"""How far an attempt moves the draw: beyond all samples of the one before."""

NOT_KEPT = ("kept", "call", "cost_usd")
"""Fields of a reply that are about this time, or stand beside it."""


class Caller:
    """A model, its kept replies before it and its costs counted. All else is the model's own.

    Attributes:
        price: of the model; None where it is not known.
    """

    name: str
    identity: str
    answers: AnswerForm
    concurrency: int
    keeps_prefix: bool
    remote: bool
    notice: str

    def __init__(
        self,
        backend: Backend,
        settings: Settings,
        *,
        store: CallStore | None = None,
        price: Price | None = None,
    ) -> None:
        self.price = price
        self._backend, self._settings, self._store = backend, settings, store
        self._decided = deciding(backend, settings)
        self._limit_usd = settings.max_cost_usd
        self._lock, self._checking = Lock(), Lock()
        self._under_way: dict[str, Future[Reply]] = {}
        self._reached = False

    def __getattr__(self, name: str) -> Any:
        if name == "_backend":
            raise AttributeError(name)
        return getattr(self._backend, name)

    def check(self) -> None:
        """Does nothing where replies are kept: a model is reached for when one is not.

        Raises:
            RelgraphError: it cannot be reached, where none are kept.
        """
        if self._store is None:
            self._reach()

    def count_tokens(self, text: str) -> int:
        """Returns how many tokens the text has for the model, or an estimate."""
        return self._backend.count_tokens(text)

    def close(self) -> None:
        """Gives up waiting and lets go of connections; asking again opens them anew."""
        self._backend.close()

    def key(self, prompt: Prompt, *, sample: int = 0, attempt: int = 0) -> str:
        """Returns the key of a question in the call cache."""
        return key_of(self._decided, prompt, sample=sample, attempt=attempt)

    def has(self, prompt: Prompt, *, sample: int = 0) -> bool:
        """Returns whether the reply is kept, so that asking costs nothing."""
        return self._find(self.key(prompt, sample=sample)) is not None

    def most_usd(self, prompt: Prompt) -> float:
        """Returns the highest cost of asking; 0 where the price is not known."""
        most = self._settings.answer_tokens
        return self.price.most(prompt, answer_tokens=most) if self.price else 0.0

    def about_usd(self, prompt: Prompt) -> float:
        """Returns the cost by the count of tokens and the longest answer, as an estimate has it."""
        sent = self.count_tokens(prompt.text)
        return self.price.of(sent, self._settings.answer_tokens) if self.price else 0.0

    def ask(self, prompt: Prompt, *, sample: int = 0, attempt: int = 0) -> Reply:
        """Returns the kept reply, which costs nothing, or else asks, and keeps what comes.

        Args:
            prompt: what is asked.
            sample: which of several answers to the same prompt.
            attempt: how often it was asked anew because the answer could not be read; it moves
                the draw.

        Raises:
            RunError: no prompt can be answered, or the call could pass the limit of costs.
        """
        if self._store is None:
            return self._pay([prompt], [""], sample + ATTEMPT_STEP * attempt)[0]
        key = self.key(prompt, sample=sample, attempt=attempt)
        if reply := self._find(key):
            return reply
        with self._lock:
            others = self._under_way.get(key)
            mine = self._under_way.setdefault(key, Future())
        if others is not None:
            said = others.result()
            return said if said.failure else replace(said, kept=True, cost_usd=0.0)
        try:
            # Another thread may have been answered between the look and the lock.
            draw = sample + ATTEMPT_STEP * attempt
            reply = self._find(key) or self._pay([prompt], [key], draw)[0]
        except BaseException as error:
            mine.set_exception(error)
            raise
        else:
            mine.set_result(reply)
            return reply
        finally:
            with self._lock:
                del self._under_way[key]

    def ask_many(self, prompts: Sequence[Prompt], *, sample: int = 0) -> list[Reply]:
        """Returns the replies in order; only what is not kept is asked, together if that can be.

        Args:
            prompts: what is asked.
            sample: which of several answers to the same prompts.

        Raises:
            RunError: no prompt can be answered, or the calls could pass the limit of costs.
        """
        if not hasattr(self._backend, "ask_many"):
            return [self.ask(prompt, sample=sample) for prompt in prompts]
        if self._store is None:
            return self._pay(prompts, [""] * len(prompts), sample) if prompts else []
        keys = [self.key(prompt, sample=sample) for prompt in prompts]
        found = {key: reply for key in keys if (reply := self._find(key))}
        new = {k: p for k, p in zip(keys, prompts, strict=True) if k not in found}
        if new:
            asked = self._pay(list(new.values()), list(new), sample)
            found.update(zip(new, asked, strict=True))
        return [found[key] for key in keys]

    def _find(self, key: str) -> Reply | None:
        found = self._store.find(key) if self._store else None
        return None if found is None else _reply(found, key)

    def _pay(self, prompts: Sequence[Prompt], keys: Sequence[str], draw: int) -> list[Reply]:
        """Asks, with the highest cost reserved the while, and keeps what comes."""
        self._reach()
        most_usd = [self.most_usd(prompt) for prompt in prompts]
        cost_usd = 0.0
        paid = ledger()
        number = paid.reserve(sum(most_usd), limit_usd=self._limit_usd) if any(most_usd) else None
        secrets, replies = secrets_of(self._settings.base_url), []
        began = time.perf_counter()
        try:
            for prompt, key, most, reply in zip(
                prompts, keys, most_usd, self._send(prompts, draw), strict=True
            ):
                taken_s = reply.time_s or (time.perf_counter() - began) / len(prompts)
                cost = self._cost(prompt, reply, most)
                cost_usd += cost
                said, cause = (without(text, secrets) for text in (reply.text, reply.failure))
                known = replace(reply, text=said, failure=cause, time_s=taken_s, cost_usd=cost)
                replies.append(self._keep(prompt, key, known))
            return replies
        except RelgraphError:
            raise
        except BaseException:
            cost_usd = sum(most_usd)  # broken off on the way: it may be billed
            raise
        finally:
            if number is not None:
                paid.settle(number, cost_usd)

    def _send(self, prompts: Sequence[Prompt], draw: int) -> Sequence[Reply]:
        if len(prompts) == 1:
            return [self._backend.ask(prompts[0], sample=draw)]
        many: Sequence[Reply] = self._backend.ask_many(prompts, sample=draw)  # type: ignore[attr-defined]
        return many

    def _cost(self, prompt: Prompt, reply: Reply, most_usd: float) -> float:
        """What a reply cost; a server that counts no tokens has our count instead."""
        if self.price is None:
            return 0.0
        if reply.prompt_tokens or reply.answer_tokens:
            return self.price.of_reply(reply)
        if reply.failure:
            # What was given up, cut off or garbled may have been written, and billed, all the same.
            return 0.0 if reply.failure.startswith("HTTP ") else most_usd
        sent = self.count_tokens(prompt.system) + self.count_tokens(prompt.user)
        return self.price.of(sent, self.count_tokens(reply.text))

    def _keep(self, prompt: Prompt, key: str, reply: Reply) -> Reply:
        """Keeps what the model said, a refusal too; what came in its place is no answer."""
        if self._store is None or (reply.failure and not reply.failure.startswith("refused")):
            return reply
        reply = replace(reply, call=key)
        said = {k: v for k, v in asdict(reply).items() if k not in NOT_KEPT}
        messages = messages_of(prompt)
        self._store.keep(key, Call(self.identity, messages, said, cost_usd=reply.cost_usd))
        return reply

    def _reach(self) -> None:
        """Makes sure, once and before the first question, that the model can be reached."""
        with self._checking:
            if not self._reached:
                self._backend.check()
                self._reached = True


def _reply(found: Mapping[str, Any], key: str) -> Reply | None:
    known = {f.name for f in fields(Reply)} - set(NOT_KEPT)
    if not known >= set(found):
        return None
    return Reply(**found, kept=True, call=key)


def require_price(backend: Backend, settings: Settings, price: Price | None) -> None:
    """Makes sure that a limit of costs can be held, and says where costs are not known.

    Raises:
        RelgraphError: there is a limit, and the price of a model elsewhere is not known.
    """
    if price is not None or not (backend.remote or settings.base_url):
        return
    if settings.max_cost_usd:
        where = f"{settings.prices} has none" if settings.prices else "name a file with --prices"
        raise RelgraphError(
            f"--max-cost: the price of {backend.name} is not known ({where}), so no limit can be "
            "held. docs/calls.md has the form of such a file."
        )
    if settings.prices:
        _note(f"note: {settings.prices} has no price of {backend.name}; its costs count as 0")


@cache
def _note(message: str) -> None:
    """Says it once a process."""
    tell(message)
