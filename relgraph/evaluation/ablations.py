"""The variants of an ablation: what each leaves out or changes, and the question it answers.

A variant differs from what it is compared with in one thing: entries of the recipe, a setting, what
of a turn is shown, or a transform of the conversations that holds for training and test alike.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from relgraph.errors import DataError, RelgraphError, unknown_name
from relgraph.evaluation.plan import Request
from relgraph.records import AddresseeView, Conversation, Mode

REFERENCE = "reference"
NO_PARTNER = "no-partner"
AUDIOVISUAL = "mode-audiovisual"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One row of an ablation.

    Attributes:
        name: as it is asked for.
        question: what it answers.
        changes: how it differs from what it is compared with, in words.
        against: name of the variant it is compared with; "" for the reference.
        mode: which channels are shown.
        addressee: whom turns are addressed to.
        recipe: entries of the recipe that differ from the user's, or from the defaults.
        rule_edges: whether rule findings are read; None for as the user says.
        transform: name of a transform of `stripping`; "" for none.
        needs: what the data must have: `addressees`, `times`, `tones` or `behaviour`.
        causal: whether all that is shown at a decision was there by then. Where it was not, the
            figures test a claim and are not to be reported as a performance.
    """

    name: str
    question: str
    changes: str
    against: str = REFERENCE
    mode: Mode = "dialogue"
    addressee: AddresseeView = "given"
    recipe: Mapping[str, Any] = field(default_factory=dict, hash=False)
    rule_edges: bool | None = None
    transform: str = ""
    needs: tuple[str, ...] = ()
    causal: bool = True


VARIANTS: tuple[Variant, ...] = (
    Variant(
        name=REFERENCE,
        question="How well does it do with all it reads of words and turns?",
        changes="nothing: mode dialogue, annotated addressees, the recipe as it is",
        against="",
    ),
    Variant(
        name=NO_PARTNER,
        question="What does averaging with the interaction-feature model add?",
        changes="the network alone, not averaged with the interaction-feature model",
        recipe={"partner": 0.0},
    ),
    # The interaction-feature model reads words, structure and times, and learns from annotations:
    # what takes one of them away is compared with the network alone, or both would differ.
    Variant(
        name="text-only",
        question="What does the structure add to the words?",
        changes="the network alone, neither who speaks to whom, nor times, nor findings of rules",
        against=NO_PARTNER,
        recipe={"structure": False, "timing": False, "relation": 0, "partner": 0.0},
        rule_edges=False,
    ),
    Variant(
        name="structure-only",
        question="What do the words add to the structure?",
        changes="the network alone, no words, and no findings of rules, which come from words",
        against=NO_PARTNER,
        recipe={"words": False, "partner": 0.0},
        rule_edges=False,
    ),
    Variant(
        name="no-memory",
        question="Does it help to keep a state of each person and pair?",
        changes="no states of people or pairs that evolve",
        recipe={"memory": False, "relation": 0},
    ),
    Variant(
        name="no-auxiliary",
        question="Does it help to learn from other layers of annotation as well?",
        changes="the network alone, no auxiliary heads in training",
        against=NO_PARTNER,
        recipe={"auxiliary": 0.0, "partner": 0.0},
    ),
    Variant(
        name="no-timing",
        question="Do pauses, durations and overlaps in seconds tell anything?",
        changes="the network alone, no times; the order of turns stays",
        against=NO_PARTNER,
        recipe={"timing": False, "partner": 0.0},
        needs=("times",),
    ),
    Variant(
        name="no-rule-edges",
        question="What do the findings of the rules add?",
        changes="no findings of rules",
        rule_edges=False,
    ),
    Variant(
        name="rule-edges",
        question="What would the findings of the rules add?",
        changes="findings of rules as edges and features",
        rule_edges=True,
    ),
    Variant(
        name="addressee-inferred",
        question="How much is lost where addressees are inferred and not annotated?",
        changes="addressees as relgraph infers them",
        addressee="inferred",
        needs=("addressees",),
    ),
    Variant(
        name="addressee-none",
        question="How much hangs on knowing who is spoken to?",
        changes="no addressees",
        addressee="none",
        needs=("addressees",),
    ),
    Variant(
        name="mode-audio",
        question="What do descriptions of the tone of voice add?",
        changes="tone of voice as well",
        mode="audio",
        needs=("tones",),
    ),
    Variant(
        name="mode-visual",
        question="What do descriptions of behaviour add?",
        changes="posture, face, gestures and what people do to each other as well",
        mode="visual",
        needs=("behaviour",),
    ),
    Variant(
        name=AUDIOVISUAL,
        question="What do descriptions of tone and behaviour add?",
        changes="tone of voice and behaviour as well",
        mode="audiovisual",
        needs=("tones", "behaviour"),
    ),
    Variant(
        name="audiovisual-physical",
        question="Is it what was to be seen and heard, or what annotators thought of it?",
        changes="words of feeling and judgement taken out of the descriptions",
        against=AUDIOVISUAL,
        mode="audiovisual",
        transform="physical",
        needs=("tones", "behaviour"),
    ),
    Variant(
        name="audiovisual-shuffled",
        question="Is it the moment, or who is described how all along (a halo)?",
        changes="each person's descriptions at other turns of the conversation, later ones too",
        against=AUDIOVISUAL,
        mode="audiovisual",
        transform="shuffled",
        needs=("tones", "behaviour"),
        causal=False,
    ),
)


