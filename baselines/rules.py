"""The approach `rules`: what the shipped rules conclude, with their proofs; nothing is learnt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from relgraph.approach import Findings, Settings
from relgraph.baselines._stretches import stretches
from relgraph.baselines._symbolic import answers
from relgraph.baselines._symbolic.firings import Knowledge, Stand, stand
from relgraph.cues import find_all
from relgraph.cues.feelings import intensity
from relgraph.reasoning import RuleSet
from relgraph.records import Conversation, Instance, Prediction

TASKS = frozenset({"er", "itp", "rpp", "ssp", "stp", "vp"})


class Rules:
    """Cues, then rules, then the answer that speaks loudest; every answer carries its proof.

    The rules are the shipped packs, and those that `settings.rules` names.
    """

    name = "rules"
    tasks = TASKS
    needs: tuple[str, ...] = ()
    learns = False
    trained_on: frozenset[str] = frozenset()

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._knowledge: Knowledge | None = None

    def fit(self, train: Sequence[Conversation], *, seed: int) -> Rules:
        """Returns itself; the rules are read now, so that a mistake in them shows early.

        Raises:
            DataError: a rule file cannot be read, or says something wrong.
        """
        del train, seed
        self._knowledge = Knowledge(rules_of(self._settings))
        return self

    @property
    def identity(self) -> str:
        """The hash of the rules: a run is not resumed with others."""
        return "" if self._knowledge is None else self._knowledge.rules.hash

    def predict(self, instances: Sequence[Instance], findings: Findings) -> Iterator[Prediction]:
        """Yields one prediction an instance, in order; `findings` are not used."""
        del findings
        knowledge = self._knowledge or Knowledge(rules_of(self._settings))
        found = stretches(instances)
        stands: dict[int, Stand] = {}
        for stretch, cues in zip(found, find_all(s.conversation for s in found), strict=True):
            read = stand(stretch.conversation, cues, knowledge)
            stands.update(dict.fromkeys(stretch.instances, read))
        for position, instance in enumerate(instances):
            yield answer(stands[position], instance)


def answer(read: Stand, instance: Instance) -> Prediction:
    """Returns what the rules alone say of an instance."""
    if instance.options:
        return answers.rank(read, instance)
    if instance.task == "vp":
        return answers.view(read, instance)
    turns = instance.conversation.turns
    if not turns:
        return Prediction(instance.id, failure="rules: no turn to read a feeling from")
    felt = intensity(read.cues, turns[-1])
    return answers.feel(read, instance, felt, by="by its words")


def rules_of(settings: Settings) -> RuleSet:
    """Returns the shipped rules and those of the user's files."""
    shipped = RuleSet.read()
    if not settings.rules:
        return shipped
    return RuleSet.read(*(pack.name for pack in shipped.packs), *settings.rules)


APPROACH = Rules
