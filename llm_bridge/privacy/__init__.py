"""What leaves the machine: names and places replaced, and put back into the answers."""

from __future__ import annotations

from relgraph.approach import Settings
from relgraph.records import Instance, Prediction


class Disguise:
    """Changes nothing; see `pseudonyms` for one that does."""

    def instance(self, instance: Instance) -> Instance:
        """Returns the instance as the model may see it."""
        return instance

    def finding(self, prediction: Prediction, instance: Instance) -> Prediction:
        """Returns a finding on `instance` in the words that the model may see."""
        del instance
        return prediction

    def reveal(self, prediction: Prediction, instance: Instance) -> Prediction:
        """Returns the model's answer with the real names in it."""
        del instance
        return prediction


def disguise_of(settings: Settings) -> Disguise:
    """Returns the disguise that `settings.pseudonymize` asks for.

    Raises:
        MissingPackageError: names are to be replaced, and what finds them is not installed.
    """
    if not settings.pseudonymize:
        return Disguise()
    from relgraph.llm_bridge.privacy.pseudonyms import Pseudonyms

    return Pseudonyms(seed=settings.seed)
