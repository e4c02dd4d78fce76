"""What the graph network answers: all instances, in any order, grouping and company."""

from __future__ import annotations

import math
from copy import deepcopy
from dataclasses import replace

import pytest
import torch

from relgraph import registry
from relgraph.approach import Settings
from relgraph.baselines._stretches import stretches
from relgraph.baselines.gnn.answer import answer
from relgraph.baselines.gnn.course import computing
from relgraph.baselines.gnn.reading import logits, place
from relgraph.errors import DataError
from relgraph.records import Conversation, Instance, View, fingerprint

NEAR = 1e-5


def approach(settings: Settings):
    return registry.load("approach", "gnn")(settings)


def numbers(prediction) -> dict[str, float]:
    """Returns all numbers of a prediction under names that do not depend on ties in the order."""
    found = dict(zip(prediction.ranking, prediction.probabilities, strict=True))
    if prediction.emotion:
        found["intensity"] = prediction.emotion.intensity
    return found | {v.target: 1.0 for v in prediction.viewpoints}


def assert_alike(ours, theirs) -> None:
    assert [p.instance for p in ours] == [p.instance for p in theirs]
    for a, b in zip(ours, theirs, strict=True):
        assert numbers(a) == pytest.approx(numbers(b), abs=NEAR)


def test_every_instance_is_answered_in_order_with_probabilities_that_sum_to_one(
    instances_of, fitted, corpus
) -> None:
    asked = [i for c in corpus for i in instances_of(c)]
    found = list(fitted.predict(asked, {}))
    assert [p.instance for p in found] == [i.id for i in asked]
    for instance, prediction in zip(asked, found, strict=True):
        assert not prediction.failure
        if instance.options:
            assert sorted(prediction.ranking) == sorted(instance.options)
            assert math.isclose(sum(prediction.probabilities), 1, abs_tol=1e-6)
            assert list(prediction.probabilities) == sorted(prediction.probabilities, reverse=True)
        elif instance.task == "er":
            assert prediction.emotion.person == instance.conversation.turns[-1].speaker
            assert 0 <= prediction.emotion.intensity <= 10
        else:
            assert {v.source for v in prediction.viewpoints} == {
                instance.conversation.turns[-1].speaker
            }


def test_one_pass_over_a_conversation_equals_a_pass_for_each_cut(
    instances_of, fitted, corpus
) -> None:
    asked = instances_of(corpus[0]) + instances_of(corpus[-1])
    alone = [p for i in asked for p in fitted.predict([i], {})]
    assert_alike(list(fitted.predict(asked, {})), alone)


def test_the_order_and_company_of_instances_change_no_answer(instances_of, fitted, corpus) -> None:
    asked = [i for c in corpus for i in instances_of(c)]
    forward = list(fitted.predict(asked, {}))
    backward = list(fitted.predict(asked[::-1], {}))
    assert_alike(forward, backward[::-1])


def test_a_sliding_context_is_answered_as_if_there_were_nothing_before_it(
    instances_of, fitted, corpus
) -> None:
    conversation = corpus[3]
    asked = instances_of(conversation, View(context_turns=3))
    changed = replace(
        conversation,
        turns=(replace(conversation.turns[0], text="Other words."), *conversation.turns[1:]),
    )
    late = [k for k, i in enumerate(asked) if i.conversation.turns[:1] == ()
            or i.conversation.turns[0].index > 1]  # fmt: skip
    again = instances_of(changed, View(context_turns=3))
    before, after = list(fitted.predict(asked, {})), list(fitted.predict(again, {}))
    assert late
    assert_alike([before[k] for k in late], [after[k] for k in late])


def test_renaming_everybody_in_ids_and_texts_changes_no_answer(
    instances_of, fitted, corpus
) -> None:
    conversation = next(c for c in corpus if c.id == "yew/1")
    names = {"Ada": "Noor", "Ben": "Idris", "Cy": "Wren", "Dot": "Saba", "Eve": "Lumi"}

    def new(text: str) -> str:
        for old, name in names.items():
            text = text.replace(old, name)
        return text

    renamed = replace(
        conversation,
        participants=tuple(map(new, conversation.participants)),
        turns=tuple(
            replace(
                t,
                speaker=new(t.speaker),
                text=new(t.text),
                addressees=tuple(map(new, t.addressees)),
                background=tuple(
                    replace(b, speaker=new(b.speaker), addressees=tuple(map(new, b.addressees)))
                    for b in t.background
                ),
            )
            for t in conversation.turns
        ),
        gold=tuple(
            replace(
                g,
                emotions=tuple(replace(e, person=new(e.person)) for e in g.emotions),
                viewpoints=tuple(
                    replace(v, source=new(v.source), target=new(v.target)) for v in g.viewpoints
                ),
                strategies=tuple(
                    replace(s, targets=tuple(map(new, s.targets))) for s in g.strategies
                ),
            )
            for g in conversation.gold
        ),
    )
    ours = list(fitted.predict(instances_of(conversation), {}))
    theirs = list(fitted.predict(instances_of(renamed), {}))
    for a, b in zip(ours, theirs, strict=True):
        assert tuple(map(new, a.ranking)) == b.ranking
        assert a.probabilities == b.probabilities
        assert [new(v.target) for v in a.viewpoints] == [v.target for v in b.viewpoints]


