"""A small invented corpus, and a network trained on it for two epochs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from relgraph import registry
from relgraph.approach import Settings
from relgraph.records import (
    Annotation,
    Background,
    Conversation,
    Emotion,
    Instance,
    Nonverbal,
    Relation,
    Strategy,
    Turn,
    View,
    Viewpoint,
)

TASKS = ("er", "itp", "rpp", "ssp", "stp", "vp")
SHOWN = View()
LINES = (
    "You never ask how my day went, do you?",
    "I was tired and I did not want to talk about it.",
    "What happens in you when you hear that?",
    "It feels as if I were the last one on the list.",
    "That is not fair, I do the shopping every week.",
    "Can you tell {other} that, rather than me?",
    "I am sorry, I did not know it was that bad for you.",
    "Yes. And I miss the evenings we had.",
)
COUPLE = ("pursue_withdraw", "attack_attack", "repair_softening", "constructive_alignment")
FAMILY = ("escalation_conflict", "pursue_withdraw", "cooperative_family_alliance")


def talk(name: str, people: Sequence[str], *, scenario: str, turns: int, start: int = 0):
    """Returns a conversation: two clients speak, then the therapist, and so on, with all layers."""
    said, gold = [], []
    for k in range(turns):
        supporter = (k + start) % 3 == 2
        speaker = "Therapist" if supporter else people[(k * 2 + start) % len(people)]
        other = people[(k + 1) % len(people)]
        other = people[k % len(people)] if other == speaker else other
        to = (other,) if supporter or k % 2 else ("Therapist",)
        if k % 7 == 6:
            to = (scenario.capitalize(),)
        said.append(
            Turn(
                index=k + 1,
                speaker=speaker,
                text=LINES[(k + start) % len(LINES)].format(other=other) + f" {k % 5} times",
                addressees=to,
                addressee_source="given",
                start_s=4.0 * k,
                end_s=4.0 * k + 3 + (k % 4 == 3),
                background=(Background(other, (speaker,), "Mm."),) if k % 5 == 4 else (),
                tone="quiet, halting" if k % 2 else "",
                nonverbal=(Nonverbal("body_posture", speaker, "leans back"),) if k % 3 else (),
            )
        )
        label = (COUPLE if scenario == "couple" else FAMILY)[(k // 4 + start) % 3]
        field = "relation_cycle_state" if scenario == "couple" else "relation_pattern"
        gold.append(
            Annotation(
                utterance_type="" if supporter else ("accusation", "disclosure")[k % 2],
                emotions=() if supporter else (Emotion(speaker, "hurt and alone", 4.0 + k % 5),),
                viewpoints=()
                if supporter
                else (Viewpoint(speaker, other, f"{other} does not listen", "bitter"),),
                strategies=(Strategy("Therapist", to, ("track", "enact")[k % 2]),)
                if supporter
                else (),
                relations=(Relation(field, label),),
            )
        )
    return Conversation(
        id=name,
        turns=tuple(said),
        gold=tuple(gold),
        scenario=scenario,
        participants=tuple(people),
        relationship=name.split("/")[0],
        timing="recorded",
    )


def small_corpus() -> tuple[Conversation, ...]:
    """Returns eight conversations of six relationships, two of them families of five."""
    return (
        talk("oak/1", ("Ines", "Bo"), scenario="couple", turns=14),
        talk("oak/2", ("Ines", "Bo"), scenario="couple", turns=9, start=1),
        talk("elm/1", ("Tarik", "Juno"), scenario="couple", turns=12, start=2),
        talk("ash/1", ("Mina", "Per"), scenario="couple", turns=16, start=1),
        talk("fir/1", ("Ravi", "Lotte", "Sol"), scenario="couple", turns=11),
        talk("bay/1", ("Oma", "Pia", "Kei", "Uli", "Zoe"), scenario="family", turns=15),
        talk("yew/1", ("Ada", "Ben", "Cy", "Dot", "Eve"), scenario="family", turns=13, start=2),
        talk("yew/2", ("Ada", "Ben", "Cy", "Dot", "Eve"), scenario="family", turns=10, start=1),
    )


@pytest.fixture(scope="session")
def instances_of() -> Callable[..., list[Instance]]:
    """Gives a function: the instances of all six tasks in a conversation."""

    def find(conversation: Conversation, view: View = SHOWN) -> list[Instance]:
        tasks = [registry.load("task", name) for name in TASKS]
        return [case.instance for task in tasks for case in task.cases(conversation, view)]

    return find


@pytest.fixture(scope="session")
def corpus() -> tuple[Conversation, ...]:
    return small_corpus()


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    cache = tmp_path_factory.mktemp("vectors")
    recipe = cache / "recipe.json"
    recipe.write_text('{"members": 2, "hidden": 32, "relation": 4}', encoding="utf-8")
    return Settings(
        embedder="hashing:48", epochs=2, cache=str(cache), device="cpu", recipe=str(recipe)
    )


@pytest.fixture(scope="session")
def fitted(corpus: tuple[Conversation, ...], settings: Settings) -> Any:
    """The network trained on all but the last relationship of each scenario."""
    train = tuple(c for c in corpus if c.relationship not in ("fir", "yew"))
    return registry.load("approach", "gnn")(settings).fit(train, seed=3)
