"""Whether an attitude is for somebody, against them, or neither, by general English words."""

from __future__ import annotations

import re
from typing import Literal

from relgraph.cues._feeling_words import FEELING_OF
from relgraph.cues._lexicon import words

Stance = Literal["positive", "negative", "mixed"]

GOOD_FEELINGS = frozenset({"hope", "joy", "love"})
FOR = words(
    "accepting accommodating accountable admiring affectionate affirming aligned amused "
    "apologetic appreciative appreciates approving attracted attentive caring collaborative "
    "committed compassionate conciliatory connected connection considerate cooperative curious "
    "devoted eager empathetic empathic enthusiastic faithful fond forgiving friendly generous "
    "gentle impressed interested kind loving loyal moved nurturing open optimistic patient "
    "playful praising protective reassured reassuring receptive reparative respectful respects "
    "romantic safe satisfied softening supportive supports sympathetic tender thankful touched "
    "trust trusting trusts understanding united validated validating values warm welcoming "
    "admiration affection appreciation care compassion empathy respect sympathy warmth"
)
AGAINST = words(
    "accusatory accusing adversarial aggrieved alienated antagonistic appalled avoidant baffled "
    "belittling bitter blame blames blaming burdened challenging coercive cold combative "
    "complaining condemning condescending confrontational confused contemptuous controlling "
    "critical criticism criticizing cynical deceived defensive defiant deflecting demanding "
    "derisive despairing detached disapproving disbelieving disconnected disgusted dismissive "
    "dismissing disrespected dissatisfied distant distanced distressed distrust distrustful "
    "doubtful doubting dreading estranged exasperated exploited guarded harsh helpless hostile "
    "impatient incredulous indifferent indignant insulted intimidated intolerant invalidated "
    "invalidating jealous judging judgmental misunderstood mistreated mistrustful mocking "
    "offended oppositional oppressed patronizing pessimistic powerless provocative punitive "
    "rejecting rejects resentful resents resigned resistant sarcastic scathing scornful skeptical "
    "sceptical smothered spiteful stifled strained suffocated superior suspicious "
    "tense threatened trapped uncaring uncompromising unfair unforgiving unheard unseen unyielding "
    "vengeful victimized wary withdrawn anger contempt disdain hostility mistrust suspicion"
)
NOT = words("no not never without lacks lack lacking hardly n't little less longer")
_WORD = re.compile(r"n't\b|[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
REACH = 3
"""Words after a negation that it turns around: `lack of any respect`."""


def stance_of(attitude: str, viewpoint: str = "") -> Stance:
    """Returns the stance that the attitude's words tell, or without any the viewpoint's.

    Words of both kinds (`loving but exhausted`) and of none are `mixed`.
    """
    return _read(attitude) or _read(viewpoint) or "mixed"


def _read(text: str) -> Stance | None:
    found: set[bool] = set()
    since_not = REACH + 1
    for word in _WORD.findall(text.lower()):
        if word in NOT or word.endswith(("n't", "n\u2019t")):
            since_not = 0
            continue
        since_not += 1
        good = _good(word)
        if good is not None:
            found.add(good != (since_not <= REACH))
    if not found:
        return None
    if len(found) == 2:
        return "mixed"
    return "positive" if found.pop() else "negative"


def _good(word: str) -> bool | None:
    if word in FOR:
        return True
    if word in AGAINST:
        return False
    feeling = FEELING_OF.get(word)
    return None if feeling in (None, "surprise") else feeling in GOOD_FEELINGS
