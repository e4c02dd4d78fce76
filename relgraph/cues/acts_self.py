"""Acts that tell of oneself, or assent, or falter: disclosure, recollection, tension, humour."""

from __future__ import annotations

import re
from collections.abc import Iterator

from relgraph.cues._act_words import (
    ASSENT,
    ASSENT_FILL,
    DUTIES,
    FAULTS,
    FAULTY,
    FEELING,
    FEELING_NOUNS,
    FILLERS,
    GOOD_DEEDS,
    INNER,
    INSULTS,
    LONGING,
    PAST_TIMES,
    SOFT_DUTIES,
    TENDER,
)
from relgraph.cues._parse import Token
from relgraph.cues._seen import Seen
from relgraph.cues._weighing import SUPPOSED, around, asked
from relgraph.cues.records import Cue

LAUGHTER = re.compile(
    r"[\[(*](?:\w+\s+){0,2}(?:laugh\w*|chuckl\w*|giggl\w*)(?:\s+\w+){0,2}[\])*]", re.I
)
BROKEN_OFF = re.compile(r"(?:--?|\u2014|\u2013)\s*[\"']?$")
HESITANT = re.compile(r"\b([\w']+)\s*[,.\u2026\u2014-]+\s*(?:(?:um|uh|er)\b[,.\s-]*)?\1\b")
STAMMER = re.compile(
    r"\b(\w{1,3})-\s?\1|\b(i|you|we|he|she|it|the|that|and|but|my|to)"
    r"\s*[-,\u2014. ]+\s*\2\s*[-,\u2014. ]+\s*\2\b"
)
SPEECHLESS = re.compile(
    r"\b(?:don't|do not|can't|cannot) (?:even )?"
    r"(?:know (?:how to (?:say|put|explain)|what to say)|find the words|explain it)"
)


def detect(seen: Seen) -> Iterator[Cue]:
    """Yields what the speaker tells of themselves, and how."""
    yield from _tension(seen)
    yield from _acknowledgement(seen)
    if LAUGHTER.search(seen.text):
        found = LAUGHTER.search(seen.text)
        assert found
        yield from seen.cues("humour", 0.4, found.group())
    if seen.by_supporter:
        return
    yield from _disclosure(seen)
    yield from _defence(seen)
    yield from _recollection(seen)


def _disclosure(seen: Seen) -> Iterator[Cue]:
    for token in seen.tokens:
        if token.text not in {"i", "me", "my"} or token.reported:
            continue
        verb = seen.tokens[token.head]
        if verb.reported:
            continue
        found = _tells(seen, token, verb)
        if not found:
            continue
        strength, tender = found
        strength *= around(seen, min(token.i, verb.i), max(token.i, verb.i))
        strength *= SUPPOSED if verb.supposed else 1.0
        strength *= 0.5 if asked(seen, verb.i) else 1.0
        words = seen.parse.clause(verb.i)
        yield from seen.cues("disclosure", strength, words, by="grammar")
        clients = [p for p in seen.addressees if p != seen.supporter]
        if tender:
            for person in clients:
                yield seen.cue("softening", person, strength * seen.sure, words, by="grammar")


def _defence(seen: Seen) -> Iterator[Cue]:
    """Yields that the speaker denies a fault of theirs, or insists that they do do a duty."""
    for token in seen.tokens:
        if token.text != "i" or token.dep != "nsubj" or token.reported:
            continue
        verb = seen.tokens[token.head]
        if verb.reported or verb.supposed or asked(seen, verb.i):
            continue
        children = [seen.tokens[c] for c in seen.parse.children[verb.i]]
        denies = verb.negated and (
            verb.lemma in FAULTS
            or (
                verb.lemma == "be"
                and any(
                    c.dep in {"acomp", "attr"} and c.lemma in FAULTY | INSULTS for c in children
                )
            )
        )
        insists = (
            not verb.negated
            and verb.lemma in (DUTIES - SOFT_DUTIES) | GOOD_DEEDS
            and any(c.dep == "aux" and c.text in {"do", "did"} for c in children)
        )
        if denies or insists:
            yield from seen.cues("defence", 0.6, seen.parse.clause(verb.i), by="grammar")


