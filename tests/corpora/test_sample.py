"""The shipped corpus holds what its data card promises."""

from collections import Counter, defaultdict

import pytest

import relgraph
from relgraph.labels import patterns, strategies
from relgraph.records import Conversation, View
from relgraph.registry import load, names


@pytest.fixture(scope="module")
def sample() -> tuple[Conversation, ...]:
    corpus = relgraph.read("sample")
    return tuple(corpus)


def test_it_passes_its_own_validator_without_an_error() -> None:
    assert [d for d in relgraph.read("sample").defects if d.severity == "error"] == []


def test_it_has_twenty_one_couple_and_eleven_family_conversations(
    sample: tuple[Conversation, ...],
) -> None:
    assert Counter(c.scenario for c in sample) == {"couple": 21, "family": 11}


def test_it_has_fourteen_relationships_of_two_or_more_conversations(
    sample: tuple[Conversation, ...],
) -> None:
    sizes = Counter(c.relationship for c in sample)
    assert len(sizes) == 14
    assert min(sizes.values()) >= 2


def test_some_couples_are_of_three_and_families_of_three_to_five(
    sample: tuple[Conversation, ...],
) -> None:
    sizes = defaultdict(set)
    for c in sample:
        sizes[c.scenario].add(len(c.participants))
    assert sizes == {"couple": {2, 3}, "family": {3, 4, 5}}


def test_conversations_have_fourteen_to_forty_turns(sample: tuple[Conversation, ...]) -> None:
    assert all(14 <= len(c.turns) <= 40 for c in sample)


@pytest.mark.parametrize("scenario", ["couple", "family"])
def test_every_label_of_both_sets_occurs_three_times(
    sample: tuple[Conversation, ...], scenario: str
) -> None:
    own = [c for c in sample if c.scenario == scenario]
    view = View()
    seen = Counter(case.gold.label for c in own for case in load("task", "rpp").cases(c, view))
    used = Counter(s.type for c in own for g in c.gold for s in g.strategies)
    assert min(seen[label] for label in patterns(scenario)) >= 3
    assert min(used[label] for label in strategies(scenario)) >= 3


@pytest.mark.parametrize("task", names("task"))
def test_every_task_has_instances_in_nearly_every_conversation(
    sample: tuple[Conversation, ...], task: str
) -> None:
    counts = [len(load("task", task).cases(c, View())) for c in sample]
    assert sum(n > 0 for n in counts) >= 30


def test_it_has_overlaps_silences_background_and_every_annotation_layer(
    sample: tuple[Conversation, ...],
) -> None:
    gaps = []
    for c in sample:
        for before, after in zip(c.turns, c.turns[1:], strict=False):
            assert before.end_s is not None
            assert after.start_s is not None
            gaps.append(after.start_s - before.end_s)
    assert sum(g < 0 for g in gaps) >= 30
    assert sum(g > 4 for g in gaps) >= 30
    assert sum(len(t.background) for c in sample for t in c.turns) >= 100
    gold = [g for c in sample for g in c.gold]
    assert sum(bool(g.emotions) for g in gold) >= 100
    assert sum(bool(g.viewpoints) for g in gold) >= 100
    assert sum(bool(g.utterance_type) for g in gold) >= 400
