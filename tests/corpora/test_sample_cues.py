"""The cues noted in the shipped corpus are what its data card says."""

import pytest

import relgraph
from relgraph.cues.annotations import SECOND, Coding, sample_coding
from relgraph.records import Conversation


@pytest.fixture(scope="module")
def sample() -> tuple[Conversation, ...]:
    return tuple(relgraph.read("sample"))


@pytest.fixture(scope="module")
def first(sample: tuple[Conversation, ...]) -> Coding:
    return sample_coding(sample)


def test_every_conversation_is_coded_in_its_order(
    sample: tuple[Conversation, ...], first: Coding
) -> None:
    assert first.conversations == tuple(c.id for c in sample)


def test_conversations_fifteen_to_eighteen_are_coded_twice(
    sample: tuple[Conversation, ...],
) -> None:
    second = sample_coding(sample, file=SECOND)
    assert second.conversations == tuple(c.id for c in sample[14:18])


def test_conversations_are_coded_to_the_end(
    sample: tuple[Conversation, ...], first: Coding
) -> None:
    for c in sample:
        assert max(q.turn for q in first.cues if q.conversation == c.id) >= len(c.turns) - 2


def test_words_are_given_where_words_show_a_cue(first: Coding) -> None:
    assert {q.cue for q in first.cues if not q.words} <= {"no_reply", "interruption"}


def test_no_safety_cue_is_noted_as_the_data_card_says(first: Coding) -> None:
    assert not {"fear_of", "coercion", "threat", "violence"} & {q.cue for q in first.cues}
