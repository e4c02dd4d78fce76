"""`text-head`: frozen embeddings of the words so far, linear heads, no graph at all.

It stands beside the graph network: what it reaches needs no knowledge of who speaks to whom. It
reads the embeddings of the last turn, of the last three and of all turns before the cut; names
are taken out of the texts. Regularisation is chosen on relationships held out of the training
conversations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from relgraph import registry
from relgraph.approach import Approach, Findings, Settings
from relgraph.baselines._channels import channels_of, texts_of_all
from relgraph.baselines._names import SOMEONE
from relgraph.baselines._phrases import (
    About,
    Felt,
    Held,
    Phrases,
    Sought,
    bank,
    felt_of,
    gather,
    role_of,
    texts,
    views_of,
)
from relgraph.baselines._words import Words
from relgraph.records import Case, Conversation, Emotion, Gold, Instance, Prediction, fingerprint
from relgraph.tasks import Decision

if TYPE_CHECKING:
    from sklearn.linear_model import LogisticRegression, Ridge

Floats = NDArray[np.float64]
TASKS = ("er", "itp", "rpp", "ssp", "stp", "vp")
SPANS = (1, 3, 0)
"""Turns before the cut that are averaged; 0 stands for all."""

STRENGTHS = (0.03, 0.3, 3.0)
"""Inverse regularisation to choose from; the blocks of an input are of unit length."""

INNER_FOLDS = 4
SLOTS = 4
"""Places in the roster that are told apart; people after them count as the last."""

LARGEST_INTENSITY = 10.0


@dataclass(frozen=True, slots=True)
class Head:
    """A linear head and the classes it ranks, or a constant where training had one class."""

    classes: tuple[str, ...]
    model: LogisticRegression | None

    def chances(self, inputs: Floats) -> dict[str, float]:
        """Returns class -> probability for one input `[feature]`."""
        if self.model is None:
            return dict.fromkeys(self.classes, 1.0)
        chances = self.model.predict_proba(inputs[None])[0]
        return dict(zip(self.classes, map(float, chances), strict=True))


class TextHead:
    """Linear heads on embeddings of the words, one a task and scenario."""

    name = "text-head"
    tasks = frozenset(TASKS)
    needs: tuple[str, ...] = ()
    learns = True

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def fit(self, train: Sequence[Conversation], *, seed: int) -> FittedTextHead:
        """Returns the heads fitted to the cases of `train`."""
        from relgraph.embed import load_embedder

        settings = self._settings
        words = Words(load_embedder(settings))
        felt, held = gather(train)
        tasks = [registry.load("task", name) for name in TASKS]
        cases = [case for t in tasks for c in train for case in t.cases(c, settings.view)]
        words.learn(texts_of_all(case.instance.conversation for case in cases))
        words.learn(texts(felt, held))
        phrases = bank(felt, held, words.known, words.dim)
        places = [*(f.place for f in felt), *(h.place for h in held)]
        told = inputs_at(places, train, words, settings)
        inputs = inputs_of([case.instance for case in cases], words, settings)
        parted = _fold_of(train, seed)
        keys = [_key(case) for case in cases]
        heads = {}
        for key in sorted({key for key in keys if key is not None}):
            chosen = [k for k, own in enumerate(keys) if own == key]
            heads[key] = _head(
                inputs[chosen],
                [_class(cases[k].instance, cases[k].gold.label) for k in chosen],
                np.array([parted[cases[k].conversation_id] for k in chosen]),
            )
        return FittedTextHead(
            heads=heads,
            intensity=_intensity(cases, inputs),
            said={
                "er": foretelling(felt, phrases.felt_phrases, told),
                "vp": foretelling(held, phrases.held_phrases, told),
            },
            phrases=phrases,
            words=words,
            settings=settings,
            train=train,
        )


class FittedTextHead:
    """The fitted heads and the phrases of the training conversations."""

    def __init__(
        self,
        *,
        heads: dict[tuple[str, str], Head],
        intensity: Ridge | None,
        said: dict[str, Ridge | None],
        phrases: Phrases,
        words: Words,
        settings: Settings,
        train: Sequence[Conversation],
    ) -> None:
        self.trained_on = frozenset(fingerprint(c) for c in train)
        self.trained_relationships = frozenset(c.relationship for c in train if c.relationship)
        self._heads = heads
        self._intensity = intensity
        self._said = said
        self._phrases = phrases
        self._words = words
        self._settings = settings

    def predict(self, instances: Sequence[Instance], findings: Findings) -> Iterator[Prediction]:
        """Yields one prediction an instance, in order; `findings` are not used."""
        del findings
        self._words.learn(texts_of_all(i.conversation for i in instances))
        inputs = inputs_of(instances, self._words, self._settings)
        for instance, row in zip(instances, inputs, strict=True):
            if instance.task == "er":
                yield self._feel(instance, row)
            elif instance.task == "vp":
                yield self._view(instance, row)
            else:
                yield self._rank(instance, row)

    def _rank(self, instance: Instance, row: Floats) -> Prediction:
        scenario = instance.conversation.scenario
        head = self._heads.get((instance.task, scenario))
        if head is None:
            return _failed(
                instance, f"no training conversation of scenario {scenario!r} has this task"
            )
        chances = head.chances(row)
        classes = [_class(instance, option) for option in instance.options]
        # What training never saw is unlikely, not impossible; people of one class share it.
        raw = [chances.get(c, 0.0) / classes.count(c) + 1e-6 for c in classes]
        total = sum(raw)
        order = sorted(range(len(raw)), key=lambda k: -raw[k])
        return Prediction(
            instance.id,
            ranking=tuple(instance.options[k] for k in order),
            probabilities=tuple(raw[k] / total for k in order),
            because=("linear head on embeddings of the words so far",),
        )

    def _feel(self, instance: Instance, row: Floats) -> Prediction:
        turns = instance.conversation.turns
        if self._intensity is None or not self._phrases.felt or not turns:
            return _failed(instance, "no last turn, or no emotion in the training conversations")
        felt = float(self._intensity.predict(row[None])[0])
        felt = min(max(felt, 0.0), LARGEST_INTENSITY)
        speaker = turns[-1].speaker
        others = [name for name in instance.conversation.roster if name != speaker]
        said = felt_of(
            self._phrases,
            self._sought("er", row, felt),
            speaker=speaker,
            other=others[0] if len(others) == 1 else SOMEONE,
        )
        return Prediction(
            instance.id, emotion=Emotion(speaker, said.phrase, felt), because=(said.because,)
        )

    def _view(self, instance: Instance, row: Floats) -> Prediction:
        conversation = instance.conversation
        if not self._phrases.held or not conversation.turns:
            return _failed(instance, "no last turn, or no viewpoint in the training conversations")
        source = conversation.turns[-1].speaker
        others = [name for name in conversation.roster if name != source]
        target = others[0] if others else conversation.group
        said = views_of(
            self._phrases,
            self._sought("vp", row),
            source=source,
            about=[About(target, role_of(target, source, conversation))],
        )
        return Prediction(
            instance.id,
            viewpoints=tuple(s.viewpoint for s in said),
            because=tuple(s.because for s in said),
        )

    def _sought(self, task: str, row: Floats, intensity: float | None = None) -> Sought:
        """Returns what is known of the last turn: its words, and how its phrase is predicted."""
        model = self._said[task]
        state = model.predict(row[None])[0].astype(np.float32) if model else None
        return Sought(row[: self._words.dim].astype(np.float32), state, intensity)


def inputs_of(instances: Sequence[Instance], words: Words, settings: Settings) -> Floats:
    """Returns `[instance, feature]`: for each shown channel the mean of the last 1, 3, all turns.

    The first block is the last turn's words. Each block is of unit length, or zero where nothing
    is said or shown.
    """
    mode = settings.view.mode
    shown = ["text"]
    shown += ["tone"] * (mode in ("audio", "audiovisual"))
    shown += ["own_nonverbal", "others_nonverbal"] * (mode in ("visual", "audiovisual"))
    rows = []
    known: dict[tuple[object, ...], dict[str, NDArray[np.float32]]] = {}
    for instance in instances:
        conversation = instance.conversation
        key = (conversation.participants, conversation.turns)
        if key not in known:
            known[key] = channels_of(conversation, words.known, words.dim)
        channels = known[key]
        blocks = [
            _mean(channels.get(channel), span, words.dim) for channel in shown for span in SPANS
        ]
        rows.append(np.concatenate(blocks))
    width = len(shown) * len(SPANS) * words.dim
    return np.array(rows, np.float64).reshape(len(rows), width)


def _mean(channel: NDArray[np.float32] | None, span: int, dim: int) -> NDArray[np.float32]:
    if channel is None or not len(channel):
        return np.zeros(dim, np.float32)
    mean: NDArray[np.float32] = channel[-span:].mean(axis=0)
    length = float(np.linalg.norm(mean))
    return mean / np.float32(length) if length > 0 else mean


def _key(case: Case) -> tuple[str, str] | None:
    """Returns which head a case belongs to; None for the open tasks."""
    if not case.gold.label:
        return None
    return case.instance.task, case.instance.conversation.scenario


def _class(instance: Instance, option: str) -> str:
    """Returns what an option is learnt as: itself, or a person's place in the roster."""
    conversation = instance.conversation
    if instance.task != "stp" or option == conversation.group:
        return option
    roster = conversation.roster
    place = roster.index(option) if option in roster else SLOTS
    return f"place {min(place, SLOTS - 1)}"


