"""Graphs of the whole benchmark: nothing in it is refused, lost or seen too early."""

from dataclasses import replace
from pathlib import Path

import pytest

from relgraph import build_graph, read
from relgraph.corpora import Corpus
from relgraph.graph.claims import from_gold
from relgraph.graph.measures import measure
from relgraph.graph.views import from_json, to_json


@pytest.fixture(scope="module")
def corpus(rescue_folder: Path) -> Corpus:
    return read(rescue_folder / "rescue_dev.jsonl")


@pytest.mark.rescue
def test_every_turn_and_every_addressee_is_in_the_graph(corpus: Corpus) -> None:
    for conversation in corpus:
        graph = build_graph(conversation)
        assert len(graph.of("said")) == len(graph.turns) == len(conversation.turns)
        assert len(graph.of("next")) == len(conversation.turns) - 1
        assert len(graph.of("addressed")) == sum(len(t.addressees) for t in conversation.turns)


@pytest.mark.rescue
def test_a_cut_of_any_conversation_gives_the_prefix_of_its_graph(corpus: Corpus) -> None:
    for conversation in corpus:
        cut = len(conversation.turns) // 2
        prefix = replace(conversation, turns=conversation.turns[:cut], gold=())
        assert build_graph(prefix) == build_graph(conversation).until(cut)


@pytest.mark.rescue
def test_gold_claims_and_json_and_measures_take_every_conversation(corpus: Corpus) -> None:
    for conversation in corpus:
        graph = build_graph(conversation, claims=from_gold(conversation))
        assert from_json(to_json(graph)) == graph
        shares = measure(graph, trust_times=True).talk
        assert sum(share.turn_share for share in shares) == pytest.approx(1)
