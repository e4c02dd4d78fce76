"""Blame, criticism, contempt and demand as told by grammar: who is said to do, or be, what."""

from __future__ import annotations

from collections.abc import Iterator

from relgraph.cues._act_words import (
    ALWAYS,
    DUTIES,
    FAULTS,
    FAULTY,
    FEELING,
    GOOD,
    GOOD_DEEDS,
    HARD_ORDERS,
    INSULTS,
    NEVER,
    NOT_FORBIDDEN,
    ORDERS,
    SOFT_DUTIES,
)
from relgraph.cues._lexicon import words
from relgraph.cues._parse import Token
from relgraph.cues._seen import Mention, Seen
from relgraph.cues._weighing import ASKED, SUPPOSED, around, asked, between
from relgraph.cues.records import Cue

NEUTRAL = words("want wish hope know say think remember dream be feel")
"""Always done, these are no fault."""
BAD_MOODS = words("angry mad upset tired busy stressed frustrated bitter resentful")
ALSO_NEVER_THERE = words("home here around satisfied ready on")
LEFT_UNDONE = words("fail miss break quit lose leave doubt judge bore")
"""Never done, these are a merit; so are `give up`, `let down` and `stop` doing what is good."""
TO_SOMEBODY = words(
    "hurt trigger shame discount control avoid judge punish attack steal hide waste"
)
"""Faults only where they are done to somebody or something."""


def detect(seen: Seen) -> Iterator[Cue]:
    """Yields what is laid on people by what they are said to do or be, and what is ordered."""
    for mention in seen.mentions:
        word = seen.tokens[mention.token]
        if word.dep not in {"nsubj", "nsubjpass"} or word.head == word.i:
            continue
        verb = seen.tokens[word.head]
        if verb.reported:
            continue
        for name, strength in _said_of(seen, verb):
            stop = seen.parse.sentences[verb.sentence].stop
            end = min(max(word.i, verb.i) + 2, stop - 1)
            strength *= mention.weight * around(seen, min(word.i, verb.i), end)
            if asked(seen, verb.i):
                strength *= ASKED
            if verb.supposed:
                strength *= SUPPOSED
            strength *= between(seen, mention.person)
            said = _words(seen, mention, verb)
            yield seen.cue(name, mention.person, strength, said, by="grammar")
    if not seen.by_supporter:
        yield from _orders(seen)


def _said_of(seen: Seen, verb: Token) -> Iterator[tuple[str, float]]:
    """Yields what it amounts to that somebody does what the verb says, with its strength."""
    children = [seen.tokens[c] for c in seen.parse.children[verb.i]]
    adverbs = {c.text for c in children if c.dep in {"advmod", "neg"}}
    if verb.lemma in {"be", "act", "sound", "get", "seem"}:
        yield from _is_said_to_be(seen, verb, children)
        return
    if verb.pos not in {"VERB", "AUX"}:
        return
    denied = verb.negated
    mild = verb.lemma in GOOD_DEEDS | NEUTRAL or _is_for_good(seen, verb)
    if adverbs & ALWAYS and not denied and not mild:
        yield "criticism", 0.7
    if adverbs & NEVER and verb.lemma not in FAULTS:
        if not _is_well_left_undone(seen, verb, children):
            yield "criticism", 0.8
    elif denied and verb.lemma == "do" and "wrong" in _after(seen, verb):
        return
    elif denied and verb.lemma in DUTIES and _is_clause(children):
        yield "blame", 0.35 if verb.lemma in SOFT_DUTIES else 0.6
    elif not denied and verb.lemma in FAULTS and _is_deed(verb, children):
        yield "blame", 0.6


def _is_for_good(seen: Seen, verb: Token) -> bool:
    """Whether it is `you always make me laugh`, `you always look beautiful`."""
    after = [
        seen.tokens[c]
        for c in seen.parse.children[verb.i]
        if seen.tokens[c].dep in {"acomp", "ccomp", "xcomp", "oprd"}
    ]
    return any({t.text, t.lemma} & (GOOD | GOOD_DEEDS) and not t.negated for t in after)


def _is_well_left_undone(seen: Seen, verb: Token, children: list[Token]) -> bool:
    """Whether it is `you never let me down`, `she never stopped believing in me`."""
    if verb.lemma in LEFT_UNDONE:
        return True
    if verb.lemma in {"give", "let"}:
        return bool(_after(seen, verb) & {"up", "down"})
    does = {c.lemma for c in children if c.dep == "xcomp"}
    return verb.lemma == "stop" and bool(does & (GOOD_DEEDS | {"believe", "hope", "fight"}))


