"""Folds by relationship."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relgraph.errors import RelgraphError
from relgraph.records import Conversation, Turn
from relgraph.splits import folds, relationships


def talk(name: str, relationship: str, *, scenario: str = "couple", turns: int = 2) -> Conversation:
    said = tuple(Turn(index=i, speaker="Ada", text="hm") for i in range(1, turns + 1))
    return Conversation(id=name, turns=said, scenario=scenario, relationship=relationship)


SIX = [talk(f"{r}{n}", r) for r in "abcdef" for n in (1, 2)]


def test_every_conversation_is_tested_once() -> None:
    tested = [c.id for fold in folds(SIX, count=3, seed=0) for c in fold.test]
    assert sorted(tested) == sorted(c.id for c in SIX)


@given(
    st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(1, 30)), min_size=8), st.integers()
)
def test_no_relationship_is_on_both_sides(parts: list[tuple[str, int]], seed: int) -> None:
    made = [talk(str(n), r, turns=t) for n, (r, t) in enumerate(parts)]
    count = min(3, len(relationships(made)))
    if count < 2:
        return
    for fold in folds(made, count=count, seed=seed):
        assert not {c.relationship for c in fold.train} & {c.relationship for c in fold.test}
        assert len(fold.train) + len(fold.test) == len(made)


def test_each_fold_gets_its_share_of_a_scenario() -> None:
    mixed = [talk(f"c{n}", f"c{n}") for n in range(6)]
    mixed += [talk(f"f{n}", f"f{n}", scenario="family") for n in range(3)]
    for fold in folds(mixed, count=3, seed=1):
        assert Counter(c.scenario for c in fold.test) == {"couple": 2, "family": 1}


def test_the_same_seed_gives_the_same_folds_in_any_order_of_the_data() -> None:
    shuffled = SIX[:]
    random.Random(4).shuffle(shuffled)
    one = [{c.id for c in f.test} for f in folds(SIX, count=3, seed=7)]
    two = [{c.id for c in f.test} for f in folds(shuffled, count=3, seed=7)]
    assert one == two


def test_another_seed_gives_other_folds() -> None:
    found = {
        tuple(frozenset(c.id for c in f.test) for f in folds(SIX, count=3, seed=s))
        for s in range(9)
    }
    assert len(found) > 1


def test_more_folds_than_relationships_is_refused() -> None:
    with pytest.raises(RelgraphError, match=r"7 folds.*6 relationships"):
        folds(SIX, count=7, seed=0)


def test_one_relationship_has_no_folds_and_the_message_names_no_number_of_them() -> None:
    with pytest.raises(RelgraphError, match=r"has 1 relationship\. .*--relationships\.$"):
        folds([talk("x", "r"), talk("y", "r")], count=2, seed=0)


def test_a_conversation_without_a_relationship_is_one_of_its_own() -> None:
    assert set(relationships([talk("x", ""), talk("y", "")])) == {"x", "y"}


def test_two_conversations_with_equal_content_stay_apart_in_the_folds() -> None:
    twins = [talk("x", "a"), talk("x", "a"), talk("y", "b")]
    assert sum(len(f.test) for f in folds(twins, count=2, seed=0)) == 3


def test_folds_are_of_about_equal_size_and_other_seeds_deal_unequal_lengths_anew() -> None:
    lengths = (60, 50, 40, 30, 20, 10, 8, 6, 4, 2)
    unequal = [talk(str(n), str(n), turns=n) for n in lengths]
    dealt = set()
    for seed in range(6):
        tested = [
            frozenset(len(c.turns) for c in f.test) for f in folds(unequal, count=2, seed=seed)
        ]
        dealt.add(frozenset(tested))
        assert all(len(t) == 5 for t in tested)
        assert max(map(sum, tested)) - min(map(sum, tested)) <= 60 - 50 + 40 - 30 + 20 - 10 + 2 + 2
    assert len(dealt) > 1
