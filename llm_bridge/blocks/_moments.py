"""Moments of training conversations that are like the one at hand, with what was right there.

Likeness is the cosine of embeddings of the last turns before the cut, the newest weighing most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from relgraph.approach import Settings
from relgraph.embed import CachedEmbedder, load_embedder
from relgraph.errors import RelgraphError
from relgraph.llm_bridge.blocks._base import Source, Training, mention
from relgraph.llm_bridge.blocks._estimates import felt, option_shown, pairs, percent
from relgraph.llm_bridge.quoting import quote
from relgraph.records import Case, Gold, Instance, Prediction, Turn

MOMENTS = 3
"""How many are shown, each of another conversation."""

WEIGHTS = (1.0, 0.5, 0.25)
"""Of the last turn before the cut, the one before it, and so on."""

QUOTED = 2
"""Turns of a moment that are quoted."""

MOST_CHARACTERS = 140
"""Of a quoted turn; the rest is cut off at a word."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Shelf:
    """Training cases of one task and scenario, and a unit vector `[case, dim]` for each."""

    cases: tuple[Case, ...]
    vectors: Floats


def moments(source: Source) -> tuple[Case, ...]:
    """Returns the training cases that are most like the instance, the most like one first.

    They are of the same task and scenario, and each of another conversation.

    Raises:
        RelgraphError: there is no training case of the task and scenario.
    """
    instance = source.instance
    scenario = instance.conversation.scenario
    shelf = _shelf(source.training, instance.task, scenario, _of_embedder(source.settings))
    if not shelf.cases:
        raise RelgraphError(
            f"no training conversation of scenario {scenario!r} has an answer to {instance.task}"
        )
    embedder = _embedder(_of_embedder(source.settings))
    likeness = shelf.vectors @ _vectors([instance], embedder)[0]
    kept: dict[str, Case] = {}
    for k in np.argsort(-likeness, kind="stable"):
        case = shelf.cases[int(k)]
        kept.setdefault(case.conversation_id, case)
        if len(kept) == MOMENTS:
            break
    return tuple(kept.values())


def told(case: Case, training: Training) -> tuple[str, str]:
    """Returns the moment of a case and what was right there, in words."""
    right = training.disguise.finding(_as_prediction(case), case.instance)
    seen = training.disguise.instance(case.instance)
    turns = seen.conversation.turns[-QUOTED:]
    said = " / ".join(map(_line, turns)) or "(nothing said yet)"
    meant = f" / support for {mention(seen.target)}" if seen.target else ""
    return f"{said}{meant}", _answer(seen, right)


def estimate(case: Case, training: Training, model: str) -> str:
    """Returns what a model said of a training case that it was not trained on, in words."""
    found = training.findings.get(model, {}).get(case.instance.id)
    if found is None or found.failure:
        return "not known"
    found = training.disguise.finding(found, case.instance)
    seen = training.disguise.instance(case.instance)
    if found.ranking and found.probabilities:
        gold = training.disguise.finding(_as_prediction(case), case.instance).ranking[0]
        chance = dict(zip(found.ranking, found.probabilities, strict=True))
        shown = dict.fromkeys((gold, found.ranking[0]))
        return ", ".join(f"{option_shown(seen, o)} {percent(chance.get(o, 0.0))}" for o in shown)
    return felt(found) if found.emotion is not None else pairs(found)


def _as_prediction(case: Case) -> Prediction:
    gold: Gold = case.gold
    return Prediction(
        case.instance.id,
        ranking=(gold.label,) if gold.label else (),
        emotion=gold.emotion,
        viewpoints=gold.viewpoints,
    )


def _answer(seen: Instance, right: Prediction) -> str:
    if right.ranking:
        return option_shown(seen, right.ranking[0])
    if right.emotion is not None:
        return felt(right)
    held = (
        f"{mention(v.source)} about {mention(v.target)} {quote(v.viewpoint)}"
        for v in right.viewpoints
    )
    return ", ".join(held)


def _line(turn: Turn) -> str:
    to = ", ".join(map(mention, turn.addressees))
    return f"{mention(turn.speaker)}{f' -> {to}' if to else ''}: {quote(_short(turn.text))}"


def _short(text: str) -> str:
    if len(text) <= MOST_CHARACTERS:
        return text
    return f"{text[:MOST_CHARACTERS].rpartition(' ')[0] or text[:MOST_CHARACTERS]} ..."


def _of_embedder(settings: Settings) -> Settings:
    """The settings that vectors depend on, so that others share what is kept."""
    return Settings(
        embedder=settings.embedder,
        device=settings.device,
        threads=settings.threads,
        cache=settings.cache,
    )


@lru_cache(maxsize=2)
def _embedder(settings: Settings) -> CachedEmbedder:
    return load_embedder(settings)


@lru_cache(maxsize=128)
def _shelf(training: Training, task: str, scenario: str, settings: Settings) -> Shelf:
    cases = tuple(
        case
        for case in training.cases.get(task, ())
        if case.instance.conversation.scenario == scenario
    )
    return Shelf(cases, _vectors([c.instance for c in cases], _embedder(settings)))


def _vectors(instances: Sequence[Instance], embedder: CachedEmbedder) -> Floats:
    """Returns a vector `[instance, dim]` for each, of length 1, or zeros where nothing is said."""
    spoken = [[t.text for t in i.conversation.turns[::-1][: len(WEIGHTS)]] for i in instances]
    texts = list(dict.fromkeys(text for of in spoken for text in of))
    rows = dict(zip(texts, embedder.encode(texts), strict=True)) if texts else {}
    vectors = np.zeros((len(instances), embedder.dim), np.float32)
    for vector, of in zip(vectors, spoken, strict=True):
        for weight, text in zip(WEIGHTS, of, strict=False):
            vector += np.float32(weight) * rows[text]
        length = float(np.linalg.norm(vector))
        if length:
            vector /= np.float32(length)
    return vectors


def entries(source: Source, *, model: str = "") -> Iterator[str]:
    """Yields a line a moment: what was said, what was right, and what a model had said of it."""
    for case in moments(source):
        said, right = told(case, source.training)
        beside = f"; the model said: {estimate(case, source.training, model)}" if model else ""
        yield f"{said} => {right}{beside}"
