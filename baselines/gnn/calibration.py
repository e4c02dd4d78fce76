"""Temperatures: how far a task's probabilities are to be sharpened or flattened to be right.

They are fitted on what a member and a partner say together of relationships that neither has
learnt from, so that nothing of the tested conversations is looked at (Guo et al. 2017,
arXiv 1706.04599). An ensemble of several members is a little less sure than one with its partner,
which is what the temperature is fitted for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relgraph.baselines._channels import Vectors
from relgraph.baselines._structure import SUPPORTER
from relgraph.baselines.gnn.answer import SMALLEST, Ensemble, answer
from relgraph.baselines.gnn.heads import SCENARIOS, Network
from relgraph.baselines.gnn.lessons import Lesson, cases_of
from relgraph.baselines.gnn.losses import Asked, prepare
from relgraph.records import Conversation, View

TASKS: Mapping[str, str] = {"rpp": "pattern", "ssp": "strategy", "stp": "target", "itp": "time"}
"""Task -> its head."""

COLDEST, HOTTEST = 0.2, 5.0
"""Temperatures are sought between these."""

FEWEST = 20
"""With fewer held-out instances, a task keeps temperature 1."""

Votes = list[tuple[NDArray[np.float64], int, float]]
"""Logits, the right class, and how much it counts, an instance each."""


def temperatures(
    alone: Iterable[tuple[Ensemble, Sequence[Conversation]]], view: View, vectors: Vectors, dim: int
) -> dict[str, float]:
    """Returns task -> temperature; the logarithms of its probabilities are to be divided by it.

    Args:
        alone: ensembles of one member each, without temperatures, and conversations of
            relationships that neither the member nor its partner has learnt from.
        view: what is shown of them.
        vectors: embeddings of all their texts.
        dim: length of an embedding.
    """
    votes: dict[str, Votes] = {task: [] for task in TASKS}
    for ensemble, held in alone:
        cases = [case for c in held for case in cases_of(c, view) if case.instance.task in TASKS]
        said = answer(ensemble, [case.instance for case in cases], vectors, dim)
        for case, prediction in zip(cases, said, strict=True):
            if case.gold.label in prediction.ranking:
                logits = np.log(np.maximum(prediction.probabilities, SMALLEST))
                right = prediction.ranking.index(case.gold.label)
                votes[case.instance.task].append((logits, right, 1.0))
    return {task: temperature(own) for task, own in votes.items()}


def temperature(votes: Votes) -> float:
    """Returns the temperature with the least negative log-likelihood; 1 for a few instances."""
    if len(votes) < FEWEST:
        return 1.0
    from scipy.optimize import minimize_scalar

    width = max(len(logits) for logits, _, _ in votes)
    table = np.full((len(votes), width), -np.inf)
    for row, (logits, _, _) in zip(table, votes, strict=True):
        row[: len(logits)] = logits
    table -= table.max(axis=1, keepdims=True)
    right = table[np.arange(len(votes)), [label for _, label, _ in votes]]
    weight = np.array([weight for _, _, weight in votes])

    def surprise(log_heat: float) -> float:
        heat = np.exp(log_heat)
        total = np.log(np.exp(table / heat).sum(axis=1))
        return float(np.average(total - right / heat, weights=weight))

    found = minimize_scalar(
        surprise, bounds=(np.log(COLDEST), np.log(HOTTEST)), method="bounded",
        options={"xatol": 1e-4},
    )  # fmt: skip
    return float(np.exp(found.x))


@torch.inference_mode()
def votes_of(net: Network, lessons: Sequence[Lesson], device: torch.device) -> dict[str, Votes]:
    """Returns task -> what a network says of lessons, with the right answers."""
    work = prepare(lessons, device)
    states = net.encoder(work.batch)
    found: dict[str, Votes] = {}
    for task, head in TASKS.items():
        asked = work.asked[head]
        if not len(asked.label):
            continue
        if task == "itp":
            yes = net.read_time(states, asked.at)
            rows = torch.stack([torch.zeros_like(yes), yes], dim=1)
            found[task] = _paired(rows, asked)
        elif task == "stp":
            scores = net.read_people("target", states, asked.at)
            scores[:, SUPPORTER] = float("-inf")
            found[task] = _paired(scores, asked)
        else:
            of = work.scenario[asked.at.row]
            found[task] = []
            for code, scenario in enumerate(SCENARIOS):
                chosen = (of == code).nonzero().squeeze(1)
                if len(chosen):
                    logits = net.read_labels(head, states, asked.at.at(chosen), scenario)
                    found[task] += _paired(logits, asked, chosen)
    return found


def _paired(logits: Tensor, asked: Asked, chosen: Tensor | None = None) -> Votes:
    kept = torch.arange(len(asked.label), device=logits.device) if chosen is None else chosen
    rows = logits.double().cpu().numpy()
    labels, weights = asked.label[kept].tolist(), asked.weight[kept].tolist()
    return [(r, int(k), w) for r, k, w in zip(rows, labels, weights, strict=True)]