def _head(inputs: Floats, labels: Sequence[str], part: NDArray[np.int64]) -> Head:
    """Returns the head of the strength that does best on the held-out part 0 of the training."""
    classes = sorted(set(labels))
    if len(classes) == 1:
        return Head((classes[0],), None)
    gold, held = np.array(labels), part == 0
    best = STRENGTHS[0]
    if held.any() and len(set(gold[~held])) > 1:
        scores = [_logistic(c, inputs[~held], gold[~held]).score(inputs[held], gold[held])
                  for c in STRENGTHS]  # fmt: skip
        best = STRENGTHS[int(np.argmax(scores))]
    model = _logistic(best, inputs, gold)
    return Head(tuple(map(str, model.classes_)), model)


def _logistic(strength: float, inputs: Floats, labels: NDArray[np.str_]) -> LogisticRegression:
    from sklearn.linear_model import LogisticRegression

    # Unweighted: weights by class cost accuracy on held-out relationships of every task.
    return LogisticRegression(C=strength, max_iter=1000).fit(inputs, labels)


def _intensity(cases: Sequence[Case], inputs: Floats) -> Ridge | None:
    felt = [(k, c.gold.emotion.intensity) for k, c in enumerate(cases)
            if c.gold.emotion and c.gold.emotion.intensity is not None]  # fmt: skip
    if not felt:
        return None
    from sklearn.linear_model import Ridge

    model: Ridge = Ridge(alpha=10.0).fit(inputs[[k for k, _ in felt]], [v for _, v in felt])
    return model


