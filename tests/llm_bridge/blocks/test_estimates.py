"""What a trained model says of the question: equal words for every model."""

import re

import pytest

from relgraph.approach import Settings
from relgraph.errors import RelgraphError
from relgraph.llm_bridge.blocks._base import Source, unmarked
from relgraph.records import Conversation, Emotion, Instance, Prediction, Viewpoint
from relgraph.registry import load

MODELS = ("gnn", "text-head")
CUT = Conversation("c", (), participants=("Ana", "Ben"), scenario="couple")
ASKED = Instance("i", "rpp", CUT, options=("a_b", "c_d", "e_f"))


def text(model: str, found: Prediction, instance: Instance = ASKED) -> str:
    said = load("block", model).say(Source(instance, Settings(), {model: found}))
    assert len(said.entries) == 1
    return unmarked(f"{said.head} {said.entries[0]}")


def choice(*pairs: tuple[str, float]) -> Prediction:
    return Prediction("i", tuple(o for o, _ in pairs), tuple(p for _, p in pairs))


def test_all_options_stand_in_their_fixed_order_in_whole_percent() -> None:
    found = choice(("e_f", 0.624), ("a_b", 0.336), ("c_d", 0.04))
    assert text("gnn", found).endswith("chances: a_b 34%; c_d 04%; e_f 62%")


@pytest.mark.parametrize(("chance", "shown"), [(0.0, "01%"), (0.004, "01%"), (1.0, "99%")])
def test_a_chance_has_two_digits_whatever_it_is(chance: float, shown: str) -> None:
    found = choice(("a_b", chance), ("c_d", 1 - chance))
    assert f"a_b {shown};" in text("gnn", found)


def test_what_a_model_does_not_rank_has_no_chance() -> None:
    assert "c_d 01%" in text("gnn", choice(("e_f", 0.7), ("a_b", 0.3)))


def test_two_models_differ_in_digits_alone_and_are_not_named() -> None:
    one = text("gnn", choice(("e_f", 1.0), ("a_b", 0.0), ("c_d", 0.0)))
    other = text("text-head", choice(("c_d", 0.5), ("a_b", 0.3), ("e_f", 0.2)))
    assert re.sub(r"\d", "0", one) == re.sub(r"\d", "0", other)
    assert not any(word in one.casefold() for word in ("gnn", "graph", "text", "head"))


def test_the_people_of_a_choice_are_marked_as_people() -> None:
    instance = Instance("i", "stp", CUT, options=("Ana", "Couple"))
    said = load("block", "gnn").say(
        Source(instance, Settings(), {"gnn": choice(("Ana", 0.8), ("Couple", 0.2))})
    )
    assert said.entries == ("\x02Ana\x03 80%; \x02Couple\x03 20%",)


def test_an_emotion_is_a_phrase_and_an_intensity() -> None:
    found = Prediction("i", emotion=Emotion("Ana", 'is "fine"', 6.26))
    instance = Instance("i", "er", CUT)
    for model in MODELS:
        shown = text(model, found, instance)
        assert shown.endswith('the emotion to be "is \\"fine\\"", intensity 6.3 of 10')


def test_viewpoints_are_who_thinks_of_whom_once_each() -> None:
    views = (
        Viewpoint("Ana", "Ben", "x"),
        Viewpoint("Ana", "Ben", "y"),
        Viewpoint("Ben", "Ana", ""),
    )
    shown = text("gnn", Prediction("i", viewpoints=views), Instance("i", "vp", CUT))
    assert shown.endswith("to be those of Ana about Ben, Ben about Ana")


@pytest.mark.parametrize("model", MODELS)
def test_a_finding_that_is_missing_failed_or_without_chances_fails_the_item(model: str) -> None:
    block, failed = load("block", model), Prediction("i", failure="no such label")
    with pytest.raises(RelgraphError, match=f"no answer of {model} to show"):
        block.say(Source(ASKED, Settings()))
    with pytest.raises(RelgraphError, match=f"no answer of {model} to show: no such label"):
        block.say(Source(ASKED, Settings(), {model: failed}))
    with pytest.raises(RelgraphError, match=f"{model} gave no probabilities"):
        block.say(Source(ASKED, Settings(), {model: Prediction("i", ("a_b",))}))
