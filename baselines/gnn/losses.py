"""What each head costs on a batch of lessons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import torch
from torch import Tensor
from torch.nn import functional

from relgraph.baselines._structure import SUPPORTER
from relgraph.baselines.gnn.heads import INTENSITIES, LABELS, SCENARIOS, Network, Places
from relgraph.baselines.gnn.hints import WORD_HEADS, Guesses
from relgraph.baselines.gnn.lessons import HEADS, Answers, Lesson
from relgraph.baselines.gnn.model import States
from relgraph.baselines.gnn.recipe import Recipe
from relgraph.baselines.gnn.tensors import Batch, collate
from relgraph.labels import UTTERANCE_TYPES

SHARES: Mapping[str, float] = {
    "pattern": 1.0, "strategy": 1.0, "target": 1.0, "time": 1.0, "about": 0.5, "intensity": 0.3,
}  # fmt: skip
"""How much the mean loss of a task's head counts."""

AUXILIARY: Mapping[str, float] = {
    "utterance": 0.5, "next": 0.3, "pattern_now": 0.5, "strategy_now": 0.3,
}  # fmt: skip
"""The same of heads that are not asked for afterwards, times `Recipe.auxiliary`."""

SMOOTHING = 0.05
"""Share of a label that is spread over all: labels of patterns and strategies are readings."""

STRATEGY_POWER, UTTERANCE_POWER = 0.3, 0.3
"""How far classes of strategies and of utterances are balanced (see `balance`)."""

SHARPNESS = 10.0
"""Inverse temperature of guessed embeddings against those of the batch (van den Oord et al. 2018,
arXiv 1807.03748)."""

MOST_GUESSES = 96
"""Of one head in one batch: the matrix of all against all grows with the square."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The answers that one head owes in a batch: places, labels, weights, `[instance]` each.

    `also` is `[2, pair]`: instance and further slot (VP).
    """

    at: Places
    label: Tensor
    weight: Tensor
    also: Tensor


@dataclass(frozen=True, slots=True)
class Work:
    """A batch of lessons on a device.

    Attributes:
        batch: what is read.
        scenario: `[conversation]`, its place in `SCENARIOS`, -1 for another.
        asked: head -> its answers.
        words: head -> places and `[text, dim]` embeddings to guess.
    """

    batch: Batch
    scenario: Tensor
    asked: dict[str, Asked]
    words: dict[str, tuple[Places, Tensor]]


@dataclass(frozen=True, slots=True)
class Balance:
    """What was counted on the training lessons.

    Attributes:
        classes: head -> scenario -> weight of each class `[class]`, mean 1 over instances.
        prior: head -> scenario -> log frequency of each class, each counted half a time more.
        utterance: weight of each utterance type.
        intensity: log frequency of each intensity level.
    """

    classes: dict[str, dict[str, Tensor]]
    prior: dict[str, dict[str, Tensor]]
    utterance: Tensor
    intensity: Tensor


def balance(lessons: Sequence[Lesson], recipe: Recipe) -> Balance:
    """Returns class weights `(n / count) ** power` with mean 1, and frequencies.

    Power 0 leaves the classes of a head as they are, 1 makes all count the same.
    """
    powers = {"pattern": recipe.balance, "pattern_now": recipe.balance,
              "strategy": STRATEGY_POWER, "strategy_now": 0.0}  # fmt: skip
    classes: dict[str, dict[str, Tensor]] = {}
    prior: dict[str, dict[str, Tensor]] = {}
    for head, sets in LABELS.items():
        classes[head], prior[head] = {}, {}
        for scenario, labels in sets.items():
            own = [x for x in lessons if x.scenario == scenario]
            counts = _counts([int(k) for x in own for k in x.answers[head].label], len(labels))
            classes[head][scenario] = _weights(counts, powers[head])
            prior[head][scenario] = _log_share(counts)
    types = [int(k) for x in lessons for k in x.answers["utterance"].label]
    felt = [round(v) for x in lessons for v in x.answers["intensity"].label]
    levels = _counts([min(max(v, 0), INTENSITIES - 1) for v in felt], INTENSITIES)
    return Balance(
        classes=classes,
        prior=prior,
        utterance=_weights(_counts(types, len(UTTERANCE_TYPES)), UTTERANCE_POWER),
        intensity=_log_share(levels),
    )


