"""Nothing of what comes after a cut reaches what is said at it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, example, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from relgraph.baselines._channels import texts_of_all
from relgraph.baselines._links import EDGES, links
from relgraph.baselines._stretches import Stretch, stretches
from relgraph.baselines._structure import encode_structure
from relgraph.baselines.gnn.reading import Said, logits, place
from relgraph.baselines.gnn.tensors import encode
from relgraph.records import Background, Conversation, Instance, Turn

NEAR = 1e-5
NAMES = ("Ada", "Ben", "Cy", "Therapist", "Family", "Stranger", "Zoe", "")


def structure(conversation: Conversation):
    return encode_structure(conversation, links(conversation).mentions)


def cut(conversation: Conversation, turns: int) -> Conversation:
    return replace(conversation, turns=conversation.turns[:turns], gold=())


def said(fitted, conversation: Conversation, instances) -> list[list[Said]]:
    """Returns what each member says of the instances in one pass over `conversation`."""
    fitted.words.learn(texts_of_all([conversation]))
    stretch = Stretch(conversation, tuple(range(len(instances))))
    batch, asks = place(
        [stretch], instances, fitted.words.known, fitted.words.dim, device=torch.device("cpu")
    )
    with torch.inference_mode():
        return [logits(net, batch, list(asks.values())) for net in fitted.ensemble.members]


def assert_same(ours, theirs, people: int) -> None:
    for mine, others in zip(ours, theirs, strict=True):
        for a, b in zip(mine, others, strict=True):
            assert torch.allclose(a.guess, b.guess, atol=NEAR, rtol=0)
            a, b = a.logits, b.logits
            # A longer conversation may have more people: they come last and count for nothing.
            assert torch.allclose(a[:people], b[:people], atol=NEAR, rtol=0)
            assert torch.isneginf(b[people:]).all() or len(b) == len(a)


@st.composite
def turns(draw: st.DrawFn) -> tuple[Turn, ...]:
    count = draw(st.integers(0, 6))
    seconds = st.one_of(st.none(), st.floats(0, 500), st.just(float("nan")))
    return tuple(
        Turn(
            index=k + 1,
            speaker=draw(st.sampled_from(NAMES)),
            text=draw(st.sampled_from(("Ben, why?", "No.", "", "I told Zoe that you know."))),
            addressees=tuple(draw(st.lists(st.sampled_from(NAMES), max_size=3))),
            start_s=draw(seconds),
            end_s=draw(seconds),
            tone=draw(st.sampled_from(("", "flat"))),
        )
        for k in range(count)
    )


@examples(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(turns(), st.integers(0, 6), st.sampled_from(((), ("Ada", "Ben"))))
@example((Turn(1, "Ada", "I am here."), Turn(2, "Ben", "So am I.")), 1, ())
def test_the_structure_of_a_prefix_is_the_prefix_of_the_structure(
    drawn: tuple[Turn, ...], size: int, roster: tuple[str, ...]
) -> None:
    whole = Conversation("w", drawn, scenario="family", participants=roster)
    part = cut(whole, size)
    n = len(part.turns)
    long, short = structure(whole), structure(part)
    people = len(short.names)
    assert long.names[:people] == short.names
    assert not long.present[people:, : n + 1].any()
    for of_whole, of_part in (
        (long.turn[:n], short.turn),
        (long.cut[: n + 1], short.cut),
        (long.role[:people, :n], short.role),
        (long.person[:people, : n + 1], short.person),
        (long.present[:people, : n + 1], short.present),
        (long.last_client[: n + 1], short.last_client),
        (long.pause_s[:n], short.pause_s),
        (long.away[:people, :n], short.away),
    ):
        assert np.array_equal(of_whole, of_part)
        assert np.isfinite(of_part).all()


@examples(max_examples=40, deadline=None)
@given(turns(), st.integers(0, 6))
def test_edges_run_forward_and_those_of_a_prefix_are_the_prefix_of_the_edges(
    drawn: tuple[Turn, ...], size: int
) -> None:
    whole = Conversation("w", drawn, scenario="family")
    long, short = links(whole), links(cut(whole, size))
    for kind in EDGES:
        source, target = long.edges[kind]
        assert (source < target).all()
        assert np.array_equal(long.edges[kind][:, target < size], short.edges[kind])


@pytest.mark.parametrize("name", ["fir/1", "yew/1"])
def test_changing_everything_after_the_cut_changes_no_logit(fitted, corpus, name) -> None:
    whole = next(c for c in corpus if c.id == name)
    for size in (0, 1, 5, 9):
        part = cut(whole, size)
        asked = _all_tasks(part)
        other = tuple(
            replace(
                t,
                speaker="Stranger",
                text=f"Something else altogether, {whole.participants[0]}!",
                addressees=(whole.supporter, "Newcomer"),
                start_s=9999.0,
                end_s=99999.0,
                tone="shouting",
            )
            for t in whole.turns[size:]
        )
        before = said(fitted, part, asked)
        people = len(structure(part).names)
        for after in (whole.turns[size:], other, other[:1]):
            longer = replace(part, turns=part.turns + after)
            assert_same(before, said(fitted, longer, asked), people)


def test_a_roster_that_grows_changes_nothing_said_before(fitted, corpus) -> None:
    whole = replace(next(c for c in corpus if c.id == "yew/1"), participants=())
    for size in (1, 2, 4):
        part = cut(whole, size)
        people = len(structure(part).names)
        assert people < len(structure(whole).names)
        asked = _all_tasks(part)
        assert_same(said(fitted, part, asked), said(fitted, whole, asked), people)


def test_support_meant_for_somebody_who_appears_later_does_not_tell_that_they_do(
    fitted, corpus
) -> None:
    whole = replace(next(c for c in corpus if c.id == "yew/1"), participants=())
    part = cut(whole, 2)
    later = [name for name in structure(whole).names if name not in structure(part).names]
    people = len(structure(part).names)
    assert later
    asked = [replace(_instance("ssp", part), target=name) for name in later]
    assert_same(said(fitted, part, asked), said(fitted, whole, asked), people)


def test_a_person_named_before_they_appear_is_not_told_by_appearing_later() -> None:
    remark = Background("Zoe", ("Ada",), "mm")
    early = Turn(1, "Ada", "Zoe knows.", background=(remark,))
    short = Conversation("c", (early,))
    long = Conversation("c", (early, Turn(2, "Zoe", "Do I?")))
    one, other = (encode(c, dict.fromkeys(texts_of_all([c]), np.zeros(4, np.float32)), 4)
                  for c in (short, long))  # fmt: skip
    assert np.array_equal(one.structure.turn[0], other.structure.turn[0])
    assert np.array_equal(one.structure.cut[1], other.structure.cut[1])


def test_a_name_first_heard_later_does_not_leave_earlier_texts(fitted) -> None:
    early = Turn(1, "Ada", "I dreamt of Zoe again.")
    late = Turn(2, "Zoe", "Of me?")
    vectors = dict.fromkeys(
        texts_of_all([Conversation("c", (early, late)), Conversation("c", (early,))])
    )
    assert "I dreamt of Zoe again." in vectors
    known = {t: np.full(4, k, np.float32) for k, t in enumerate(vectors)}
    short = encode(Conversation("c", (early,)), known, 4)
    long = encode(Conversation("c", (early, late)), known, 4)
    assert np.array_equal(short.channels["text"][0], long.channels["text"][0])


def test_instances_that_share_an_id_but_not_their_turns_do_not_share_a_pass(corpus) -> None:
    whole = next(c for c in corpus if c.id == "oak/1")
    changed = replace(whole, turns=(replace(whole.turns[0], text="Hm."), *whole.turns[1:]))
    asked = [_instance("itp", cut(whole, 3)), _instance("itp", cut(changed, 5))]
    assert [s.instances for s in stretches(asked)] == [(1,), (0,)]


def _all_tasks(conversation: Conversation) -> list[Instance]:
    tasks = ("rpp", "ssp", "stp", "itp") + (("er", "vp") if conversation.turns else ())
    return [_instance(task, conversation) for task in tasks]


def _instance(task: str, conversation: Conversation) -> Instance:
    return Instance(f"{task}-x", task, conversation, target=conversation.group)
