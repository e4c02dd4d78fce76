"""The training of one member, epoch by epoch, such that it can stop and go on anywhere between."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256

import torch
from torch import Tensor, nn

from relgraph.baselines.gnn.heads import Network
from relgraph.baselines.gnn.lessons import Lesson
from relgraph.baselines.gnn.losses import SHARES, Balance, losses, prepare
from relgraph.baselines.gnn.model import Shape
from relgraph.baselines.gnn.state import Done, Running
from relgraph.errors import RunError

WATCHED = ("pattern", "strategy", "target", "time")
"""Heads whose held-out losses, summed, decide when to stop."""

QUICK = ("time", "target", "about", "next", "intensity")
"""Heads that read mostly structure: they would still be learning when the words are overfitted."""

UNWATCHED_EPOCHS = 8
"""Epochs where no relationship can be held out."""

HELD_BATCH = 16


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train.

    Attributes:
        seed: of all draws.
        epochs: at most so many a member.
        members: of the ensemble; fewer where there are few relationships.
        batch: conversations a step.
        rate: learning rate of AdamW, reached after `warm_steps`.
        speed: how much faster the heads in `QUICK` learn.
        decay: weight decay.
        average: share of the running average of weights that one step keeps.
        patience: epochs without a better held-out loss before a member stops.
        clip: largest norm of a gradient.
        warm_steps: steps over which the learning rate rises.
    """

    seed: int
    epochs: int
    members: int = 4
    batch: int = 8
    rate: float = 2e-3
    speed: float = 4.0
    decay: float = 0.05
    average: float = 0.97
    patience: int = 4
    clip: float = 1.0
    warm_steps: int = 20


@dataclass(frozen=True, slots=True)
class Epoch:
    """One finished epoch.

    Attributes:
        member: which member, from 0, of `members`.
        epoch: which epoch, from 1, of at most `epochs`.
        losses: head -> mean loss on the held-out relationships; empty without any.
        best: whether it is the best one so far.
        time_s: how long it took.
    """

    member: int
    members: int
    epoch: int
    epochs: int
    losses: Mapping[str, float]
    best: bool
    time_s: float


