"""The state of an unfinished training, kept after every epoch in one file, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from relgraph.errors import DataError, RelgraphError
from relgraph.files import whole

FORMAT = "relgraph-gnn-training/2"


@dataclass(frozen=True, slots=True)
class Done:
    """A member whose training is over: the weights and the held-out losses of its best epoch."""

    weights: dict[str, Tensor]
    epoch: int
    losses: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Running:
    """A training as it stands after some epoch.

    Attributes:
        done: members that are over.
        tensors: of the member in training: weights, running average, best average, moments of
            the optimiser, each under a dotted name; empty between two members.
        numbers: of that member: epochs and steps done, its best epoch and loss.
    """

    done: tuple[Done, ...]
    tensors: Mapping[str, Tensor] = field(default_factory=dict)
    numbers: Mapping[str, Any] = field(default_factory=dict)

    @property
    def between_members(self) -> bool:
        """Whether no member is in the middle of its training."""
        return not self.numbers


@dataclass(frozen=True, slots=True)
class Keeper:
    """Keeps the state in `file`.

    Attributes:
        file: a safetensors file; the rest is JSON in its header.
        job: what is trained on what and how; a state of another job is not resumed.
        going_on: whether a state that is there is to be resumed, not replaced.
    """

    file: Path
    job: Mapping[str, str]
    going_on: bool

    def keep(self, running: Running) -> None:
        """Writes the state whole; a killed process leaves the one before."""
        from safetensors.torch import save_file

        tensors = {f"running.{name}": t for name, t in running.tensors.items()}
        for k, member in enumerate(running.done):
            tensors |= {f"done.{k}.{name}": t for name, t in member.weights.items()}
        head = {
            "job": dict(self.job),
            "numbers": dict(running.numbers),
            "done": [{"epoch": d.epoch, "losses": dict(d.losses)} for d in running.done],
        }
        flat = {name: t.detach().cpu().contiguous().clone() for name, t in tensors.items()}
        text = json.dumps(head)
        about = {"format": FORMAT, "head": text, "sha256": _digest(text, flat)}
        with whole(self.file) as part:
            save_file(flat, part, metadata=about)

    def resume(self) -> Running | None:
        """Returns the kept state, or None where there is none to go on from.

        Raises:
            DataError: the file is damaged or of another format.
            RelgraphError: it is the state of another training.
        """
        if not self.going_on or not self.file.exists():
            return None
        from safetensors import SafetensorError, safe_open

        again = f"Delete {self.file}, or train without --resume to begin anew."
        try:
            with safe_open(self.file, framework="pt") as file:
                meta = file.metadata() or {}
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            known = meta.get("format") == FORMAT
            head = json.loads(meta.get("head", "{}")) if known else {}
            kept = _running(head, tensors) if known else Running(())
            if known and meta.get("sha256") != _digest(meta["head"], tensors):
                raise ValueError("its SHA-256 is not the one that it was written with")
        except (
            SafetensorError,
            OSError,
            ValueError,
            RecursionError,
            LookupError,
            TypeError,
        ) as error:
            raise DataError(f"{self.file}: damaged training state ({error}). {again}") from None
        if not known:
            raise DataError(
                f"{self.file}: format {meta.get('format', 'none')!r}, wanted {FORMAT!r}. {again}"
            )
        self._same_job(head["job"], again)
        return kept

    def clear(self) -> None:
        """Removes the state once the training is over."""
        self.file.unlink(missing_ok=True)

    def _same_job(self, kept: Mapping[str, str], again: str) -> None:
        other = [
            f"{name} was {kept.get(name)!r}, now {self.job.get(name)!r}"
            for name in sorted({*kept, *self.job})
            if kept.get(name) != self.job.get(name)
        ]
        if other:
            raise RelgraphError(
                f"{self.file}: state of another training: {'; '.join(other)}. {again}"
            )


def _running(head: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> Running:
    """Returns the state that a header and tensors hold.

    Raises:
        LookupError: a part is missing.
        TypeError: a part is of another type.
    """
    if not isinstance(head["job"], dict) or not isinstance(head["numbers"], dict):
        raise TypeError("its header is of another form")
    return Running(
        done=tuple(
            Done(_below(tensors, f"done.{k}."), d["epoch"], d["losses"])
            for k, d in enumerate(head["done"])
        ),
        tensors=_below(tensors, "running."),
        numbers=head["numbers"],
    )


def _digest(head: str, tensors: Mapping[str, Tensor]) -> str:
    """Returns SHA-256 over the header and all numbers: a wrong one would go unnoticed."""
    digest = sha256(head.encode())
    for name, tensor in sorted(tensors.items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def _below(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name[len(prefix) :]: t for name, t in tensors.items() if name.startswith(prefix)}
