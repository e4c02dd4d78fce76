"""Portions of a prompt: where an engine may stop, and what two prompts then have in common."""

from dataclasses import replace
from itertools import pairwise

import pytest

from relgraph.llm_bridge.probe import probe
from relgraph.llm_bridge.prompts import Layout, Prompt, content_free, render
from relgraph.llm_bridge.summary import Summary
from relgraph.records import Conversation, Instance, Turn
from relgraph.registry import load, names

LAYOUT = Layout(answers="letter", seed=0, context_tokens=3000, count=len)


def cut(turns: int, task: str = "rpp", layout: Layout = LAYOUT, said: str = "") -> Prompt:
    lines = tuple(Turn(k, "Ana", f"Caf\u00e9 {k}.", ("Ben",)) for k in range(1, turns + 1))
    conversation: Conversation = replace(probe("couple"), turns=lines)
    asked = load("task", task)
    options = asked.options(conversation)
    target = "Ana" if task == "ssp" else ""
    instance = Instance("i", task, conversation, options, target)
    return render(asked, instance, layout, summary=Summary(said) if said else None)


def pieces(prompt: Prompt) -> list[str]:
    """The text between the ends of portions."""
    ends = (0, *prompt.portions, len(prompt.user))
    return [prompt.user[a:b] for a, b in pairwise(ends)]


def test_portions_end_before_the_transcript_after_every_fourth_turn_and_behind_it() -> None:
    people, first, second, rest, question = pieces(cut(9))
    assert people.endswith("Transcript:\n")
    assert first.startswith("[1]")
    assert first.endswith('Caf\u00e9 4."\n')
    assert second.startswith("[5]")
    assert second.endswith('Caf\u00e9 8."\n')
    assert rest == '[9] Ana -> Ben: "Caf\u00e9 9."\nEnd of the transcript.\n\n'
    assert question.startswith("Question: ")


def test_a_cut_at_the_end_of_a_portion_ends_it_there_too() -> None:
    assert pieces(cut(4))[:2] == pieces(cut(5))[:2]
    assert pieces(cut(4))[2] == "End of the transcript.\n\n"


@pytest.mark.parametrize("task", names("task"))
def test_a_summary_stands_behind_the_last_portion(task: str) -> None:
    bare, shown = cut(6, task), cut(6, task, said="Ana talks.")
    assert shown.portions == bare.portions
    assert pieces(shown)[:-1] == pieces(bare)[:-1]
    assert "Ana talks." in pieces(shown)[-1]


def test_cuts_of_one_conversation_have_all_whole_portions_in_common() -> None:
    early, late = cut(11), cut(17)
    assert early.portions[:3] == late.portions[:3]
    assert early.user[: early.portions[2]] == late.user[: late.portions[2]]
    assert early.portions[2] == late.user.index("[9]")


def test_windows_that_begin_at_the_same_turn_have_their_portions_in_common() -> None:
    narrow = replace(LAYOUT, context_tokens=400)
    early, late = cut(29, layout=narrow), cut(30, layout=narrow)
    assert pieces(early)[1].startswith("(16 earlier turns left out)\n[17]")
    assert early.portions[:4] == late.portions[:4]
    assert early.user[: early.portions[3]] == late.user[: late.portions[3]]


def test_before_the_first_turn_there_is_one_portion_for_the_people_and_one_for_no_turns() -> None:
    people, nothing, _ = pieces(cut(0))
    assert people.endswith("Transcript:\n")
    assert nothing == "(nothing has been said yet)\nEnd of the transcript.\n\n"


def test_the_content_free_prompt_has_no_portions() -> None:
    assert content_free(load("task", "rpp"), cut(5)).portions == ()
