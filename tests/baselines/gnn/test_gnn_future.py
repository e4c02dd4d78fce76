"""The future changes no answer of `gnn` or `interaction`, whoever is there and whatever is shown.

Random conversations: with a roster and without, of two people and of many, who appear at any time,
share parts of names, are called like a group or like a word; everybody at once may be spoken to
before all have appeared. All instances are asked together, and each alone.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from relgraph import registry
from relgraph.baselines.gnn.answer import ranked
from relgraph.labels import patterns, strategies
from relgraph.records import (
    Annotation,
    Background,
    Conversation,
    Emotion,
    Instance,
    Nonverbal,
    Prediction,
    Relation,
    Strategy,
    Turn,
    View,
    Viewpoint,
)

NEAR = 1e-5
PEOPLE = ("Ann", "Ann Lee", "Lee", "ana", "Will", "Family", "Couple", "[target]", "", "Therapist")
LINES = ("Ann Lee, why do you never listen?", "I am sorry.", "", "Will you? Lee hates it.", "mm")
WAYS = (
    ("gnn", View(), False),
    ("gnn", View(context_turns=3), False),
    ("gnn", View(mode="audiovisual", context_turns=1), False),
    ("gnn", View(mode="audiovisual"), True),
    ("interaction", View(), False),
    ("interaction", View(mode="audiovisual", context_turns=3), False),
    ("interaction", View(context_turns=3), True),
)
Row = tuple[Turn, Annotation]


@st.composite
def rows(draw: st.DrawFn, scenario: str, *, least: int) -> tuple[Row, ...]:
    """Turns with gold of some of the people, so that some of them come late or never."""
    people = draw(st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=6, unique=True))
    anybody = st.sampled_from(people)
    label = st.sampled_from(patterns(scenario))
    field = "relation_cycle_state" if scenario == "couple" else "relation_pattern"
    seconds = st.one_of(st.none(), st.floats(0, 99))
    turn = st.builds(
        Turn,
        index=st.just(0),
        speaker=st.sampled_from((*people, "Therapist")),
        text=st.sampled_from(LINES),
        addressees=st.lists(anybody, max_size=3, unique=True).map(tuple),
        addressee_source=st.just("given"),
        start_s=seconds,
        end_s=seconds,
        background=st.one_of(st.just(()), anybody.map(lambda p: (Background(p, (), "Ann?"),))),
        tone=st.sampled_from(("", "flat")),
        nonverbal=st.one_of(
            st.just(()), anybody.map(lambda p: (Nonverbal("body_posture", p, "turns away"),))
        ),
    )
    gold = st.builds(
        Annotation,
        emotions=st.just(tuple(Emotion(p, "sad", 3.0) for p in people)),
        viewpoints=st.just(tuple(Viewpoint(p, people[0], "cold") for p in people)),
        strategies=st.builds(
            Strategy,
            st.just("Therapist"),
            st.tuples(anybody),
            st.sampled_from(strategies(scenario)),
        ).map(lambda s: (s,)),
        relations=label.map(lambda x: (Relation(field, x),)),
    )
    return tuple(draw(st.lists(st.tuples(turn, gold), min_size=least, max_size=7)))


@st.composite
def two_futures(draw: st.DrawFn) -> tuple[Conversation, Conversation, int]:
    """Two conversations that are equal up to a cut, and the cut."""
    scenario = draw(st.sampled_from(("couple", "family")))
    past = draw(rows(scenario, least=0))
    one, other = draw(rows(scenario, least=1)), draw(rows(scenario, least=1))
    # the same decision at the cut, more often
    next_turn = replace(other[0][0], speaker=one[0][0].speaker)
    other = ((next_turn, other[0][1]), *other[1:])
    roster = draw(st.sampled_from(((), (), ("Ann", "ana"))))

    def of(told: tuple[Row, ...]) -> Conversation:
        return Conversation(
            id="x/1",
            turns=tuple(replace(t, index=k) for k, (t, _) in enumerate(told, start=1)),
            gold=tuple(g for _, g in told),
            scenario=scenario,
            participants=roster,
            relationship="x",
            timing="recorded",
        )

    return of(past + one), of(past + other), len(past)


@pytest.fixture(scope="module")
def taught(corpus, settings):
    """Gives an approach that was fitted under a view, once."""
    made = {}

    def get(name: str, view: View, rule_edges: bool):
        key = name, view, rule_edges
        if key not in made:
            own = replace(settings, view=view, rule_edges=rule_edges, epochs=1)
            approach = registry.load("approach", name)(own)
            made[key] = sorted(approach.tasks), approach.fit(corpus, seed=0)
        return made[key]

    return get


def asked(conversation: Conversation, tasks: list[str], view: View, cut: int) -> list[Instance]:
    """All instances, those first that may see nothing beyond the cut."""
    found = []
    for name in tasks:
        task = registry.load("task", name)
        may_see = {d.turn: d.cut for d in task.decisions(conversation)}
        found += [(may_see[c.turn] > cut, c.instance) for c in task.cases(conversation, view)]
    return [instance for _, instance in sorted(found, key=lambda pair: pair[0])]


def told_apart(one: Prediction, other: Prediction) -> str:
    """What differs between two answers beyond the last digits, "" for nothing."""
    a, b = (dict(zip(p.ranking, p.probabilities, strict=True)) for p in (one, other))
    if a.keys() != b.keys() or any(abs(a[o] - b[o]) > NEAR for o in a):
        return f"{a} and {b}"
    if (one.viewpoints, one.failure) != (other.viewpoints, other.failure):
        return f"{one} and {other}"
    feels = [(p.emotion.phrase, p.emotion.intensity) for p in (one, other) if p.emotion]
    if len(feels) == 1 or (feels and feels[0][0] != feels[1][0]):
        return f"{feels}"
    return f"{feels}" if feels and abs(feels[0][1] - feels[1][1]) > NEAR else ""


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}-{way[1].mode}")
@examples(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(pair=two_futures())
def test_no_answer_depends_on_what_comes_later_or_on_what_else_is_asked(pair, way, taught) -> None:
    tasks, fitted = taught(*way)
    one, other, cut = pair
    questions = asked(one, tasks, way[1], cut)
    said = dict(zip((i.id for i in questions), fitted.predict(questions, {}), strict=True))
    others = asked(other, tasks, way[1], cut)
    for instance, answer in zip(others, fitted.predict(others, {}), strict=True):
        if instance in questions:
            assert told_apart(said[instance.id], answer) == "", instance.task
    for instance in questions[:2]:
        (alone,) = fitted.predict([instance], {})
        assert told_apart(said[instance.id], alone) == "", instance.task


@pytest.mark.parametrize("name", ["gnn", "interaction"])
def test_an_option_that_names_somebody_who_appears_only_later_is_unknown(
    corpus, taught, name
) -> None:
    _, fitted = taught(name, View(), False)
    whole = replace(next(c for c in corpus if c.id == "yew/1"), participants=(), gold=())
    first = replace(whole, turns=whole.turns[:1])
    late = whole.roster[-1]
    assert late not in first.roster
    about = Instance("early", "stp", first, options=(*first.roster, late, whole.group))
    long = Instance("long", "stp", whole, options=(*whole.roster, whole.group))
    (alone,) = fitted.predict([about], {})
    together = next(iter(fitted.predict([about, long], {})))
    assert set(alone.ranking) == {*first.roster, whole.group}
    assert told_apart(alone, together) == ""
    nobody = replace(about, options=(late,))
    for said in (fitted.predict([nobody], {}), fitted.predict([nobody, long], {})):
        assert "none of the options is known" in next(iter(said)).failure


def test_of_people_with_equal_chances_the_first_slot_comes_first_whatever_the_last_digits() -> None:
    assert ranked({0: 0.2, 2: 0.192120909, 3: 0.192120917, 4: 0.9}) == [4, 0, 2, 3]
    assert ranked({0: 0.2, 2: 0.192120917, 3: 0.192120909, 4: 0.9}) == [4, 0, 2, 3]
    assert ranked({2: 0.1921, 3: 0.1922}) == [3, 2]
    assert ranked({}) == []
