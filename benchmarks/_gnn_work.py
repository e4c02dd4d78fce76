"""What the benchmarks of the graph network work on: made-up talk with gold of every layer."""

from __future__ import annotations

import random
import resource
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from time import process_time

import _checkout  # noqa: F401 - before relgraph
import numpy as np
import torch

from relgraph.baselines._channels import Vectors, texts_of_all
from relgraph.baselines._stretches import stretches
from relgraph.baselines.gnn.course import Course, computing
from relgraph.baselines.gnn.heads import Network
from relgraph.baselines.gnn.lessons import Lesson, cases_of, lessons, texts_in
from relgraph.baselines.gnn.losses import balance
from relgraph.baselines.gnn.model import Shape
from relgraph.baselines.gnn.reading import Ask, Said, groups, logits, place
from relgraph.baselines.gnn.recipe import Recipe
from relgraph.baselines.gnn.tensors import Batch
from relgraph.records import (
    Annotation,
    Conversation,
    Emotion,
    Instance,
    Relation,
    Strategy,
    Turn,
    View,
    Viewpoint,
)

DIM = 384
CPU = torch.device("cpu")
PEOPLE = ("Mara", "Ilya", "Therapist")
LABELS = ("pursue_withdraw", "attack_attack", "repair_softening", "constructive_alignment")
Work = list[tuple[Batch, list[Ask]]]
"""Batches, each with the places of its instances."""


def talk(number: int, turns: int) -> Conversation:
    """Returns a made-up conversation of three people with all layers of gold, the same ever."""
    draw = random.Random(number)
    said, gold, start_s = [], [], 0.0
    for index in range(1, turns + 1):
        speaker = "Therapist" if index % 3 == 0 else draw.choice(PEOPLE[:2])
        other = draw.choice([p for p in PEOPLE if p != speaker])
        text = f"what talk {number} says in turn {index} is said of {draw.choice(LABELS)}"
        end_s = start_s + draw.uniform(1, 8)
        said.append(Turn(index, speaker, text, (other,), "given", None, start_s, end_s))
        start_s = end_s + draw.uniform(-0.5, 1)
        gold.append(_gold(draw, speaker, other))
    return Conversation(
        f"made-{number}", tuple(said), gold=tuple(gold), scenario="couple",
        participants=PEOPLE[:2], relationship=f"made-{number}",
    )  # fmt: skip


def _gold(draw: random.Random, speaker: str, other: str) -> Annotation:
    supporter = speaker == "Therapist"
    reason = f"reason {draw.randrange(200)}"
    return Annotation(
        utterance_type="" if supporter else draw.choice(("accusation", "disclosure", "repair")),
        emotions=()
        if supporter
        else (Emotion(speaker, f"feeling {draw.randrange(200)}", float(draw.randrange(11))),),
        viewpoints=()
        if supporter
        else (Viewpoint(speaker, other, f"view {draw.randrange(200)}", ""),),
        strategies=(Strategy(speaker, (other,), draw.choice(("track", "enact", "evoke"))),)
        if supporter
        else (),
        relations=(Relation("relation_cycle_state", draw.choice(LABELS), reason),)
        if supporter
        else (),
    )


def drawn(talks: Sequence[Conversation]) -> Vectors:
    """Returns a random embedding of length 1 for every text that lessons of the talks read."""
    seen = texts_of_all(talks)
    texts = list(dict.fromkeys([*seen, *texts_in(talks, View())]))
    vectors = np.random.default_rng(0).standard_normal((len(texts), DIM), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return dict(zip(texts, vectors, strict=True))


def lessons_of(talks: Iterable[Conversation], vectors: Vectors) -> list[Lesson]:
    """Returns all lessons of the talks: what training reads."""
    return [one for talk in talks for one in lessons(talk, View(), vectors, DIM)]


def course(
    learn: Sequence[Lesson],
    recipe: Recipe,
    *,
    device: torch.device = CPU,
    mixed: bool | None = None,
) -> Course:
    """Returns one member about to be trained, all heads at once."""
    return Course(
        0, learn=learn, counted=balance(learn, recipe), shape=Shape(dim=DIM), recipe=recipe,
        seed=0, device=device, mixed=mixed,
    )  # fmt: skip


def instances_of(one: Conversation) -> list[Instance]:
    """Returns the instances of the six tasks in a conversation."""
    return [case.instance for case in cases_of(one, View())]


def network(device: torch.device = CPU) -> Network:
    """Returns a network of random weights, ready to answer, the same ever."""
    torch.manual_seed(0)
    return Network(Shape(dim=DIM), Recipe()).to(device).eval()


def placed(
    instances: Sequence[Instance], vectors: Vectors, *, device: torch.device = CPU
) -> Iterator[tuple[Batch, list[Ask]]]:
    """Yields the instances as batches with places, one pass for each conversation."""
    for group in groups(stretches(instances)):
        batch, asks = place(group, instances, vectors, DIM, device=device)
        yield batch, list(asks.values())


def read_off(net: Network, work: Iterable[tuple[Batch, list[Ask]]]) -> dict[str, Said]:
    """Returns conversation and instance -> what the network says of it, on one thread."""
    with torch.inference_mode(), computing(next(net.parameters()).device, 1):
        return {
            f"{ask.instance.conversation.id} {ask.instance.id}": said
            for batch, asks in work
            for ask, said in zip(asks, logits(net, batch, asks), strict=True)
        }


def timed(work: Callable[[], object]) -> float:
    """Returns CPU seconds of a call."""
    begun = process_time()
    work()
    return process_time() - begun


def peak_mb() -> float:
    """Returns the most memory that this process has held, in MB."""
    status = Path("/proc/self/status")
    if status.exists():
        # Not `ru_maxrss`: a child is told its parent's there, if that is more.
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