def _counts(labels: Sequence[int], size: int) -> Tensor:
    count = Counter(labels)
    return torch.tensor([float(count[k]) for k in range(size)])


def _weights(counts: Tensor, power: float) -> Tensor:
    total = counts.sum().clamp(min=1)
    raw = (total / counts.clamp(min=1)) ** power
    mean = (raw * counts).sum() / total
    return torch.where(counts > 0, raw / mean, counts.new_ones(()))


def _log_share(counts: Tensor) -> Tensor:
    return torch.log((counts + 0.5) / (counts.sum() + 0.5 * len(counts)))


def prepare(lessons: Sequence[Lesson], device: torch.device) -> Work:
    """Returns lessons as one batch with what is asked of every head."""
    return Work(
        batch=collate([x.encoded for x in lessons], device=device),
        scenario=torch.tensor(
            [SCENARIOS.index(x.scenario) if x.scenario in SCENARIOS else -1 for x in lessons],
            device=device,
        ),
        asked={head: _asked([x.answers[head] for x in lessons], device) for head in HEADS},
        words={head: _texts([x.words.get(head) for x in lessons], device) for head in WORD_HEADS},
    )


def _asked(parts: Sequence[Answers], device: torch.device) -> Asked:
    rows = [row for row, part in enumerate(parts) for _ in part.cut]
    pairs = [
        (instance, slot)
        for instance, also in enumerate(a for part in parts for a in part.also)
        for slot in also
    ]

    def flat(name: str, kind: torch.dtype) -> Tensor:
        values = [v for part in parts for v in getattr(part, name)]
        return torch.tensor(values, dtype=kind, device=device)

    return Asked(
        at=Places(
            row=torch.tensor(rows, dtype=torch.long, device=device),
            cut=flat("cut", torch.long),
            slot=flat("slot", torch.long),
        ),
        label=flat("label", torch.float32),
        weight=flat("weight", torch.float32),
        also=torch.tensor(pairs, dtype=torch.long, device=device).reshape(-1, 2).T,
    )


def _texts(parts: Sequence[Guesses | None], device: torch.device) -> tuple[Places, Tensor]:
    kept = [(row, part) for row, part in enumerate(parts) if part is not None and part.cut]

    def flat(values: Sequence[int]) -> Tensor:
        return torch.tensor(values, dtype=torch.long, device=device)

    at = Places(
        row=flat([row for row, part in kept for _ in part.cut]),
        cut=flat([cut for _, part in kept for cut in part.cut]),
        slot=flat([slot for _, part in kept for slot in part.slot]),
    )
    if not kept:
        return at, torch.zeros(0, 0, device=device)
    return at, torch.cat([torch.from_numpy(part.vectors) for _, part in kept]).to(device)


@dataclass(frozen=True, slots=True)
class Exam:
    """A network in front of a batch: what every head's loss is computed from."""

    net: Network
    work: Work
    states: States
    balance: Balance
    recipe: Recipe


Cost = tuple[Tensor, Tensor]
"""Summed loss, summed weight."""


def losses(net: Network, work: Work, balance: Balance, recipe: Recipe) -> dict[str, Cost]:
    """Returns head -> (summed loss, summed weight), for the heads that are asked anything."""
    exam = Exam(net, work, net.encoder(work.batch), balance, recipe)
    found = {}
    for head in HEADS:
        asked = work.asked[head]
        if len(asked.label) and share(head, recipe):
            loss = _cost(exam, head, asked)
            found[head] = ((loss * asked.weight).sum(), asked.weight.sum())
    for head in WORD_HEADS:
        at, vectors = work.words[head]
        if len(vectors) > 1 and share(head, recipe):
            found[head] = _guess(exam, head, at, vectors)
    return found


