"""Answers from the trained members and their partner: the mean, at a temperature; and phrases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relgraph.baselines._channels import Vectors
from relgraph.baselines._findings import RuleReader
from relgraph.baselines._interaction.model import Model
from relgraph.baselines._names import SOMEONE
from relgraph.baselines._phrases import About, Phrases, Sought, felt_of, role_of, views_of
from relgraph.baselines._stretches import stretches
from relgraph.baselines.gnn.heads import Network
from relgraph.baselines.gnn.reading import Ask, Said, groups, logits, place
from relgraph.labels import NO, YES, patterns, strategies
from relgraph.records import Emotion, Instance, Prediction

CLOSED = frozenset({"itp", "rpp", "ssp", "stp"})
"""Tasks whose answer is one of given options."""

SMALLEST = 1e-9
"""A chance that is nothing cannot be raised to a power and stay above the others."""

ALIKE = 1e-5
"""Chances that are nearer than this are equal: a batch decides their last digits."""


@dataclass(frozen=True, slots=True)
class Ensemble:
    """The trained members and what they need to answer.

    Attributes:
        members: networks of one shape, in evaluation mode.
        phrases: of the training conversations.
        intensity: `[level]`, log frequencies of the training intensities, 0 to 10.
        temperatures: task -> what the logarithm of its mean probabilities is divided by; 1 for a
            task that is not there.
        scenarios: task -> scenarios whose labels it has been trained on (RPP, SSP).
        device: where to compute.
        reader: reads conversations with rules, for members that take what they find.
        guesses: whether the heads that guess phrases were trained; else nobody asks them.
        partner: the interaction-feature model that closed choices are averaged with; None for
            none.
        share: the partner's weight, 0 to 1.
    """

    members: tuple[Network, ...]
    phrases: Phrases
    intensity: Tensor
    temperatures: Mapping[str, float]
    scenarios: Mapping[str, frozenset[str]]
    device: torch.device
    reader: RuleReader | None = None
    guesses: bool = True
    partner: Model | None = None
    share: float = 0.0


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
        heard = {k: [member[i] for member in said] for i, k in enumerate(able)}
        seconds = _ask_partner(ensemble, able, vectors)
        felt = _ask_partner_felt(ensemble, able, vectors)
        for k, ask in asks.items():
            if k in heard:
                second = seconds.get(k, {})
                found[k] = _prediction(ensemble, ask, heard[k], second, felt=felt.get(k))
            else:
                cause = _unable(ensemble, ask)
                found[k] = Prediction(ask.instance.id, failure=f"gnn: {cause}")
        while following in found:
            yield found.pop(following)
            following += 1


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


def _ask_partner(
    ensemble: Ensemble, asks: Mapping[int, Ask], vectors: Vectors
) -> dict[int, Mapping[str, float]]:
    """Returns for each closed choice option -> what the partner thinks of it; {} for nothing."""
    if ensemble.partner is None:
        return {}
    closed = {k: ask for k, ask in asks.items() if ask.instance.task in CLOSED}
    said = ensemble.partner.say([ask.instance for ask in closed.values()], vectors)
    return {k: one.chances for k, one in zip(closed, said, strict=True)}


def _ask_partner_felt(
    ensemble: Ensemble, asks: Mapping[int, Ask], vectors: Vectors
) -> dict[int, float | None]:
    """Returns for each question about an emotion how strong the partner takes it to be."""
    if ensemble.partner is None:
        return {}
    own = {k: ask for k, ask in asks.items() if ask.instance.task == "er"}
    felt = ensemble.partner.felt([ask.instance for ask in own.values()], vectors)
    return dict(zip(own, felt, strict=True))


def _prediction(
    ensemble: Ensemble,
    ask: Ask,
    said: Sequence[Said],
    second: Mapping[str, float],
    *,
    felt: float | None,
) -> Prediction:
    """Returns the answer to what each member says, and to what the partner thinks.

    Args:
        ensemble: who answers.
        ask: what is asked.
        said: by each member.
        second: closed choices: option -> the partner's probability.
        felt: ER: the partner's intensity.
    """
    instance = ask.instance
    votes = torch.stack([s.logits for s in said]).cpu()
    if instance.task in ("er", "vp"):
        mean = torch.stack([s.guess for s in said]).mean(0).cpu().numpy()
        guess = mean if ensemble.guesses else None
        if instance.task == "er":
            return _emotion(ensemble, ask, votes, guess, felt)
        return _viewpoints(ensemble, ask, votes, guess)
    options: tuple[str, ...] = (YES, NO)
    if instance.task == "itp":
        yes = votes.squeeze(1).sigmoid()
        chances = torch.stack([yes, 1 - yes], dim=1)
    elif instance.task == "stp":
        options = tuple(o for o in instance.options if o in ask.slots)
        chances = votes[:, [ask.slots[o] for o in options]].softmax(1)
    else:
        names = _labels(instance.task, instance.conversation.scenario)
        options = tuple(o for o in instance.options if o in names)
        chances = votes[:, [names.index(o) for o in options]].softmax(1)
    heat = ensemble.temperatures.get(instance.task, 1.0)
    return _choice(instance, chances, options, second, share=ensemble.share, heat=heat)


def _choice(
    instance: Instance,
    votes: Tensor,
    options: Sequence[str],
    second: Mapping[str, float],
    *,
    share: float,
    heat: float,
) -> Prediction:
    """Returns the ranking by mean probability.

    Args:
        instance: what is asked.
        votes: `[member, option]`, rows sum to 1.
        options: what is ranked.
        second: option -> the partner's probability; {} where it has none.
        share: how much the partner counts.
        heat: temperature of the mean, which leaves the ranking as it is.
    """
    mean = votes.double().mean(0)
    because = []
    if second:
        other = torch.tensor([second.get(option, 0.0) for option in options], dtype=torch.double)
        mean = (1 - share) * mean + share * other
    mean = mean.clamp(min=SMALLEST) ** (1 / heat)
    mean = mean / mean.sum()
    order = sorted(range(len(options)), key=lambda k: -float(mean[k]))
    first = int((votes.argmax(1) == order[0]).sum())
    because.append(f"{first} of {len(votes)} members rank it first")
    if second:
        because.append(f"interaction features give it {second.get(options[order[0]], 0.0):.2f}")
    return Prediction(
        instance.id,
        ranking=tuple(options[k] for k in order),
        probabilities=tuple(float(mean[k]) for k in order),
        because=tuple(because),
    )


def _emotion(
    ensemble: Ensemble,
    ask: Ask,
    votes: Tensor,
    guess: NDArray[np.float32] | None,
    second: float | None,
) -> Prediction:
    levels = (votes + ensemble.intensity).double().softmax(1).mean(0)
    felt = middle(levels)
    if second is not None:
        top = float(len(levels) - 1)
        felt = (1 - ensemble.share) * felt + ensemble.share * min(max(second, 0.0), top)
    conversation = ask.instance.conversation
    person = conversation.turns[-1].speaker
    others = [name for name in conversation.roster if name != person]
    said = felt_of(
        ensemble.phrases,
        Sought(ask.words, state=guess, intensity=felt),
        speaker=person,
        other=others[0] if len(others) == 1 else SOMEONE,
    )
    return Prediction(
        ask.instance.id, emotion=Emotion(person, said.phrase, felt), because=(said.because,)
    )


def middle(levels: Tensor) -> float:
    """Returns the median of a distribution over levels 0, 1, ...: what errs least on average.

    Each level stands for the half below to the half above it; within it the median is where
    the mass is halved, so answers are not only whole numbers. Between 0 and the last level.
    """
    below, masses = 0.0, [float(mass) for mass in levels]
    for level, mass in enumerate(masses):
        if below + mass >= 0.5:
            inside = (0.5 - below) / mass
            return min(max(level - 0.5 + inside, 0.0), float(len(levels) - 1))
        below += mass
    return float(len(levels) - 1)


def _viewpoints(
    ensemble: Ensemble, ask: Ask, votes: Tensor, guess: NDArray[np.float32] | None
) -> Prediction:
    conversation = ask.instance.conversation
    speaker = conversation.turns[-1].speaker
    chance = votes.double().sigmoid().mean(0)
    names = {slot: name for name, slot in ask.slots.items() if name}
    order = ranked({slot: float(chance[slot]) for slot in names})
    about = [slot for slot in order if chance[slot] > 0.5] or order[:1]
    said = views_of(
        ensemble.phrases,
        Sought(ask.words, state=guess),
        source=speaker,
        about=[About(names[slot], role_of(names[slot], speaker, conversation)) for slot in about],
    )
    because = [
        f"about {names[slot]} with probability {float(chance[slot]):.2f}; {view.because}"
        for slot, view in zip(about, said, strict=False)
    ]
    return Prediction(
        ask.instance.id, viewpoints=tuple(s.viewpoint for s in said), because=tuple(because)
    )


def ranked(chance: Mapping[int, float]) -> list[int]:
    """Returns slots by their chance; those of equal chances in the order of slots."""
    order = sorted(chance, key=lambda slot: -chance[slot])
    place = dict.fromkeys(order, 0)
    for before, slot in pairwise(order):
        place[slot] = place[before] + (chance[before] - chance[slot] > ALIKE)
    return sorted(order, key=lambda slot: (place[slot], slot))