def test_nothing_said_yet_is_answered_from_the_learned_start(fitted, corpus) -> None:
    empty = replace(corpus[0], turns=(), gold=())
    tasks = {t: registry.load("task", t) for t in ("rpp", "ssp", "stp")}
    asked = [
        Instance(f"{n}-0", n, empty, options=t.options(empty), target="Ines")
        for n, t in tasks.items()
    ]
    found = list(fitted.predict(asked, {}))
    assert [len(p.ranking) for p in found] == [6, 10, 3]
    assert all(sum(p.probabilities) == pytest.approx(1) for p in found)


def test_a_turn_without_words_channels_times_or_addressee_is_answered(fitted, corpus) -> None:
    from relgraph.records import Turn

    bare = Conversation("b", (Turn(1, "Ines", ""), Turn(2, "", "")), scenario="couple")
    options = registry.load("task", "stp").options(bare)
    asked = [
        Instance("a", "stp", bare, options=options),
        Instance("b", "itp", bare, options=("yes", "no")),
        Instance("c", "er", bare),
    ]
    assert not any(p.failure for p in fitted.predict(asked, {}))


def test_an_unknown_scenario_fails_with_its_cause_where_labels_are_asked_for(
    fitted, corpus
) -> None:
    team = replace(corpus[0], scenario="team", gold=())
    asked = [
        Instance("1", "rpp", team),
        Instance("2", "stp", team, options=("Ines", "Bo", "Group")),
        Instance("3", "itp", team, options=("yes", "no")),
    ]
    first, second, third = fitted.predict(asked, {})
    assert first.failure == "gnn: scenario 'team' has no label set for rpp"
    assert len(second.ranking) == 3
    assert len(third.ranking) == 2


def test_a_scenario_that_training_lacked_fails_instead_of_guessing(
    instances_of, corpus, settings
) -> None:
    couples = tuple(c for c in corpus if c.scenario == "couple")
    fitted = approach(settings).fit(couples, seed=0)
    family = [i for i in instances_of(corpus[5]) if i.task in ("rpp", "ssp")]
    causes = {p.failure for p in fitted.predict(family, {})}
    assert causes == {
        "gnn: no training conversation of scenario 'family' has labels for rpp",
        "gnn: no training conversation of scenario 'family' has labels for ssp",
    }


def test_one_training_conversation_is_enough(instances_of, corpus, settings) -> None:
    fitted = approach(settings).fit(corpus[:1], seed=0)
    assert set(fitted.ensemble.temperatures.values()) == {1.0}  # nothing to fit them on
    assert not any(p.failure for p in fitted.predict(instances_of(corpus[0]), {}))


def test_training_without_annotations_says_so(corpus, settings) -> None:
    bare = tuple(replace(c, gold=()) for c in corpus)
    only_speech = tuple(replace(c, turns=c.turns[:1]) for c in bare)
    with pytest.raises(DataError, match="hold no case of any task"):
        approach(settings).fit(only_speech, seed=0)


def test_two_trainings_with_one_seed_are_equal_to_the_bit(instances_of, corpus, settings) -> None:
    one, two = (approach(settings).fit(corpus[:5], seed=7) for _ in range(2))
    for a, b in zip(one.ensemble.members, two.ensemble.members, strict=True):
        for (name, ours), theirs in zip(
            a.state_dict().items(), b.state_dict().values(), strict=True
        ):
            assert torch.equal(ours, theirs), name
    asked = instances_of(corpus[-1])
    couple = [i for i in asked if i.task in ("stp", "itp", "er", "vp")]
    assert list(one.predict(couple, {})) == list(two.predict(couple, {}))


def test_another_seed_gives_another_network(corpus, settings) -> None:
    one, two = (approach(settings).fit(corpus[:3], seed=seed) for seed in (1, 2))
    pairs = zip(
        one.ensemble.members[0].parameters(), two.ensemble.members[0].parameters(), strict=True
    )
    assert any(not torch.equal(a, b) for a, b in pairs)


