"""What a recipe takes away from the network does not reach its answers any more."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from relgraph import registry
from relgraph.baselines.gnn.course import LAST_RATE, WARM_UP, one_cycle
from relgraph.baselines.gnn.hints import phrases_of
from relgraph.evaluation.ablations import VARIANTS
from relgraph.records import Annotation, Conversation, Emotion, Relation, Turn, Viewpoint

FIELD = "relation_cycle_state"


@pytest.fixture
def trained(corpus, settings, tmp_path: Path):
    """Gives a function: the network of a recipe, trained on five conversations."""

    def fit(**entries):
        file = tmp_path / "recipe.json"
        base = {"members": 1, "hidden": 16, "relation": 4, "partner": 0}
        file.write_text(json.dumps(base | entries), encoding="utf-8")
        named = replace(settings, recipe=str(file))
        return registry.load("approach", "gnn")(named).fit(corpus[:5], seed=0)

    return fit


def answers(fitted, instances) -> list[tuple[tuple[str, ...], tuple[float, ...]]]:
    return [(p.ranking, p.probabilities) for p in fitted.predict(instances, {}) if p.ranking]


def changed(conversation: Conversation, **fields) -> Conversation:
    return replace(conversation, turns=tuple(replace(t, **fields) for t in conversation.turns))


def test_without_timing_the_clock_changes_no_answer(trained, instances_of, corpus) -> None:
    asked = [i for i in instances_of(corpus[4]) if i.task in ("rpp", "ssp", "stp", "itp")]
    other = [
        replace(i, conversation=changed(i.conversation, start_s=None, end_s=None)) for i in asked
    ]
    off, on = trained(timing=False), trained()
    assert answers(off, asked) == answers(off, other)
    assert answers(on, asked) != answers(on, other)


def muttered(turn: Turn, names: tuple[str, ...]) -> Turn:
    """Returns the turn in other words: as many, naming the same people, asking if it asked."""
    words = [w if w.strip(",.?") in names else "mu" for w in turn.text.split()]
    return replace(turn, text=" ".join(words) + turn.text[-1:])


def test_without_words_only_how_many_there_are_whom_they_name_and_whether_they_ask_counts(
    trained, instances_of, corpus
) -> None:
    asked = [i for i in instances_of(corpus[4]) if i.task in ("rpp", "ssp")]
    names = corpus[4].participants
    other = [
        replace(i, conversation=replace(
            i.conversation, turns=tuple(muttered(t, names) for t in i.conversation.turns)))
        for i in asked
    ]  # fmt: skip
    off, on = trained(words=False), trained()
    assert answers(off, asked) == answers(off, other)
    assert answers(on, asked) != answers(on, other)


def test_without_memory_of_people_a_pattern_is_still_read_from_what_is_said(
    trained, instances_of, corpus
) -> None:
    asked = [i for i in instances_of(corpus[4]) if i.task == "rpp"]
    names = corpus[4].participants
    other = [
        replace(i, conversation=replace(
            i.conversation, turns=tuple(muttered(t, names) for t in i.conversation.turns)))
        for i in asked
    ]  # fmt: skip
    off = trained(memory=False, relation=0)
    assert answers(off, asked) != answers(off, other)


def test_without_structure_it_does_not_matter_who_speaks_to_whom(
    trained, instances_of, corpus
) -> None:
    asked = [i for i in instances_of(corpus[4]) if i.task == "rpp"]
    swap = {"Ravi": "Lotte", "Lotte": "Ravi"}
    other = [
        replace(i, conversation=replace(i.conversation, turns=tuple(
            replace(t, speaker=swap.get(t.speaker, t.speaker), addressees=(), background=tuple(
                replace(b, speaker="Sol", addressees=()) for b in t.background))
            for t in i.conversation.turns)))
        for i in asked
    ]  # fmt: skip
    (text_only,) = (v for v in VARIANTS if v.name == "text-only")
    off, on = trained(**text_only.recipe), trained()
    assert answers(off, asked) == answers(off, other)
    assert answers(on, asked) != answers(on, other)


def test_heads_that_were_not_trained_to_guess_phrases_are_not_asked(
    trained, instances_of, corpus
) -> None:
    assert trained(phrases=0.3).ensemble.guesses
    silent = trained(phrases=0.0)
    assert not silent.ensemble.guesses
    asked = [i for i in instances_of(corpus[4]) if i.task == "er"]
    assert all(p.emotion and p.emotion.phrase for p in silent.predict(asked, {}))


def test_the_rate_rises_for_a_quarter_of_the_steps_and_falls_to_nearly_nothing() -> None:
    rates = [one_cycle(step, 100) for step in range(1, 101)]
    top = rates.index(max(rates))
    assert top == WARM_UP * 100
    assert rates[:top] == sorted(rates[:top])
    assert rates[top:] == sorted(rates[top:], reverse=True)
    assert rates[0] == pytest.approx(LAST_RATE)
    assert rates[-1] < 2 * LAST_RATE


def test_a_reason_belongs_to_the_cut_before_its_turn_and_names_nobody() -> None:
    talk = Conversation(
        id="c",
        turns=(Turn(1, "Ana", "Well."), Turn(2, "Therapist", "Yes?"), Turn(3, "Ben", "No.")),
        gold=(
            Annotation(emotions=(Emotion("Ana", "Ana feels small", 4.0),)),
            Annotation(
                relations=(Relation("relation_cycle_state", "attack_attack", "Ben sneers"),)
            ),
            Annotation(viewpoints=(Viewpoint("Ben", "Ana", "Ana is late"),)),
        ),
        scenario="couple",
        participants=("Ana", "Ben"),
    )
    found = [(p.head, p.cut, p.speaker, p.text) for p in phrases_of(talk, talk)]
    assert found == [
        ("feeling", 1, "Ana", "someone feels small"),
        ("reason", 1, "Ana", "someone sneers"),
        ("view", 3, "Ben", "someone is late"),
    ]


@pytest.mark.parametrize("left_out", ["words", "structure", "timing"])
def test_the_partner_is_not_asked_where_it_would_read_what_is_left_out(trained, left_out) -> None:
    assert trained(partner=0.5).ensemble.partner is not None
    assert trained(partner=0.5, **{left_out: False}).ensemble.partner is None
