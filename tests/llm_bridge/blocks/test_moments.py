"""Similar training moments: which are chosen, what is shown of them, and of whom."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from relgraph.approach import Settings
from relgraph.errors import RelgraphError
from relgraph.llm_bridge.blocks._base import Said, Source, Training, unmarked
from relgraph.llm_bridge.blocks._moments import MOST_CHARACTERS
from relgraph.llm_bridge.privacy import Disguise
from relgraph.records import Case, Conversation, Emotion, Gold, Instance, Prediction, Viewpoint
from relgraph.registry import load

Talk = Callable[..., Conversation]
HASHING = Settings(embedder="hashing:64")
TEXTS = {
    "boat": "the boat is in the harbour",
    "boats": "the boats are in the harbour",
    "bread": "we bake bread on sunday",
    "snow": "snow fell all night",
    "keys": "where did i put my keys",
}


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def case(
    cut: Conversation, of: str, gold: Gold | None = None, *, task: str = "rpp", target: str = ""
) -> Case:
    instance = Instance(f"{task}-{of}", task, cut, options=("p", "q"), target=target)
    return Case(instance, gold or Gold("p"), of.split("/")[0], of.split("/")[0], 1)


def say(
    block: str,
    cut: Conversation,
    *cases: Case,
    task: str = "rpp",
    disguise: Disguise | None = None,
    findings: dict[str, Prediction] | None = None,
) -> Said:
    key = "|".join(c.instance.id + c.instance.conversation.scenario for c in cases)
    training = Training(
        cases={task: cases},
        findings={"gnn": findings or {}},
        key=key + repr([c.instance.conversation.turns for c in cases]),
        disguise=disguise or Disguise(),
    )
    asked = Instance("i", task, cut, options=("p", "q"))
    return load("block", block).say(Source(asked, HASHING, training=training))


def entries(block: str, cut: Conversation, *cases: Case, **more: object) -> list[str]:
    return [unmarked(e) for e in say(block, cut, *cases, **more).entries]  # type: ignore[arg-type]


def spoken(talk: Talk, *topics: str) -> Conversation:
    return talk(*(("Dee", "Eve", TEXTS[t]) for t in topics), participants=("Dee", "Eve"))


def test_the_most_alike_moments_come_first_three_of_them(talk: Talk) -> None:
    cases = [case(spoken(talk, t), t) for t in ("bread", "snow", "boat", "keys")]
    shown = entries("examples", spoken(talk, "boats"), *cases)
    assert len(shown) == 3
    assert shown[0] == f'Dee -> Eve: "{TEXTS["boat"]}" => p'


def test_each_is_of_another_conversation(talk: Talk) -> None:
    cases = [case(spoken(talk, t), f"one/{t}") for t in ("boat", "snow")]
    cases.append(case(spoken(talk, "bread"), "two/bread"))
    shown = entries("examples", spoken(talk, "boats"), *cases)
    assert [TEXTS["boat"] in shown[0], TEXTS["bread"] in shown[1]] == [True, True]
    assert len(shown) == 2


def test_the_last_turn_weighs_most(talk: Talk) -> None:
    cases = [case(spoken(talk, *t), "".join(t)) for t in (("boat", "snow"), ("snow", "boat"))]
    shown = entries("examples", spoken(talk, "bread", "boat"), *cases)
    assert shown[0].endswith(f'"{TEXTS["boat"]}" => p')


def test_only_the_scenario_at_hand_is_looked_at(talk: Talk) -> None:
    of_family = replace(spoken(talk, "boat"), scenario="family")
    with pytest.raises(RelgraphError, match="no training conversation of scenario 'couple'"):
        say("examples", spoken(talk, "boat"), case(of_family, "boat"))


def test_a_moment_is_its_last_two_turns_before_the_cut(talk: Talk) -> None:
    (shown,) = entries("examples", spoken(talk, "boat"), case(spoken(talk, *TEXTS), "one"))
    assert TEXTS["keys"] in shown
    assert TEXTS["snow"] in shown
    assert TEXTS["bread"] not in shown


def test_a_long_turn_is_cut_at_a_word(talk: Talk) -> None:
    cut = talk(("Dee", "Eve", "word " * 100), participants=("Dee", "Eve"))
    (shown,) = entries("examples", cut, case(cut, "one"))
    quoted = shown.split('"')[1]
    assert quoted.endswith("word ...")
    assert len(quoted) <= MOST_CHARACTERS + len(" ...")


def test_a_moment_before_the_first_turn_says_so(talk: Talk) -> None:
    assert entries("examples", talk(), case(talk(), "one")) == ["(nothing said yet) => p"]


def test_whom_support_is_for_is_part_of_the_moment(talk: Talk) -> None:
    there = case(spoken(talk, "boat"), "one", Gold("track"), task="ssp", target="Eve")
    (shown,) = entries("examples", spoken(talk, "boat"), there, task="ssp")
    assert shown.endswith("/ support for Eve => track")


def test_answers_of_open_tasks_are_shown_in_full(talk: Talk) -> None:
    cut = spoken(talk, "boat")
    felt = case(cut, "one", Gold(emotion=Emotion("Dee", "at peace", 4.0)), task="er")
    (shown,) = entries("examples", cut, felt, task="er")
    assert shown.endswith('=> "at peace", intensity 4.0 of 10')
    held = case(cut, "one", Gold(viewpoints=(Viewpoint("Dee", "Eve", "is late"),)), task="vp")
    (shown,) = entries("examples", cut, held, task="vp")
    assert shown.endswith('=> Dee about Eve "is late"')


def test_similar_adds_the_chances_of_the_right_answer_and_of_the_first(talk: Talk) -> None:
    cut = spoken(talk, "boat")
    found = {"rpp-one": Prediction("rpp-one", ("q", "p"), (0.8, 0.2))}
    plain, beside = (
        entries(block, cut, case(cut, "one"), findings=found)[0]
        for block in ("examples", "similar")
    )
    assert beside == f"{plain}; the model said: p 20%, q 80%"


def test_a_moment_of_which_the_model_said_nothing_says_so(talk: Talk) -> None:
    cut = spoken(talk, "boat")
    for found in ({}, {"rpp-one": Prediction("rpp-one", failure="no label")}):
        (shown,) = entries("similar", cut, case(cut, "one"), findings=found)
        assert shown.endswith("; the model said: not known")


class Hidden(Disguise):
    """Calls Dee Xa and Eve Yo wherever they stand."""

    def instance(self, instance: Instance) -> Instance:
        turns = tuple(
            replace(t, speaker=swap(t.speaker), addressees=tuple(map(swap, t.addressees)),
                    text=swap(t.text))
            for t in instance.conversation.turns
        )  # fmt: skip
        conversation = replace(instance.conversation, turns=turns)
        return replace(instance, conversation=conversation, target=swap(instance.target))

    def finding(self, prediction: Prediction, instance: Instance) -> Prediction:
        del instance
        views = tuple(
            Viewpoint(swap(v.source), swap(v.target), swap(v.viewpoint))
            for v in prediction.viewpoints
        )
        return replace(prediction, ranking=tuple(map(swap, prediction.ranking)), viewpoints=views)


def swap(text: str) -> str:
    return text.replace("Dee", "Xa").replace("Eve", "Yo")


@pytest.mark.parametrize("block", ["examples", "similar"])
def test_people_of_training_are_hidden_as_well(block: str, talk: Talk) -> None:
    cut = talk(("Dee", "Eve", "Eve, come here"), participants=("Dee", "Eve"))
    golds = {
        "stp": Gold("Eve"),
        "ssp": Gold("track"),
        "vp": Gold(viewpoints=(Viewpoint("Dee", "Eve", "Eve is late"),)),
    }
    for task, gold in golds.items():
        one = f"{task}-one"
        found = {one: Prediction(one, ("Dee", "Eve"), (0.6, 0.4))}
        if task == "vp":
            found = {one: Prediction(one, viewpoints=gold.viewpoints)}
        there = case(cut, "one", gold, task=task, target="Eve" if task == "ssp" else "")
        said = say(block, cut, there, task=task, disguise=Hidden(), findings=found)
        assert not [e for e in said.entries if "Dee" in e or "Eve" in e]
        assert "Yo" in said.entries[0]
