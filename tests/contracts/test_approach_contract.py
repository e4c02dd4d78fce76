"""What every approach promises; a new file in the registry is tested by being there."""

import copy
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from relgraph import registry
from relgraph.approach import Approach, Findings, Fitted, Settings
from relgraph.evaluation._codec import invalid
from relgraph.records import Conversation, Instance, Prediction, Turn, View, fingerprint

APPROACHES = registry.names("approach")
FLOORS = [n for n in APPROACHES if getattr(registry.load("approach", n), "floor", False)]
TOLERANCE = 1e-5
Get = Callable[[str], tuple[Approach, Fitted]]
Corpus = dict[str, tuple[Conversation, ...]]


def instances(approach: Approach, conversations: Sequence[Conversation]) -> list[Instance]:
    return [
        case.instance
        for conversation in conversations
        for task in registry.names("task")
        if task in approach.tasks
        for case in registry.load("task", task).cases(conversation, View())
    ]


def findings(approach: Approach, asked: Sequence[Instance], get: Get) -> Findings:
    """What the approaches that this one needs say, by these approaches themselves."""
    return {name: {p.instance: p for p in said(name, asked, get)} for name in approach.needs}


def said(name: str, asked: Sequence[Instance], get: Get) -> list[Prediction]:
    approach, fitted = get(name)
    own = [i for i in asked if i.task in approach.tasks]
    return list(fitted.predict(own, findings(approach, own, get)))


def free(prediction: Prediction) -> Prediction:
    """The prediction without what it took."""
    from relgraph.records import Cost

    return replace(prediction, cost=Cost())


def near(one: Prediction, other: Prediction) -> bool:
    """Whether two predictions are equal but for the last digits of numbers, and ties."""
    a = dict(zip(one.ranking, one.probabilities, strict=False))
    b = dict(zip(other.ranking, other.probabilities, strict=False))
    if set(one.ranking) != set(other.ranking) or set(a) != set(b):
        return False
    if any(abs(a[o] - b[o]) > TOLERANCE for o in a):
        return False
    tied = all(
        x == y or (a and abs(a[x] - a[y]) <= TOLERANCE)
        for x, y in zip(one.ranking, other.ranking, strict=True)
    )
    if one.emotion is not None and other.emotion is not None:
        off = abs((one.emotion.intensity or 0) - (other.emotion.intensity or 0))
        felt = one.emotion.phrase == other.emotion.phrase and off <= 1e-3
    else:
        felt = one.emotion is other.emotion
    return tied and felt and (one.viewpoints, one.failure) == (other.viewpoints, other.failure)


@pytest.mark.parametrize("name", APPROACHES)
def test_an_approach_is_named_as_in_the_registry(name: str, settings: Settings) -> None:
    assert registry.load("approach", name)(settings).name == name


@pytest.mark.parametrize("name", APPROACHES)
def test_what_an_approach_answers_and_needs_exists(name: str, settings: Settings) -> None:
    approach = registry.load("approach", name)(settings)
    assert approach.tasks
    assert approach.tasks <= set(registry.names("task"))
    assert set(approach.needs) <= set(APPROACHES) - {name}


@pytest.mark.parametrize("name", APPROACHES)
def test_an_approach_gives_one_valid_answer_an_instance_in_order(
    name: str, fitted: Get, corpus: Corpus
) -> None:
    asked = instances(fitted(name)[0], corpus["tested"])
    assert asked
    answers = said(name, asked, fitted)
    assert [p.instance for p in answers] == [i.id for i in asked]
    assert [invalid(p, i) for p, i in zip(answers, asked, strict=True)] == [""] * len(asked)
    assert [p.failure for p in answers] == [""] * len(asked)


@pytest.mark.parametrize("name", APPROACHES)
def test_probabilities_fall_along_the_ranking_and_sum_to_1(
    name: str, fitted: Get, corpus: Corpus
) -> None:
    for p in said(name, instances(fitted(name)[0], corpus["tested"]), fitted):
        assert list(p.probabilities) == sorted(p.probabilities, reverse=True)
        if p.probabilities:
            assert sum(p.probabilities) == pytest.approx(1, abs=TOLERANCE)


@pytest.mark.parametrize("name", APPROACHES)
def test_the_same_seed_gives_the_same_answers(
    name: str, fitted: Get, corpus: Corpus, settings: Settings
) -> None:
    approach, _ = fitted(name)
    asked = instances(approach, corpus["tested"])
    again = registry.load("approach", name)(settings)
    refitted = again.fit(corpus["train"] if again.learns else (), seed=0)
    answers = refitted.predict(asked, findings(approach, asked, fitted))
    assert list(map(free, answers)) == list(map(free, said(name, asked, fitted)))


