"""What leaves the machine: names and places replaced, and put back into the answers."""

from __future__ import annotations

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
