"""Acts that are told by set phrases."""

from __future__ import annotations

from collections.abc import Iterator

from relgraph.cues._act_words import GOOD
from relgraph.cues._lexicon import Match, words
from relgraph.cues._phrases_hard import HARD
from relgraph.cues._phrases_joint import JOINT
from relgraph.cues._phrases_soft import SOFT
from relgraph.cues._seen import Seen
from relgraph.cues._weighing import ASKED, SUPPOSED, around, asked, between
from relgraph.cues.records import Cue

TABLES = (HARD, SOFT, JOINT)
PRESSING = words("blame criticism contempt belligerence domineering demand minimising")
# These are asked as often as they are told.
ASKABLE = words("request demand belligerence repair_bid problem_solving interest")
# These are said to the one who is meant; said of a third person they are something else.
FACE_TO_FACE = words("domineering belligerence")
NOT_BY_SUPPORTER = words(
    "disclosure reflection defence minimising domineering demand triangulation"
)
ANSWERS = words("validation accepting_influence")
"""Taken back by an `if` before or a `but` after: `I know, but`."""
SERVED = words("breakfast lunch dinner supper coffee tea cake soup sandwich cookies")
"""`You made me dinner` is no reproach."""
COURTESY = words("interrupt interject hear bother loss")
UNFELT = words("know feel understand realize realise notice want think see care like love need")
"""`I didn't know` denies no fault."""
ASKING = words("can could would will do is may should you")
ASKING_WHAT = words("what how why where who when which whatever")
BEHIND_BACK = 0.7
"""Factor of what is wanted of somebody and said to another."""


def detect(seen: Seen) -> Iterator[Cue]:
    """Yields the acts whose phrases stand in a turn, each at whom it is directed at."""
    for match in (m for table in TABLES for m in table.find(seen.parse)):
        if match.unsaid or (seen.by_supporter and match.cue in NOT_BY_SUPPORTER):
            continue
        first = seen.tokens[match.first]
        if first.reported:
            continue
        if not _holds(seen, match):
            continue
        strength = match.strength * around(seen, match.first, match.last)
        if match.cue not in ASKABLE and first.text not in ASKING_WHAT and asked(seen, match.last):
            strength *= ASKED
        if first.supposed and match.cue not in {"blame", "request", "problem_solving"}:
            strength *= SUPPOSED
        for person, weight in _directed(seen, match):
            factor = between(seen, person) if match.cue in PRESSING else 1.0
            if match.cue in {"demand", "request"} and person not in seen.addressees:
                factor *= BEHIND_BACK
            yield seen.cue(match.cue, person, strength * weight * factor, match.words)


def _holds(seen: Seen, match: Match) -> bool:
    """Whether the grammar around a phrase lets it mean what the table says."""
    first = seen.tokens[match.first]
    if match.who == match.first and first.text not in {"your", "his", "her"}:
        name = match.first in seen.parse.names
        if first.dep not in {"nsubj", "nsubjpass", "ROOT"} and not (name and first.dep == "poss"):
            return False
    following = [t.text for t in seen.tokens[match.last + 1 : match.last + 5]]
    after = set(following)
    if match.cue in ANSWERS and (first.supposed or "but" in following[:2]):
        return False
    if match.cue == "apology" and (after & COURTESY or _is_taken_back(following)):
        return False
    if match.cue == "affection" and _is_no_praise(seen, match, following):
        return False
    if match.cue == "blame" and (after & (GOOD | SERVED) or "wrong" in after):
        return False
    if match.cue == "contempt" and set(following[:1]) & GOOD:
        return False
    question = seen.parse.sentences[first.sentence].question
    if match.cue == "demand" and question and match.who >= 0:
        return False
    if match.cue == "defence" and seen.tokens[match.last].text in {"n't", "not"}:
        return not {t.lemma for t in seen.tokens[match.last + 1 : match.last + 3]} & UNFELT
    if match.cue == "request" and first.text in ASKING:
        before = {t.text for t in seen.tokens[max(0, match.first - 2) : match.first]}
        return (question or "please" in after) and not before & ASKING_WHAT
    return True


def _is_taken_back(following: list[str]) -> bool:
    """Whether it is `I'm sorry, but`, or `I'm sorry you feel that way`."""
    return "but" in following[:2] or following[:2] in (["you", "feel"], ["if", "you"])


def _is_no_praise(seen: Seen, match: Match, following: list[str]) -> bool:
    """Whether it is `she's kind of`, or an endearment that nobody is called by: `my baby`."""
    last = seen.tokens[match.last]
    if last.text == "kind" and following[:1] == ["of"]:
        return True
    called_by = match.first == match.last
    return called_by and any(
        (seen.tokens[c].dep in {"det", "poss", "amod"} and seen.tokens[c].text != "my")
        or (seen.tokens[c].text == "my" and last.dep != "npadvmod")
        for c in seen.parse.children[last.i]
    )


def _directed(seen: Seen, match: Match) -> list[tuple[str, float]]:
    """Returns whom a phrase is directed at, each with how sure it is; none: at nobody here."""
    word = seen.tokens[match.who].text if match.who >= 0 else ""
    if match.cue == "triangulation":
        return _against(seen, match)
    if match.cue == "sides_with":
        return [(m.person, m.weight) for m in seen.meant(match.who) if m.how != "you"]
    if word and word not in {"you", "your"}:
        if match.cue in FACE_TO_FACE:
            return []
        return [(m.person, m.weight) for m in seen.meant(match.who)]
    if not seen.addressees:
        return [] if match.cue in PRESSING else [("", 1.0)]
    return [(person, seen.sure) for person in seen.addressees]


def _against(seen: Seen, match: Match) -> list[tuple[str, float]]:
    """Returns against whom somebody is drawn in: who is spoken of, else the one other client."""
    spoken_of = [
        (m.person, m.weight)
        for m in seen.mentions
        if m.how != "you"
        and m.person not in seen.addressees
        and abs(seen.tokens[m.token].sentence - seen.tokens[match.first].sentence) <= 1
    ]
    if spoken_of:
        return [max(spoken_of, key=lambda pair: pair[1])]
    free = [p for p in seen.others if p not in seen.addressees]
    return [(free[0], 0.7)] if len(free) == 1 else []
