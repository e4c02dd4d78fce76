"""Blocks put together: within a budget, said what is left out, from nothing beyond the cut."""

from dataclasses import replace

import pytest

from relgraph.approach import Settings
from relgraph.errors import UnknownNameError
from relgraph.llm_bridge.approaches.llm__graph import BLOCKS
from relgraph.llm_bridge.blocks._base import Source
from relgraph.llm_bridge.probe import probe, probes
from relgraph.llm_bridge.summary import Summariser, Summary
from relgraph.records import Conversation, Instance, View
from relgraph.registry import load, names

WHOLE = 10_000


def words(text: str) -> int:
    return len(text.split())


def summed(
    conversation: Conversation,
    *blocks: str,
    budget: int = WHOLE,
) -> Summary:
    settings = Settings(summary_tokens=budget)
    summariser = Summariser(blocks or BLOCKS, settings, words)
    return summariser.of(Source(Instance("i", "rpp", conversation), settings))


def test_blocks_stand_in_the_order_of_naming_each_under_its_head() -> None:
    text = summed(probe("couple"), "unknown", "roster", "flow").text
    assert [line.split(":")[0] for line in text.splitlines()] == [
        "Not known",
        "Partners",
        "Last turns (words)",
    ]


def test_a_block_named_again_counts_once() -> None:
    assert summed(probe("couple"), "flow", "flow") == summed(probe("couple"), "flow")


def test_an_unknown_block_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown block 'flor'.*mean 'floor'.*roster"):
        Summariser(("flor",), Settings(), words)


def test_entries_kept_from_the_newest_are_shown_oldest_first() -> None:
    # The head has 3 words; each turn has 5, but the last one, which asks, has 6.
    whole = summed(probe("couple"), "flow").text
    assert whole == (
        "Last turns (words): [2] Ben -> Ana 1; [3] Ana -> Ben 4; [4] Ben -> Therapist 7; "
        "[5] Ana -> Ben 4, asks."
    )
    cut = summed(probe("couple"), "flow", budget=22).text
    assert cut == (
        "Last turns (words): [4] Ben -> Therapist 7; [5] Ana -> Ben 4, asks.\n"
        "Left out for want of room: flow 2."
    )


@pytest.mark.parametrize("blocks", [BLOCKS, ("rules",), ("flow", "observations")])
@pytest.mark.parametrize("budget", [0, 3, 10, 25, 40, 60, 80, 120, 180])
def test_a_summary_stays_inside_its_budget(blocks: tuple[str, ...], budget: int) -> None:
    for conversation in probes("family"):
        assert words(summed(conversation, *blocks, budget=budget).text) <= budget


def test_a_larger_budget_never_says_less() -> None:
    conversation = list(probes("family"))[1]
    kept = [
        sum(map(words, summed(conversation, budget=budget).text.splitlines()))
        for budget in range(40, 400, 20)
    ]
    assert kept == sorted(kept)
    assert len(set(kept)) > 8


def left_out(summary: Summary) -> dict[str, tuple[int, int]]:
    """Block -> how many of its entries are left out, and how many it has."""
    parts = (part.split() for part in summary.dropped)
    return {name: (int(cut), int(whole)) for cut, _, whole, _, _, name in parts}


@pytest.mark.parametrize("budget", range(60, 200, 10))
def test_entries_are_taken_in_turn_from_all_blocks_in_their_order(budget: int) -> None:
    # Nobody is given a second entry before everybody has one: of blocks that are cut, one has
    # at most one entry more than another, and then it is named before it.
    names = ("flow", "observations", "stances")
    cut = left_out(summed(list(probes("family"))[1], *names, budget=budget))
    kept = [whole - left for left, whole in (cut[name] for name in names if name in cut)]
    assert kept
    assert max(kept) - min(kept) <= 1
    assert kept == sorted(kept, reverse=True)


def test_what_is_left_out_stands_in_the_text_and_in_the_record() -> None:
    lines = summed(probe("couple"), "observations").text.splitlines()
    seen = set()
    for budget in range(22, words("\n".join(lines))):
        cut = summed(probe("couple"), "observations", budget=budget)
        *shown, last = cut.text.splitlines()
        left = len(lines) - len(shown)
        assert last == f"Left out for want of room: observations {left}."
        assert cut.dropped == (f"{left} of {len(lines) - 1} entries of observations",)
        seen.add(left)
    assert len(seen) > 3


def test_without_room_for_an_entry_there_is_no_summary_and_that_is_recorded() -> None:
    assert summed(probe("couple"), budget=3) == Summary("", ("the whole summary",))


def test_blocks_with_nothing_to_say_leave_no_trace() -> None:
    assert summed(replace(probe("couple"), turns=()), "flow", "floor", "states") == Summary("")


def test_of_a_conversation_without_a_turn_the_people_and_that_alone_are_told() -> None:
    assert summed(replace(probe("couple"), turns=())).text == (
        "Partners: Ana, Ben; supporter: Therapist.\nNot known: anything: no turn yet."
    )


def test_the_budget_is_counted_on_what_is_shown() -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return words(text)

    settings = Settings(summary_tokens=60)
    source = Source(Instance("i", "rpp", probe("couple")), settings)
    text = Summariser(BLOCKS, settings, count).of(source).text
    assert text in counted
    assert not [c for c in "".join(counted) if ord(c) < 32 and c != "\n"]


@pytest.mark.parametrize("task", names("task"))
def test_the_summary_of_a_cut_is_that_of_the_conversation_that_ends_there(
    task: str, couple: Conversation
) -> None:
    other = tuple(replace(t, text="Else.", speaker="Ana") for t in couple.turns)
    for case in load("task", task).cases(couple, View()):
        seen = case.instance.conversation
        n = len(seen.turns)
        changed = replace(couple, turns=(*couple.turns[:n], *other[n:]), gold=())
        then = replace(changed, turns=changed.turns[:n], id=seen.id)
        assert summed(seen) == summed(then)


def test_gold_changes_nothing(couple: Conversation) -> None:
    assert summed(couple) == summed(replace(couple, gold=()))
