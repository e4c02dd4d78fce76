"""Open answers put together from what was found in the decided turn: a feeling, a view.

Nothing is retrieved and nothing is generated: a phrase is made of the words for the cues and
conclusions at hand, and each part of it can be pointed at.
"""

from __future__ import annotations

from collections.abc import Iterable

from relgraph.baselines._symbolic.firings import Said, Stand
from relgraph.cues.records import Cue
from relgraph.reasoning.wording import put_in
from relgraph.records import Instance, Viewpoint

NAMED = {
    "anger": "angry", "contempt": "contemptuous", "fear": "afraid", "guilt": "guilty",
    "hurt": "hurt", "hope": "hopeful", "joy": "glad", "loneliness": "lonely", "love": "loving",
    "sadness": "sad", "shame": "ashamed", "surprise": "surprised", "tiredness": "worn out",
    "worry": "worried",
}  # fmt: skip
"""Named emotions, as they are felt."""

SHOWN = {
    "fear_of": "afraid", "primary_emotion": "vulnerable", "contempt": "contemptuous",
    "secondary_emotion": "frustrated", "belligerence": "angry", "blame": "frustrated",
    "criticism": "frustrated", "counterattack": "angry", "demand": "impatient",
    "domineering": "impatient", "question_pressed": "impatient", "triangulation": "frustrated",
    "defence": "defensive", "minimising": "defensive", "refusal": "shut down",
    "short_answer": "reserved", "topic_shift": "reserved", "apology": "sorry",
    "affection": "warm", "validation": "understanding", "reassurance": "caring",
    "softening": "longing", "accepting_influence": "willing", "repair_bid": "conciliatory",
    "we_framing": "connected", "humour": "amused", "request": "wishful", "tension": "tense",
    "disclosure": "vulnerable", "reflection": "thoughtful", "problem_solving": "engaged",
    "recollection": "thoughtful",
}  # fmt: skip
"""What a person who acts so is likely to feel, the more telling first."""

MET = {
    "interruption": "unheard", "no_reply": "unheard", "blame": "blamed", "criticism": "criticised",
    "contempt": "belittled", "counterattack": "attacked", "demand": "pressed",
    "domineering": "pressed", "question_pressed": "pressed", "threat": "threatened",
    "minimising": "unheard", "validation": "understood", "reassurance": "comforted",
}  # fmt: skip
"""What it is like for the one to whom another has just done this."""

NEUTRAL = "thoughtful"
"""Where a turn shows no sign at all."""

MET_TURNS = 3
CERTAIN = 0.3
PARTS = 2


def feeling(stand: Stand, turn: int, speaker: str) -> tuple[str, tuple[Cue, ...]]:
    """Returns a phrase such as `hurt and unheard`, and the cues that it is made of.

    Named emotions come first, then what the speaker does, then what was done to them in the
    turns just before; of one kind the strongest.

    Args:
        stand: what was found along the conversation.
        turn: the decided turn.
        speaker: who speaks in it.
    """
    own = [c for c in stand.cues if c.turn == turn and c.source == speaker]
    done = [
        c
        for c in stand.cues
        if turn - MET_TURNS <= c.turn < turn and c.target == speaker and c.source != speaker
    ]
    parts: dict[str, Cue] = {}
    order = list(SHOWN)
    named = [c for c in own if c.name == "emotion" and c.detail in NAMED]
    acted = [c for c in own if c.name in SHOWN and c.strength >= CERTAIN]
    met = [c for c in done if c.name in MET and c.strength >= CERTAIN]
    for cue in sorted(named, key=lambda c: -c.strength):
        parts.setdefault(NAMED[cue.detail], cue)
    for cue in sorted(acted, key=lambda c: order.index(c.name))[:1]:
        parts.setdefault(SHOWN[cue.name], cue)
    for cue in sorted(met, key=lambda c: (-c.turn, -c.strength))[:1]:
        parts.setdefault(MET[cue.name], cue)
    kept = list(parts.items())[:PARTS]
    if not kept:
        return NEUTRAL, ()
    return " and ".join(word for word, _ in kept), tuple(cue for _, cue in kept)


def views(stand: Stand, instance: Instance) -> list[tuple[Viewpoint, Said]]:
    """Returns what the last turn's speaker thinks of whom, the strongest conclusion first.

    Conclusions of the last turn only; of several about one person the strongest, of equal ones
    that of the rule that stands first. Where none is about a client, the strongest about the
    group or the supporter is taken for a view of whom the turn is spoken to: views are of people.
    """
    turn = instance.conversation.turns[-1]
    held = [
        s
        for s in stand.known("vp", turn.index)
        if s.turn == turn.index and len(s.args) > 1 and s.args[0] == turn.speaker
    ]
    # equal ones stand by rule and roster, never by name: names mean nothing
    rules = {rule.id: k for k, rule in enumerate(stand.reasoning.rules.rules)}
    people = {name: k for k, name in enumerate(instance.conversation.roster)}
    held.sort(key=lambda s: (-s.strength, rules[s.rule], people.get(s.args[1], len(people))))
    found: dict[str, tuple[Viewpoint, Said]] = {}
    for said in held:
        if said.args[1] in people:
            view = Viewpoint(turn.speaker, said.args[1], reading(stand, said))
            found.setdefault(said.args[1], (view, said))
    if held and not found:
        view = Viewpoint(turn.speaker, spoken_of(instance), reading(stand, held[0]))
        return [(view, held[0])]
    return list(found.values())


def reading(stand: Stand, said: Said) -> str:
    """Returns the rule's reading with names, and a topic where it names one."""
    rule = stand.reasoning.rules.rule(said.rule)
    names = {p.name: a for p, a in zip(rule.params, said.args, strict=True) if p.kind == "variable"}
    shown = {v: a.replace("_", " ") for v, a in names.items()}
    return put_in(rule.reading or f"{said.head.replace('_', ' ')}", shown)


def topic(stand: Stand, turn: int, speaker: str) -> str:
    """Returns the strongest topic of a turn in words, "" for none."""
    own = [c for c in stand.cues if (c.name, c.turn, c.source) == ("topic", turn, speaker)]
    return max(own, key=lambda c: c.strength).detail.replace("_", " ") if own else ""


def spoken_of(instance: Instance) -> str:
    """Returns whom the last turn is likely about where nothing was concluded.

    The first client who is spoken to; else the first other person of the roster; else the group.
    """
    conversation = instance.conversation
    turn = conversation.turns[-1]
    others = [name for name in conversation.roster if name != turn.speaker]
    addressed = [name for name in turn.addressees if name in others]
    return next(iter((*addressed, *others)), conversation.group)


def quoted(cues: Iterable[Cue]) -> tuple[str, ...]:
    """Returns a line a cue: where it stands, what it is, how strong, in whose words."""
    return tuple(
        f"turn {c.turn}: {c.source}{f' -> {c.target}' if c.target else ''}  {c.name}"
        f"{f' {c.detail}' if c.detail else ''} {c.strength:.2f}  {c.words!r}"
        for c in cues
    )
