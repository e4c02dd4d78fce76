"""Does a model answer otherwise when people and places have other names?"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import chain, islice, zip_longest
from typing import Any

from relgraph.approach import Settings
from relgraph.llm_bridge.asking import Asking, open_model
from relgraph.llm_bridge.privacy import Disguise
from relgraph.llm_bridge.privacy.pseudonyms import Pseudonyms
from relgraph.llm_bridge.probes._clusters import difference, mean
from relgraph.progress import progress
from relgraph.records import Case

Tops = Mapping[str, str]
"""Instance -> the option that came first."""


def dealt(cases: Sequence[Case], limit: int) -> list[Case]:
    """Returns at most so many cases, dealt over relationships and in their order.

    Which ones is drawn from their ids alone.
    """
    stacks: dict[str, deque[Case]] = defaultdict(deque)
    for case in sorted(cases, key=lambda c: _mark(c.instance.id)):
        stacks[case.relationship or case.conversation_id].append(case)
    order = sorted(stacks, key=_mark)
    rounds = chain.from_iterable(zip_longest(*(stacks[name] for name in order)))
    kept = {c.instance.id for c in islice((c for c in rounds if c is not None), limit)}
    return [case for case in cases if case.instance.id in kept]


def renaming(settings: Settings, cases: Sequence[Case]) -> dict[str, Any]:
    """Returns accuracy with the original names and with invented ones, and how often answers flip.

    Each question is asked three times: as it is, with invented names, and with other invented
    names. The last two differ in nothing that a model could remember: how often these flip is what
    any change of names, and of the order of options that goes with it, does.

    Raises:
        RelgraphError: the model cannot be asked.
    """
    disguises = {
        "original": Disguise(),
        "renamed": Pseudonyms(seed=settings.seed),
        "renamed_again": Pseudonyms(seed=settings.seed + 1),
    }
    said = {name: _tops(settings, cases, of, name) for name, of in disguises.items()}
    tasks = list(dict.fromkeys(c.instance.task for c in cases))
    parts = {task: [c for c in cases if c.instance.task == task] for task in tasks}
    if len(tasks) > 1:
        parts["all"] = list(chain.from_iterable(parts.values()))
    return {task: _compared(of, said, seed=settings.seed) for task, of in parts.items()}


def _tops(
    settings: Settings, cases: Sequence[Case], disguise: Disguise, label: str
) -> dict[str, str]:
    asking = Asking(settings, open_model(settings), disguise=disguise)
    found: dict[str, str] = {}
    with progress(f"names {label}", len(cases)) as advance:
        for said in asking.predict([c.instance for c in cases]):
            if not said.failure:
                found[said.instance] = said.ranking[0]
            advance(1)
    return found


def _compared(cases: Sequence[Case], said: Mapping[str, Tops], *, seed: int) -> dict[str, Any]:
    """The figures over the instances that were answered all three times."""
    answered = [c for c in cases if all(c.instance.id in of for of in said.values())]
    names = [c.relationship or c.conversation_id for c in answered]

    def rows(values: Sequence[bool]) -> list[tuple[str, float]]:
        return [(name, float(v)) for name, v in zip(names, values, strict=True)]

    def right(of: str) -> list[tuple[str, float]]:
        return rows([said[of][c.instance.id] == c.gold.label for c in answered])

    def flips(one: str, other: str) -> list[tuple[str, float]]:
        ids = [c.instance.id for c in answered]
        return rows([said[one][i] != said[other][i] for i in ids])

    with_names, without = flips("original", "renamed"), flips("renamed", "renamed_again")
    return {
        "asked": len(cases),
        "answered": len(answered),
        "accuracy_original": mean(right("original"), seed=seed),
        "accuracy_renamed": mean(right("renamed"), seed=seed),
        "difference": difference(right("original"), right("renamed"), seed=seed),
        "flips": mean(with_names, seed=seed),
        "flips_between_renamings": mean(without, seed=seed),
        "flips_difference": difference(with_names, without, seed=seed),
    }


def _mark(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
