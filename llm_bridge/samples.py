"""Several answers to one prompt put together: self-consistency by vote (Wang et al. 2022).

The published method takes the most frequent final answer. Beyond it we rank the other options,
give each its share of the votes, and say how open answers are put together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from statistics import fmean, median

from relgraph.records import Cost, Emotion, Prediction, Viewpoint

WORD = re.compile(r"\w+")


def vote(predictions: Sequence[Prediction]) -> Prediction:
    """Returns what several answers to one instance say together; of one, that one.

    Failed samples have no vote. Where more than half failed, the item failed, for the cause that
    most of them have: what a few lucky samples say is no answer of all. Tokens, time, cost and
    calls are those of all samples.

    - Closed sets: each sample votes for its first option; an option's probability is its share of
      the votes. The order is by votes, then by mean reciprocal rank over the samples (0 where a
      sample does not name it), then as the samples name them. Where every sample has
      probabilities, these are averaged instead.
    - An emotion: the median of the intensities, and the phrase of the sample nearest to it; of
      several as near, the phrase that most of these have, then the first.
    - Viewpoints: the set of (source, target) that most samples name, the earliest of several; the
      words are those of the sample of this set that is most like the others of it.
    """
    if len(predictions) == 1:
        return predictions[0]
    good = [p for p in predictions if not p.failure]
    if 2 * len(good) < len(predictions):
        said = _failed(predictions)
    elif good[0].emotion is not None:
        said = _feeling(good)
    elif good[0].viewpoints:
        said = _views(good)
    else:
        said = _choice(good)
    if not said.failure:
        said = replace(said, because=(*said.because, *_excluded(predictions)))
    return replace(
        said, cost=_total(p.cost for p in predictions), calls=_joined(p.calls for p in predictions)
    )


def _choice(good: Sequence[Prediction]) -> Prediction:
    labels = tuple(dict.fromkeys(label for p in good for label in p.ranking))
    votes = Counter(p.ranking[0] for p in good)
    if all(p.probabilities for p in good):
        given = [dict(zip(p.ranking, p.probabilities, strict=True)) for p in good]
        share = {label: fmean(of.get(label, 0.0) for of in given) for label in labels}
    else:
        share = {label: votes[label] / len(good) for label in labels}
    rank = {label: fmean(_reciprocal(p.ranking, label) for p in good) for label in labels}
    order = sorted(labels, key=lambda label: (-share[label], -rank[label]))
    told = ", ".join(f"{label} {count}" for label, count in votes.most_common())
    return Prediction(
        instance=good[0].instance,
        ranking=tuple(order),
        probabilities=tuple(share[label] for label in order),
        because=(*_reasons(good, order[0]), f"votes of {len(good)} samples: {told}"),
    )


def _reasons(good: Sequence[Prediction], label: str) -> tuple[str, ...]:
    """Those of the first sample that chose the label: its place among the options is in them."""
    return next((p.because for p in good if p.ranking[0] == label), ())


def _reciprocal(ranking: Sequence[str], label: str) -> float:
    return 1 / (ranking.index(label) + 1) if label in ranking else 0.0


def _feeling(good: Sequence[Prediction]) -> Prediction:
    felt = [(p, p.emotion) for p in good if p.emotion is not None]
    told = [e.intensity for _, e in felt if e.intensity is not None]
    middle = median(told) if told else None

    def far(emotion: Emotion) -> float:
        if middle is None or emotion.intensity is None:
            return 0.0 if middle is None else float("inf")
        return abs(emotion.intensity - middle)

    least = min(far(e) for _, e in felt)
    near = [(p, e) for p, e in felt if far(e) == least]
    most = Counter(_folded(e.phrase) for _, e in near).most_common(1)[0][0]
    chosen, emotion = next((p, e) for p, e in near if _folded(e.phrase) == most)
    listed = ", ".join(f"{i:g}" for i in sorted(told))
    return Prediction(
        instance=chosen.instance,
        emotion=replace(emotion, intensity=middle),
        because=(*chosen.because, f"intensities of {len(felt)} samples: {listed}"),
    )


def _views(good: Sequence[Prediction]) -> Prediction:
    pairs = [frozenset((v.source, v.target) for v in p.viewpoints) for p in good]
    most, count = Counter(pairs).most_common(1)[0]
    alike = [p for p, of in zip(good, pairs, strict=True) if of == most]
    chosen = max(alike, key=_likeness(alike))
    told = f"{count} of {len(good)} samples name these sources and targets"
    return Prediction(
        instance=chosen.instance,
        viewpoints=chosen.viewpoints,
        because=(*chosen.because, told),
    )


def _likeness(alike: Sequence[Prediction]) -> Callable[[Prediction], float]:
    """How much of its words a sample shares with the others; the first wins where equal."""
    return lambda p: sum(_overlap(p.viewpoints, other.viewpoints) for other in alike)


def _overlap(one: Sequence[Viewpoint], other: Sequence[Viewpoint]) -> float:
    """F1 of the words that two answers have, each word with source and target it is said of."""
    here, there = _words(one), _words(other)
    return 2 * (here & there).total() / max(1, here.total() + there.total())


def _words(viewpoints: Sequence[Viewpoint]) -> Counter[tuple[str, str, str]]:
    return Counter(
        (v.source, v.target, word)
        for v in viewpoints
        for word in WORD.findall(_folded(v.viewpoint))
    )


def _failed(predictions: Sequence[Prediction]) -> Prediction:
    """The failure that most samples have, with a count of all; what they said is kept."""
    bad = [p for p in predictions if p.failure]
    causes = Counter(cause(p.failure) for p in bad)
    most = causes.most_common(1)[0][0]
    first = next(p.failure for p in bad if cause(p.failure) == most)
    told = ", ".join(f"{count} {word}" for word, count in causes.most_common())
    kept = [(k, p.raw) for k, p in enumerate(predictions, start=1) if p.raw]
    return Prediction(
        instance=predictions[0].instance,
        failure=f"{first} ({len(bad)} of {len(predictions)} samples failed: {told})",
        raw="\n".join(f"--- sample {k}\n{raw}" for k, raw in kept),
    )


def _excluded(predictions: Sequence[Prediction]) -> tuple[str, ...]:
    causes = Counter(cause(p.failure) for p in predictions if p.failure)
    if not causes:
        return ()
    told = ", ".join(f"{count} {word}" for word, count in causes.most_common())
    return (f"{causes.total()} of {len(predictions)} samples failed and have no vote: {told}",)


def cause(failure: str) -> str:
    """Returns the name of a failure: what stands before its details."""
    return failure.partition(":")[0].strip()


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _total(costs: Iterable[Cost]) -> Cost:
    of = list(costs)
    return Cost(
        prompt_tokens=sum(c.prompt_tokens for c in of),
        answer_tokens=sum(c.answer_tokens for c in of),
        time_s=sum(c.time_s for c in of),
        cost_usd=sum(c.cost_usd for c in of),
        kept_calls=sum(c.kept_calls for c in of),
    )


def _joined(calls: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(call for of in calls for call in of)