def share(head: str, recipe: Recipe) -> float:
    """Returns how much the mean loss of a head counts."""
    if head in SHARES:
        return SHARES[head]
    if head in AUXILIARY:
        return AUXILIARY[head] * recipe.auxiliary
    return (recipe.foresight if head == "next_words" else recipe.phrases) * recipe.auxiliary


def _cost(exam: Exam, head: str, asked: Asked) -> Tensor:
    """Returns the losses `[instance]` of a head."""
    net, states = exam.net, exam.states
    if head in LABELS:
        return _labels(exam, head, asked)
    if head in ("target", "next"):
        scores = net.read_people(head, states, asked.at)
        if head == "target":
            apart = torch.arange(scores.shape[1], device=scores.device) == SUPPORTER
            scores = scores.masked_fill(apart, float("-inf"))
        return functional.cross_entropy(scores, asked.label.long(), reduction="none")
    if head == "about":
        return _about(exam, asked)
    if head == "time":
        logits = net.read_time(states, asked.at)
        return functional.binary_cross_entropy_with_logits(logits, asked.label, reduction="none")
    if head == "intensity":
        return _intensity(exam, asked)
    logits, weight = net.read_utterance(states, asked.at), exam.balance.utterance
    return functional.cross_entropy(
        logits, asked.label.long(), weight=weight.to(logits), reduction="none"
    )


def _labels(exam: Exam, head: str, asked: Asked) -> Tensor:
    """Returns the cross entropies of a head that has a label set of its own in each scenario."""
    out = torch.zeros(len(asked.label), device=asked.label.device)
    of = exam.work.scenario[asked.at.row]
    adjust = exam.recipe.adjust if head in ("pattern", "pattern_now") else 0.0
    for code, scenario in enumerate(SCENARIOS):
        chosen = (of == code).nonzero().squeeze(1)
        if not len(chosen):
            continue
        logits = exam.net.read_labels(head, exam.states, asked.at.at(chosen), scenario).float()
        cost = functional.cross_entropy(
            logits + adjust * exam.balance.prior[head][scenario].to(logits),
            asked.label[chosen].long(),
            weight=exam.balance.classes[head][scenario].to(logits),
            reduction="none",
            label_smoothing=SMOOTHING,
        )
        out = out.index_put((chosen,), cost)
    return out


def _about(exam: Exam, asked: Asked) -> Tensor:
    scores = exam.net.read_people("about", exam.states, asked.at)
    known = torch.isfinite(scores)
    wanted = functional.one_hot(asked.label.long(), scores.shape[1]).to(scores.dtype)
    wanted[asked.also[0], asked.also[1]] = 1
    cost = functional.binary_cross_entropy_with_logits(
        scores.masked_fill(~known, 0.0), wanted, reduction="none"
    )
    return (cost * known).sum(1)


def _intensity(exam: Exam, asked: Asked) -> Tensor:
    """Returns the cross entropies of the levels; a value between two levels is shared by both."""
    logits = exam.net.read_intensity(exam.states, asked.at)
    said = functional.log_softmax(logits + exam.balance.intensity.to(logits), dim=-1)
    value = asked.label.clamp(0, INTENSITIES - 1)
    low = value.floor().clamp(max=INTENSITIES - 2).long()
    above = value - low
    both = said.gather(1, torch.stack([low, low + 1], dim=1))
    return -(both[:, 0] * (1 - above) + both[:, 1] * above)


def _guess(exam: Exam, head: str, at: Places, vectors: Tensor) -> Cost:
    """Returns the cost of picking the right text among those of the batch, 1 at chance."""
    if len(vectors) > MOST_GUESSES:
        drawn = torch.randperm(len(vectors), device=vectors.device)[:MOST_GUESSES]
        at, vectors = at.at(drawn), vectors[drawn]
    said = exam.net.read_words(head, exam.states, at)
    wanted = functional.normalize(vectors, dim=-1).to(said)
    order = torch.arange(len(vectors), device=vectors.device)
    cost = functional.cross_entropy(SHARPNESS * said @ wanted.T, order, reduction="sum")
    count = torch.tensor(float(len(vectors)), device=vectors.device)
    return cost / log(len(vectors)), count
