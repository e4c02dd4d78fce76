"""Several questions at a time: predictions come as they are known, and none that was paid is lost.

Answers come in no order. Whoever keeps them one by one then has on disk whatever was answered, and
a kill in the middle loses only what was on its way; in order, a slow answer would hold back all
behind it. For the same reason it holds back no sending.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from relgraph.errors import RunError
from relgraph.llm_bridge.backends._base import Backend
from relgraph.records import Prediction
from relgraph.stopping import interrupt, patient
from relgraph.terminal import tell

Q = TypeVar("Q")
GRACE_S = 10.0
"""How long answers on their way are waited for when a person stops the run."""

LONGEST_GRACE_S = 60.0
"""The same where the run stops by itself, as at a limit of costs: what is on its way is paid."""


class AtOnce(Generic[Q]):
    """Puts questions to a model, as many at a time as it takes.

    Args:
        backend: the model.
        answer: gives the prediction for one question; called from several threads.
    """

    def __init__(self, backend: Backend, answer: Callable[[Q], Prediction]) -> None:
        self._backend, self._answer = backend, answer
        # Who waits for another try holds no place at an endpoint, so more threads than places.
        winds_down = hasattr(backend, "wind_down")
        self._threads = backend.concurrency * 2 if winds_down else backend.concurrency
        self._under_way: set[Future[Prediction]] = set()
        self._done: SimpleQueue[Future[Prediction] | None] = SimpleQueue()
        self._is_stopping = False

    def predictions(self, questions: Iterable[Q]) -> Iterator[Prediction]:
        """Yields the prediction for each question, in the order in which they come.

        Raises:
            RunError: the model can answer no more; what is known or on its way comes before.
            Interrupted: a person stopped it; likewise.
        """
        pool = ThreadPoolExecutor(self._threads, thread_name_prefix="llm")
        try:
            with patient(self._stop):
                yield from self._all(pool, questions)
        finally:
            if self._under_way:
                self._backend.close()
            pool.shutdown(cancel_futures=True)

    def _all(self, pool: ThreadPoolExecutor, questions: Iterable[Q]) -> Iterator[Prediction]:
        try:
            for question in questions:
                # A question more than there are threads, so that none of them waits for one.
                while len(self._under_way) > self._threads and not self._is_stopping:
                    yield from self._next()
                if self._is_stopping:
                    break
                future = pool.submit(self._answer, question)
                self._under_way.add(future)
                future.add_done_callback(self._done.put)
            while self._under_way and not self._is_stopping:
                yield from self._next()
        except RunError:
            yield from self._rest(LONGEST_GRACE_S)
            raise
        if self._is_stopping:
            tell(
                f"stopping: waiting up to {GRACE_S:g} s for answers on their way; again to end now"
            )
            yield from self._rest(GRACE_S)
            interrupt()

    def _next(self, timeout_s: float | None = None) -> Iterator[Prediction]:
        future = self._done.get(timeout=timeout_s)
        if future is not None:
            self._under_way.discard(future)
            yield future.result()

    def _rest(self, grace_s: float) -> Iterator[Prediction]:
        """What still comes in time, without asking anything more."""
        wind_down = getattr(self._backend, "wind_down", None)
        if wind_down is not None:
            wind_down()
        for future in self._under_way:
            future.cancel()
        until = time.monotonic() + grace_s
        with suppress(Empty):
            while self._under_way:
                # What failed since is no item that failed: it is asked again when resumed.
                with suppress(RunError, CancelledError):
                    yield from self._next(max(0.0, until - time.monotonic()))

    def _stop(self) -> None:
        self._is_stopping = True
        self._done.put(None)
