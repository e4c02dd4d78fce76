"""The placebo: the same words, names drawn anew for the places where names stand."""

from collections import Counter
from dataclasses import replace

import pytest

from relgraph.approach import Settings
from relgraph.errors import RelgraphError
from relgraph.llm_bridge.approaches.llm__graph import BLOCKS
from relgraph.llm_bridge.asking import AskingApproach
from relgraph.llm_bridge.blocks._base import Source, mention, unmarked
from relgraph.llm_bridge.placebo import NAMED, permuted
from relgraph.llm_bridge.probe import probe, probes
from relgraph.llm_bridge.prompts import Prompt
from relgraph.llm_bridge.summary import UNCHANGED, Summariser, Summary
from relgraph.records import Conversation, Instance, Turn
from relgraph.registry import load

A, B, GROUP = map(mention, ("Ana", "Ben", "Couple"))


def summaries(
    conversation: Conversation, *, seed: int = 0, budget: int = 10_000
) -> tuple[Summary, Summary]:
    """The summary and its placebo, budgets in characters."""
    settings = Settings(seed=seed, summary_tokens=budget)
    source = Source(Instance("i", "rpp", conversation), settings)
    one, other = (Summariser(BLOCKS, settings, len, permuted=p) for p in (False, True))
    return one.of(source), other.of(source)


def test_every_name_is_kept_as_often_and_all_else_as_it_stands() -> None:
    text = f"- {A} -> {B} 3; {B} -> {GROUP} 1"
    drawn = permuted(text, seed=0)
    assert NAMED.sub("_", drawn) == NAMED.sub("_", text)
    assert Counter(NAMED.findall(drawn)) == Counter(NAMED.findall(text))


@pytest.mark.parametrize("seed", range(40))
def test_where_two_names_stand_it_is_never_the_text_itself(seed: int) -> None:
    assert permuted(f"- {A} -> {B} 3", seed=seed) == f"- {B} -> {A} 3"


@pytest.mark.parametrize("text", ["no name", f"- {A} 3", f"- {A} 3; {A} 4"])
def test_without_two_different_names_the_text_stays(text: str) -> None:
    assert permuted(text, seed=0) == text


def test_it_is_drawn_from_the_seed_and_the_text_and_from_nothing_else() -> None:
    text = "; ".join([f"{A} {B} {GROUP}"] * 4)
    assert permuted(text, seed=1) == permuted(text, seed=1)
    assert len({permuted(text, seed=s) for s in range(20)}) > 15
    orders = {tuple(NAMED.findall(permuted(f"{k} {text}", seed=0))) for k in range(20)}
    assert len(orders) > 15


def test_a_name_keeps_its_place_as_often_as_chance_has_it_everywhere_in_the_text() -> None:
    # 4 of 10 places are Ana's, 6 Ben's: by chance 0.4 * 0.4 + 0.6 * 0.6 = 0.52 of the names stand
    # where they stood. 4,000 texts: a place is off by 0.03 at most (4 standard deviations).
    names = [A, B, B, A, B, A, B, B, A, B]
    kept = Counter[int]()
    for k in range(4000):
        drawn = NAMED.findall(permuted(f"{k}: {' '.join(names)}", seed=0))
        kept.update(place for place, pair in enumerate(zip(names, drawn, strict=True))
                    if pair[0] == pair[1])  # fmt: skip
    for place, name in enumerate(names):
        chance = 0.4 if name == A else 0.6
        assert abs(kept[place] / 4000 - chance) < 0.035


def test_what_stands_in_one_place_tells_nothing_of_the_next() -> None:
    # In the text every line names one person twice; drawn, the second name is the first one's
    # as often as chance has it: 3 others of 7 places are of the same name.
    text = "\n".join([f"- {A} is {A}", f"- {B} is {B}"] * 2)
    same = 0
    for k in range(2000):
        names = NAMED.findall(permuted(f"{k}\n{text}", seed=0))
        same += sum(one == other for one, other in zip(names[::2], names[1::2], strict=True))
    assert abs(same / 8000 - 3 / 7) < 0.03


