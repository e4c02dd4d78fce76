"""The constant answer: what training conversations say most often, blind to the one at hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import median

from relgraph.approach import Findings, Settings
from relgraph.records import Conversation, Emotion, Instance, Prediction, Viewpoint, fingerprint
from relgraph.registry import load, names
from relgraph.tasks import Task

GROUP = -1
"""The place of the group among the candidates of STP; people have their place in the roster."""


class Majority:
    """A floor on all six tasks: frequencies of the training fold.

    RPP, SSP: the scenario's labels by how often they occur. ITP: the larger class. STP: places in
    the roster, and the group, by how often they are supported. ER: the most frequent phrase with
    the median intensity. VP: the speaker, the first other person, the most frequent viewpoint.
    """

    name = "majority"
    floor = True
    learns = True
    needs: tuple[str, ...] = ()

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tasks = frozenset(names("task"))

    def fit(self, train: Sequence[Conversation], *, seed: int) -> FittedMajority:
        """Returns the counts over the instances of `train`; `seed` changes nothing."""
        del seed
        return FittedMajority(train, self.settings)


class FittedMajority:
    """Counts of one training fold; scenarios are counted apart."""

    def __init__(self, train: Sequence[Conversation], settings: Settings) -> None:
        self.trained_on = frozenset(fingerprint(c) for c in train)
        self.trained_relationships = frozenset(c.relationship for c in train if c.relationship)
        self.counts: dict[tuple[str, str], Counter[str | int]] = defaultdict(Counter)
        self.intensities: list[float] = []
        self.phrases: Counter[str] = Counter()
        self.views: Counter[str] = Counter()
        for task in (load("task", name) for name in names("task")):
            self._count(task, train, settings)

    def _count(self, task: Task, train: Sequence[Conversation], settings: Settings) -> None:
        for case in (c for conversation in train for c in task.cases(conversation, settings.view)):
            if case.gold.emotion is not None:
                self.phrases[case.gold.emotion.phrase] += 1
                if case.gold.emotion.intensity is not None:
                    self.intensities.append(case.gold.emotion.intensity)
            self.views.update(v.viewpoint for v in case.gold.viewpoints)
            # STP: somebody whom nobody could have named has no place to count
            if case.gold.label in case.instance.options:
                key = _place(case.instance, case.gold.label)
                self.counts[task.name, case.instance.conversation.scenario][key] += 1

    def predict(self, instances: Sequence[Instance], findings: Findings) -> Iterable[Prediction]:
        """Yields the training fold's most frequent answers."""
        del findings
        for instance in instances:
            if instance.options:
                yield self._rank(instance)
            elif instance.task == "er":
                yield self._feel(instance)
            else:
                yield self._view(instance)

    def _rank(self, instance: Instance) -> Prediction:
        seen = self.counts.get((instance.task, instance.conversation.scenario), Counter())
        # one added to every count: an answer that training lacks is rare, not impossible
        weight = {option: seen[_place(instance, option)] + 1 for option in instance.options}
        ranking = sorted(instance.options, key=lambda option: -weight[option])
        total = sum(weight.values())
        return Prediction(
            instance=instance.id,
            ranking=tuple(ranking),
            probabilities=tuple(weight[option] / total for option in ranking),
            because=(f"{weight[ranking[0]] - 1} of {sum(seen.values())} in training",),
        )

    def _feel(self, instance: Instance) -> Prediction:
        if not self.intensities:
            return Prediction(instance.id, failure="the training fold holds no emotion")
        phrase, count = self.phrases.most_common(1)[0]
        return Prediction(
            instance=instance.id,
            emotion=Emotion(_speaker(instance), phrase, float(median(self.intensities))),
            because=(f"median of {len(self.intensities)}; phrase in {count} of them",),
        )

    def _view(self, instance: Instance) -> Prediction:
        if not self.views:
            return Prediction(instance.id, failure="the training fold holds no viewpoint")
        text, count = self.views.most_common(1)[0]
        source = _speaker(instance)
        return Prediction(
            instance=instance.id,
            viewpoints=(Viewpoint(source, _first_other(instance, source), text),),
            because=(f"viewpoint held {count} times in training",),
        )


def _place(instance: Instance, option: str) -> str | int:
    """Returns what an option is counted as: a label itself, a person by place in the roster."""
    if instance.task != "stp":
        return option
    roster = instance.conversation.roster
    return roster.index(option) if option in roster else GROUP


def _speaker(instance: Instance) -> str:
    return instance.conversation.turns[-1].speaker


def _first_other(instance: Instance, source: str) -> str:
    conversation = instance.conversation
    others = (name for name in conversation.roster if name != source)
    return next(others, conversation.supporter)


APPROACH = Majority
