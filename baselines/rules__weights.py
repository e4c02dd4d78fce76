"""The approach `rules+weights`: what the rules conclude, weighed as training taught."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from relgraph import registry
from relgraph.approach import Findings, Settings
from relgraph.baselines._stretches import Stretch, portions, stretches
from relgraph.baselines._symbolic import answers, types, weighing
from relgraph.baselines._symbolic.cues import Cues
from relgraph.baselines._symbolic.firings import Stand, stand, stands
from relgraph.baselines._symbolic.table import TASKS as WEIGHED
from relgraph.baselines._words import Words
from relgraph.baselines.rules import TASKS, answer
from relgraph.cues import Cue
from relgraph.errors import DataError, RunError
from relgraph.reasoning import RuleSet
from relgraph.reasoning.weights import RETRAIN, Trained, Weights, read_weights, write_weights
from relgraph.records import Case, Conversation, Instance, Prediction, View, fingerprint

if TYPE_CHECKING:
    from relgraph.baselines._symbolic.weighing import Asked, Scale

Scales = Mapping[tuple[str, str], "Scale"]


class RulesWeights:
    """Rules whose weights are learnt within the signs that they claim.

    A trained reader of utterance types gives further cues. Where `settings.checkpoint` is a
    weights file, it learns nothing and reads that file.
    """

    name = "rules+weights"
    tasks = TASKS
    needs: tuple[str, ...] = ()

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._cues = Cues()
        self.learns = not _file(settings)

    def fit(self, train: Sequence[Conversation], *, seed: int) -> FittedRulesWeights:
        """Returns the approach with weights learnt from `train`, or read from the file named.

        Raises:
            DataError: the weights file is damaged, or was learnt for other rules.
        """
        if not self.learns:
            return _load(self._settings, self._cues)
        return _learn(train, self._settings, self._cues, seed=seed)

    def train_into(
        self, path: Path, train: Sequence[Conversation], *, seed: int
    ) -> FittedRulesWeights:
        """Learns weights, writes them to a file, and returns the approach.

        Raises:
            RunError: the place cannot be written.
        """
        fitted = _learn(train, self._settings, self._cues, seed=seed)
        write_weights(path, fitted.weights(train))
        return fitted


class FittedRulesWeights:
    """Learnt weights and the reader of utterance types.

    Attributes:
        scales: (task, scenario) -> weights.
    """

    def __init__(
        self,
        *,
        scales: Scales,
        reader: types.Reader,
        words: Words,
        rules: RuleSet,
        cues: Cues,
        settings: Settings,
        trained: Sequence[Trained],
    ) -> None:
        self.trained_on = frozenset(t.fingerprint for t in trained)
        self.trained_relationships = frozenset(t.relationship for t in trained if t.relationship)
        self.identity = rules.hash
        self.scales = scales
        self._reader = reader
        self._words = words
        self._rules = rules
        self._cues = cues
        self._settings = settings

    def predict(self, instances: Sequence[Instance], findings: Findings) -> Iterator[Prediction]:
        """Yields one prediction an instance, in order; `findings` are not used."""
        del findings
        for some in portions(instances):
            yield from self._answers(some)

    def _answers(self, instances: Sequence[Instance]) -> Iterator[Prediction]:
        found = stretches(instances)
        seen = [s.conversation for s in found]
        self._words.learn(text for c in seen for text in types.texts_of(c))
        read: dict[int, Stand | RunError] = {}
        felt: dict[int, float] = {}
        for stretch, cues in zip(found, self._cues.of(seen), strict=True):
            inputs = types.inputs_of(stretch.conversation, cues, self._words.known, self._words.dim)
            signs = _typed(stretch.conversation, cues, self._reader.chances(inputs))
            read.update(stands(stretch, instances, signs, self._rules))
            intensities = self._reader.intensities(inputs)
            for position in stretch.instances:
                length = len(instances[position].conversation.turns)
                if intensities is not None and length:
                    felt[position] = float(intensities[length - 1])
        for position, instance in enumerate(instances):
            yield self._answer(read[position], instance, felt.get(position))

    def _answer(self, read: Stand | RunError, instance: Instance, felt: float | None) -> Prediction:
        if isinstance(read, RunError):
            return answer(read, instance, felt)
        if instance.task == "er" and felt is not None:
            return answers.feel(read, instance, felt, by="as the trained reader has it")
        scale = self.scales.get(weighing.key_of(instance))
        if scale is None or not instance.options:
            return answer(read, instance, felt)
        return weighing.rank(scale, read, instance)

    def weights(self, train: Sequence[Conversation]) -> Weights:
        """Returns all that was learnt, as it stands in a file."""
        embedder = self._words.embedder
        return Weights(
            weighings=tuple(map(weighing.as_weighing, self.scales.values())),
            rules={rule.id: rule.hash for rule in self._rules.rules},
            trained_on=tuple(Trained(c.id, fingerprint(c), c.relationship) for c in train),
            settings={
                "view": asdict(self._settings.view),
                "embedder": embedder.name,
                "identity": embedder.identity,
                "plans": {
                    f"{task} {scenario}".strip(): asdict(scale.plan)
                    for (task, scenario), scale in self.scales.items()
                    if scale.plan
                },
            },
            reader=types.as_json(self._reader),
        )


def _learn(
    train: Sequence[Conversation], settings: Settings, known: Cues, *, seed: int
) -> FittedRulesWeights:
    from relgraph.embed import load_embedder

    rules, words = RuleSet.shipped(*settings.rules), Words(load_embedder(settings))
    reader, asked = taught(train, settings, known, words, rules, seed=seed)
    return FittedRulesWeights(
        scales=weighing.weigh(asked, rules),
        reader=reader,
        words=words,
        rules=rules,
        cues=known,
        settings=settings,
        trained=[Trained(c.id, fingerprint(c), c.relationship) for c in train],
    )


def taught(
    train: Sequence[Conversation],
    settings: Settings,
    known: Cues,
    words: Words,
    rules: RuleSet,
    *,
    seed: int,
) -> tuple[types.Reader, list[Asked]]:
    """Returns the reader of all of `train`, and the cases that weights are learnt from.

    The types that the rules see in a training conversation are told by a reader that has not
    seen its relationship.
    """
    whole = [_shown(c, settings) for c in train]
    cases = [[x for name in WEIGHED for x in _cases(c, name, settings.view)] for c in train]
    found = [stretches([case.instance for case in own]) for own in cases]
    stretched = [s.conversation for own in found for s in own]
    words.learn(text for c in (*whole, *stretched) for text in types.texts_of(c))

    def inputs(conversations: Sequence[Conversation]) -> list[types.Floats]:
        cues = known.of(conversations)
        return [
            types.inputs_of(c, own, words.known, words.dim)
            for c, own in zip(conversations, cues, strict=True)
        ]

    lessons = [types.Lesson(c, own) for c, own in zip(whole, inputs(whole), strict=True)]
    reader, others = types.train(lessons, seed=seed)
    parts = types.parts_of(whole, seed=seed)
    seen = iter(zip(inputs(stretched), known.of(stretched), strict=True))
    asked: list[Asked] = []
    for k, own in enumerate(found):
        for stretch in own:
            numbers, cues = next(seen)
            signs = _typed(stretch.conversation, cues, others[k].chances(numbers))
            read = stand(stretch.conversation, signs, rules)
            asked += _asked(stretch, cases[k], read, parts[k])
    return reader, asked


def _shown(conversation: Conversation, settings: Settings) -> Conversation:
    """Returns a training conversation as far as any of its cases sees it, with its gold."""
    everything = replace(settings.view, context_turns=-1)
    cases = [x for name in registry.names("task") for x in _cases(conversation, name, everything)]
    longest = max((c.instance.conversation.turns for c in cases), key=len, default=())
    return replace(conversation, turns=longest, gold=conversation.gold[: len(longest)])


def _cases(conversation: Conversation, task: str, view: View) -> Sequence[Case]:
    found: Sequence[Case] = registry.load("task", task).cases(conversation, view)
    return found


def _asked(stretch: Stretch, cases: Sequence[Case], read: Stand, part: int) -> Iterator[Asked]:
    for position in stretch.instances:
        case = cases[position]
        yield weighing.Asked(case.instance, case.gold.label, read, part)


def _typed(conversation: Conversation, cues: Sequence[Cue], chances: types.Floats) -> list[Cue]:
    """Returns the cues by turn, the types of the utterances among them."""
    typed = types.cues_of(conversation, chances)
    return sorted((*cues, *typed), key=lambda c: c.turn)


def _file(settings: Settings) -> bool:
    return bool(settings.checkpoint) and Path(settings.checkpoint).is_file()


def _load(settings: Settings, cues: Cues) -> FittedRulesWeights:
    from relgraph.embed import load_embedder

    path, rules = Path(settings.checkpoint), RuleSet.shipped(*settings.rules)
    weights = read_weights(path, rules)
    words = Words(load_embedder(settings))
    if weights.settings.get("identity") != words.embedder.identity:
        raise DataError(
            f"{path}: its reader of utterances was trained on embeddings of "
            f"{weights.settings.get('embedder')}, asked for is {words.embedder.name}. Use that "
            "embedder, or learn anew."
        )
    try:
        reader = types.of_json(weights.reader, words.dim)
        scales = {(w.task, w.scenario): weighing.of_weighing(w, rules) for w in weights.weighings}
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{path}: not a whole weights file ({error}). {RETRAIN}") from None
    return FittedRulesWeights(
        scales=scales,
        reader=reader,
        words=words,
        rules=rules,
        cues=cues,
        settings=settings,
        trained=weights.trained_on,
    )


APPROACH = RulesWeights
