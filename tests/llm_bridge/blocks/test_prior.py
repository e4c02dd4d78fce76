"""Training labels counted: of the scenario, and people by the part they have."""

from collections.abc import Callable

import pytest

from relgraph.approach import Settings
from relgraph.errors import RelgraphError
from relgraph.llm_bridge.blocks._base import Source, Training, unmarked
from relgraph.llm_bridge.blocks.prior import role
from relgraph.records import Case, Conversation, Emotion, Gold, Instance, Viewpoint
from relgraph.registry import load

Talk = Callable[..., Conversation]


def case(task: str, gold: Gold, cut: Conversation) -> Case:
    return Case(Instance("t", task, cut), gold, "other", "other", 1)


def text(instance: Instance, *cases: Case) -> str:
    training = Training(cases={instance.task: cases})
    said = load("block", "prior").say(Source(instance, Settings(), training=training))
    return unmarked(f"{said.head} {said.entries[0]}")


def test_labels_are_counted_within_the_scenario(talk: Talk) -> None:
    couple, family = talk(), talk(scenario="family")
    asked = Instance("i", "rpp", couple, options=("p", "q", "r"))
    cases = [case("rpp", Gold(label), couple) for label in ("p", "p", "p", "q")]
    cases += [case("rpp", Gold("r"), family)] * 5
    assert text(asked, *cases).endswith("right in: p 75%; q 25%; r 01%")


def test_a_target_of_support_is_the_group_who_spoke_last_or_another(talk: Talk) -> None:
    rows = (("Ben", "", "no"), ("Ana", "", "yes"), ("Therapist", "", "hm"))
    cut = talk(*rows, participants=("Ana", "Ben", "Cy"))
    roles = {who: role(Instance("i", "stp", cut), who) for who in ("Ana", "Ben", "Cy", "Couple")}
    assert roles == {
        "Ana": "who spoke last",
        "Ben": "somebody else",
        "Cy": "somebody else",
        "Couple": "the group",
    }


def test_what_others_have_together_is_shared_evenly(talk: Talk) -> None:
    cut = talk(("Ana", "", "yes"), participants=("Ana", "Ben", "Cy"))
    asked = Instance("i", "stp", cut, options=("Ana", "Ben", "Cy", "Couple"))
    there = talk(("Dee", "", "yes"), participants=("Dee", "Eve"))
    labels = ("Dee",) * 2 + ("Eve",) * 4 + ("Couple",) * 4
    cases = [case("stp", Gold(label), there) for label in labels]
    assert text(asked, *cases).endswith("Ana 20%; Ben 20%; Cy 20%; Couple 40%")


def test_emotions_are_a_median_intensity(talk: Talk) -> None:
    felt = [Emotion("Dee", "sad", value) for value in (3.0, 5.0, 9.0)] + [Emotion("D", "", None)]
    cases = [case("er", Gold(emotion=e), talk()) for e in felt]
    shown = text(Instance("i", "er", talk()), *cases)
    assert shown.endswith("emotions had a median intensity of 5.0 of 10")


def test_viewpoints_are_counted_by_the_parts_of_both(talk: Talk) -> None:
    there = talk(("Dee", "", "x"), participants=("Dee", "Eve"))
    views = [("Dee", "Eve"), ("Dee", "Dee"), ("Dee", "Couple"), ("Eve", "Therapist")]
    cases = [case("vp", Gold(viewpoints=(Viewpoint(a, b, ""),)), there) for a, b in views]
    shown = text(Instance("i", "vp", talk()), *cases)
    assert shown.endswith(
        "held by somebody else 25%, the speaker 75%; "
        "about oneself 25%, somebody else 25%, the group 25%, the supporter 25%"
    )


def test_a_scenario_that_training_lacks_fails_the_item(talk: Talk) -> None:
    asked = Instance("i", "rpp", talk(), options=("p", "q"))
    with pytest.raises(RelgraphError, match="no training conversation of scenario 'couple'"):
        text(asked, case("rpp", Gold("p"), talk(scenario="family")))
