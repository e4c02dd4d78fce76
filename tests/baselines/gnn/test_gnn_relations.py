"""What is kept of ordered pairs, worked out by hand."""

from __future__ import annotations

import pytest
import torch

from relgraph.baselines._structure import FADES
from relgraph.baselines.gnn.relations import STRIDE, Relations


def kept(speakers: list[int], addressees: list[list[int]], *, slots: int = 3) -> torch.Tensor:
    """Returns `[from, to, turn + 1, fade]` where every turn says the same: tanh(1) of size 1."""
    relations = Relations(hidden=1, size=1)
    torch.nn.init.ones_(relations.says.weight)
    torch.nn.init.zeros_(relations.says.bias)
    turns = torch.ones(1, len(speakers), 1)
    speaks, addressed = torch.zeros(2, 1, slots, len(speakers))
    for turn, (speaker, to) in enumerate(zip(speakers, addressees, strict=True)):
        speaks[0, speaker, turn] = 1
        addressed[0, to, turn] = 1
    with torch.no_grad():
        return relations(turns, speaks, addressed)[0]


ONE = float(torch.tanh(torch.tensor(1.0)))


def test_a_turn_is_kept_of_its_speaker_and_addressee_and_of_nobody_else() -> None:
    found = kept([0, 1], [[1], [2]])
    fade = FADES[0]
    assert found[0, 1, 1, 0] == pytest.approx((1 - fade) * ONE)
    assert found[1, 2, 2, 0] == pytest.approx((1 - fade) * ONE)
    for source, target in ((1, 0), (2, 0), (0, 2), (2, 1)):
        assert not found[source, target].any()


def test_before_the_first_turn_nothing_is_kept() -> None:
    assert not kept([0], [[1]])[:, :, 0].any()


def test_what_is_kept_fades_with_every_turn_whoever_speaks() -> None:
    found = kept([0, 2, 2], [[1], [0], [0]])
    for k, fade in enumerate(FADES):
        assert found[0, 1, 3, k] == pytest.approx((1 - fade) * fade**2 * ONE)


def test_turns_to_the_same_person_add_up() -> None:
    found = kept([0, 0], [[1], [1]])
    for k, fade in enumerate(FADES):
        assert found[0, 1, 2, k] == pytest.approx((1 - fade) * (1 + fade) * ONE)


def test_a_long_conversation_is_kept_across_strides() -> None:
    turns = 2 * STRIDE + 3
    found = kept([0] + [1] * (turns - 1), [[1]] + [[0]] * (turns - 1))
    slow = FADES[-1]
    for turn in (STRIDE, STRIDE + 1, turns):
        assert found[0, 1, turn, -1] == pytest.approx(
            (1 - slow) * slow ** (turn - 1) * ONE, rel=1e-4
        )
    assert found[1, 0, turns, -1] == pytest.approx((1 - slow ** (turns - 1)) * ONE, rel=1e-4)


def test_a_conversation_without_a_turn_has_a_state_before_it() -> None:
    assert kept([], []).shape == (3, 3, 1, len(FADES))
