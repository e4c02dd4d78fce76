"""The approach `rules`: what the shipped rules conclude, with their proofs; nothing is learnt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from relgraph.approach import Findings, Settings
from relgraph.baselines._stretches import portions, stretches
from relgraph.baselines._symbolic import answers
from relgraph.baselines._symbolic.cues import Cues
from relgraph.baselines._symbolic.firings import Stand, stands
from relgraph.cues.feelings import intensities
from relgraph.errors import RunError
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
        self._cues = Cues()
        self._rules: RuleSet | None = None

    def fit(self, train: Sequence[Conversation], *, seed: int) -> Rules:
        """Returns itself; the rules are read now, so that a mistake in them shows early.

        Raises:
            DataError: a rule file cannot be read, or says something wrong.
        """
        del train, seed
        self._rules = RuleSet.shipped(*self._settings.rules)
        return self

    @property
    def identity(self) -> str:
        """The hash of the rules: a run is not resumed with others."""
        return "" if self._rules is None else self._rules.hash

    def predict(self, instances: Sequence[Instance], findings: Findings) -> Iterator[Prediction]:
        """Yields one prediction an instance, in order; `findings` are not used."""
        del findings
        for some in portions(instances):
            yield from self._answers(some)

    def _answers(self, instances: Sequence[Instance]) -> Iterator[Prediction]:
        rules = self._rules or RuleSet.shipped(*self._settings.rules)
        found = stretches(instances)
        seen = [s.conversation for s in found]
        read: dict[int, Stand | RunError] = {}
        felt: dict[int, float] = {}
        for stretch, cues, strong in zip(
            found, self._cues.of(seen), intensities(seen), strict=True
        ):
            read.update(stands(stretch, instances, cues, rules))
            for position in stretch.instances:
                turns = instances[position].conversation.turns
                if turns:
                    felt[position] = strong[turns[-1].index]
        for position, instance in enumerate(instances):
            yield answer(read[position], instance, felt.get(position))


def answer(read: Stand | RunError, instance: Instance, felt: float | None) -> Prediction:
    """Returns what the rules alone say of an instance.

    Args:
        read: what they said along its conversation, or why they could not.
        instance: of any task.
        felt: ER: intensity by the words of the last turn, None where there is none.
    """
    if isinstance(read, RunError):
        return Prediction(instance.id, failure=f"rules: {read}")
    if instance.options:
        return answers.rank(read, instance)
    if instance.task == "vp":
        return answers.view(read, instance)
    if felt is None:
        return Prediction(instance.id, failure="rules: no turn to read a feeling from")
    return answers.feel(read, instance, felt, by="by its words")


APPROACH = Rules
