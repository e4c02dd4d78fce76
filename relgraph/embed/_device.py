"""Which device to compute on."""

from __future__ import annotations

from relgraph.errors import RelgraphError, unknown_name

DEVICES = ("auto", "cpu", "cuda", "mps")


def choose_device(wish: str) -> str:
    """Returns `cpu`, `cuda` or `mps` for a wish among `DEVICES` (or `cuda:N`).

    `auto` takes CUDA where it is, then Apple's MPS, else the CPU.

    Raises:
        UnknownNameError: the wish is none of them.
        RelgraphError: the device asked for is not on this machine.
    """
    kind, _, number = wish.partition(":")
    if kind not in DEVICES or (number and (kind != "cuda" or not number.isdigit())):
        raise unknown_name("device", wish, DEVICES)
    if wish == "cpu":
        return wish
    import torch

    cards = torch.cuda.device_count() if torch.cuda.is_available() else 0
    apple = torch.backends.mps.is_available()
    if wish == "auto":
        return "cuda" if cards else "mps" if apple else "cpu"
    if (kind == "cuda" and cards <= int(number or 0)) or (kind == "mps" and not apple):
        raise RelgraphError(
            f"device {wish!r} was asked for, and torch {torch.__version__} finds {cards} CUDA "
            f"devices and {'an' if apple else 'no'} MPS device. Use --device auto or cpu."
        )
    return wish
