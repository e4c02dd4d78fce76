"""What patterns of fear, control, threats and violence are made of.

`a` is who does it (fear: who is afraid), `b` whom it is done to (fear: who is feared), `k` the
word whose negation counts. They are regular expressions and no phrase table, because who does it
to whom stands on both sides of the verb.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from relgraph.cues._phrases import NAME

KIN = (
    r"(?:my|our|your|his|her) (?:ex|husband|wife|partner|boyfriend|girlfriend|mother|mom"
    r"|mum|father|dad"
    r"|son|daughter|brother|sister|uncle|aunt|parents|kids?|child|children|step\w+|grand\w+)"
)
DOER = rf"(?P<a>i|you|he|she|they|{NAME}|{KIN})"
DONE = rf"(?P<b>me|you|him|her|them|us|{NAME}|{KIN})"
OTHER = rf"(?P<b>you|him|her|them|me|{NAME}|{KIN})"
WHO_ELSE = rf"(?P<b>you|he|she|they|{NAME}|{KIN})"
LINK = (
    r"(?:'m|'s|'re|'ve|'d| am| is| are| was| were| has| have| had| been| be| got| gets?| getting"
    r"| feels?| felt| feeling| just| really| so| very| too| kind of| a little| a bit|"
    r" actually| still"
    r"| always| sometimes| often| both| also| even| physically| genuinely|,? like,?| being| not"
    r"| never|n't| don't| didn't| wasn't){0,5}"
)
ADVERBS = (
    r"(?:'s|'ve|'d| has| have| had| was| is| are| were| would| used to| started| starts|"
    r" keeps?| kept"
    r"| just| actually| even| also| then| almost| really| physically| literally| once|"
    r" twice| always"
    r"| ever| sometimes| never| not| didn't| doesn't| don't| hasn't| haven't| wouldn't| did not"
    r"|,? like,?| fucking| got up and| came over and| came and| would never){0,4}"
)
AFRAID = r"(?P<k>scared|afraid|frightened|terrified|fearful|petrified)"
HARMS = (
    r"(?:hurt|hit|kill|attack|explode|snap|lose (?:it|your temper|his temper|her temper)|go off"
    r"|blow up|find out|get (?:angry|mad|violent|physical|upset)|yell|scream|beat|punish|throw"
    r"|come after|do something|go crazy|freak out|take it out)"
)
WILL = (
    r"(?:'ll| will|'m going to|'m gonna| am going to| am gonna|'re going to|'s going to|'re gonna)"
)
IN_CLAUSE = r"[^.?!;\n]"


class Pattern(NamedTuple):
    """A pattern of one cue: how strong, and what has to be known to read it.

    Attributes:
        cue: name of the cue.
        strength: in (0, 1].
        regex: with the groups `a`, `b`, `k`, each of which may be missing.
        denies: it holds a negation of its own ("does not let me").
        rule_of_parents: between parents and children it is everyday; not given in a family.
        mutual: it says nothing of who does it: given both ways between two clients.
    """

    cue: str
    strength: float
    regex: re.Pattern[str]
    denies: bool = False
    rule_of_parents: bool = False
    mutual: bool = False


def pattern(cue: str, strength: float, regex: str, **flags: bool) -> Pattern:
    return Pattern(cue, strength, re.compile(rf"(?<!\w)(?<!\w')(?:{regex})", re.I), **flags)
