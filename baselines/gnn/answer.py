"""Answers from the trained members: one pass a conversation, read at every asked cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relgraph.baselines._channels import Vectors
from relgraph.baselines._phrases import Phrases, role_of
from relgraph.baselines._stretches import Stretch, stretches
from relgraph.baselines.gnn.findings import RuleReader
from relgraph.baselines.gnn.heads import Network, Places
from relgraph.baselines.gnn.tensors import Batch, collate, encode
from relgraph.labels import NO, YES, patterns, strategies
from relgraph.records import Emotion, Instance, Prediction, Viewpoint

BATCH_CELLS = 20_000
"""Padded turns times slots in one pass, at most, unless one conversation alone has more."""

LARGEST_INTENSITY = 10.0


@dataclass(frozen=True, slots=True)
class Ensemble:
    """The trained members and what they need to answer.

    Attributes:
        members: networks of one shape, in evaluation mode.
        phrases: of the training conversations.
        intensity: median of the training intensities, in [0, 10].
        scenarios: task -> scenarios whose labels it has been trained on (RPP, SSP).
        device: where to compute.
        reader: reads conversations with rules, for members that take what they find.
    """

    members: tuple[Network, ...]
    phrases: Phrases
    intensity: float
    scenarios: Mapping[str, frozenset[str]]
    device: torch.device
    reader: RuleReader | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """One instance as a place in a batch.

    Attributes:
        instance: what is asked.
        row: its conversation's number in the batch.
        cut: number of turns seen.
        slot: whom it is about: SSP the target, VP and ER the last speaker, else the group.
        slots: name -> slot in its conversation.
        words: `[dim]`, embedding of the last turn's words; zeros where nothing is said.
    """

    instance: Instance
    row: int
    cut: int
    slot: int
    slots: Mapping[str, int]
    words: NDArray[np.float32]


def answer(
    ensemble: Ensemble, instances: Sequence[Instance], vectors: Vectors, dim: int
) -> Iterator[Prediction]:
    """Yields one prediction an instance, in order.

    Instances of one conversation are read off one pass over the longest of their prefixes, and
    none sees what comes after its own cut.
    """
    found: dict[int, Prediction] = {}
    following = 0
    for group in groups(stretches(instances)):
        batch, asks = place(
            group, instances, vectors, dim, device=ensemble.device, reader=ensemble.reader
        )
        able = {k: ask for k, ask in asks.items() if not _unable(ensemble, ask)}
        with torch.inference_mode():
            said = [logits(net, batch, list(able.values())) for net in ensemble.members]
        votes = {k: torch.stack([m[i] for m in said]).cpu() for i, k in enumerate(able)}
        for k, ask in asks.items():
            if k in votes:
                found[k] = _prediction(ensemble, ask, votes[k])
            else:
                cause = _unable(ensemble, ask)
                found[k] = Prediction(ask.instance.id, failure=f"gnn: {cause}")
        while following in found:
            yield found.pop(following)
            following += 1


def groups(found: Sequence[Stretch]) -> Iterator[list[Stretch]]:
    """Yields stretches batch by batch, in their order."""
    group: list[Stretch] = []
    longest = widest = 0
    for stretch in found:
        turns = len(stretch.conversation.turns) + 1
        people = len(stretch.conversation.roster) + 2
        longest, widest = max(longest, turns), max(widest, people)
        if group and (len(group) + 1) * longest * widest > BATCH_CELLS:
            yield group
            group, longest, widest = [], turns, people
        group.append(stretch)
    if group:
        yield group


def place(
    group: Sequence[Stretch],
    instances: Sequence[Instance],
    vectors: Vectors,
    dim: int,
    *,
    device: torch.device,
    reader: RuleReader | None = None,
) -> tuple[Batch, dict[int, Ask]]:
    """Returns the stretches as a batch, and where in it each of their instances is."""
    parts = [encode(stretch.conversation, vectors, dim, reader=reader) for stretch in group]
    asks = {}
    nothing = np.zeros(dim, np.float32)
    for row, (stretch, encoded) in enumerate(zip(group, parts, strict=True)):
        slots = encoded.structure.slots
        for k in stretch.instances:
            turns = instances[k].conversation.turns
            about = instances[k].target
            if instances[k].task in ("er", "vp") and turns:
                about = turns[-1].speaker
            said = encoded.channels.get("text")
            words = said[len(turns) - 1] if said is not None and turns else nothing
            slot = encoded.structure.slot_at(about, len(turns))
            asks[k] = Ask(instances[k], row, len(turns), slot, slots, words)
    return collate(parts, device=device), asks


def logits(net: Network, batch: Batch, asks: Sequence[Ask]) -> list[Tensor]:
    """Returns what one member says of each instance, before any softmax.

    RPP and SSP: `[label]`. STP and VP: `[slot]`, -inf for slots not known of. ITP: `[1]`, of yes.
    ER: `[1]`, the intensity above the training median.
    """
    states = net.encoder(batch)
    out: list[Tensor] = [torch.empty(0)] * len(asks)
    by_head: dict[tuple[str, str], list[int]] = {}
    for k, ask in enumerate(asks):
        by_head.setdefault((ask.instance.task, ask.instance.conversation.scenario), []).append(k)
    for (task, scenario), chosen in by_head.items():
        at = Places(
            row=torch.tensor([asks[k].row for k in chosen], device=batch.turn.device),
            cut=torch.tensor([asks[k].cut for k in chosen], device=batch.turn.device),
            slot=torch.tensor([asks[k].slot for k in chosen], device=batch.turn.device),
        )
        if task == "rpp":
            rows = net.read_patterns(batch, states, at, scenario)
        elif task == "ssp":
            rows = net.read_strategies(batch, states, at, scenario)
        elif task == "stp":
            rows = net.read_targets(batch, states, at)
        elif task == "vp":
            rows = net.read_about(batch, states, at)
        elif task == "itp":
            rows = net.read_time(batch, at).unsqueeze(1)
        else:
            rows = net.read_intensity(states, at).unsqueeze(1)
        for k, row in zip(chosen, rows, strict=True):
            out[k] = row
    return out


def _unable(ensemble: Ensemble, ask: Ask) -> str:
    """Returns why an instance cannot be answered, "" where it can."""
    instance = ask.instance
    scenario, turns = instance.conversation.scenario, instance.conversation.turns
    task = instance.task
    if task in ("rpp", "ssp"):
        if not _labels(task, scenario):
            return f"scenario {scenario!r} has no label set for {task}"
        if scenario not in ensemble.scenarios.get(task, ()):
            return f"no training conversation of scenario {scenario!r} has labels for {task}"
        if not set(instance.options) & set(_labels(task, scenario)):
            return f"none of the options is a label of scenario {scenario!r}"
    if task == "stp" and not any(option in ask.slots for option in instance.options):
        return "none of the options is known in the conversation"
    if task in ("er", "vp") and not turns:
        return f"{task} asks about the last turn, and there is none"
    if task == "er" and not ensemble.phrases.felt:
        return "the training conversations have no emotion phrase"
    if task == "vp" and not ensemble.phrases.held:
        return "the training conversations have no viewpoint"
    return ""


def _labels(task: str, scenario: str) -> tuple[str, ...]:
    return patterns(scenario) if task == "rpp" else strategies(scenario)


def _prediction(ensemble: Ensemble, ask: Ask, votes: Tensor) -> Prediction:
    """Returns the answer; `votes` is `[member, ...]`, the members' logits."""
    instance = ask.instance
    if instance.task == "er":
        return _emotion(ensemble, ask, votes)
    if instance.task == "vp":
        return _viewpoints(ensemble, ask, votes)
    if instance.task == "itp":
        yes = votes.squeeze(1).sigmoid()
        return _choice(instance, torch.stack([yes, 1 - yes], dim=1), (YES, NO))
    if instance.task == "stp":
        options = tuple(o for o in instance.options if o in ask.slots)
        scores = votes[:, [ask.slots[o] for o in options]]
        return _choice(instance, scores.softmax(1), options)
    names = _labels(instance.task, instance.conversation.scenario)
    options = tuple(o for o in instance.options if o in names)
    return _choice(instance, votes[:, [names.index(o) for o in options]].softmax(1), options)


