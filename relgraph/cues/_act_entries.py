"""The codebook's entries of what people do to each other.

They lean on process research (`_examples.SOURCES`) for what is meant; no instrument of it is
implemented. Those code by voice, face and context as well, and by trained people; these cues see
words, grammar and turns.
"""

from __future__ import annotations

from relgraph.cues._entry import Entry

ACTS = (
    Entry(
        "blame",
        "act",
        "lays a trouble on what the target did or failed to do. Not where it is denied, told "
        "as somebody's words, or about people who are not there; less in questions and "
        "suppositions, and by or at the supporter",
        gold="accusation",
    ),
    Entry(
        "criticism",
        "act",
        "faults the target's person or habits, beyond one deed: always, never, a bad trait. "
        "Not for traits and habits that are good",
        gold="accusation",
    ),
    Entry(
        "contempt",
        "act",
        "looks down on the target: insult, mockery, sarcasm in set phrases. Sarcasm that only "
        "a tone gives away is not seen",
        gold="accusation",
    ),
    Entry(
        "belligerence",
        "act",
        "provokes the target, who is spoken to: taunts, dares, questions that want no answer",
        gold="accusation",
    ),
    Entry(
        "domineering",
        "act",
        "takes control of the target, who is spoken to, or of the talk: forbids, silences, "
        "lectures",
        gold="accusation",
    ),
    Entry(
        "defence",
        "act",
        "wards off blame: denies a fault, justifies, makes excuses, insists on having done "
        "one's part. Directed at whoever attacked in the last four turns; weaker where nobody "
        "was seen to. Not `I didn't know`, `I don't feel`",
        gold="defense",
    ),
    Entry(
        "counterattack",
        "act",
        "blames, criticises, scorns or provokes whoever did so to the speaker in the last "
        "four turns",
        gold="accusation",
    ),
    Entry(
        "minimising",
        "act",
        "makes the trouble, or the target's feeling about it, small",
        gold="defense",
    ),
    Entry(
        "demand",
        "act",
        "presses the target to change or to act: must, have to, an order, why don't you. Not "
        "what they need not do. Less when said of the target to another person",
        gold="request",
    ),
    Entry(
        "request",
        "act",
        "asks the target for something as a wish that may be refused. Not `could you` in a "
        "story or after how and why",
        gold="request",
    ),
    Entry(
        "disclosure",
        "act",
        "tells of an own feeling, need, wish or inner experience; `I feel that you ...` "
        "counts as weak, being a judgement",
        gold="disclosure",
    ),
    Entry(
        "softening",
        "act",
        "tells the other client, not the supporter, of own hurt, fear, shame, loneliness or "
        "longing, with no attack in the same turn. A single turn: the softening event of "
        "therapy is a sequence",
        gold="disclosure",
    ),
    Entry(
        "apology",
        "act",
        "says sorry or owns a fault. Not sorrow for what happened, not a courtesy",
        gold="repair",
    ),
    Entry(
        "repair_bid",
        "act",
        "tries to stop a quarrel or to mend: slow down, start over, say it again more kindly, "
        "same side",
        gold="repair",
    ),
    Entry(
        "accepting_influence",
        "act",
        "takes up what the target asks or says: agrees, promises to do it, grants a point. "
        "Not where a `but` follows",
        gold="repair",
    ),
    Entry(
        "validation",
        "act",
        "says that the target's feeling or view makes sense, is understood. Not where a `but` "
        "follows",
        gold="validation",
    ),
    Entry(
        "acknowledgement",
        "act",
        "shows that it was heard: yes, right, I see. Plain where the turn is little else, "
        "weak where it only opens so. Answers `yes` to a question too",
        gold="validation",
    ),
    Entry(
        "reassurance",
        "act",
        "tells the target that it will be well, that they are not alone or not to blame",
        gold="validation",
    ),
    Entry(
        "affection",
        "act",
        "shows warmth: endearment, love, praise, thanks",
        gold="validation",
    ),
    Entry(
        "interest",
        "act",
        "asks openly for the target's mind or experience",
    ),
    Entry(
        "humour",
        "act",
        "jokes, laughs: by noted laughter and by `just kidding`. Wit itself is not seen",
    ),
    Entry(
        "we_framing",
        "act",
        "puts the trouble or the wish as one of `us`. Not any `we`: what was done together is "
        "a tale",
        gold="reflection",
    ),
    Entry(
        "problem_solving",
        "act",
        "proposes or plans a way",
    ),
    Entry(
        "reflection",
        "act",
        "looks at the own part, or sees a link between things",
        gold="reflection",
    ),
    Entry(
        "recollection",
        "act",
        "tells what happened: most verbs in the past, at least two, or one and a time",
        gold="recollection",
    ),
    Entry(
        "speaks_for",
        "act",
        "says what the target, who is there, thinks, feels or wants. Not asked, not supposed, "
        "and not by the supporter, whose work that is",
    ),
    Entry(
        "third_person",
        "act",
        "talks about the target, who is there, to somebody else. Weak (0.3) when said to the "
        "supporter or by them, where it is usual, so no sign of ill will",
    ),
    Entry(
        "triangulation",
        "act",
        "draws the supporter or a third one in as judge, messenger or ally against the target",
        gold="accusation",
    ),
    Entry(
        "sides_with",
        "act",
        "takes the part of the target before somebody else",
    ),
    Entry(
        "tension",
        "act",
        "stammers, breaks off, searches for words",
    ),
)
"""In the order of the codebook."""
