"""`interaction`: linear models on causal interaction features, in two stages.

The first stage guesses from each turn what a coder would note of it; the second reads fading
memories of these guesses beside who speaks to whom. It has no network and no random draw but the
parts of its cross-fitting, trains in seconds, and is the partner that the graph network is
averaged with. See `docs/interaction.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from relgraph.approach import Approach, Findings, Settings
from relgraph.baselines._channels import texts_of_all
from relgraph.baselines._findings import rule_reader
from relgraph.baselines._interaction import fitting
from relgraph.baselines._interaction.model import Model, Said
from relgraph.baselines._interaction.reading import shown
from relgraph.baselines._stretches import portions, stretches
from relgraph.baselines._words import Words
from relgraph.records import Conversation, Instance, Prediction, fingerprint


class Interaction:
    """Linear models on what is guessed of turns and on who speaks to whom."""

    name = "interaction"
    tasks = frozenset(fitting.TASKS)
    needs: tuple[str, ...] = ()
    learns = True

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def fit(self, train: Sequence[Conversation], *, seed: int) -> FittedInteraction:
        """Returns the model fitted to the cases and annotations of `train`.

        Raises:
            DataError: `train` holds no case of any of the tasks.
        """
        from relgraph.embed import load_embedder

        settings = self._settings
        words = Words(load_embedder(settings))
        cases = (x for c in train for x in fitting.cases_of(c, settings.view))
        words.learn(texts_of_all(s.conversation for s in stretches([x.instance for x in cases])))
        words.learn(fitting.texts_of_coders(train))
        model = fitting.fit(
            train,
            settings.view,
            words.known,
            words.dim,
            shown(settings.view.mode),
            seed=seed,
            reader=rule_reader(settings.rules) if settings.rule_edges else None,
        )
        return FittedInteraction(model, words, train)


class FittedInteraction:
    """The learnt model behind the protocol of an approach.

    Attributes:
        model: what was learnt.
        trained_on: fingerprints of the training conversations.
        trained_relationships: names of the training relationships.
    """

    def __init__(self, model: Model, words: Words, train: Sequence[Conversation]) -> None:
        self.model = model
        self.trained_on = frozenset(fingerprint(c) for c in train)
        self.trained_relationships = frozenset(c.relationship for c in train if c.relationship)
        self._words = words

    def predict(self, instances: Sequence[Instance], findings: Findings) -> Iterator[Prediction]:
        """Yields one prediction an instance, in order; `findings` are not used."""
        del findings
        for portion in portions(instances):
            self._words.learn(texts_of_all(s.conversation for s in stretches(portion)))
            said = self.model.say(portion, self._words.known)
            yield from map(prediction, portion, said)


def prediction(instance: Instance, said: Said) -> Prediction:
    """Returns what was said as a prediction."""
    if said.failure:
        return Prediction(instance.id, failure=f"interaction: {said.failure}")
    ranking = sorted(said.chances, key=lambda option: -said.chances[option])
    return Prediction(
        instance.id,
        ranking=tuple(ranking),
        probabilities=tuple(said.chances[option] for option in ranking),
        because=said.because,
    )


def APPROACH(settings: Settings) -> Approach:  # noqa: N802
    """Returns the approach for the settings; it loads scipy only when it trains."""
    return Interaction(settings)
