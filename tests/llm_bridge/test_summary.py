"""The graph in words: what it says, within its budget, from nothing beyond the cut."""

from dataclasses import replace
from pathlib import Path

import pytest

from relgraph.graph import build_graph
from relgraph.llm_bridge.probe import probe
from relgraph.llm_bridge.summary import summarise
from relgraph.records import Conversation, Turn

GOLDEN = Path(__file__).parent / "golden" / "summary.txt"


def words(text: str) -> int:
    return len(text.split())


def test_the_summary_of_a_conversation_reads_as_it_did() -> None:
    said = summarise(build_graph(probe("couple")), budget=1000, count=words)
    assert said.text + "\n" == GOLDEN.read_text(encoding="utf-8")
    assert said.dropped == ()


@pytest.mark.parametrize("budget", range(0, 140, 7))
def test_a_summary_stays_inside_its_budget(budget: int) -> None:
    said = summarise(build_graph(probe("couple")), budget=budget, count=words)
    assert words(said.text) <= budget


def test_what_does_not_fit_is_said_in_the_text_and_in_the_record() -> None:
    said = summarise(build_graph(probe("couple")), budget=70, count=words)
    assert said.text.splitlines()[-1].startswith("Left out for want of room: ")
    assert said.dropped
    assert all(part.endswith("of the summary") for part in said.dropped)


def test_the_newest_entries_are_kept() -> None:
    said = summarise(build_graph(probe("couple")), budget=85, count=words)
    assert "[5] Ana -> Ben: 4 words, asks" in said.text
    assert "[1] Ana -> Ben: 5 words, asks" not in said.text


def test_without_room_for_a_line_there_is_no_summary_and_that_is_recorded() -> None:
    said = summarise(build_graph(probe("couple")), budget=3, count=words)
    assert said.text == ""
    assert said.dropped == ("the whole summary",)


def test_an_empty_conversation_says_so() -> None:
    said = summarise(build_graph(Conversation("c", ())), budget=100, count=words)
    assert said.text == "Nothing has been said yet."


@pytest.mark.parametrize(("timing", "why"), [("edited", "is edited"), ("unknown", "not given")])
def test_reply_times_that_nobody_recorded_are_not_given(timing: str, why: str) -> None:
    conversation = replace(probe("couple"), timing=timing)  # type: ignore[arg-type]
    said = summarise(build_graph(conversation), budget=1000, count=words)
    assert why in said.text
    assert "silence" not in said.text


def test_turns_without_speaker_or_addressee_are_counted_as_unknown() -> None:
    turns = (Turn(1, "Ana", "Well."), Turn(2, "", "Noise."))
    said = summarise(build_graph(Conversation("c", turns)), budget=1000, count=words)
    assert "Who speaks to whom: not known." in said.text
    assert "[2] (unknown): 1 word" in said.text


def test_the_summary_of_a_cut_is_that_of_the_graph_as_it_stood() -> None:
    whole = probe("couple")
    for cut in range(len(whole.turns) + 1):
        prefix = replace(whole, turns=whole.turns[:cut])
        then = summarise(build_graph(whole).until(cut), budget=1000, count=words)
        assert summarise(build_graph(prefix), budget=1000, count=words) == then
