"""What is kept of each ordered pair: fading memories of what one said to the other."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from relgraph.baselines._structure import FADES

STRIDE = 64
"""Turns that are taken at once: the work grows with turns times this, not with their square."""


class Relations(nn.Module):
    """States of ordered pairs, `state[a, b, t]` from `state[a, b, t - 1]` and turn `t` alone.

    A turn of `a` that is addressed to `b` is added to what is kept of (a, b), and all that is kept
    fades with every turn; three fades are kept side by side (memories of about 2, 5, 20 turns).
    """

    def __init__(self, hidden: int, size: int) -> None:
        super().__init__()
        self.size = size * len(FADES)
        self.says = nn.Linear(hidden, size)

    def forward(self, turns: Tensor, speaks: Tensor, addressed: Tensor) -> Tensor:
        """Returns `[conversation, from, to, turn + 1, size]`; zero before the first turn.

        Args:
            turns: `[conversation, turn, hidden]`.
            speaks: `[conversation, slot, turn]`, 1 for who speaks.
            addressed: `[conversation, slot, turn]`, how far each is addressed, 0 to 1.
        """
        said = torch.tanh(self.says(turns))
        events = speaks.unsqueeze(2) * addressed.unsqueeze(1)
        found = [self._fading(said, events, fade) for fade in FADES]
        kept = torch.cat(found, dim=-1)
        before = kept.new_zeros(*kept.shape[:3], 1, self.size)
        return torch.cat([before, kept], dim=3)

    def _fading(self, said: Tensor, events: Tensor, fade: float) -> Tensor:
        count, slots, _, turns = events.shape
        steps = torch.arange(STRIDE, device=said.device, dtype=said.dtype)
        ago = steps.unsqueeze(1) - steps
        # one matrix product a stride; powers of the fade never grow, so nothing overflows
        fading = torch.where(ago >= 0, (1 - fade) * fade ** ago.clamp(min=0), ago.new_zeros(()))
        left = said.new_zeros(count, slots, slots, said.shape[-1])
        parts = [events.new_zeros(count, slots, slots, 0, said.shape[-1])]
        for begin in range(0, turns, STRIDE):
            now = events[..., begin : begin + STRIDE]
            size = now.shape[-1]
            new = torch.einsum(
                "ts,bijs,bsp->bijtp", fading[:size, :size], now, said[:, begin : begin + size]
            )
            old = fade ** (steps[:size] + 1)
            parts.append(new + old.unsqueeze(1) * left.unsqueeze(3))
            left = parts[-1][..., -1, :]
        return torch.cat(parts, dim=3)