def test_names_that_differ_in_a_line_go_on_differing_so_that_it_reads_like_a_summary() -> None:
    line = f"- {A} -> {B} 3; {B} -> {GROUP} 2; {GROUP} -> {A} 1"
    parts = {
        part: NAMED.findall(part)
        for seed in range(30)
        for part in permuted(line, seed=seed).split(";")
    }
    assert all(len(set(names)) == 2 for names in parts.values())
    assert len(parts) > 12  # of 18: each of three parts can name six ordered pairs


def test_of_two_people_every_other_order_of_two_pairs_is_drawn() -> None:
    text = f"- {A} -> {B}\n- {A} -> {B}"
    orders = {tuple(NAMED.findall(permuted(text, seed=s))) for s in range(40)}
    assert orders == {(A, B, B, A), (B, A, A, B), (B, A, B, A)}


@pytest.mark.parametrize("budget", [300, 600, 10_000])
def test_a_placebo_says_the_same_words_cut_at_the_same_place(budget: int) -> None:
    for scenario in ("couple", "family"):
        for conversation in list(probes(scenario))[:4]:
            true, placebo = summaries(conversation, budget=budget)
            assert Counter(true.text) == Counter(placebo.text)
            assert [len(s.text.splitlines()) for s in (true, placebo)] == [
                len(true.text.splitlines())
            ] * 2
            assert placebo.text != true.text
            assert placebo.dropped == true.dropped
            assert placebo.remarks == ()


def test_a_placebo_that_cannot_differ_says_so() -> None:
    alone = Conversation("c", (Turn(1, "Ana", "Hello."),), participants=("Ana",), supporter="Ana")
    true, placebo = summaries(alone)
    assert placebo.text == true.text
    assert placebo.remarks == (UNCHANGED,)


def test_the_remark_reaches_the_reader_of_the_prompt() -> None:
    asked = _asking(replace(probe("couple"), turns=(), participants=("Ana",), supporter="Ana"))
    assert asked.remarks == (UNCHANGED,)


def _asking(conversation: Conversation, *, permuted: bool = True) -> Prompt:
    settings = Settings(model="openai:none", base_url="http://127.0.0.1:9/v1", calls="none")
    approach = AskingApproach("llm+placebo", settings, blocks=BLOCKS, permuted=permuted)
    asked = load("task", "stp")
    options = ("Ana", "Ben")
    instance = Instance("i", asked.name, conversation, options)
    return approach.fit((), seed=0).render(instance)


def test_the_placebo_changes_no_turn_no_option_and_no_question() -> None:
    true, placebo = (_asking(probe("couple"), permuted=p) for p in (False, True))
    before, after = (p.user.split("Summary of the interaction") for p in (true, placebo))
    assert before[0] == after[0]
    assert before[1].split("\n\n")[1:] == after[1].split("\n\n")[1:]
    assert before[1] != after[1]
    assert true.system == placebo.system


def test_the_placebo_asks_in_the_same_order() -> None:
    asked = [cut for scenario in ("couple", "family") for cut in probes(scenario) if cut.turns]
    for cut in asked:
        true, placebo = (_asking(cut, permuted=p) for p in (False, True))
        assert true.options == placebo.options


def test_the_placebo_has_the_tokens_of_the_summary_by_a_real_tokenizer() -> None:
    try:
        backend = load("backend", "local")("", Settings(calls="none"))
    except RelgraphError as error:
        pytest.skip(f"the local model is not here: {error}")
    for conversation in list(probes("family"))[:4]:
        for seed in range(5):
            true, placebo = summaries(conversation, seed=seed)
            tokens = [backend.count_tokens(s.text) for s in (true, placebo)]
            assert abs(tokens[0] - tokens[1]) <= 1


def test_marks_never_reach_a_reader() -> None:
    for summary in summaries(list(probes("family"))[1]):
        assert unmarked(summary.text) == summary.text


@pytest.mark.parametrize("seed", range(30))
def test_nobody_speaks_to_himself_and_no_list_names_a_person_twice(seed: int) -> None:
    text = f"People: {A}, {B}; all: {GROUP}\n" + "\n".join(
        [f"- {A} -> {B} 3; {B} -> {A}, {GROUP} 2", f"- {B} -> {GROUP} 1"] * 3
    )
    drawn = permuted(text, seed=seed)
    roster, *lines = drawn.split("\n")
    assert len(set(NAMED.findall(roster))) == 3
    for line in lines:
        for part in line.split(";"):
            names = NAMED.findall(part)
            assert len(set(names)) == len(names)
