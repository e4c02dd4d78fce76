"""The hash of a prompt's words and forms: that of the prompts of one made-up conversation."""

from __future__ import annotations

import hashlib

from relgraph.approach import Settings
from relgraph.llm_bridge.blocks._base import Source
from relgraph.llm_bridge.prompts import AnswerForm, Layout, content_free, render, wording
from relgraph.llm_bridge.summary import Summariser
from relgraph.records import Background, Conversation, Instance, Turn
from relgraph.registry import load, names

ROOM = 10_000


def _turn(index: int, speaker: str, text: str, to: str) -> Turn:
    return Turn(
        index=index,
        speaker=speaker,
        text=text,
        addressees=(to,),
        addressee_source="given" if index % 2 else "inferred",
        start_s=4.0 * index,
        end_s=4.0 * index + (5.0 if index == 2 else 0.5),
        background=(Background(to, (speaker,), "Mm."),) if index == 3 else (),
    )


def probe(scenario: str) -> Conversation:
    """Returns a short conversation with every kind of cue in it."""
    return Conversation(
        id="probe",
        turns=(
            _turn(1, "Ana", "Will you come on Sunday?", "Ben"),
            _turn(2, "Ben", "Maybe.", "Ana"),
            _turn(3, "Ana", "You never say yes.", "Ben"),
            _turn(4, "Ben", "Ana plans, I only hear of it.", "Therapist"),
            _turn(5, "Ana", "What should I do?", "Ben"),
        ),
        scenario=scenario,
        participants=("Ana", "Ben"),
        timing="recorded",
    )


def prompt_hash(answers: AnswerForm, *, summariser: Summariser | None = None) -> str:
    """Returns a hash that changes when a word or a form of any prompt changes.

    It covers the fixed words, and the prompts of all tasks for a made-up couple and family.
    """
    digest = hashlib.sha256()
    for key, value in sorted(vars(wording).items()):
        if key.isupper():
            digest.update(f"{key}\x1f{value}\x1e".encode())
    layout = Layout(answers=answers, seed=0, context_tokens=ROOM, count=len)
    for scenario in ("couple", "family"):
        cut = probe(scenario)
        for name in names("task"):
            task = load("task", name)
            asked = Instance(
                id="probe", task=name, conversation=cut, options=task.options(cut), target="Ana"
            )
            summary = summariser.of(Source(asked, Settings())) if summariser else None
            prompt = render(task, asked, layout, summary=summary)
            digest.update(f"{prompt.key}\x1f{sorted(prompt.schema)}\x1e".encode())
            if prompt.form == "letter":
                digest.update(content_free(task, prompt).key.encode())
    return digest.hexdigest()[:16]
