"""Words of a text: what counts as one word of a name, how words are compared, what is kept."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from relgraph.cues._lexicon import words
from relgraph.graph._mentions import ALSO_WORDS, UNSPACED

_MARKS = "".join(chr(c) for c in range(0x300, 0x3100) if unicodedata.category(chr(c))[0] == "M")
_JOINED = UNSPACED.pattern[1:-1] + r"\u0590-\u06ff\uac00-\ud7af"
"""Scripts in which a name is written together with other words, or with what stands for them."""
RUN = re.compile(rf"[{_JOINED}]+|[^\W\d_{_JOINED}](?:[^\W\d_{_JOINED}]|[{_MARKS}])*")
"""Letters in a row. Apostrophe, hyphen, digit and underscore part words, so that each part of
`Ana-Maria`, `O'Neil` or `ana_lopez` is found on its own, and `Ana` in `Ana's` and `Ana2`."""
JOINED = re.compile(f"[{_JOINED}]")

FEWEST_LETTERS = 2
"""A single letter (`O'`, `J.`, `Speaker A`) names nobody."""

ROLES = words(
    "therapist counselor counsellor mediator facilitator moderator coach host interviewer doctor "
    "nurse psychologist psychiatrist supporter teacher couple family group speaker participant "
    "person client patient member partner spouse husband wife fiance fiancee girlfriend boyfriend "
    "friend guest unknown everyone everybody all both other others man woman boy girl child kid "
    "baby teenager adult mother father mom mum mommy mummy dad daddy papa mama parent parents "
    "stepmother stepfather stepmom stepmum stepdad stepson stepdaughter grandmother grandfather "
    "grandma grandpa granny gran nana son daughter brother sister uncle aunt auntie cousin niece "
    "nephew sibling eldest oldest younger youngest older elder middle little big twin the a an of "
    "and or to in on at with mr mrs ms miss dr prof sir madam de del der den van von di da la le "
    "el al bin ibn st"
)
"""Words in the name of a speaker that say who it is to the others, or nothing: they stay."""

TIMES = words(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december christmas easter thanksgiving halloween "
    "ramadan hanukkah"
)
NOBODY = words(
    "i god jesus christ lord bible tv ok okay yes no yeah oh um uh ah hey hi hello wow well "
    "english phd ceo hiv adhd ptsd ocd iq dna usb sms gps id ai pm am whatsapp facebook instagram "
    "google youtube internet zoom covid sorry please thanks thank mm mmm hm hmm mhm huh uhuh nope "
    "yep yup nah gosh mister missus mondays tuesdays wednesdays thursdays fridays saturdays "
    "sundays eleven thirteen fourteen sixteen seventeen eighteen nineteen thirty forty seventy "
    "eighty ninety hundred thousand"
)
"""Words that are written with a capital letter and name no person and no place of one's own."""

WORDS_TOO = (
    ALSO_WORDS
    | TIMES
    | words(
        "amber angel april autumn basil brook buddy carol cash charity chip christian chuck cliff "
        "crystal daisy dale dean don dot earnest eve forest frank gay glen grant harmony heath "
        "holly honey iris ivy jade ken lance lily major melody nick olive page patience pearl peg "
        "penny prudence reed robin rocky ruby rusty sandy serenity sunny trip victor violet wade "
        "wood woody young long short black white brown green stone"
    )
)
"""Names that are everyday words as well: in lower case they are the word."""


def composed(text: str) -> str:
    """Returns the text in Unicode form NFC."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


@lru_cache(maxsize=65536)
def key(word: str) -> str:
    """Returns what words are compared by: without case and accents."""
    if word.isascii():
        return word.lower()
    bare = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", bare.casefold())


def is_joined(word: str) -> bool:
    """Returns whether a word is of a script in which it may stand anywhere in a run of letters."""
    return JOINED.match(word) is not None


def cased(word: str, like: str) -> str:
    """Returns a word in the case of another one: all small, all large, or as it is."""
    if like.islower():
        return word.lower()
    if len(like) > 1 and like.isupper():
        return word.upper()
    return word


@lru_cache(maxsize=16384)
def keys_of(text: str) -> frozenset[str]:
    """Returns the keys of all words of a text."""
    return frozenset(key(run) for run in RUN.findall(composed(text)))
