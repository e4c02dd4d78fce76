"""What each head costs on a batch of lessons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from relgraph.baselines.gnn.heads import SCENARIOS, Network, Places
from relgraph.baselines.gnn.lessons import HEADS, Answers, Lesson
from relgraph.baselines.gnn.model import States
from relgraph.baselines.gnn.structure import SUPPORTER
from relgraph.baselines.gnn.tensors import Batch, collate
from relgraph.labels import PATTERNS, STRATEGIES, UTTERANCE_TYPES

SHARES: Mapping[str, float] = {
    "pattern": 1.0, "strategy": 1.0, "target": 1.0, "time": 1.0, "about": 0.5, "intensity": 0.3,
    "utterance": 0.5, "next": 0.3, "pattern_now": 0.5,
}  # fmt: skip
"""How much each head's mean loss counts; the last three heads are auxiliary."""

POWERS: Mapping[str, float] = {"strategy": 0.3, "utterance": 0.3}
"""Head -> how far its classes are balanced (see `balance`); other heads' classes count as they
are: on held-out training relationships, balancing the patterns cost accuracy."""

SMOOTHING = 0.05
"""Share of a label that is spread over all: labels of patterns and strategies are readings."""

LABEL_SETS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "pattern": {scenario: tuple(labels) for scenario, labels in PATTERNS.items()},
    "pattern_now": {scenario: tuple(labels) for scenario, labels in PATTERNS.items()},
    "strategy": {scenario: tuple(labels) for scenario, labels in STRATEGIES.items()},
    "utterance": dict.fromkeys(SCENARIOS, UTTERANCE_TYPES),
}


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
    """A batch of lessons on a device."""

    batch: Batch
    scenario: Tensor
    asked: dict[str, Asked]


@dataclass(frozen=True, slots=True)
class Balance:
    """What was counted on the training lessons.

    Attributes:
        classes: head -> scenario -> weight of each class `[class]`, mean 1 over instances.
        intensity: median emotion intensity, in [0, 10].
    """

    classes: dict[str, dict[str, Tensor]]
    intensity: float