def inputs_at(
    places: Iterable[tuple[int, int]],
    conversations: Sequence[Conversation],
    words: Words,
    settings: Settings,
) -> dict[tuple[int, int], Floats]:
    """Returns the inputs just after turns, as ER and VP see them, by place.

    Args:
        places: positions in `conversations` and indices of turns.
        conversations: whole ones.
        words: learns the texts that it does not know.
        settings: what is shown of a conversation.
    """
    task, wanted = registry.load("task", "er"), sorted(set(places))
    seen: list[Instance] = []
    for position, group in groupby(wanted, key=lambda place: place[0]):
        told = [Decision(turn=turn, cut=turn, gold=Gold()) for _, turn in group]
        at_these = replace(task, decisions=lambda _, told=told: told)
        seen += [c.instance for c in at_these.cases(conversations[position], settings.view)]
    words.learn(texts_of_all(i.conversation for i in seen))
    return dict(zip(wanted, inputs_of(seen, words, settings), strict=True))


def foretelling(
    parts: Sequence[Felt] | Sequence[Held],
    phrases: NDArray[np.float32],
    inputs: Mapping[tuple[int, int], Floats],
) -> Ridge | None:
    """Returns what predicts a phrase's embedding from the inputs at its turn; None for none."""
    if not parts:
        return None
    from sklearn.linear_model import Ridge

    model: Ridge = Ridge(alpha=10.0).fit(np.stack([inputs[p.place] for p in parts]), phrases)
    return model


def _fold_of(train: Sequence[Conversation], seed: int) -> dict[str, int]:
    """Returns conversation id -> inner part; all in part 1, none held out, where it is one only."""
    from relgraph.splits import folds, relationships

    count = min(INNER_FOLDS, len(relationships(train)))
    if count < 2:
        return {c.id: 1 for c in train}
    split = folds(train, count=count, seed=seed)
    return {c.id: k for k, fold in enumerate(split) for c in fold.test}


def _failed(instance: Instance, cause: str) -> Prediction:
    return Prediction(instance.id, failure=f"text-head: {cause}")


def APPROACH(settings: Settings) -> Approach:  # noqa: N802
    """Returns the approach for the settings; it loads scikit-learn only when it trains."""
    return TextHead(settings)
