"""The hash of a prompt's words and forms: that of the prompts of made-up conversations.

No text here is of any data: people, turns, findings and what training would show are made up.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import product
from types import ModuleType

from relgraph.approach import Settings
from relgraph.llm_bridge import observations, summary
from relgraph.llm_bridge.blocks._base import Source
from relgraph.llm_bridge.prompts import AnswerForm, Layout, content_free, render, wording
from relgraph.llm_bridge.summary import Summariser, Summary
from relgraph.llm_bridge.training import training_of
from relgraph.records import (
    Annotation,
    Background,
    Case,
    Conversation,
    Emotion,
    Instance,
    Prediction,
    Relation,
    Strategy,
    Turn,
    View,
    Viewpoint,
)
from relgraph.registry import load, names

ROOM = 10_000
SETTINGS = Settings(embedder="hashing", summary_tokens=ROOM)
TIGHT = Settings(embedder="hashing", summary_tokens=400)
"""In characters: so little that entries are left out and said to be."""


def _turn(index: int, speaker: str, text: str, to: str) -> Turn:
    return Turn(
        index=index,
        speaker=speaker,
        text=text,
        addressees=(to,),
        addressee_source="given" if index % 2 else "inferred",
        start_s=4.0 * index,
        end_s=4.0 * index + (5.0 if index == 2 else 0.5),
        background=(Background(to, (speaker,), "Mm."),) if index == 3 else (),
    )


def probe(scenario: str) -> Conversation:
    """Returns a short conversation with every kind of cue in it."""
    return Conversation(
        id="probe",
        turns=(
            _turn(1, "Ana", "Will you come on Sunday?", "Ben"),
            _turn(2, "Ben", "Maybe.", "Ana"),
            _turn(3, "Ana", "You never say yes.", "Ben"),
            _turn(4, "Ben", "Ana plans, I only hear of it.", "Therapist"),
            _turn(5, "Ana", "What should I do?", "Ben"),
        ),
        scenario=scenario,
        participants=("Ana", "Ben"),
        timing="recorded",
    )


def probes(scenario: str) -> Iterator[Conversation]:
    """Yields made-up conversations in which together all that a block can say is said.

    They are the short one, one that goes on for long, one of which little is known, one in
    another language, and one without a turn.
    """
    short = probe(scenario)
    yield short
    yield replace(short, turns=(*short.turns, *_more()))
    yield replace(
        short,
        turns=tuple(
            replace(t, addressees=(), speaker="" if t.index == 2 else t.speaker)
            for t in short.turns
        ),
        participants=(),
        timing="unknown",
    )
    foreign = "Gestern kam niemand, und heute wird auch keiner kommen."
    yield replace(
        short, turns=tuple(replace(t, text=foreign) for t in short.turns), timing="edited"
    )
    yield replace(short, turns=())


def _more() -> tuple[Turn, ...]:
    said = (
        ("Mum", "Ana is my daughter, she is only nine.", "Therapist"),
        ("Mum", "I am afraid that nobody helps.", "Therapist"),
        ("Mum", "It was your fault, Ben.", "Ben"),
        ("Therapist", "Tell Ben what you feel, Ana.", "Ana"),
    )
    return tuple(_turn(k, *turn) for k, turn in enumerate(said, start=6))


def taught(scenario: str) -> Conversation:
    """Returns a made-up training conversation with gold for every task."""
    pattern = "pursue_withdraw" if scenario == "couple" else "escalation_conflict"
    strategy = "evoke" if scenario == "couple" else "counterbalance"
    gold = {
        1: Annotation(viewpoints=(Viewpoint("Cleo", "Dan", "does not care", "blaming"),)),
        2: Annotation(relations=(Relation("relation_pattern", pattern, "she presses", (1,)),)),
        3: Annotation(
            strategies=(Strategy("Therapist", ("Dan",), strategy, "asks what is beneath"),),
            relations=(Relation("relation_cycle_state", pattern, "as before", (1, 2)),),
        ),
        4: Annotation(emotions=(Emotion("Dan", "feels at fault", 6.0),)),
    }
    turns = (
        _turn(1, "Cleo", "You are never at home.", "Dan"),
        _turn(2, "Dan", "I have to work.", "Cleo"),
        _turn(3, "Therapist", "What happens in you then, Dan?", "Dan"),
        _turn(4, "Dan", "I think of what I did wrong again.", "Therapist"),
    )
    return Conversation(
        id="taught",
        turns=turns,
        gold=tuple(gold.get(turn.index, Annotation()) for turn in turns),
        scenario=scenario,
        participants=("Cleo", "Dan"),
        relationship="taught",
    )


def found(instance: Instance) -> Prediction:
    """Returns a made-up finding on an instance: the first option is the likeliest."""
    who = instance.conversation.roster or ("Ana",)
    if instance.options:
        weights = [0.5**k for k in range(len(instance.options))]
        shares = tuple(w / sum(weights) for w in weights)
        return Prediction(instance.id, ranking=instance.options, probabilities=shares)
    if instance.task == "er":
        return Prediction(instance.id, emotion=Emotion(who[0], "feels unheard", 7.0))
    view = Viewpoint(who[0], who[-1], "keeps away", "blaming")
    return Prediction(instance.id, viewpoints=(view,))


def source(instance: Instance, needs: Sequence[str], settings: Settings = SETTINGS) -> Source:
    """Returns all that blocks could read for an instance, with made-up findings and training."""
    learnt, cases = _training(instance.conversation.scenario)
    of_training = {case.instance.id: found(case.instance) for case in cases}
    findings = {need: {**of_training, instance.id: found(instance)} for need in needs}
    return Source(
        instance,
        settings,
        {need: found(instance) for need in needs},
        training_of((learnt,), findings, settings),
    )


@cache
def _training(scenario: str) -> tuple[Conversation, tuple[Case, ...]]:
    learnt = taught(scenario)
    tasks = (load("task", name) for name in names("task"))
    return learnt, tuple(case for task in tasks for case in task.cases(learnt, View()))


@lru_cache(maxsize=32)
def prompt_hash(
    answers: AnswerForm, *, blocks: tuple[str, ...] = (), permuted: bool = False
) -> str:
    """Returns a hash that changes when a word or a form of any prompt changes.

    It covers the fixed words of prompts and blocks, and the prompts of all tasks for made-up
    conversations of a couple and a family, with made-up findings and training.

    Args:
        answers: the form of answers.
        blocks: of the summary; none for prompts without one.
        permuted: whether names in the summary are permuted.
    """
    digest = hashlib.sha256()
    shown = [load("block", name) for name in blocks]
    parts = [wording, *(sys.modules[type(block).__module__] for block in shown)]
    for module in (*parts, *((summary, observations) if blocks else ())):
        digest.update("\x1e".join(_fixed(module)).encode())
    layout = Layout(answers=answers, seed=0, context_tokens=ROOM, count=len)
    tellers = [Summariser(blocks, s, len, permuted=permuted) for s in (SETTINGS, TIGHT) if blocks]
    tasks = [load("task", name) for name in names("task")]
    cuts = [
        cut
        for scenario in ("couple", "family")
        for cut in (probes(scenario) if blocks else (probe(scenario),))
    ]
    for task, cut in product(tasks, cuts):
        asked = Instance("probe", task.name, cut, task.options(cut), target="Ana")
        given = source(asked, tellers[0].needs) if tellers else None
        said: list[Summary | None] = [teller.of(given) for teller in tellers if given]
        for told in said or [None]:
            prompt = render(task, asked, layout, summary=told)
            digest.update(f"{prompt.key}\x1f{sorted(prompt.schema)}\x1e".encode())
        if prompt.form == "letter":
            digest.update(content_free(task, prompt).key.encode())
    return digest.hexdigest()[:16]


def _fixed(module: ModuleType) -> Iterator[str]:
    """Yields the constants of a module that are words or numbers."""
    for key, value in sorted(vars(module).items()):
        if key.isupper() and isinstance(value, str | int | float | dict | tuple):
            yield f"{key}\x1f{value}"