def test_training_leaves_the_random_numbers_and_threads_of_its_caller_alone(
    corpus, settings
) -> None:
    torch.manual_seed(11)
    expected = torch.rand(3)
    torch.manual_seed(11)
    threads = torch.get_num_threads()
    approach(settings).fit(corpus[:2], seed=0)
    assert torch.equal(torch.rand(3), expected)
    assert torch.get_num_threads() == threads


def test_it_says_which_conversations_and_relationships_it_was_trained_on(fitted, corpus) -> None:
    trained = [c for c in corpus if c.relationship not in ("fir", "yew")]
    assert fitted.trained_on == {fingerprint(c) for c in trained}
    assert fitted.trained_relationships == {"oak", "elm", "ash", "bay"}


def test_described_behaviour_changes_answers_only_where_the_mode_shows_it(
    instances_of, corpus, settings
) -> None:
    shown = replace(settings, view=View(mode="audiovisual"), epochs=4)
    fitted = approach(shown).fit(corpus, seed=0)
    with_it = list(fitted.predict(instances_of(corpus[0], View(mode="audiovisual")), {}))
    without = list(fitted.predict(instances_of(corpus[0]), {}))
    patterns = [
        (a.probabilities, b.probabilities)
        for a, b in zip(with_it, without, strict=True)
        if len(a.ranking) == 6
    ]
    assert any(max(abs(x - y) for x, y in zip(a, b, strict=True)) > 1e-3 for a, b in patterns)


def test_a_channel_that_training_never_showed_weighs_nothing(fitted) -> None:
    words = fitted.ensemble.members[0].encoder.turns.words
    assert words["text"].weight.any()
    for name in ("tone", "own_nonverbal", "others_nonverbal"):
        assert not words[name].weight.any()


def test_probabilities_are_the_mean_of_members_and_partner_at_the_fitted_temperature(
    instances_of, fitted, corpus
) -> None:
    asked = [i for i in instances_of(corpus[0]) if i.task == "stp"]
    found = list(fitted.predict(asked, {}))
    batch, asks = place(
        stretches(asked), asked, fitted.words.known, fitted.words.dim, device=torch.device("cpu")
    )
    with torch.inference_mode():
        votes = [logits(net, batch, list(asks.values())) for net in fitted.ensemble.members]
    second = fitted.ensemble.partner.say(asked, fitted.words.known)
    for k, (ask, prediction) in enumerate(zip(asks.values(), found, strict=True)):
        slots = [ask.slots[name] for name in prediction.ranking]
        mean = torch.stack([v[k].logits[slots].softmax(0) for v in votes]).mean(0)
        other = torch.tensor([second[k].chances[name] for name in prediction.ranking])
        mean = ((mean + other) / 2) ** (1 / fitted.ensemble.temperatures["stp"])
        mean = mean / mean.sum()
        assert prediction.probabilities == pytest.approx(mean.tolist(), abs=1e-6)


def test_rank_of_the_supporter_as_target_is_impossible(instances_of, fitted, corpus) -> None:
    asked = [i for c in corpus for i in instances_of(c) if i.task == "stp"]
    assert all("Therapist" not in p.ranking for p in fitted.predict(asked, {}))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device on this machine")
def test_the_gpu_gives_the_logits_of_the_cpu_within_a_thousandth(
    instances_of, fitted, corpus
) -> None:
    asked = instances_of(corpus[0])
    list(fitted.predict(asked, {}))
    said = []
    for name in ("cpu", "cuda"):
        device = torch.device(name)
        net = deepcopy(fitted.ensemble.members[0]).to(device)
        group = stretches(asked)
        batch, asks = place(group, asked, fitted.words.known, fitted.words.dim, device=device)
        with torch.inference_mode(), computing(device, 1):
            said.append([s.logits.cpu() for s in logits(net, batch, list(asks.values()))])
    for ours, theirs in zip(*said, strict=True):
        assert torch.allclose(ours, theirs, atol=1e-3, rtol=1e-3)


def test_an_intensity_is_the_mean_of_the_members_middle_and_the_partners_guess(
    instances_of, fitted, corpus
) -> None:
    asked = [i for i in instances_of(corpus[0]) if i.task == "er"]
    found = list(fitted.predict(asked, {}))
    alone = replace(fitted.ensemble, partner=None)
    words = fitted.words
    own = [p.emotion.intensity for p in answer(alone, asked, words.known, words.dim)]
    second = fitted.ensemble.partner.felt(asked, words.known)
    assert all(value is not None for value in second)
    wanted = [(a + min(max(b, 0.0), 10.0)) / 2 for a, b in zip(own, second, strict=True)]
    assert [p.emotion.intensity for p in found] == pytest.approx(wanted)
    assert wanted != pytest.approx(own)