def _tells(seen: Seen, word: Token, verb: Token) -> tuple[float, bool] | None:
    """Returns how surely something inner is told, and whether it is tender; None for nothing."""
    subject = word.text == "i" and word.dep in {"nsubj", "nsubjpass"}
    if (
        word.text == "me"
        and word.dep in {"dobj", "pobj"}
        and verb.lemma in {"hurt", "scare", "break"}
    ):
        return (0.6, True) if not verb.negated else None
    if word.text == "my" and verb.lemma in FEELING_NOUNS:
        return 0.5, verb.lemma in TENDER
    if not subject:
        return None
    below = _below(seen, verb)
    named = [
        t for t in below if t.lemma in FEELING or t.text in FEELING or t.lemma in FEELING_NOUNS
    ]
    if verb.lemma == "feel":
        if any(t.text in {"you", "he", "she"} and "subj" in t.dep for t in below) and not named:
            return 0.3, False  # "I feel like you ..." is a judgement in the clothes of a feeling
        tender = any(t.text in TENDER or t.lemma in TENDER for t in named)
        return (0.8 if named else 0.6), tender and not verb.negated
    if verb.lemma in {"be", "get", "become", "grow"} and named and not verb.negated:
        return 0.7, any(t.text in TENDER or t.lemma in TENDER for t in named)
    if verb.text in FEELING and not verb.negated:
        return 0.7, verb.text in TENDER
    if verb.lemma in INNER:
        you = any(t.text == "you" and t.dep == "dobj" for t in below)
        longing = verb.lemma in LONGING and you and not verb.negated
        hurting = verb.lemma in {"hurt", "fear", "long", "cry"} and not verb.negated
        return 0.5, longing or hurting
    return None


def _below(seen: Seen, verb: Token) -> list[Token]:
    """Returns what hangs on a verb, up to four steps down, within eight words."""
    found, level = [], [verb.i]
    for _ in range(4):
        level = [c for i in level for c in seen.parse.children[i] if c > verb.i - 4]
        found += [seen.tokens[c] for c in level if c - verb.i <= 8 and not seen.tokens[c].negated]
    return found


def _recollection(seen: Seen) -> Iterator[Cue]:
    """Yields telling of the past: most verbs in the past, at least two, or one and a time."""
    past = [t for t in seen.tokens if t.tag == "VBD" and not t.supposed]
    present = sum(t.tag in {"VBP", "VBZ", "MD"} for t in seen.tokens)
    times = sum(t.text in PAST_TIMES for t in seen.tokens)
    if not past or len(past) <= present or len(past) + times < 2:
        return
    share = len(past) / (len(past) + present)
    strength = 0.25 + 0.3 * share + 0.06 * min(len(past), 4) + 0.08 * min(times, 2)
    yield from seen.cues("recollection", strength, seen.parse.clause(past[0].i), by="grammar")


def _acknowledgement(seen: Seen) -> Iterator[Cue]:
    """Yields assent: the whole turn is little else, or it opens so."""
    words = [t for t in seen.tokens if t.pos != "PUNCT"]
    if not words:
        return
    whole = all(t.text in ASSENT or t.text in ASSENT_FILL for t in words)
    some = any(t.text in ASSENT or t.lemma in {"see", "get", "hear", "know"} for t in words)
    if seen.parse.sentences[-1].question and len(words) <= 2:
        return
    if whole and some and len(words) <= 8:
        yield from seen.cues("acknowledgement", 0.75, seen.text.strip())
    elif words[0].text in ASSENT and not (
        seen.parse.sentences[0].question
        or (words[0].text == "right" and words[1].i == words[0].i + 1)
    ):
        yield from seen.cues("acknowledgement", 0.4, seen.parse.said(words[0].i, words[0].i))


def _tension(seen: Seen) -> Iterator[Cue]:
    """Yields stammering, breaking off, searching for words."""
    strength, shown = 0.0, ""
    stammer = STAMMER.search(seen.parse.plain)
    if stammer:
        strength, shown = 0.5, stammer.group()
    hesitant = HESITANT.search(seen.parse.plain)
    trailing = seen.parse.plain.count("...") + seen.parse.plain.count("\u2026")
    if not stammer and hesitant and (trailing or FILLERS & set(hesitant.group().split(" "))):
        strength, shown = 0.45, hesitant.group()
    fillers = [t for t in seen.tokens if t.text in FILLERS]
    if len(fillers) >= 3 and 10 * len(fillers) >= len(seen.tokens):
        strength, shown = max(strength, 0.5), ", ".join(t.text for t in fillers[:3])
    speechless = SPEECHLESS.search(seen.parse.plain)
    if speechless:
        strength, shown = 0.6, speechless.group()
    if BROKEN_OFF.search(seen.parse.plain):
        strength, shown = (strength + 0.2, shown) if strength else (0.3, seen.text[-12:])
    if strength:
        yield from seen.cues("tension", strength, shown)