def _choice(instance: Instance, votes: Tensor, options: Sequence[str]) -> Prediction:
    """Returns the ranking by mean probability; `votes` is `[member, option]`, rows sum to 1."""
    mean = votes.double().mean(0)
    mean = mean / mean.sum()
    order = sorted(range(len(options)), key=lambda k: -float(mean[k]))
    first = int((votes.argmax(1) == order[0]).sum())
    return Prediction(
        instance.id,
        ranking=tuple(options[k] for k in order),
        probabilities=tuple(float(mean[k]) for k in order),
        because=(f"{first} of {len(votes)} members rank it first",),
    )


def _emotion(ensemble: Ensemble, ask: Ask, votes: Tensor) -> Prediction:
    felt = ensemble.intensity + float(votes.double().mean())
    phrase, near = ensemble.phrases.feeling(ask.words)
    person = ask.instance.conversation.turns[-1].speaker
    return Prediction(
        ask.instance.id,
        emotion=Emotion(person, phrase, min(max(felt, 0.0), LARGEST_INTENSITY)),
        because=(f"phrase of the nearest training turn, cosine {near:.2f}",),
    )


def _viewpoints(ensemble: Ensemble, ask: Ask, votes: Tensor) -> Prediction:
    conversation = ask.instance.conversation
    speaker = conversation.turns[-1].speaker
    chance = votes.double().sigmoid().mean(0)
    names = {slot: name for name, slot in ask.slots.items() if name}
    order = sorted(names, key=lambda slot: -float(chance[slot]))
    about = [slot for slot in order if chance[slot] > 0.5] or order[:1]
    views: list[Viewpoint] = []
    because = []
    for slot in about:
        role = role_of(names[slot], speaker, conversation)
        view, near = ensemble.phrases.viewpoint(
            ask.words, source=speaker, target=names[slot], role=role
        )
        if view:
            views.append(view)
            because.append(
                f"about {names[slot]} with probability {float(chance[slot]):.2f}; "
                f"words of the nearest training turn, cosine {near:.2f}"
            )
    return Prediction(ask.instance.id, viewpoints=tuple(views), because=tuple(because))
