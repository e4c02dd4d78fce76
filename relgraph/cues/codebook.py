"""The codebook: every cue there is, what it means and what it does not.

The names here are the words that rules may use. `docs/cues.md` is generated from this table.
"""

from __future__ import annotations

from dataclasses import replace

from relgraph.cues._act_entries import ACTS
from relgraph.cues._entry import Entry, Family, Shape
from relgraph.cues._examples import EXAMPLES, SOURCES

__all__ = ["CODEBOOK", "EMOTIONS", "TOPICS", "TYPES", "Entry", "Family", "Shape"]

EMOTIONS = (
    "anger", "contempt", "fear", "guilt", "hurt", "hope", "joy", "loneliness", "love", "sadness",
    "shame", "surprise", "tiredness", "worry",
)  # fmt: skip
TOPICS = (
    "children", "closeness", "drinking", "extended_family", "health", "household", "money",
    "past_injury", "rules", "school", "separation", "sex", "time_together", "trust", "work",
)  # fmt: skip

_ENTRIES = (
    # what people do to each other
    *ACTS,
    # who takes the floor, and how
    Entry(
        "question",
        "turn-taking",
        "puts a question to the target; a tag (you know?) is none",
    ),
    Entry(
        "question_pressed",
        "turn-taking",
        "puts a like question again after no answer, or any question after a short answer, a "
        "refusal or a change of topic; or insists: answer me",
        gold="request",
    ),
    Entry(
        "short_answer",
        "turn-taking",
        "answers the target's question in at most three words that neither agree nor tell; a yes, "
        "a date, a name or a feeling is none, and what may be thinking or an answer is weak",
        gold="withdrawal",
    ),
    Entry(
        "topic_shift",
        "turn-taking",
        "answers the target's question with something else: by the way, or a question back",
        gold="withdrawal",
    ),
    Entry(
        "refusal",
        "turn-taking",
        "will not talk about it or leaves: I don't know, and nothing more; I'm done; leave it",
        gold="withdrawal",
    ),
    Entry(
        "no_reply",
        "turn-taking",
        "was spoken to alone by the target, and another one takes the floor; it stands at that "
        "turn; among more than two clients only where it is sure who was spoken to",
    ),
    Entry(
        "silence",
        "turn-taking",
        "more than three seconds of pause after being spoken to (recorded times only)",
        gold="withdrawal",
    ),
    Entry(
        "interruption",
        "turn-taking",
        "takes the floor where the target's words break off, or before their recorded end",
    ),
    Entry("overlap", "turn-taking", "speaks at the same time as the target (recorded times only)"),
    # what is felt
    Entry(
        "emotion",
        "feeling",
        "names an own feeling: not denied, supposed, asked about, nor somebody else's",
        details=EMOTIONS,
    ),
    Entry(
        "primary_emotion",
        "feeling",
        "names hurt, fear, sadness, shame, loneliness or longing as one's own",
        gold="disclosure",
    ),
    Entry(
        "secondary_emotion",
        "feeling",
        "shows anger, contempt or indifference, which may stand in front of something softer",
    ),
    # safety: that none is found does not mean that anybody is safe
    Entry(
        "fear_of",
        "safety",
        "is afraid of the target, who is told of it or spoken of; fear of losing them is none. "
        "Absence of this cue does not mean safety",
    ),
    Entry(
        "coercion",
        "safety",
        "is controlled by the target: forbidden, watched, forced, cut off from others; rules for "
        "children are none. Absence of this cue does not mean safety",
    ),
    Entry(
        "threat",
        "safety",
        "threatens the target with harm, with harming oneself, or with leaving if they do not give "
        "in. Absence of this cue does not mean safety",
    ),
    Entry(
        "violence",
        "safety",
        "is told to have hurt the target's body, or things in a quarrel; figures of speech are "
        "none. Absence of this cue does not mean safety",
    ),
    # what a supporter does
    Entry("open_question", "support", "asks the target what, how or why, or to tell more"),
    Entry("circular_question", "support", "asks the target what another one feels, thinks or does"),
    Entry(
        "enactment_instruction", "support", "asks the target to say it to the other one directly"
    ),
    Entry(
        "evocative_reflection", "support", "gives words to what the target feels, or feels beneath"
    ),
    Entry(
        "cycle_naming",
        "support",
        "names the sequence between people: when one does this, the other does that",
    ),
    Entry("reframing", "support", "gives what somebody does another meaning: not this, but that"),
    Entry("escalation_stop", "support", "interrupts a quarrel: hold on, let us slow down"),
    Entry(
        "boundary_setting",
        "support",
        "says whose matter it is, who decides, what a child should be left out of",
    ),
    Entry(
        "alliance",
        "support",
        "agrees on goals or tasks, shows engagement, safety or a shared purpose in the work; from "
        "the supporter, and from clients towards the supporter",
    ),
    # what it is about
    Entry("topic", "topic", "speaks of a subject, by its words", details=TOPICS),
)

TYPES = (
    "accusation", "defense", "disclosure", "other", "recollection", "reflection", "repair",
    "request", "validation", "withdrawal",
)  # fmt: skip
_TYPES = tuple(
    Entry(f"type_{name}", "type", f"a trained classifier's probability of {name}", gold=name)
    for name in TYPES
)

CODEBOOK: dict[str, Entry] = {
    e.name: replace(e, examples=EXAMPLES.get(e.name, ()), sources=SOURCES.get(e.name, ()))
    for e in (*_ENTRIES, *_TYPES)
}
"""Cue name -> entry. `type_*` are given only where a classifier was trained (`rules+weights`)."""