def balance(lessons: Sequence[Lesson], *, powers: Mapping[str, float] = POWERS) -> Balance:
    """Returns class weights `(n / count) ** power`, scaled so that their mean over instances is 1.

    Power 0 leaves the classes of a head as they are, 1 makes all count the same.
    """
    classes: dict[str, dict[str, Tensor]] = {}
    for head, sets in LABEL_SETS.items():
        classes[head], power = {}, powers.get(head, 0.0)
        for scenario, labels in sets.items():
            chosen = [x for x in lessons if x.scenario == scenario]
            count = Counter(int(k) for x in chosen for k in x.answers[head].label)
            total = sum(count.values())
            weight = torch.ones(len(labels))
            if total:
                raw = {k: (total / n) ** power for k, n in count.items()}
                mean = sum(raw[k] * n for k, n in count.items()) / total
                for k, value in raw.items():
                    weight[k] = value / mean
            classes[head][scenario] = weight
    felt = sorted(v for x in lessons for v in x.answers["intensity"].label)
    return Balance(classes, felt[len(felt) // 2] if felt else 5.0)


def prepare(lessons: Sequence[Lesson], device: torch.device) -> Work:
    """Returns lessons as one batch with what is asked of every head."""
    return Work(
        batch=collate([x.encoded for x in lessons], device=device),
        scenario=torch.tensor(
            [SCENARIOS.index(x.scenario) if x.scenario in SCENARIOS else -1 for x in lessons],
            device=device,
        ),
        asked={head: _asked([x.answers[head] for x in lessons], device) for head in HEADS},
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


@dataclass(frozen=True, slots=True)
class Exam:
    """A network in front of a batch: what every head's loss is computed from."""

    net: Network
    work: Work
    states: States
    balance: Balance


def losses(net: Network, work: Work, balance: Balance) -> dict[str, tuple[Tensor, Tensor]]:
    """Returns head -> (summed loss, summed weight), for the heads that are asked anything."""
    exam = Exam(net, work, net.encoder(work.batch), balance)
    found = {}
    for head in HEADS:
        asked = work.asked[head]
        if len(asked.label):
            loss = _LOSSES[head](exam, asked)
            found[head] = ((loss * asked.weight).sum(), asked.weight.sum())
    return found


def _labels(exam: Exam, asked: Asked, head: str) -> Tensor:
    """Returns the cross entropies of a head that has a label set of its own in each scenario."""
    net, work = exam.net, exam.work
    read = {
        "pattern": net.read_patterns,
        "pattern_now": net.read_patterns_now,
        "strategy": net.read_strategies,
    }[head]
    out = torch.zeros(len(asked.label), device=asked.label.device)
    of = work.scenario[asked.at.row]
    for code, scenario in enumerate(SCENARIOS):
        chosen = (of == code).nonzero().squeeze(1)
        if not len(chosen):
            continue
        at = Places(asked.at.row[chosen], asked.at.cut[chosen], asked.at.slot[chosen])
        cost = functional.cross_entropy(
            read(work.batch, exam.states, at, scenario),
            asked.label[chosen].long(),
            weight=exam.balance.classes[head][scenario].to(out.device),
            reduction="none",
            label_smoothing=SMOOTHING,
        )
        out = out.index_put((chosen,), cost)
    return out


def _pattern(exam: Exam, asked: Asked) -> Tensor:
    return _labels(exam, asked, "pattern")


def _pattern_now(exam: Exam, asked: Asked) -> Tensor:
    return _labels(exam, asked, "pattern_now")


def _strategy(exam: Exam, asked: Asked) -> Tensor:
    return _labels(exam, asked, "strategy")


def _target(exam: Exam, asked: Asked) -> Tensor:
    scores = exam.net.read_targets(exam.work.batch, exam.states, asked.at)
    supporter = torch.zeros_like(scores, dtype=torch.bool)
    supporter[:, SUPPORTER] = True
    scores = scores.masked_fill(supporter, float("-inf"))
    return functional.cross_entropy(scores, asked.label.long(), reduction="none")


def _next(exam: Exam, asked: Asked) -> Tensor:
    scores = exam.net.read_next(exam.work.batch, exam.states, asked.at)
    return functional.cross_entropy(scores, asked.label.long(), reduction="none")


def _time(exam: Exam, asked: Asked) -> Tensor:
    logits = exam.net.read_time(exam.work.batch, asked.at)
    return functional.binary_cross_entropy_with_logits(logits, asked.label, reduction="none")


def _about(exam: Exam, asked: Asked) -> Tensor:
    scores = exam.net.read_about(exam.work.batch, exam.states, asked.at)
    known = torch.isfinite(scores)
    wanted = functional.one_hot(asked.label.long(), scores.shape[1]).to(scores.dtype)
    wanted[asked.also[0], asked.also[1]] = 1
    cost = functional.binary_cross_entropy_with_logits(
        scores.masked_fill(~known, 0.0), wanted, reduction="none"
    )
    return (cost * known).sum(1)


def _intensity(exam: Exam, asked: Asked) -> Tensor:
    guess = exam.net.read_intensity(exam.states, asked.at)
    wanted = asked.label - exam.balance.intensity
    return functional.smooth_l1_loss(guess, wanted, reduction="none")


def _utterance(exam: Exam, asked: Asked) -> Tensor:
    logits = exam.net.read_utterance(exam.states, asked.at)
    weight = exam.balance.classes["utterance"][SCENARIOS[0]].to(logits.device)
    return functional.cross_entropy(logits, asked.label.long(), weight=weight, reduction="none")


_LOSSES = {
    "pattern": _pattern,
    "pattern_now": _pattern_now,
    "strategy": _strategy,
    "target": _target,
    "next": _next,
    "time": _time,
    "about": _about,
    "intensity": _intensity,
    "utterance": _utterance,
}