def _after(seen: Seen, verb: Token) -> set[str]:
    return {t.text for t in seen.tokens[verb.i + 1 : verb.i + 4]}


def _is_clause(children: list[Token]) -> bool:
    """Whether the verb is said outright: not `you can't help`, `you won't have to`."""
    return not any(c.dep == "aux" and c.text in {"ca", "can", "could"} for c in children)


def _is_said_to_be(seen: Seen, verb: Token, children: list[Token]) -> Iterator[tuple[str, float]]:
    adverbs = {c.text for c in children if c.dep in {"advmod", "neg"}}
    if adverbs & NEVER and {c.text for c in children} & (GOOD | ALSO_NEVER_THERE):
        yield "criticism", 0.7
    if any(c.text in GOOD for c in children):
        return
    often = bool({c.text for c in children if c.dep == "advmod"} & ALWAYS)
    for child in children:
        if child.dep not in {"acomp", "attr", "prep", "oprd", "xcomp"} or child.negated:
            continue
        names = {child.lemma, child.text}
        if child.dep == "attr":
            names |= {seen.tokens[c].lemma for c in seen.parse.children[child.i]}
        if names & INSULTS:
            yield "contempt", 0.8
        elif names & FAULTY:
            yield "criticism", 0.6
        elif names & (GOOD | FEELING) and not (often and names & BAD_MOODS):
            continue
        elif often and verb.lemma == "be":
            yield "criticism", 0.6
        elif child.pos == "ADJ" and _is_too_much(seen, child):
            yield "criticism", 0.45


def _is_deed(verb: Token, children: list[Token]) -> bool:
    """Whether somebody does it: not `he was hurt`, not `she hurt` with nobody hurt."""
    if verb.tag == "VBN" and any(c.dep == "auxpass" or c.lemma in {"be", "get"} for c in children):
        return False
    return verb.lemma not in TO_SOMEBODY or any(c.dep in {"dobj", "dative"} for c in children)


def _is_too_much(seen: Seen, word: Token) -> bool:
    return any(seen.tokens[c].text in {"so", "too"} for c in seen.parse.children[word.i])


def _orders(seen: Seen) -> Iterator[Cue]:
    """Yields demands made by imperatives; said to the supporter they are requests for help."""
    for token in seen.tokens:
        if token.tag != "VB" or token.pos != "VERB" or token.dep not in {"ROOT", "conj"}:
            continue
        if token.reported or asked(seen, token.i):
            continue
        children = [seen.tokens[c] for c in seen.parse.children[token.i]]
        forbids = any(c.dep == "neg" for c in children)
        if token.lemma in NOT_FORBIDDEN if forbids else token.lemma not in ORDERS:
            continue
        if any(c.dep in {"nsubj", "nsubjpass", "expl"} for c in children):
            continue
        if any((c.dep == "aux" and c.lemma != "do") or c.text == "to" for c in children):
            continue
        if not _begins(seen, token, children):
            continue
        polite = any(c.text == "please" for c in children)
        strength = 0.65 if token.lemma in HARD_ORDERS or forbids else 0.45
        said = seen.parse.clause(token.i)
        for person in seen.addressees:
            if person != seen.supporter:
                name = "request" if polite else "demand"
                yield seen.cue(name, person, strength * seen.sure, said, by="grammar")


def _begins(seen: Seen, token: Token, children: list[Token]) -> bool:
    """Whether a verb opens its clause, but for `please`, `just`, `don't`, names and signs."""
    before = token.i - 1
    mine = {c.i for c in children}
    while before >= 0:
        t = seen.tokens[before]
        if (
            t.sentence != token.sentence
            or t.pos == "PUNCT"
            or t.text in {"and", "so", "but", "then"}
        ):
            return True
        passed = t.i in mine and (
            t.text in {"just", "please", "do", "n't", "not", "never"}
            or t.dep in {"intj", "npadvmod"}
        )
        if not passed and t.pos not in {"INTJ", "PROPN"}:
            return False
        before -= 1
    return True


def _words(seen: Seen, mention: Mention, verb: Token) -> str:
    """Returns the words from the person to the end of what is said of them, six at most after."""
    first, last = min(mention.token, verb.i), max(mention.token, verb.i)
    sentence = seen.parse.sentences[verb.sentence]
    last = min(max(last, verb.i + 6), sentence.stop - 1)
    return seen.parse.said(first, last).rstrip(" ,.?!-")
