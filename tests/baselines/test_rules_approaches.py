"""The approaches `rules` and `rules+weights` on the shipped corpus."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from relgraph import registry
from relgraph.approach import Approach, Fitted, Settings
from relgraph.baselines._symbolic.cues import Cues
from relgraph.baselines._words import Words
from relgraph.baselines.rules__weights import taught
from relgraph.corpora import read
from relgraph.cues import Cue
from relgraph.embed import load_embedder
from relgraph.errors import DataError
from relgraph.reasoning import RuleSet
from relgraph.records import Conversation, Instance, Turn, View

TASKS = ("er", "itp", "rpp", "ssp", "stp", "vp")
NAMES = ("rules", "rules+weights")


@pytest.fixture(scope="module")
def corpus() -> list[Conversation]:
    first: dict[str, Conversation] = {}
    for c in read("sample"):
        first.setdefault(c.relationship, c)
    return [replace(c, turns=c.turns[:14], gold=c.gold[:14]) for c in list(first.values())[:6]]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(embedder="hashing:64", cache=str(tmp_path_factory.mktemp("vectors")))


@pytest.fixture(scope="module")
def approaches(settings: Settings) -> dict[str, Approach]:
    return {name: registry.load("approach", name)(settings) for name in NAMES}


@pytest.fixture(scope="module")
def weights(
    approaches: dict[str, Approach],
    corpus: list[Conversation],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    path = tmp_path_factory.mktemp("weights") / "weights.json"
    approaches["rules+weights"].train_into(path, corpus[2:], seed=0)  # type: ignore[attr-defined]
    return path


@pytest.fixture(scope="module")
def fitted(approaches: dict[str, Approach], corpus: list[Conversation]) -> dict[str, Fitted]:
    return {
        name: approach.fit(corpus[2:] if approach.learns else (), seed=0)
        for name, approach in approaches.items()
    }


def asked(conversations: list[Conversation], *tasks: str) -> list[Instance]:
    return [
        case.instance
        for c in conversations
        for task in tasks or TASKS
        for case in registry.load("task", task).cases(c, View())
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_prediction_says_why(
    name: str, fitted: dict[str, Fitted], corpus: list[Conversation]
) -> None:
    for p in fitted[name].predict(asked(corpus[:2]), {}):
        assert p.failure or (p.because and all(line.strip() for line in p.because))


def test_the_proofs_of_weighed_rules_name_the_rule_and_its_weight(
    fitted: dict[str, Fitted], corpus: list[Conversation]
) -> None:
    found = list(fitted["rules+weights"].predict(asked(corpus[:2], "stp"), {}))
    heads = [p.because[0] for p in found if p.because[0].startswith("+")]
    assert heads
    form = r"\+\d+\.\d\d for .+ over .+: needs:\w+/\w+, learnt weight -?\d+\.\d\d \(half-life"
    assert all(re.match(form, head) for head in heads)


@pytest.mark.parametrize("name", NAMES)
def test_renaming_everybody_changes_no_ranking(
    name: str, fitted: dict[str, Fitted], corpus: list[Conversation]
) -> None:
    of = corpus[0]
    names = {old: f"Zz{'abcdefgh'[k]}" for k, old in enumerate(of.participants)}

    def new(text: str) -> str:
        return re.sub("|".join(rf"\b{re.escape(n)}\b" for n in names), lambda m: names[m[0]], text)

    other = replace(
        of,
        participants=tuple(names.values()),
        turns=tuple(
            replace(
                t,
                speaker=names.get(t.speaker, t.speaker),
                addressees=tuple(names.get(a, a) for a in t.addressees),
                text=new(t.text),
            )
            for t in of.turns
        ),
        gold=tuple(
            replace(
                g,
                strategies=tuple(
                    replace(s, targets=tuple(names.get(n, n) for n in s.targets))
                    for s in g.strategies
                ),
            )
            for g in of.gold
        ),
    )
    tasks = ("rpp", "itp", "stp", "ssp")
    before = list(fitted[name].predict(asked([of], *tasks), {}))
    after = list(fitted[name].predict(asked([other], *tasks), {}))
    assert len(before) == len(after) > 5
    for a, b in zip(before, after, strict=True):
        assert tuple(names.get(o, o) for o in a.ranking) == b.ranking
        assert a.probabilities == pytest.approx(b.probabilities, abs=1e-5)


def test_loaded_weights_answer_as_those_just_learnt(
    weights: Path, settings: Settings, fitted: dict[str, Fitted], corpus: list[Conversation]
) -> None:
    approach = registry.load("approach", "rules+weights")(
        replace(settings, checkpoint=str(weights))
    )
    assert not approach.learns
    loaded = approach.fit((), seed=0)
    instances = asked(corpus[:2])
    assert list(loaded.predict(instances, {})) == list(
        fitted["rules+weights"].predict(instances, {})
    )
    assert loaded.trained_on == fitted["rules+weights"].trained_on
    assert loaded.trained_relationships == {c.relationship for c in corpus[2:]}


def test_weights_are_refused_where_the_user_adds_a_rule(
    weights: Path, settings: Settings, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.rules"
    mine.write_text(
        'pack mine "Mine"\n  answers itp\nrule yes()  "blame"\n  when blame T: _ -> _\n',
        encoding="utf-8",
    )
    chosen = replace(settings, checkpoint=str(weights), rules=(str(mine),))
    with pytest.raises(DataError, match="rule mine:yes has no learnt weight"):
        registry.load("approach", "rules+weights")(chosen).fit((), seed=0)


def test_a_users_rule_is_weighed_like_a_shipped_one(
    settings: Settings, corpus: list[Conversation], tmp_path: Path
) -> None:
    mine = tmp_path / "mine.rules"
    mine.write_text(
        'pack mine "Mine"\n  answers itp\nrule yes()  "spoken"\n  weight 1.0\n'
        "  when said T: A\n  and client(A)\n",
        encoding="utf-8",
    )
    for name in NAMES:
        approach = registry.load("approach", name)(replace(settings, rules=(str(mine),)))
        made = approach.fit(corpus[2:] if approach.learns else (), seed=0)
        found = list(made.predict(asked(corpus[:1], "itp"), {}))
        if name == "rules":
            assert any("mine:yes" in line for p in found for line in p.because)
        else:
            columns = made.scales["itp", ""].columns  # type: ignore[attr-defined]
            assert "mine:yes" in columns.rules


def test_weights_for_other_embeddings_are_refused(weights: Path, settings: Settings) -> None:
    chosen = replace(settings, checkpoint=str(weights), embedder="hashing:32")
    with pytest.raises(DataError, match="trained on embeddings of hashing:64"):
        registry.load("approach", "rules+weights")(chosen).fit((), seed=0)


def test_a_weight_of_the_wrong_sign_is_refused_by_its_rule(
    weights: Path, settings: Settings, tmp_path: Path
) -> None:
    value = json.loads(weights.read_text(encoding="utf-8"))
    for of in value["weighings"]:
        if of["task"] == "stp":
            of["weights"]["needs:needs_support/just_spoke"][""][0] = -1.0
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    chosen = replace(settings, checkpoint=str(path))
    with pytest.raises(DataError, match="needs:needs_support/just_spoke has a weight of the wrong"):
        registry.load("approach", "rules+weights")(chosen).fit((), seed=0)


@pytest.mark.parametrize("number", [float("inf"), float("nan"), 1e300])
def test_a_reader_with_numbers_that_cannot_be_is_refused(
    number: float, weights: Path, settings: Settings, tmp_path: Path
) -> None:
    value = json.loads(weights.read_text(encoding="utf-8"))
    value["reader"]["sorting"][0][0][0] = number
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    chosen = replace(settings, checkpoint=str(path))
    with pytest.raises(DataError, match="sorting has a number that is not finite, or beyond"):
        registry.load("approach", "rules+weights")(chosen).fit((), seed=0)


def test_no_learnt_weight_goes_against_its_rule(weights: Path) -> None:
    for of in json.loads(weights.read_text(encoding="utf-8"))["weighings"]:
        for rule, rows in of["weights"].items():
            head = rule.partition(":")[2].partition("/")[0]
            for option, row in rows.items():
                right = option in ("", head)
                assert all(w >= 0 if right else w <= 0 for w in row), (rule, option)


def test_the_file_holds_no_text_of_the_training_conversations(
    weights: Path, corpus: list[Conversation]
) -> None:
    text = weights.read_text(encoding="utf-8")
    for conversation in corpus:
        for turn in conversation.turns:
            assert len(turn.text) < 20 or turn.text not in text


def test_what_weights_are_learnt_from_does_not_know_the_types_it_was_annotated_with(
    settings: Settings, corpus: list[Conversation]
) -> None:
    """The types of one couple are annotated otherwise: what is read in it stays, in others not."""
    first = corpus[0]
    other = replace(
        first,
        gold=tuple(
            replace(g, utterance_type="withdrawal" if g.utterance_type else "") for g in first.gold
        ),
    )
    words, rules, cues = Words(load_embedder(settings)), RuleSet.shipped(*settings.rules), Cues()

    def typed(train: list[Conversation]) -> tuple[list[Cue], list[Cue]]:
        _, asked = taught(train, settings, cues, words, rules, seed=0)
        stands = {id(a.stand): a.stand for a in asked}.values()
        found = [
            (s.conversation.turns[0].text, c)
            for s in stands
            for c in s.cues
            if c.by == "classifier"
        ]
        own = [c for text, c in found if text == first.turns[0].text]
        return own, [c for text, c in found if text != first.turns[0].text]

    (own, rest), (again, changed) = typed(corpus), typed([other, *corpus[1:]])
    assert own
    assert own == again
    assert rest != changed


def test_only_so_many_conversations_cues_are_remembered(
    corpus: list[Conversation], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Cues()
    every = known.of(corpus)
    monkeypatch.setattr("relgraph.baselines._symbolic.cues.KEPT", 2)
    assert known.of(corpus) == every
    assert len(known._known) == 2


@pytest.mark.parametrize("name", NAMES)
def test_what_is_too_much_for_the_rules_fails_by_instance_and_says_why(
    name: str,
    fitted: dict[str, Fitted],
    corpus: list[Conversation],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    instances = [i for i in asked(corpus[:1], "itp") if i.conversation.turns]
    before = list(fitted[name].predict(instances, {}))
    monkeypatch.setattr("relgraph.reasoning.steps.MOST_MATCHES", 6)
    after = list(fitted[name].predict(instances, {}))
    failed = [k for k, p in enumerate(after) if p.failure]
    assert 0 < len(failed) < len(after)
    assert all("was matched in more than 6 ways" in after[k].failure for k in failed)
    assert [p for k, p in enumerate(after) if k not in failed] == [
        p for k, p in enumerate(before) if k not in failed
    ]


def test_rules_say_the_intensity_of_the_last_turns_words(settings: Settings) -> None:
    def asked(text: str) -> Instance:
        turns = (
            Turn(1, "Ana", "I was a bit sad.", ("Ben",), "given"),
            Turn(2, "Ana", text, ("Ben",), "given"),
        )
        return Instance(text, "er", Conversation(text, turns, participants=("Ana", "Ben")))

    texts = ("I was a bit sad.", "I am absolutely terrified and so, so furious!!")
    fitted = registry.load("approach", "rules")(settings).fit((), seed=0)
    mild, strong = (p.emotion for p in fitted.predict([asked(t) for t in texts], {}))
    assert mild is not None
    assert strong is not None
    assert mild.intensity < strong.intensity