@pytest.mark.parametrize("name", APPROACHES)
def test_fitting_and_answering_leave_their_inputs_as_they_were(
    name: str, fitted: Get, corpus: Corpus
) -> None:
    before = copy.deepcopy(corpus)
    asked = instances(fitted(name)[0], corpus["tested"])
    kept = copy.deepcopy(asked)
    said(name, asked, fitted)
    assert asked == kept
    assert corpus == before


@pytest.mark.parametrize("name", APPROACHES)
def test_an_answer_does_not_depend_on_what_else_is_asked(
    name: str, fitted: Get, corpus: Corpus
) -> None:
    asked = instances(fitted(name)[0], corpus["tested"])
    together = {p.instance: p for p in said(name, asked, fitted)}
    for instance in asked[:: max(1, len(asked) // 12)]:
        (alone,) = said(name, [instance], fitted)
        assert near(alone, together[instance.id]), instance.task


@pytest.mark.parametrize("name", APPROACHES)
def test_the_order_of_asking_does_not_matter(name: str, fitted: Get, corpus: Corpus) -> None:
    asked = instances(fitted(name)[0], corpus["tested"])
    forward = said(name, asked, fitted)
    backward = said(name, asked[::-1], fitted)[::-1]
    assert all(near(a, b) for a, b in zip(forward, backward, strict=True))


@pytest.mark.parametrize("name", APPROACHES)
def test_nothing_asked_is_nothing_answered(name: str, fitted: Get) -> None:
    assert said(name, [], fitted) == []


@pytest.mark.parametrize("name", APPROACHES)
def test_what_learns_names_what_it_was_trained_on_and_nothing_else_does(
    name: str, fitted: Get, corpus: Corpus
) -> None:
    approach, made = fitted(name)
    wanted = {fingerprint(c) for c in corpus["train"]} if approach.learns else set()
    assert made.trained_on == wanted


def renamed(conversation: Conversation) -> Conversation:
    """The conversation with other names for all people, in ids, rosters and texts alike."""
    names = {old: f"Zz{k}" for k, old in enumerate(conversation.participants)}
    pattern = re.compile("|".join(rf"\b{re.escape(n)}\b" for n in names))

    def other(text: str) -> str:
        return pattern.sub(lambda m: names[m[0]], text)

    def turn(t: Turn) -> Turn:
        return replace(
            t,
            speaker=names.get(t.speaker, t.speaker),
            text=other(t.text),
            addressees=tuple(names.get(a, a) for a in t.addressees),
        )

    def strategies(k: int) -> tuple[object, ...]:
        return tuple(
            replace(s, targets=tuple(names.get(n, n) for n in s.targets))
            for s in conversation.gold[k].strategies
        )

    def viewpoints(k: int) -> tuple[object, ...]:
        return tuple(
            replace(v, source=names.get(v.source, v.source), target=names.get(v.target, v.target))
            for v in conversation.gold[k].viewpoints
        )

    def emotions(k: int) -> tuple[object, ...]:
        return tuple(
            replace(e, person=names.get(e.person, e.person)) for e in conversation.gold[k].emotions
        )

    gold = tuple(
        replace(g, strategies=strategies(k), viewpoints=viewpoints(k), emotions=emotions(k))  # type: ignore[arg-type]
        for k, g in enumerate(conversation.gold)
    )
    return replace(
        conversation,
        turns=tuple(map(turn, conversation.turns)),
        gold=gold,
        participants=tuple(names.values()),
    )


@pytest.mark.parametrize("name", FLOORS)
def test_renaming_everybody_changes_nothing_that_a_floor_says(
    name: str, fitted: Get, corpus: Corpus
) -> None:
    approach, _ = fitted(name)
    for conversation in corpus["tested"]:
        names = {old: f"Zz{k}" for k, old in enumerate(conversation.participants)}
        before = said(name, instances(approach, [conversation]), fitted)
        after = said(name, instances(approach, [renamed(conversation)]), fitted)
        assert len(before) == len(after)
        for a, b in zip(before, after, strict=True):
            assert tuple(names.get(o, o) for o in a.ranking) == b.ranking
            assert a.probabilities == b.probabilities
            assert (a.emotion and a.emotion.intensity) == (b.emotion and b.emotion.intensity)
            assert [
                (names.get(v.source, v.source), names.get(v.target, v.target)) for v in a.viewpoints
            ] == [(v.source, v.target) for v in b.viewpoints]
