"""`memorisation`: what a model may remember of the material that it is tested on.

The benchmark's conversations come from edited television: a model may have read their transcripts.
Two signs of that are looked for: saying the next turn by heart, and answering better with the
original names than with invented ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from relgraph.approach import Settings
from relgraph.errors import RelgraphError
from relgraph.files import write_json
from relgraph.llm_bridge.asking import open_model
from relgraph.llm_bridge.privacy.consent import before_asking
from relgraph.llm_bridge.probes._clusters import difference, mean, rare
from relgraph.llm_bridge.probes._continuing import VERSION, Said, ask, moments, shown
from relgraph.llm_bridge.probes._likeness import Likeness, likeness
from relgraph.llm_bridge.probes._renaming import dealt, renaming
from relgraph.records import Case, Conversation
from relgraph.registry import load

FILE = "probe.json"
HIDDEN = "not asked: with --pseudonymize the original names are not to be sent"
NONE = "no sign of memory was found"
CAREFUL = (
    "That is no evidence that the model has not seen the material: it may know it without saying "
    "it by heart, and small differences do not show in so few items."
)


def probe(
    settings: Settings,
    conversations: Sequence[Conversation],
    cases: Mapping[str, Sequence[Case]],
    *,
    limit: int = 40,
    folder: Path | None = None,
) -> dict[str, Any]:
    """Returns what was found, as JSON holds it; no text of the data is in it.

    What was asked before comes from the call cache, so a probe that was stopped goes on.

    Args:
        settings: model, view, seed.
        conversations: whose turns are to be said by heart; they need not be annotated.
        cases: by task, questions with their answers, asked with other names; those with a closed
            set are used.
        limit: most next turns, and most questions of each task; these are dealt over relationships.
        folder: where `probe.json` is written; None for nowhere.

    Raises:
        RelgraphError: the model cannot be asked, or there is nothing to ask.
    """
    backend = open_model(settings).backend
    chosen = moments(conversations, limit)
    closed = [of for task, of in cases.items() if load("task", task).answer == "choice"]
    asked = [case for of in closed for case in dealt(of, limit)]
    if not chosen and not asked:
        raise RelgraphError(
            "nothing to probe: no turn of 8 words behind 4 others, in at least two relationships, "
            "and no question with a closed set. Give more conversations."
        )
    before_asking(backend, [shown(m, settings) for m in chosen], settings)
    backend.check()
    completion = _completion(ask(chosen, backend, settings), seed=settings.seed)
    renamed = {} if settings.pseudonymize else renaming(settings, asked)
    found: dict[str, Any] = {
        "probe": "memorisation",
        "model": backend.identity,
        "prompt": VERSION,
        "seed": settings.seed,
        "completion": completion,
        "renaming": renamed,
        "renaming_left_out": HIDDEN if settings.pseudonymize else "",
        "notice": backend.notice,
        "verdict": verdict(completion, renamed),
    }
    if folder is not None:
        write_json(folder / FILE, found)
    return found


def _completion(said: Sequence[Said], *, seed: int) -> dict[str, Any]:
    """Figures of the next turns: against the true one, and against turns that were not asked."""
    good = [s for s in said if not s.failure]
    names = [s.moment.conversation.relationship or s.moment.conversation.id for s in good]
    true = [likeness(s.text, s.moment.turn.text) for s in good]
    other = [likeness(s.text, s.moment.other.text) for s in good]
    later = [
        (name, of, likeness(s.text, s.moment.later.text))
        for name, of, s in zip(names, true, good, strict=True)
        if s.moment.later is not None
    ]
    here, there = _rows(names, true), _rows(names, other)
    return {
        "asked": len(said),
        "answered": len(good),
        "failures": dict(Counter(s.failure.partition(":")[0] for s in said if s.failure)),
        "near_verbatim": rare(_rows(names, true, "near_verbatim"), seed=seed),
        "near_verbatim_other": rare(_rows(names, other, "near_verbatim"), seed=seed),
        "rouge_l": mean(here, seed=seed),
        "rouge_l_other": mean(there, seed=seed),
        "over_other": difference(here, there, seed=seed),
        "over_later": difference(
            [(name, of.rouge_l) for name, of, _ in later],
            [(name, of.rouge_l) for name, _, of in later],
            seed=seed,
        ),
        "edit": mean(_rows(names, true, "edit"), seed=seed),
        "longest_run": max((of.run for of in true), default=0),
    }


def _rows(
    names: Sequence[str], of: Sequence[Likeness], part: str = "rouge_l"
) -> list[tuple[str, float]]:
    return [(name, float(getattr(one, part))) for name, one in zip(names, of, strict=True)]


def verdict(completion: Mapping[str, Any], renamed: Mapping[str, Any]) -> str:
    """Returns what the figures say and what they do not, in words."""
    signs = []
    near, n = completion["near_verbatim"]["value"], completion["answered"]
    if near:
        signs.append(
            f"{round(near * n)} of {n} next turns came near-verbatim: the model has likely seen "
            "this material, and its figures on it are not those of new conversations"
        )
    over = renamed.get("all") or next(iter(renamed.values()), None)
    if over and (over["difference"]["low"] or 0.0) > 0:
        signs.append(
            "answers are better with the original names than with invented ones: part of the "
            "score may be knowledge of these very people"
        )
    if not n and not (over and over["answered"]):
        return "nothing was answered, so nothing is known."
    if signs:
        return "; ".join(signs) + "."
    untold = [] if n else ["next turn"]
    if over and not over["answered"]:
        untold.append("question with other names")
    # A part that nobody answered was not looked at: no sign there is no finding.
    but = "".join(f"; but no {part} was answered" for part in untold)
    return f"{NONE}{but}. {CAREFUL}"


PROBE = probe
