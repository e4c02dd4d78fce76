"""The approach `rules+weights`: what the rules conclude, weighed as training taught."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from relgraph import registry
from relgraph.addressees import with_addressees
from relgraph.approach import Findings, Settings
from relgraph.baselines._stretches import Stretch, stretches
from relgraph.baselines._symbolic import answers, types, weighing
from relgraph.baselines._symbolic.firings import Stand, stand
from relgraph.baselines._symbolic.table import TASKS as WEIGHED
from relgraph.baselines._words import Words
from relgraph.baselines.rules import TASKS, answer, rules_of
from relgraph.cues import Cue, find_all
from relgraph.errors import DataError
from relgraph.reasoning import RuleSet
from relgraph.reasoning.weights import RETRAIN, Trained, Weights, read_weights, write_weights
from relgraph.records import Case, Conversation, Instance, Prediction, fingerprint

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
        self.learns = not _file(settings)

    def fit(self, train: Sequence[Conversation], *, seed: int) -> FittedRulesWeights:
        """Returns the approach with weights learnt from `train`, or read from the file named.

        Raises:
            DataError: the weights file is damaged, or was learnt for other rules.
        """
        if not self.learns:
            return _load(self._settings)
        return _learn(train, self._settings, seed=seed)

    def train_into(
        self, path: Path, train: Sequence[Conversation], *, seed: int
    ) -> FittedRulesWeights:
        """Learns weights, writes them to a file, and returns the approach.

        Raises:
            RunError: the place cannot be written.
        """
        fitted = _learn(train, self._settings, seed=seed)
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
        self._settings = settings

    def predict(self, instances: Sequence[Instance], findings: Findings) -> Iterator[Prediction]:
        """Yields one prediction an instance, in order; `findings` are not used."""
        del findings
        found = stretches(instances)
        seen = [s.conversation for s in found]
        self._words.learn(text for c in seen for text in types.texts_of(c))
        stands: dict[int, Stand] = {}
        felt: dict[int, float] = {}
        for stretch, cues in zip(found, find_all(seen), strict=True):
            inputs = types.inputs_of(stretch.conversation, cues, self._words.known, self._words.dim)
            read = _read(stretch.conversation, cues, self._reader.chances(inputs), self._rules)
            stands.update(dict.fromkeys(stretch.instances, read))
            intensities = self._reader.intensities(inputs)
            for position in stretch.instances:
                length = len(instances[position].conversation.turns)
                if intensities is not None and length:
                    felt[position] = float(intensities[length - 1])
        for position, instance in enumerate(instances):
            yield self._answer(stands[position], instance, felt.get(position))

    def _answer(self, read: Stand, instance: Instance, felt: float | None) -> Prediction:
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


def _learn(train: Sequence[Conversation], settings: Settings, *, seed: int) -> FittedRulesWeights:
    from relgraph.embed import load_embedder

    rules, words = rules_of(settings), Words(load_embedder(settings))
    whole = [with_addressees(c, settings.view.addressee) for c in train]
    cases = [[x for name in WEIGHED for x in _cases(c, name, settings)] for c in train]
    found = [stretches([case.instance for case in own]) for own in cases]
    words.learn(text for c in whole for text in types.texts_of(c))
    words.learn(text for own in found for s in own for text in types.texts_of(s.conversation))

    def inputs(conversation: Conversation, cues: Sequence[Cue]) -> types.Floats:
        return types.inputs_of(conversation, cues, words.known, words.dim)

    reader, others = types.train(
        [types.Lesson(c, inputs(c, cues)) for c, cues in zip(whole, find_all(whole), strict=True)],
        seed=seed,
    )
    parts = types.parts_of(train, seed=seed)
    cues_of = iter(find_all(s.conversation for own in found for s in own))
    asked: list[Asked] = []
    for k, own in enumerate(found):
        for stretch in own:
            cues = next(cues_of)
            chances = others[k].chances(inputs(stretch.conversation, cues))
            read = _read(stretch.conversation, cues, chances, rules)
            asked += _asked(stretch, cases[k], read, parts[k])
    return FittedRulesWeights(
        scales=weighing.weigh(asked, rules),
        reader=reader,
        words=words,
        rules=rules,
        settings=settings,
        trained=[Trained(c.id, fingerprint(c), c.relationship) for c in train],
    )


def _cases(conversation: Conversation, task: str, settings: Settings) -> Sequence[Case]:
    found: Sequence[Case] = registry.load("task", task).cases(conversation, settings.view)
    return found


def _asked(stretch: Stretch, cases: Sequence[Case], read: Stand, part: int) -> Iterator[Asked]:
    for position in stretch.instances:
        case = cases[position]
        yield weighing.Asked(case.instance, case.gold.label, read, part)


def _read(
    conversation: Conversation,
    cues: Sequence[Cue],
    chances: types.Floats,
    rules: RuleSet,
) -> Stand:
    """Returns what the rules say, the types of the utterances among the cues."""
    typed = types.cues_of(conversation, chances)
    return stand(conversation, sorted((*cues, *typed), key=lambda c: c.turn), rules)


def _file(settings: Settings) -> bool:
    return bool(settings.checkpoint) and Path(settings.checkpoint).is_file()


def _load(settings: Settings) -> FittedRulesWeights:
    from relgraph.embed import load_embedder

    path, rules = Path(settings.checkpoint), rules_of(settings)
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
        settings=settings,
        trained=weights.trained_on,
    )


APPROACH = RulesWeights
