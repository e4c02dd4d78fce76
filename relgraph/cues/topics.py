"""What a turn is about: by words, never by what `it` or `that` may stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from relgraph.cues._lexicon import words
from relgraph.cues._seen import Seen
from relgraph.cues.records import Cue

STRENGTHS = (0.5, 0.7, 0.85)
"""For one, two, three or more different words of the topic."""

# Lemmas; `\_` would be a phrase, and those are below.
LEMMAS: dict[str, str] = {
    "children": "child kid baby son daughter toddler infant newborn parenting stepson stepdaughter "
    "custody pregnancy pregnant babysitter nanny daycare bedtime diaper parenthood motherhood "
    "fatherhood teenager adoption stepkid children",
    "closeness": "closeness close connection connect connected disconnected distance distant "
    "intimacy intimate affection affectionate hug cuddle bond tenderness tender cold aloof reject "
    "emotional lonely warmth vulnerable vulnerability attachment",
    "drinking": "drink drinking drunk alcohol alcoholic alcoholism sober sobriety beer wine "
    "whiskey "
    "vodka bar pub rehab booze hangover addict addiction relapse weed cocaine pill drug tipsy",
    "extended_family": "mother-in-law father-in-law in-law inlaw sister-in-law brother-in-law "
    "grandmother grandfather grandma grandpa granny granddad aunt uncle cousin grandparent "
    "grandparents relative nephew niece",
    "health": "health sick illness ill disease cancer doctor hospital surgery medication medicine "
    "diagnosis depression anxiety therapy adhd sleep insomnia injury diabetes stroke symptom "
    "miscarriage chronic disability wheelchair pain weight diet",
    "household": "dish laundry chore cleaning clean cook cooking kitchen housework groceries "
    "grocery trash vacuum mess messy tidy household dishwasher bathroom garden errand dinner sink",
    "money": "money debt bill budget spending spend salary income pay paycheck bank account loan "
    "mortgage rent credit financial finance financially savings saving afford expensive broke "
    "dollar pound euro cost tax invest gambling gamble inheritance wage bankruptcy",
    "past_injury": "affair cheat cheating infidelity unfaithful betray betrayal mistress abuse "
    "abusive abused trauma traumatic molest rape bully bullying neglect abandon abandonment "
    "childhood wound scar flashback",
    "rules": "rule curfew ground grounded punish punishment discipline permission strict obey "
    "boundary boundaries consequence allow allowed screen chore-chart allowance privilege",
    "school": "school homework teacher grade exam class college university classroom student "
    "principal kindergarten tuition campus detention degree semester lesson tutor",
    "separation": "divorce separate separation custody breakup leave split lawyer "
    "ex-husband ex-wife divorced separated",
    "sex": "sex sexual sexually libido orgasm bedroom porn pornography foreplay erection naked "
    "masturbate lust desire arouse aroused lingerie condom",
    "time_together": "date vacation holiday weekend honeymoon anniversary trip together "
    "quality-time travel outing",
    "trust": "trust lie liar lying honest honesty dishonest dishonesty secret secretive suspicious "
    "suspicion jealous jealousy loyal loyalty truth truthful deceive deception faithful hide "
    "sneak distrust mistrust transparency",
    "work": "work job boss office career coworker colleague meeting shift overtime promotion "
    "employee employer client business company fired layoff resume interview unemployed "
    "workload deadline profession retire retirement",
}  # fmt: skip
PHRASES: dict[str, str] = {
    "children": r"have (?:a|another) baby|raise (?:a|our|the) famil\w+|be (?:a )?parents?\b",
    "closeness": r"be there for|feel (?:seen|heard|loved|close)|hold(?:ing)? hands|turn(?:s"
    r"|ed)? away "
    r"from me|open(?:ing)? up",
    "extended_family": r"\bin-?laws?\b|(?:your|my|his|her) (?:mother|mom|mum|father|dad"
    r"|parents|sister"
    r"|brother|family)\b",
    "household": r"(?:around|clean) the house|do the dishes|take out the trash|put away",
    "money": r"credit card|pay(?:ing)? for|make (?:more )?(?:money|ends meet)",
    "past_injury": r"cheat(?:ed|ing)? on|when i was (?:a kid|a child|little|young|growing up)"
    r"|slept with",
    "rules": r"not allowed|screen time|house rules",
    "separation": r"(?:leave|leaving|left) (?:me|you|him|her)\b|break(?:ing)? up|broke up"
    r"|move(?:d)? "
    r"out|moving out|end (?:it|this|the marriage|the relationship)|get(?:ting)? divorced",
    "sex": r"make love|making love|have sex|sleep together|in bed\b|physical intimacy|turned on",
    "time_together": r"(?:spend|spending|spent) (?:more |any |some |so much |quality )?time"
    r"|date night"
    r"|time (?:together|with (?:me|you|us|him|her))|time for (?:us|me|each other)"
    "|just the two of us",
    "trust": r"behind my back|go(?:ing)? through (?:my|his|her|your) phone|keep(?:ing)? secrets",
    "work": r"at work|(?:work|working) (?:late|so much|all the time|hard)|for a living",
}  # fmt: skip
TOPIC_OF: dict[str, tuple[str, ...]] = {}
for _topic, _text in LEMMAS.items():
    for _word in sorted(words(_text)):
        TOPIC_OF[_word] = (*TOPIC_OF.get(_word, ()), _topic)
PATTERNS = {topic: re.compile(rf"\b(?:{source})", re.I) for topic, source in PHRASES.items()}

# Words that are about the topic only in one part of speech or form, or hardly at all.
ONLY_AS = {
    "close": {"ADJ", "ADV"}, "class": {"NOUN"}, "ground": {"VERB"}, "leave": set[str](),
    "work": {"NOUN", "VERB"}, "date": {"NOUN", "VERB"}, "pay": {"VERB", "NOUN"}, "bar": {"NOUN"},
    "lie": {"NOUN", "VERB"}, "meeting": {"NOUN"}, "shift": {"NOUN"}, "split": {"VERB"},
    "clean": {"VERB"}, "screen": {"NOUN"}, "grade": {"NOUN"}, "together": set[str](),
    "separate": {"VERB"}, "resume": {"NOUN"}, "cold": {"ADJ"}, "ill": {"ADJ"}, "pain": {"NOUN"},
    "broke": {"ADJ"}, "pound": {"NOUN"}, "client": {"NOUN"}, "drug": {"NOUN"}, "account": {"NOUN"},
}  # fmt: skip
# "It doesn't work", "pay attention", "that makes sense": everyday phrases of these words.
EVERYDAY = re.compile(
    r"\b(?:pay(?:s|ing|ed)? attention|(?:not|n't|doesn't|didn't|isn't) work(?:ing)?(?: for| out)?\b"
    r"|work(?:s|ed|ing)? (?:on|out|through|together|for me|with)\b|the work (?:we|you|that)"
    r"|that works|it works|spend(?:ing|s)? (?:the |my |more |some |any )?(?:time|day|night)"
    r"|close to (?:the|a|being)|up to date|in the first grade|kid(?:ding)?(?= you| me)"
    r"|(?:i'm|just|are you|no) kidding|hide and seek|baby steps|oh,? baby|my pleasure"
    r"|to be honest|honestly|be honest\b|the truth is|emotional(?:ly)? (?:abus|mess)\w*"
    r"|on account of|at the end of the day|no pain)",
    re.I,
)


def detect(seen: Seen) -> Iterator[Cue]:
    """Yields the topics of a turn, each once, stronger the more of its words there are."""
    spoilt = [m.span() for m in EVERYDAY.finditer(seen.parse.plain)]

    def everyday(place: int) -> bool:
        return any(begin <= place < end for begin, end in spoilt)

    found: dict[str, dict[str, str]] = {}
    for t in seen.tokens:
        place = seen.parse.begins[t.i]
        lemma = t.lemma if t.lemma in TOPIC_OF else t.text
        if lemma not in TOPIC_OF or t.pos in {"PRON", "AUX", "INTJ"} or everyday(place):
            continue
        if lemma in ONLY_AS and t.pos not in ONLY_AS[lemma]:
            continue
        for topic in TOPIC_OF[lemma]:
            found.setdefault(topic, {}).setdefault(lemma, seen.parse.said(t.i, t.i))
    for topic, pattern in PATTERNS.items():
        for m in pattern.finditer(seen.parse.plain):
            said = seen.parse.words(m.start(), m.end())
            found.setdefault(topic, {}).setdefault(m.group().lower(), said)
    for topic, hits in found.items():
        strength = STRENGTHS[min(len(hits), len(STRENGTHS)) - 1]
        yield seen.cue("topic", "", strength, ", ".join(list(hits.values())[:4]), detail=topic)
