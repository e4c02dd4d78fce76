"""From an instance to the prompt that asks about it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from relgraph.errors import RelgraphError
from relgraph.llm_bridge.prompts import paper, wording
from relgraph.llm_bridge.prompts.records import AnswerForm, Layout, Option, Prompt
from relgraph.llm_bridge.prompts.transcript import Transcript, transcript
from relgraph.llm_bridge.quoting import name
from relgraph.llm_bridge.summary import Summary
from relgraph.records import Conversation, Instance
from relgraph.tasks import Task

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
GAP = "\n\n"
"""Between the parts of a prompt."""
MOST_VIEWPOINTS = 2
MOST_CHARACTERS = 120
"""Bounds of generated answers: without them a small model writes until its tokens end."""


def render(
    task: Task,
    instance: Instance,
    layout: Layout,
    *,
    summary: Summary | None = None,
    beside: Sequence[Instance] = (),
) -> Prompt:
    """Returns the prompt for `instance`; equal for equal instances, whatever comes after the cut.

    Args:
        task: the task of the instance.
        instance: what is asked about.
        layout: form of the answer, seed, budget.
        summary: the graph's summary; its block is all that it changes.
        beside: `paper` protocol only: the instances that share one published prompt with this
            one, itself among them.

    Raises:
        RelgraphError: the closed set is empty or has more options than there are letters.
    """
    conversation = instance.conversation
    turns = _context(instance, layout, beside)
    opening = f"{_join(_people(conversation), wording.TRANSCRIPT)}\n"
    head = f"{opening}{turns.text}\n{wording.END}"
    question = _question(task, instance)
    form: AnswerForm = layout.answers if task.answer == "choice" else "json"
    options = _options(task, instance, seed=layout.seed, content=f"{head}\n{question}")
    people = _names(conversation) if task.answer != "choice" else ()
    block = f"{wording.SUMMARY}\n{summary.text}" if summary and summary.text else ""
    return Prompt(
        task=task.name,
        kind=task.answer,
        form=form,
        system=_system(task, conversation.scenario),
        user=_ask(head, block, question, task=task, form=form, options=options, people=people),
        options=options,
        people=people,
        schema=_schema(task, form, options, people),
        dropped=(*turns.dropped, *(summary.dropped if summary else ())),
        remarks=summary.remarks if summary else (),
        portions=_portions(opening, turns, head),
    )


def content_free(task: Task, prompt: Prompt) -> Prompt:
    """Returns what asks for the letters of `prompt` with no conversation to choose by.

    What a model answers there is its liking for letters, places and labels, to be divided out
    (contextual calibration: Zhao et al. 2021, "Calibrate before use"). The conversation's people
    and the target are not in it: it serves all instances of the task that draw the same order.
    """
    nothing = "\n".join((wording.TRANSCRIPT, wording.NO_TURNS, wording.END))
    question = wording.QUESTION.format(question=task.question)
    listed = f"{wording.OPTIONS}\n{_listed(prompt.options)}"
    user = _join(nothing, question, listed, wording.ANSWER_LETTER, gap=GAP)
    return replace(prompt, user=user, dropped=(), remarks=(), portions=())


def _system(task: Task, scenario: str) -> str:
    meanings = task.definitions(scenario)
    if not meanings:
        return wording.SYSTEM
    lines = [f"- {label}: {meaning}" for label, meaning in meanings.items()]
    return "\n".join([wording.SYSTEM, "", wording.DEFINITIONS.format(title=task.title), *lines])


def _people(conversation: Conversation) -> str:
    """The roster where it was known beforehand; one read off the turns would grow with the cut."""
    if not conversation.participants:
        return ""
    names = ", ".join(map(name, conversation.participants))
    return wording.PEOPLE.format(names=names, supporter=name(conversation.supporter))


def _context(instance: Instance, layout: Layout, beside: Sequence[Instance]) -> Transcript:
    if len(beside) > 1:
        return paper.contexts(instance, beside, budget=layout.context_tokens, count=layout.count)
    turns = instance.conversation.turns
    return transcript(turns, budget=layout.context_tokens, count=layout.count)


def _portions(opening: str, turns: Transcript, head: str) -> tuple[int, ...]:
    """Up to the transcript, within it, and up to what differs between approaches."""
    within = (len(opening) + end for end in turns.portions)
    return (len(opening), *within, len(head) + len(GAP))


def _question(task: Task, instance: Instance) -> str:
    lines = [wording.QUESTION.format(question=task.question)]
    turns = instance.conversation.turns
    if task.shows_turn and turns:
        last = turns[-1]
        lines.append(wording.LAST_TURN.format(number=last.index, speaker=name(last.speaker)))
    if instance.next_speaker:
        lines.append(wording.NEXT_SPEAKER.format(speaker=name(instance.next_speaker)))
    if instance.target:
        lines.append(wording.TARGET.format(target=name(instance.target)))
    return _join(*lines, paper.hints(instance))


def _options(task: Task, instance: Instance, *, seed: int, content: str) -> tuple[Option, ...]:
    if task.answer != "choice":
        return ()
    labels = instance.options
    if not 1 <= len(labels) <= len(LETTERS):
        raise RelgraphError(
            f"task {task.name!r}, instance {instance.id}: {len(labels)} options; "
            f"a prompt can letter 1 to {len(LETTERS)}."
        )
    seen = f"{seed}\x1f{content}\x1f{chr(30).join(labels)}"
    draw = hashlib.sha256(seen.encode("utf-8", "surrogatepass")).digest()
    turn = int.from_bytes(draw[:8]) % len(labels)
    turned = (*labels[turn:], *labels[:turn])
    return tuple(
        Option(letter, label, name(label)) for letter, label in zip(LETTERS, turned, strict=False)
    )


def _ask(
    head: str,
    summary: str,
    question: str,
    *,
    task: Task,
    form: AnswerForm,
    options: Sequence[Option],
    people: Sequence[tuple[str, str]],
) -> str:
    listed = f"{wording.OPTIONS}\n{_listed(options)}" if options else ""
    return _join(head, summary, question, listed, _instruction(task, form, people), gap=GAP)


def _instruction(task: Task, form: AnswerForm, people: Sequence[tuple[str, str]]) -> str:
    if task.answer == "emotion":
        return wording.ANSWER_EMOTION
    if task.answer == "viewpoints":
        names = ", ".join(shown for _, shown in people)
        return wording.ANSWER_VIEWPOINTS.format(names=names)
    return wording.ANSWER_LETTER if form == "letter" else wording.ANSWER_RANKING


def _listed(options: Sequence[Option]) -> str:
    return "\n".join(f"{o.letter}) {o.shown}" for o in options)


def _names(conversation: Conversation) -> tuple[tuple[str, str], ...]:
    """Whom a viewpoint may be held by or about: the speaker of the last turn first."""
    known = (*conversation.roster, conversation.supporter, conversation.group)
    last = (conversation.turns[-1].speaker,) if conversation.turns else ()
    return tuple((person, name(person)) for person in dict.fromkeys((*last, *known)))


def _schema(
    task: Task,
    form: AnswerForm,
    options: Sequence[Option],
    people: Sequence[tuple[str, str]],
) -> Mapping[str, Any]:
    if form == "letter":
        return {}
    if task.answer == "emotion":
        return _object(
            emotion={"type": "string", "minLength": 1, "maxLength": MOST_CHARACTERS},
            intensity={"type": "integer", "minimum": 0, "maximum": 10},
        )
    if task.answer == "viewpoints":
        person = {"type": "string", "enum": [shown for _, shown in people]}
        held = _object(
            source=person,
            target=person,
            viewpoint={"type": "string", "minLength": 1, "maxLength": MOST_CHARACTERS},
        )
        bounds = {"minItems": 1, "maxItems": MOST_VIEWPOINTS}
        return _object(viewpoints={"type": "array", "items": held, **bounds})
    label = {"type": "string", "enum": [o.shown for o in options]}
    return _object(
        ranking={"type": "array", "items": label, "minItems": 1, "maxItems": len(options)}
    )


def _object(**properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _join(*parts: str, gap: str = "\n") -> str:
    return gap.join(part for part in parts if part)