def available(*, rule_edges: bool) -> tuple[Variant, ...]:
    """Returns the variants that make sense: rule edges can be added or taken away, not both."""
    return tuple(v for v in VARIANTS if v.recipe or v.rule_edges in (None, not rule_edges))


def chosen(
    names: Sequence[str], conversations: Sequence[Conversation], *, rule_edges: bool
) -> tuple[tuple[Variant, ...], dict[str, str]]:
    """Returns the variants to run, in the order of the table, and why others cannot be run.

    With each comes what it is compared with. Without names these are all that the data allows.

    Args:
        names: of variants; the reference is one.
        conversations: the data.
        rule_edges: whether the reference reads what the rules found.

    Raises:
        UnknownNameError: there is no such variant.
        RelgraphError: one that was named makes no sense with the reference.
        DataError: the data lacks what one that was named needs.
    """
    known = {v.name: v for v in VARIANTS}
    for name in names:
        if name not in known:
            raise unknown_name("variant", name, tuple(known))
    possible = {v.name: v for v in available(rule_edges=rule_edges)}
    for name in names:
        if name not in possible:
            reads, step = ("what", "Leave out") if rule_edges else ("nothing of what", "Add")
            raise RelgraphError(
                f"variant {name}: the reference reads {reads} the rules found. "
                f"{step} --rule-edges, or the variant."
            )
    lacking = {n: why for n, v in possible.items() if (why := _lacking(v, conversations))}
    for name in names:
        if name in lacking:
            raise DataError(f"variant {name}: {lacking[name]}. Leave it out.")
    wanted = set(names or [n for n in possible if n not in lacking])
    wanted |= {known[name].against for name in wanted}
    left_out = {} if names else lacking
    return tuple(v for v in possible.values() if v.name in wanted), left_out


def _lacking(variant: Variant, conversations: Sequence[Conversation]) -> str:
    turns = [t for c in conversations for t in c.turns]
    there = {
        "addressees": any(t.addressees and t.addressee_source == "given" for t in turns),
        "times": any(t.start_s is not None for t in turns),
        "tones": any(t.tone for t in turns),
        "behaviour": any(t.nonverbal for t in turns),
    }
    missing = [need for need in variant.needs if not there[need]]
    return f"the data has no {' and no '.join(missing)}" if missing else ""


def varied(request: Request, variant: Variant, recipe: str) -> Request:
    """Returns the request for a variant; `recipe` is the file that says how it is trained."""
    settings = request.settings
    edges = settings.rule_edges if variant.rule_edges is None else variant.rule_edges
    view = replace(settings.view, mode=variant.mode, addressee=variant.addressee)
    return replace(request, settings=replace(settings, view=view, recipe=recipe, rule_edges=edges))


def recipe_with(entries: Mapping[str, Any], user: str) -> dict[str, Any]:
    """Returns the JSON of the user's recipe file with other entries; of these alone without one.

    A file of recipes for certain trainings gets them in each of its recipes.

    Raises:
        DataError: the user's file cannot be read or holds no recipe.
    """
    if not user:
        return dict(entries)
    try:
        values = json.loads(Path(user).read_text(encoding="utf-8"))
        # what cannot be written again, such as NaN, is no value of a recipe
        json.dumps(values, allow_nan=False, ensure_ascii=False).encode()
        if "format" not in values:
            return {**values, **entries}
        own = {key: {**of, **entries} for key, of in values["by_training"].items()}
        return {**values, "recipe": {**values["recipe"], **entries}, "by_training": own}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise DataError(f"{user}: not a recipe ({error}). `relgraph tune` writes one.") from None
