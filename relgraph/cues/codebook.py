"""The codebook: every cue there is, what it means and what it does not.

The names here are the words that rules may use. `docs/cues.md` is generated from this table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from relgraph.cues._examples import EXAMPLES, SOURCES

Shape = Literal["dyadic", "detailed"]
"""`dyadic`: rules read it as `name T: A -> B`; `detailed`: as `name T: A, detail`."""

Family = Literal["act", "turn-taking", "feeling", "safety", "support", "topic", "type"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One cue of the codebook.

    Attributes:
        name: as rules use it.
        family: what kind of sign it is.
        definition: when it is there, and when it is not.
        examples: invented turns that show it.
        sources: where the definition leans on, as checked; () where it is ours.
        gold: the benchmark's utterance type that comes nearest, "" for none.
        details: the kinds there are, for `detailed` cues.
    """

    name: str
    family: Family
    definition: str
    examples: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    gold: str = ""
    details: tuple[str, ...] = ()

    @property
    def shape(self) -> Shape:
        """Returns how rules read it."""
        return "detailed" if self.details else "dyadic"


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
    Entry("blame", "act", "lays the cause of trouble on the target", gold="accusation"),
    Entry(
        "criticism",
        "act",
        "faults the target's person or habits: you always, you never",
        gold="accusation",
    ),
    Entry(
        "contempt", "act", "looks down on the target: sarcasm, insult, mockery", gold="accusation"
    ),
    Entry("belligerence", "act", "provokes: taunts, dares, hostile questions", gold="accusation"),
    Entry("domineering", "act", "takes control: orders, lectures, talks down", gold="accusation"),
    Entry("defence", "act", "wards off blame: denies, justifies, explains away", gold="defense"),
    Entry("counterattack", "act", "answers blame with blame", gold="accusation"),
    Entry("minimising", "act", "makes the trouble small", gold="defense"),
    Entry("demand", "act", "presses the target to change or to act", gold="request"),
    Entry("request", "act", "asks for something as a wish", gold="request"),
    Entry("disclosure", "act", "tells of own feeling, need or experience", gold="disclosure"),
    Entry(
        "softening",
        "act",
        "speaks of own hurt, fear or longing to the target, without blame",
        gold="disclosure",
    ),
    Entry("apology", "act", "says sorry or owns a fault", gold="repair"),
    Entry(
        "repair_bid",
        "act",
        "tries to stop or mend: calm down, start over, humour to soothe",
        gold="repair",
    ),
    Entry("accepting_influence", "act", "takes up what the target asks or says", gold="repair"),
    Entry(
        "validation", "act", "says that the target's feeling or view makes sense", gold="validation"
    ),
    Entry(
        "acknowledgement", "act", "shows that it was heard: yes, right, I see", gold="validation"
    ),
    Entry(
        "reassurance",
        "act",
        "tells the target that it will be well, that they are loved",
        gold="validation",
    ),
    Entry("affection", "act", "warmth: endearment, love, praise", gold="validation"),
    Entry("interest", "act", "asks openly for the target's mind"),
    Entry("humour", "act", "jokes that are shared, not at somebody's cost"),
    Entry("we_framing", "act", "puts the trouble or the wish as one of `us`", gold="reflection"),
    Entry("problem_solving", "act", "proposes or plans a way"),
    Entry(
        "reflection", "act", "looks at own part, or sees a link between things", gold="reflection"
    ),
    Entry("recollection", "act", "tells what happened, in the past", gold="recollection"),
    Entry("speaks_for", "act", "says what the target thinks, feels or wants, in their presence"),
    Entry("third_person", "act", "talks about the target, who is present, to somebody else"),
    Entry(
        "triangulation",
        "act",
        "draws the supporter or a third one in as judge or ally against the target",
        gold="accusation",
    ),
    Entry("sides_with", "act", "takes the target's part"),
    Entry("tension", "act", "stammers, breaks off, cannot find words"),
    # who takes the floor, and how
    Entry("question", "turn-taking", "puts a question to the target"),
    Entry(
        "question_pressed",
        "turn-taking",
        "puts a question again that was not answered",
        gold="request",
    ),
    Entry(
        "short_answer",
        "turn-taking",
        "answers the target's question in a few words that are not assent",
        gold="withdrawal",
    ),
    Entry(
        "topic_shift", "turn-taking", "answers the target with something else", gold="withdrawal"
    ),
    Entry(
        "refusal",
        "turn-taking",
        "will not talk about it: I don't know, I'm done, leave it",
        gold="withdrawal",
    ),
    Entry("no_reply", "turn-taking", "was spoken to by the target, and somebody else answers"),
    Entry(
        "silence",
        "turn-taking",
        "long pause after being spoken to (recorded times only)",
        gold="withdrawal",
    ),
    Entry("interruption", "turn-taking", "begins before the target has ended, and takes the floor"),
    Entry("overlap", "turn-taking", "speaks at the same time as the target (recorded times only)"),
    # what is felt
    Entry("emotion", "feeling", "names an own feeling", details=EMOTIONS),
    Entry(
        "primary_emotion",
        "feeling",
        "names hurt, fear, sadness, shame or longing as one's own",
        gold="disclosure",
    ),
    Entry("secondary_emotion", "feeling", "shows anger, frustration or indifference as the front"),
    # safety
    Entry("fear_of", "safety", "is afraid of the target"),
    Entry("coercion", "safety", "is controlled by, or controls, the target"),
    Entry("threat", "safety", "threatens harm or abandonment to the target"),
    Entry("violence", "safety", "tells of physical violence involving the target"),
    # what a supporter does
    Entry("open_question", "support", "asks the target openly"),
    Entry("circular_question", "support", "asks the target what another one feels, thinks or does"),
    Entry(
        "enactment_instruction", "support", "asks the target to say it to the other one directly"
    ),
    Entry("evocative_reflection", "support", "gives words to what the target feels beneath"),
    Entry("cycle_naming", "support", "names the sequence between people: when you, then"),
    Entry("reframing", "support", "gives it another meaning"),
    Entry("escalation_stop", "support", "interrupts a quarrel: hold on, let us slow down"),
    Entry(
        "boundary_setting",
        "support",
        "says whose matter it is, who decides, what a child should be left out of",
    ),
    Entry(
        "alliance", "support", "agrees on goals or tasks, shows engagement, safety, shared purpose"
    ),
    # what it is about
    Entry("topic", "topic", "speaks of a subject", details=TOPICS),
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
