"""STP by who spoke last: the last client speaker, then the group, then the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from relgraph.approach import Findings, Settings
from relgraph.records import Conversation, Instance, Prediction


class LastSpeaker:
    """A floor on the support target; it ranks, and has no probabilities.

    Before any client has spoken the group comes first. The others follow by who spoke last, and
    those who have not spoken in roster order.
    """

    name = "last-speaker"
    floor = True
    learns = False
    needs: tuple[str, ...] = ()
    tasks = frozenset({"stp"})
    trained_on: frozenset[str] = frozenset()

    def __init__(self, settings: Settings) -> None:
        del settings

    def fit(self, train: Sequence[Conversation], *, seed: int) -> LastSpeaker:
        """Returns itself: the rule needs no training."""
        del train, seed
        return self

    def predict(self, instances: Sequence[Instance], findings: Findings) -> Iterable[Prediction]:
        """Yields the candidates of each instance, the last client speaker first."""
        del findings
        for instance in instances:
            of = instance.conversation
            spoke = [t for t in reversed(of.turns) if t.speaker in of.roster]
            recent = [t.speaker for t in spoke]
            order = (*recent[:1], of.group, *recent, *instance.options)
            ranked = dict.fromkeys(name for name in order if name in instance.options)
            why = f"turn {spoke[0].index} is the last of a client" if spoke else "no client yet"
            yield Prediction(instance.id, ranking=tuple(ranked), because=(why,))


APPROACH = LastSpeaker
