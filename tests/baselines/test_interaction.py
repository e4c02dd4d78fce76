"""The interaction-feature model as an approach: learning, answers, and what it cannot answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relgraph import registry
from relgraph.approach import Settings
from relgraph.errors import DataError
from relgraph.records import (
    Annotation,
    Conversation,
    Emotion,
    Instance,
    Relation,
    Strategy,
    Turn,
    View,
)

TASKS = ("itp", "rpp", "ssp", "stp")
WARM, COLD = "thank you for saying that", "you are always late and never sorry"
PAIRS = {
    "couple": ("attack_attack", "repair_softening"),
    "family": ("escalation_conflict", "repair_softening"),
}


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(embedder="hashing:64", cache=str(tmp_path_factory.mktemp("vectors")))


def group(number: int, scenario: str = "couple", rows: int = 18) -> Conversation:
    """Returns a group whose words tell the label: cold words before an attack, warm before repair.

    Of three rows the third is the therapist's; it tracks the first person after cold words and
    reframes for the second after warm ones, each having spoken last.
    """
    people = (f"Edda{number}", f"Jon{number}")
    bad, good = PAIRS[scenario]
    turns, gold = [], []
    for k in range(rows):
        cold = (k // 3 + number) % 2 == 0
        supporter = k % 3 == 2
        mine = people[0] if cold else people[1]
        speaker = "Therapist" if supporter else mine if k % 3 == 1 else people[cold]
        turns.append(Turn(k + 1, speaker, COLD if cold else WARM, (mine,)))
        strategy = Strategy("Therapist", (mine,), "track" if cold else "reframe")
        relation = "relation_cycle_state" if scenario == "couple" else "relation_pattern"
        gold.append(
            Annotation(
                utterance_type="" if supporter else "accusation" if cold else "repair",
                emotions=() if supporter else (Emotion(speaker, "hurt" if cold else "calm", 5.0),),
                strategies=(strategy,) if supporter else (),
                relations=(Relation(relation, bad if cold else good),) if supporter else (),
            )
        )
    return Conversation(
        f"{scenario}{number}", tuple(turns), tuple(gold), scenario, people,
        relationship=f"{scenario}{number}",
    )  # fmt: skip


def cases(conversation: Conversation, *tasks: str, view: View = View()):  # noqa: B008
    return [c for t in tasks for c in registry.load("task", t).cases(conversation, view)]


def answers(fitted, asked):
    return list(fitted.predict([case.instance for case in asked], {}))


def fit(settings: Settings, train, seed: int = 0):
    return registry.load("approach", "interaction")(settings).fit(train, seed=seed)


@pytest.fixture(scope="module")
def fitted(settings: Settings):
    return fit(settings, [group(k) for k in range(6)])


@pytest.mark.parametrize("task", TASKS)
def test_it_learns_what_words_and_turns_tell_of_an_unseen_couple(fitted, task: str) -> None:
    unseen = cases(group(7), task)
    found = answers(fitted, unseen)
    # before the first turn there is nothing to go by
    heard = [k for k, case in enumerate(unseen) if case.instance.conversation.turns]
    assert heard
    right = [found[k].ranking[0] == unseen[k].gold.label for k in heard]
    assert sum(right) == len(right)


def test_families_learn_from_couples_what_their_conflict_sounds_like(settings: Settings) -> None:
    """The only family in training knows calm alone; couples know what an attack is."""
    family = group(1, "family")
    calm = tuple(
        replace(g, relations=tuple(r for r in g.relations if r.label == "repair_softening"))
        for g in family.gold
    )
    taught = fit(settings, [*(group(k) for k in range(6)), replace(family, gold=calm)])
    asked = [c for c in cases(group(2, "family"), "rpp") if c.gold.label == "escalation_conflict"]
    asked = [c for c in asked if c.instance.conversation.turns]
    warm = [c for c in cases(group(2, "family"), "rpp") if c.gold.label == "repair_softening"]

    def mean(some) -> float:
        said = [dict(zip(p.ranking, p.probabilities, strict=True)) for p in answers(taught, some)]
        return sum(p["escalation_conflict"] / p["mutual_disengagement"] for p in said) / len(said)

    assert mean(asked) > 5 * mean(warm)


def test_the_strongest_features_are_named_in_words(fitted) -> None:
    (said,) = answers(fitted, cases(group(7), "rpp")[-1:])
    assert said.because
    assert all(f"for {said.ranking[0]} over {said.ranking[1]}: " in line for line in said.because)


def test_names_do_not_matter(settings: Settings, fitted) -> None:
    one, other = group(7), group(7)
    names = dict(zip(one.participants, ("Zoe", "Max"), strict=True))

    def renamed(strategy: Strategy) -> tuple[str, ...]:
        return tuple(names[target] for target in strategy.targets)

    other = replace(
        other,
        participants=tuple(names.values()),
        turns=tuple(
            replace(
                t,
                speaker=names.get(t.speaker, t.speaker),
                addressees=tuple(names[a] for a in t.addressees),
            )
            for t in other.turns
        ),
        gold=tuple(
            replace(g, strategies=tuple(replace(x, targets=renamed(x)) for x in g.strategies))
            for g in other.gold
        ),
    )
    for task in TASKS:
        before, after = (answers(fitted, cases(c, task)) for c in (one, other))
        assert before
        for a, b in zip(before, after, strict=True):
            assert tuple(names.get(o, o) for o in a.ranking) == b.ranking
            assert a.probabilities == pytest.approx(b.probabilities, abs=1e-6)


def test_a_scenario_without_labels_fails_for_those_tasks_and_not_for_the_others(fitted) -> None:
    team = replace(group(7), scenario="team")
    for task in ("rpp", "ssp"):
        (instance, *_) = [c.instance for c in cases(group(7), task)]
        asked = replace(instance, conversation=replace(instance.conversation, scenario="team"))
        (said,) = fitted.predict([asked], {})
        assert said.failure == f"interaction: scenario 'team' has no label set for {task}"
    assert [p.failure for p in answers(fitted, cases(team, "itp", "stp"))].count("") > 0


def test_a_scenario_that_training_did_not_have_fails(fitted) -> None:
    (said, *_) = answers(fitted, cases(group(7, "family"), "rpp"))
    assert "no training conversation of scenario 'family' has labels for rpp" in said.failure


def test_options_that_are_no_labels_fail(fitted) -> None:
    (case, *_) = cases(group(7), "rpp")
    (said,) = fitted.predict([replace(case.instance, options=("joy", "anger"))], {})
    assert "none of the options is a label" in said.failure


def test_candidates_that_nobody_has_heard_of_fail(fitted) -> None:
    (case, *_) = cases(group(7), "stp")
    (said,) = fitted.predict([replace(case.instance, options=("Nobody",))], {})
    assert "none of the options is known" in said.failure


def test_any_number_of_people_is_ranked(fitted) -> None:
    of = replace(group(7), participants=("A", "B", "C", "D", "E"))
    instance = Instance("x", "stp", replace(of, gold=()), options=("A", "B", "C", "D", "E"))
    (said,) = fitted.predict([instance], {})
    assert sorted(said.ranking) == ["A", "B", "C", "D", "E"]
    assert sum(said.probabilities) == pytest.approx(1)


def test_training_without_labels_is_one_clear_error(settings: Settings) -> None:
    bare = replace(group(1), gold=(), turns=group(1).turns[:1])
    with pytest.raises(DataError, match="none of the 1 training conversations has a labelled"):
        fit(settings, [bare])


def test_training_without_annotations_still_learns_when_to_speak(settings: Settings) -> None:
    fitted = fit(settings, [replace(group(k), gold=()) for k in range(4)])
    assert all(not p.failure for p in answers(fitted, cases(group(7), "itp")))
    (said, *_) = answers(fitted, cases(group(7), "rpp"))
    assert "no training conversation of scenario 'couple' has labels for rpp" in said.failure
    (said, *_) = answers(fitted, cases(group(7), "stp"))
    assert said.failure == "interaction: no training conversation has cases of stp"


def test_one_class_in_training_is_enough(settings: Settings) -> None:
    def only(conversation: Conversation) -> Conversation:
        return replace(
            conversation,
            gold=tuple(
                replace(g, relations=tuple(replace(r, label="attack_attack") for r in g.relations))
                for g in conversation.gold
            ),
        )

    fitted = fit(settings, [only(group(k)) for k in range(3)])
    assert {p.ranking[0] for p in answers(fitted, cases(group(7), "rpp"))} == {"attack_attack"}


def test_one_relationship_in_training_is_enough(settings: Settings) -> None:
    found = answers(fit(settings, [group(1)]), cases(group(7), *TASKS))
    assert [p.failure for p in found] == [""] * len(found)


def test_modes_read_their_channels(settings: Settings) -> None:
    """Tone tells the label and words do not; only a mode that shows tone can use it."""

    def toned(number: int) -> Conversation:
        of = group(number)
        turns = tuple(
            replace(t, text="so it is", tone="icy" if t.text == COLD else "soft") for t in of.turns
        )
        return replace(of, turns=turns)

    for mode, wanted in (("dialogue", False), ("audio", True), ("visual", False)):
        view = View(mode=mode)  # type: ignore[arg-type]
        fitted = fit(replace(settings, view=view), [toned(k) for k in range(6)])
        asked = cases(toned(7), "rpp", view=view)[-1:]
        told = asked[0].instance.conversation
        other = replace(told, turns=tuple(replace(t, tone="icy") for t in told.turns))
        changed = replace(asked[0].instance, conversation=other)
        a, b = (next(iter(fitted.predict([i], {}))) for i in (asked[0].instance, changed))
        assert (a.probabilities != b.probabilities) == wanted, mode


def test_short_contexts_are_learnt_and_answered(settings: Settings) -> None:
    view = View(context_turns=3)
    fitted = fit(replace(settings, view=view), [group(k) for k in range(4)])
    found = answers(fitted, cases(group(7), *TASKS, view=view))
    assert [p.failure for p in found] == [""] * len(found)
