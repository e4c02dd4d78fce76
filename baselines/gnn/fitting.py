"""From conversations and settings to a fitted network, and from it to a checkpoint and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch

from relgraph.approach import Findings, Settings
from relgraph.baselines._channels import texts_of_all
from relgraph.baselines._findings import RuleReader, rule_reader
from relgraph.baselines._interaction import fitting as interaction
from relgraph.baselines._interaction.model import Model
from relgraph.baselines._interaction.reading import shown
from relgraph.baselines._phrases import Phrases, bank, gather, texts
from relgraph.baselines._stretches import stretches
from relgraph.baselines._words import Words
from relgraph.baselines.gnn import checkpoint, training
from relgraph.baselines.gnn.answer import Ensemble, answer
from relgraph.baselines.gnn.calibration import temperatures
from relgraph.baselines.gnn.checkpoint import Card
from relgraph.baselines.gnn.course import Epoch, computing
from relgraph.baselines.gnn.heads import build
from relgraph.baselines.gnn.lessons import Lesson, lessons, seen_in, texts_in
from relgraph.baselines.gnn.losses import share
from relgraph.baselines.gnn.model import Shape
from relgraph.baselines.gnn.recipe import Recipe, Recipes, read_recipes
from relgraph.baselines.gnn.state import Keeper
from relgraph.embed import choose_device, load_embedder
from relgraph.errors import DataError
from relgraph.progress import progress
from relgraph.records import Conversation, Instance, Prediction, fingerprint

Report = Callable[[Epoch], None]
LABELLED = {"rpp": "pattern", "ssp": "strategy"}
"""Tasks whose heads are apart by scenario."""

CHOICES = ("pattern", "strategy", "target", "time")
"""Heads of closed choices, which the interaction-feature model answers too."""

CHOSEN_ELSEWHERE = (
    "its recipe was chosen on conversations under test, and none of the file was chosen on just "
    "these training conversations. Give the --folds and --seed that `relgraph tune` had on this "
    "data, tune for these folds, or leave out --recipe."
)


class FittedGnn:
    """The trained ensemble behind the protocol of an approach.

    Attributes:
        ensemble: the members and the phrase bank.
        card: what it was trained on and how.
        trained_on: fingerprints of the training conversations, and of those that the recipe was
            chosen on.
        trained_relationships: names of their relationships.
        leak_hint: what to do where it has seen what is tested, "" for what helps any approach.
        identity: of a loaded checkpoint, "" where it was trained here.
    """

    def __init__(
        self, ensemble: Ensemble, card: Card, words: Words, *, threads: int, identity: str = ""
    ) -> None:
        self.ensemble = ensemble
        self.card = card
        self.identity = identity
        chosen_on = card.chosen_on
        self.trained_on = frozenset(
            [*(c["fingerprint"] for c in card.conversations), *chosen_on["conversations"]]
        )
        known = (*(c["relationship"] for c in card.conversations), *chosen_on["relationships"])
        self.trained_relationships = frozenset(name for name in known if name)
        self.leak_hint = "" if identity or not chosen_on["conversations"] else CHOSEN_ELSEWHERE
        self.words = words
        self._threads = threads

    def predict(self, instances: Sequence[Instance], findings: Findings) -> Iterator[Prediction]:
        """Yields one prediction an instance, in order; `findings` are not used."""
        del findings
        self.words.learn(texts_of_all(s.conversation for s in stretches(instances)))
        with computing(self.ensemble.device, self._threads):
            found = list(answer(self.ensemble, instances, self.words.known, self.words.dim))
        yield from found


def fit(train: Sequence[Conversation], settings: Settings, *, seed: int) -> FittedGnn:
    """Returns the network trained on `train`; a bar on stderr shows how far it is.

    Raises:
        DataError: `train` holds no case of any task.
    """
    work = prepare(train, settings, seed)
    with progress("training gnn", work.recipe.members * work.recipe.epochs) as advance:
        return work.train(keeper=None, report=lambda _: advance(1))


def fit_into(
    folder: Path,
    train: Sequence[Conversation],
    settings: Settings,
    *,
    seed: int,
    resume: bool = False,
    report: Report | None = None,
) -> Mapping[str, Any]:
    """Trains and writes the checkpoint `folder`; see `approach.Gnn.train_into`."""
    checkpoint.check_place(folder)
    work = prepare(train, settings, seed)
    keeper = Keeper(state_of(folder), work.job(settings), going_on=resume)
    fitted = work.train(keeper=keeper, report=report or (lambda _: None))
    checkpoint.save(folder, fitted.ensemble, fitted.card)
    keeper.clear()
    return {"checkpoint": str(folder), **asdict(fitted.card)}


def load(settings: Settings) -> FittedGnn:
    """Returns the network of `settings.checkpoint`.

    Raises:
        DataError: the checkpoint is missing, damaged or of another version, or was trained with
            another embedder, other rules or with fewer channels than the settings show.
    """
    folder = Path(settings.checkpoint)
    ensemble, card = checkpoint.load(folder, torch.device(choose_device(settings.device)))
    embedder = load_embedder(settings)
    if card.embedder["identity"] != embedder.identity:
        raise DataError(
            f"{folder}: was trained with embedder {card.embedder['name']!r} "
            f"({card.embedder['identity']}), and {embedder.name!r} ({embedder.identity}) is in "
            f"use. Give --embedder {card.embedder['name']}, or train again."
        )
    if _channels(settings.view.mode) - _channels(card.mode):
        raise DataError(
            f"{folder}: was trained in mode {card.mode!r} and cannot use what mode "
            f"{settings.view.mode!r} shows. Give --mode {card.mode}, or train again."
        )
    if card.rules:
        reader = rule_reader(settings.rules)
        if reader.described() != card.rules:
            raise DataError(
                f"{folder}: was trained on what other rules or cues find. Give the rule files that "
                f"it was trained with by --rules, or train again."
            )
        ensemble = replace(ensemble, reader=reader)
    name = sha256((folder / checkpoint.CARD).read_bytes()).hexdigest()[:16]
    return FittedGnn(ensemble, card, Words(embedder), threads=settings.threads, identity=name)


def state_of(folder: Path) -> Path:
    """Returns the file that keeps the state of an unfinished training of `folder`."""
    return folder.with_name(f"{folder.name}.training")


@dataclass(frozen=True, slots=True)
class Work:
    """A training about to begin.

    Attributes:
        school: what there is to learn from.
        words: embeddings.
        phrases: the bank of the training conversations.
        recipe: how to train.
        chosen_on: fingerprints and relationships of the conversations that the recipe was chosen
            on, beyond the training conversations.
        shape: sizes that the data decides.
        settings: as given.
        seed: of all draws.
        device: where to compute.
        reader: reads conversations with rules, where the network is to take what they find.
    """

    school: training.School
    words: Words
    phrases: Phrases
    recipe: Recipe
    chosen_on: Mapping[str, Sequence[str]]
    shape: Shape
    settings: Settings
    seed: int
    device: torch.device
    reader: RuleReader | None

    def job(self, settings: Settings) -> dict[str, str]:
        """Returns what has to be equal for a state to be resumed."""
        return {
            "data": _digest(self.school.conversations),
            "embedder": self.words.embedder.identity,
            "mode": settings.view.mode,
            "addressees": settings.view.addressee,
            "context": str(settings.view.context_turns),
            "protocol": settings.view.protocol,
            "rules": self.reader.rules.hash if self.reader else "",
            "seed": str(self.seed),
            **{name: str(value) for name, value in asdict(self.recipe).items()},
            **{name: str(value) for name, value in asdict(self.shape).items()},
        }

    def train(self, *, keeper: Keeper | None, report: Report) -> FittedGnn:
        """Returns the trained network."""
        with computing(self.device, self.settings.threads):
            trained = training.train(
                self.school,
                shape=self.shape,
                recipe=self.recipe,
                seed=self.seed,
                device=self.device,
                keeper=keeper,
                report=report,
            )
            members = tuple(build(self.shape, self.recipe, w, self.device) for w in trained.members)
            everything = self.school.of(self.school.conversations)
            ensemble = Ensemble(
                members=members,
                phrases=self.phrases,
                intensity=trained.counted.intensity,
                temperatures={},
                scenarios={task: _scenarios(everything, head) for task, head in LABELLED.items()},
                device=self.device,
                reader=self.reader,
                guesses=bool(share("feeling", self.recipe)),
                partner=self._partner(self.school.conversations),
                share=self.recipe.share,
            )
            heat = temperatures(
                self._alone(ensemble, trained),
                self.settings.view,
                self.words.known,
                self.words.dim,
            )
            ensemble = replace(ensemble, temperatures=heat)
        card = self._card(trained, ensemble)
        return FittedGnn(ensemble, card, self.words, threads=self.settings.threads)

    def _alone(
        self, ensemble: Ensemble, trained: training.Trained
    ) -> Iterator[tuple[Ensemble, tuple[Conversation, ...]]]:
        """Yields each member with a partner of its own, and what neither has learnt from."""
        for member, held in zip(ensemble.members, trained.held, strict=True):
            apart = self.school.beside(held)
            if not apart:
                continue
            others = [c for c in self.school.conversations if not any(c is x for x in apart)]
            partner = self._partner(others)
            yield replace(ensemble, members=(member,), partner=partner), apart

    def _partner(self, conversations: Sequence[Conversation]) -> Model | None:
        """Returns the interaction-feature model of training conversations, where one is wanted."""
        known = self.school.of(conversations)
        asked = (len(lesson.answers[head]) for lesson in known for head in CHOICES)
        if not self.recipe.share or not any(asked):
            return None
        return interaction.fit(
            conversations,
            self.settings.view,
            self.words.known,
            self.words.dim,
            shown(self.settings.view.mode),
            seed=self.seed,
        )

    def _card(self, trained: training.Trained, ensemble: Ensemble) -> Card:
        embedder, view = self.words.embedder, self.settings.view
        conversations = self.school.conversations
        return Card(
            shape=self.shape,
            recipe=self.recipe,
            chosen_on=self.chosen_on,
            temperatures=dict(ensemble.temperatures),
            intensity=ensemble.intensity.tolist(),
            scenarios={task: sorted(names) for task, names in ensemble.scenarios.items()},
            embedder={"name": embedder.name, "identity": embedder.identity, "dim": embedder.dim},
            mode=view.mode,
            rules=self.reader.described() if self.reader else {},
            settings={"seed": self.seed, "view": asdict(view)},
            conversations=[
                {"id": c.id, "fingerprint": fingerprint(c), "relationship": c.relationship}
                for c in conversations
            ],
            data=_digest(conversations),
            training=[{"losses": dict(losses)} for losses in trained.losses],
        )


def choose_recipe(
    train: Sequence[Conversation], settings: Settings
) -> tuple[Recipe, dict[str, Any]]:
    """Returns the recipe for a training, and what else it was chosen on.

    Raises:
        DataError: the file that the settings name is no recipe.
    """
    recipes = read_recipes(Path(settings.recipe)) if settings.recipe else Recipes()
    recipe, conversations, names = recipes.of(train)
    if settings.epochs:
        recipe = replace(recipe, epochs=settings.epochs)
    return recipe, {"conversations": sorted(conversations), "relationships": sorted(names)}


def prepare(train: Sequence[Conversation], settings: Settings, seed: int) -> Work:
    """Returns a training of the settings on `train`: everything read, embedded and encoded.

    Raises:
        DataError: the file that the settings name is no recipe.
    """
    recipe, chosen_on = choose_recipe(train, settings)
    device = torch.device(choose_device(settings.device))
    words = Words(load_embedder(settings))
    felt, held = gather(train)
    reader = rule_reader(settings.rules) if settings.rule_edges else None
    seen = texts_of_all(seen_in(train, settings.view))
    guessed = texts_in(train, settings.view)
    coders = interaction.texts_of_coders(train) if recipe.share else []
    words.learn([*seen, *guessed, *texts(felt, held), *coders])
    with progress("encoding conversations", len(train)) as advance:
        found = []
        for conversation in train:
            told = lessons(conversation, settings.view, words.known, words.dim, reader=reader)
            found.append(tuple(told))
            advance(1)
    return Work(
        school=training.School(tuple(train), tuple(found)),
        words=words,
        phrases=bank(felt, held, words.known, words.dim),
        recipe=recipe,
        chosen_on=chosen_on,
        shape=Shape(
            dim=words.dim,
            found=reader.turn_features if reader else 0,
            found_role=reader.role_features if reader else 0,
        ),
        settings=settings,
        seed=seed,
        device=device,
        reader=reader,
    )


def _scenarios(found: Sequence[Lesson], head: str) -> frozenset[str]:
    return frozenset(lesson.scenario for lesson in found if len(lesson.answers[head]))


def _channels(mode: str) -> frozenset[str]:
    tone = {"tone"} if mode in ("audio", "audiovisual") else set()
    return frozenset(tone | ({"nonverbal"} if mode in ("visual", "audiovisual") else set()))


def _digest(conversations: Sequence[Conversation]) -> str:
    """Returns SHA-256 over the conversations with their gold, in order."""
    from relgraph.corpora.jsonl import line

    digest = sha256()
    for conversation in conversations:
        digest.update(f"{line(conversation)}\n".encode())
    return digest.hexdigest()
