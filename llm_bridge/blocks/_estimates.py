"""What a trained model says of the question, in words that do not tell which model it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from relgraph.errors import RelgraphError
from relgraph.llm_bridge.blocks._base import Said, Source, mention
from relgraph.llm_bridge.quoting import name as shown_name
from relgraph.llm_bridge.quoting import quote
from relgraph.records import Instance, Prediction

CHOICE = "A model trained on other relationships gives these answers the chances:"
EMOTION = "A model trained on other relationships takes the emotion to be"
VIEWPOINTS = "A model trained on other relationships takes the viewpoints to be those of"
LEAST, MOST = 1, 99
"""Percent, always of two digits: what two models say then differs in digits alone."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The finding of one trained approach: all options with their chances, in a fixed order.

    Of an emotion it is the phrase and the intensity, of viewpoints who thinks of whom. It is one
    entry, so that no budget leaves half of it.
    """

    name: str
    needs: tuple[str, ...]
    learns: bool = False

    def say(self, source: Source) -> Said:
        """Returns the finding in one line; the model's name is not in it.

        Raises:
            RelgraphError: the model said nothing of this instance, or gave no chances.
        """
        (model,) = self.needs
        found = source.findings.get(model)
        if found is None:
            raise RelgraphError(f"no answer of {model} to show")
        if found.failure:
            raise RelgraphError(f"no answer of {model} to show: {found.failure}")
        instance = source.instance
        if instance.options:
            if not found.probabilities:
                raise RelgraphError(f"{model} gave no probabilities to show")
            return Said(CHOICE, ("; ".join(chances(instance, found)),), inline=True)
        if found.emotion is not None:
            return Said(EMOTION, (felt(found),), inline=True)
        return Said(VIEWPOINTS, (pairs(found),), inline=True)


def chances(instance: Instance, found: Prediction) -> Iterator[str]:
    """Yields each option of a closed choice in its fixed order with its chance in percent."""
    told = dict(zip(found.ranking, found.probabilities, strict=False))
    for option in instance.options:
        yield f"{option_shown(instance, option)} {percent(told.get(option, 0.0))}"


def option_shown(instance: Instance, option: str) -> str:
    """Returns an option as a line has to show it: a person marked as one."""
    return mention(option) if instance.task == "stp" else shown_name(option)


def percent(chance: float) -> str:
    """Returns a chance in whole percent, of two digits, 01 to 99."""
    return f"{min(MOST, max(LEAST, round(100 * chance))):02d}%"


def felt(found: Prediction) -> str:
    """Returns an emotion in words: the phrase, quoted, and the intensity."""
    if found.emotion is None:
        return "unknown"
    strength = found.emotion.intensity
    said = "" if strength is None else f", intensity {strength:.1f} of 10"
    return f"{quote(found.emotion.phrase)}{said}"


def pairs(found: Prediction) -> str:
    """Returns who thinks of whom, each pair once."""
    seen = dict.fromkeys((v.source, v.target) for v in found.viewpoints)
    return ", ".join(f"{mention(of)} about {mention(to)}" for of, to in seen)
