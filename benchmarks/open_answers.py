"""How open answers depend on what re-ranks the phrases, on inner folds only.

    python benchmarks/open_answers.py [--json] [--data FILE]

Each of five outer training parts (folds by relationship, seed 0) is halved; each half is answered
with the phrases of the other, as `text-head` does it. No outer test part is looked at by its own
choice. Similarity is `minilm_cosine`; polarity the share of answers as positive, negative or
mixed as the gold phrase by general words; distinct the share of answers that differ.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from relgraph import read
from relgraph.approach import Settings
from relgraph.baselines._phrases import (
    About,
    Phrases,
    Sought,
    bank,
    felt_of,
    gather,
    role_of,
    stance_of,
    texts,
    views_of,
)
from relgraph.baselines._phrases.retrieve import FELT, HELD, Weights
from relgraph.baselines._words import Words
from relgraph.baselines.text_head import foretelling, inputs_at
from relgraph.embed import load_embedder
from relgraph.evaluation._text import similarities, viewpoint_text
from relgraph.records import Case, Conversation, View, Viewpoint
from relgraph.registry import load
from relgraph.splits import folds

CONSTANT = "one phrase for all"
NOTHING = Weights(near=1, words=1.0, state=0, centre=0, plain=0, intensity=0, role=0, stance=0)
SHIPPED = {"er": FELT, "vp": HELD}


def settings_of(shipped: Weights) -> dict[str, Weights]:
    """Returns what is tried beside the shipped weights."""
    return {
        CONSTANT: NOTHING,
        "the nearest turn's": NOTHING,
        "as shipped": shipped,
        "without a prediction": replace(shipped, state=0, centre=shipped.state + shipped.centre),
        "without the others' agreement": replace(shipped, centre=0),
        "fitted ones no less": replace(shipped, plain=0),
        "fitted ones less": replace(shipped, plain=1),
        **{f"{n} candidates": replace(shipped, near=n) for n in (20, 100, 300, 600)},
    }


@dataclass(frozen=True, slots=True)
class Ask:
    """A case with what is known of it: `[feature]` inputs and `[dim]` prediction."""

    case: Case
    words: NDArray[np.float32]
    state: NDArray[np.float32]


def main() -> None:
    """Prints a line a setting, for ER and VP."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--data", default="sample", help="conversations (default: sample)")
    options = parser.parse_args()
    settings = Settings()
    given = tuple(read(options.data))
    words = Words(load_embedder(settings))
    measure = similarities(settings)[0]["minilm_cosine"].of
    found: dict[str, dict[str, dict[str, float]]] = {}
    asked = [(task, b, a) for task in ("er", "vp") for b, a in halves(given, words, settings, task)]
    for task in ("er", "vp"):
        for name, weights in settings_of(SHIPPED[task]).items():
            rows = [
                (b, ask, constant(task, b) if name == CONSTANT else said(task, b, ask, weights))
                for own, b, asks in asked
                if own == task
                for ask in asks
            ]
            gold = [gold_text(ask.case) for _, ask, _ in rows]
            answers = [text for _, _, (text, _) in rows]
            found.setdefault(task, {})[name] = {
                "similarity": float(measure(answers, gold).mean()),
                "polarity": float(np.mean([p == polarity(a.case) for _, a, (_, p) in rows])),
                "distinct": len({(id(b), t) for b, _, (t, _) in rows}) / len(rows),
            }
    if options.json:
        print(json.dumps(found))
        return
    for task, lines in found.items():
        for name, row in lines.items():
            print(f"{task}  {name:32s}" + "".join(f"  {k} {v:.3f}" for k, v in row.items()))


def halves(
    given: Sequence[Conversation], words: Words, settings: Settings, task: str
) -> Iterator[tuple[Phrases, list[Ask]]]:
    """Yields for each inner fold the bank of its training part, and its cases."""
    felt, held = gather(given)
    places = [*(f.place for f in felt), *(h.place for h in held)]
    told = inputs_at(places, given, words, settings)
    cases = [c for one in given for c in load("task", task).cases(one, View())]
    at = {c.id: k for k, c in enumerate(given)}
    known = inputs_at(((at[c.conversation_id], c.turn) for c in cases), given, words, settings)
    for outer in folds(given, count=5, seed=0):
        for inner in folds(outer.train, count=2, seed=0):
            felt, held = gather(inner.train)
            words.learn(texts(felt, held))
            phrases = bank(felt, held, words.known, words.dim)
            place = [at[c.id] for c in inner.train]
            parts, vectors = (
                (felt, phrases.felt_phrases) if task == "er" else (held, phrases.held_phrases)
            )
            here = {(k, turn): told[place[k], turn] for k, turn in (p.place for p in parts)}
            model = foretelling(parts, vectors, here)
            ids = {c.id for c in inner.test}
            asks = []
            for case in cases:
                if case.conversation_id in ids and model is not None:
                    row = known[at[case.conversation_id], case.turn]
                    state = model.predict(row[None])[0].astype(np.float32)
                    asks.append(Ask(case, row[: words.dim].astype(np.float32), state))
            yield phrases, asks


def said(task: str, phrases: Phrases, ask: Ask, weights: Weights) -> tuple[str, str]:
    """Returns the answer and its polarity."""
    conversation = ask.case.instance.conversation
    speaker = conversation.turns[-1].speaker
    others = [n for n in conversation.roster if n != speaker] or [conversation.group]
    sought = Sought(ask.words, ask.state if weights.state else None)
    if task == "er":
        phrase = felt_of(phrases, sought, speaker=speaker, other=others[0], weights=weights).phrase
        return phrase, stance_of(phrase)
    about = [About(others[0], role_of(others[0], speaker, conversation))]
    views = [
        s.viewpoint for s in views_of(phrases, sought, source=speaker, about=about, weights=weights)
    ]
    return viewpoint_text(views), first_stance(views)


def constant(task: str, phrases: Phrases) -> tuple[str, str]:
    """Returns the phrase that is nearest to the mean of all, and its polarity."""
    vectors = phrases.felt_phrases if task == "er" else phrases.held_phrases
    best = int((vectors @ vectors.mean(axis=0)).argmax())
    if task == "er":
        return phrases.felt[best].shown, stance_of(phrases.felt[best].phrase)
    return phrases.held[best].shown, phrases.held[best].stance


def gold_text(case: Case) -> str:
    """Returns the annotated phrase."""
    return case.gold.emotion.phrase if case.gold.emotion else viewpoint_text(case.gold.viewpoints)


def polarity(case: Case) -> str:
    """Returns what the annotated phrase is: positive, negative or mixed."""
    emotion = case.gold.emotion
    return stance_of(emotion.phrase) if emotion else first_stance(case.gold.viewpoints)


def first_stance(views: Sequence[Viewpoint]) -> str:
    """Returns the stance of the first viewpoint."""
    return stance_of(views[0].attitude, views[0].viewpoint) if views else ""


if __name__ == "__main__":
    main()