class Course:
    """One member in training."""

    def __init__(
        self,
        member: int,
        *,
        learn: Sequence[Lesson],
        held: Sequence[Lesson],
        counted: Balance,
        shape: Shape,
        plan: Plan,
        device: torch.device,
    ) -> None:
        self._member, self._plan, self._counted, self._device = member, plan, counted, device
        self._learn = list(learn)
        torch.manual_seed(self._draw("weights"))
        self._net = Network(shape).to(device)
        self._average = Network(shape).to(device)
        self._average.load_state_dict(self._net.state_dict())
        self._best = _copy(self._average)
        slow: list[nn.Parameter] = []
        quick: list[nn.Parameter] = []
        for name, weight in self._net.named_parameters():
            (quick if name.partition(".")[0] in QUICK else slow).append(weight)
        self._optimiser = torch.optim.AdamW(
            [{"params": slow, "speed": 1.0}, {"params": quick, "speed": plan.speed}],
            lr=plan.rate,
            weight_decay=plan.decay,
            fused=device.type in ("cpu", "cuda"),
        )
        self._epoch = self._step = self._best_epoch = 0
        self._best_loss = math.inf
        self._best_losses: Mapping[str, float] = {}
        self._held = [
            prepare(held[k : k + HELD_BATCH], device) for k in range(0, len(held), HELD_BATCH)
        ]
        self._watched = any(len(work.asked[head].label) for work in self._held for head in WATCHED)
        self._epochs = plan.epochs if self._watched else min(plan.epochs, UNWATCHED_EPOCHS)

    def run(self, members: int) -> Iterator[Epoch]:
        """Trains until the held-out loss has not fallen for a while; yields every epoch."""
        while self._epoch < self._epochs and self._epoch - self._best_epoch < self._plan.patience:
            began = time.perf_counter()
            self._learn_once()
            self._epoch += 1
            losses = self._examine()
            loss = sum(losses[h] for h in WATCHED if h in losses) if self._watched else -self._epoch
            best = loss < self._best_loss
            if best:
                self._best, self._best_loss = _copy(self._average), loss
                self._best_epoch, self._best_losses = self._epoch, losses
            took = time.perf_counter() - began
            yield Epoch(self._member, members, self._epoch, self._epochs, losses, best, took)

    def result(self) -> Done:
        """Returns the weights of the best epoch."""
        return Done(self._best, self._best_epoch, self._best_losses)

    def state(self, done: Sequence[Done]) -> Running:
        """Returns all that going on needs; random draws need nothing, each epoch has its seed."""
        tensors = {f"net.{k}": v for k, v in self._net.state_dict().items()}
        tensors |= {f"average.{k}": v for k, v in self._average.state_dict().items()}
        tensors |= {f"best.{k}": v for k, v in self._best.items()}
        for number, moments in self._optimiser.state_dict()["state"].items():
            tensors |= {f"optimiser.{number}.{k}": v for k, v in moments.items()}
        numbers = {
            "member": self._member,
            "epoch": self._epoch,
            "step": self._step,
            "best_epoch": self._best_epoch,
            "best_loss": self._best_loss,
            "best_losses": dict(self._best_losses),
        }
        return Running(tuple(done), tensors, numbers)

    def restore(self, running: Running) -> None:
        """Goes back to a kept state of this member."""
        parts: dict[str, dict[str, Tensor]] = {}
        for name, tensor in running.tensors.items():
            part, _, rest = name.partition(".")
            parts.setdefault(part, {})[rest] = tensor.to(self._device)
        self._net.load_state_dict(parts["net"])
        self._average.load_state_dict(parts["average"])
        self._best = parts["best"]
        moments: dict[int, dict[str, Tensor]] = {}
        for name, tensor in parts.get("optimiser", {}).items():
            number, _, what = name.partition(".")
            moments.setdefault(int(number), {})[what] = tensor
        state = self._optimiser.state_dict()
        self._optimiser.load_state_dict({**state, "state": moments})
        numbers = running.numbers
        self._epoch, self._step = numbers["epoch"], numbers["step"]
        self._best_epoch, self._best_loss = numbers["best_epoch"], numbers["best_loss"]
        self._best_losses = numbers["best_losses"]

    def _learn_once(self) -> None:
        plan, net, order = self._plan, self._net, self._learn.copy()
        random.Random(self._draw(f"order {self._epoch}")).shuffle(order)
        torch.manual_seed(self._draw(f"dropout {self._epoch}"))
        net.train()
        for begin in range(0, len(order), plan.batch):
            work = prepare(order[begin : begin + plan.batch], self._device)
            found = losses(net, work, self._counted)
            if not found:
                continue
            loss = torch.stack([SHARES[h] * cost / n for h, (cost, n) in found.items()]).sum()
            if not torch.isfinite(loss):
                raise RunError(
                    f"gnn: the loss of member {self._member + 1} is no number any more in epoch "
                    f"{self._epoch + 1}. Check that the embeddings are finite, or change --seed."
                )
            for group in self._optimiser.param_groups:
                group["lr"] = (
                    group["speed"] * plan.rate * min(1.0, (self._step + 1) / plan.warm_steps)
                )
            self._optimiser.zero_grad(set_to_none=True)
            torch.autograd.backward(loss)
            torch.nn.utils.clip_grad_norm_(net.parameters(), plan.clip)
            self._optimiser.step()
            self._step += 1
            self._take_average()

    @torch.no_grad()
    def _take_average(self) -> None:
        kept = min(self._plan.average, (1 + self._step) / (10 + self._step))
        now = [weight.detach() for weight in self._net.parameters()]
        torch._foreach_lerp_(list(self._average.parameters()), now, 1 - kept)

    @torch.no_grad()
    def _examine(self) -> dict[str, float]:
        """Returns head -> mean loss of the averaged weights on the held-out relationships."""
        self._average.eval()
        sums: dict[str, list[float]] = {}
        for work in self._held:
            for head, (cost, n) in losses(self._average, work, self._counted).items():
                total = sums.setdefault(head, [0.0, 0.0])
                total[0] += cost.item()
                total[1] += n.item()
        return {head: cost / n for head, (cost, n) in sums.items()}

    def _draw(self, what: str) -> int:
        """Returns the seed for one purpose, below 2 ** 63."""
        name = f"{self._plan.seed}|{self._member}|{what}"
        return int.from_bytes(sha256(name.encode()).digest()[:8], "big") >> 1


def _copy(net: Network) -> dict[str, Tensor]:
    return {name: t.detach().clone() for name, t in net.state_dict().items()}


@contextmanager
def computing(device: torch.device, threads: int) -> Iterator[None]:
    """Sets torch's threads and keeps its random numbers to itself; both are put back after."""
    before = torch.get_num_threads()
    cards = [device] if device.type == "cuda" else []
    torch.set_num_threads(max(1, threads))
    try:
        with torch.random.fork_rng(devices=cards):
            yield
    finally:
        torch.set_num_threads(before)
