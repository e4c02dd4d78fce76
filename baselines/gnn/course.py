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
from relgraph.baselines.gnn.losses import Balance, losses, prepare, share
from relgraph.baselines.gnn.model import Shape
from relgraph.baselines.gnn.recipe import Recipe
from relgraph.baselines.gnn.state import Done, Running
from relgraph.errors import RunError

QUICK = ("time", "target", "about", "next", "intensity")
"""Heads that read mostly structure: they would still be learning when the words are overfitted."""

SPEED = 4.0
"""How much faster the heads in `QUICK` learn."""

CLIP = 1.0
"""Largest norm of a gradient."""

WARM_UP, LAST_RATE = 0.25, 0.02
"""Share of all steps over which the rate rises, and what is left of it at the very end: it then
falls along a cosine (one cycle, after Smith and Topin 2017, arXiv 1708.07120)."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """One finished epoch.

    Attributes:
        member: which member, from 0, of `members`.
        epoch: which epoch, from 1, of `epochs`.
        losses: head -> mean loss over the epoch's steps.
        time_s: how long it took.
    """

    member: int
    members: int
    epoch: int
    epochs: int
    losses: Mapping[str, float]
    time_s: float


class Course:
    """One member in training.

    Args:
        member: its number, which all its random draws depend on.
        learn: what it learns from.
        counted: class weights and frequencies of all training lessons.
        shape: sizes that the data decides.
        recipe: how to train.
        seed: of all draws.
        device: where to compute.
        mixed: whether the forward pass is in mixed precision (bfloat16 beside float32); None for
            yes on CUDA, no elsewhere. It can be had on the CPU and on CUDA.
    """

    def __init__(
        self,
        member: int,
        *,
        learn: Sequence[Lesson],
        counted: Balance,
        shape: Shape,
        recipe: Recipe,
        seed: int,
        device: torch.device,
        mixed: bool | None = None,
    ) -> None:
        self._mixed = device.type == "cuda" if mixed is None else mixed
        self._member, self._recipe, self._counted, self._device = member, recipe, counted, device
        self._learn, self._seed = list(learn), seed
        torch.manual_seed(self._draw("weights"))
        self._net = Network(shape, recipe).to(device)
        self._average = Network(shape, recipe).to(device)
        self._average.load_state_dict(self._net.state_dict())
        slow: list[nn.Parameter] = []
        quick: list[nn.Parameter] = []
        for name, weight in self._net.named_parameters():
            (quick if name.partition(".")[0] in QUICK else slow).append(weight)
        self._optimiser = torch.optim.AdamW(
            [{"params": slow, "speed": 1.0}, {"params": quick, "speed": SPEED}],
            lr=recipe.rate,
            weight_decay=recipe.decay,
            fused=device.type in ("cpu", "cuda"),
        )
        self._epoch = self._step = 0
        self._losses: Mapping[str, float] = {}
        self._steps = recipe.epochs * math.ceil(len(self._learn) / recipe.batch)

    def run(self, members: int) -> Iterator[Epoch]:
        """Trains for all epochs; yields each when it is over."""
        epochs = self._recipe.epochs
        while self._epoch < epochs:
            began = time.perf_counter()
            self._losses = self._learn_once()
            self._epoch += 1
            took = time.perf_counter() - began
            yield Epoch(self._member, members, self._epoch, epochs, self._losses, took)

    def result(self) -> Done:
        """Returns the averaged weights, and the losses of the last epoch."""
        weights = {name: t.detach().clone() for name, t in self._average.state_dict().items()}
        return Done(weights, self._epoch, self._losses)

    def state(self, done: Sequence[Done]) -> Running:
        """Returns all that going on needs; random draws need nothing, each epoch has its seed."""
        tensors = {f"net.{k}": v for k, v in self._net.state_dict().items()}
        tensors |= {f"average.{k}": v for k, v in self._average.state_dict().items()}
        for number, moments in self._optimiser.state_dict()["state"].items():
            tensors |= {f"optimiser.{number}.{k}": v for k, v in moments.items()}
        numbers = {
            "member": self._member,
            "epoch": self._epoch,
            "step": self._step,
            "losses": dict(self._losses),
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
        moments: dict[int, dict[str, Tensor]] = {}
        for name, tensor in parts.get("optimiser", {}).items():
            number, _, what = name.partition(".")
            moments.setdefault(int(number), {})[what] = tensor
        state = self._optimiser.state_dict()
        self._optimiser.load_state_dict({**state, "state": moments})
        numbers = running.numbers
        self._epoch, self._step = numbers["epoch"], numbers["step"]
        self._losses = numbers["losses"]

    def _learn_once(self) -> dict[str, float]:
        recipe, net, order = self._recipe, self._net, self._learn.copy()
        random.Random(self._draw(f"order {self._epoch}")).shuffle(order)
        torch.manual_seed(self._draw(f"dropout {self._epoch}"))
        net.train()
        kind = "cpu" if self._device.type == "cpu" else "cuda"
        sums: dict[str, list[float]] = {}
        for begin in range(0, len(order), recipe.batch):
            work = prepare(order[begin : begin + recipe.batch], self._device)
            with torch.autocast(kind, torch.bfloat16, enabled=self._mixed):
                found = losses(net, work, self._counted, recipe)
            self._step += 1
            if not found:
                continue
            costs = [share(head, recipe) * cost / n for head, (cost, n) in found.items()]
            loss = torch.stack(costs).sum()
            if not torch.isfinite(loss):
                raise RunError(
                    f"gnn: the loss of member {self._member + 1} is no number any more in epoch "
                    f"{self._epoch + 1}. Check that the embeddings are finite, or change --seed."
                )
            self._take_step(loss)
            for head, (cost, n) in found.items():
                total = sums.setdefault(head, [0.0, 0.0])
                total[0] += cost.item()
                total[1] += n.item()
        return {head: cost / n for head, (cost, n) in sums.items()}

    def _take_step(self, loss: Tensor) -> None:
        for group in self._optimiser.param_groups:
            group["lr"] = group["speed"] * self._recipe.rate * one_cycle(self._step, self._steps)
        self._optimiser.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self._net.parameters(), CLIP)
        self._optimiser.step()
        self._take_average()

    @torch.no_grad()
    def _take_average(self) -> None:
        kept = min(self._recipe.average, (1 + self._step) / (10 + self._step))
        now = [weight.detach() for weight in self._net.parameters()]
        torch._foreach_lerp_(list(self._average.parameters()), now, 1 - kept)

    def _draw(self, what: str) -> int:
        """Returns the seed for one purpose, below 2 ** 63."""
        name = f"{self._seed}|{self._member}|{what}"
        return int.from_bytes(sha256(name.encode()).digest()[:8], "big") >> 1


def one_cycle(step: int, steps: int) -> float:
    """Returns what share of the highest rate step `step` of `steps` (from 1) has."""
    done = (step - 1) / max(steps, 1)
    if done < WARM_UP:
        return LAST_RATE + (1 - LAST_RATE) * done / WARM_UP
    fall = (1 + math.cos(math.pi * (done - WARM_UP) / (1 - WARM_UP))) / 2
    return LAST_RATE + (1 - LAST_RATE) * fall


@contextmanager
def computing(device: torch.device, threads: int) -> Iterator[None]:
    """Sets torch's threads and keeps its random numbers to itself; all is put back after.

    Float32 is whole on CUDA too: recurrent cells would round to 10 bits there (TF32), and a
    checkpoint's answers would depend on the machine.
    """
    before, rounded = torch.get_num_threads(), torch.backends.cudnn.allow_tf32
    cards = [device] if device.type == "cuda" else []
    torch.set_num_threads(max(1, threads))
    torch.backends.cudnn.allow_tf32 = False
    try:
        with torch.random.fork_rng(devices=cards):
            yield
    finally:
        torch.set_num_threads(before)
        torch.backends.cudnn.allow_tf32 = rounded
