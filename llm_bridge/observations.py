"""Observations that can be read off an interaction graph without any training.

Each is a plain, countable observation with a turn number; none says what it means, and nothing
here was fitted on a label of any task. The word patterns are English.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from relgraph.graph import InteractionGraph, Node, TurnNode
from relgraph.llm_bridge.blocks._base import mention
from relgraph.llm_bridge.quoting import quote

ANSWER_WINDOW_TURNS = 3
SHORT_WORDS = 3
SILENCE_S = 3.0
OVERLAP_S = 0.5

ABSOLUTE = re.compile(
    r"\byou(?:['\u2019](?:re|ve)|\s+(?:are|have|just|really))?\s+"
    r"(?:never|always|do(?:n['\u2019]t|\s+not)\s+(?:even|ever)|(?:ca|wo)n['\u2019]t\s+(?:even|ever))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Observation:
    """An observation: the turn it stands at, and what is seen there, in words."""

    turn: int
    text: str

    def __str__(self) -> str:
        """Returns the observation as one line of a summary."""
        return f"[{self.turn}] {self.text}"


def find_observations(graph: InteractionGraph) -> tuple[Observation, ...]:
    """Returns the observations in a graph by turn: of a cut conversation, those known at the cut.

    - a question left open: nobody it is put to speaks in the next three turns, or, nearer to the
      end, has spoken yet;
    - a very short answer: at most three words right after a question put to the speaker;
    - `you never`, `you always` and the like;
    - talk about a person of the conversation, by name, to somebody else;
    - overlaps of half a second and silences of three seconds, only where times are recorded.
    """
    to = addressees(graph)
    found = [
        *_questions(graph, to),
        *_absolutes(graph, to),
        *_third_person(graph, to),
        *(_timed(graph) if graph.timing == "recorded" else ()),
    ]
    return tuple(sorted(found, key=lambda seen: seen.turn))


def addressees(graph: InteractionGraph) -> Mapping[int, tuple[Node, ...]]:
    """Returns whom each turn is said to, the speaker left out; no key where unknown."""
    found: dict[int, list[Node]] = defaultdict(list)
    speakers = {turn.index: turn.speaker for turn in graph.turns}
    for edge in graph.of("addressed"):
        if edge.target != Node("speaker", speakers[edge.turn]):
            found[edge.turn].append(edge.target)
    return {turn: tuple(nodes) for turn, nodes in found.items()}


def is_question(turn: TurnNode) -> bool:
    """Returns whether the turn holds a question mark."""
    return "?" in turn.text or "\uff1f" in turn.text


def _questions(
    graph: InteractionGraph, to: Mapping[int, tuple[Node, ...]]
) -> Iterator[Observation]:
    turns = graph.turns
    for place, turn in enumerate(turns):
        asked = [str(n.key) for n in to.get(turn.index, ()) if n.kind == "speaker"]
        if not is_question(turn) or not asked:
            continue
        after = turns[place + 1 : place + 1 + ANSWER_WINDOW_TURNS]
        names = " and ".join(map(mention, asked))
        if not any(t.speaker in asked for t in after):
            closed = len(after) == ANSWER_WINDOW_TURNS
            until = f"within {ANSWER_WINDOW_TURNS} turns" if closed else "yet"
            yield Observation(
                turn.index, f"{mention(turn.speaker)} asks {names}: no turn of {names} {until}"
            )
        elif after[0].speaker in asked and 0 < after[0].words <= SHORT_WORDS:
            words = f"{after[0].words} word{'s' if after[0].words > 1 else ''}"
            yield Observation(
                after[0].index, f"{mention(after[0].speaker)} answers [{turn.index}] in {words}"
            )


def _absolutes(
    graph: InteractionGraph, to: Mapping[int, tuple[Node, ...]]
) -> Iterator[Observation]:
    for turn in graph.turns:
        said = dict.fromkeys(" ".join(m.split()).casefold() for m in ABSOLUTE.findall(turn.text))
        if said:
            names = ", ".join(mention(str(n.key)) for n in to.get(turn.index, ()))
            whom = f" to {names}" if names else ""
            yield Observation(
                turn.index, f"{mention(turn.speaker)}{whom} says {', '.join(map(quote, said))}"
            )


def _third_person(
    graph: InteractionGraph, to: Mapping[int, tuple[Node, ...]]
) -> Iterator[Observation]:
    speakers = {turn.index: turn.speaker for turn in graph.turns}
    for edge in graph.of("mentions"):
        others = to.get(edge.turn, ())
        person, speaker = edge.target, speakers[edge.turn]
        apart = person not in others and person != Node("speaker", speaker)
        if edge.label == "name" and person.kind == "speaker" and others and apart:
            # To the group is to everyone in it: that is no talk about one of them.
            if any(n.kind == "group" for n in others):
                continue
            whom = " and ".join(mention(str(n.key)) for n in others)
            yield Observation(
                edge.turn, f"{mention(speaker)} speaks about {mention(str(person.key))} to {whom}"
            )


def _timed(graph: InteractionGraph) -> Iterator[Observation]:
    speakers = {turn.index: turn.speaker for turn in graph.turns}
    for edge in graph.of("overlaps", "next"):
        before, here = speakers[int(edge.source.key)], speakers[edge.turn]
        if edge.seconds is None:
            continue
        if edge.kind == "overlaps" and edge.seconds >= OVERLAP_S and before != here:
            text = f"{mention(here)} overlaps {mention(before)} [{edge.source.key}]"
            yield Observation(edge.turn, f"{text} for {edge.seconds:.1f} s")
        elif edge.kind == "next" and edge.seconds >= SILENCE_S:
            yield Observation(
                edge.turn, f"silence of {edge.seconds:.1f} s before {mention(here)} speaks"
            )
